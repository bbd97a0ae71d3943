//! Random experiments, whose results every device computes to the same bits, and an interpreter for
//! them.
#![allow(dead_code, unreachable_pub, reason = "each test program takes what it needs")]

#[path = "../../fuzz/src/choices.rs"]
pub mod choices;
pub mod expression;
mod files;
mod glsl;
mod grow;
pub mod isf;
mod make;
pub mod number;
pub mod run;
pub mod twin;

pub use choices::Choices;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The bytes whose choices make the case of a seed.
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; 3000];
    Pcg64Mcg::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}
