//! Systems of three dimensions on several ranks: each makes or reads the whole matrix and takes its slab; the first writes.

use quadrille::cluster::solve::Solver;
use quadrille::cluster::{Partition, Team};
use quadrille::data::{GridMatrix, SystemMatrix};
use quadrille::linalg::solve::Options;

use super::arguments::Arguments;
use super::choice::refused;
use super::history::History;
use super::outputs::PictureGrid;
use super::report::{Facts, Report, Solved};
use super::system::System;
use super::{each_side, facts, failure, on_ranks};
use crate::prelude::*;
use crate::ranks::{Joined, Shared, Shares};

pub(super) fn solve(
    joined: &Joined,
    arguments: &Arguments,
    options: Options,
) -> anyhow::Result<Option<Failure>> {
    joined.agree(must_keep_nothing(arguments))?;
    let outputs = joined.agree(on_ranks::plan(arguments))?;
    let system = joined.agree(System::load(arguments))?;
    let SystemMatrix::Grid(matrix) = &system.matrix else {
        unreachable!("it has three dimensions")
    };
    joined.agree(outputs.must_have_a_grid(&system.matrix).map_err(anyhow::Error::new))?;
    let (team, devices) = joined.team(&arguments.device)?;
    let partition = joined.agree(partition(arguments, matrix, team.communicator().size()))?;
    let job = SlabJob { joined, team: &team, partition: &partition, system: &system };
    let mut history = History::new();
    let solved = interrupt::watched(|| job.solve(matrix, options, &mut history))?;
    let whole = job.gathered(&solved)?;
    let solutions: Vec<&[f64]> = whole.iter().map(Vec::as_slice).collect();
    let facts = facts(&team.contexts()[0], &system, &solutions, solved.singular);
    let facts = Facts { ranks: Some(Shares::of(&partition, devices)), ..facts };
    let report = Report::new(arguments, facts, &outputs, &solved);
    let grid = Some(PictureGrid::Space(matrix.grid()));
    let title = report.title();
    let written = match joined.rank() {
        0 => {
            interrupt::writing(|| outputs.write(&system.sides, &solutions, grid, &title, &history))
        }
        _ => Ok(()),
    };
    joined.agree(written)?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    Ok(failure(&system.sides, &outputs, &solved))
}

fn must_keep_nothing(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.checkpoints.is_asked() {
        return Ok(());
    }
    let text = "checkpoints are for grids of two dimensions, and this one has three: leave out --checkpoint and --resume";
    Err(Failure::Input { text: text.into() }.into())
}

/// The slabs, which ranks take in one column.
fn partition(
    arguments: &Arguments,
    matrix: &GridMatrix,
    ranks: usize,
) -> anyhow::Result<Partition> {
    if let Some([columns, rows]) =
        arguments.ranks.across(ranks)?.filter(|[columns, _]| *columns > 1)
    {
        let text = format!(
            "--ranks {columns}x{rows}: a grid of three dimensions is cut into slabs along z; use --ranks 1x{ranks}, or omit it"
        );
        return Err(Failure::Input { text }.into());
    }
    Ok(Partition::of_slabs(matrix.grid(), ranks)?)
}

struct SlabJob<'a> {
    joined: &'a Joined,
    team: &'a Team,
    partition: &'a Partition,
    system: &'a System,
}

impl SlabJob<'_> {
    fn solve(
        &self,
        matrix: &GridMatrix,
        options: Options,
        history: &mut History,
    ) -> anyhow::Result<Solved<Vec<Vec<f64>>>> {
        let mut solver =
            Solver::of_grid(self.team, self.partition, matrix, options).map_err(refused)?;
        solver.warm_up()?;
        let singular = solver.properties().has_constant_null_space();
        let mut solved = Solved::new(solver.choice(), singular, solver.setup_times());
        let (_, width) = self.partition.size();
        let rows = self.partition.stored(self.joined.rank()).rows;
        each_side(&self.system.sides, history, &mut solved, |side, watch| {
            let range = rows.start * width..rows.end * width;
            let x0 = side.start.as_ref().map(|x0| [&x0[range.clone()]]);
            let x0 = x0.as_ref().map(<[_; 1]>::as_slice);
            Ok(solver.solve_from(&[&side.numbers[range]], x0, watch, &mut ())?)
        })?;
        solved.choice = solver.choice().clone();
        Ok(solved)
    }

    /// The whole solutions, on the first rank alone.
    fn gathered(&self, solved: &Solved<Vec<Vec<f64>>>) -> anyhow::Result<Vec<Vec<f64>>> {
        let shared = Shared { joined: self.joined, partition: self.partition, owned: &[] };
        let mut whole = Vec::new();
        for solution in &solved.solutions {
            whole.extend(shared.gathered(&solution.x.concat())?);
        }
        Ok(whole)
    }
}
