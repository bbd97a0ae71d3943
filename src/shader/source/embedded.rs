//! The folder `glsl/`, carried inside the library.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use crate::shader::lexer::comments::strip;

/// The files of the calling package's `glsl/`, except README.md; a test compares each table with
/// its folder.
#[doc(hidden)]
#[macro_export]
macro_rules! __embed {
    ($($path:literal,)*) => {
        &[$(($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $path))),)*]
    };
}

const FILES: &[(&str, &str)] = __embed![
    "blas1/map.frag",
    "cluster/gather.comp",
    "cluster/gather.frag",
    "cluster/spread.comp",
    "cluster/spread.frag",
    "cluster/spread.vert",
    "convert/convert.frag",
    "convolution/blocks.comp",
    "convolution/direct.frag",
    "convolution/extend.frag",
    "direct/arrange.frag",
    "direct/divide.frag",
    "direct/product.frag",
    "double/add.comp",
    "double/scaled.comp",
    "fft/chirp.frag",
    "fft/groups.comp",
    "fft/numbers.frag",
    "fft/pairs.comp",
    "fft/pass.frag",
    "fft/real.frag",
    "fft/trigonometric.frag",
    "grid/pack.frag",
    "grid/unpack.frag",
    "grid3/double_residual.comp",
    "grid3/galerkin.frag",
    "grid3/prolongation.frag",
    "grid3/relaxation.frag",
    "grid3/restriction.frag",
    "grid3/rows.frag",
    "grid3/weights.frag",
    "histogram/bins.frag",
    "histogram/count.comp",
    "histogram/counts.frag",
    "histogram/sums.frag",
    "include/band_place.glsl",
    "include/batch.glsl",
    "include/bin.glsl",
    "include/blas1.glsl",
    "include/border.glsl",
    "include/butterflies.glsl",
    "include/cells.glsl",
    "include/classes.glsl",
    "include/coefficients.glsl",
    "include/complex.glsl",
    "include/complex_texels.glsl",
    "include/couplings.glsl",
    "include/couplings_around.glsl",
    "include/double_residual.glsl",
    "include/double_rows.glsl",
    "include/each_invocation.glsl",
    "include/each_targets.glsl",
    "include/each_texel.glsl",
    "include/elementary.glsl",
    "include/fine_coefficients.glsl",
    "include/fine_numbers.glsl",
    "include/fine_points.glsl",
    "include/fold.glsl",
    "include/fold_input.glsl",
    "include/fused.glsl",
    "include/grid3.glsl",
    "include/group_sum.glsl",
    "include/groups.glsl",
    "include/kinds.glsl",
    "include/lanes.glsl",
    "include/largest.glsl",
    "include/loop_budget.glsl",
    "include/map.glsl",
    "include/map_summed.glsl",
    "include/nan.glsl",
    "include/nine_bands.glsl",
    "include/nine_neighbours.glsl",
    "include/nine_product.glsl",
    "include/number.glsl",
    "include/number_target.glsl",
    "include/operands.glsl",
    "include/order.glsl",
    "include/packed_classes.glsl",
    "include/panels.glsl",
    "include/prelude.glsl",
    "include/product.glsl",
    "include/rectangle.glsl",
    "include/rows.glsl",
    "include/scalar.glsl",
    "include/scales.glsl",
    "include/scan.glsl",
    "include/scan_group.glsl",
    "include/scan_prefixes.glsl",
    "include/scan_strip.glsl",
    "include/scan_texels.glsl",
    "include/shifted.glsl",
    "include/sort_key.glsl",
    "include/sort_tile.glsl",
    "include/sorted_bins.glsl",
    "include/sparse_result.glsl",
    "include/sparse_rows.glsl",
    "include/star.glsl",
    "include/starts.glsl",
    "include/strip.glsl",
    "include/strip_classes.glsl",
    "include/unroll.glsl",
    "include/visit_all.glsl",
    "include/walk.glsl",
    "include/watch.glsl",
    "include/weights_of.glsl",
    "include/wrap.glsl",
    "jacobi/boundary.frag",
    "jacobi/generic.frag",
    "jacobi/interior.frag",
    "jacobi/neighbours.frag",
    "jacobi/neighbours.vert",
    "jacobi/rhs.frag",
    "jacobi/step.comp",
    "levels/halve.frag",
    "matmul/add.frag",
    "matmul/block.frag",
    "matmul/block_of_squares.frag",
    "matmul/blocked.comp",
    "matmul/cp.frag",
    "matmul/element.frag",
    "matmul/pack.comp",
    "matmul/pack.frag",
    "matmul/shared.comp",
    "matmul/sp.frag",
    "matmul/sum_parts.comp",
    "matmul/tiled.comp",
    "matmul/unpack.frag",
    "matmul/unpack_rows.frag",
    "multigrid/assembly.frag",
    "multigrid/direct.frag",
    "multigrid/elimination.frag",
    "multigrid/galerkin.frag",
    "multigrid/line_entries.frag",
    "multigrid/line_factors.frag",
    "multigrid/line_reciprocals.frag",
    "multigrid/prolongation.frag",
    "multigrid/relaxation.frag",
    "multigrid/restriction.frag",
    "multigrid/rows.frag",
    "multigrid/weights.frag",
    "nine_banded/diffusion.frag",
    "nine_banded/double_residual.comp",
    "nine_banded/product.comp",
    "nine_banded/product.frag",
    "parts/bounds.frag",
    "parts/classes.frag",
    "parts/counts.frag",
    "parts/gather.frag",
    "parts/starts.frag",
    "parts/store.comp",
    "parts/take.frag",
    "probe/blend.frag",
    "probe/blend.vert",
    "probe/captured.vert",
    "probe/copy.frag",
    "probe/floor.frag",
    "probe/loop.frag",
    "probe/one.frag",
    "probe/place.frag",
    "reduce/fold.comp",
    "reduce/fold.frag",
    "reduce/fold_rows.frag",
    "reduce/largest.comp",
    "reduce/largest.frag",
    "reduce/largest_rows.frag",
    "reduce/limbs.frag",
    "scan/groups.comp",
    "scan/join.frag",
    "scan/prefixes.comp",
    "scan/prefixes.frag",
    "scan/sums.comp",
    "scan/totals.comp",
    "scan/totals.frag",
    "select/count.comp",
    "select/scatter.comp",
    "sort/count.comp",
    "sort/keys.frag",
    "sort/load.comp",
    "sort/places.frag",
    "sort/rows.frag",
    "sort/scatter.comp",
    "sparse/product.comp",
    "sparse/product.frag",
    "sparse/spread.comp",
    "sparse/spread.frag",
    "sparse/tiles.comp",
    "vertex/nothing.frag",
    "vertex/place.vert",
    "vertex/rectangle.vert",
    "watch/main.comp",
    "watch/main.frag",
];

