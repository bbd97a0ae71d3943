//! "Parallel programming using CUDA" (2010) on this machine: its table of seconds, the question
//! that it leaves open, and what its class of matrices can do.

use super::prelude::*;
use crate::list_studies;

mod architecture;
pub(crate) mod claims;
mod class;
mod copies;
mod errata;
mod replay;
mod tiles;
mod times;
mod with_copies;

list_studies! {
    STUDIES of Some(Document::CudaMatmul);

    "cuda-matmul-times", [10, 130], times::run,
        "Seconds of the serial, the tiled and the shared-memory multiply (figure 12)";
    "cuda-matmul-tiles", [7, 40], tiles::run, "Does the size of the block matter?";
    "cuda-matmul-class", [1, 10], class::run,
        "The class of matrices: copies in four directions, limits, and what goes wrong";
    "cuda-matmul-architecture", [6, 20], architecture::run,
        "The Tesla architecture: branches within a warp, and kinds of memory (table 1)";
}

/// The ability that a context lacks for the tutorial's kernels, if any.
fn lacks(lab: &Lab<'_>) -> Option<String> {
    let method = quadrille::linalg::matmul::Method::ComputeTiled;
    let lacks = method.lacks(lab.context.abilities())?;
    Some(format!("its kernels need {lacks}, which this context does not have"))
}
