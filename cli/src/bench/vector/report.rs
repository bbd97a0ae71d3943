//! The measurements, as one JSON object.

use serde::Serialize;

use quadrille::Context;
use quadrille::vector_machine::Fold;
use quadrille_lab::document::vectors::{self as document, Claim};
use quadrille_lab::vector::findings::{self, Growth, Retrieval};
use quadrille_lab::vector::{Plan, Product, Row, Skipped, Table};

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) device: String,
    pub(super) stopped: bool,
    /// Every program at every size: table 4, figure 4, figure 5, table 5.
    pub(super) rows: Vec<Line>,
    /// Figure 5.
    pub(super) growth: Vec<Growth>,
    /// Table 5.
    pub(super) retrieval: Vec<Retrieval>,
    /// Figure 6.
    pub(super) products: Vec<ProductLine>,
    pub(super) skipped: Vec<Missing>,
}

#[derive(Serialize)]
pub(super) struct Line {
    pub(super) program: &'static str,
    pub(super) opcodes: usize,
    pub(super) n: usize,
    pub(super) engine: &'static str,
    pub(super) upload_ms: Option<f64>,
    pub(super) first_ms: f64,
    pub(super) compute_ms: f64,
    pub(super) readback_ms: Option<f64>,
    /// What the paper timed.
    pub(super) total_ms: f64,
    pub(super) spread_ms: f64,
    pub(super) compute_spread_ms: f64,
    runs: usize,
    pub(super) max_error: f64,
    /// The largest error over what rounding explains.
    pub(super) of_bound: f64,
    pub(super) right: bool,
    pub(super) document: Option<Claim>,
}

#[derive(Serialize)]
pub(super) struct ProductLine {
    pub(super) n: usize,
    pub(super) engine: &'static str,
    pub(super) fold: Option<&'static str>,
    pub(super) upload_ms: Option<f64>,
    pub(super) compute_ms: f64,
    pub(super) total_ms: f64,
    /// Of one call.
    pub(super) call_us: Option<f64>,
    pub(super) calls: usize,
    pub(super) extrapolated: bool,
    /// How many times faster than one core.
    pub(super) speedup: Option<f64>,
    pub(super) max_error: f64,
    /// The largest error over what rounding explains.
    pub(super) of_bound: f64,
    pub(super) right: bool,
    pub(super) document_speedup: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Missing {
    what: String,
    n: usize,
    engine: &'static str,
    pub(super) reason: String,
}

impl Report {
    pub(super) fn new(context: &Context, plan: &Plan, table: &Table) -> Report {
        Report {
            device: context.abilities().renderer.clone(),
            stopped: table.stopped,
            rows: table.rows.iter().map(line).collect(),
            growth: findings::growth(plan, &table.rows),
            retrieval: findings::retrieval(plan, &table.rows),
            products: table.products.iter().map(|product| product_line(product, table)).collect(),
            skipped: table.skipped.iter().map(missing).collect(),
        }
    }
}

fn line(row: &Row) -> Line {
    Line {
        program: row.subject.name(),
        opcodes: row.subject.opcodes(),
        n: row.n,
        engine: row.runner.name(),
        upload_ms: row.upload.map(|upload| upload.median_ms),
        first_ms: row.first.median_ms,
        compute_ms: row.compute.median_ms,
        readback_ms: row.readback.map(|readback| readback.median_ms),
        total_ms: row.total.median_ms,
        spread_ms: row.total.spread_ms,
        compute_spread_ms: row.compute.spread_ms,
        runs: row.total.runs,
        max_error: row.comparison.max_error,
        of_bound: row.comparison.of_bound,
        right: row.comparison.is_right(),
        document: document::claim(row.subject.name(), row.n),
    }
}

fn product_line(product: &Product, table: &Table) -> ProductLine {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let on_device = product.fold.is_some();
    let elements = (product.n * product.n).max(1) as f64;
    ProductLine {
        n: product.n,
        engine: product.runner.name(),
        fold: product.fold.map(Fold::name),
        upload_ms: product.upload.map(milliseconds),
        compute_ms: milliseconds(product.compute),
        total_ms: milliseconds(product.total()),
        call_us: on_device.then(|| milliseconds(product.compute) * 1e3 / elements),
        calls: product.calls,
        extrapolated: product.extrapolated,
        speedup: table.speedup(product),
        max_error: product.comparison.max_error,
        of_bound: product.comparison.of_bound,
        right: product.comparison.is_right(),
        document_speedup: (on_device && product.n == document::PRODUCT_SIZE)
            .then_some(document::PRODUCT_SPEEDUP),
    }
}

fn missing(skipped: &Skipped) -> Missing {
    Missing {
        what: skipped.what.clone(),
        n: skipped.n,
        engine: skipped.runner.name(),
        reason: skipped.reason.clone(),
    }
}

impl Missing {
    pub(super) fn name(&self) -> String {
        format!("{} of {} on {}", self.what, self.n, self.engine)
    }
}
