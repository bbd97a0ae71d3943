//! `quadrille bench matmul`.

mod report;

use quadrille::linalg::matmul::Element;
use quadrille_lab::device::{self, Limits};
use quadrille_lab::matmul::{self, Contender, Group, Plan, RatedRow, Sweep};
use quadrille_lab::table::Rows;

use self::report::{Report, Swept};
use super::{CommonArguments, draw, judge, measured, note_left_out, or_all, show, wrong};
use crate::arguments::numbers::NumberType;
use crate::prelude::*;

const ABOUT: &str = "\
Measures the multiplication of square matrices by every method, beside a library on the host (the crate gemm, on
one core and on all) and beside the peak rates of the device, which are measured first: the charts of Fatahalian,
Sugerman and Hanrahan's \"Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication\" (2004).

A row shows GFLOPS (2 n^3 operations), the GB/s that the shaders fetched, both also as a percentage of the peak, the
four-component multiply-adds per fetch, and the time that arithmetic and fetches would take one after the other
at their peaks. A sweep varies one option of a few methods and shows its effect on the time.

Methods run in turn, round after round. Each is first checked against double precision; a result that rounding
does not explain fails the bench.";

const EXAMPLES: &str = "\
Examples:
  quadrille bench matmul --plot matmul.svg
  quadrille bench matmul --size 512,2048 --methods block8x4,compute-blocked,gemm --json
  quadrille bench matmul --methods \"sp unroll=4,sp unroll=128 passes=4\"
  quadrille bench matmul --tile-sweep
  quadrille bench matmul --size 128 --runs 3";

/// Measure every matrix multiplication method beside the peak rates of the device
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("sweep"))]
pub(super) struct MatmulBench {
    /// The sizes N of the N x N matrices
    #[arg(long = "size", value_name = "N,...", value_delimiter = ',', default_values_t = [1024])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 15))]
    sizes: Vec<u64>,

    /// The methods, with options if wanted: those of `quadrille matmul --list`, gemm-1 (one core)
    /// and gemm, serial-by-columns, the loop of the CUDA tutorial as printed, and serial-blocked,
    /// loops that are blocked for the cache
    ///
    /// [default: all but the last two, without serial above 1024, where it is slow; a few for a
    /// sweep]
    #[arg(long, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<Contender>,

    /// The type of the elements; peaks and gemm are for floats only
    #[arg(long = "type", value_name = "TYPE", default_value = "float")]
    numbers: NumberType,

    /// Vary the tile: quads of 8 to 256 elements in every order, one quad, one triangle; work group
    /// sizes [methods: sp, block8x4, compute-tiled, compute-shared]
    #[arg(long, group = "sweep")]
    tile_sweep: bool,

    /// Vary the unrolling of the loop: 1, 2, 4 ... 128 times and completely [methods: cp, sp]
    #[arg(long, group = "sweep")]
    unroll_sweep: bool,

    /// Vary the storage of operands: transposed or not, rows padded or not [methods: cp, sp,
    /// block8x4]
    #[arg(long, group = "sweep")]
    mapping_sweep: bool,

    /// The number of runs of each method [default: 3 to 9, as time allows]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,

    /// Draw GFLOPS, GB/s and percentages of peak of each method, as slides 14, 15 and 21 of the
    /// paper do
    #[arg(long, value_name = "FILE.svg", conflicts_with = "sweep")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    common: CommonArguments,
}

pub(super) fn run(bench: &MatmulBench) -> anyhow::Result<()> {
    match bench.numbers {
        NumberType::Float => measure::<f32>(bench),
        NumberType::Short => measure::<i16>(bench),
        NumberType::Int => measure::<i32>(bench),
    }
}

