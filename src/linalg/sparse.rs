//! Products of a sparse matrix, of any shape, with vectors on the device: [`Operator`] is the matrix,
//! from a [`Csr`](crate::data::Csr) of the host. [`solve`](super::solve) solves systems with it.

mod backend;
mod blocks;
mod dispatched;
mod drawn;
mod operator;
mod plan;
mod quads;
mod rows;
mod scale;
mod scatter;
mod tiles;

pub use operator::Operator;

use crate::shader::Source;
use crate::stream::Result;

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = drawn::sources()?;
    sources.extend(dispatched::sources()?);
    Ok(sources)
}
