//! Products of dense matrices over several ranks, C = A B, and of matrices that no memory holds.
//!
//! The algorithm is SUMMA (van de Geijn and Watts 1997, *SUMMA: Scalable Universal Matrix Multiplication Algorithm*): ranks form a grid,
//! and each computes a block of C. The inner dimension is cut into panels; the ranks that have a panel of A broadcast it along their rows
//! of ranks, those that have the panel of B along their columns, and each rank adds the product of the two to its block. While a device
//! multiplies, its host reads and exchanges the next panel.
//!
//! A rank's block is computed in tiles where its device does not hold all of it, and in several passes over all panels where that, or the memory
//! that may be taken, does not hold all tiles: so a single rank multiplies matrices of any size from files.
//!
//! **Error.** As of [`linalg::matmul`](crate::linalg::matmul), at most gamma_k; where the method does not add to C by itself, the sums of
//! s panels of t steps are added in the order of k, and the bound is gamma_(t + s). The panels are the same on any grid of ranks: so are
//! the bits of C, where the devices compute alike, by one method. NaN and infinities go where they go on one rank.
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
mod setup;
mod share;
mod source;
mod strip;
mod tiling;

use std::time::{Duration, Instant};

use crate::Shape;
use crate::data::{Block, Matrix};
use crate::linalg::matmul::{Element, Method};
use crate::observer::{Control, Observer, Progress};

use self::broadcast::{Exchanged, Role, exchange, role, rounds};
use self::setup::{Setup, set_up};
use self::share::Share;
use self::tiling::Pass;
use super::{Communicator, collective};

pub use self::error::Error;
#[cfg(feature = "files")]
pub use self::files::{NpySource, NpyTarget};
pub use self::layout::{Layout, RankGrid};
pub use self::options::Options;
pub use self::share::Rank;
pub use self::source::{Part, Source, Target};

/// What a product took.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The cuts.
    pub layout: Layout,
    /// The method of this process's first rank; none for an empty product.
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
    /// Of it: compiling kernels and making room.
    pub setup: Duration,
    /// Reading panels from their sources.
    pub reading: Duration,
    /// Exchanging panels.
    pub exchanging: Duration,
    /// Waiting for devices after the last panel of each pass.
    pub waiting: Duration,
    /// Reading C back and handing it on.
    pub finishing: Duration,
}

