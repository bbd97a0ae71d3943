//! The optimizations in the paper's order, in every layout. Its gains are judged by
//! [`gains`](super::gains).

use super::super::prelude::*;
use super::{finished, left_out};
use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;
use quadrille_lab::bench::jacobi;
use quadrille_lab::bench::jacobi::{Engine, Plan, Row};
use quadrille_lab::reads_name;

/// A stage, and the MFLOP/s that the paper gained by it.
const CLAIMED: [(Optimization, f64); 3] = [
    (Optimization::Reciprocal, 100.0),
    (Optimization::Boundary, 400.0),
    (Optimization::Neighbours, 300.0),
];

const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let sizes: &[usize] = lab.scale.pick(&[4096, 65_536], &[4096, 65_536, 1_048_576]);
    let layouts = lab.scale.pick(vec![Layout::Red, Layout::Rgba], Layout::ALL.to_vec());
    let runs = lab.scale.pick(3, 5);
    let mut part = Part::default();
    let mut tables =
        by_size(lab, "the stages", sizes, &mut part.left_out, |context, n, observer| {
            let plan = Plan {
                sizes: vec![n],
                layouts: layouts.clone(),
                stages: Optimization::ALL.to_vec(),
                reads: READS.to_vec(),
                cpu: false,
                runs: Some(runs),
            };
            finished(jacobi::run(context, &plan, observer)?)
        })?;
    let Some(table) = tables.pop() else { return Ok(part) };
    part.left_out.extend(left_out(&table));
    part.tables.push(as_table(&table.rows, &layouts, runs));
    part.figures.extend(figure(&table.rows, &layouts));
    Ok(part)
}

fn at(rows: &[Row], layout: Layout, stage: Optimization, reads: Reads) -> Option<&Row> {
    rows.iter().find(|row| row.engine == Engine::Device(layout, stage, reads))
}

/// A column of the table: a layout, and a way of reading.
fn columns(layouts: &[Layout]) -> Vec<(Layout, Reads)> {
    layouts.iter().flat_map(|layout| READS.map(|reads| (*layout, reads))).collect()
}

fn column_name((layout, reads): &(Layout, Reads)) -> String {
    format!("{layout}, {}", reads_name(*reads))
}

fn what(stage: Optimization) -> &'static str {
    match stage {
        Optimization::Generic => "one shader, ends of rows by floor",
        Optimization::Reciprocal => "reciprocals of the diagonal from the host",
        Optimization::Boundary => "interior quad and two boundary lines",
        Optimization::Neighbours => "neighbours' places interpolated",
        Optimization::Compute => "beyond the paper: a compute shader",
        _ => "beyond the paper",
    }
}

fn as_table(rows: &[Row], layouts: &[Layout], runs: usize) -> Table {
    let columns = columns(layouts);
    let n = rows.first().map_or(0, |row| row.n);
    let row = |stage: Optimization| -> Vec<Cell> {
        let claimed = CLAIMED.iter().find(|(of, _)| *of == stage).map(|(_, gain)| *gain);
        let spread =
            rows.iter().filter(|row| matches!(row.engine, Engine::Device(_, s, _) if s == stage));
        let spread = spread.map(|row| row.summary.spread_percent()).fold(0.0, f64::max);
        let mut cells = vec![stage.to_string().into(), what(stage).into(), claimed.into()];
        cells.extend(columns.iter().map(|(layout, reads)| {
            Cell::from(at(rows, *layout, stage, *reads).map(|row| row.mflops))
        }));
        cells.extend(DOCUMENTS.map(|layout| Cell::from(gained(rows, layout, stage))));
        cells.push(spread.into());
        cells
    };
    let mut names: Vec<String> =
        ["stage", "what it does", "claimed gain [MFLOP/s]"].map(String::from).to_vec();
    names.extend(columns.iter().map(column_name));
    names.extend(DOCUMENTS.map(|layout| format!("times the one before, {layout}, sample")));
    names.push("largest spread [%]".into());
    let layouts: Vec<String> = layouts.iter().map(Layout::to_string).collect();
    Table {
        id: "jacobi-table-of-stages".into(),
        title: format!("The stages in order, MFLOP/s at N = {n}"),
        columns: names,
        rows: Optimization::ALL.into_iter().map(row).collect(),
        notes: vec![
            "Each optimization includes those before it. The paper samples texels, and does not say for which layout and \
             card its gains are; its cards reach 283 to 2358 MFLOP/s in total. Its gains are judged by another table, \
             in which the first stages have the paper's own formula and two calls of floor instead of six."
                .into(),
        ],
        command: format!(
            "quadrille bench jacobi --sizes {n} --layouts {} --no-cpu --runs {runs}",
            layouts.join(",")
        ),
    }
}

fn figure(rows: &[Row], layouts: &[Layout]) -> Option<Figure> {
    let columns = columns(layouts);
    let group = |stage: Optimization| {
        let bar =
            |(layout, reads): &(Layout, Reads)| Some(at(rows, *layout, stage, *reads)?.mflops);
        (stage.to_string(), columns.iter().map(bar).collect())
    };
    let (title, series) = ("The stages of tuning", columns.iter().map(column_name));
    let groups = Optimization::DRAWN.map(group);
    let figure = Figure::bars("jacobi-figure-of-stages", title, "MFLOP/s", series, groups)?;
    Some(figure.note("Compute, which may be far off the axis, is in the table only."))
}

/// The paper's layouts.
const DOCUMENTS: [Layout; 2] = [Layout::Red, Layout::Rgba];

/// Returns the rate relative to that of the stage before, sampled, as the paper reads.
fn gained(rows: &[Row], layout: Layout, stage: Optimization) -> Option<f64> {
    let place = Optimization::DRAWN.iter().position(|of| *of == stage)?;
    let before = *Optimization::DRAWN.get(place.checked_sub(1)?)?;
    let [before, after] = [before, stage].map(|stage| at(rows, layout, stage, Reads::Sample));
    Some(after?.mflops / before?.mflops.max(1e-9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_compared_with_the_one_before() {
        let row = |(stage, mflops): (Optimization, f64)| Row {
            n: 4096,
            engine: Engine::Device(Layout::Red, stage, Reads::Sample),
            summary: Summary::still(1.0),
            iterations: 1,
            mflops,
            comparison: Comparison::RIGHT,
            document: None,
        };
        let rates = [1000.0, 1100.0, 2200.0, 1100.0];
        let rows: Vec<Row> = Optimization::DRAWN.into_iter().zip(rates).map(row).collect();
        let gains = Optimization::DRAWN.map(|stage| gained(&rows, Layout::Red, stage));
        assert_eq!(gains, [None, Some(1.1), Some(2.0), Some(0.5)]);
        assert_eq!(gained(&rows, Layout::Rgba, Optimization::Boundary), None);
    }
}
