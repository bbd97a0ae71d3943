//! The bench of several ranks: how steps of Jacobi's iteration and products scale, what exchanges
//! take of it and how much of that is hidden, and what messages take.
//!
//! All processes do the same: what one decides by its clock all agree on. Fewer ranks than there
//! are run on the first ones, while the others wait.

mod figures;
mod first_ranks;
mod jacobi;
mod messages;
mod product;
mod row;
mod solve;

use std::rc::Rc;

use quadrille::cluster::{Communicator, Partition, Team, collective};
use quadrille::gl::Context;
use quadrille::{Control, Observer, Progress};

pub use self::figures::figures;
pub use self::messages::{Line, Message};
pub use self::row::{Row, Scaling, Work};

use self::jacobi::Case;
use crate::Result;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Numbers of ranks, each once and in order; at least 1.
    pub ranks: Vec<usize>,
    /// The side of the grid of one rank.
    pub side: usize,
    /// The depths of halos, in steps.
    pub halos: Vec<usize>,
    /// Whether solutions by conjugate gradients with multigrid are measured, on grids of a point
    /// less on each side.
    pub solve: bool,
    /// The side of the matrices of one rank; no products without it.
    pub product: Option<usize>,
    pub runs: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub rows: Vec<Row>,
    pub messages: Vec<Message>,
    /// Whether the observer of any process stopped it.
    pub stopped: bool,
}

/// The kinds of measurement.
#[derive(Clone, Copy, Debug)]
enum Item {
    Messages,
    Steps { scaling: Scaling, ranks: usize, halo: usize },
    Solve { scaling: Scaling, ranks: usize },
    Product { scaling: Scaling, ranks: usize },
    OnDevice,
}

/// Measures on the ranks of a communicator, of which this process has as many contexts as are its
/// own. The table of the first process is whole.
pub fn run(
    ranks: &Rc<dyn Communicator>,
    contexts: &[Context],
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Table> {
    let items = plan.items();
    let mut table = Table::default();
    for (done, item) in items.iter().enumerate() {
        let (done, expected) = (done as u64, Some(items.len() as u64));
        let stop = observer.observe(&Progress::new(done, expected)) == Control::Stop;
        if collective::any(&**ranks, stop)? {
            table.stopped = true;
            break;
        }
        let team = first_ranks::first(ranks, contexts, item.ranks(ranks.size()))?;
        let takes_part = !team.contexts().is_empty();
        if takes_part {
            measure(&team, plan, *item, &mut table)?;
        }
    }
    row::compare(&mut table.rows);
    Ok(table)
}

fn measure(team: &Team, plan: &Plan, item: Item, table: &mut Table) -> Result<()> {
    let cut = |scaling: Scaling, ranks: usize| {
        let side = plan.side;
        let across = Partition::across_for(ranks, (side * side, side), false).unwrap_or([1, 1]);
        match scaling {
            Scaling::Weak => (across, across.map(|ranks| side * ranks)),
            Scaling::Strong => (across, [side; 2]),
        }
    };
    match item {
        Item::Messages => table.messages = messages::measured(team.communicator())?,
        Item::Steps { scaling, ranks, halo } => {
            let (across, size) = cut(scaling, ranks);
            table.rows.push(jacobi::row(team, &Case { scaling, across, size, halo }, plan.runs)?);
        }
        Item::Solve { scaling, ranks } => {
            let (across, size) = cut(scaling, ranks);
            let size = size.map(|side| side - 1);
            table.rows.push(solve::row(team, scaling, across, size, plan.runs)?);
        }
        Item::Product { scaling, ranks } => {
            let n = plan.product.unwrap_or_default();
            let n = match scaling {
                // A rank has as much of C as one alone.
                Scaling::Weak => (n as f64 * (ranks as f64).sqrt()).round() as usize,
                _ => n,
            };
            table.rows.push(product::row(team, scaling, n, plan.runs)?);
        }
        Item::OnDevice => {
            if let (Some(context), Some(n)) = (team.contexts().first(), plan.product) {
                table.rows.push(product::on_device(context, n, plan.runs)?);
            }
        }
    }
    Ok(())
}

impl Item {
    fn ranks(self, all: usize) -> usize {
        match self {
            Item::Messages => all,
            Item::Steps { ranks, .. } | Item::Solve { ranks, .. } | Item::Product { ranks, .. } => {
                ranks
            }
            Item::OnDevice => 1,
        }
    }
}

impl Plan {
    fn items(&self) -> Vec<Item> {
        let mut items = vec![Item::Messages];
        // One rank is both.
        let both = |ranks: &[usize]| -> Vec<(Scaling, usize)> {
            let weak = ranks.iter().map(|ranks| (Scaling::Weak, *ranks));
            let strong = ranks.iter().filter(|ranks| **ranks > 1);
            weak.chain(strong.map(|ranks| (Scaling::Strong, *ranks))).collect()
        };
        for halo in &self.halos {
            let all = both(&self.ranks).into_iter();
            items.extend(all.map(|(scaling, ranks)| Item::Steps { scaling, ranks, halo: *halo }));
        }
        if self.solve {
            let all = both(&self.ranks).into_iter();
            items.extend(all.map(|(scaling, ranks)| Item::Solve { scaling, ranks }));
        }
        if self.product.is_some() {
            items.push(Item::OnDevice);
            let all = both(&self.ranks).into_iter();
            items.extend(all.map(|(scaling, ranks)| Item::Product { scaling, ranks }));
        }
        items
    }
}
