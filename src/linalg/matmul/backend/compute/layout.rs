//! The plan of a product: its sizes, work groups and shader.

use super::limits::Limits;
use crate::Shape;
use crate::linalg::matmul::backend::Operands;
use crate::linalg::matmul::{Dimension, Error, Result, Tile};

/// The three sizes of each of `count` products: an `m` x `k` matrix by a `k` x `n` matrix. None
/// is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::many_single_char_names)]
pub(super) struct Sizes {
    pub(super) count: usize,
    pub(super) m: usize,
    pub(super) k: usize,
    pub(super) n: usize,
}

impl Sizes {
    pub(super) fn of(Operands { count, a, b, .. }: Operands) -> Sizes {
        Sizes { count, m: a.rows, k: a.cols, n: b.cols }
    }

    /// Returns the matrices of all products, which lie below each other.
    pub(super) fn a(self) -> Shape {
        Shape::new(self.m.saturating_mul(self.count), self.k)
    }

    /// Returns the right operands of all products, which lie beside each other.
    pub(super) fn b(self) -> Shape {
        Shape::new(self.k, self.n.saturating_mul(self.count))
    }

    pub(super) fn c(self) -> Shape {
        Shape::new(self.m.saturating_mul(self.count), self.n)
    }

    /// Rounds up to multiples of these.
    pub(super) fn up_to(self, rows: usize, inner: usize, cols: usize) -> Sizes {
        let up = |size: usize, to: usize| size.div_ceil(to).saturating_mul(to);
        Sizes { m: up(self.m, rows), k: up(self.k, inner), n: up(self.n, cols), ..self }
    }
}

/// A file of `glsl/` and its defines, apart from the element type.
#[derive(Clone, Debug)]
pub(super) struct Shader {
    pub(super) path: &'static str,
    pub(super) defines: Vec<(&'static str, u32)>,
}

impl Shader {
    /// Computes one element of C in each invocation, in groups of this size.
    pub(super) fn of_tile(tile: Tile) -> Shader {
        let defines = vec![("GROUP_X", tile.width), ("GROUP_Y", tile.height)];
        Shader { path: "matmul/tiled.comp", defines }
    }

    /// Computes one element of C in each invocation, with tiles of A and B in shared memory.
    pub(super) fn of_shared_tile(tile: Tile) -> Shader {
        Shader { path: "matmul/shared.comp", ..Shader::of_tile(tile) }
    }
}

/// Parts of the inner dimension, whose sums are added in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) parts: usize,
    /// Steps in a part, the last of which may have fewer.
    pub(super) span: usize,
}

impl Split {
    /// Creates a split into a single part.
    pub(super) fn none(steps: usize) -> Split {
        Split { parts: 1, span: steps }
    }

    /// Creates a split into about this many parts of whole tiles, none of them empty. A part has at
    /// most `most` steps.
    pub(super) fn new(steps: usize, inner: usize, parts: usize, most: usize) -> Split {
        let inner = inner.max(1);
        let tiles = steps.div_ceil(inner).max(1);
        let each = tiles.div_ceil(parts.max(1)).min((most / inner).max(1));
        Split { parts: tiles.div_ceil(each), span: each * inner }
    }
}

/// Everything about a multiplication except its elements.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) shader: Shader,
    pub(super) sizes: Sizes,
    /// The sizes of the operands and the result in buffers, padded to whole tiles.
    pub(super) padded: Sizes,
    pub(super) a_by_columns: bool,
    /// Work groups along x and y.
    pub(super) groups: [u32; 2],
    /// Steps along the inner dimension in one dispatch.
    pub(super) slice: usize,
    /// The parts of the inner dimension that work groups along z compute.
    pub(super) split: Split,
    /// The elements that all invocations load from buffers.
    pub(super) loads: u64,
    pub(super) options: String,
}

impl Plan {
    /// Returns the shaders' uniform `size`. Buffers of less than 2^31 bytes have sizes that fit.
    pub(super) fn size(&self) -> [i32; 3] {
        let (a, b) = (self.padded.a(), self.padded.b());
        [a.rows as i32, a.cols as i32, b.cols as i32]
    }

    /// Returns the sizes of the matrices that are loaded and read: those of a batch are padded
    /// already.
    pub(super) fn loaded(&self) -> Sizes {
        match self.sizes.count {
            1 => self.sizes,
            _ => Sizes { k: self.sizes.k, ..self.padded },
        }
    }

    /// Returns the steps of each dispatch, the last one exclusive.
    pub(super) fn slices(&self) -> impl Iterator<Item = (i32, i32)> {
        let (k, slice) = (self.padded.k, self.slice);
        let end = move |first: usize| first.saturating_add(slice).min(k);
        (0..k).step_by(slice).map(move |first| (first as i32, end(first) as i32))
    }
}

/// Returns the number of work groups along x and y.
pub(super) fn groups(sizes: Sizes, tile: Tile) -> [u64; 2] {
    let count = |size: usize, by: u32| (size as u64).div_ceil(by.into());
    [count(sizes.n, tile.width), count(sizes.m, tile.height).saturating_mul(sizes.count as u64)]
}

/// Fails unless a tile that is set divides C, and the inner dimension if that is given.
pub(super) fn must_divide(tile: Tile, sizes: Sizes, inner: Option<usize>) -> Result<()> {
    let checks = [
        (Dimension::Row, Some(sizes.n), tile.width),
        (Dimension::Column, Some(sizes.m), tile.height),
        (Dimension::Inner, inner, tile.width),
    ];
    for (dimension, size, by) in checks {
        let Some(size) = size else { continue };
        if !size.is_multiple_of(by as usize) {
            return Err(Error::Tile { tile, dimension, size });
        }
    }
    Ok(())
}

/// Fails unless each padded matrix fits in a buffer.
pub(super) fn check_buffers(limits: &Limits, padded: Sizes) -> Result<()> {
    for (matrix, shape) in [('A', padded.a()), ('B', padded.b()), ('C', padded.c())] {
        limits.check_buffer(matrix, shape)?;
    }
    Ok(())
}

/// Returns the first plan that works, or the error of the best.
pub(super) fn first(
    best: Result<Plan>,
    others: impl Iterator<Item = Result<Plan>>,
) -> Result<Plan> {
    others.fold(best, |best, other| best.or_else(|reason| other.map_err(|_| reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_tiles_and_none_is_empty() {
        for steps in (16..=640).step_by(16) {
            for parts in 1..50 {
                for most in [16, 48, usize::MAX] {
                    let split = Split::new(steps, 16, parts, most);
                    let context = format!("{steps} steps, {parts} parts: {split:?}");
                    assert!(split.span.is_multiple_of(16) && split.span <= most, "{context}");
                    assert!(split.span * split.parts >= steps, "{context}");
                    assert!(split.span * (split.parts - 1) < steps, "{context}");
                    assert!(split.parts <= parts || most < steps, "{context}");
                }
            }
        }
        assert_eq!(Split::new(1024, 16, 4, usize::MAX), Split { parts: 4, span: 256 });
        assert_eq!(Split::new(80, 16, 4, usize::MAX), Split { parts: 3, span: 32 });
        assert_eq!(Split::none(7), Split { parts: 1, span: 7 });
    }
}
