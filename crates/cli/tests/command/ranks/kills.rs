//! Ranks that are killed at random times: the run ends, and goes on from its checkpoint to the same
//! result.

use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use quadrille::data::SplitMix64;

use super::mpirun::{self, mpirun, ranks};
use crate::runner::{Folder, Running, finish};

const SYSTEM: &str = "jacobi --stencil poisson5:97x83 --tolerance 0 --iterations 4000";

/// One run that goes on from the checkpoint, if there is one, and is killed some time after its
/// start: whether it was in time.
fn is_killed(folder: &Folder, random: &mut SplitMix64) -> bool {
    let resume = if folder.file("kept/manifest").exists() { "--resume kept" } else { "" };
    let arguments = format!("{SYSTEM} --checkpoint kept --every 0.02 --output x.npy {resume}");
    let count = 2 + random.below(3) as usize;
    let mut child = Running::start(&mut mpirun(folder, count, &arguments));
    let delay = Duration::from_millis(random.below(1500));
    std::thread::sleep(delay);
    let ranks = ranks(&child);
    let chosen = ranks.get(random.below(count as u64) as usize);
    let killed = chosen.is_some_and(|rank| kill(*rank, Signal::SIGKILL).is_ok());
    if !killed {
        // It has not begun yet, or it has ended.
        child.send(Signal::SIGTERM);
    }
    let status = child.ends_within(Duration::from_secs(10));
    let status = status.unwrap_or_else(|| {
        let left = mpirun::ranks(&child).into_iter().map(|rank| (rank, mpirun::state(rank)));
        let left: Vec<_> = left.collect();
        panic!("{count} ranks of {ranks:?} go on, {delay:?} after their start one was killed ({killed}, {chosen:?}): {left:?}")
    });
    killed && !status.success()
}

/// QUADRILLE_KILLS says how many, QUADRILLE_SEED which.
#[test]
fn whatever_is_killed_goes_on_to_the_same_bits() {
    let variable = |name, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (count, seed) = (variable("QUADRILLE_KILLS", 4), variable("QUADRILLE_SEED", 1));
    let (folder, mut random) = (Folder::new(), SplitMix64::new(seed));
    folder.run(&format!("{SYSTEM} --output one.npy")).ended(0);
    let (mut killed, mut resumed) = (0, 0);
    for at in 0..count {
        killed += u64::from(is_killed(&folder, &mut random));
        if at % 4 == 3 {
            resumed += u64::from(ends_right(&folder));
        }
    }
    println!(
        "{killed} of {count} runs were killed at work; {resumed} times the rest came to the same bits"
    );
    assert!(killed > 0);
}

/// The rest of the run has the bits of one that nothing stopped; whether there was a checkpoint.
fn ends_right(folder: &Folder) -> bool {
    let kept = folder.file("kept/manifest").exists();
    let resume = if kept { "--resume kept" } else { "" };
    let rest = mpirun(folder, 3, &format!("{SYSTEM} --output x.npy {resume}")).spawn().unwrap();
    finish(rest).ended(0);
    let read = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert!(read("x.npy") == read("one.npy"));
    std::fs::remove_file(folder.file("x.npy")).unwrap();
    let _ = std::fs::remove_dir_all(folder.file("kept"));
    kept
}
