//! Products of dense matrices over several ranks, C = A B, also of matrices larger than the memory.
//!
//! The algorithm is SUMMA (van de Geijn and Watts 1997, *SUMMA: Scalable Universal Matrix
//! Multiplication Algorithm*): ranks form a grid, and each computes a block of C. The inner
//! dimension is cut into panels; the ranks that have a panel of A broadcast it along their rows of
//! ranks, those that have the panel of B along their columns, and each rank adds the product of the
//! two to its block. While a device multiplies, its host exchanges the next panel and reads the one
//! after.
//!
//! A rank's block is computed in tiles where its device does not hold all of it, and in several
//! passes over all panels where that, or the memory that may be taken, does not hold all tiles: so
//! a single rank multiplies matrices of any size from files.
//!
//! **Error.** As of [`linalg::matmul`](crate::linalg::matmul), at most gamma_k; where the method
//! does not add to C by itself, the sums of s panels of t steps are added in the order of k, and
//! the bound is gamma_(t + s). The panels are the same on any grid of ranks: so are the bits of C,
//! where the devices compute alike, by one method. NaN and infinities appear where they do on one
//! rank.
//!
//! ```
//! use quadrille::cluster::{InProcess, matmul::{self, Layout, Options, Part, Rank, RankGrid}};
//! use quadrille::{Context, Shape, data::Matrix};
//! let (context, ranks) = (Context::headless()?, InProcess::new(1));
//! let mut a = Part::whole(Matrix::from_slices(&[&[1.0_f32, 2.0], &[3.0, 4.0]])?);
//! let mut b = Part::whole(Matrix::from_slices(&[&[5.0_f32], &[6.0]])?);
//! let mut c = Part::whole(Matrix::zeros(Shape::new(2, 1))?);
//! let rank = Rank { context: &context, a: &mut a, b: &mut b, c: &mut c };
//! matmul::multiply(&ranks, &mut [rank], &Options::default(), &mut ())?;
//! assert_eq!(c.into_matrix().elements(), [17.0, 39.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod broadcast;
mod error;
#[cfg(feature = "files")]
mod files;
mod layout;
mod options;
mod rank_product;
mod setup;
mod source;
mod step;
mod strip;
mod tiling;

use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use crate::Shape;
use crate::clock::Instant;
use crate::data::{Block, Matrix};
use crate::linalg::matmul::{Element, Method};
use crate::stream::observer::{Control, Observer, Progress};

use self::broadcast::{Exchanged, exchange};
use self::rank_product::{RankProduct, Reading, StripMemory};
use self::setup::{Setup, set_up};
use self::step::Step;
use self::tiling::Pass;
use super::Communicator;
use super::collective;

pub use self::error::{Error, Result};
#[cfg(feature = "files")]
pub use self::files::{NpySource, NpyTarget};
pub use self::layout::{Layout, RankGrid};
pub use self::options::Options;
pub use self::rank_product::Rank;
pub use self::source::{Part, Source, Target};

/// The times, the sizes and the options of a product.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The cuts.
    pub layout: Layout,
    /// The method of this process's first rank; `None` for an empty product.
    pub method: Option<Method>,
    /// The options that ran, as text.
    pub options: String,
    /// The passes over all panels.
    pub passes: usize,
    /// The tiles of a rank's block that are computed at once.
    pub tiles: usize,
    /// The bytes that the ranks of this process sent.
    pub sent_bytes: u64,
    /// The time of all.
    pub total: Duration,
    /// The part of it that compiled kernels and allocated memory.
    pub setup: Duration,
    /// The part that exchanged panels, while the next ones were read.
    pub exchanging: Duration,
    /// The part that waited for panels to be read from their sources.
    pub reading: Duration,
    /// The part that waited for devices.
    pub waiting: Duration,
    /// The part that read C back and handed it on.
    pub finishing: Duration,
}

