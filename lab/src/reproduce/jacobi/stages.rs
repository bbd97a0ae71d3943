//! The optimizations in the paper's order, each with the gain that it claims.

use super::super::super::jacobi::{self, Engine, Plan, Row};
use super::super::super::report::{Cell, Figure, Finding, Part, Plot, Table, Verdict};
use super::super::super::{Error, reads_name};
use super::super::Lab;
use super::super::pace::by_size;
use super::super::words::{beyond_chance, both, scatters, short};
use super::{finding_or, finished, left_out};
use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;

/// A stage, what the paper claims that it gains, and the claim.
const STAGES: [(Optimization, f64, &str); 3] = [
    (
        Optimization::Reciprocal,
        100.0,
        "Multiplying with a precomputed reciprocal of the diagonal is worth another 100 MFLOP/s",
    ),
    (
        Optimization::Boundary,
        400.0,
        "Three passes, each with a specialised shader, yield 400 MFLOP/s despite the CPU's overhead",
    ),
    (
        Optimization::Neighbours,
        300.0,
        "Neighbours' coordinates from the vertex shader, interpolated, yield another 300 MFLOP/s",
    ),
];

const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
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
    part.figures.push(figure(&table.rows, &layouts));
    part.findings = STAGES.iter().map(|stage| gain(*stage, &table.rows)).collect();
    part.findings.push(overall(&table.rows));
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
    }
}

fn as_table(rows: &[Row], layouts: &[Layout], runs: usize) -> Table {
    let columns = columns(layouts);
    let n = rows.first().map_or(0, |row| row.n);
    let row = |stage: Optimization| -> Vec<Cell> {
        let claimed = STAGES.iter().find(|(of, ..)| *of == stage).map(|(_, gain, _)| *gain);
        let spread =
            rows.iter().filter(|row| matches!(row.engine, Engine::Device(_, s, _) if s == stage));
        let spread = spread.map(|row| 100.0 * row.summary.relative_spread()).fold(0.0, f64::max);
        let mut cells = vec![stage.to_string().into(), what(stage).into(), claimed.into()];
        cells.extend(columns.iter().map(|(layout, reads)| {
            Cell::from(at(rows, *layout, stage, *reads).map(|row| row.mflops))
        }));
        cells.extend(
            DOCUMENTS.map(|layout| Cell::from(gained(rows, layout, stage).map(|g| g.gain))),
        );
        cells.push(spread.into());
        cells
    };
    let mut names: Vec<String> =
        ["stage", "what it does", "claimed gain [MFLOP/s]"].map(String::from).to_vec();
    names.extend(columns.iter().map(column_name));
    names.extend(DOCUMENTS.map(|layout| format!("gain, {layout}, sample")));
    names.push("largest spread [%]".into());
    let layouts: Vec<String> = layouts.iter().map(Layout::to_string).collect();
    Table {
        id: "jacobi-table-of-stages".into(),
        title: format!("The stages in order, MFLOP/s at N = {n}"),
        columns: names,
        rows: Optimization::ALL.into_iter().map(row).collect(),
        notes: vec![
            "Each optimization includes those before it; the gain is over the previous one. The paper samples \
             texels, and does not say for which layout and card its gains are. Its cards reach 283 to 2358 MFLOP/s \
             in total."
                .into(),
        ],
        command: format!(
            "quadrille bench jacobi --sizes {n} --layouts {} --no-cpu --runs {runs}",
            layouts.join(",")
        ),
    }
}

fn figure(rows: &[Row], layouts: &[Layout]) -> Figure {
    let columns = columns(layouts);
    let group = |stage: Optimization| {
        let bar =
            |(layout, reads): &(Layout, Reads)| Some(at(rows, *layout, stage, *reads)?.mflops);
        (stage.to_string(), columns.iter().map(bar).collect())
    };
    Figure {
        id: "jacobi-figure-of-stages".into(),
        title: "The stages of tuning".into(),
        plot: Plot::Bars {
            unit: "MFLOP/s".into(),
            series: columns.iter().map(column_name).collect(),
            groups: Optimization::DRAWN.map(group).to_vec(),
        },
        notes: vec!["Compute, which may be far off the axis, is in the table only.".into()],
    }
}

/// The paper's layouts.
const DOCUMENTS: [Layout; 2] = [Layout::Red, Layout::Rgba];

/// The gain of an optimization over the previous one and the scatter of both, in MFLOP/s.
#[derive(Clone, Copy)]
struct Gain {
    gain: f64,
    scatter: f64,
    before: f64,
}

/// Sampled, as the paper reads.
fn gained(rows: &[Row], layout: Layout, stage: Optimization) -> Option<Gain> {
    let place = Optimization::DRAWN.iter().position(|of| *of == stage)?;
    let before = *Optimization::DRAWN.get(place.checked_sub(1)?)?;
    let [before, after] = [before, stage].map(|stage| at(rows, layout, stage, Reads::Sample));
    let (before, after) = (before?, after?);
    let scatter = |row: &Row| row.mflops * row.summary.relative_spread();
    Some(Gain {
        gain: after.mflops - before.mflops,
        // Both are off at once.
        scatter: scatter(before).hypot(scatter(after)),
        before: before.mflops,
    })
}