/// Multiplies. `local` has this process's ranks in their order; all processes call this with the same options. C is handed on tile by tile, and
/// complete when this returns on all processes.
///
/// # Errors
///
/// [`Error::Inner`], [`Error::TooManyRanks`] and their like for shapes and ranks that do not fit, [`Error::Memory`], [`Error::Stopped`] by the
/// observer of any process, errors of sources, targets and devices.
pub fn multiply<T: Element>(
    ranks: &dyn Communicator,
    local: &mut [Rank<'_, T>],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let begun = Instant::now();
    let layout = layout_of(ranks, local, options)?;
    let mut summary = Summary::of(layout);
    if layout.a.rows == 0 || layout.b.cols == 0 || layout.a.cols == 0 {
        write_zeros(ranks, &layout, local)?;
        return Ok(summary);
    }
    let Setup { tiling, shares, method } = set_up(ranks, &layout, local, options)?;
    summary.method = method;
    summary.options = shares.first().map_or_else(String::new, Share::options);
    (summary.passes, summary.tiles) = (tiling.passes().len(), tiling.down * tiling.across);
    summary.setup = begun.elapsed();
    let run = Run { ranks, layout, local, shares, summary: &mut summary };
    run.all(&tiling.passes(), observer)?;
    summary.total = begun.elapsed();
    Ok(summary)
}

fn layout_of<T: Element>(
    ranks: &dyn Communicator,
    local: &[Rank<'_, T>],
    options: &Options,
) -> Result<Layout, Error> {
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

/// A product without any terms.
fn write_zeros<T: Element>(
    ranks: &dyn Communicator,
    layout: &Layout,
    local: &mut [Rank<'_, T>],
) -> Result<(), Error> {
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
    shares: Vec<Share<T>>,
    summary: &'a mut Summary,
}

impl<T: Element> Run<'_, '_, T> {
    fn all(mut self, passes: &[Pass], observer: &mut dyn Observer) -> Result<(), Error> {
        let panels = self.layout.panels();
        let steps = panels * passes.len();
        let pass_of = |step: usize| passes.get(step / panels).map(|pass| (pass, step % panels));
        for step in 0..steps {
            let progress =
                Progress { done: step as u64, expected: Some(steps as u64), residual: None };
            let stop = observer.observe(&progress) == Control::Stop;
            if collective::any(self.ranks, stop)? {
                return Err(Error::Stopped { done: step as u64, steps: steps as u64 });
            }
            let Some((pass, panel)) = pass_of(step) else { break };
            if step == 0 {
                self.fetch(step, pass, panel)?;
            }
            for (share, rank) in self.shares.iter_mut().zip(&*self.local) {
                share.add(step, pass, rank.context)?;
            }
            // While the devices multiply.
            if let Some((pass, panel)) = pass_of(step + 1) {
                self.fetch(step + 1, pass, panel)?;
            }
            if panel + 1 == panels {
                self.finish(pass)?;
            }
        }
        Ok(())
    }

    /// Gets a panel into the staging memory of all local ranks.
    fn fetch(&mut self, step: usize, pass: &Pass, panel: usize) -> Result<(), Error> {
        let begun = Instant::now();
        let layout = self.layout;
        for (share, rank) in self.shares.iter_mut().zip(&mut *self.local) {
            share.fill(step, (&layout, pass, panel), rank)?;
        }
        let read = Instant::now();
        let RankGrid { columns, rows } = layout.grid;
        for round in 0..rounds(columns).max(rounds(rows)) {
            let strips = self
                .shares
                .iter_mut()
                .flat_map(|share| in_round(share, &layout, (pass, panel, round)));
            self.summary.sent_bytes += exchange(self.ranks, step, strips)?;
        }
        self.summary.reading += read - begun;
        self.summary.exchanging += read.elapsed();
        Ok(())
    }

    fn finish(&mut self, pass: &Pass) -> Result<(), Error> {
        let begun = Instant::now();
        self.local.iter().try_for_each(|rank| rank.context.finish())?;
        let waited = Instant::now();
        for (share, rank) in self.shares.iter_mut().zip(&mut *self.local) {
            share.finish(pass, &self.layout, rank)?;
        }
        self.summary.waiting += waited - begun;
        self.summary.finishing += waited.elapsed();
        Ok(())
    }
}

/// The strips that a rank sends or receives in a round.
fn in_round<'a, T: Element>(
    share: &'a mut Share<T>,
    layout: &Layout,
    (pass, panel, round): (&Pass, usize, u32),
) -> impl Iterator<Item = Exchanged<'a, T>> + use<'a, T> {
    let (grid, rank) = (layout.grid, share.rank);
    let (column, row) = (grid.column_of(rank), grid.row_of(rank));
    let numbered = |role: Role, number: &dyn Fn(usize) -> usize| match role {
        Role::Sends(to) => Role::Sends(number(to)),
        Role::Receives(from) => Role::Receives(number(from)),
        Role::Waits => Role::Waits,
    };
    let along = role(column, layout.owner_of_a(panel), grid.columns, round);
    let along = numbered(along, &|column| grid.rank(column, row));
    let down = role(row, layout.owner_of_b(panel), grid.rows, round);
    let down = numbered(down, &|row| grid.rank(column, row));
    let of_a = share.a.iter_mut().take(pass.rows.len());
    let of_b = share.b.iter_mut().take(pass.columns.len());
    let of_a = of_a.map(move |strip| Exchanged { rank, role: along, strip });
    of_a.chain(of_b.map(move |strip| Exchanged { rank, role: down, strip }))
}
