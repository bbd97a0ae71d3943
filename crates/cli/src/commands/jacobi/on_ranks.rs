//! One system on several ranks: each makes, reads, computes and writes its part.

use std::time::Instant;

use quadrille::cluster::jacobi::{Jacobi, Owned};
use quadrille::cluster::{Checkpointer as _, Partition, Team, collective};
use quadrille::linalg::jacobi::{Solution, Stop};
use quadrille::memory;
use quadrille::testing::largest;

use super::arguments::Arguments;
use super::part::{Part, source};
use super::report::{Facts, Report};
use crate::output::progress::Bar;
use crate::prelude::*;
use crate::ranks::{Devices, Joined, Keeps, Shared, Shares, Source, Start};

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    Joined::new()?.run(|joined| solve(joined, arguments))
}

fn solve(joined: &Joined, arguments: &Arguments) -> anyhow::Result<Option<Failure>> {
    joined.agree(arguments.check_outputs())?;
    let source = joined.agree(source(arguments))?;
    let (team, devices) = joined.team(&arguments.device)?;
    let ranks = team.communicator().size();
    let cut = arguments.sharing.partition(ranks, source.size(), source.couples_across_ends());
    let partition = joined.agree(cut)?;
    let part = joined.agree(Part::load(
        arguments,
        &source,
        &partition,
        team.communicator().local().start,
    ))?;
    let job = RankJob { joined, arguments, team: &team, partition: &partition, part: &part };
    let (solution, report) = interrupt::watched(|| job.solve(&source, devices))?;
    job.write(&source, &solution)?;
    output::show(arguments.json, &report, || report.text())?;
    Ok(super::failure(arguments, &solution))
}

/// A system whose parts are ready.
struct RankJob<'a> {
    joined: &'a Joined,
    arguments: &'a Arguments,
    team: &'a Team,
    partition: &'a Partition,
    part: &'a Part,
}

impl RankJob<'_> {
    fn solve(
        &self,
        source: &Source,
        devices: Devices,
    ) -> anyhow::Result<(Solution<Owned>, Report)> {
        let variant = self.arguments.options.0.variant;
        let begun = Instant::now();
        let count = self.systems()?;
        let systems =
            self.joined.agree(self.part.systems(count, self.arguments.seed).map_err(Into::into))?;
        let matrices = vec![&self.part.of_matrix.matrix; count];
        let mut jacobi = Jacobi::new(self.team, self.partition, &[&matrices], variant)?;
        let sides: Vec<&[f32]> = systems.iter().map(|system| system.side.as_slice()).collect();
        let (start, mut keeps) = self.start(sides[0], count)?;
        let zero = memory::zeroed(self.part.of_matrix.matrix.n())?;
        let starts: Vec<&[f32]> = match &start.vectors {
            Some(vectors) => vectors.iter().map(Vec::as_slice).collect(),
            None => vec![zero.as_slice(); count],
        };
        // Drivers compile at the first steps, of which one has messages.
        let first = Stop::iterations(self.partition.halo().steps as u64 + 1);
        jacobi.solve(&[&sides], &[&starts], first, &mut ())?;
        let setup = begun.elapsed();
        let mut bar = Bar::of_iterations();
        let stop = self.arguments.options.0.stop(start.done)?.when_first_converges();
        let mut solution =
            jacobi.solve_keeping(&[&sides], &[&starts], stop, &mut bar, &mut keeps)?;
        drop(bar);
        if solution.converged != Some(true) {
            keeps.keep(solution.iterations, &solution.systems)?;
        }
        solution.iterations += start.done;
        let known = systems.first().and_then(|system| system.solution.as_deref());
        let context = &self.team.contexts()[0];
        let facts = Facts {
            context,
            name: source.name(),
            size: self.partition.size(),
            systems: count,
            seeded: systems.iter().any(|system| system.solution.is_some()),
            error: known.map(|known| self.error(known, &solution)).transpose()?,
            setup,
            variant: jacobi.variant(),
            lines: None,
            panels: None,
            ranks: Some(Shares::of(self.partition, devices)),
        };
        let report = Report::new(self.arguments, facts, &solution);
        Ok((solution, report))
    }

    /// Opens the checkpoint: the state that the computation starts from, and the checkpointer that
    /// saves it.
    fn start(&self, side: &[f32], count: usize) -> anyhow::Result<(Start<f32>, Keeps)> {
        let (partition, part) = (self.partition, &self.part.of_matrix);
        let identity = self.joined.identity("jacobi", partition, part.digest(), side)?;
        let identity = identity.with("systems", count.to_string());
        let opened = self.arguments.checkpoints.open(self.team, partition, &identity, count);
        self.joined.agree(opened.map_err(anyhow::Error::new))
    }

    /// The number of systems, which all ranks have alike: that of the layout on the first.
    fn systems(&self) -> anyhow::Result<usize> {
        let variant = self.arguments.options.0.variant;
        let own = variant.resolve_for(&self.team.contexts()[0], &self.part.of_matrix.matrix);
        let own = self.joined.agree(own.map_err(Into::into))?.layout.systems();
        let all = collective::gathered(self.team.communicator(), &[own as u64])?;
        Ok(all.first().map_or(own, |first| *first as usize))
    }

    /// The largest difference from the known solution, and its largest unknown.
    fn error(&self, known: &[f32], solution: &Solution<Owned>) -> anyhow::Result<(f64, f64)> {
        let x = &solution.systems[0][0];
        let differences = x.iter().zip(known).map(|(x, known)| f64::from(*x) - f64::from(*known));
        let own = [largest(differences), largest(known.iter().map(|x| f64::from(*x)))];
        let all = own.map(|own| collective::largest(self.team.communicator(), &[own]));
        let [error, scale] = all;
        Ok((error?, scale?))
    }

    fn write(&self, source: &Source, solution: &Solution<Owned>) -> anyhow::Result<()> {
        let owned = &solution.systems[0];
        let shared = Shared { joined: self.joined, partition: self.partition, owned };
        if let Some(path) = &self.arguments.output {
            shared.write(path, &[self.partition.size().0])?;
        }
        if let Some(path) = &self.arguments.picture {
            let title = format!("{}: x after {} iterations", source.name(), solution.iterations);
            shared.draw(path, &title)?;
        }
        Ok(())
    }
}
