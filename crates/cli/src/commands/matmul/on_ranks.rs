//! A product on several ranks, by SUMMA: each reads the parts of the files that it needs, and
//! writes its part of C.

use quadrille::Shape;
use quadrille::cluster::collective;
use quadrille::cluster::matmul::{self, Error, NpySource, NpyTarget, Rank, RankGrid, Target};
use quadrille::io::npy;
use quadrille::linalg::matmul::Element;

use super::arguments::Arguments;
use super::in_parts::{Nowhere, shape, share_of_memory, stopped, told};
use super::report::Report;
use crate::output::progress::with_bar;
use crate::prelude::*;
use crate::ranks::{Joined, Shares};

pub(super) fn multiply<T: Element + npy::Element>(
    arguments: &Arguments,
    files: (&Path, &Path),
) -> anyhow::Result<()> {
    Joined::new()?.run(|joined| shared::<T>(joined, arguments, files))
}

fn shared<T: Element + npy::Element>(
    joined: &Joined,
    arguments: &Arguments,
    (a, b): (&Path, &Path),
) -> anyhow::Result<Option<Failure>> {
    joined.agree(check(arguments))?;
    let open = |path| NpySource::open(path).map_err(anyhow::Error::new);
    let (mut a, mut b) = joined.agree(open(a).and_then(|a| Ok((a, open(b)?))))?;
    let (team, devices) = joined.team(&arguments.device)?;
    let (ranks, context) = (team.communicator(), &team.contexts()[0]);
    let (grid, c) = joined.agree(cut(arguments, ranks.size(), (shape(&a), shape(&b))))?;
    let memory = share_of_memory(arguments, joined.on_host());
    let options = matmul::Options::default().product(arguments.options.0).grid(grid);
    let options = memory.map_or(options, |memory| options.memory(memory));
    let mut run = |c: &mut dyn Target<T>| {
        let mut local = [Rank { context, a: &mut a, b: &mut b, c }];
        with_bar("product", |bar| matmul::multiply(ranks, &mut local, &options, bar))
    };
    let product = match &arguments.output {
        None => run(&mut Nowhere),
        Some(path) => {
            let (parts, unnamed) = joined.file::<T>(path, &[c.rows, c.cols])?.split();
            let mut target = NpyTarget::new(parts);
            let product = run(&mut target);
            if product.is_ok() {
                unnamed.finish(joined, interrupt::writing(|| target.finish()))?;
            }
            product
        }
    };
    let summary = match product {
        Ok(summary) => summary,
        // All ranks stop at the same step.
        Err(Error::Stopped { done, steps }) => return Ok(Some(stopped(done, steps))),
        Err(error) => return Err(told(error)),
    };
    note_rounded(joined, arguments, [&a, &b])?;
    let report = Report::in_parts::<T>(arguments, context, &summary);
    let report = report.on_ranks(Shares::of_product([grid.columns, grid.rows], devices));
    output::show(arguments.json, &report, || report.text())?;
    Ok(None)
}

/// Refuses what ranks cannot do, and a file that could not be written.
fn check(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.check {
        let text = "--check compares with matrices in the memory of one process: run it without mpirun, or omit it";
        return Err(Failure::Input { text: text.into() }.into());
    }
    Ok(output::check_file(arguments.output.as_deref(), ".npy")?)
}

/// The grid of ranks, and the shape of C.
fn cut(
    arguments: &Arguments,
    ranks: usize,
    (a, b): (Shape, Shape),
) -> anyhow::Result<(RankGrid, Shape)> {
    let c = Shape::new(a.rows, b.cols);
    let grid = match arguments.ranks.across(ranks)? {
        Some([columns, rows]) => RankGrid { columns, rows },
        None => RankGrid::of(ranks, c),
    };
    // Refuses operands that do not fit.
    matmul::Layout::new(a, b, grid, None)?;
    Ok((grid, c))
}

/// Any rank may have read what does not fit single precision.
fn note_rounded(
    joined: &Joined,
    arguments: &Arguments,
    sources: [&NpySource; 2],
) -> anyhow::Result<()> {
    for (source, path) in sources.into_iter().zip([&arguments.a, &arguments.b]) {
        let rounded = collective::any(&*joined.communicator(), source.is_rounded())?;
        if let (true, Some(path)) = (rounded, path) {
            super::note_rounded(path);
        }
    }
    Ok(())
}
