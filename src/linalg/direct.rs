//! Systems with constant coefficients on a rectangle, solved directly: the operator in the basis of
//! sines, cosines or waves around a ring is a division by its eigenvalues.
//!
//! Hockney, "A fast direct solution of Poisson's equation using Fourier analysis" (1965); Buzbee,
//! Golub and Nielson, "On direct methods for solving Poisson's equations" (1970); Swarztrauber, "The
//! methods of cyclic reduction, Fourier analysis and the FACR algorithm for the discrete solution of
//! Poisson's equation on a rectangle" (1977).

mod inverse;
pub(crate) mod modes;
mod operator;

pub(crate) use inverse::Inverse;
pub(crate) use operator::Operator;

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, crate::stream::Error> {
    Ok([inverse::sources()?, vec![operator::source()?]].concat())
}