/// Computes C = A B. `local` has this process's ranks in their order; all processes call this with
/// the same options. C is passed to the targets tile by tile, and is complete when this returns on
/// all processes.
///
/// # Errors
///
/// [`Error::Inner`], [`Error::TooManyRanks`] and similar errors for shapes and ranks that do not
/// fit, [`Error::Memory`], [`Error::Stopped`] by the observer of any process, errors of sources,
/// targets and devices.
pub fn multiply<T: Element>(
    ranks: &dyn Communicator,
    local: &mut [Rank<'_, T>],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Summary> {
    let begun = Instant::now();
    let layout = layout_of(ranks, local, options)?;
    let mut summary = Summary::of(layout);
    if layout.a.rows == 0 || layout.b.cols == 0 || layout.a.cols == 0 {
        write_zeros(ranks, &layout, local)?;
        return Ok(summary);
    }
    let Setup { tiling, products, method } = set_up(ranks, &layout, local, options)?;
    summary.method = method;
    summary.options = products.first().map_or_else(String::new, RankProduct::options);
    (summary.passes, summary.tiles) = (tiling.passes().len(), tiling.down * tiling.across);
    summary.setup = begun.elapsed();
    let run = Run { ranks, layout, local, products, summary: &mut summary };
    run.all(&tiling.passes(), observer)?;
    summary.total = begun.elapsed();
    Ok(summary)
}

fn layout_of<T: Element>(
    ranks: &dyn Communicator,
    local: &[Rank<'_, T>],
    options: &Options,
) -> Result<Layout> {
    let (expected, got) = (ranks.local().len(), local.len());
    let first = local.first().filter(|_| expected == got).ok_or(Error::Local { expected, got })?;
    let (a, b) = (first.a.shape(), first.b.shape());
    let grid =
        options.grid.unwrap_or_else(|| RankGrid::of(ranks.size(), Shape::new(a.rows, b.cols)));
    let RankGrid { columns, rows } = grid;
    if columns.checked_mul(rows) != Some(ranks.size()) {
        return Err(Error::Grid { columns, rows, ranks: ranks.size() });
    }
    Layout::new(a, b, grid, options.width)
}

/// Returns a product without any terms.
fn write_zeros<T: Element>(
    ranks: &dyn Communicator,
    layout: &Layout,
    local: &mut [Rank<'_, T>],
) -> Result<()> {
    for (rank, own) in ranks.local().zip(local) {
        let Block { columns, rows } = layout.of_c(rank);
        let zeros = Matrix::<T>::zeros(Shape::new(1, columns.len()))?;
        for row in rows.filter(|_| !columns.is_empty()) {
            let line = Block { columns: columns.clone(), rows: row..row + 1 };
            own.c.write(&line, zeros.elements(), columns.len())?;
        }
    }
    Ok(())
}

impl Summary {
    fn of(layout: Layout) -> Summary {
        Summary {
            layout,
            method: None,
            options: String::new(),
            passes: 0,
            tiles: 0,
            sent_bytes: 0,
            total: Duration::ZERO,
            setup: Duration::ZERO,
            reading: Duration::ZERO,
            exchanging: Duration::ZERO,
            waiting: Duration::ZERO,
            finishing: Duration::ZERO,
        }
    }
}

/// The steps of a product: each pass has all panels.
struct Run<'a, 'b, T: Element> {
    ranks: &'a dyn Communicator,
    layout: Layout,
    local: &'a mut [Rank<'b, T>],
    products: Vec<RankProduct<T>>,
    summary: &'a mut Summary,
}

impl<T: Element> Run<'_, '_, T> {
    fn all(mut self, passes: &[Pass], observer: &mut dyn Observer) -> Result<()> {
        let layout = self.layout;
        let steps = layout.panels() * passes.len();
        let at = |number: usize| Step::new(&layout, passes, number);
        for number in 0..steps {
            let progress = Progress::new(number as u64, Some(steps as u64));
            let stop = observer.observe(&progress) == Control::Stop;
            if collective::any(self.ranks, stop)? {
                return Err(Error::Stopped { done: number as u64, steps: steps as u64 });
            }
            let Some(step) = at(number) else { break };
            if number == 0 {
                self.fetch(None, at(0))?;
                self.fetch(at(0), at(1))?;
            }
            for (product, rank) in self.products.iter_mut().zip(&*self.local) {
                product.add(step, rank.context)?;
            }
            // While the devices multiply.
            self.fetch(at(number + 1), at(number + 2))?;
            if step.ends_pass() {
                self.finish(step.pass)?;
            }
        }
        Ok(())
    }

    /// Gets the panel of a step, which was read, to all local ranks, and reads the one after it
    /// meanwhile.
    fn fetch(&mut self, step: Option<Step<'_>>, next: Option<Step<'_>>) -> Result<()> {
        if step.or(next).is_none() {
            return Ok(());
        }
        let begun = Instant::now();
        let (mut held, mut readings) = (Vec::new(), Vec::new());
        for (product, rank) in self.products.iter_mut().zip(&mut *self.local) {
            let lent = product.lend(step, next, rank)?;
            held.extend(lent.held);
            readings.extend(lent.readings);
        }
        let lent = Instant::now();
        let (sent, exchanged) = thread::scope(|scope| {
            let read = || readings.into_iter().try_for_each(Reading::read);
            let reading = scope.spawn(read);
            let sent = step.map_or(Ok(0), |step| exchange_all(self.ranks, step, &mut held));
            let exchanged = Instant::now();
            reading.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            Ok::<_, Error>((sent?, exchanged))
        })?;
        self.summary.sent_bytes += sent;
        self.summary.waiting += lent - begun;
        self.summary.exchanging += exchanged - lent;
        self.summary.reading += exchanged.elapsed();
        Ok(())
    }

    fn finish(&mut self, pass: &Pass) -> Result<()> {
        let begun = Instant::now();
        self.local.iter().try_for_each(|rank| rank.context.finish())?;
        let waited = Instant::now();
        for (product, rank) in self.products.iter_mut().zip(&mut *self.local) {
            product.finish(pass, &self.layout, rank)?;
        }
        self.summary.waiting += waited - begun;
        self.summary.finishing += waited.elapsed();
        Ok(())
    }
}

/// Brings the panel of a step from who has it to all ranks, and returns the bytes that were sent.
fn exchange_all<T: Element>(
    ranks: &dyn Communicator,
    step: Step<'_>,
    held: &mut [StripMemory<'_, T>],
) -> Result<u64> {
    let in_round = |round: u32| {
        let strips = held.iter_mut().map(|StripMemory { rank, operand, memory }| Exchanged {
            rank: *rank,
            role: step.role(*operand, *rank, round),
            strip: memory,
        });
        exchange(ranks, strips)
    };
    (0..step.rounds()).map(in_round).sum()
}
