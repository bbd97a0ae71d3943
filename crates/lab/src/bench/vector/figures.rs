//! Figures 4, 5 and 6, with today's lines beside the paper's.

use super::{Plan, Product, Row, Runner, Subject, Table};
use crate::report::document::vectors as document;
use crate::report::{Figure, Line};
use quadrille_vp::vector_machine::{Fold, Processor};

pub fn of(plan: &Plan, table: &Table) -> Vec<Figure> {
    let figures = [figure_4(&table.rows), figure_5(plan, &table.rows), figure_6(&table.products)];
    figures.into_iter().flatten().collect()
}

/// A line for each runner, in the order of their first points: its points, from left to right.
fn lines(points: &[(Runner, [f64; 2])]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (runner, point) in points {
        match lines.iter_mut().find(|line| line.name == runner.name()) {
            Some(line) => line.points.push(*point),
            None => lines.push(Line::measured(runner.name(), [*point])),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    lines
}

/// The paper's points; what its clock did not see has no place on a logarithmic axis.
fn quoted(name: &str, points: impl Iterator<Item = [f64; 2]>) -> Line {
    Line::quoted(format!("paper, {name}"), points.filter(|[_, ms]| *ms > 0.0))
}

/// A trend that the paper states without numbers: from this runner's first point, as many times as
/// high at the last one's place.
fn trend(name: &str, lines: &[Line], runner: Runner, grows: impl Fn(f64) -> f64) -> Option<Line> {
    let measured = lines.iter().find(|line| line.name == runner.name())?;
    let [[x0, y0], .., [x1, _]] = measured.points[..] else { return None };
    Some(Line::quoted(format!("paper, {name}"), [[x0, y0], [x1, y0 * grows(x1 / x0)]]))
}

/// The engine whose mechanism is the paper's.
const PAPERS: Runner = Runner::Engine(Processor::Attributes);

pub fn figure_4(rows: &[Row]) -> Option<Figure> {
    let rows = rows.iter().filter(|row| row.subject == Subject::Arithmetic);
    let points: Vec<_> =
        rows.map(|row| (row.runner, [row.n as f64, row.total.median_ms])).collect();
    let mut lines = lines(&points);
    if lines.is_empty() {
        return None;
    }
    let claims = document::SIZES.map(|n| (n as f64, document::claim("arithmetic", n)));
    let of = |pick: fn(document::Claim) -> u32| {
        claims.into_iter().filter_map(move |(n, claim)| Some([n, f64::from(pick(claim?))]))
    };
    lines.push(quoted("CPU", of(|claim| claim.cpu_ms)));
    lines.push(quoted("GPU", of(|claim| claim.gpu_ms)));
    let (title, axes) = ("Figure 4, arithmetic, transfers included", ["elements", "ms"]);
    let figure = Figure::lines("vectors-2002-figure-4", title, axes, lines)?;
    Some(figure.note(
        "The paper's clock has a resolution of 10 ms; its 0 ms cannot be shown on this axis.",
    ))
}

pub fn figure_5(plan: &Plan, rows: &[Row]) -> Option<Figure> {
    let points = rows.iter().filter_map(|row| match row.subject {
        Subject::Muls(opcodes)
            if row.n == plan.muls_size && plan.muls_opcodes.contains(&opcodes) =>
        {
            Some((row.runner, [opcodes as f64, row.total.median_ms]))
        }
        _ => None,
    });
    let mut lines = lines(&points.collect::<Vec<_>>());
    let [cpu, gpu] = [
        trend("CPU doubles", &lines, Runner::Cpu, |opcodes| opcodes),
        trend("GPU triples", &lines, PAPERS, |opcodes| 3_f64.powf(opcodes.ln() / 12_f64.ln())),
    ];
    lines.extend(cpu.into_iter().chain(gpu));
    let title = format!("Figure 5, muls of {} elements, transfers included", plan.muls_size);
    let figure = Figure::lines("vectors-2002-figure-5", title, ["opcodes", "ms"], lines)?;
    Some(figure.note(
        "The paper gives no numbers for this figure. It says that the CPU's time doubles with the opcodes, and that 12 \
         times the opcodes take the GPU 3 times the time: its lines begin at the first points of cpu and attributes.",
    ))
}

/// Figure 6, where matrices were multiplied. Folded by the host, as in the paper: by blending
/// would be as many lines again.
pub fn figure_6(products: &[Product]) -> Option<Figure> {
    let by_host = |product: &&Product| product.fold.is_none_or(|fold| fold == Fold::Host);
    let products: Vec<&Product> = products.iter().filter(by_host).collect();
    let point = |product: &&Product| {
        (product.runner, [product.n as f64, product.total().as_secs_f64() * 1e3])
    };
    let mut lines = lines(&products.iter().map(point).collect::<Vec<_>>());
    let cpu = products
        .iter()
        .find(|product| product.runner == Runner::Cpu && product.n == document::PRODUCT_SIZE);
    let papers = |cpu: &&Product| {
        [cpu.n as f64, cpu.total().as_secs_f64() * 1e3 / document::PRODUCT_SPEEDUP]
    };
    lines.extend(cpu.map(|cpu| quoted("GPU", std::iter::once(papers(cpu)))));
    let extrapolated = products.iter().filter(|product| product.extrapolated);
    let from = match extrapolated.map(|product| product.n).min() {
        Some(n) => format!(" (extrapolated from {n})"),
        None => String::new(),
    };
    let title = format!("Figure 6, matrix product, one call per element{from}");
    let figure = Figure::lines("vectors-2002-figure-6", title, ["n", "ms"], lines)?;
    Some(figure.note(format!(
        "The paper's text has one number for this figure: the GPU is {} times as fast as the CPU at {}. Its point \
         is that much below this CPU's.",
        document::PRODUCT_SPEEDUP,
        document::PRODUCT_SIZE
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_begins_at_the_first_point_and_ends_below_the_last() {
        let lines = lines(&[(PAPERS, [120.0, 9.0]), (PAPERS, [10.0, 2.0]), (PAPERS, [60.0, 5.0])]);
        let trend = |runner| trend("GPU triples", &lines, runner, |ratio| ratio / 4.0);
        let line = trend(PAPERS).unwrap();
        assert_eq!((line.points, line.quoted), (vec![[10.0, 2.0], [120.0, 6.0]], true));
        assert!(trend(Runner::Cpu).is_none(), "nothing to begin at");
    }
}
