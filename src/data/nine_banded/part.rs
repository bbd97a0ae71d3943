//! The matrix of a part of the grid.

use std::ops::Range;

use super::super::{Band, BandError, Block, Float, Result};
use super::{NineBanded, bands_by, check_sizes, zeros};

impl<T: Float> NineBanded<T> {
    /// Returns the matrix of the unknowns of a block, in the order of the grid: the rows and the
    /// columns that belong to them, so that what couples them to others is dropped. Its `m` is the
    /// block's width. Couplings across the ends of rows have no place in a block without whole
    /// rows, and are refused there.
    ///
    /// A grid whose last row is shorter gives blocks whose last row is shorter, or missing.
    ///
    /// ```
    /// use quadrille::data::{Block, Stencil};
    ///
    /// let matrix = "poisson5:8x6".parse::<Stencil>()?.matrix()?;
    /// let part = matrix.block(&Block { columns: 4..8, rows: 2..5 })?;
    /// assert_eq!((part.n(), part.m()), (12, 4));
    /// assert_eq!((part.entry(0, 0), part.entry(0, 1), part.entry(4, 3)), (4.0, -1.0, 0.0));
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BandError::Block`](crate::data::BandError::Block) for a block that is empty or not in the grid,
    /// [`BandError::AcrossEnds`](crate::data::BandError::AcrossEnds) for a row whose end is coupled where
    /// it has no whole rows, [`BandError::WidthTooSmall`](crate::data::BandError::WidthTooSmall) for one
    /// narrower than [`MIN_WIDTH`](super::super::MIN_WIDTH), and out of memory.
    pub fn block(&self, block: &Block) -> Result<NineBanded<T>> {
        block.must_be_in(self.n, self.m)?;
        let (n, m) = (block.len(self.n, self.m), block.width());
        check_sizes(n, m)?;
        if let Some(constant) = self.constant() {
            return Ok(NineBanded::of_constant(constant.part(block)));
        }
        if let Some(field) = self.field() {
            return Ok(NineBanded::of_diffusion(field.part(block)));
        }
        self.store()?;
        self.must_not_couple_ends(block)?;
        NineBanded::new(m, bands_by(|band| self.band_of(block, n, band))?)
    }

    /// Refuses couplings across the ends of rows where the block has no whole rows.
    fn must_not_couple_ends(&self, block: &Block) -> Result<()> {
        let ends = [(0, -1), (self.m - 1, 1)];
        let ends = ends.into_iter().filter(|(column, _)| block.columns.contains(column));
        for (column, step) in ends.filter(|_| block.width() < self.m) {
            let rows = block.rows.clone().map(|row| row * self.m + column);
            for row in rows.take_while(|row| *row < self.n) {
                let across = Band::ALL.into_iter().filter(|band| band.step().0 == step);
                let coupled = |band: &Band| self.band(*band)[row] != T::default();
                if let Some(band) = across.clone().find(coupled) {
                    let column = row.wrapping_add_signed(band.offset(self.m));
                    return Err(BandError::AcrossEnds { row, column, width: self.m }.into());
                }
            }
        }
        Ok(())
    }

    /// Returns a band of a block's matrix with `n` rows.
    fn band_of(&self, block: &Block, n: usize, band: Band) -> Result<Vec<T>> {
        let mut entries = zeros::<T>(n)?;
        let kept = coupled_columns(band, block.width(), self.m);
        let inside = band.rows(n, block.width());
        for (at, row) in block.rows.clone().enumerate() {
            let whole = block.in_row(row, self.n, self.m);
            let first = at * block.width();
            let from = (first + kept.start).max(inside.start);
            let to = (first + kept.end.min(whole.len())).min(inside.end);
            if from < to {
                let numbers = whole.start + (from - first)..whole.start + (to - first);
                entries[from..to].copy_from_slice(&self.band(band)[numbers]);
            }
        }
        Ok(entries)
    }
}

/// Returns the columns of a block of this width, in a grid of rows of `m`, that a band couples to
/// columns of the block: all where the block has whole rows, whose ends may be coupled.
fn coupled_columns(band: Band, width: usize, m: usize) -> Range<usize> {
    match band.step().0 {
        _ if width == m => 0..width,
        -1 => 1..width,
        1 => 0..width - 1,
        _ => 0..width,
    }
}
