//! Systems on several ranks: each makes, reads, computes and writes its part.

use std::ops::Range;

use quadrille::cluster::solve::{Solver, partition};
use quadrille::cluster::{Partition, Team, collective};
use quadrille::data::{AnyStencil, SplitMix64};
use quadrille::io::npy;
use quadrille::linalg::solve::{Options, Solved};
use quadrille::testing::largest;
use quadrille_lab::solve::unit;

use super::arguments::{Arguments, SideFiles};
use super::choice::refused;
use super::history::History;
use super::outputs::Outputs;
use super::report::{Facts, Report, Size};
use super::solve_sides;
use super::system::Side;
use crate::prelude::*;
use crate::ranks::{Devices, Joined, Part, Shared, Shares, Source, Start, read};

pub(super) fn solve(
    joined: &Joined,
    arguments: &Arguments,
    options: Options,
) -> anyhow::Result<Option<Failure>> {
    let outputs = joined.agree(plan(arguments))?;
    let source = joined.agree(source(arguments))?;
    let (team, devices) = joined.team(&arguments.device)?;
    let ends = source.couples_across_ends();
    let cut = |ranks| {
        let across = arguments.ranks.of_grid(ranks, source.size(), ends)?;
        Ok(partition(source.size(), across, ends, options)?)
    };
    let partition = joined.agree(cut(team.communicator().size()))?;
    let part = joined.agree(Part::load(&source, &partition, joined.rank()))?;
    let sides = joined.agree(sides(arguments, &part, &partition))?;
    let job = RankJob { joined, arguments, team: &team, partition: &partition, sides: &sides };
    let matrices = std::slice::from_ref(&part.matrix);
    let solved = interrupt::watched(|| {
        let solver = Solver::new(&team, &partition, matrices, options).map_err(refused)?;
        job.solve(solver, || part.digest(), 0..part.matrix.n())
    })?;
    let history = History::new(&sides, &solved);
    let report = job.report(&source, &part, &outputs, &solved, devices)?;
    write(&job, &outputs, &solved, &report.title(), &history)?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    Ok(super::failure(&outputs, &solved))
}

/// The files to write, of which one is for a matrix that a rank has as a whole.
pub(super) fn plan(arguments: &Arguments) -> anyhow::Result<Outputs> {
    if arguments.write_matrix.is_some() {
        let text = "--write-matrix writes a matrix that one process has: run it without mpirun, or omit it";
        return Err(Failure::Input { text: text.into() }.into());
    }
    Outputs::plan(arguments)
}

fn source(arguments: &Arguments) -> anyhow::Result<Source> {
    Ok(match (&arguments.stencil, &arguments.coefficient[..], &arguments.matrix) {
        (Some(AnyStencil::Plane(stencil)), ..) => Source::Stencil(*stencil),
        (Some(AnyStencil::Space(_)), ..) => unreachable!("they are solved in slabs"),
        (None, [path], _) => Source::coefficient(path)?,
        (None, [along_x, along_y, ..], _) => Source::faces([along_x, along_y])?,
        (None, [], path) => {
            Source::file(path.as_deref().unwrap_or(Path::new("")), arguments.width)?
        }
    })
}

/// The right-hand sides where this rank stores them; the solution that one was made from where it
/// owns that.
fn sides(
    arguments: &Arguments,
    part: &Part<f64>,
    partition: &Partition,
) -> anyhow::Result<Vec<Side>> {
    let (n, m) = partition.size();
    let side = |SideFiles { b, x0 }: SideFiles<'_>| -> anyhow::Result<Side> {
        let start = x0.map(|path| read(path, &part.stored, (n, m))).transpose()?;
        let Some(path) = b else {
            let seed = arguments.seed;
            // The numbers that one rank has for it.
            let known = part.known(|range: Range<usize>| {
                let mut generator = SplitMix64::after(seed, range.start as u64);
                range.map(move |_| unit(&mut generator))
            })?;
            let name = format!("A x for a random x (seed {seed})");
            let (numbers, solution) = (known.side, Some(known.solution));
            return Ok(Side { name, numbers, shape: vec![n], start, solution });
        };
        let numbers = read(path, &part.stored, (n, m))?;
        let shape = if has_grids_shape(path, (n, m)) { vec![n / m, m] } else { vec![n] };
        Ok(Side { name: path.display().to_string(), numbers, shape, start, solution: None })
    };
    arguments.sides()?.into_iter().map(side).collect()
}

