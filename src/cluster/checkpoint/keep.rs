//! Checkpoints of a solver's x while it runs.

use std::time::Duration;

use super::super::{Checkpointer, Error as RankError, Partition, Team};
use super::{Numbers, Result, State, Writer};
use crate::clock::Instant;
use crate::cluster::jacobi;
use crate::data::Block;
use crate::memory;

/// A [`Checkpointer`] that writes a checkpoint whenever a time has passed: of each system the x
/// that the ranks own, as vectors that [`Keep::name`] names.
pub struct Keep {
    team: Team,
    owned: Vec<Block>,
    writer: Writer,
    every: Duration,
    last: Instant,
    before: State,
}

impl Keep {
    /// Saves the systems of a team's ranks.
    pub fn new(team: &Team, partition: &Partition, writer: Writer, every: Duration) -> Keep {
        let owned = team.communicator().local().map(|rank| partition.owned(rank)).collect();
        let (last, before) = (Instant::now(), State::default());
        Keep { team: team.clone(), owned, writer, every, last, before }
    }

    /// Sets what every checkpoint holds beside x: the steps of the computation that this one
    /// continues, to which its own are added, and numbers and vectors, such as the solutions of
    /// other right-hand sides.
    pub fn beside(&mut self, state: State) {
        self.before = state;
    }

    /// Returns the name of the x of a system, which count from 0.
    pub fn name(system: usize) -> String {
        format!("x{}", system + 1)
    }

    /// Returns whether the time has passed since the last checkpoint, by the clock of this process.
    fn has_passed(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Writes a checkpoint now, as all processes must.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::write`].
    pub fn write(
        &mut self,
        iterations: u64,
        systems: impl Iterator<Item = Vec<Numbers>>,
    ) -> Result<()> {
        let named = (0..).map(Keep::name).zip(systems);
        let mut state =
            State { iteration: self.before.iteration + iterations, ..self.before.clone() };
        state.vectors.extend(named);
        self.writer.write(self.team.communicator(), &self.owned, &state)?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Saves x of several systems: for each rank, each system.
impl Checkpointer<jacobi::Owned> for Keep {
    fn is_due(&mut self) -> bool {
        self.has_passed()
    }

    fn keep(&mut self, iterations: u64, x: &jacobi::Owned) -> Result<(), RankError> {
        let count = x.first().map_or(0, Vec::len);
        let mut systems = Vec::new();
        for system in 0..count {
            let of_rank = |x: &Vec<Vec<f32>>| memory::copied(&x[system]).map(Numbers::Single);
            systems.push(x.iter().map(of_rank).collect::<Result<_, _>>()?);
        }
        Ok(self.write(iterations, systems.into_iter())?)
    }
}

/// Saves x of one system: for each rank, its numbers.
impl Checkpointer<Vec<Vec<f64>>> for Keep {
    fn is_due(&mut self) -> bool {
        self.has_passed()
    }

    fn keep(&mut self, iterations: u64, x: &Vec<Vec<f64>>) -> Result<(), RankError> {
        let of_rank = |x: &Vec<f64>| memory::copied(x).map(Numbers::Double);
        let x = x.iter().map(of_rank).collect::<Result<_, _>>()?;
        Ok(self.write(iterations, std::iter::once(x))?)
    }
}
