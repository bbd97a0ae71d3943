//! The tiles of `compute-blocked`, and the choice among them for a device and a pair of shapes.

use super::layout::{Plan, Shader, Sizes, check_buffers, first, groups, must_divide};
use super::limits::Limits;
use crate::linalg::matmul::{Error, Remedy, Tile};

/// A tile of C and its blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Variant {
    /// Rows and columns of a tile of C, and the part of the inner dimension in shared memory.
    rows: u32,
    cols: u32,
    inner: u32,
    /// Rows and columns of an invocation's block.
    block_rows: u32,
    block_cols: u32,
    /// The rate for large matrices, relative to the fastest variant.
    speed: f64,
}

const fn variant(tile: [u32; 3], block: [u32; 2], speed: f64) -> Variant {
    let [rows, cols, inner] = tile;
    let [block_rows, block_cols] = block;
    Variant { rows, cols, inner, block_rows, block_cols, speed }
}

/// Largest first, with speeds at n = 4096 on an NVIDIA H200 (docs/measured.md). The second and
/// the last two fit what ES 3.1 promises, 128 invocations and 16 KiB of shared memory. No two have the
/// same tile of C.
pub(super) const VARIANTS: [Variant; 5] = [
    variant([256, 128, 16], [16, 8], 1.0),
    variant([128, 128, 8], [16, 8], 0.97),
    variant([128, 64, 16], [8, 8], 0.79),
    variant([64, 64, 16], [8, 4], 0.72),
    variant([32, 32, 16], [4, 4], 0.52),
];

/// The patch of adjacent invocations along x and y of a tile: 8 x 4 of them read 12 vec4s for each k.
const LANES: [u32; 2] = [8, 4];

/// Work groups that run concurrently on a large device, which has about as many multiprocessors. GL
/// does not report the number. On a device with fewer the plan prefers small tiles somewhat too early.
const WAVE: u64 = 128;

impl Variant {
    fn tile(&self) -> Tile {
        Tile { width: self.cols, height: self.rows }
    }

    fn threads(&self) -> u32 {
        self.rows / self.block_rows * (self.cols / self.block_cols)
    }

    /// Two tiles of A and two of B.
    fn shared_bytes(&self) -> u32 {
        2 * 4 * self.inner * (self.rows + self.cols)
    }

    pub(super) fn shader(&self) -> Shader {
        let defines = vec![
            ("TILE_ROWS", self.rows),
            ("TILE_COLS", self.cols),
            ("TILE_INNER", self.inner),
            ("BLOCK_ROWS", self.block_rows),
            ("BLOCK_COLS", self.block_cols),
            ("THREADS", self.threads()),
            ("LANES_X", LANES[0]),
            ("LANES_Y", LANES[1]),
        ];
        Shader { path: "matmul/blocked.comp", defines }
    }

    /// The estimated time, in an arbitrary unit: waves of work groups, each by its size. A partial last
    /// wave costs as much as a full one (wave quantization).
    fn cost(&self, sizes: Sizes, software: bool) -> f64 {
        let count = groups(sizes, self.tile()).into_iter().fold(1, u64::saturating_mul);
        let waves = if software { count } else { count.div_ceil(WAVE) };
        let inner = sizes.up_to(1, self.inner as usize, 1).k;
        waves as f64 * f64::from(self.rows * self.cols) * inner as f64 / self.speed
    }

    fn plan(&self, limits: &Limits, sizes: Sizes, remedy: Remedy) -> Result<Plan, Error> {
        let tile = self.tile();
        limits.check_group(Tile { width: self.threads(), height: 1 }, remedy)?;
        limits.check_shared(self.shared_bytes().into(), remedy)?;
        let padded = sizes.up_to(self.rows as usize, self.inner as usize, self.cols as usize);
        check_buffers(limits, padded)?;
        let groups = limits.check_groups(groups(sizes, tile), remedy)?;
        let each = (padded.k as u64).saturating_mul(u64::from(self.rows + self.cols));
        Ok(Plan {
            shader: self.shader(),
            sizes,
            padded,
            a_by_columns: true,
            groups,
            slice: limits.slice(self.inner, self.inner),
            loads: groups.into_iter().fold(each, |all, count| all.saturating_mul(count.into())),
            options: format!(
                "tile={tile} inner={} block={}x{}",
                self.inner, self.block_cols, self.block_rows
            ),
        })
    }
}

