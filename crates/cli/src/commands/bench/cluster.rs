//! `quadrille bench cluster`.

use std::rc::Rc;

use quadrille::cluster::{Communicator, InProcess};
use quadrille_lab::cluster::{self, Message, Plan, Row, Table};
use quadrille_lab::table::Rows;

use super::{CommonArguments, SPREAD, draw, judge, measured, show, wrong};
use crate::prelude::*;
use crate::ranks;
use crate::ranks::Joined;

const ABOUT: &str = "\
Measures computing on several ranks: mpirun's processes, each with its device (a build with MPI), or ranks within
this process, whose contexts take the devices in turn.

jacobi: steps of Jacobi's iteration on heat9, with halos exchanged every k-th step. weak: each rank has a square grid of
--side; strong: all together have it. median: messages go while devices compute what needs none; \"not hidden\": devices
wait for them; \"no exchange\": without any. hidden: the share of the exchange that computing hides; of messages: the same of what
an exchange takes beside the work of devices that gather and spread, which they cannot do while they compute.
solve: poisson5 up to a relative residual of 1e-8 by conjugate gradients with multigrid, once it is set up, on grids of one
point less along each side.
product: C = A B by SUMMA, from operands in the hosts' memory to C on the devices. weak: each rank has as much of C as
one alone; strong: the same product. on-device: one device that has the operands.
efficiency: the rate, divided by the ranks and the rate of one rank.

A message between the first rank and the last is timed, there and back.

Jacobi's steps are compared with one rank's, solutions with the answer, products with double precision. Several ranks on one device, or on one
software renderer, show that results are right, not how fast several devices are.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench cluster --ranks 1,2
  quadrille bench cluster --side 256 --halos 1,2,4 --plot scaling.svg
  mpirun -n 4 quadrille bench cluster --side 4096 --product 16384 --json";

/// Measure how work scales over several ranks, and what messages take
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
#[command(mut_arg("json", |json| json.help("Print one JSON object instead of tables")))]
pub(super) struct ClusterBench {
    /// The numbers of ranks [default: 1, 2, 4 and so on, up to mpirun's processes, or 4]
    #[arg(long, value_name = "R,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=4096))]
    ranks: Vec<u64>,

    /// The side of the grid of one rank [default: 4096, on a software renderer 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(64..=1 << 16))]
    side: Option<u64>,

    /// The depths of halos, in steps
    #[arg(long, value_name = "K,...", value_delimiter = ',', default_value = "1,4")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=31))]
    halos: Vec<u64>,

    /// The side of the matrices of one rank; 0 for no products [default: 8192, on a software
    /// renderer 512]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1 << 17))]
    product: Option<u64>,

    /// Leave solutions out
    #[arg(long)]
    no_solve: bool,

    /// The number of runs of each
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    /// Draw efficiencies over ranks, and times of messages
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    device: &'a str,
    software: bool,
    /// Whether ranks are processes, with MPI.
    processes: bool,
    stopped: bool,
    rows: Rows<'a, Row>,
    messages: Rows<'a, Message>,
}

pub(super) fn run(bench: &ClusterBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    match ranks::launched() {
        None => {
            let counts = bench.counts(4);
            let most = counts.last().copied().unwrap_or(1);
            let all: Rc<dyn Communicator> = Rc::new(InProcess::new(most));
            let context = |turn| bench.common.device.context_in_turn(turn);
            let contexts = (0..most).map(context).collect::<Result<Vec<_>, _>>()?;
            bench.measure(&all, &contexts, counts)
        }
        Some(_) => Joined::new()?.run(|joined| {
            let all = joined.communicator();
            let counts = bench.counts(all.size());
            if let Some(most) = counts.last().filter(|most| **most > all.size()) {
                let text =
                    format!("{most} ranks need as many processes, but there are {}", all.size());
                return Ok(Some(Failure::Input { text }));
            }
            let (team, _) = joined.team(&bench.common.device)?;
            bench.measure(&all, team.contexts(), counts)?;
            Ok(None)
        }),
    }
}

impl ClusterBench {
    /// The numbers of ranks, in order and each once.
    fn counts(&self, most: usize) -> Vec<usize> {
        let mut counts: Vec<usize> = match &self.ranks[..] {
            [] => (0..)
                .map(|power| 1 << power)
                .take_while(|count| *count < most)
                .chain([most])
                .collect(),
            named => super::sizes(named),
        };
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    fn measure(
        &self,
        all: &Rc<dyn Communicator>,
        contexts: &[Context],
        ranks: Vec<usize>,
    ) -> anyhow::Result<()> {
        let Some(abilities) = contexts.first().map(Context::abilities) else { return Ok(()) };
        let default = |hardware, software| if abilities.software { software } else { hardware };
        let product = self.product.map_or(default(8192, 512), |n| n as usize);
        let plan = Plan {
            ranks,
            side: self.side.map_or(default(4096, 256), |side| side as usize).next_multiple_of(4),
            halos: super::sizes(&self.halos),
            solve: !self.no_solve,
            product: (product > 0).then_some(product),
            runs: self.runs as usize,
        };
        let table = measured("bench", |observer| cluster::run(all, contexts, &plan, observer))?;
        let report = Report {
            device: &abilities.renderer,
            software: abilities.software,
            processes: ranks::launched().is_some(),
            stopped: table.stopped,
            rows: Rows { columns: Row::columns(), rows: &table.rows },
            messages: Rows { columns: Message::columns(), rows: &table.messages },
        };
        if ranks::rank() == 0 {
            let figures = cluster::figures(&table.rows, &table.messages);
            let device = match report.shown_as() {
                "" => report.device.to_owned(),
                says => format!("{} ({says})", report.device),
            };
            draw(self.plot.as_deref(), figures, &device)?;
        }
        show(self.common.json, &report, || report.text())?;
        judge_all(&table)
    }
}

fn judge_all(table: &Table) -> anyhow::Result<()> {
    let name = |row: &Row| format!("{} on {} ranks", row.work.name(), row.ranks);
    let mut all = wrong(&table.rows, name);
    let messages = table.messages.iter().filter(|message| !message.right);
    all.extend(messages.map(|message| format!("a message of {} bytes", message.bytes)));
    judge(&all, table.stopped)
}

impl Report<'_> {
    /// The note about what the numbers do not show.
    fn shown_as(&self) -> &'static str {
        match (self.software, self.processes) {
            (true, _) => {
                "several ranks on a software renderer show that results are right, not how fast devices are"
            }
            (false, false) => "ranks within one process",
            (false, true) => "",
        }
    }

    fn text(&self) -> String {
        let says = match self.shown_as() {
            "" => String::new(),
            says => format!("; {says}"),
        };
        let mut text = format!("{}{says}\n\n{}\n\n{SPREAD}", self.device, self.rows.text(2));
        if !self.messages.rows.is_empty() {
            text += &format!("\n\n{}", self.messages.text(0));
        }
        text
    }
}
