//! Reductions on the device: sums, dot products, norms and extrema of a texture, by folding blocks
//! of texels into one, stage by stage (Horn, "Stream Reduction Operations for GPGPU Applications",
//! GPU Gems 2, 2005).
//!
//! **Error.** The device adds in 32-bit floats; the host reads the last few partial results and
//! adds them in f64. So a sum of n values is off by at most [`error_bound`] `* (|x_1| + ... +
//! |x_n|)`, which grows with log n; a plain loop in 32-bit floats grows with n. All results are
//! f64.
//!
//! **NaN.** Sum, dot product and 2-norm are NaN if a value is NaN. Minimum, maximum and largest
//! magnitude are NaN too, by an explicit test, on devices that keep NaN (desktop hardware and Mesa
//! do; GL does not promise it).
//!
//! **Infinities** are values as any other; squares that overflow make the 2-norm infinite.

mod floats;
mod integers;
mod largest;
pub(crate) mod plan;
mod stage;
mod tuned;

pub use floats::Reducer;
pub(crate) use floats::Sum;
pub use integers::{Countable, sum_exactly};
pub(crate) use largest::{Largest, Searcher};
pub use plan::{Factor, error_bound};

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, super::Error> {
    let mut sources = stage::sources()?;
    sources.extend(largest::sources()?);
    sources.extend(integers::sources()?);
    Ok(sources)
}
