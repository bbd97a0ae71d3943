//! The operands of a smoother.

use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::programs::LevelPrograms;
use crate::linalg::nine_banded::Coefficients;

/// A level's system, and its iterate with a spare grid beside it.
pub(crate) struct Iterate<'a> {
    pub(crate) programs: &'a LevelPrograms,
    pub(crate) coefficients: Coefficients<'a>,
    pub(crate) b: &'a Grid,
    pub(crate) x: &'a mut Grid,
    pub(crate) spare: &'a mut Grid,
}
