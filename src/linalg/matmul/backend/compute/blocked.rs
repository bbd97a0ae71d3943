//! The tiles of `compute-blocked`, its parts along the inner dimension, and the choice among them
//! for a device and a pair of shapes.

use super::layout::{Plan, Shader, Sizes, Split, check_buffers, first, groups, must_divide};
use super::limits::Limits;
use crate::linalg::matmul::{Error, Remedy, Result, Tile};

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
    /// The rate for large matrices, relative to the fastest variant, on hardware and in software.
    speed: f64,
    speed_in_software: f64,
}

const fn variant(tile: [u32; 3], block: [u32; 2], [speed, speed_in_software]: [f64; 2]) -> Variant {
    let [rows, cols, inner] = tile;
    let [block_rows, block_cols] = block;
    Variant { rows, cols, inner, block_rows, block_cols, speed, speed_in_software }
}

/// Largest first, with speeds at n = 4096 on an NVIDIA H200 (docs/measured.md). The second and the
/// last two fit what ES 3.1 promises, 128 invocations and 16 KiB of shared memory. No two have the
/// same tile of C.
pub(super) const VARIANTS: [Variant; 5] = [
    variant([256, 128, 16], [16, 8], [1.0, 1.0]),
    variant([128, 128, 8], [16, 8], [0.99, 0.97]),
    variant([128, 64, 16], [8, 8], [0.87, 0.79]),
    variant([64, 64, 16], [8, 4], [0.83, 0.72]),
    variant([32, 32, 16], [4, 4], [0.63, 0.52]),
];

/// The patch of adjacent invocations along x and y of a tile: 8 x 4 of them read 12 vec4s for each
/// k.
const LANES: [u32; 2] = [8, 4];

/// The multiprocessors of a large device: GL does not report the number. On a device with fewer the
/// plan prefers small tiles and parts somewhat too early.
const PROCESSORS: u64 = 128;

/// The parts of the inner dimension to choose among.
const PARTS: [usize; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32];

/// Costs beside the arithmetic, in multiply-adds of one multiprocessor (5.3 ps on an NVIDIA H200):
/// steps that a work group takes to begin and to end, adding the parts, and reading or writing an
/// element of them.
const GROUP_STEPS: usize = 16;
const SUM: f64 = 8e5;
const SUM_ELEMENT: f64 = 0.16;

/// The invocations with which a multiprocessor computes at half of its rate, the others waiting for
/// memory.
const HALF_BUSY: f64 = 64.0;

impl Variant {
    fn tile(&self) -> Tile {
        Tile { width: self.cols, height: self.rows }
    }

    fn threads(&self) -> u32 {
        self.rows / self.block_rows * (self.cols / self.block_cols)
    }

    /// Returns two tiles of A and two of B.
    fn shared_bytes(&self) -> u32 {
        2 * 4 * self.inner * (self.rows + self.cols)
    }

    /// Returns the shader, with or without its form for hardware.
    pub(super) fn shader(&self, prefetch: bool) -> Shader {
        let mut defines = vec![
            ("TILE_ROWS", self.rows),
            ("TILE_COLS", self.cols),
            ("TILE_INNER", self.inner),
            ("BLOCK_ROWS", self.block_rows),
            ("BLOCK_COLS", self.block_cols),
            ("THREADS", self.threads()),
            ("LANES_X", LANES[0]),
            ("LANES_Y", LANES[1]),
        ];
        if prefetch {
            defines.push(("PREFETCH", 1));
        }
        Shader { path: "matmul/blocked.comp", defines }
    }

    /// Returns the estimated time, in multiply-adds of one multiprocessor. A partial last wave of
    /// work groups costs as much as a full one (wave quantization). What is cheapest by it was
    /// within 2 % of the fastest for ten sizes from 128 to 4097 on an NVIDIA H200.
    fn cost(&self, sizes: Sizes, parts: usize, software: bool) -> f64 {
        let padded = self.padded(sizes);
        let tiles = groups(sizes, self.tile()).into_iter().fold(1, u64::saturating_mul);
        let area = f64::from(self.rows * self.cols);
        if software {
            return tiles as f64 * area * padded.k as f64 / self.speed_in_software;
        }
        let Split { parts, span } = self.split(padded, parts, usize::MAX);
        let in_turn = tiles.saturating_mul(parts as u64).div_ceil(PROCESSORS) as f64;
        let work = in_turn * area * span.saturating_add(GROUP_STEPS) as f64;
        let sum = match parts {
            1 => 0.0,
            _ => {
                SUM + SUM_ELEMENT
                    * (2 * parts + 1) as f64
                    * padded.c().len().unwrap_or(usize::MAX) as f64
            }
        };
        work / (self.speed * self.share(in_turn)) + sum
    }

    /// Returns the share of its rate that a multiprocessor has with this many work groups in turn.
    /// As many invocations as have registers run at the same time.
    fn share(&self, groups: f64) -> f64 {
        let busy = |invocations: f64| invocations / (invocations + HALF_BUSY);
        let most = (32768.0 / f64::from(self.block_rows * self.block_cols)).min(1024.0);
        busy((groups * f64::from(self.threads())).min(most)) / busy(most)
    }

