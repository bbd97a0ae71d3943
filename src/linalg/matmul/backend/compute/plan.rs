//! The plan of each method for a pair of shapes: plain arithmetic.

use super::blocked;
use super::layout::{Plan, Shader, Sizes, Split, check_buffers, first, groups, must_divide};
use super::limits::Limits;
use crate::linalg::matmul::{Error, Method, Options, Remedy, Result, Tile};

/// Plans a method with the options that are set.
pub(super) fn plan(limits: &Limits, options: &Options, sizes: Sizes) -> Result<Plan> {
    let Options { tile, split, .. } = *options;
    match limits.method {
        Method::ComputeSimple => simple(limits, sizes),
        Method::ComputeTiled => tiled(limits, tile, sizes),
        Method::ComputeShared => shared(limits, tile, sizes),
        // Only methods of compute shaders come here.
        _ => blocked::plan(limits, tile, split, sizes),
    }
}

/// Plans a single work group of the size of C.
fn simple(limits: &Limits, sizes: Sizes) -> Result<Plan> {
    let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    let tile = Tile { width: size(sizes.n), height: size(sizes.m) };
    limits.check_group(tile, Remedy::ComputeTiled)?;
    by_elements(limits, tile, sizes, String::new())
}

/// The default tile, width first.
const BEST_TILE: (u32, u32) = (16, 16);

/// Tiles for devices with small work groups, and for matrices that need too many groups along an
/// axis.
const OTHER_TILES: [(u32, u32); 5] = [(16, 8), (8, 8), (32, 32), (256, 1), (1, 256)];

fn tiled(limits: &Limits, tile: Option<Tile>, sizes: Sizes) -> Result<Plan> {
    let at = |tile: Tile, remedy| {
        limits.check_group(tile, remedy)?;
        by_elements(limits, tile, sizes, format!("tile={tile}"))
    };
    if let Some(tile) = tile {
        must_divide(tile, sizes, None)?;
        return at(tile, Remedy::SmallerTile);
    }
    let open = |(width, height)| at(Tile { width, height }, Remedy::DrawnMethod);
    first(open(BEST_TILE), OTHER_TILES.into_iter().map(open))
}

fn by_elements(limits: &Limits, tile: Tile, sizes: Sizes, options: String) -> Result<Plan> {
    let groups = groups(sizes, tile);
    let Sizes { count, m, k, n } = sizes;
    check_buffers(limits, sizes)?;
    Ok(Plan {
        shader: Shader::of_tile(tile),
        sizes,
        padded: sizes,
        a_by_columns: false,
        groups: limits.check_groups(groups, Remedy::LargerTile)?,
        slice: limits.slice(1, 0),
        split: Split::none(k),
        loads: [count, m, k, n].into_iter().fold(2, |all, size| all.saturating_mul(size as u64)),
        options,
    })
}

/// The default side of a square tile, and others for the same reasons.
const BEST_SIDE: u32 = 16;
const OTHER_SIDES: [u32; 2] = [8, 32];

fn shared(limits: &Limits, tile: Option<Tile>, sizes: Sizes) -> Result<Plan> {
    let Some(tile) = tile else {
        let open = |side| {
            by_shared_tiles(limits, Tile { width: side, height: side }, sizes, Remedy::DrawnMethod)
        };
        return first(open(BEST_SIDE), OTHER_SIDES.into_iter().map(open));
    };
    // Each invocation loads at most one element of B's tile, which is as high as it is wide.
    if tile.height < tile.width {
        return Err(Error::TileTooLow { method: limits.method, tile });
    }
    must_divide(tile, sizes, Some(sizes.k))?;
    by_shared_tiles(limits, tile, sizes, Remedy::SmallerTile)
}

