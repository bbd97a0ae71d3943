//! `quadrille jacobi` on several ranks.

use super::mpirun::{mpirun, one_error};
use crate::common::is_thorough;
use crate::runner::{Folder, Run, data, doubles, finish, npy};

fn run(folder: &Folder, ranks: usize, arguments: &str) -> Run {
    finish(mpirun(folder, ranks, arguments).spawn().unwrap())
}

/// Compares with the output of one rank, bit for bit: stencils and files, whole and shorter last
/// rows, couplings across the ends of rows.
#[test]
fn any_ranks_write_what_one_does() {
    let folder = Folder::new();
    let numbers: Vec<f64> = (0..61 * 37).map(|i| f64::from(i * 7 % 101) / 64.0).collect();
    folder.write("b.npy", npy("<f8", false, "(2257,)", &doubles(&numbers)));
    let file = format!("{} --iterations 10 --tolerance 0", data("recirc_flow.mtx"));
    let systems = [
        (
            "--stencil heat9:61x37 --rhs b.npy",
            &["2", "3", "4 --ranks 2x2 --halo 3", "6 --halo 1"][..],
        ),
        (
            "--stencil random:29x31 --layout rgba --iterations 40 --tolerance 0",
            &["4", "6 --ranks 3x2"],
        ),
        (file.as_str(), &["2"]),
    ];
    for (system, cases) in systems {
        folder.run(&format!("jacobi {system} --output one.npy --picture one.png")).ended(0);
        let read = |name: &str| std::fs::read(folder.file(name)).unwrap();
        let count = if is_thorough() { cases.len() } else { 2 };
        for case in cases.iter().take(count) {
            let (ranks, options) = case.split_once(' ').unwrap_or((case, ""));
            let arguments =
                format!("jacobi {system} {options} --output x.npy --picture x.png --json");
            let json = run(&folder, ranks.parse().unwrap(), &arguments).ended(0).json();
            assert_eq!(json["ranks"]["count"].to_string(), ranks, "{json}");
            assert!(read("x.npy") == read("one.npy"), "{system} on {case}");
            assert!(read("x.png") == read("one.png"), "{system} on {case}");
        }
    }
}

#[test]
fn what_ranks_cannot_share_is_refused() {
    let folder = Folder::new();
    for (arguments, text) in [
        (
            "--stencil heat9:64 --ranks 3x2",
            "--ranks 3x2 needs 6 processes, but there are 4: start them by `mpirun -n 6",
        ),
        ("--stencil heat9:64 --ranks 2", "expected P columns by Q rows of ranks"),
        ("--stencil heat9:64x3 --ranks 1x4", "1 x 4 ranks are more than the grid has blocks"),
        (
            "--stencil heat9:64x16 --ranks 1x4 --halo 5",
            "a halo of 5 steps is deeper than what rank 0 owns, 4 rows",
        ),
        ("--stencil heat9:64 --halo 0", "invalid value '0' for '--halo <K>'"),
        ("none.mtx", "none.mtx: cannot read it: No such file"),
        (
            "--stencil heat9:64 --output none/x.npy",
            "none/x.npy: cannot write it: its folder does not exist",
        ),
    ] {
        let arguments = format!("jacobi {arguments} --json");
        one_error(&run(&folder, 4, &arguments).ended(2), text);
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// Refuses options for several ranks: without `mpirun` there is nobody to share with.
#[test]
fn one_rank_refuses_what_is_for_several() {
    let folder = Folder::new();
    let says = |arguments: &str, text: &str| folder.run(arguments).ended(2).says(text);
    says("jacobi --stencil heat9:64 --ranks 2x2", "--ranks 2x2 needs 4 processes, but there is 1");
    says("jacobi --stencil heat9:64 --halo 2", "--halo says how ranks share a grid");
    folder.run("jacobi --stencil heat9:64 --ranks 1x1").ended(0);
}

#[test]
fn what_does_not_converge_is_written_and_said_once() {
    let folder = Folder::new();
    let arguments = "jacobi --stencil poisson5:64 --iterations 50 --output x.npy";
    let run = run(&folder, 3, arguments).ended(1);
    run.says("error: not converged: the residual is");
    assert_eq!(run.err.matches("error: ").count(), 1, "{}", run.err);
    assert_eq!(run.out.matches("ranks ").count(), 1, "{}", run.out);
    assert_eq!(folder.names(), ["x.npy"]);
}