/// Whether a file that was read has the axes of a grid.
fn has_grids_shape(path: &Path, (n, m): (usize, usize)) -> bool {
    n > m && m > 1 && npy::Reader::open(path).is_ok_and(|file| file.shape() == [n / m, m])
}

/// A system whose parts are ready.
pub(super) struct RankJob<'a> {
    pub(super) joined: &'a Joined,
    pub(super) arguments: &'a Arguments,
    pub(super) team: &'a Team,
    pub(super) partition: &'a Partition,
    pub(super) sides: &'a [Side],
}

impl RankJob<'_> {
    /// Solves for the part of each side that this rank stores, with checkpoints; a function returns the digest of
    /// the matrix's rows that it owns.
    pub(super) fn solve(
        &self,
        mut solver: Solver<f64>,
        matrix: impl FnOnce() -> u64,
        part: Range<usize>,
    ) -> anyhow::Result<Solved> {
        let (checkpoints, mut start) = (&self.arguments.checkpoints, Start::default());
        if let ([side], true) = (self.sides, checkpoints.is_asked()) {
            let side = &side.numbers[part.clone()];
            let identity = self.joined.identity("solve", self.partition, matrix(), side)?;
            let opened = checkpoints.open(self.team, self.partition, &identity, 1);
            let (from, keeps) = self.joined.agree(opened.map_err(anyhow::Error::new))?;
            solver.save_to(keeps);
            start = from;
        }
        solve_sides(solver, self.sides, part, &start)
    }

    fn report(
        &self,
        source: &Source,
        part: &Part<f64>,
        outputs: &Outputs,
        solved: &Solved,
        devices: Devices,
    ) -> anyhow::Result<Report> {
        let known = self.sides.first().and_then(|side| side.solution.as_deref());
        let scale = known.map(|known| self.largest(largest(known.iter().copied())));
        let mut errors = vec![None; solved.sides.len()];
        if let (Some(known), Some(solution)) = (known, solved.reached().next()) {
            errors[0] = Some(self.error(&solution.x, known, solved.has_constant_null_space)?);
        }
        let facts = Facts {
            context: &self.team.contexts()[0],
            name: source.name(),
            size: Size::of_grid(self.partition.size(), part.matrix.form()),
            names: self.sides.iter().map(|side| &*side.name).collect(),
            errors,
            largest_known: scale.transpose()?,
            ranks: Some(Shares::of(self.partition, devices)),
        };
        Ok(Report::new(self.arguments, facts, outputs, solved))
    }

    fn largest(&self, own: f64) -> anyhow::Result<f64> {
        Ok(collective::largest(self.team.communicator(), &[own])?)
    }

    /// The largest difference; up to a constant, where constants are the matrix's null space.
    fn error(&self, x: &[f64], known: &[f64], up_to_a_constant: bool) -> anyhow::Result<f64> {
        let differences = || x.iter().zip(known).map(|(x, known)| x - known);
        let sum = collective::sum(self.team.communicator(), &[differences().sum()])?;
        let shift = if up_to_a_constant { sum / self.partition.size().0 as f64 } else { 0.0 };
        self.largest(largest(differences().map(|difference| difference - shift)))
    }
}

fn write(
    job: &RankJob<'_>,
    outputs: &Outputs,
    solved: &Solved,
    title: &str,
    history: &History<'_>,
) -> anyhow::Result<()> {
    let joined = job.joined;
    let owned: Vec<Vec<f64>> = solved.reached().map(|solution| solution.x.clone()).collect();
    let shared = Shared { joined, partition: job.partition, owned: &owned };
    if let Some(path) = &job.arguments.output {
        shared.write(path, &job.sides[0].shape)?;
    }
    if let Some(path) = &job.arguments.picture {
        shared.draw(path, title)?;
    }
    let written = match joined.rank() {
        0 => interrupt::writing(|| outputs.write_history(title, history)),
        _ => Ok(()),
    };
    joined.agree(written)
}
