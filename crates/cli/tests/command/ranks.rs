//! The command in several processes, started by `mpirun`, that share its work.

mod jacobi;
mod kills;
mod matmul;
mod mpirun;
mod signals;
mod solve;

use crate::runner::{Folder, finish};
use mpirun::{mpirun, one_error};

#[test]
fn the_doctor_sees_all_ranks() {
    let folder = Folder::new();
    let run = finish(mpirun(&folder, 3, "doctor --json").spawn().unwrap()).ended(0);
    let mpi = &run.json()["mpi"];
    assert_eq!((&mpi["compiled_in"], &mpi["processes"]), (&true.into(), &3.into()));
    assert!(mpi["library"].as_str().unwrap().contains("MPI"), "{mpi}");
    assert!(mpi["launchers"][0].as_str().unwrap().ends_with("mpirun"), "{mpi}");
    let devices = mpi["devices"].as_array().unwrap();
    assert_eq!(devices.len(), 3);
    assert!(devices.iter().all(|device| device["software"] == true), "{mpi}");
    let run = finish(mpirun(&folder, 2, "doctor").spawn().unwrap()).ended(0);
    assert!(run.out.contains("ranks 0 to 1 on llvmpipe"), "{}", run.out);
    assert_eq!(run.out.matches("ranks 0 to 1").count(), 1, "{}", run.out);
}

#[test]
fn what_all_ranks_refuse_is_said_once() {
    let folder = Folder::new();
    for (arguments, text) in [
        ("sat formula.cnf", "error: 4 processes were started (OMPI_COMM_WORLD_SIZE), but"),
        ("sat", "error: the following required arguments were not provided"),
    ] {
        let run = finish(mpirun(&folder, 4, arguments).spawn().unwrap()).ended(2);
        one_error(&run, text);
    }
}

/// The launcher of another MPI: each process would be alone.
#[test]
fn a_launcher_that_the_library_does_not_know_is_refused() {
    let folder = Folder::new();
    let mut command = folder.command("doctor");
    command.env("PMI_SIZE", "3").env("PMI_RANK", "0");
    let run = finish(command.spawn().unwrap()).ended(2);
    one_error(&run, "3 processes were started (PMI_SIZE), but MPI joins 1");
}

#[test]
fn an_error_of_one_rank_ends_all() {
    let folder = Folder::new();
    let mut command = mpirun(&folder, 1, "doctor");
    let program = command.get_args().last().map(ToOwned::to_owned);
    assert_eq!(program.as_deref(), Some("doctor".as_ref()));
    command.args([":", "-n", "2", "env", "QUADRILLE_DEVICE=nonsense"]);
    command.args([env!("CARGO_BIN_EXE_quadrille"), "doctor"]);
    let run = finish(command.spawn().unwrap()).ended(2);
    // Usually the first of the two, unless that is late.
    one_error(&run, ": no OpenGL device matches `nonsense`");
    assert!(["error: rank 1", "error: rank 2"].iter().any(|rank| run.err.starts_with(rank)));
}
