//! Vectors on the host.

use std::ops::{Add, Mul, Sub};

use super::{Factor, Sealed, Space};
use crate::NoMemory;
use crate::data::{Band, Csr, Float, NineBanded};
use crate::memory;

/// A number that the host computes with: `f32` or `f64`.
pub trait Real: Float + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl Real for f32 {}
impl Real for f64 {}

/// Vectors on the host, in `f32` or `f64`, with a nine-banded or a sparse matrix: the twin of the
/// device's space.
///
/// The product with a nine-banded matrix is computed in differences, `s_i x_i + sum a_ij (x_j - x_i)`
/// with s_i the sum of row i: as exact as the usual form on rough vectors, and more exact on smooth
/// ones, whose differences are small and exact. With the usual form conjugate gradients in single
/// precision take up to a fifth more steps for a stencil whose entries are no short binary fractions.
/// Dot products are added in `f64` and rounded.
pub struct HostSpace<T> {
    operator: Box<dyn HostOperator<T>>,
}

/// A square matrix, as products need it.
trait HostOperator<T> {
    fn length(&self) -> usize;

    /// Computes y = A x.
    fn apply(&self, x: &[T], y: &mut [T]);
}

/// The bands of a matrix, with the sums of rows in the place of the diagonal.
struct Bands<T> {
    n: usize,
    m: usize,
    sums: Vec<T>,
    /// The other bands, in the order of [`Band::ALL`].
    bands: Vec<Vec<T>>,
}

impl<T: Real> HostOperator<T> for Bands<T> {
    fn length(&self) -> usize {
        self.n
    }

    fn apply(&self, x: &[T], y: &mut [T]) {
        for ((y, sum), x) in y.iter_mut().zip(&self.sums).zip(x) {
            *y = *sum * *x;
        }
        for (band, entries) in Band::ALL[1..].iter().zip(&self.bands) {
            let rows = band.rows(self.n, self.m);
            if rows.is_empty() {
                continue;
            }
            let neighbours = &x[rows.start.wrapping_add_signed(band.offset(self.m))..];
            let here = y[rows.clone()].iter_mut().zip(&x[rows.clone()]).zip(&entries[rows]);
            for (((y, x), a), neighbour) in here.zip(neighbours) {
                *y = *y + *a * (*neighbour - *x);
            }
        }
    }
}

impl<T: Real> HostOperator<T> for Csr<T> {
    fn length(&self) -> usize {
        self.shape().rows
    }

    fn apply(&self, x: &[T], y: &mut [T]) {
        for (row, y) in y.iter_mut().enumerate() {
            let (columns, values) = self.row(row);
            let terms = columns.iter().zip(values);
            *y = terms.fold(T::default(), |sum, (column, a)| sum + *a * x[*column as usize]);
        }
    }
}

impl<T: Real> HostSpace<T> {
    /// Creates a space of a nine-banded matrix, rounded to the precision of the vectors.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new<U: Float>(matrix: &NineBanded<U>) -> Result<HostSpace<T>, NoMemory> {
        matrix.store()?;
        let (n, m) = (matrix.n(), matrix.m());
        let rounded = |band: &Band| {
            let entries = matrix.band(*band).iter().map(|entry| T::nearest((*entry).into()));
            memory::collected(n, entries)
        };
        let sum =
            |row: usize| -> f64 { Band::ALL.iter().map(|b| matrix.band(*b)[row].into()).sum() };
        let bands = Bands {
            n,
            m,
            sums: memory::collected(n, (0..n).map(|row| T::nearest(sum(row))))?,
            bands: Band::ALL[1..].iter().map(rounded).collect::<Result<_, _>>()?,
        };
        Ok(HostSpace { operator: Box::new(bands) })
    }

    /// Creates a space of a square sparse matrix, whose entries it shares.
    pub fn of_csr(matrix: &Csr<T>) -> HostSpace<T> {
        HostSpace { operator: Box::new(matrix.clone()) }
    }
}

