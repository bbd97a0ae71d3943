//! Plans the stages of a reduction: plain arithmetic, no GL.

use crate::Extent;

/// The texels that a stage reduces to one: the number along each side, or along x and along y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after their number.
#[non_exhaustive]
pub enum Factor {
    By2,
    By4,
    By8,
    By16,
    By8x16,
    /// Rows of adjacent texels, which a software renderer reads faster, while the texture is large;
    /// then as [`By8x16`](Self::By8x16).
    By64x2,
}

/// Stages fold rows of adjacent texels from this number of texels on: fewer are in caches, where it
/// makes no difference.
const ROWS_FROM: usize = 1 << 18;
/// The least width for that: a stage then writes at least four texels along x, which a software
/// renderer computes at once.
const ROWS_FROM_WIDTH: u32 = 4 * 64;

impl Factor {
    /// The list of all factors.
    pub const ALL: [Factor; 6] =
        [Factor::By2, Factor::By4, Factor::By8, Factor::By16, Factor::By8x16, Factor::By64x2];

    /// Returns the number of texels along x and along y.
    pub fn sides(self) -> (u32, u32) {
        match self {
            Factor::By2 => (2, 2),
            Factor::By4 => (4, 4),
            Factor::By8 => (8, 8),
            Factor::By16 => (16, 16),
            Factor::By8x16 => (8, 16),
            Factor::By64x2 => (64, 2),
        }
    }

    /// Returns the factor of a stage that reads this extent.
    pub(super) fn of_stage(self, from: Extent) -> Factor {
        let is_large = from.texels() >= ROWS_FROM && from.width >= ROWS_FROM_WIDTH;
        if self.is_of_rows() && !is_large { Factor::By8x16 } else { self }
    }

    /// Returns the extent that a stage writes.
    pub(super) fn folded(self, from: Extent) -> Extent {
        let (wide, high) = self.of_stage(from).sides();
        Extent::new(from.width.div_ceil(wide), from.height.div_ceil(high))
    }

    /// Returns whether a stage folds rows of adjacent texels, else texels that are far apart.
    pub(super) fn is_of_rows(self) -> bool {
        self == Factor::By64x2
    }

    /// Returns the longest chain of roundings of a stage: along a row, by pairs or from left to
    /// right, and then down the rows.
    fn chain(self) -> u32 {
        let (wide, high) = self.sides();
        let along = if self.is_of_rows() { wide.ilog2() } else { wide - 1 };
        along + high - 1
    }
}

/// Returns the extents that the stages write, down to `threshold` texels. Even a small texture
/// takes one stage, since the first stage also maps the values (squares, magnitudes, products).
pub(super) fn stages(extent: Extent, factor: Factor, threshold: usize) -> Vec<Extent> {
    let mut extents = Vec::new();
    let mut extent = extent;
    loop {
        extent = factor.folded(extent);
        extents.push(extent);
        if extent.texels() <= threshold.max(1) {
            return extents;
        }
    }
}

/// The most work groups along x.
const GROUPS: u32 = 32;
/// The most invocations along y where there are as many groups along x: enough for an NVIDIA H200. More groups take
/// longer there, and leave more parts to the host.
const INVOCATIONS: u32 = 256;

/// The work groups of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Groups {
    /// The invocations of one along each side.
    pub(super) side: u32,
    /// The texels that an invocation loads at a time, in a column: 2, 4 or 8.
    pub(super) loads: u32,
}

impl Groups {
    /// The texels that an invocation loads at a time unless it is tuned.
    pub(super) const LOADS: u32 = 4;

    /// Creates square groups that load the usual number of texels.
    pub(super) fn of_side(side: u32) -> Groups {
        Groups { side, loads: Groups::LOADS }
    }

    /// Returns the number of groups that reduce an extent, as the extent that they write. It is a
    /// single group where its invocations have few texels each, since another stage would take
    /// longer (6 us on an H200).
    pub(super) fn number(self, extent: Extent) -> Extent {
        let Groups { side, loads } = self;
        let Extent { width, height } = extent;
        if width <= 4 * side && height <= 16 * side && width * height <= 16 * side * side {
            return Extent::new(1, 1);
        }
        let along = |texels: u32, each: u32, most: u32| texels.div_ceil(each * side).clamp(1, most);
        let across = along(extent.width, 1, GROUPS);
        // What is narrow and high has as many groups as what is square.
        Extent::new(across, along(extent.height, loads, GROUPS * INVOCATIONS / side / across))
    }

    /// Returns the longest chain of roundings of a stage: an invocation adds its columns, and in
    /// each the sums of several rows, made by pairs, and rows that are left over; a group halves
    /// its results.
    fn chain(self, from: Extent, number: Extent) -> f64 {
        let Groups { side, loads } = self;
        let wide = from.width.div_ceil(number.width * side);
        let high = from.height.div_ceil(number.height * side);
        let column = high.min(high / loads + loads.ilog2() + loads - 1);
        f64::from(wide + column + 2 * side.ilog2())
    }
}