/// Plans with the tile that is set, or with the one that should be the fastest.
pub(super) fn plan(limits: &Limits, tile: Option<Tile>, sizes: Sizes) -> Result<Plan, Error> {
    let Some(tile) = tile else {
        let mut order = VARIANTS;
        let cost = |variant: &Variant| variant.cost(sizes, limits.software);
        order.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
        let [best, others @ ..] = order;
        let open = |variant: Variant| variant.plan(limits, sizes, Remedy::DrawnMethod);
        return first(open(best), others.into_iter().map(open));
    };
    let Some(variant) = VARIANTS.iter().find(|variant| variant.tile() == tile) else {
        let expected = VARIANTS.iter().map(Variant::tile).collect();
        return Err(Error::UnknownTile { got: tile, expected });
    };
    must_divide(tile, sizes, None)?;
    variant.plan(limits, sizes, Remedy::SmallerTile)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::matmul::Method;

    fn open(limits: &Limits, m: usize, k: usize, n: usize) -> String {
        plan(limits, None, Sizes { m, k, n }).unwrap().options
    }

    /// The conditions that the shader relies on.
    #[test]
    fn every_variant_divides_without_rest() {
        for one in VARIANTS {
            let (down, across) = (one.rows / one.block_rows, one.cols / one.block_cols);
            let threads = one.threads();
            let even = |whole: u32, part: u32| whole >= part && whole.is_multiple_of(part);
            assert!(even(one.rows, one.block_rows) && even(one.cols, one.block_cols), "{one:?}");
            assert!(even(one.block_rows, 4) && even(one.block_cols, 4), "{one:?}");
            assert!(even(across, LANES[0]) && even(down, LANES[1]), "{one:?}");
            // Loads go round by round, each over whole rows of a tile's memory.
            assert!(even(threads, one.rows / 4) && even(threads, one.cols / 4), "{one:?}");
            assert!(even(one.inner, threads / (one.rows / 4)), "{one:?}");
            assert!(even(one.inner, threads / (one.cols / 4)), "{one:?}");
            let twins = VARIANTS.iter().filter(|other| other.tile() == one.tile());
            assert_eq!(twins.count(), 1, "{one:?}");
        }
    }

    #[test]
    fn what_es_promises_is_enough() {
        let limits = Limits::least(Method::ComputeBlocked);
        assert_eq!(open(&limits, 1, 1, 1), "tile=32x32 inner=16 block=4x4");
        assert_eq!(open(&limits, 2000, 2000, 2000), "tile=128x128 inner=8 block=8x16");
    }

    #[test]
    fn small_matrices_get_small_tiles_and_large_ones_large() {
        let limits = Limits::large(Method::ComputeBlocked);
        let tile = |m, n| open(&limits, m, 1000, n).split(' ').next().unwrap().to_owned();
        assert_eq!(tile(1, 1), "tile=32x32");
        assert_eq!(tile(1, 100_000), "tile=32x32");
        assert_eq!(tile(256, 256), "tile=32x32");
        assert_eq!(tile(1024, 1024), "tile=64x128");
        assert_eq!(tile(2048, 2048), "tile=128x256");
        assert_eq!(tile(4096, 4096), "tile=128x256");
    }

    #[test]
    fn a_cpu_counts_work_alone() {
        let limits = Limits {
            software: true,
            shared_bytes: 32 << 10,
            ..Limits::large(Method::ComputeBlocked)
        };
        assert_eq!(open(&limits, 256, 256, 256), "tile=128x128 inner=8 block=8x16");
        assert_eq!(open(&limits, 33, 33, 33), "tile=64x64 inner=16 block=4x8");
    }

    #[test]
    fn long_matrices_get_tiles_whose_groups_can_be_counted() {
        let limits = Limits { groups: [100, 100], ..Limits::large(Method::ComputeBlocked) };
        assert_eq!(open(&limits, 100 * 256, 1, 1), "tile=128x256 inner=16 block=8x16");
        assert!(plan(&limits, None, Sizes { m: 100 * 256 + 1, k: 1, n: 1 }).is_err());
    }
}
