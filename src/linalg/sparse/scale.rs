//! What becomes of a product.

use crate::shader::Source;

/// The factors of a product and of the old result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) alpha: f32,
    pub(super) beta: f32,
}

/// Whether a product is added to the old result, by which kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Accumulation {
    /// Whether the old result counts, which is not read otherwise.
    pub(super) keeps: bool,
}

impl Scale {
    /// The product itself.
    pub(super) const ONE: Scale = Scale { alpha: 1.0, beta: 0.0 };

    pub(super) fn accumulation(self) -> Accumulation {
        Accumulation { keeps: self.beta != 0.0 }
    }
}

impl Accumulation {
    pub(super) const ALL: [Accumulation; 2] =
        [Accumulation { keeps: false }, Accumulation { keeps: true }];

    pub(super) fn define(self, source: Source) -> Source {
        if self.keeps { source.define("KEEPS", 1) } else { source }
    }
}
