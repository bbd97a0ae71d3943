//! `quadrille bench sparse`.

use clap::Args;

use quadrille::stream::Engine;
use quadrille_lab::sparse::{self, Matrix, Plan};
use quadrille_lab::table::Rows;

use super::{CommonArguments, Report, measured, note_left_out, or_all, sizes};

const ABOUT: &str = "\
Measures products of sparse matrices with vectors, y = A x, by fragments and by compute shaders: a point of a square grid and
its four (poisson5) or eight neighbours (heat9), 16 random columns in each row (random16), and rows of 4 to 1024 random
columns (power). Grids are multiplied by nine bands too. A rate counts 8 bytes for each entry and 12 for each row,
whatever a form reads. Every product is first checked against double precision.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench sparse
  quadrille bench sparse --matrices poisson5 --sizes 16769025 --engines compute --json";

/// Measure products of sparse matrices with vectors
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct SparseBench {
    /// The numbers of rows [default: 1048576]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1 << 28))]
    sizes: Vec<u64>,

    /// The matrices, by the names in the table [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    matrices: Vec<Matrix>,

    /// The engines: fragment, compute [default: all that the context has]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    engines: Vec<Engine>,

    /// The number of runs of each
    #[arg(long, value_name = "K", default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,

    #[command(flatten)]
    common: CommonArguments,
}

pub(super) fn run(bench: &SparseBench) -> anyhow::Result<()> {
    let sizes = sizes(&bench.sizes);
    let plan = Plan {
        sizes: if sizes.is_empty() { vec![1 << 20] } else { sizes },
        matrices: or_all(&bench.matrices, Matrix::ALL),
        engines: or_all(&bench.engines, Engine::ALL),
        runs: bench.runs as usize,
    };
    let context = bench.common.device.untuned()?;
    let table = measured("products", |observer| sparse::run(&context, &plan, observer))?;
    note_left_out(table.left_out.iter().map(|(what, reason)| format!("{what}: {reason}")));
    let rows = Rows { columns: sparse::columns(), rows: &table.rows };
    let device = context.abilities().renderer.as_str();
    let report = Report { device, stopped: table.stopped, rows };
    report.end(bench.common.json, |row| {
        format!("{} by {}, {} engine", row.matrix.name(), row.form, row.engine)
    })
}
