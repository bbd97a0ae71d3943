//! Checkpoints of a computation, and going on from one.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use quadrille::cluster::checkpoint::{self, Checkpoint, Identity, Keep, State, Writer};
use quadrille::cluster::{Checkpointer, Error, Partition, Team};

use super::Joined;
use super::vectors::{Real, part_of};
use crate::output::note;
use crate::process::failure::Failure;
use crate::process::interrupt;

/// Arguments of commands that can go on.
#[derive(Args)]
pub(crate) struct CheckpointArguments {
    /// Write what is reached to this folder, now and then and when it does not suffice, for
    /// --resume
    #[arg(long, value_name = "DIR", help_heading = "Checkpoints")]
    checkpoint: Option<PathBuf>,

    /// The seconds from one checkpoint to the next
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    #[arg(requires = "checkpoint", help_heading = "Checkpoints")]
    every: Duration,

    /// Go on from the checkpoint in this folder, whatever number of ranks wrote it
    #[arg(long, value_name = "DIR", help_heading = "Checkpoints")]
    resume: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    seconds.ok_or_else(|| "expected a number of seconds, at least 0".into())
}

/// The start of a computation: the steps done before, and for each vector the numbers that this
/// rank stores; `None` stands for zeros.
#[derive(Default)]
pub(crate) struct Start<T> {
    pub(crate) done: u64,
    pub(crate) vectors: Option<Vec<Vec<T>>>,
}

impl CheckpointArguments {
    /// Whether there is anything to keep, or to go on from.
    pub(crate) fn is_asked(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// Refuses more right-hand sides than a checkpoint has.
    pub(crate) fn must_be_of_one(&self, sides: usize) -> Result<(), Failure> {
        if !self.is_asked() || sides <= 1 {
            return Ok(());
        }
        let text = format!(
            "--checkpoint and --resume are of one right-hand side, got {sides}: solve for one at a time"
        );
        Err(Failure::Input { text })
    }

    /// Opens the checkpoint of a command for `count` vectors: the state that its computation starts
    /// from, and the checkpointer that saves it.
    pub(crate) fn open<T: Real>(
        &self,
        team: &Team,
        partition: &Partition,
        identity: &Identity,
        count: usize,
    ) -> Result<(Start<T>, Keeps), checkpoint::Error> {
        let ranks = team.communicator();
        let start = match &self.resume {
            None => Start { done: 0, vectors: None },
            Some(folder) => {
                let checkpoint = Checkpoint::open(ranks, folder)?;
                checkpoint.must_be_of(identity)?;
                let stored = partition.stored(ranks.local().start);
                let state = checkpoint.read(ranks, &[stored])?;
                let (folder, writers) = (folder.display(), checkpoint.ranks());
                let writers =
                    if writers == 1 { "one rank".into() } else { format!("{writers} ranks") };
                note(&format!(
                    "note: goes on after {} iterations, from the checkpoint of {writers} in {folder}",
                    state.iteration
                ));
                let vectors = (0..count).map(|at| of_state(&state, at)).collect();
                Start { done: state.iteration, vectors: Some(vectors) }
            }
        };
        let Some(folder) = &self.checkpoint else { return Ok((start, Keeps(None))) };
        let writer = Writer::new(ranks, folder, identity.clone())?;
        let mut keep = Keep::new(team, partition, writer, self.every);
        keep.beside(State::new(start.done));
        Ok((start, Keeps(Some(keep))))
    }
}

/// A vector of a checkpoint, whose identity says that it has as many of this type.
fn of_state<T: Real>(state: &State, at: usize) -> Vec<T> {
    let numbers = state.named(&Keep::name(at)).and_then(<[_]>::first);
    numbers.and_then(T::of_numbers).unwrap_or_default()
}

impl Joined {
    /// The identity of a checkpoint: the matrix, of whose rows this rank gives a digest, and the right-hand side by
    /// their numbers, whatever their files are called.
    pub(crate) fn identity<T: Real>(
        &self,
        command: &str,
        partition: &Partition,
        matrix: u64,
        side: &[T],
    ) -> Result<Identity, Error> {
        let (ranks, (n, m)) = (self.communicator(), partition.size());
        let owned = partition.owned(self.rank());
        let side = part_of(&owned, &partition.stored(self.rank()), (n, m), side);
        let side = checkpoint::of_vector(&side, &owned, n, m);
        Ok(Identity::new(n, m)
            .with("command", command)
            .with("matrix", checkpoint::digest(&*ranks, &[matrix])?)
            .with("right-hand side", checkpoint::digest(&*ranks, &[side])?))
    }
}

/// Saves x in checkpoints, if the options say so. No signal interrupts that.
pub(crate) struct Keeps(Option<Keep>);

impl<X> Checkpointer<X> for Keeps
where
    Keep: Checkpointer<X>,
{
    fn is_due(&mut self) -> bool {
        self.0.as_mut().is_some_and(Checkpointer::is_due)
    }

    fn keep(&mut self, iterations: u64, x: &X) -> Result<(), Error> {
        match &mut self.0 {
            Some(keep) => interrupt::writing(|| keep.keep(iterations, x)),
            None => Ok(()),
        }
    }
}
