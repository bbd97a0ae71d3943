//! `--checkpoint` and `--resume`, on one rank: `ranks::kills` has several.

use crate::runner::Folder;

#[test]
fn jacobi_goes_on_to_the_same_bits() {
    let folder = Folder::new();
    let jacobi = "jacobi --stencil poisson5:61x37 --tolerance 0";
    folder.run(&format!("{jacobi} --iterations 300 --output one.npy")).ended(0);
    folder.run(&format!("{jacobi} --iterations 100 --checkpoint kept")).ended(0);
    let run = folder.run(&format!("{jacobi} --iterations 300 --resume kept --output x.npy --json"));
    let run = run.ended(0);
    run.says("note: goes on after 100 iterations, from the checkpoint of one rank in kept");
    assert_eq!(run.json()["iterations"], 300);
    let read = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert!(read("x.npy") == read("one.npy"));
}

#[test]
fn a_solution_goes_on() {
    let folder = Folder::new();
    let solve = "solve --stencil poisson5:61x37 --preconditioner jacobi";
    folder.run(&format!("{solve} --iterations 40 --checkpoint kept")).ended(1);
    let json = folder.run(&format!("{solve} --resume kept --json")).ended(0).json();
    assert!(json["iterations"].as_u64().unwrap() > 40, "{json}");
    assert!(json["error"].as_f64().unwrap() < 1e-5, "{json}");
}

/// In three dimensions too; the history goes on where the other run ended.
#[test]
fn a_solution_in_space_goes_on() {
    let folder = Folder::new();
    let solve = "solve --stencil poisson7:13x11x9 --preconditioner jacobi --tolerance 1e-11";
    let one = folder.run(&format!("{solve} --output one.npy --json")).ended(0).json();
    folder.run(&format!("{solve} --iterations 8 --checkpoint kept --output eight.npy")).ended(1);
    let line = format!("{solve} --resume kept --output x.npy --history h.csv --json");
    let run = folder.run(&line).ended(0);
    run.says("note: goes on after 8 iterations, from the checkpoint of one rank in kept");
    let json = run.json();
    assert!(json["iterations"].as_u64().unwrap() > 8, "{json}");
    let read = |name: &str| quadrille::io::npy::read_f64(folder.file(name)).unwrap().data;
    let (x, expected) = (read("x.npy"), read("one.npy"));
    let off = |x: &[f64]| x.iter().zip(&expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    // The condition is below 100, and x at most 1.
    assert!(off(&x) < 1e-8 && off(&read("eight.npy")) > 1e-6, "{:e}", off(&x));
    assert_eq!(json["grid"], one["grid"]);
    let history = std::fs::read_to_string(folder.file("h.csv")).unwrap();
    let iterations: Vec<u64> = history
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(iterations.iter().all(|iteration| *iteration > 8), "{iterations:?}");
    assert_eq!(iterations.last().copied(), json["iterations"].as_u64());
}

#[test]
fn checkpoints_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let space = "solve --stencil poisson7:5x4x3 --iterations 1 --tolerance 0";
    folder.run(&format!("{space} --checkpoint space")).ended(1);
    folder.run("jacobi --stencil heat9:20 --tolerance 0 --iterations 5 --checkpoint kept").ended(0);
    folder.write("b.npy", crate::runner::npy("<f4", false, "(400,)", &[0; 1600]));
    for (arguments, text) in [
        ("jacobi --stencil heat9:20:step=2 --resume kept", "of another system: matrix: expected"),
        ("jacobi --stencil heat9:20 --rhs b.npy --resume kept", "right-hand side: expected"),
        ("jacobi --stencil heat9:20 --layout rgba --resume kept", "systems: expected 4, got 1"),
        ("solve --stencil heat9:20 --resume kept", "command: expected solve, got jacobi"),
        ("jacobi --stencil heat9:21 --checkpoint kept", "unknowns: expected 441, got 400"),
        ("jacobi --stencil heat9:20 --resume none", "none"),
        (
            "solve --stencil poisson7:5x4x3:z=2 --resume space",
            "of another system: matrix: expected",
        ),
        ("solve --stencil poisson7:5x3x4 --resume space", "of another system: matrix: expected"),
        ("solve --stencil poisson5:5x12 --resume space", "of another system: matrix: expected"),
        ("solve --stencil poisson7:5x4x3 --seed 9 --resume space", "right-hand side: expected"),
        ("jacobi --stencil heat9:20 --every 5", "--checkpoint <DIR>"),
        ("jacobi --stencil heat9:20 --checkpoint kept --every -1", "expected a number of seconds"),
        (
            "solve --stencil heat9:20 --rhs b.npy b.npy --checkpoint new",
            "one right-hand side, got 2",
        ),
    ] {
        let run = folder.run(arguments).ended(2);
        run.says("error: ");
        run.says(text);
        assert_eq!(run.out, "");
    }
    assert!(!folder.file("new").exists());
}
