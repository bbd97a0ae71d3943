//! The vector operations that Krylov methods are written in.

use crate::NoMemory;

/// Seals [`Space`]: other crates cannot implement it.
pub trait Sealed {}

/// A factor of a vector.
#[derive(Debug)]
#[non_exhaustive]
pub enum Factor<'a, S> {
    /// A number of the host. With 0 the vector is not read, and with 1 it is not multiplied.
    Number(f64),
    /// A number of the space.
    Scalar(&'a S),
    /// The negative of a number of the space.
    Minus(&'a S),
    /// The quotient of two numbers of the space, and 0 where the second is 0: steps from a residual
    /// of zero change nothing.
    Quotient(&'a S, &'a S),
}

// Derived, these would ask the same of S.
impl<S> Clone for Factor<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Factor<'_, S> {}

impl Factor<'_, f64> {
    /// Returns the value of the factor, in a space whose scalars are the host's.
    pub(crate) fn number(self) -> f64 {
        match self {
            Factor::Number(number) => number,
            Factor::Scalar(scalar) => *scalar,
            Factor::Minus(scalar) => -*scalar,
            Factor::Quotient(_, below) if *below == 0.0 => 0.0,
            Factor::Quotient(above, below) => above / below,
        }
    }
}

/// The terms of the next direction of conjugate gradients with a diagonal preconditioner d: p = d
/// r + (above / below) p.
pub struct NextDirection<'a, V, S> {
    /// The diagonal of the preconditioner.
    pub d: &'a V,
    /// The residual.
    pub r: &'a V,
    /// The numerator of the factor of the last direction.
    pub above: &'a S,
    /// The denominator of that factor; where it is zero the factor is zero.
    pub below: &'a S,
}

/// Vectors of one length, numbers beside them, and a square matrix A.
///
/// The operations may be asynchronous: only [`value`](Space::value), [`norm`](Space::norm) and
/// [`add_to`](Space::add_to) wait. An operation that changes a vector in place may read and write
/// it at once; no two of the arguments are the same otherwise.
///
/// The spaces of this library alone implement it, so that it may gain operations.
pub trait Space: Sealed {
    /// A vector.
    type Vector;
    /// A number that later operations use without its being read.
    type Scalar;
    /// The error of an operation.
    type Error: From<NoMemory>;

    /// Returns the number of elements of each vector.
    fn length(&self) -> usize;

    /// Returns the number of steps after which reading a number no longer counts: 1 where reading
    /// waits for nothing.
    fn check_interval(&self) -> u64;

    /// Returns a vector of zeros.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    fn vector(&self) -> Result<Self::Vector, Self::Error>;

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn scalar(&self, value: f64) -> Result<Self::Scalar, Self::Error>;

    /// Computes y = A x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn apply(&self, x: &Self::Vector, y: &mut Self::Vector) -> Result<(), Self::Error>;

    /// Computes y = a x + b y.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn axpby(
        &self,
        a: Factor<'_, Self::Scalar>,
        x: &Self::Vector,
        b: Factor<'_, Self::Scalar>,
        y: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// Copies: y = x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn copy(&self, x: &Self::Vector, y: &mut Self::Vector) -> Result<(), Self::Error> {
        self.axpby(Factor::Number(1.0), x, Factor::Number(0.0), y)
    }

    /// Sets x = 0.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn clear(&self, x: &mut Self::Vector) -> Result<(), Self::Error>;

    /// Scales: x = a x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn scale(&self, a: f64, x: &mut Self::Vector) -> Result<(), Self::Error>;

    /// Computes y_i = d_i x_i.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn multiply(
        &self,
        d: &Self::Vector,
        x: &Self::Vector,
        y: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// Computes y_i = d_i x_i and result = x . y, which a device may do at once.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn multiply_and_dot(
        &self,
        d: &Self::Vector,
        x: &Self::Vector,
        y: &mut Self::Vector,
        result: &mut Self::Scalar,
    ) -> Result<(), Self::Error> {
        self.multiply(d, x, y)?;
        self.dot(x, y, result)
    }

    /// Computes result = x . y, where x and y may be the same.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn dot(
        &self,
        x: &Self::Vector,
        y: &Self::Vector,
        result: &mut Self::Scalar,
    ) -> Result<(), Self::Error>;

    /// Computes quotient = a / b, and 0 where b is 0, as [`Factor::Quotient`] without a vector.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn divide(
        &self,
        a: &Self::Scalar,
        b: &Self::Scalar,
        quotient: &mut Self::Scalar,
    ) -> Result<(), Self::Error>;

    /// Computes least = min(a, least).
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn least(&self, a: &Self::Scalar, least: &mut Self::Scalar) -> Result<(), Self::Error>;

    /// Reads a number.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn value(&self, a: &Self::Scalar) -> Result<f64, Self::Error>;

    /// Returns the 2-norm, read.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn norm(&self, x: &Self::Vector) -> Result<f64, Self::Error>;

    /// Sets a vector to a factor times these numbers, each product rounded once.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    fn write(&self, numbers: &[f64], factor: f64, x: &mut Self::Vector) -> Result<(), Self::Error>;

    /// Adds a factor times the vector to these numbers, in double precision.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    fn add_to(&self, x: &Self::Vector, factor: f64, numbers: &mut [f64])
    -> Result<(), Self::Error>;

    /// Computes x = x + a p and r = r - a q, which a device may do at once.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn advance(
        &self,
        a: Factor<'_, Self::Scalar>,
        p_and_x: (&Self::Vector, &mut Self::Vector),
        q_and_r: (&Self::Vector, &mut Self::Vector),
    ) -> Result<(), Self::Error>;

    /// Computes x = x + a p, r = r - a q, and as the result the sum of d_i r_i^2 with the new r,
    /// which a device may do at once.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn advance_and_weigh(
        &self,
        a: Factor<'_, Self::Scalar>,
        (p, x): (&Self::Vector, &mut Self::Vector),
        (q, r): (&mut Self::Vector, &mut Self::Vector),
        d: &Self::Vector,
        result: &mut Self::Scalar,
    ) -> Result<(), Self::Error> {
        self.advance(a, (p, x), (q, r))?;
        self.multiply_and_dot(d, r, q, result)
    }

    /// Computes p_i = d_i r_i + b p_i with b = above / below, q = A p and result = p . q, which a
    /// device may do at once.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn direct_and_apply(
        &self,
        terms: NextDirection<'_, Self::Vector, Self::Scalar>,
        p: &mut Self::Vector,
        q: &mut Self::Vector,
        result: &mut Self::Scalar,
    ) -> Result<(), Self::Error> {
        self.multiply(terms.d, terms.r, q)?;
        self.axpby(Factor::Number(1.0), q, Factor::Quotient(terms.above, terms.below), p)?;
        self.apply_and_dot(p, q, result)
    }

    /// Computes y = A x and result = x . y, which a device may do at once.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    fn apply_and_dot(
        &self,
        x: &Self::Vector,
        y: &mut Self::Vector,
        result: &mut Self::Scalar,
    ) -> Result<(), Self::Error> {
        self.apply(x, y)?;
        self.dot(x, y, result)
    }
}
