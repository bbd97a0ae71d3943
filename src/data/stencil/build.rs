//! The matrices of stencils, or of parts of their grids.

use super::super::nine_banded::check_sizes;
use super::super::nine_banded::constant::Constant;
use super::super::{Band, Block, Float, NineBanded, Result, SplitMix64};
use super::couplings::{convection, finite_elements, symmetric};
use super::diffusion::Coefficients;
use super::{Stencil, diffusion};
use crate::{Shape, memory};

impl Stencil {
    /// Returns the matrix in single precision.
    ///
    /// # Errors
    /// [`Error::TooLarge`](super::super::Error::TooLarge) beyond
    /// [`MAX_UNKNOWNS`](super::super::MAX_UNKNOWNS), and out of memory.
    pub fn matrix(&self) -> Result<NineBanded> {
        self.build(&self.whole())
    }

    /// Returns the matrix in double precision: the entries of [`matrix`](Stencil::matrix), but
    /// those of `jump` exact for every ratio.
    ///
    /// # Errors
    /// As [`matrix`](Stencil::matrix).
    pub fn matrix_f64(&self) -> Result<NineBanded<f64>> {
        self.build(&self.whole())
    }

    /// Returns the matrix of the points of a block, as [`NineBanded::block`] takes it from the
    /// whole [`matrix`](Stencil::matrix), which is not made and may be larger than any memory.
    ///
    /// ```
    /// use quadrille::data::{Block, Stencil};
    ///
    /// let stencil = "random:1000000:seed=7".parse::<Stencil>()?;
    /// let part = stencil.block(&Block { columns: 500_000..500_004, rows: 999_998..1_000_000 })?;
    /// assert_eq!(part.n(), 8);
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`NineBanded::block`].
    pub fn block(&self, block: &Block) -> Result<NineBanded> {
        self.build(block)
    }

    /// Returns the matrix of the points of a block in double precision, of those of
    /// [`matrix_f64`](Stencil::matrix_f64).
    ///
    /// # Errors
    /// As [`NineBanded::block`].
    pub fn block_f64(&self, block: &Block) -> Result<NineBanded<f64>> {
        self.build(block)
    }

    fn whole(&self) -> Block {
        let (width, height) = self.grid();
        Block { columns: 0..width, rows: 0..height }
    }

    fn build<T: Float>(&self, block: &Block) -> Result<NineBanded<T>> {
        self.check()?;
        let (width, height) = self.grid();
        block.must_be_in(width * height, width)?;
        check_sizes(block.width().saturating_mul(block.rows.len()), block.width())?;
        Ok(match *self {
            Stencil::Poisson5 { .. } => uniform(symmetric(4.0, -1.0, -1.0, 0.0, 0.0), block),
            Stencil::Fe9 { anisotropy, angle, .. } => {
                uniform(finite_elements(anisotropy, angle), block)
            }
            Stencil::Heat9 { step, .. } => {
                let (middle, side, corner) =
                    (1.0 + step * 20.0 / 6.0, -step * 4.0 / 6.0, -step / 6.0);
                uniform(symmetric(middle, side, side, corner, corner), block)
            }
            Stencil::Convection { angle, peclet, .. } => uniform(convection(angle, peclet), block),
            Stencil::Jump { ratio, cell, .. } => {
                let is_odd = |i: usize| (i % width / cell + i / width / cell) % 2 == 1;
                self.varying(|i| if is_odd(i) { ratio } else { 1.0 }, block)?
            }
            Stencil::Random { seed, .. } => {
                let bits = |i| SplitMix64::after(seed, i as u64).next() >> 11;
                let uniform = |i| bits(i) as f64 / (1_u64 << 53) as f64;
                let coefficient = |i| 10.0_f64.powf(6.0 * uniform(i) - 3.0);
                self.varying(coefficient, block)?
            }
            Stencil::Neumann5 { .. } => closed((width, height), block),
        })
    }

    /// Returns the matrix of a coefficient at every point, given by its index in the whole grid.
    fn varying<T: Float>(
        &self,
        coefficient: impl Fn(usize) -> f64,
        block: &Block,
    ) -> Result<NineBanded<T>> {
        let (width, height) = self.grid();
        let numbers = width * height;
        let known = block.grown(1, numbers, width);
        let indices = known.rows.clone().flat_map(|row| known.in_row(row, numbers, width));
        let count = known.len(numbers, width);
        let coefficients = memory::collected(count, indices.map(coefficient))?;
        let grid = Shape::new(height, width);
        let coefficients = Coefficients { grid, known: &known, numbers: &coefficients };
        diffusion::build(coefficients, block, |mean| (4096.0 * mean).round() / 4096.0)
    }
}

/// Returns the matrix of nine couplings, in the order of [`Band::ALL`], that are the same at every
/// point. What leaves the block is dropped as what leaves the grid is.
fn uniform<T: Float>(couplings: [f64; 9], block: &Block) -> NineBanded<T> {
    let couplings = couplings.map(|coupling| T::nearest(f64::from(coupling as f32)));
    let middle = couplings[Band::DD.index()];
    NineBanded::of_constant(Constant::new(block, couplings, |_, _| middle))
}

/// Returns the 5-point Laplacian without flux over the edges of a grid: as many in the middle as a
/// point has neighbours.
fn closed<T: Float>((width, height): (usize, usize), block: &Block) -> NineBanded<T> {
    let couplings = symmetric(4.0, -1.0, -1.0, 0.0, 0.0).map(T::nearest);
    let beside = |place: usize, of: usize| u8::from(place > 0) + u8::from(place + 1 < of);
    let neighbours = |x, y| f64::from(beside(x, width) + beside(y, height));
    NineBanded::of_constant(Constant::new(block, couplings, |x, y| T::nearest(neighbours(x, y))))
}
