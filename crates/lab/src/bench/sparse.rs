//! Products of sparse matrices with vectors, by rows on each engine, and of the same matrices by nine
//! bands where they have no others.
//!
//! The entries of a row are one over their number, so that products repeated on their own results
//! neither grow nor vanish. Every product is compared with double precision before the first run.

mod matrix;

use std::time::Duration;

use quadrille::Observer;
use quadrille::data::{Csr, SplitMix64};
use quadrille::gl::Context;
use quadrille::grid::{DeviceGrid, DeviceVector};
use quadrille::internal::reference::sparse as twin;
use quadrille::linalg::{nine_banded, sparse};
use quadrille::memory;
use quadrille::stream::{Clock, Engine};

pub use self::matrix::Matrix;
use super::Table;
use super::benchmark::{Benchmark, benchmark};
use super::runner::{self, Effort, Measured, Meter, Rounds};
use crate::report::table::{Column, checked, column, timed_and_compared, timing};
use crate::twin::Comparison;
use crate::{Result, Summary};

/// A row of the table. Times are of one product.
#[derive(Clone, Debug)]
pub struct Row {
    pub matrix: Matrix,
    /// `csr` or `nine-banded`.
    pub form: &'static str,
    pub engine: Engine,
    /// The rows of the matrix.
    pub n: usize,
    /// Its entries.
    pub entries: usize,
    /// The entries on the device over those of the matrix: rows are filled up to those beside them.
    pub filling: f64,
    /// GB/s, by 8 bytes an entry and 12 a row.
    pub rate: f64,
    pub summary: Summary,
    pub comparison: Comparison,
}

timed_and_compared!(Row);

/// The columns of the table.
pub fn columns() -> Vec<Column<Row>> {
    let mut columns = vec![
        column("matrix", "matrix", "", |row: &Row| row.matrix.name().into()),
        column("form", "form", "", |row| row.form.into()),
        column("engine", "engine", "", |row| row.engine.name().into()),
        column("n", "n", "", |row| row.n.into()),
        column("entries", "entries", "", |row| row.entries.into()),
        column("filling", "filling", "", |row| row.filling.into()),
        column("rate", "rate", "GB/s", |row| row.rate.into()),
        column("ns_per_entry", "an entry", "ns", |row| {
            (row.summary.median_ms * 1e6 / row.entries as f64).into()
        }),
    ];
    columns.extend(timing());
    columns.extend(checked());
    columns
}

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct Plan {
    pub matrices: Vec<Matrix>,
    /// Rows of each matrix, about.
    pub sizes: Vec<usize>,
    pub engines: Vec<Engine>,
    /// Runs of each.
    pub runs: usize,
}

/// A run takes about this long.
const RUN: Duration = Duration::from_millis(30);

/// Measures.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table<Row>> {
    let effort = Effort::new(context, Rounds::Exactly(plan.runs), RUN, [1, 1000]);
    let cases = 2 * plan.matrices.len() * plan.sizes.len() * plan.engines.len();
    let mut meter = Meter::new(observer, cases as u64 * effort.turns());
    let mut table = Table::new();
    for n in &plan.sizes {
        for matrix in &plan.matrices {
            let csr = matrix.csr(*n)?;
            let x = numbers(csr.shape().rows)?;
            let case = |form, engine| Case {
                context,
                matrix: *matrix,
                csr: &csr,
                x: &x,
                form,
                engine,
                filling: f64::NAN,
                product: None,
            };
            let forms: &[Form] =
                if matrix.is_grid() { &[Form::Csr, Form::NineBanded] } else { &[Form::Csr] };
            let all = plan.engines.iter().filter(|engine| Engine::of(context).contains(engine));
            let all = all.flat_map(|engine| forms.iter().map(|form| case(*form, *engine)));
            let outcome = runner::measure(all.collect(), &effort, &mut meter)?;
            for (case, error) in outcome.skipped {
                let name = format!("{} of {n} rows, {}", matrix.name(), case.engine);
                table.left_out.push((name, error.to_string()));
            }
            if !outcome.finished {
                table.stopped = true;
                return Ok(table);
            }
            table.rows.extend(outcome.measured.iter().map(Case::row));
        }
    }
    Ok(table)
}

