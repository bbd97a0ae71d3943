//! "Parallel programming using CUDA" (2010) on this machine: its table of seconds, the question that it leaves
//! open, and what its class of matrices can do.

use super::prelude::*;

pub(super) mod claims;
mod class;
mod copies;
mod replay;
mod tiles;
mod times;

pub(super) const STUDIES: [Study; 3] = [
    Study {
        id: "cuda-matmul-times",
        document: Some(Document::CudaMatmul),
        title: "Seconds of the serial, the tiled and the shared-memory multiply (figure 12)",
        seconds: [8, 100],
        run: times::run,
    },
    Study {
        id: "cuda-matmul-tiles",
        document: Some(Document::CudaMatmul),
        title: "Does the size of the block matter?",
        seconds: [7, 40],
        run: tiles::run,
    },
    Study {
        id: "cuda-matmul-class",
        document: Some(Document::CudaMatmul),
        title: "The class of matrices: copies in four directions, limits, and what goes wrong",
        seconds: [1, 10],
        run: class::run,
    },
];

/// The ability that a context lacks for the tutorial's kernels, if any.
fn lacks(lab: &Lab<'_>) -> Option<String> {
    let method = quadrille::linalg::matmul::Method::ComputeTiled;
    let lacks = method.lacks(lab.context.abilities())?;
    Some(format!("its kernels need {lacks}, which this context does not have"))
}