/// The prelude's path inside `glsl/`.
pub(crate) const PRELUDE: &str = "include/prelude.glsl";

/// Returns every embedded file: its path inside `glsl/`, and its text.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// The text of each embedded file without comments, made where it is first asked for.
static TEXTS: LazyLock<HashMap<&str, (&str, OnceLock<String>)>> =
    LazyLock::new(|| files().map(|(path, text)| (path, (text, OnceLock::new()))).collect());

/// Returns the lines of an embedded file without their comments, by its path inside `glsl/`: texts of many files are put
/// together, and searched several times.
pub fn text(path: &str) -> Option<&'static str> {
    let (text, bare) = TEXTS.get(path)?;
    let end = |line: &str| line.trim_end().to_owned() + "\n";
    Some(bare.get_or_init(|| strip(text).lines.iter().map(|line| end(line)).collect()))
}

/// Returns the name of an embedded file in errors.
pub(crate) fn display_name(path: &str) -> String {
    format!("glsl/{path}")
}

/// Returns whether errors call an embedded file so.
pub(crate) fn is_display_name(shown: &str) -> bool {
    shown.strip_prefix("glsl/").is_some_and(|path| TEXTS.contains_key(path))
}

/// Returns the path of `name` as seen from the embedded file `from`: folders joined, `.` and `..`
/// resolved. It is `None` where it would leave `glsl/`.
pub(crate) fn beside(from: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns whether a macro of this name is defined by a file. It is asked for each `#ifdef` of each text.
pub(crate) fn defines(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&str>> = OnceLock::new();
    NAMES
        .get_or_init(|| files().flat_map(|(_, text)| text.lines()).filter_map(defined).collect())
        .contains(name)
}

/// Returns the name that a line defines as a macro.
fn defined(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define ")?;
    rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_inside_the_folder() {
        assert_eq!(beside("jacobi/a.frag", "wrap.glsl").as_deref(), Some("jacobi/wrap.glsl"));
        assert_eq!(beside("jacobi/a.frag", "../include/b.glsl").as_deref(), Some("include/b.glsl"));
        assert_eq!(beside("", "./include//b.glsl").as_deref(), Some("include/b.glsl"));
        assert_eq!(beside("a.frag", "../../secret"), None);
    }

    #[test]
    fn the_prelude_is_there() {
        assert!(text(PRELUDE).is_some());
        assert!(text("no such file").is_none());
    }
}
