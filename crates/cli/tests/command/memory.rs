//! Commands on a host with too little memory end with 2 and name the bytes that were requested.
#![cfg(target_os = "linux")]

use crate::common::is_thorough;
use crate::runner::{Folder, Run, finish, npy};
use std::process::Command;

const COPY: &str = "uniform sampler2D x;
out float y;
void main() { y = READ(x, TEXEL).r; }
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("copy.frag", COPY);
    folder
}

/// Runs the command with limited address space, in KiB, some of which the renderer's threads take.
fn limited(folder: &Folder, kibibytes: u64, arguments: &str) -> Run {
    let plain = folder.command(arguments);
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    command.arg("-c").arg(script).arg(plain.get_program()).args(plain.get_args());
    command.current_dir(folder.path());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("LP_NUM_THREADS", "2");
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    finish(command.spawn().unwrap())
}

const LIMITS: [u64; 3] = [1_200_000, 3_000_000, 6_000_000];

#[test]
fn an_input_larger_than_memory_is_refused_with_its_bytes() {
    let folder = folder();
    let host = "error: not enough memory: 4294967296 bytes were asked for (4096 MiB)";
    // At the last limit the host has memory for the numbers, and the driver none for their texture:
    // zeros are there at once.
    let driver = "error: the driver is out of memory: a texture of 16384 x 16384 texels (RGBA32F)";
    let cases = [("random", host), ("random", host), ("zeros", driver)];
    for (limit, (values, said)) in LIMITS.into_iter().zip(cases) {
        let input = format!("run copy.frag --input x={values}:16384x16384x4 --size 1x1");
        limited(&folder, limit, &input).ended(2).says(said);
    }
}

#[test]
fn a_system_larger_than_memory_is_refused_and_a_smaller_one_is_solved() {
    let folder = folder();
    let stencil = "jacobi --stencil heat9:2048 --iterations 3 --tolerance 0";
    // What is enough depends on the renderer's threads.
    let limits = [900_000, LIMITS[0], 1_000_000, 1_100_000];
    for limit in &limits[..if is_thorough() { 4 } else { 1 }] {
        lacks_or_ends(&limited(&folder, *limit, stencil), 0);
    }
    limited(&folder, LIMITS[1], stencil).ended(0);
}

#[test]
fn a_bench_tells_which_system_is_larger_than_memory_and_goes_on() {
    let arguments = "bench solve --systems poisson5 --sizes 8192,9 --methods cg --runs 1 --json";
    let run = limited(&folder(), LIMITS[0], arguments).ended(0);
    run.says("note: left out cg for poisson5:8192: not enough memory");
    let rows = &run.json()["rows"];
    assert_eq!((rows.as_array().unwrap().len(), &rows[0]["n"]), (1, &81.into()), "{rows}");
}

/// Checks that the command ended with this code, or named the bytes that it lacked.
#[track_caller]
fn lacks_or_ends(run: &Run, code: i32) {
    let lacks = run.code == Some(2) && run.err.contains("asked for");
    assert!(lacks || run.code == Some(code), "{:?} {}", run.code, run.err);
}

/// Most variables are in no clause, yet each search has a number for each.
#[test]
fn a_formula_of_many_variables_is_searched_or_refused_with_the_bytes() {
    let folder = Folder::new();
    folder.write("f.cnf", "p cnf 16777216 4\n1 2 0 -1 2 0 1 -2 0 -1 -2 0\n");
    let ways = ["--candidates 128", "--candidates 1", "--candidates 1 --engine host"];
    for how in &ways[..if is_thorough() { 3 } else { 1 }] {
        let search = format!("sat f.cnf --flips 1 --restarts 0 {how}");
        lacks_or_ends(&limited(&folder, LIMITS[0], &search), 0);
    }
    limited(&folder, LIMITS[1], "sat f.cnf --flips 1 --candidates 1").ended(0);
}

/// Each engine has its vectors and its result, beside those of the simulator.
#[test]
fn engines_are_compared_or_there_is_no_memory_for_it() {
    let folder = Folder::new();
    folder.write("square.vp", "!!VP1.0\nMUL o[1], v[1], v[1];\nEND\n");
    zeros(&folder, "x.npy", "(16777216,)", 1 << 24);
    for limit in &[900_000, LIMITS[0]][..if is_thorough() { 2 } else { 1 }] {
        lacks_or_ends(&limited(&folder, *limit, "vp square.vp --input x.npy --compare"), 0);
    }
}

#[test]
fn a_large_product_is_checked_or_refused_with_its_bytes() {
    let folder = Folder::new();
    zeros(&folder, "a.npy", "(8192, 1)", 8192);
    zeros(&folder, "b.npy", "(1, 8192)", 8192);
    limited(&folder, LIMITS[0], "matmul a.npy b.npy --method sp --check")
        .ended(2)
        .says("asked for");
}

/// Four systems are written as one array.
#[test]
fn the_systems_of_a_solution_are_joined_or_refused_with_their_bytes() {
    let folder = Folder::new();
    let solve =
        "jacobi --stencil heat9:1024 --iterations 3 --tolerance 0 --layout rgba --output x.npy";
    for limit in &[600_000, LIMITS[0]][..if is_thorough() { 2 } else { 1 }] {
        lacks_or_ends(&limited(&folder, *limit, solve), 0);
    }
}

#[test]
fn a_bench_larger_than_memory_is_refused_with_its_bytes() {
    let folder = Folder::new();
    for limit in &LIMITS[..if is_thorough() { 3 } else { 1 }] {
        let bench = limited(&folder, *limit, "bench stream --sizes 268435456 --runs 1").ended(2);
        bench.says("asked for");
    }
    let bench = "bench jacobi --sizes 16777216 --layouts red --stages neighbours --no-cpu --runs 1";
    limited(&folder, LIMITS[0], bench).ended(2).says("asked for");
}

/// A header of a few bytes that promises 4 GiB of text.
#[test]
fn a_header_longer_than_its_file_is_refused_before_memory_is_asked_for() {
    let folder = folder();
    for (version, length) in [(2, u32::MAX), (3, i32::MAX as u32)] {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend(length.to_le_bytes());
        bytes.extend(&npy("<f4", false, "(1, 1)", &[0; 4])[10..]);
        folder.write("x.npy", &bytes);
        for limit in LIMITS {
            let run = limited(&folder, limit, "run copy.frag --input x=x.npy").ended(2);
            run.says(&format!("a .npy header of at most 65536 bytes, got one of {length} bytes"));
        }
    }
}

/// A file of zeros, which takes no room on the disk.
fn zeros(folder: &Folder, name: &str, shape: &str, numbers: u64) {
    let start = npy("<f4", false, shape, &[]);
    let file = std::fs::File::create(folder.file(name)).unwrap();
    std::io::Write::write_all(&mut &file, &start).unwrap();
    file.set_len(start.len() as u64 + 4 * numbers).unwrap();
}

#[test]
fn an_array_larger_than_memory_is_refused_with_its_bytes() {
    let folder = folder();
    zeros(&folder, "x.npy", "(16384, 16384)", 1 << 28);
    let run = limited(&folder, LIMITS[0], "run copy.frag --input x=x.npy --size 1x1").ended(2);
    run.says("x.npy: not enough memory: 1073741824 bytes were asked for (1024 MiB)");
}