fn numbers(n: usize) -> Result<Vec<f32>> {
    let mut generator = SplitMix64::new(n as u64);
    Ok(memory::collected(n, std::iter::repeat_with(|| generator.symmetric()))?)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Csr,
    NineBanded,
}

/// A matrix in a form on an engine.
struct Case<'a> {
    context: &'a Context,
    matrix: Matrix,
    csr: &'a Csr,
    x: &'a [f32],
    form: Form,
    engine: Engine,
    filling: f64,
    product: Option<Box<dyn Benchmark + 'a>>,
}

impl<'a> Case<'a> {
    /// Products by rows, each of which takes the place of x.
    fn by_rows(&mut self) -> Result<Box<dyn Benchmark + 'a>> {
        let Case { context, csr, x, engine, .. } = *self;
        let operator = sparse::Operator::on(context, csr, engine)?;
        self.filling = operator.stored() as f64 / csr.entries() as f64;
        let bound = operator.error_bound();
        let vectors =
            [DeviceVector::from_host(context, x)?, DeviceVector::uninit(context, x.len())?];
        let work = move |[x, y]: &mut [DeviceVector; 2]| {
            operator.apply_to(x, y)?;
            std::mem::swap(x, y);
            Ok(())
        };
        let bounds = move || twin::magnitudes(csr, x).into_iter().map(move |size| bound * size);
        Ok(benchmark(vectors, work, move |[got, _]| Ok(compared(got.read()?, csr, x, bounds()))))
    }

    /// Products by nine bands.
    fn by_bands(&mut self) -> Result<Box<dyn Benchmark + 'a>> {
        let Case { context, csr, x, engine, .. } = *self;
        let matrix = self.matrix.nine_banded(csr)?;
        let operator = nine_banded::Operator::on(context, &matrix, engine)?;
        self.filling = 9.0 * x.len() as f64 / csr.entries() as f64;
        let plan = operator.plan().clone();
        let grids = [DeviceGrid::from_host(context, &plan, x)?, DeviceGrid::zeros(context, &plan)?];
        let work = move |[x, y]: &mut [DeviceGrid; 2]| {
            operator.apply(x, y)?;
            std::mem::swap(x, y);
            Ok(())
        };
        // In differences: eleven roundings of the number itself and of twice the magnitudes.
        let bounds = move || {
            let both = twin::magnitudes(csr, x).into_iter().zip(x);
            both.map(|(size, x)| 12.0 * 0.5_f64.powi(24) * (2.0 * size + 2.0 * f64::from(x.abs())))
        };
        Ok(benchmark(grids, work, move |[got, _]| Ok(compared(got.read()?, csr, x, bounds()))))
    }
}

fn compared(got: Vec<f32>, csr: &Csr, x: &[f32], bounds: impl Iterator<Item = f64>) -> Comparison {
    Comparison::of(got, twin::product(csr, x).into_iter().zip(bounds))
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        self.product = Some(match self.form {
            Form::Csr => self.by_rows()?,
            Form::NineBanded => self.by_bands()?,
        });
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        let Some(product) = &mut self.product else { return Ok(Comparison::WRONG) };
        product.run()?;
        product.compare()
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        let Some(product) = &mut self.product else { return Ok(Duration::ZERO) };
        let products = || (0..parts).try_for_each(|_| product.run());
        Ok(Clock::of(self.context).time(self.context, products)?.1)
    }

    fn release(&mut self) {
        self.product = None;
    }

    fn bytes(&self) -> usize {
        // Entries with filling, and four vectors.
        16 * self.csr.entries() + 16 * self.x.len()
    }
}

impl Case<'_> {
    fn row(measured: &Measured<Self>) -> Row {
        let Measured { case, comparison, .. } = measured;
        let (n, entries) = (case.x.len(), case.csr.entries());
        let summary = measured.summary();
        let rate = summary.rate((8 * entries + 12 * n) as f64) / 1e9;
        let form = if case.form == Form::Csr { "csr" } else { "nine-banded" };
        let (matrix, engine, filling) = (case.matrix, case.engine, case.filling);
        Row { matrix, form, engine, n, entries, filling, rate, summary, comparison: *comparison }
    }
}
