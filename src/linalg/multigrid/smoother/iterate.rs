//! What a smoother works on.

use super::super::Grid;
use super::super::kernels::Kernels;

/// A level's system, and its iterate with a spare grid beside it.
pub(in super::super) struct Iterate<'a> {
    pub(in super::super) kernels: &'a Kernels,
    pub(in super::super) bands: &'a Grid,
    pub(in super::super) b: &'a Grid,
    pub(in super::super) x: &'a mut Grid,
    pub(in super::super) spare: &'a mut Grid,
}
