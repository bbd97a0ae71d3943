//! The problem that a solver gets: system, right-hand side, options.

pub(super) mod properties;
pub(crate) mod scaling;
pub(super) mod system;

use super::Options;
use super::times::Watch;
use scaling::Sides;
use system::System;

/// The 2-norm of a residual of the given system, and of the same in the space, where the system may
/// be scaled.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) given: f64,
    pub(crate) in_space: f64,
}

impl Size {
    /// Returns the norm where nothing is scaled.
    pub(crate) fn same(norm: f64) -> Size {
        Size { given: norm, in_space: norm }
    }

    /// Returns the norm relative to that of a right-hand side.
    pub(crate) fn over(self, b: Size) -> Size {
        Size { given: self.given / b.given, in_space: self.in_space / b.in_space }
    }
}

/// A right-hand side, and when to stop.
pub(crate) struct Problem<'a> {
    pub(crate) system: &'a dyn System,
    pub(crate) watch: &'a Watch,
    /// The right-hand side on the host; empty where it is a grid on a device.
    pub(crate) b: &'a [f64],
    pub(crate) unknowns: usize,
    /// The norm of b.
    pub(crate) norm: Size,
    /// R and C, where the space has the system R A C y = R b.
    pub(crate) scaling: Option<Sides<'a>>,
    /// The 2-norm of the residual of the first x over that of b.
    pub(crate) start: f64,
    /// The factor of the matrix in the space.
    pub(crate) matrix_factor: f64,
    /// Whether constants are the matrix's null space: then no vector has a constant part.
    pub(crate) projected: bool,
    pub(crate) options: Options,
}

impl<'a> Problem<'a> {
    /// Makes a problem with a right-hand side of this norm, whose numbers are set later, and x = 0
    /// at first.
    pub(crate) fn new(
        system: &'a dyn System,
        watch: &'a Watch,
        options: Options,
        norm: f64,
    ) -> Problem<'a> {
        Problem {
            system,
            watch,
            options,
            b: &[],
            unknowns: system.unknowns(),
            norm: Size::same(norm),
            scaling: None,
            start: 1.0,
            matrix_factor: 1.0,
            projected: false,
        }
    }
}
