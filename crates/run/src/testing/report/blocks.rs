//! The extent of what is drawn, and its blocks, each of which is a pixel.

/// The longer side of every picture on the page, which has room for three of them.
pub(super) const SIDE: usize = 256;
/// The shorter side at least: a line is seen.
const LEAST: usize = 20;

/// The extent of what is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Blocks {
    /// Returns the numbers along a side of a block, so that a block is a pixel at least.
    fn block(self) -> usize {
        self.width.max(self.height).div_ceil(SIDE).max(1)
    }

    /// Returns the columns and rows of blocks.
    pub(super) fn counts(self) -> (usize, usize) {
        (self.width.div_ceil(self.block()), self.height.div_ceil(self.block()))
    }

    /// Returns the width and height on the page: the same longer side for all.
    pub(super) fn size(self) -> (usize, usize) {
        let longest = self.width.max(self.height).max(1);
        let of = |side: usize| ((side * SIDE + longest / 2) / longest).max(LEAST);
        (of(self.width), of(self.height))
    }

    /// Returns the colour of each block, row by row, from the indices of its texels.
    pub(super) fn coloured(self, colour: impl Fn(&[usize]) -> [u8; 3]) -> Vec<[u8; 3]> {
        let (columns, rows) = self.counts();
        let blocks = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        blocks.map(|(row, column)| colour(&self.texels(row, column))).collect()
    }

    fn texels(self, row: usize, column: usize) -> Vec<usize> {
        let block = self.block();
        let rows = row * block..((row + 1) * block).min(self.height);
        let columns = column * block..((column + 1) * block).min(self.width);
        rows.flat_map(|y| columns.clone().map(move |x| y * self.width + x)).collect()
    }
}

/// Returns the number that is farthest from 0; NaN is farther than any.
pub(super) fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |a: f64, b| if b.is_nan() || b.abs() > a.abs() { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texel_is_in_one_block() {
        for (width, height) in [(1, 1), (3, 1), (256, 10), (257, 1), (1000, 333), (1, 5000)] {
            let blocks = Blocks { width, height };
            let seen = std::cell::RefCell::new(vec![0; width * height]);
            let colours = blocks.coloured(|texels| {
                texels.iter().for_each(|texel| seen.borrow_mut()[*texel] += 1);
                [0; 3]
            });
            assert!(seen.borrow().iter().all(|count| *count == 1), "{width} x {height}");
            let (columns, rows) = blocks.counts();
            assert!(colours.len() == columns * rows && columns.max(rows) <= SIDE);
        }
    }

    #[test]
    fn all_pictures_have_one_size() {
        for (width, height) in [(1, 1), (3, 1), (100, 333), (4096, 4096), (70000, 1)] {
            let (across, down) = Blocks { width, height }.size();
            assert!(across.max(down) == SIDE && across.min(down) >= LEAST, "{width} x {height}");
        }
    }

    #[test]
    fn the_largest_difference_keeps_its_sign_and_nan_is_larger() {
        assert_eq!(largest([0.5, -2.0, 1.0].into_iter()), -2.0);
        assert!(largest([0.5, f64::NAN, f64::INFINITY].into_iter()).is_nan());
    }
}