impl<T: Real> Sealed for HostSpace<T> {}

impl<T: Real> Space for HostSpace<T> {
    type Vector = Vec<T>;
    type Scalar = f64;
    type Error = NoMemory;

    fn length(&self) -> usize {
        self.operator.length()
    }

    fn check_interval(&self) -> u64 {
        1
    }

    fn vector(&self) -> Result<Vec<T>, NoMemory> {
        memory::zeroed(self.length())
    }

    fn scalar(&self, value: f64) -> Result<f64, NoMemory> {
        Ok(value)
    }

    fn apply(&self, x: &Vec<T>, y: &mut Vec<T>) -> Result<(), NoMemory> {
        self.operator.apply(x, y);
        Ok(())
    }

    fn axpby(
        &self,
        a: Factor<'_, f64>,
        x: &Vec<T>,
        b: Factor<'_, f64>,
        y: &mut Vec<T>,
    ) -> Result<(), NoMemory> {
        let (a, b) = (T::nearest(a.number()), T::nearest(b.number()));
        let zero = T::default();
        for (y, x) in y.iter_mut().zip(x) {
            let (x, old) = (if a == zero { a } else { a * *x }, if b == zero { b } else { b * *y });
            *y = x + old;
        }
        Ok(())
    }

    fn advance(
        &self,
        a: Factor<'_, f64>,
        (p, x): (&Vec<T>, &mut Vec<T>),
        (q, r): (&Vec<T>, &mut Vec<T>),
    ) -> Result<(), NoMemory> {
        let (a, one) = (a.number(), Factor::Number(1.0));
        self.axpby(Factor::Number(a), p, one, x)?;
        self.axpby(Factor::Number(-a), q, one, r)
    }

    fn clear(&self, x: &mut Vec<T>) -> Result<(), NoMemory> {
        x.fill(T::default());
        Ok(())
    }

    fn scale(&self, a: f64, x: &mut Vec<T>) -> Result<(), NoMemory> {
        x.iter_mut().for_each(|x| *x = T::nearest(a) * *x);
        Ok(())
    }

    fn multiply(&self, d: &Vec<T>, x: &Vec<T>, y: &mut Vec<T>) -> Result<(), NoMemory> {
        for ((y, d), x) in y.iter_mut().zip(d).zip(x) {
            *y = *d * *x;
        }
        Ok(())
    }

    fn dot(&self, x: &Vec<T>, y: &Vec<T>, result: &mut f64) -> Result<(), NoMemory> {
        let product = |(x, y): (&T, &T)| -> f64 { (*x).into() * (*y).into() };
        *result = T::nearest(x.iter().zip(y).map(product).sum()).into();
        Ok(())
    }

    fn divide(&self, a: &f64, b: &f64, quotient: &mut f64) -> Result<(), NoMemory> {
        *quotient = if *b == 0.0 { 0.0 } else { T::nearest(a / b).into() };
        Ok(())
    }

    fn least(&self, a: &f64, least: &mut f64) -> Result<(), NoMemory> {
        *least = least.min(*a);
        Ok(())
    }

    fn value(&self, a: &f64) -> Result<f64, NoMemory> {
        Ok(*a)
    }

    fn norm(&self, x: &Vec<T>) -> Result<f64, NoMemory> {
        let square = |x: &T| -> f64 { (*x).into() * (*x).into() };
        Ok(x.iter().map(square).sum::<f64>().sqrt())
    }

    fn write(&self, numbers: &[f64], factor: f64, x: &mut Vec<T>) -> Result<(), NoMemory> {
        for (x, number) in x.iter_mut().zip(numbers) {
            *x = T::nearest(factor * number);
        }
        Ok(())
    }

    fn add_to(&self, x: &Vec<T>, factor: f64, numbers: &mut [f64]) -> Result<(), NoMemory> {
        for (number, x) in numbers.iter_mut().zip(x) {
            *number += factor * (*x).into();
        }
        Ok(())
    }
}
