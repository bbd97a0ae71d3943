//! The matrices of stencils, or of parts of their grids.

use super::super::nine_banded::check_sizes;
use super::super::nine_banded::constant::Constant;
use super::super::nine_banded::diffusion::Diffusion;
use super::super::nine_banded::diffusion::coefficients::{Coefficients, harmonic_mean};
use super::super::{Band, Block, ConstantOperator, Float, NineBanded, Result, Side, SplitMix64};
use super::Stencil;
use super::couplings::{convection, finite_elements, symmetric};
use crate::NoMemory;
use crate::memory::{self, host_threads};

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
            Stencil::Fe9 { anisotropy, angle, sides, .. } if sides == [Side::Dirichlet; 2] => {
                uniform(finite_elements(anisotropy, angle), block)
            }
            Stencil::Poisson5 { .. } | Stencil::Fe9 { .. } | Stencil::Heat9 { .. } => {
                match self.constant()? {
                    Some(constant) => constant.block(block)?,
                    None => unreachable!("these have the same couplings everywhere"),
                }
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

    /// Returns the operator of the same numbers everywhere, of the stencils that may have
    /// [sides](Self::sides).
    pub(crate) fn constant(&self) -> Result<Option<ConstantOperator>> {
        let couplings = match *self {
            Stencil::Poisson5 { .. } => symmetric(4.0, -1.0, -1.0, 0.0, 0.0),
            Stencil::Fe9 { anisotropy, angle, .. } => finite_elements(anisotropy, angle),
            Stencil::Heat9 { step, .. } => {
                let (middle, side, corner) =
                    (1.0 + step * 20.0 / 6.0, -step * 4.0 / 6.0, -step / 6.0);
                symmetric(middle, side, side, corner, corner)
            }
            _ => return Ok(None),
        };
        let couplings = couplings.map(|coupling| f64::from(coupling as f32));
        let [mut middle, along_x, along_y, corner] =
            [Band::DD, Band::DU, Band::UD, Band::UU].map(|band| couplings[band.index()]);
        let sides = self.sides();
        if matches!(self, Stencil::Fe9 { .. }) && !sides.contains(&Side::Dirichlet) {
            // Not one rounding of it, so that rows sum to zero.
            middle = -(2.0 * along_x + 2.0 * along_y + 4.0 * corner);
        }
        let (width, height) = self.grid();
        let couplings = [middle, along_x, along_y, corner];
        ConstantOperator::new(width, height, couplings, sides).map(Some)
    }

    /// Returns the matrix of a coefficient at every point, given by its index in the whole grid: by the
    /// rounded means at the faces.
    fn varying<T: Float>(
        &self,
        coefficient: impl Fn(usize) -> f64 + Sync,
        block: &Block,
    ) -> Result<NineBanded<T>> {
        let (width, height) = self.grid();
        let Block { columns, rows } = block;
        let known = block.grown(1, width * height, width);
        let mut k: Vec<f64> = memory::zeroed(known.len(width * height, width))?;
        host_threads::fill(&mut k, known.width(), |first, k| {
            for (at, k) in (first..).zip(k) {
                let row = known.rows.start + at / known.width();
                *k = coefficient(row * width + known.columns.start + at % known.width());
            }
        });
        // Beyond the edge the coefficient is that of the point at it.
        let at = |[x, y]: [usize; 2]| {
            let (x, y) = (x.min(width - 1), y.min(height - 1));
            k[(y - known.rows.start) * known.width() + x - known.columns.start]
        };
        let mean = |one, other| (4096.0 * harmonic_mean(at(one), at(other))).round() / 4096.0;
        let along_x = |x: usize, y: usize| mean([x.saturating_sub(1), y], [x, y]);
        let along_y = |x: usize, y: usize| mean([x, y.saturating_sub(1)], [x, y]);
        let faces = |across: usize, down: usize, face: &(dyn Fn(usize, usize) -> f64 + Sync)| {
            let mut numbers: Vec<f64> = memory::zeroed(across * down)?;
            host_threads::fill(&mut numbers, across, |first, numbers| {
                for (at, number) in (first..).zip(numbers) {
                    *number = face(columns.start + at % across, rows.start + at / across);
                }
            });
            Ok::<_, NoMemory>(numbers)
        };
        let x = faces(block.width() + 1, rows.len(), &along_x)?;
        let y = faces(block.width(), rows.len() + 1, &along_y)?;
        let known = Coefficients::of_faces(block.clone(), x, y);
        Ok(NineBanded::of_diffusion(Diffusion::new(block.clone(), known)))
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
