//! Random experiments beside an interpreter on the host, to the bit.
//!
//! `QUADRILLE_RANDOM_SECONDS` is how long each of the tests takes, 1 unless it is set.
//! `QUADRILLE_RANDOM_SEED` is the first seed, 1 unless it is set: a failure names the seed that
//! shows it at once, and the smallest case that was found.
#![allow(dead_code, unreachable_pub, reason = "the parts of a test are private to it")]

mod isf_passes;
mod panels;
mod run_files;
mod search;
mod solve;

use std::time::Duration;

fn variable(name: &str, default: u64) -> u64 {
    let text = std::env::var(name);
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: no number")))
}

fn seed() -> u64 {
    variable("QUADRILLE_RANDOM_SEED", 1)
}

fn time() -> Duration {
    Duration::from_secs(variable("QUADRILLE_RANDOM_SECONDS", 1))
}