/// Returns a bound on the error of a sum over a texture of this extent, relative to the sum of the
/// magnitudes: gamma_k = k u / (1 - k u) with u = 2^-24 (Higham, *Accuracy and Stability of
/// Numerical Algorithms*, section 4.2). k = s (w + h - 2) + 2 is the longest chain of roundings: in
/// each of s stages, w - 1 additions along a row and h - 1 of rows for a factor of w x h, but 7 of
/// adjacent rows, which are added by pairs; one for the product or the square; and one for all
/// additions of the host, which are in f64. It holds for any
/// [`host_threshold`](super::Reducer::host_threshold): the host's additions only shorten the chain.
/// With [`Factor::By16`] it holds for the compute engine too, whose chain is shorter.
pub fn error_bound(extent: Extent, factor: Factor) -> f64 {
    gamma(drawn_chain(extent, factor))
}

pub(crate) fn gamma(roundings: f64) -> f64 {
    let unit = 0.5_f64.powi(24);
    roundings * unit / (1.0 - roundings * unit)
}

/// Returns the longest chain of roundings of a drawn sum.
pub(super) fn drawn_chain(extent: Extent, factor: Factor) -> f64 {
    let written = stages(extent, factor, 1);
    let read = std::iter::once(&extent).chain(&written).take(written.len());
    f64::from(read.map(|from| factor.of_stage(*from).chain()).sum::<u32>() + 2)
}

/// Returns the longest chain of roundings of a sum by compute shaders: two stages, down to one
/// texel.
pub(super) fn dispatched_chain(extent: Extent, groups: Groups) -> f64 {
    let number = groups.number(extent);
    groups.chain(extent, number) + groups.chain(number, Extent::new(1, 1)) + 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_end_at_one_texel() {
        let sizes = |w, h, factor| -> Vec<(u32, u32)> {
            stages(Extent::new(w, h), factor, 1).iter().map(|e| (e.width, e.height)).collect()
        };
        assert_eq!(sizes(1, 1, Factor::By2), [(1, 1)]);
        assert_eq!(sizes(5, 3, Factor::By2), [(3, 2), (2, 1), (1, 1)]);
        assert_eq!(
            sizes(1024, 1024, Factor::By4),
            [(256, 256), (64, 64), (16, 16), (4, 4), (1, 1)]
        );
        assert_eq!(sizes(17, 1, Factor::By16), [(2, 1), (1, 1)]);
    }

    #[test]
    fn stages_end_where_the_host_takes_over() {
        let count = |w, h| stages(Extent::new(w, h), Factor::By8x16, 2048).len();
        assert_eq!([count(1, 1), count(512, 512), count(1024, 1024)], [1, 1, 2]);
    }

    #[test]
    fn only_large_textures_are_folded_by_rows() {
        let sizes = |w, h| -> Vec<(u32, u32)> {
            let extents = stages(Extent::new(w, h), Factor::By64x2, 1);
            extents.iter().map(|e| (e.width, e.height)).collect()
        };
        assert_eq!(sizes(511, 512), [(64, 32), (8, 2), (1, 1)]);
        assert_eq!(sizes(513, 513), [(9, 257), (2, 17), (1, 2), (1, 1)]);
        assert_eq!(sizes(8192, 8192), [(128, 4096), (16, 256), (2, 16), (1, 1)]);
        assert_eq!(sizes(255, 2048), [(32, 128), (4, 8), (1, 1)]);
        // 7 of the first stage, then 22 each.
        assert_eq!(drawn_chain(Extent::new(1024, 1024), Factor::By64x2), 7.0 + 3.0 * 22.0 + 2.0);
    }

    #[test]
    fn the_bound_grows_with_the_stages() {
        let small = error_bound(Extent::new(4, 4), Factor::By4);
        let large = error_bound(Extent::new(4096, 4096), Factor::By4);
        assert!(small < large && large < 1e-5);
    }

    /// Tests what the documentation of [`error_bound`] says.
    #[test]
    fn the_chain_of_compute_shaders_is_no_longer_than_that_of_folds_by_16() {
        let groups = [8, 16, 32].map(|side| [2, 4, 8].map(|loads| Groups { side, loads }));
        for groups in groups.into_iter().flatten() {
            for width in [1, 2, 16, 17, 255, 1024, 4096, 8192, 32768] {
                for height in [1, 3, 16, 33, 1000, 4096, 8192, 32768] {
                    let extent = Extent::new(width, height);
                    let (short, long) =
                        (dispatched_chain(extent, groups), drawn_chain(extent, Factor::By16));
                    let many = groups.side >= 16 && groups.loads >= Groups::LOADS;
                    if many || width.max(height) <= 8192 {
                        assert!(short <= long, "{extent} by {groups:?}: {short} and {long}");
                    }
                }
            }
        }
    }
}
