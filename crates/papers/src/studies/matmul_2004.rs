//! The slides "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication"
//! (Fatahalian, Sugerman and Hanrahan, 2004) on this machine. Their charts have axes and no
//! numbers, so what is compared is what they say.

use super::prelude::*;
use crate::list_studies;

mod blocks;
pub(crate) mod claims;
mod facts;
mod findings;
mod geometry;
mod gpubench;
mod mapping;
mod methods;
mod peaks;
mod unrolling;

list_studies! {
    STUDIES of Some(Document::Matmul2004);

    "matmul-2004-peaks", [8, 60], peaks::run,
        "Peak arithmetic, observed bandwidth, and data paths designed for shading (slides 17 to 20)";
    "matmul-2004-methods", [12, 100], methods::run,
        "Matrix multiply by every method, and its efficiency (slides 10 to 15, 21 to 25)";
    "matmul-2004-geometry", [5, 70], geometry::run,
        "Rasterization order by geometry, and blocking in software (slides 12 and 25)";
    "matmul-2004-unrolling", [4, 50], unrolling::run, "Loop unrolling (slide 12)";
    "matmul-2004-mapping", [4, 40], mapping::run, "Mapping into texture memory (slide 12)";
    "matmul-2004-gpubench", [6, 50], gpubench::run, "GPUBench's other questions";
}

/// Sizes of matrices for this scale, up to the paper's 1024.
fn sizes(lab: &Lab<'_>) -> &'static [usize] {
    lab.scale.pick(&[64, 256], &[64, 256, 512, 1024])
}
