//! The tutorial's tiled kernels, thread by thread on the host: to see what they make of tiles that
//! they accept.

use quadrille::Shape;
use quadrille::data::Matrix;

/// The elements of C that no thread of `Multiply_Simple_Tile` computes, whose kernel checks the
/// bounds, for a grid of `blocks(size, tile)` along each side: the tutorial divides integers, which
/// rounds down.
pub(super) fn uncomputed(
    c: Shape,
    [width, height]: [usize; 2],
    blocks: fn(usize, usize) -> usize,
) -> usize {
    let mut computed = vec![false; c.rows * c.cols];
    let grid = [blocks(c.cols, width), blocks(c.rows, height)];
    for (col, row) in
        (0..grid[1] * height).flat_map(|row| (0..grid[0] * width).map(move |col| (col, row)))
    {
        if col < c.cols && row < c.rows {
            computed[row * c.cols + col] = true;
        }
    }
    computed.into_iter().filter(|computed| !computed).count()
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Replay {
    pub(super) c: Vec<f32>,
    /// Reads of shared memory that no thread of the block had written.
    pub(super) never_loaded: usize,
    /// Loads from past the end of A or B.
    pub(super) outside: usize,
}

/// `Kernel_Matrix_Multiply_Fancy` with tiles of `width` x `height`, which divide C. What no thread
/// wrote, and of memory outside, are undefined.
pub(super) fn replay(a: &Matrix<f32>, b: &Matrix<f32>, width: usize, height: usize) -> Replay {
    let (rows, cols) = (a.shape().rows, b.shape().cols);
    let mut replay = Replay { c: vec![0.0; rows * cols], ..Replay::default() };
    for top in (0..rows).step_by(height.max(1)) {
        for left in (0..cols).step_by(width.max(1)) {
            replay.block(a, b, [left, top], [width, height]);
        }
    }
    replay
}

impl Replay {
    fn block(
        &mut self,
        a: &Matrix<f32>,
        b: &Matrix<f32>,
        [left, top]: [usize; 2],
        [width, height]: [usize; 2],
    ) {
        let (inner, cols) = (a.shape().cols, b.shape().cols);
        // Tiles start `width` apart along k, whether or not that divides the inner dimension.
        for step in 0..inner.div_ceil(width.max(1)) {
            let (first_a, first_b) = (inner * top + step * width, left + step * width * cols);
            // Thread (x, y) loads an element of each, at row y and column x of its tile.
            let tile_a = self.tile(a, first_a, [width, height]);
            let tile_b = self.tile(b, first_b, [width, height]);
            for y in 0..height {
                for x in 0..width {
                    let mut sum = 0.0;
                    for k in 0..width {
                        // There are threads of `height` rows only.
                        let of_b = tile_b.get(k * width + x).copied().unwrap_or_else(|| {
                            self.never_loaded += 1;
                            f32::NAN
                        });
                        sum += tile_a[y * width + k] * of_b;
                    }
                    self.c[(top + y) * cols + left + x] += sum;
                }
            }
        }
    }

    /// What the threads of a block load of a matrix, row by row.
    fn tile(&mut self, of: &Matrix<f32>, first: usize, [width, height]: [usize; 2]) -> Vec<f32> {
        let cols = of.shape().cols;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| first + cols * y + x));
        let load = |place: usize| {
            of.elements().get(place).copied().unwrap_or_else(|| {
                self.outside += 1;
                f32::NAN
            })
        };
        places.map(load).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::internal::reference::matmul::expected;

    fn right(rows: usize, inner: usize, tile: [usize; 2]) -> (bool, Replay) {
        let a = Matrix::random(Shape::new(rows, inner), 1).unwrap();
        let b = Matrix::random(Shape::new(inner, rows), 2).unwrap();
        let replay = replay(&a, &b, tile[0], tile[1]);
        let c = Matrix::new(Shape::new(rows, rows), replay.c.clone()).unwrap();
        (expected(&a, &b).unwrap().compare(&c).is_right(), replay)
    }

    #[test]
    fn square_tiles_that_divide_everything_are_right() {
        let (is_right, replay) = right(16, 24, [8, 8]);
        assert!(is_right && replay.never_loaded == 0 && replay.outside == 0);
        assert!(right(16, 24, [4, 8]).0, "higher than wide loads more than it needs");
    }

    #[test]
    fn a_grid_that_is_rounded_down_leaves_elements() {
        let of = |rows, cols, blocks| uncomputed(Shape::new(rows, cols), [16, 16], blocks);
        let down = |size: usize, tile: usize| size / tile;
        assert_eq!(of(100, 32, down), 4 * 32);
        assert_eq!(of(32, 100, down), 4 * 32);
        assert_eq!(of(96, 32, down), 0);
        assert_eq!(of(100, 31, usize::div_ceil), 0);
    }

    #[test]
    fn what_the_tutorial_accepts_goes_wrong() {
        let (is_right, replay) = right(16, 24, [16, 16]);
        assert!(!is_right && replay.never_loaded == 0 && replay.outside > 0);
        let (is_right, replay) = right(16, 16, [8, 4]);
        assert!(!is_right && replay.never_loaded == 16 * 16 * 2 * 4, "{}", replay.never_loaded);
        // Half of the rows that are loaded last lie beyond B, and are not used.
        let (is_right, replay) = right(16, 16, [4, 8]);
        assert!(is_right && replay.never_loaded == 0, "{}", replay.never_loaded);
        assert_eq!(replay.outside, 2 * 4 * 4 * 4);
    }
}
