//! Reductions on the device: many numbers to one, by folding `r` x `r` texels into one until
//! one is left.
//!
//! **Error.** Each fold of `r` x `r` texels adds `r` numbers along a row and then `r` rows, and
//! every stage adds its roundings; the few partial results that are left at the end are read back
//! and combined in f64, so a sum of `n` numbers is off by at most [`error_bound`]
//! `* (|x_1| + ... + |x_n|)`: far less than the `n` roundings of a plain loop.
//!
//! **NaN.** Sum, dot product and 2-norm give NaN where a NaN takes part. Minimum, maximum and
//! largest magnitude give NaN too, by an explicit test, where the device keeps NaN at all (desktop
//! hardware and Mesa do; GL does not promise it).
//!
//! **Infinities** count as numbers; squares that overflow give an infinite 2-norm.

mod floats;
mod integers;
mod plan;

pub use floats::Reducer;
pub use integers::{Countable, sum_exactly};
pub use plan::{Fold, error_bound, stages};

/// Every shader of this module in every variant, to be checked as a set.
pub fn sources() -> Result<Vec<crate::shader::Source>, super::Error> {
    let mut sources = floats::sources()?;
    sources.extend(integers::sources()?);
    Ok(sources)
}
