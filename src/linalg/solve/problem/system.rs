//! The matrix as it was read, in double precision: the residual that decides, and what the matrix
//! is fit for.

use std::ops::Range;

use crate::data::{ConstantOperator, Csr, Float, NineBanded};
use crate::memory::host_threads::{fill, share, shared};
use crate::{NoMemory, memory};

use super::scaling::Scaling;
use crate::linalg::solve::Result;

/// Rows that are computed together, and stay in the fastest cache for all nine bands.
const BLOCK: usize = 1024;

/// A matrix of either precision on the host, or the parts of one that the ranks of this process
/// have. Vectors have [`length`](System::length) numbers; norms, means and measures are of the
/// whole.
pub(crate) trait System {
    /// Returns the unknowns of the whole.
    fn unknowns(&self) -> usize;

    /// Returns the numbers of a vector in this process.
    fn length(&self) -> usize;

    /// Computes r = b - A x, and its 2-norm. The bits are the same on any number of threads.
    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) -> Result<f64>;

    /// Returns the 2-norm alone, the same bits: r is then never in memory as a whole.
    fn residual_norm(&self, x: &[f64], b: &[f64]) -> Result<f64>;

    /// Measures a vector: its largest magnitude, the sum of its squares, and the first number that
    /// is not finite.
    fn measure(&self, numbers: &[f64]) -> Result<Measure>;

    /// Returns by what the system may be [scaled](super::scaling) for steps in 32-bit floats, so that
    /// a symmetric one stays so.
    fn scaling(&self, symmetric: bool) -> Result<Scaling>;

    /// Returns the 2-norm of a vector.
    fn norm(&self, numbers: &[f64]) -> Result<f64>;

    /// Subtracts the mean, so that the numbers are orthogonal to the constants; returns it.
    fn remove_mean(&self, numbers: &mut [f64]) -> Result<f64>;
}

/// A whole matrix on the host.
pub(crate) trait Matrix: Sync {
    /// Returns the number of rows, and of columns.
    fn rows(&self) -> usize;

    /// Computes r = b - A x in the rows from this one on, of whose b is given; returns the sum of
    /// its squares.
    fn residual_of_rows(&self, first: usize, x: &[f64], b: &[f64], r: &mut [f64]) -> f64;

    /// Returns by what it may be scaled.
    fn scales(&self, symmetric: bool) -> Result<Scaling, NoMemory>;
}

impl<M: Matrix> System for M {
    fn unknowns(&self) -> usize {
        self.rows()
    }

    fn length(&self) -> usize {
        self.rows()
    }

    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) -> Result<f64> {
        let mut squares = memory::zeroed(blocks_of(self.rows()))?;
        residual(self, x, b, r, &mut squares);
        Ok(squares.iter().sum::<f64>().sqrt())
    }

    fn residual_norm(&self, x: &[f64], b: &[f64]) -> Result<f64> {
        Ok(residual_squares_of(self, x, b, 0..self.rows())?.sqrt())
    }

    fn measure(&self, numbers: &[f64]) -> Result<Measure> {
        Ok(Measure::of(numbers)?)
    }

    fn scaling(&self, symmetric: bool) -> Result<Scaling> {
        Ok(self.scales(symmetric)?)
    }

    fn norm(&self, numbers: &[f64]) -> Result<f64> {
        let squares = in_blocks(numbers, |_, numbers| numbers.iter().map(|x| x * x).sum::<f64>())?;
        Ok(squares.iter().sum::<f64>().sqrt())
    }

    fn remove_mean(&self, numbers: &mut [f64]) -> Result<f64> {
        let sums = in_blocks(numbers, |_, numbers| numbers.iter().sum::<f64>())?;
        let mean = sums.iter().sum::<f64>() / numbers.len() as f64;
        fill(numbers, BLOCK, |_, part| part.iter_mut().for_each(|number| *number -= mean));
        Ok(mean)
    }
}

/// Returns the sum of the squares of b - A x in some rows, by several threads.
pub(crate) fn residual_squares_of(
    matrix: &impl Matrix,
    x: &[f64],
    b: &[f64],
    rows: Range<usize>,
) -> Result<f64, NoMemory> {
    let squares = in_blocks(&b[rows.clone()], |first, b| {
        let mut r = [0.0; BLOCK];
        let r = &mut r[..b.len()];
        matrix.residual_of_rows(rows.start + first, x, b, r)
    })?;
    Ok(squares.iter().sum())
}

/// Returns the numbers of `squares` that [`residual`] needs for n rows.
pub(crate) fn blocks_of(n: usize) -> usize {
    n.div_ceil(BLOCK)
}

/// Computes r = b - A x, and the sums of its squares in blocks, by several threads.
pub(crate) fn residual(
    matrix: &impl Matrix,
    x: &[f64],
    b: &[f64],
    r: &mut [f64],
    squares: &mut [f64],
) {
    let share = share(matrix.rows(), BLOCK);
    let shares = r.chunks_mut(share).zip(squares.chunks_mut(share / BLOCK)).enumerate();
    shared(shares, |(at, (r, squares))| blocks(matrix, at * share, x, b, r, squares));
}

/// Runs a function on each block of the numbers, by several threads; it gets the index of the
/// block's first number and the block.
fn in_blocks<R: Send + Clone + Default>(
    numbers: &[f64],
    work: impl Fn(usize, &[f64]) -> R + Sync,
) -> Result<Vec<R>, NoMemory> {
    let blocks = numbers.len().div_ceil(BLOCK);
    let mut found = memory::collected(blocks, std::iter::repeat_n(R::default(), blocks))?;
    let share = share(numbers.len(), BLOCK);
    let parts = numbers.chunks(share).zip(found.chunks_mut(share / BLOCK));
    shared(parts.enumerate(), |(at, (numbers, found))| {
        for ((index, block), found) in numbers.chunks(BLOCK).enumerate().zip(found) {
            *found = work(at * share + index * BLOCK, block);
        }
    });
    Ok(found)
}

