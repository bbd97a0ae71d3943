//! `quadrille solve` on several ranks.

use super::mpirun::{mpirun, one_error};
use crate::common::is_thorough;
use crate::runner::{Folder, Run, data, doubles, finish, npy};
use quadrille::io::npy as arrays;

fn run(folder: &Folder, ranks: usize, arguments: &str) -> Run {
    finish(mpirun(folder, ranks, arguments).spawn().unwrap())
}

/// The largest difference of two files.
fn difference(folder: &Folder, one: &str, other: &str) -> f64 {
    let [one, other] = [one, other].map(|name| arrays::read_f64(folder.file(name)).unwrap());
    assert_eq!(one.shape, other.shape);
    let (one, other) = (one.data, other.data);
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The solution of one rank within what the tolerance leaves, in as many iterations, a few aside
/// for other orders of sums: BiCGSTAB's change most.
#[test]
fn ranks_solve_what_one_does() {
    let folder = Folder::new();
    let numbers: Vec<f64> = (0..61 * 37).map(|i| f64::from(i * 7 % 101) / 64.0).collect();
    folder.write("b.npy", npy("<f8", false, "(2257,)", &doubles(&numbers)));
    folder.write("grid.npy", npy("<f8", false, "(37, 61)", &doubles(&numbers)));
    folder.write("space.npy", npy("<f8", false, "(37, 1, 61)", &doubles(&numbers)));
    let k = |count: usize| doubles(&(0..count).map(|i| 1.0 + (i % 7) as f64).collect::<Vec<_>>());
    folder.write("k.npy", npy("<f8", false, "(37, 61)", &k(61 * 37)));
    folder.write("x.npy", npy("<f8", false, "(37, 62)", &k(62 * 37)));
    folder.write("y.npy", npy("<f8", false, "(38, 61)", &k(61 * 38)));
    let file = format!("{} --method bicgstab", data("recirc_flow.mtx"));
    let cases = [
        ("--stencil poisson5:61x37 --rhs b.npy b.npy", 4, "--ranks 2x2"),
        ("--stencil poisson5:61x37 --rhs grid.npy --x0 b.npy", 3, ""),
        ("--stencil poisson7:61x1x37 --rhs space.npy --x0 space.npy", 2, ""),
        ("--coefficient k.npy --method mgcg", 3, ""),
        ("--coefficient x.npy y.npy --method mgcg", 4, "--ranks 2x2"),
        (&file, 2, ""),
        ("--stencil convection:61x37", 6, "--ranks 3x2"),
        ("--stencil neumann5:29x31", 2, "--ranks 2x1"),
    ];
    let count = if is_thorough() { cases.len() } else { 5 };
    for (system, ranks, options) in cases.into_iter().take(count) {
        let system = format!("solve {system} --tolerance 1e-11");
        let one = folder.run(&format!("{system} --output one.npy --json")).ended(0).json();
        let arguments =
            format!("{system} {options} --output some.npy --picture x.png --history h.csv --json");
        let json = run(&folder, ranks, &arguments).ended(0).json();
        assert_eq!(json["ranks"]["count"], ranks, "{json}");
        let iterations = |json: &serde_json::Value| json["iterations"].as_u64().unwrap();
        let (expected, got) = (iterations(&one), iterations(&json));
        assert!(got.abs_diff(expected) <= 2 + expected / 6, "{system}: {got} for {expected}");
        assert!(difference(&folder, "one.npy", "some.npy") < 1e-6, "{system}");
        assert!(folder.file("x.png").exists() && folder.file("h.csv").exists());
    }
}

#[test]
fn what_ranks_cannot_solve_is_refused() {
    let folder = Folder::new();
    for (arguments, text) in [
        (
            "--stencil poisson5:64 --write-matrix a.mtx",
            "--write-matrix writes a matrix that one process has",
        ),
        ("--stencil poisson5:64 --ranks 2x2", "--ranks 2x2 needs 4 processes, but there are 3"),
        ("--stencil poisson5:64x2 --ranks 1x3", "1 x 3 ranks are more than the grid has blocks"),
        ("--stencil convection:64 --method cg", "cg"),
        ("--coefficient none.npy", "none.npy: cannot read it"),
    ] {
        let run = run(&folder, 3, &format!("solve {arguments} --json")).ended(2);
        one_error(&run, text);
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// A checkpoint of slabs, from which one rank or two go on to the solution of one that nothing stopped.
#[test]
fn slabs_go_on_from_a_checkpoint_on_other_ranks() {
    let folder = Folder::new();
    let system = "solve --stencil jump7:12x11x16:cell=4 --preconditioner jacobi --tolerance 1e-11";
    folder.run(&format!("{system} --output one.npy")).ended(0);
    for (before, after) in [(1, 2), (2, 1), (2, 2)] {
        let kept = format!("kept{before}{after}");
        let start = format!("{system} --iterations 20 --output start.npy --checkpoint {kept}");
        run(&folder, before, &start).ended(1);
        assert!(difference(&folder, "one.npy", "start.npy") > 1e-6);
        let rest = format!("{system} --resume {kept} --output x.npy --json");
        let run = run(&folder, after, &rest).ended(0);
        run.says("note: goes on after 20 iterations");
        assert!(run.json()["iterations"].as_u64().unwrap() > 20);
        // The condition is below 10^4.
        assert!(difference(&folder, "one.npy", "x.npy") < 1e-6, "{before} to {after}");
    }
}

/// Slabs of a grid of three dimensions: as many steps as one rank takes, and the same files.
#[test]
fn ranks_solve_in_three_dimensions() {
    let folder = Folder::new();
    let k = doubles(&(0..9 * 8 * 7).map(|i| 1.0 + (i % 5) as f64).collect::<Vec<_>>());
    folder.write("k.npy", npy("<f8", false, "(9, 8, 7)", &k));
    for (system, ranks) in [
        ("--stencil poisson7:17x13x19 --preconditioner multigrid", 2),
        ("--stencil fe27:9x8x12:sides=neumann --preconditioner multigrid", 3),
        ("--coefficient k.npy --ranks 1x4", 4),
    ] {
        let own = system.split(" --ranks").next().unwrap_or(system);
        let files = "--tolerance 1e-11 --picture x.png --slice y=3 --json";
        let one = folder.run(&format!("solve {own} {files} --output one.npy")).ended(0).json();
        let line = format!("solve {system} {files} --output some.npy --history h.csv");
        let json = run(&folder, ranks, &line).ended(0).json();
        assert_eq!((&json["ranks"]["count"], &json["grid"]), (&ranks.into(), &one["grid"]));
        let iterations = |json: &serde_json::Value| json["iterations"].as_u64().unwrap();
        assert!(iterations(&json).abs_diff(iterations(&one)) <= 2, "{system}: {json}");
        assert!(difference(&folder, "one.npy", "some.npy") < 1e-6, "{system}");
        assert!(folder.file("h.csv").exists());
    }
    for (arguments, text) in [
        ("--stencil poisson7:9 --ranks 3x1", "slabs along z; use --ranks 1x3"),
        ("--stencil poisson7:9x9x2", "3 ranks are more than the grid has slices"),
        ("--stencil poisson7:9:sides=periodic", "slabs along z, whose ends"),
        ("--stencil poisson7:9 --slice z=9 --picture x.png", "--slice"),
    ] {
        let run = run(&folder, 3, &format!("solve {arguments}")).ended(2);
        one_error(&run, text);
    }
}
