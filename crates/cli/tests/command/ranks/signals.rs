//! Ranks that are stopped, and ranks that die.

use std::fs::File;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::mpirun::{mpirun, ranks};
use crate::runner::{Folder, Running};
use quadrille::io::npy;

const ENDLESS: &str =
    "jacobi --stencil poisson5:64 --tolerance 0 --iterations 1000000000 --output x.npy --json";

/// Several ranks at work, whose output goes to files.
fn at_work(folder: &Folder) -> Running {
    let file = |name| File::create(folder.file(name)).unwrap();
    let mut command = mpirun(folder, 3, ENDLESS);
    // Other tests take the cores meanwhile.
    command.env("OMPI_MCA_odls_base_sigkill_timeout", "3");
    let child = Running::start(command.stdout(file("out")).stderr(file("err")));
    let begun = Instant::now();
    // Rank 0 says which devices there are once all have joined.
    while !read(folder, "err").contains("ranks 0 to 2 on") {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", read(folder, "err"));
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_secs(1));
    child
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.file(name)).unwrap()
}

/// Whether it runs; what nobody waits for has a place in the list of processes after its end.
fn is_there(rank: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{rank}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| !"ZX".contains(state))
}

/// The launcher forwards it and waits as long as it takes.
#[test]
fn sigusr1_ends_all_ranks_with_what_they_have() {
    let folder = Folder::new();
    let mut child = at_work(&folder);
    child.send(Signal::SIGUSR1);
    let status = child.ends_within(Duration::from_secs(20)).expect("it ends");
    let (out, err) = (read(&folder, "out"), read(&folder, "err"));
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(err.contains("error: stopped by SIGUSR1 after"), "{err}");
    assert_eq!(err.matches("error: ").count(), 1, "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["stopped"], true);
    let x = npy::read(folder.file("x.npy")).unwrap();
    assert_eq!(x.data.len(), 64 * 64);
    assert!(x.data.iter().all(|x| x.is_finite()) && x.data.iter().any(|x| *x != 0.0));
}

/// Presses Ctrl-C, which the launcher turns into SIGTERM, and some time later into SIGKILL.
#[test]
fn ctrl_c_ends_all_ranks_with_what_they_have() {
    let folder = Folder::new();
    let mut child = at_work(&folder);
    child.send(Signal::SIGINT);
    let status = child.ends_within(Duration::from_secs(20)).expect("it ends");
    let err = read(&folder, "err");
    assert!(!status.success(), "{err}");
    assert!(err.contains("error: stopped by SIGTERM after"), "{err}");
    assert_eq!(npy::read(folder.file("x.npy")).unwrap().data.len(), 64 * 64);
}

/// Nothing is left: no process, and no part of a file.
#[test]
fn a_rank_that_dies_ends_all_in_ten_seconds() {
    for at in [0, 2] {
        let folder = Folder::new();
        let mut child = at_work(&folder);
        let ranks = ranks(&child);
        assert_eq!(ranks.len(), 3);
        let begun = Instant::now();
        kill(ranks[at], Signal::SIGKILL).unwrap();
        let status = child.ends_within(Duration::from_secs(10)).expect("it ends in time");
        assert!(!status.success());
        while ranks.iter().any(|rank| is_there(*rank)) {
            assert!(begun.elapsed() < Duration::from_secs(10), "a rank is left");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(folder.names(), ["err", "out"]);
        assert_eq!(read(&folder, "out"), "");
    }
}
