//! A matrix whose numbers are those of another one, rounded.

use std::ops::Range;
use std::sync::Arc;

use crate::data::{Band, Float};

/// A matrix with stored numbers whose products with a factor are rounded as they are asked for: a copy would be
/// read once.
pub(super) struct Rounded {
    pub(super) matrix: Arc<dyn Numbers>,
    pub(super) factor: f64,
}

/// The numbers of a matrix of any type.
pub(super) trait Numbers: Send + Sync {
    /// Fills the numbers of a band in some rows.
    fn doubles(&self, band: Band, rows: Range<usize>, to: &mut [f64]);

    fn across_ends(&self) -> bool;
}

/// Numbers that are rounded together.
const TOGETHER: usize = 512;

impl Rounded {
    pub(super) fn fill<U: Float>(&self, band: Band, rows: Range<usize>, to: &mut [U]) {
        let mut doubles = [0.0; TOGETHER];
        for (first, to) in rows.step_by(TOGETHER).zip(to.chunks_mut(TOGETHER)) {
            let doubles = &mut doubles[..to.len()];
            self.matrix.doubles(band, first..first + to.len(), doubles);
            let pairs = to.iter_mut().zip(doubles);
            pairs.for_each(|(to, double)| *to = U::nearest(self.factor * *double));
        }
    }

    pub(super) fn number<U: Float>(&self, band: Band, row: usize) -> U {
        let mut number = [U::default()];
        self.fill(band, row..row + 1, &mut number);
        number[0]
    }

    pub(super) fn couples_across_ends(&self) -> bool {
        self.matrix.across_ends()
    }
}
