//! The slides "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication" (Fatahalian,
//! Sugerman and Hanrahan, 2004) on this machine. Their charts have axes and no numbers, so what is compared is
//! what they say.

use super::prelude::*;

mod blocks;
pub(super) mod claims;
mod facts;
mod geometry;
mod gpubench;
mod judged;
mod mapping;
mod methods;
mod peaks;
mod unrolling;

pub(super) const STUDIES: [Study; 6] = [
    Study {
        id: "matmul-2004-peaks",
        document: Some(Document::Matmul2004),
        title: "Peak arithmetic, observed bandwidth, and data paths designed for shading (slides 17 to 20)",
        seconds: [8, 60],
        run: peaks::run,
    },
    Study {
        id: "matmul-2004-methods",
        document: Some(Document::Matmul2004),
        title: "Matrix multiply by every method, and its efficiency (slides 10 to 15, 21 to 25)",
        seconds: [12, 100],
        run: methods::run,
    },
    Study {
        id: "matmul-2004-geometry",
        document: Some(Document::Matmul2004),
        title: "Rasterization order by geometry, and blocking in software (slides 12 and 25)",
        seconds: [5, 70],
        run: geometry::run,
    },
    Study {
        id: "matmul-2004-unrolling",
        document: Some(Document::Matmul2004),
        title: "Loop unrolling (slide 12)",
        seconds: [4, 50],
        run: unrolling::run,
    },
    Study {
        id: "matmul-2004-mapping",
        document: Some(Document::Matmul2004),
        title: "Mapping into texture memory (slide 12)",
        seconds: [4, 40],
        run: mapping::run,
    },
    Study {
        id: "matmul-2004-gpubench",
        document: Some(Document::Matmul2004),
        title: "GPUBench's other questions",
        seconds: [6, 50],
        run: gpubench::run,
    },
];

/// Sizes of matrices for this scale, up to the paper's 1024.
fn sizes(lab: &Lab<'_>) -> &'static [usize] {
    lab.scale.pick(&[64, 256], &[64, 256, 512, 1024])
}
