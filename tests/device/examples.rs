//! The examples, run as a reader would run them: each ends well and prints its error.

use std::path::PathBuf;
use std::process::Command;

/// `cargo test` builds the examples beside the folder of the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().join("examples").join(name)
}

#[track_caller]
fn prints(name: &str, words: &[&str]) {
    let path = example(name);
    let run = Command::new(&path).output();
    let run = run.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
}

#[test]
fn hello_pass_prints_its_error() {
    prints("hello_pass", &["307200 square roots", "error"]);
}

#[test]
fn ping_pong_prints_its_error() {
    prints("ping_pong", &["after 500 steps the middle holds 0.025225", "error"]);
}

#[test]
fn blur_prints_its_error() {
    prints("blur", &["2867 texels blurred in two passes", "error"]);
}

#[test]
fn reduction_prints_its_error_and_an_exact_sum() {
    prints("reduction", &["error", "bound", "2260550808498197, exactly"]);
}

#[test]
fn jacobi_prints_both_residuals() {
    prints("jacobi", &["65536 unknowns", "on the device", "in f64"]);
}

#[test]
fn probe_prints_a_rate_and_its_error() {
    prints("probe", &["GFLOPS", "error"]);
}

#[test]
fn matmul_prints_three_methods_and_their_errors() {
    prints("matmul", &["element  256 x 192 in", "cp  ", "block8x4", "MB fetched, error"]);
}

#[test]
fn branch_prints_its_steps_and_their_error() {
    prints("branch", &["1000 square roots after", "largest error"]);
}
