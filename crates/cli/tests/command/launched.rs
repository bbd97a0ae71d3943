//! A launcher of MPI programs started the command: no work is done in each of its processes.

use crate::runner::{Folder, Run, finish};

/// Runs the command as a launcher starts one of several processes, which a test shows by this
/// variable alone.
fn launched(arguments: &str, rank: usize) -> Run {
    let folder = Folder::new();
    let mut command = folder.command(arguments);
    command.env("PMI_SIZE", "3").env("PMI_RANK", rank.to_string());
    finish(command.spawn().unwrap())
}

/// The arguments are right, and any of the processes would do all.
#[test]
fn several_processes_are_refused() {
    let run = launched("sat formula.cnf", 0).ended(2);
    run.says("error: 3 processes were started (PMI_SIZE), but `quadrille sat` runs in one process");
    assert_eq!(run.out, "");
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

/// Rank 0 alone speaks where all have the same to say.
#[test]
fn one_process_says_what_was_asked() {
    assert!(launched("--version", 0).ended(0).out.starts_with("quadrille "));
    let other = launched("--version", 1).ended(0);
    assert_eq!((&*other.out, &*other.err), ("", ""));
}

/// Runs a rank that no launcher ended meanwhile, so that it has reasons of its own.
#[test]
fn another_rank_names_itself() {
    let run = launched("sat formula.cnf", 2).ended(2);
    run.says("error: rank 2: 3 processes were started");
}

#[test]
#[cfg(not(feature = "mpi"))]
fn without_the_feature_it_names_the_build() {
    let run = launched("doctor", 0).ended(0);
    for text in ["not compiled in", "--features mpi", "3 processes, which cannot join without MPI"]
    {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}
