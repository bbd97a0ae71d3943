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
    prints_with(name, &[], words);
}

#[track_caller]
fn prints_with(name: &str, arguments: &[&str], words: &[&str]) {
    let path = example(name);
    let run = Command::new(&path).args(arguments).output();
    let run = run.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
}

#[test]
fn hello_pass_prints_its_error() {
    prints("hello_pass", &["307200 square roots", "0 of 307200 texels miss (within 1e-6 times"]);
}

#[test]
fn shader_test_prints_its_difference() {
    prints("shader_test", &["0 of 407 texels miss (within 2e-7)", "the worst is at"]);
}

#[test]
fn ping_pong_prints_its_error() {
    prints("ping_pong", &["after 500 steps the middle holds 0.025225", "error"]);
}

#[test]
fn breadth_first_finds_the_levels_of_the_cpu() {
    let words = [
        "a path, and five vertices alone: 300 of 305 vertices in 299 steps",
        "one vertex: 1 of 1 vertices in 0 steps",
    ];
    prints("breadth_first", &[&words[..], &["all levels are the CPU's"]].concat());
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

/// The example draws this picture, with any further arguments, and prints the words.
#[track_caller]
fn draws(name: &str, further: &[&str], extent: (u32, u32), words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("picture.png");
    let arguments = [&[picture.to_str().unwrap()], further].concat();
    prints_with(name, &arguments, words);
    let picture = image::open(&picture).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), extent);
    assert!(picture.pixels().any(|pixel| pixel != picture.get_pixel(0, 0)));
}

#[test]
fn seamless_cloning_draws_three_pictures_and_prints_its_error() {
    let words =
        ["13799 pixels to clone", "cloned: 3 colours", "mixed: 3 colours", "error", "bound"];
    draws("seamless_cloning", &[], (960, 240), &words);
}

#[test]
fn implicit_heat_is_that_of_a_direct_solver() {
    let words = ["18921 unknowns", "3 steps", "with one setup", "error", "bound"];
    draws("implicit_heat", &["3"], (808, 564), &words);
}

#[test]
fn a_fluid_keeps_a_vortex_and_has_no_divergence() {
    let words =
        ["vortex in 24 x 24 cells: velocity error", "27648 cells", "3 steps", "divergence: error"];
    draws("fluid", &["3"], (604, 664), &words);
}

#[test]
fn bitonic_sort_and_the_librarys_agree_with_the_host() {
    prints_with("bitonic_sort", &["9"], &["2^9 numbers", "45 passes", "Sort, fragment"]);
}

#[test]
fn page_rank_is_that_of_double_precision() {
    prints("page_rank", &["100000 pages", "page      0", "of 1 in all from double precision"]);
}
