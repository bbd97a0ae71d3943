//! The operands of a smoother.

use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::programs::LevelPrograms;
use crate::linalg::nine_banded::Coefficients;

/// A level's system, and its iterate with a spare grid beside it.
pub(in crate::linalg::multigrid) struct Iterate<'a> {
    pub(in crate::linalg::multigrid) programs: &'a LevelPrograms,
    pub(in crate::linalg::multigrid) coefficients: Coefficients<'a>,
    pub(in crate::linalg::multigrid) b: &'a Grid,
    pub(in crate::linalg::multigrid) x: &'a mut Grid,
    pub(in crate::linalg::multigrid) spare: &'a mut Grid,
}
