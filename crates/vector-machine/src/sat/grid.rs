//! Rows of texels, wrapped at the width of a texture: plain arithmetic, no GL.

use quadrille::{Extent, NoMemory};

/// Rows of at most 2^[`log_width`](Grid::log_width) texels. What is longer continues in the next
/// row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The width's logarithm to base 2.
    pub(super) log_width: u32,
}

impl Grid {
    /// Returns the widest grid for a device with this limit.
    pub(super) fn within(limit: u32) -> Grid {
        Grid { log_width: limit.max(1).ilog2() }
    }

    /// Returns the number of rows for this number of texels.
    pub(super) fn rows(self, things: usize) -> usize {
        things.div_ceil(1 << self.log_width).max(1)
    }

    /// Returns the extent of the texture for this number of texels, repeated.
    pub(super) fn extent(self, things: usize, times: usize) -> Extent {
        let width = things.min(1 << self.log_width);
        Extent::new(width as u32, (self.rows(things) * times) as u32)
    }

    /// Fills texels up to whole rows.
    pub(super) fn fill<T: Clone + Default>(
        self,
        mut texels: Vec<T>,
    ) -> Result<(Extent, Vec<T>), NoMemory> {
        let extent = self.extent(texels.len(), 1);
        let missing = extent.texels().saturating_sub(texels.len());
        texels.try_reserve_exact(missing).map_err(|_| NoMemory::of::<T>(extent.texels()))?;
        texels.resize(extent.texels(), T::default());
        Ok((extent, texels))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_goes_on_in_the_next_row() {
        let grid = Grid::within(33);
        assert_eq!(grid.log_width, 5);
        assert_eq!(grid.extent(20, 1), Extent::new(20, 1));
        assert_eq!(grid.extent(33, 2), Extent::new(32, 4));
        assert_eq!(grid.fill(vec![1_u8; 33]).unwrap().1.len(), 64);
        assert_eq!(grid.rows(0), 1);
    }
}
