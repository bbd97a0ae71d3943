//! Figures 4, 5 and 6, with today's lines beside the document's.

use super::super::super::plot::{LineChart, Series};
use super::report::{Line, ProductLine, Report};
use crate::measure::document::vectors as document;
use crate::vector_machine::Fold;

/// Those for which anything was measured.
pub(super) fn of(report: &Report) -> Vec<LineChart> {
    let mut charts = vec![figure_4(report), figure_5(report), figure_6(report)];
    charts.retain(|chart| chart.series.iter().any(|series| !series.quoted));
    charts
}

/// Names in the order of their first line, each once.
fn names<'a, L>(lines: &'a [L], name: impl Fn(&'a L) -> String) -> Vec<String> {
    let mut names = Vec::new();
    for line in lines {
        let name = name(line);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A line for each name: its lines' points, from left to right.
fn series<'a, L>(
    lines: &'a [L],
    name: impl Fn(&'a L) -> String,
    point: impl Fn(&'a L) -> (f64, f64),
) -> Vec<Series> {
    let of_name = |wanted: String| {
        let alike = lines.iter().filter(|line| name(line) == wanted);
        let mut points: Vec<(f64, f64)> = alike.map(&point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: wanted, points, quoted: false }
    };
    names(lines, &name).into_iter().map(of_name).collect()
}

fn engine(line: &&Line) -> String {
    line.engine.to_owned()
}

fn figure_4(report: &Report) -> LineChart {
    let rows: Vec<&Line> = report.rows.iter().filter(|row| row.program == "arithmetic").collect();
    let mut series = series(&rows, engine, |row| (row.n as f64, row.total_ms));
    for (name, pick) in [("document, CPU", 0), ("document, GPU", 1)] {
        let point = |n: usize| {
            let claim = document::claim("arithmetic", n)?;
            Some((n as f64, f64::from([claim.cpu_ms, claim.gpu_ms][pick])))
        };
        let points = document::SIZES.into_iter().filter_map(point).collect();
        series.push(Series { name: name.into(), points, quoted: true });
    }
    LineChart {
        title: format!("Figure 4, arithmetic, transfers included: {}", report.device),
        axes: ["elements", "ms"].map(String::from),
        logarithmic: true,
        series,
    }
}

fn figure_5(report: &Report) -> LineChart {
    let n = report.growth.first().map_or(0, |growth| growth.n);
    let muls = |row: &&Line| row.program == "muls" && row.n == n;
    let rows: Vec<&Line> = report.rows.iter().filter(muls).collect();
    LineChart {
        title: format!("Figure 5, muls of {n} elements, transfers included: {}", report.device),
        axes: ["opcodes", "ms"].map(String::from),
        logarithmic: false,
        series: series(&rows, engine, |row| (row.opcodes as f64, row.total_ms)),
    }
}

fn figure_6(report: &Report) -> LineChart {
    let name = |product: &&ProductLine| product.engine.to_owned();
    // Folded by the host, as in the document; by blending would be as many lines again.
    let by_host = |product: &&ProductLine| product.fold.is_none_or(|f| f == Fold::Host.name());
    let products: Vec<&ProductLine> = report.products.iter().filter(by_host).collect();
    let extrapolated = products.iter().filter(|product| product.extrapolated);
    let note = match extrapolated.map(|product| product.n).min() {
        Some(n) => format!(" (extrapolated from {n})"),
        None => String::new(),
    };
    LineChart {
        title: format!("Figure 6, matrix product, a call an element{note}"),
        axes: ["n", "ms"].map(String::from),
        logarithmic: true,
        series: series(&products, name, |product| (product.n as f64, product.total_ms)),
    }
}
