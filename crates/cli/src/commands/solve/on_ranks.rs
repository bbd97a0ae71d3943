//! Systems on several ranks: each makes, reads, computes and writes its part.

use std::ops::Range;

use quadrille::cluster::solve::{Solver, partition};
use quadrille::cluster::{Checkpointer as _, Partition, Team, collective};
use quadrille::data::{AnyStencil, SplitMix64};
use quadrille::io::npy;
use quadrille::linalg::solve::Options;
use quadrille::testing::largest;
use quadrille_lab::solve::unit;

use super::arguments::{Arguments, SideFiles};
use super::choice::refused;
use super::history::History;
use super::outputs::Outputs;
use super::report::{Facts, Report, Size, Solved};
use super::system::Side;
use crate::prelude::*;
use crate::ranks::{Devices, Joined, Keeps, Part, Shared, Shares, Source, Start, read};

/// The x that a rank owns, in a list of its own.
type Owned = Vec<Vec<f64>>;

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
    let job = RankJob {
        joined,
        arguments,
        team: &team,
        partition: &partition,
        part: &part,
        sides: &sides,
    };
    let mut history = History::new();
    let solved = interrupt::watched(|| job.solve(options, &mut history))?;
    let report = job.report(&source, &outputs, &solved, devices)?;
    write(joined, &job, &outputs, &solved, &report.title(), &history)?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    Ok(super::failure(&sides, &outputs, &solved))
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
struct RankJob<'a> {
    joined: &'a Joined,
    arguments: &'a Arguments,
    team: &'a Team,
    partition: &'a Partition,
    part: &'a Part<f64>,
    sides: &'a [Side],
}

impl RankJob<'_> {
    fn solve(&self, options: Options, history: &mut History) -> anyhow::Result<Solved<Owned>> {
        let matrices = std::slice::from_ref(&self.part.matrix);
        let mut solver =
            Solver::new(self.team, self.partition, matrices, options).map_err(refused)?;
        solver.warm_up()?;
        let singular = solver.properties().has_constant_null_space();
        let mut solved = Solved::new(solver.choice(), singular, solver.setup_times());
        for side in self.sides {
            let (start, mut keeps) = self.start(side)?;
            let x = start.vectors.as_ref().map(|vectors| &vectors[0]).or(side.start.as_ref());
            let mut watch = history.watch(&side.name, x.is_none());
            let x = x.map(|x| [x.as_slice()]);
            let x = x.as_ref().map(<[_; 1]>::as_slice);
            let mut solution = solver.solve_from(&[&side.numbers], x, &mut watch, &mut keeps)?;
            if !solution.converged() {
                keeps.keep(solution.iterations, &solution.x)?;
            }
            solution.iterations += start.done;
            solution.reached_at += start.done;
            watch.end(solution.iterations, solution.deciding_residual());
            solved.solutions.push(solution);
            if solved.stopped() {
                break;
            }
        }
        solved.choice = solver.choice().clone();
        Ok(solved)
    }

    /// Opens the checkpoint: the state that the computation starts from, and the checkpointer that
    /// saves it.
    fn start(&self, side: &Side) -> anyhow::Result<(Start<f64>, Keeps)> {
        let (partition, part) = (self.partition, self.part);
        let identity = self.joined.identity("solve", partition, part, &side.numbers)?;
        let opened = self.arguments.checkpoints.open(self.team, partition, part, &identity, 1);
        self.joined.agree(opened.map_err(anyhow::Error::new))
    }

    fn report(
        &self,
        source: &Source,
        outputs: &Outputs,
        solved: &Solved<Owned>,
        devices: Devices,
    ) -> anyhow::Result<Report> {
        let known = self.sides.first().and_then(|side| side.solution.as_deref());
        let scale = known.map(|known| self.largest(largest(known.iter().copied())));
        let mut errors = vec![None; solved.solutions.len()];
        if let (Some(known), Some(solution)) = (known, solved.solutions.first()) {
            errors[0] = Some(self.error(&solution.x[0], known, solved.singular)?);
        }
        let facts = Facts {
            context: &self.team.contexts()[0],
            name: source.name(),
            size: Size::of_grid(self.partition.size(), self.part.matrix.form()),
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
    joined: &Joined,
    job: &RankJob<'_>,
    outputs: &Outputs,
    solved: &Solved<Owned>,
    title: &str,
    history: &History,
) -> anyhow::Result<()> {
    let owned: Vec<Vec<f64>> =
        solved.solutions.iter().map(|solution| solution.x.concat()).collect();
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
