//! What becomes of a product.

use crate::shader::Source;

/// The factors of a product and of the old result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) alpha: f32,
    pub(super) beta: f32,
}

/// What needs a kernel of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Whether the old result counts, which is not read otherwise.
    pub(super) keeps: bool,
}

impl Scale {
    /// The product itself.
    pub(super) const ONE: Scale = Scale { alpha: 1.0, beta: 0.0 };

    pub(super) fn form(self) -> Form {
        Form { keeps: self.beta != 0.0 }
    }
}

impl Form {
    pub(super) const ALL: [Form; 2] = [Form { keeps: false }, Form { keeps: true }];

    pub(super) fn define(self, source: Source) -> Source {
        if self.keeps { source.define("KEEPS", 1) } else { source }
    }
}
