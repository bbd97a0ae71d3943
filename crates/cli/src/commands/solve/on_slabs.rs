//! Systems of three dimensions on several ranks: each makes or reads the whole matrix and takes its slab; the first writes.

use quadrille::cluster::solve::Solver;
use quadrille::cluster::{Partition, checkpoint};
use quadrille::data::{GridMatrix, SystemMatrix};
use quadrille::linalg::solve::{Options, Solved};

use super::arguments::Arguments;
use super::choice::refused;
use super::history::History;
use super::on_ranks::{self, RankJob};
use super::outputs::PictureGrid;
use super::report::{Facts, Report};
use super::system::System;
use super::{facts, failure};
use crate::prelude::*;
use crate::ranks::{Joined, Shared, Shares};

pub(super) fn solve(
    joined: &Joined,
    arguments: &Arguments,
    options: Options,
) -> anyhow::Result<Option<Failure>> {
    let outputs = joined.agree(on_ranks::plan(arguments))?;
    let system = joined.agree(System::load(arguments))?;
    let SystemMatrix::Grid(matrix) = &system.matrix else {
        unreachable!("it has three dimensions")
    };
    joined.agree(outputs.must_have_a_grid(&system.matrix).map_err(anyhow::Error::new))?;
    let (team, devices) = joined.team(&arguments.device)?;
    let partition = joined.agree(partition(arguments, matrix, team.communicator().size()))?;
    let sides = &system.sides;
    let job = RankJob { joined, arguments, team: &team, partition: &partition, sides };
    let (_, width) = partition.size();
    let rows = partition.stored(joined.rank()).rows;
    let digest = || checkpoint::of_grid(matrix, &partition.owned(joined.rank()));
    let solved = interrupt::watched(|| {
        let solver = Solver::of_grid(&team, &partition, matrix, options).map_err(refused)?;
        job.solve(solver, digest, rows.start * width..rows.end * width)
    })?;
    let history = History::new(sides, &solved);
    let whole = gathered(&job, &solved)?;
    let solutions: Vec<&[f64]> = whole.iter().map(Vec::as_slice).collect();
    let facts = facts(&team.contexts()[0], &system, &solutions, solved.has_constant_null_space);
    let facts = Facts { ranks: Some(Shares::of(&partition, devices)), ..facts };
    let report = Report::new(arguments, facts, &outputs, &solved);
    let grid = Some(PictureGrid::Space(matrix.grid()));
    let title = report.title();
    let written = match joined.rank() {
        0 => interrupt::writing(|| outputs.write(sides, &solutions, grid, &title, &history)),
        _ => Ok(()),
    };
    joined.agree(written)?;
    output::show(arguments.json, &report, || report.text(arguments.verbose))?;
    Ok(failure(&outputs, &solved))
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

/// The whole solutions, on the first rank alone.
fn gathered(job: &RankJob<'_>, solved: &Solved) -> anyhow::Result<Vec<Vec<f64>>> {
    let shared = Shared { joined: job.joined, partition: job.partition, owned: &[] };
    let mut whole = Vec::new();
    for solution in solved.reached() {
        whole.extend(shared.gathered(&solution.x)?);
    }
    Ok(whole)
}
