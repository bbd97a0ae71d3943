//! What the tutorial's own text, numbers and program contradict in it.

use super::super::prelude::*;
use super::claims;
use crate::claim::Statement;

/// Each statement, and what contradicts it.
const CONTRADICTED: [(&Claim<Statement>, &str); 4] = [
    (
        &claims::CLUSTERS,
        "two sentences before, a cluster has two streaming multiprocessors of eight stream processors: 7 clusters of 16 \
         stream processors are the 112",
    ),
    (
        &claims::COORDINATES,
        "the paragraph before says that blocks are three-dimensional structures of threads and grids two-dimensional ones \
         of blocks: z is a coordinate of threadIdx, and blockIdx had none",
    ),
    (
        &claims::WALK,
        "tiles are two wide, so the second one adds k = 2 and 3: A10*B02 + A11*B12 + A12*B22 + A13*B32. The products \
         that figures 8 and 10 list are these and k = 4 and 5",
    ),
    (
        &claims::TILE_OF_B,
        "the kernel steps over B by wTile rows, sums over wTile of them, and its threads have wTile columns: the tile is \
         wTile high and wTile wide",
    ),
];

pub(super) fn findings() -> Vec<Finding> {
    let told = |(claim, words): (&Claim<Statement>, &str)| check(claim, Ok((words.into(), false)));
    CONTRADICTED.into_iter().map(told).collect()
}
