//! The fuzz targets without a fuzzer: seeded cases, and the committed corpora. What they hold
//! readers to is in `fuzz/src/`, which libFuzzer runs too.
#![allow(dead_code, unreachable_pub, reason = "the fuzz targets take what this test does not")]

#[path = "../../../fuzz/src/lib.rs"]
mod fuzzing;

use fuzzing::{TARGETS, Target, Verdicts};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::Path;

/// Bytes as a fuzzer would give them.
fn bytes(seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; 2048];
    Pcg64Mcg::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap()
}

/// Runs seeded cases, and shows that mutated files are accepted and refused, each at least this
/// often.
fn cases(name: &str, count: u64, least: Verdicts) {
    let mut verdicts = Verdicts::default();
    for seed in 0..count {
        eprintln!("{name}, seed {seed}");
        verdicts += (target(name).generated)(&bytes(seed));
    }
    eprintln!("{name}: {verdicts:?}");
    assert!(
        verdicts.accepted >= least.accepted && verdicts.refused >= least.refused,
        "{verdicts:?}"
    );
}

#[test]
fn checkpoints_of_ranks() {
    cases("checkpoint", 500, Verdicts { accepted: 20, refused: 200 });
}

#[test]
fn checkpoints_of_runs() {
    cases("run_checkpoint", 1000, Verdicts { accepted: 50, refused: 200 });
}

#[test]
fn dimacs_formulas() {
    cases("dimacs", 2000, Verdicts { accepted: 200, refused: 200 });
}

#[test]
fn glsl_texts() {
    cases("glsl", 1000, Verdicts { accepted: 200, refused: 20 });
}

#[test]
fn matrix_market_files() {
    cases("matrix_market", 1000, Verdicts { accepted: 100, refused: 200 });
}

#[test]
fn npy_files() {
    cases("npy", 1000, Verdicts { accepted: 50, refused: 200 });
}

#[test]
fn pictures() {
    cases("picture", 1000, Verdicts { accepted: 100, refused: 200 });
}

#[test]
fn conditions_of_shaders() {
    cases("preprocessor", 2000, Verdicts { accepted: 200, refused: 100 });
}

#[test]
fn run_files() {
    cases("run_file", 1000, Verdicts { accepted: 100, refused: 200 });
}

#[test]
fn shader_tests() {
    cases("shader_test", 1000, Verdicts { accepted: 50, refused: 200 });
}

#[test]
fn stencils() {
    cases("stencil", 2000, Verdicts { accepted: 200, refused: 200 });
}

#[test]
fn committed_corpora() {
    for target in &TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target.name);
        let mut seeds = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // A fuzzer's own finds have no names.
            if path.extension().is_none() {
                continue;
            }
            eprintln!("{}", path.display());
            let bytes = std::fs::read(&path).unwrap();
            let verdicts = (target.file)(&bytes);
            assert_eq!(
                verdicts.accepted == 0,
                name.starts_with("refused_"),
                "{name}: {verdicts:?}"
            );
            (target.generated)(&bytes);
            seeds += 1;
        }
        assert!(seeds >= 3, "{}: {seeds} seeds", folder.display());
    }
}