    fn padded(&self, sizes: Sizes) -> Sizes {
        sizes.up_to(self.rows as usize, self.inner as usize, self.cols as usize)
    }

    fn split(&self, padded: Sizes, parts: usize, most: usize) -> Split {
        match parts {
            1 => Split::none(padded.k),
            _ => Split::new(padded.k, self.inner as usize, parts, most),
        }
    }

    fn plan(&self, limits: &Limits, parts: usize, sizes: Sizes, remedy: Remedy) -> Result<Plan> {
        let tile = self.tile();
        limits.check_group(Tile { width: self.threads(), height: 1 }, remedy)?;
        limits.check_shared(self.shared_bytes().into(), remedy)?;
        let padded = self.padded(sizes);
        let slice = limits.slice(self.inner, self.inner);
        let split = self.split(padded, parts, slice);
        check_buffers(limits, padded)?;
        limits.check_parts(split.parts, padded.c())?;
        let groups = limits.check_groups(groups(sizes, tile), remedy)?;
        let each = (padded.k as u64).saturating_mul(u64::from(self.rows + self.cols));
        let (inner, down, across) = (self.inner, self.block_rows, self.block_cols);
        let mut options = format!("tile={tile} inner={inner} block={across}x{down}");
        if split.parts > 1 {
            options += &format!(" split={}", split.parts);
        }
        Ok(Plan {
            shader: self.shader(!limits.software),
            sizes,
            padded,
            a_by_columns: true,
            groups,
            slice: if split.parts > 1 { usize::MAX } else { slice },
            split,
            loads: groups.into_iter().fold(each, |all, count| all.saturating_mul(count.into())),
            options,
        })
    }
}

/// Plans with the tile and the parts that are set, and with those that should be the fastest where
/// they are not.
pub(super) fn plan(
    limits: &Limits,
    tile: Option<Tile>,
    parts: Option<u32>,
    sizes: Sizes,
) -> Result<Plan> {
    let known: Vec<Variant> = match tile {
        None => VARIANTS.to_vec(),
        Some(tile) => VARIANTS.into_iter().filter(|variant| variant.tile() == tile).collect(),
    };
    if let Some(tile) = tile {
        if known.is_empty() {
            let expected = VARIANTS.iter().map(Variant::tile).collect();
            return Err(Error::UnknownTile { got: tile, expected });
        }
        must_divide(tile, sizes, None)?;
    }
    let parts: Vec<usize> = match parts {
        Some(parts) => vec![parts as usize],
        // Software computes one work group after the other, however many there are.
        None if limits.software => vec![1],
        None => PARTS.to_vec(),
    };
    let remedy = if tile.is_some() { Remedy::SmallerTile } else { Remedy::DrawnMethod };
    let both = |variant: Variant| parts.iter().map(move |parts| (variant, *parts));
    let mut all: Vec<(Variant, usize)> = known.into_iter().flat_map(both).collect();
    let cost = |(variant, parts): &(Variant, usize)| variant.cost(sizes, *parts, limits.software);
    all.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
    let best = all.first().copied().unwrap_or((VARIANTS[0], 1));
    let open = |(variant, parts): (Variant, usize)| variant.plan(limits, parts, sizes, remedy);
    first(open(best), all.into_iter().skip(1).map(open))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::matmul::Method;

    fn open(limits: &Limits, m: usize, k: usize, n: usize) -> String {
        plan(limits, None, None, Sizes { count: 1, m, k, n }).unwrap().options
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
            // Steps are read in pairs.
            assert!(even(one.inner, 2), "{one:?}");
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
        let tile = |n| open(&limits, n, 1000, n).split(' ').next().unwrap().to_owned();
        assert_eq!([1, 64, 128].map(tile), ["tile=32x32", "tile=32x32", "tile=32x32"]);
        assert_eq!([2048, 4096].map(tile), ["tile=128x256", "tile=128x256"]);
    }

    /// A result with few tiles has them in parts, unless k is short or the parts would cost more
    /// than they save.
    #[test]
    fn small_results_are_split() {
        let limits = Limits::large(Method::ComputeBlocked);
        let parts = |m, k, n| {
            let options = open(&limits, m, k, n);
            options.split_once("split=").map_or(1, |(_, parts)| parts.parse().unwrap())
        };
        assert_eq!([parts(1024, 1024, 1024), parts(1000, 1000, 1000)], [4, 4]);
        assert_eq!([parts(64, 1 << 20, 64), parts(1, 1 << 20, 1)], [32, 32]);
        assert_eq!([parts(2048, 2048, 2048), parts(4096, 4096, 4096)], [1, 1]);
        assert_eq!([parts(128, 128, 128), parts(64, 64, 64), parts(1024, 1, 1024)], [1, 1, 1]);
        let software = Limits { software: true, ..limits };
        assert!(!open(&software, 1024, 1024, 1024).contains("split"));
        let batch = Sizes { count: 64, m: 256, k: 256, n: 256 };
        assert!(!plan(&limits, None, None, batch).unwrap().options.contains("split"));
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
        assert!(
            plan(&limits, None, None, Sizes { count: 1, m: 100 * 256 + 1, k: 1, n: 1 }).is_err()
        );
    }
}
