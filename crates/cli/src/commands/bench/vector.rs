//! `quadrille bench vector`.

mod report;

use clap::ValueEnum;

use quadrille_lab::document::vectors as document;
use quadrille_lab::table::Rows;
use quadrille_lab::vector::{self, Plan, Product, Row, Skipped, figures, findings};
use quadrille_vp::vector_machine::Processor;

use super::{CommonArguments, draw, judge, measured, or_all, show, sizes};
use crate::prelude::*;
use report::Report;

const ABOUT: &str = "\
Measures the tables and figures of Thompson, Hahn and Oskin's \"Using Modern Graphics Architectures for
General-Purpose Computing\" (2002) on each engine of the vector machine, beside straight loops on one CPU core, as
the paper has them, loops over 16 numbers at a time (cpu-lanes), and the paper's own milliseconds:
- table 4 and figure 4: arithmetic, exponents and factorial by size;
- figure 5: multiplications by number of opcodes, split into a fixed cost and a cost per opcode;
- table 5: the share of readback in the time;
- figure 6: a matrix product with one call per element.

The paper measured the sum of upload, computation and readback; here they are shown separately. Engines run in
turn, round after round. Every result is checked against double precision; one that rounding does not explain
fails the bench.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench vector
  quadrille bench vector --full --plot vector.svg
  quadrille bench vector --sizes 1000000 --engines fragment,vertex --json
  quadrille bench vector --only figure-6 --matmul-limit 1500";

/// Measure the vector machine on every engine
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
#[command(mut_arg("json", |json| json.help("Print one JSON object instead of tables")))]
pub(super) struct VectorBench {
    /// Measure only these: table-4, figure-5, table-5, figure-6
    #[arg(long, value_name = "PART,...", value_delimiter = ',', hide_possible_values = true)]
    only: Vec<Part>,

    /// The numbers of elements for table 4 [default: 10000, 100000, 1000000, and with --full
    /// 10000000]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 26))]
    sizes: Vec<u64>,

    /// The engines: attributes, vertex, feedback, fragment, compute, simulator (only at the
    /// smallest size) [default: all]
    #[arg(long, value_name = "ENGINE,...", value_delimiter = ',')]
    engines: Vec<Processor>,

    /// The number of runs
    #[arg(long, value_name = "K", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    /// Include the paper's own sizes: 10000000 elements in table 4, 5000000 in table 5
    #[arg(long)]
    full: bool,

    /// The number of elements for figure 5, and for table 5 without --full
    #[arg(long, value_name = "N", default_value_t = document::MULS_SIZE as u64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 26))]
    muls_size: u64,

    /// The sizes N of the N x N matrices for figure 6
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(default_values_t = [16, 32, 64, 128, 256, 512, 1500])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=4096))]
    matmul_sizes: Vec<u64>,

    /// The largest product that is computed completely; for larger ones some rows are computed, and
    /// the time is extrapolated
    #[arg(long, value_name = "N", default_value_t = 256)]
    matmul_limit: u64,

    /// Draw the figures to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    #[value(name = "table-4")]
    Table4,
    #[value(name = "figure-5")]
    Figure5,
    #[value(name = "table-5")]
    Table5,
    #[value(name = "figure-6")]
    Figure6,
}

pub(super) fn run(bench: &VectorBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = bench.plan();
    let context = bench.common.device.untuned()?;
    let table = measured("bench", |observer| vector::run(&context, &plan, observer))?;
    let device = context.abilities().renderer.as_str();
    for Skipped { what: (what, runner), n, reason } in &table.skipped {
        output::note(&format!("note: left out {what} of {n} on {}: {reason}", runner.name()));
    }
    draw(bench.plot.as_deref(), figures::of(&plan, &table), device)?;
    let report = Report {
        device,
        stopped: table.stopped,
        rows: Rows { columns: Row::columns(), rows: &table.rows },
        growth: findings::growth(&plan, &table.rows),
        retrieval: findings::retrieval(&plan, &table.rows),
        products: Rows { columns: Product::columns(), rows: &table.products },
        skipped: Rows { columns: vector::skipped(), rows: &table.skipped },
    };
    show(bench.common.json, &report, || report.text())?;
    let wrong = table.wrong().into_iter();
    let wrong = wrong.map(|(what, by)| format!("{what} is off by {:.1e}", by.max_error));
    judge(&wrong.collect::<Vec<_>>(), table.stopped)
}

impl VectorBench {
    fn plan(&self) -> Plan {
        let whole = self.whole();
        let wants = |part| self.only.is_empty() || self.only.contains(&part);
        let or_none = |part, some: Vec<usize>| if wants(part) { some } else { Vec::new() };
        Plan {
            sizes: or_none(Part::Table4, whole.sizes),
            muls_opcodes: or_none(Part::Figure5, whole.muls_opcodes),
            retrieval: whole.retrieval.filter(|_| wants(Part::Table5)),
            products: or_none(Part::Figure6, whole.products),
            ..whole
        }
    }

    /// The plan with all parts.
    fn whole(&self) -> Plan {
        let muls_size = self.muls_size as usize;
        let retrieval = if self.full { document::RETRIEVAL_SIZE } else { muls_size };
        Plan {
            sizes: match self.sizes.as_slice() {
                [] if self.full => document::SIZES.to_vec(),
                [] => document::SIZES.into_iter().filter(|n| *n <= document::MULS_SIZE).collect(),
                some => sizes(some),
            },
            engines: or_all(&self.engines, Processor::ALL),
            runs: self.runs as usize,
            muls_size,
            muls_opcodes: document::MULS_OPCODES.to_vec(),
            retrieval: Some((retrieval, document::RETRIEVAL_OPCODES)),
            products: sizes(&self.matmul_sizes),
            product_limit: self.matmul_limit as usize,
        }
    }
}