fn measure<T: Element>(bench: &MatmulBench) -> anyhow::Result<()> {
    output::check_chart(bench.plot.as_deref())?;
    let plan = bench.plan()?;
    let context = bench.common.device.untuned()?;
    let limits = if T::IS_FLOAT { Some(limits_of(&context)?) } else { None };
    let table = measured("bench", |observer| matmul::run::<T>(&context, &plan, observer))?;
    let limits = match limits {
        // Once more, since a disturbance of one of the two would hide the peak.
        Some(before) if !table.stopped => Some(before.beyond(limits_of(&context)?)),
        before => before,
    };
    note_left_out(&table.skipped);
    if table.rows.is_empty() && !table.stopped {
        let text = "this device can run none of these methods".into();
        return Err(Failure::Input { text }.into());
    }
    let device = context.abilities().renderer.as_str();
    draw(bench.plot.as_deref(), matmul::charts(&table.rows, limits.as_ref()), device)?;
    let rated = RatedRow::all(&table.rows, T::NAME, limits.as_ref());
    let found = bench.sweep().map(|sweep| (sweep, matmul::findings(&table.rows)));
    let swept: Vec<Swept<'_>> =
        found.iter().flat_map(|(sweep, found)| found.iter().map(|one| (*sweep, *one))).collect();
    let report = Report {
        device,
        numbers: T::NAME,
        limits,
        stopped: table.stopped,
        rows: Rows { columns: RatedRow::columns(), rows: &rated },
        skipped: Rows { columns: matmul::skipped(), rows: &table.skipped },
        sweeps: Rows { columns: report::sweeps(), rows: &swept },
    };
    show(bench.common.json, &report, || report.text())?;
    let name = |rated: &RatedRow<'_>| {
        let matmul::Row { contender, options, n, .. } = rated.row;
        format!("{} at {n}", format!("{} {options}", contender.name()).trim_end())
    };
    judge(&wrong(&rated, name), table.stopped)
}

fn limits_of(context: &Context) -> anyhow::Result<Limits> {
    Ok(measured("device's peaks", |observer| device::limits(context, observer))?)
}

/// All variants that a sweep makes of a requested contender, which keeps its other options.
fn swept(sweep: Sweep, contender: Contender, n: usize) -> Result<Vec<Contender>, Failure> {
    let option = sweep.name();
    let all = match contender {
        Contender::Method(_, wish) if sweep.is_named_in(&wish) => {
            let text = format!("`{contender}` names the {option} that is swept: omit it");
            return Err(Failure::Input { text });
        }
        Contender::Method(method, wish) => sweep.contenders(method, wish, n),
        Contender::Serial(_) | Contender::Library(_) => Vec::new(),
    };
    if all.is_empty() {
        let name = contender.name();
        let text = format!("there is nothing to sweep: {name} has no {option} at size {n}");
        return Err(Failure::Input { text });
    }
    Ok(all)
}

/// Above this size, where quadrille's own loops take seconds, they run only if requested.
const LARGE: usize = 1024;

impl MatmulBench {
    fn sweep(&self) -> Option<Sweep> {
        match (self.tile_sweep, self.unroll_sweep, self.mapping_sweep) {
            (true, _, _) => Some(Sweep::Tile),
            (_, true, _) => Some(Sweep::Unroll),
            (_, _, true) => Some(Sweep::Mapping),
            _ => None,
        }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let groups = self.sizes.iter().map(|n| {
            let n = *n as usize;
            Ok(Group { n, contenders: self.contenders(n)? })
        });
        let groups = groups.collect::<Result<_, Failure>>()?;
        Ok(Plan { groups, runs: self.runs.map(|runs| runs as usize) })
    }

    fn contenders(&self, n: usize) -> Result<Vec<Contender>, Failure> {
        let Some(sweep) = self.sweep() else {
            return Ok(or_all(&self.methods, self.all(n)));
        };
        if self.methods.is_empty() {
            // The usual methods that have something to sweep at this size; drawn ones always have.
            let usual = sweep.methods().iter();
            return Ok(usual
                .flat_map(|method| sweep.contenders(*method, (*method).into(), n))
                .collect());
        }
        let mut all = Vec::new();
        for contender in &self.methods {
            all.extend(swept(sweep, *contender, n)?);
        }
        Ok(all)
    }

    fn all(&self, n: usize) -> Vec<Contender> {
        let floats = self.numbers == NumberType::Float;
        let mut all = Contender::all();
        all.retain(|contender| floats || contender.takes_integers());
        all.retain(|contender| n <= LARGE || !contender.is_serial());
        all
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        bench: MatmulBench,
    }

    fn methods(arguments: &str) -> Vec<&'static str> {
        let words = ["bench"].into_iter().chain(arguments.split(' '));
        let plan = Command::try_parse_from(words).unwrap().bench.plan().unwrap();
        plan.groups[0].contenders.iter().map(|contender| contender.name()).collect()
    }

    #[test]
    fn a_sweep_omits_methods_whose_tiles_do_not_divide_a_prime() {
        let drawn = ["sp", "sp", "block8x4", "block8x4"];
        assert_eq!(methods("--size 7 --tile-sweep"), drawn);
        assert!(methods("--size 32 --tile-sweep").contains(&"compute-tiled"));
    }

    #[test]
    fn all_methods_but_serial_run_at_large_sizes() {
        assert!(methods("--size 1024").contains(&"serial"));
        assert!(!methods("--size 1025").contains(&"serial"));
        assert_eq!(methods("--size 1025 --methods serial,gemm-1"), ["serial", "gemm-1"]);
    }
}
