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

#[test]
fn checkpoints_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    folder.run("jacobi --stencil heat9:20 --tolerance 0 --iterations 5 --checkpoint kept").ended(0);
    folder.write("b.npy", crate::runner::npy("<f4", false, "(400,)", &[0; 1600]));
    for (arguments, text) in [
        ("jacobi --stencil heat9:20:step=2 --resume kept", "of another system: matrix: expected"),
        ("jacobi --stencil heat9:20 --rhs b.npy --resume kept", "right-hand side: expected"),
        ("jacobi --stencil heat9:20 --layout rgba --resume kept", "systems: expected 4, got 1"),
        ("solve --stencil heat9:20 --resume kept", "command: expected solve, got jacobi"),
        ("jacobi --stencil heat9:21 --checkpoint kept", "unknowns: expected 441, got 400"),
        ("jacobi --stencil heat9:20 --resume none", "none"),
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
