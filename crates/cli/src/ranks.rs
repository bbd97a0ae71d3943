//! Several processes, started by `mpirun` or a like launcher, that share the work of one command: a
//! rank each. Rank 0 speaks.

mod agree;
mod arguments;
mod checkpoints;
mod file;
mod join;
mod report;
mod shared_error;
mod source;
mod survey;
mod vectors;

use quadrille::cluster::Launched;

use crate::process::failure::Failure;

pub(super) use crate::process::launcher::{launched, processes, rank};
pub(super) use arguments::{Ranks, Sharing};
pub(super) use checkpoints::{CheckpointArguments, Keeps, Start};
pub(super) use join::{Devices, Joined};
pub(super) use report::Shares;
pub(super) use source::{Part, Source};
pub(super) use survey::{Mpi, of_processes};
pub(super) use vectors::{Shared, read};

/// The command that builds quadrille for several processes.
pub(super) const BUILD: &str = "`cargo build --release -p quadrille-cli --features mpi`";

/// The MPI library; `None` if this build has no MPI.
fn library() -> Option<String> {
    #[cfg(feature = "mpi")]
    return Some(quadrille::cluster::Mpi::library().lines().next().unwrap_or_default().to_owned());
    #[cfg(not(feature = "mpi"))]
    None
}

/// Refuses to do all the work of a command in each of several processes.
pub(super) fn check(name: &str) -> Result<(), Failure> {
    let Some(Launched { processes, variable, .. }) = launched() else { return Ok(()) };
    match refusal(processes, variable, cfg!(feature = "mpi"), name) {
        Some(text) => Err(Failure::Input { text }),
        None => Ok(()),
    }
}

fn refusal(processes: usize, variable: &str, mpi: bool, name: &str) -> Option<String> {
    let shared = SHARED.contains(&name);
    if processes < 2 || (mpi && shared) {
        return None;
    }
    let started = format!("{processes} processes were started ({variable})");
    let alone = format!(
        "To run it several times after all, unset the variable: `mpirun ... env -u {variable} quadrille {name} ...`"
    );
    Some(match shared {
        true => format!(
            "{started}, but this quadrille was built without MPI: each process would do all the work. Build it by \
             {BUILD}. {alone}"
        ),
        false => format!(
            "{started}, but `quadrille {name}` runs in one process: each would do all the work. Ranks share the \
             work of {}. {alone}",
            SHARED.join(", ")
        ),
    })
}

/// The commands whose work ranks share.
const SHARED: [&str; 4] = ["bench cluster", "jacobi", "solve", "matmul"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_does_all_its_work_in_each_of_several_processes() {
        let refusal = |processes, mpi, name| refusal(processes, "PMI_SIZE", mpi, name);
        assert_eq!(refusal(1, false, "jacobi"), None);
        assert_eq!(refusal(1, false, "sat"), None);
        assert_eq!(refusal(4, true, "jacobi"), None);
        let without = refusal(4, false, "jacobi").unwrap_or_default();
        assert!(without.contains("4 processes were started (PMI_SIZE)"), "{without}");
        assert!(without.contains("--features mpi"), "{without}");
        let alone = refusal(4, true, "sat").unwrap_or_default();
        assert!(alone.contains("`quadrille sat` runs in one process"), "{alone}");
    }
}