/// One layout that gains it is enough. A gain that may be chance is none that can be told.
fn gain((stage, claimed, claim): (Optimization, f64, &str), rows: &[Row]) -> Finding {
    let gains: Vec<(Layout, Gain)> = DOCUMENTS
        .into_iter()
        .filter_map(|layout| Some((layout, gained(rows, layout, stage)?)))
        .collect();
    let words = gains.iter().map(|(layout, gain)| {
        let percent = 100.0 * gain.gain / gain.before.max(1e-9);
        format!(
            "{} for {layout} ({percent:.0} %, scatter {})",
            short(gain.gain),
            short(gain.scatter)
        )
    });
    let n = rows.first().map_or(0, |row| row.n);
    let words = format!(
        "MFLOP/s gained at N = {n}: {} (threshold: at least {} with either)",
        words.collect::<Vec<_>>().join(", "),
        short(claimed / ABOUT)
    );
    let verdicts = gains.iter().map(|(_, gain)| judge(*gain, claimed));
    let judged = verdicts.reduce(either).map(|verdict| (words, verdict));
    finding_or(claim, judged, "the stage could not run here")
}

/// Two thirds of a gain are still about as much.
const ABOUT: f64 = 1.5;

fn judge(gain: Gain, claimed: f64) -> Verdict {
    let enough = claimed / ABOUT;
    match gain.gain {
        sure if sure - gain.scatter >= enough => Verdict::Confirmed,
        sure if sure + gain.scatter < enough => Verdict::Contradicted,
        _ => Verdict::NotMeasurable,
    }
}

/// The verdict of two: confirmed if either confirms, contradicted if both contradict.
fn either(one: Verdict, other: Verdict) -> Verdict {
    match [one, other] {
        [Verdict::Confirmed, _] | [_, Verdict::Confirmed] => Verdict::Confirmed,
        [Verdict::Contradicted, Verdict::Contradicted] => Verdict::Contradicted,
        _ => Verdict::NotMeasurable,
    }
}

fn overall(rows: &[Row]) -> Finding {
    let ends = |layout| {
        let of = |stage| at(rows, layout, stage, Reads::Sample);
        let (first, last) = (of(Optimization::Generic)?, of(Optimization::Neighbours)?);
        let scatter = first.summary.relative_spread().max(last.summary.relative_spread());
        Some((layout, last.mflops / first.mflops.max(1e-9), scatter))
    };
    let ends: Vec<(Layout, f64, f64)> = DOCUMENTS.into_iter().filter_map(ends).collect();
    let words = ends.iter().map(|(layout, times, scatter)| {
        format!("{} for {layout} ({})", short(*times), scatters(*scatter))
    });
    let words = words.collect::<Vec<_>>().join(", ");
    let judged = (!ends.is_empty()).then(|| {
        let verdict = |(_, times, scatter): &(Layout, f64, f64)| {
            beyond_chance(*times, *scatter, |times| times > 1.1)
        };
        let n = rows.first().map_or(0, |row| row.n);
        let words = format!(
            "speedup of the last stage over the first, sampled, at N = {n}: {words} (threshold: all more than 1.1)"
        );
        (words, ends.iter().map(verdict).fold(Verdict::Confirmed, both))
    });
    finding_or("The stages together substantially improve the first port", judged, "none ran")
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use super::*;
    use crate::Summary;
    use quadrille::internal::reference::Comparison;

    fn rows(rates: [f64; 4], spread: f64) -> Vec<Row> {
        let row = |(stage, mflops): (Optimization, f64)| Row {
            n: 4096,
            engine: Engine::Device(Layout::Red, stage, Reads::Sample),
            summary: Summary { median_ms: 1.0, spread_ms: spread, runs: 3 },
            iterations: 1,
            mflops,
            comparison: Comparison::RIGHT,
            document: None,
        };
        Optimization::DRAWN.into_iter().zip(rates).map(row).collect()
    }

    #[test]
    fn gains_are_judged_beyond_chance() {
        let verdicts = |rows: &[Row]| -> Vec<Verdict> {
            let mut verdicts: Vec<Verdict> =
                STAGES.iter().map(|stage| gain(*stage, rows).verdict).collect();
            verdicts.push(overall(rows).verdict);
            verdicts
        };
        assert_eq!(verdicts(&rows([1000.0, 1100.0, 1500.0, 1800.0], 0.0)), [Confirmed; 4]);
        assert_eq!(verdicts(&rows([1000.0, 1050.0, 1010.0, 1090.0], 0.0)), [Contradicted; 4]);
        assert_eq!(verdicts(&rows([1000.0, 1100.0, 1500.0, 1800.0], 0.2))[0], NotMeasurable);
        assert_eq!(verdicts(&[]), [NotMeasurable; 4]);
    }
}
