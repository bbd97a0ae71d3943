//! The work of the fuzz targets, for libFuzzer and for `cargo test` alike (`tests/host/whole/fuzzed.rs`
//! takes this file as a module).
//!
//! Each target is one function of the fuzzer's bytes, which it uses twice:
//!
//! * as the file itself, whatever it holds;
//! * as [`Choices`], from which it makes a valid file, and then the same file with one mutation.
//!
//! A valid file is read back exactly to what was generated. Any other file is refused with an error
//! that names the file, or is read to something that obeys the reader's invariants and that
//! survives being written and read again. No case panics, and none allocates more than a multiple
//! of the file's length.

mod choices;
mod driver;
mod mutation;
mod scratch;

pub mod assembler;
pub mod checkpoint;
pub mod dimacs;
pub mod glsl;
pub mod matrix_market;
pub mod npy;
pub mod picture;
pub mod png;
pub mod preprocessor;
pub mod run_checkpoint;
pub mod run_file;
pub mod shader_test;
pub mod stencil;

pub use choices::Choices;

/// The number of files that a reader accepted and refused in a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    pub accepted: usize,
    pub refused: usize,
}

impl Verdicts {
    /// Counts one more.
    fn count<T, E>(&mut self, result: &Result<T, E>) {
        match result {
            Ok(_) => self.accepted += 1,
            Err(_) => self.refused += 1,
        }
    }
}

impl std::ops::AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.accepted += other.accepted;
        self.refused += other.refused;
    }
}

/// A target by the name of its folder in `corpus/`.
pub struct Target {
    pub name: &'static str,
    /// Uses the bytes as a file.
    pub file: fn(&[u8]) -> Verdicts,
    /// Uses the bytes as choices: a valid file, then the same file with one mutation. Counts the
    /// mutated ones.
    pub generated: fn(&[u8]) -> Verdicts,
}

impl Target {
    /// Runs both uses of the bytes, as libFuzzer does.
    pub fn run(&self, bytes: &[u8]) {
        (self.file)(bytes);
        (self.generated)(bytes);
    }
}

pub const TARGETS: [Target; 12] = [
    assembler::TARGET,
    checkpoint::TARGET,
    dimacs::TARGET,
    glsl::TARGET,
    matrix_market::TARGET,
    npy::TARGET,
    picture::TARGET,
    preprocessor::TARGET,
    run_checkpoint::TARGET,
    run_file::TARGET,
    shader_test::TARGET,
    stencil::TARGET,
];
