//! The order in which a cycle visits the levels.

use crate::linalg::nine_banded;

use super::kernels::Kernels;
use super::level::Level;
use super::{Cycle, Grid};

/// What a cycle needs beside the levels.
pub(super) struct Run<'a> {
    pub(super) kernels: &'a Kernels,
    pub(super) finest: &'a [Grid],
    pub(super) bands: &'a [Grid],
    pub(super) inverse: &'a Grid,
}

impl Run<'_> {
    /// Full multigrid of the levels from this one on.
    pub(super) fn climb(
        &self,
        levels: &mut [Level],
        at: usize,
        cycle: Cycle,
        b: &Grid,
    ) -> Result<(), nine_banded::Error> {
        if let Some((level, coarser)) =
            levels.split_first_mut().filter(|(_, rest)| !rest.is_empty())
        {
            level.hand_down(self.kernels, b)?;
            if let Some(next) = &level.next {
                self.climb(coarser, at + 1, cycle, &next.b)?;
            }
            if let Some(coarse) = coarser.first() {
                level.ascend(self.kernels, &coarse.x)?;
            }
        }
        self.visit(levels, at, cycle, b, false)
    }

    /// A cycle of the levels from this one on.
    pub(super) fn visit(
        &self,
        levels: &mut [Level],
        at: usize,
        cycle: Cycle,
        b: &Grid,
        from_zero: bool,
    ) -> Result<(), nine_banded::Error> {
        let Some((level, coarser)) = levels.split_first_mut() else { return Ok(()) };
        let bands = match at.checked_sub(1) {
            None => self.finest.first(),
            Some(before) => self.bands.get(before),
        };
        let Some(bands) = bands else { return Ok(()) };
        if coarser.is_empty() {
            return level.solve(self.kernels, self.inverse, b);
        }
        level.smooth(self.kernels, bands, b, 0, from_zero)?;
        level.descend(self.kernels, bands, b)?;
        let again = match cycle {
            Cycle::V => None,
            Cycle::W => Some(Cycle::W),
            Cycle::F => Some(Cycle::V),
        };
        if let Some(next) = &level.next {
            self.visit(coarser, at + 1, cycle, &next.b, true)?;
            if let Some(again) = again.filter(|_| coarser.len() > 1) {
                self.visit(coarser, at + 1, again, &next.b, false)?;
            }
        }
        if let Some(coarse) = coarser.first() {
            level.ascend(self.kernels, &coarse.x)?;
        }
        level.smooth(self.kernels, bands, b, 1, false)
    }
}