/// Plans a product by tiles in shared memory: the tile of A has the size of the tile of C, and the
/// tile of B is a square of its width.
fn by_shared_tiles(limits: &Limits, tile: Tile, sizes: Sizes, remedy: Remedy) -> Result<Plan> {
    let Tile { width, height } = tile;
    limits.check_group(tile, remedy)?;
    let shared = u64::from(width) * (u64::from(width) + u64::from(height));
    limits.check_shared(4 * shared, remedy)?;
    let padded = sizes.up_to(height as usize, width as usize, width as usize);
    check_buffers(limits, padded)?;
    let groups = limits.check_groups(groups(sizes, tile), Remedy::LargerTile)?;
    let pairs = groups.iter().fold(padded.k as u64 / u64::from(width), |all, count| {
        all.saturating_mul(u64::from(*count))
    });
    Ok(Plan {
        shader: Shader::of_shared_tile(tile),
        sizes,
        padded,
        a_by_columns: false,
        groups,
        slice: limits.slice(width, width),
        split: Split::none(padded.k),
        loads: pairs.saturating_mul(shared),
        options: format!("tile={tile}"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn sizes(m: usize, k: usize, n: usize) -> Sizes {
        Sizes { count: 1, m, k, n }
    }

    fn open(limits: &Limits, sizes: Sizes) -> Plan {
        plan(limits, &Options::new(), sizes).unwrap()
    }

    #[test]
    fn shared_tiles_fill_up_all_three_sizes() {
        let plan = open(&Limits::large(Method::ComputeShared), sizes(17, 1, 48));
        assert_eq!((plan.padded, plan.sizes), (sizes(32, 16, 48), sizes(17, 1, 48)));
        assert_eq!((plan.groups, plan.size()), ([3, 2], [32, 16, 48]));
        // Each of six groups loads one tile of A and one of B.
        assert_eq!(plan.loads, 6 * 2 * 256);
        let tall = Options::new().tile(Tile { width: 4, height: 16 });
        let limits = Limits::large(Method::ComputeShared);
        let plan = super::plan(&limits, &tall, sizes(32, 12, 8)).unwrap();
        assert_eq!((plan.groups, plan.loads), ([2, 2], 4 * 3 * (4 * 16 + 4 * 4)));
    }

    #[test]
    fn an_element_an_invocation_fills_nothing_up() {
        let plan = open(&Limits::large(Method::ComputeTiled), sizes(17, 3, 48));
        assert_eq!((plan.padded, plan.groups), (sizes(17, 3, 48), [3, 2]));
        assert_eq!(plan.loads, 2 * 17 * 3 * 48);
    }

    #[test]
    fn small_devices_get_small_groups() {
        let options = |method| open(&Limits::least(method), sizes(100, 100, 100)).options;
        assert_eq!(options(Method::ComputeTiled), "tile=16x8");
        assert_eq!(options(Method::ComputeShared), "tile=8x8");
    }

    #[test]
    fn long_matrices_get_other_groups() {
        let long = 1 << 21;
        let options = |method, sizes| open(&Limits::large(method), sizes).options;
        assert_eq!(options(Method::ComputeTiled, sizes(long, 1, 1)), "tile=1x256");
        assert_eq!(options(Method::ComputeTiled, sizes(1, 1, long)), "tile=256x1");
        assert_eq!(options(Method::ComputeShared, sizes(1 << 20, 1, 1)), "tile=32x32");
        let limits = Limits::large(Method::ComputeShared);
        let error = plan(&limits, &Options::new(), sizes(long, 1, 1));
        let expected = "compute-shared: a dispatch of 131072 work groups along y exceeds this device's \
                        limit of 65535; name a larger tile, or use compute-blocked";
        assert_eq!(error.unwrap_err().to_string(), expected);
    }

    #[test]
    fn long_inner_dimensions_take_several_dispatches() {
        let slices = |method, iterations, k| -> Vec<(i32, i32)> {
            let limits = Limits { iterations, ..Limits::large(method) };
            open(&limits, sizes(5, k, 7)).slices().collect()
        };
        let all = [Method::ComputeSimple, Method::ComputeTiled, Method::ComputeShared];
        for method in all.into_iter().chain([Method::ComputeBlocked]) {
            assert_eq!(slices(method, None, 320_000), [(0, 320_000)], "{method}");
            assert_eq!(slices(method, Some(4000), 320), [(0, 320)], "{method}");
        }
        let tiled = slices(Method::ComputeTiled, Some(100), 250);
        assert_eq!(tiled, [(0, 100), (100, 200), (200, 250)]);
        // Five tiles of 17 iterations; k is filled up to whole tiles.
        let shared = slices(Method::ComputeShared, Some(100), 161);
        assert_eq!(shared, [(0, 80), (80, 160), (160, 176)]);
        assert_eq!(slices(Method::ComputeBlocked, Some(50), 64), [(0, 32), (32, 64)]);
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        for method in [Method::ComputeTiled, Method::ComputeShared, Method::ComputeBlocked] {
            for sizes in [sizes(usize::MAX, 1, usize::MAX), sizes(1, usize::MAX, 1)] {
                let error = plan(&Limits::large(method), &Options::new(), sizes).unwrap_err();
                assert!(matches!(error, Error::Limit { .. }), "{error}");
            }
        }
    }
}