/// The measures of a vector, found in one pass.
#[derive(Clone, Default)]
pub(crate) struct Measure {
    /// The index and the value of the first number that is not finite.
    pub(crate) not_finite: Option<(usize, f64)>,
    /// The largest magnitude.
    pub(crate) largest: f64,
    /// The sum of the squares.
    pub(crate) squares: f64,
}

impl Measure {
    pub(crate) fn of(numbers: &[f64]) -> Result<Measure, NoMemory> {
        let blocks = in_blocks(numbers, |first, numbers| Measure {
            not_finite: numbers
                .iter()
                .position(|x| !x.is_finite())
                .map(|at| (first + at, numbers[at])),
            largest: largest(numbers.iter().copied()),
            squares: numbers.iter().map(|x| x * x).sum(),
        })?;
        Ok(blocks.into_iter().fold(Measure::default(), |all, block| Measure {
            not_finite: all.not_finite.or(block.not_finite),
            largest: all.largest.max(block.largest),
            squares: all.squares + block.squares,
        }))
    }

    /// Returns the 2-norm.
    pub(crate) fn norm(&self) -> f64 {
        self.squares.sqrt()
    }
}

/// Computes the residual from row `start` on, and the sum of squares of each block.
fn blocks(
    matrix: &impl Matrix,
    start: usize,
    x: &[f64],
    b: &[f64],
    r: &mut [f64],
    squares: &mut [f64],
) {
    for ((at, r), squares) in r.chunks_mut(BLOCK).enumerate().zip(squares) {
        let first = start + at * BLOCK;
        *squares = matrix.residual_of_rows(first, x, &b[first..first + r.len()], r);
    }
}

/// Computes the residual in some rows by what subtracts their products; returns the sum of its squares.
pub(crate) fn residual_by(b: &[f64], r: &mut [f64], subtract: impl FnOnce(&mut [f64])) -> f64 {
    r.copy_from_slice(b);
    subtract(r);
    r.iter().map(|r| r * r).sum()
}

impl<T: Float> Matrix for NineBanded<T> {
    fn rows(&self) -> usize {
        self.n()
    }

    fn residual_of_rows(&self, first: usize, x: &[f64], b: &[f64], r: &mut [f64]) -> f64 {
        residual_by(b, r, |r| self.add_product_of_rows(-1.0, x, first, r))
    }

    /// Symmetric or not, it is scaled from both sides alike.
    fn scales(&self, _: bool) -> Result<Scaling, NoMemory> {
        let diagonal = self.diagonal_numbers()?;
        Scaling::of_diagonal(self.n(), diagonal.iter().map(|d| (*d).into()))
    }
}

impl Matrix for ConstantOperator {
    fn rows(&self) -> usize {
        self.n()
    }

    fn residual_of_rows(&self, first: usize, x: &[f64], b: &[f64], r: &mut [f64]) -> f64 {
        residual_by(b, r, |r| self.add_product_of_rows(-1.0, x, first, r))
    }

    /// Its diagonal is a number.
    fn scales(&self, _: bool) -> Result<Scaling, NoMemory> {
        Scaling::of_diagonal(self.n(), std::iter::repeat_n(1.0, self.n()))
    }
}

impl<T: Float> Matrix for Csr<T> {
    fn rows(&self) -> usize {
        self.shape().rows
    }

    fn residual_of_rows(&self, first: usize, x: &[f64], b: &[f64], r: &mut [f64]) -> f64 {
        for ((row, r), b) in (first..).zip(&mut *r).zip(b) {
            let (columns, values) = self.row(row);
            let terms = columns.iter().zip(values);
            *r = terms.fold(*b, |r, (column, a)| r - (*a).into() * x[*column as usize]);
        }
        r.iter().map(|r| r * r).sum()
    }

    fn scales(&self, symmetric: bool) -> Result<Scaling, NoMemory> {
        let n = self.shape().rows;
        match symmetric {
            true => Scaling::of_diagonal(n, (0..n).map(|row| self.entry(row, row).into())),
            false => Scaling::of_rows_and_columns(self),
        }
    }
}

/// Returns the 2-norm of a vector whose squares may be no numbers of double precision.
pub(crate) fn any_norm(system: &dyn System, numbers: &[f64]) -> Result<f64> {
    let measure = system.measure(numbers)?;
    let unit = unit(measure.largest);
    if unit == 1.0 {
        return Ok(measure.norm());
    }
    let quotients = memory::collected(numbers.len(), numbers.iter().map(|number| number / unit))?;
    Ok(unit * system.norm(&quotients)?)
}

/// Returns the largest magnitude.
pub(crate) fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |most, number| most.max(number.abs()))
}

/// Returns the diagonal in double precision.
pub(crate) fn diagonal<T: Float>(matrix: &NineBanded<T>) -> Result<Vec<f64>, NoMemory> {
    memory::collected(matrix.n(), matrix.diagonal_numbers()?.iter().map(|d| (*d).into()))
}

/// Returns the divisor of a right-hand side: 1, or a power of two where squares of the numbers
/// would leave double precision.
pub(crate) fn unit(largest: f64) -> f64 {
    if largest == 0.0 || (1e-100..1e100).contains(&largest) {
        return 1.0;
    }
    // Not `powi`, which takes the reciprocal of a power that may be infinite.
    largest.log2().floor().max(-1074.0).exp2()
}
