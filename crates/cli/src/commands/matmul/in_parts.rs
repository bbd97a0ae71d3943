//! Products of files that the memory does not hold: parts of them are read as they are needed, and
//! C is written tile by tile.

use quadrille::cluster::matmul::{
    self, Error, NpySource, NpyTarget, Rank, Source, Summary, Target,
};
use quadrille::cluster::{InProcess, OnHost};
use quadrille::data::Block;
use quadrille::io::npy::{self, Parts, Unfinished};
use quadrille::linalg::matmul::Element;
use quadrille::memory::available;
use quadrille::{Shape, io};

use super::arguments::Arguments;
use super::bytes::readable;
use crate::output::progress::with_bar;
use crate::prelude::*;

/// The two files, and the memory that may be taken, where that does not hold a product of them.
pub(super) struct TooLarge {
    a: NpySource,
    b: NpySource,
    /// The memory that a product in memory would need, and the memory that may be used.
    needed: u64,
    memory: u64,
}

/// The copies of the three matrices that a product in memory has at a time, at most: those of the
/// host, as they are packed and sent or received, and on a device without memory of its own.
const COPIES: u64 = 4;

/// Whether the files are larger than fits. What is no file on a disk can only be read as a whole.
pub(super) fn too_large(
    arguments: &Arguments,
    (a, b): (&Path, &Path),
) -> Result<Option<TooLarge>, io::Error> {
    let is_file = |path: &Path| std::fs::metadata(path).is_ok_and(|there| there.is_file());
    let Some(memory) = share_of_memory(arguments, OnHost { rank: 0, ranks: 1 }) else {
        return Ok(None);
    };
    if !is_file(a) || !is_file(b) {
        return Ok(None);
    }
    let (a, b) = (NpySource::open(a)?, NpySource::open(b)?);
    let (of_a, of_b) = (shape(&a), shape(&b));
    let bytes =
        |rows: usize, cols: usize| (rows as u64).saturating_mul(cols as u64).saturating_mul(4);
    let all = [(of_a.rows, of_a.cols), (of_b.rows, of_b.cols), (of_a.rows, of_b.cols)];
    let all =
        all.into_iter().fold(0_u64, |sum, (rows, cols)| sum.saturating_add(bytes(rows, cols)));
    let needed = all.saturating_mul(COPIES);
    Ok((needed > memory).then_some(TooLarge { a, b, needed, memory }))
}

/// The memory that a process may use: the option's, or its share of what is left, if the system
/// reports that.
pub(super) fn share_of_memory(arguments: &Arguments, on_host: OnHost) -> Option<u64> {
    arguments.memory.or_else(|| Some(available()? / 4 * 3 / on_host.ranks.max(1) as u64))
}

pub(super) fn shape(source: &NpySource) -> Shape {
    Source::<f32>::shape(source)
}

/// C of a product that is only timed.
pub(super) struct Nowhere;

impl<T> Target<T> for Nowhere {
    fn write(&mut self, _: &Block, _: &[T], _: usize) -> Result<(), Error> {
        Ok(())
    }
}

/// Multiplies, and gives C its name if all went well.
pub(super) fn multiply<T: Element + npy::Element>(
    arguments: &Arguments,
    context: &Context,
    files: TooLarge,
) -> anyhow::Result<Summary> {
    let TooLarge { mut a, mut b, needed, memory } = files;
    if arguments.check {
        let text = "--check compares with matrices in memory, which holds not all of these; omit --check, or allow more by \
                    --memory";
        return Err(Failure::Input { text: text.into() }.into());
    }
    output::note(&format!(
        "note: a product in memory would take {}, of which {} may be taken: parts of the files are read as they are needed",
        readable(needed),
        readable(memory)
    ));
    let options = matmul::Options::default().product(arguments.options.0).memory(memory);
    let run = |a: &mut NpySource, b: &mut NpySource, c: &mut dyn Target<T>| {
        let ranks = InProcess::new(1);
        let mut local = [Rank { context, a, b, c }];
        with_bar("product", |bar| matmul::multiply(&ranks, &mut local, &options, bar)).map_err(told)
    };
    let summary = match &arguments.output {
        None => run(&mut a, &mut b, &mut Nowhere)?,
        Some(path) => {
            let c = Shape::new(shape(&a).rows, shape(&b).cols);
            let whole = Unfinished::create::<T>(path, &[c.rows, c.cols])?;
            let mut target = NpyTarget::new(Parts::open(whole.temporary(), path)?);
            let summary = run(&mut a, &mut b, &mut target)?;
            interrupt::writing(|| target.finish().and_then(|()| whole.finish()))?;
            summary
        }
    };
    for (source, path) in [(&a, &arguments.a), (&b, &arguments.b)] {
        if let (true, Some(path)) = (source.is_rounded(), path) {
            super::note_rounded(path);
        }
    }
    Ok(summary)
}

pub(super) fn stopped(done: u64, steps: u64) -> Failure {
    let share = 100 * done / steps.max(1);
    interrupt::stopped(format!(" after {share} % of the product; nothing was written"))
}

pub(super) fn told(error: Error) -> anyhow::Error {
    match error {
        Error::Stopped { done, steps } => stopped(done, steps).into(),
        error => error.into(),
    }
}
