//! The passes of a transform by large radices, each of which is a transform in the
//! shared memory of a work group.

mod kernels;
mod pair_plan;
mod pairs;
mod plan;
mod singles;

use crate::gl::Context;
use crate::shader::Source;
use crate::stream::Result;

use super::axis::Axis;
use super::maps::Texels;
use super::passes::Factors;
pub use plan::Limits;

use pairs::Pairs;
use singles::Singles;

/// The passes along axes, one after the other.
pub(super) enum Groups {
    Pairs(Pairs),
    Singles(Singles),
}

impl Groups {
    /// Returns passes of pairs of numbers if all lengths are powers of two, else on hardware those of
    /// single ones; `None` for lengths with a prime factor above 7, and for arrays whose results are
    /// not written in pairs.
    pub(super) fn new(context: &Context, axes: &[Axis], limits: Limits) -> Result<Option<Groups>> {
        if let Some(pairs) = Pairs::new(context, axes, limits)? {
            return Ok(Some(Groups::Pairs(pairs)));
        }
        if limits == Limits::SOFTWARE {
            return Ok(None);
        }
        Ok(Singles::new(context, axes, limits)?.map(Groups::Singles))
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        match self {
            Groups::Pairs(pairs) => pairs.bound(),
            Groups::Singles(singles) => singles.bound(),
        }
    }

    pub(super) fn run(&self, factors: Factors, x: &Texels, out: &mut Texels) -> Result<()> {
        match self {
            Groups::Pairs(pairs) => pairs.run(factors, x, out),
            Groups::Singles(singles) => singles.run(factors, x, out),
        }
    }
}

/// Returns variants of the shaders with every radix and every property.
pub(super) fn sources() -> Result<Vec<Source>> {
    Ok([pairs::sources()?, singles::sources()?].concat())
}
