//! The paper's table of results: its last optimization by size and layout, beside both graphics
//! cards.

use super::super::prelude::*;
use std::time::Instant;

use super::{best, claims, finished, left_out};
use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;
use quadrille_lab::bench::jacobi;
use quadrille_lab::bench::jacobi::{Engine, Plan, Row};
use quadrille_lab::report::document::jacobi as document;

/// The paper's last stage, and the one beyond it.
const STAGES: [Optimization; 2] = [Optimization::Neighbours, Optimization::Compute];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let sizes = document::sizes();
    let sizes = lab.scale.pick(&sizes[..5], &sizes[..]);
    let mut runs = lab.scale.pick(3, 5);
    let mut part = Part::default();
    let begun = Instant::now();
    let mut tables = measured(lab, sizes, runs, &mut part.left_out)?;
    // Once more with more runs, if all sizes fit the time.
    if let Some(more) = lab.more_runs(runs, begun.elapsed()).filter(|_| part.left_out.is_empty()) {
        let again = measured(lab, sizes, more, &mut Vec::new())?;
        if again.len() == tables.len() {
            (tables, runs) = (again, more);
        }
    }
    part.left_out.extend(tables.iter().flat_map(left_out));
    let rows: Vec<Row> = tables.iter().flat_map(|table| table.rows.clone()).collect();
    let sizes: Vec<usize> = sizes.iter().copied().take(tables.len()).collect();
    let sizes = Sizes { rows: &rows, sizes: &sizes };
    part.tables.push(sizes.table(runs));
    part.tables.extend(sizes.intensity(runs));
    part.figures.extend(sizes.figure());
    part.findings = sizes.findings();
    part.left_out.push(BLAS.into());
    Ok(part)
}

fn measured(
    lab: &mut Lab<'_>,
    sizes: &[usize],
    runs: usize,
    left_out: &mut Vec<String>,
) -> Result<Vec<jacobi::Table>> {
    by_size(lab, "the results", sizes, left_out, |context, n, observer| {
        let plan = Plan {
            sizes: vec![n],
            layouts: Layout::ALL.to_vec(),
            stages: STAGES.to_vec(),
            reads: vec![Reads::Fetch, Reads::Sample],
            cpu: true,
            runs: Some(runs),
        };
        finished(jacobi::run(context, &plan, observer)?)
    })
}

const BLAS: &str = "\"yielding better performance when linked against the BLAS library\" (CPU implementation) is not \
     judged: no BLAS is linked, and BLAS has no operation that adds the product of two vectors, element by element, as a \
     band times x is. The loops by bands in the table are plain Rust.";

struct Sizes<'a> {
    rows: &'a [Row],
    sizes: &'a [usize],
}

impl Sizes<'_> {
    /// The better way of reading of a layout at a size.
    fn drawn(&self, n: usize, layout: Layout) -> Option<&Row> {
        let is_it = move |row: &&Row| {
            row.n == n
                && matches!(row.engine, Engine::Device(l, Optimization::Neighbours, _) if l == layout)
        };
        best(self.rows.iter().filter(is_it))
    }

    fn computed(&self, n: usize) -> Option<&Row> {
        let is_it = |row: &&Row| {
            row.n == n && matches!(row.engine, Engine::Device(_, Optimization::Compute, _))
        };
        best(self.rows.iter().filter(is_it))
    }

    fn device(&self, n: usize) -> Option<&Row> {
        let drawn = Layout::ALL.into_iter().filter_map(|layout| self.drawn(n, layout));
        best(drawn.chain(self.computed(n)))
    }

    fn on(&self, n: usize, engine: Engine) -> Option<&Row> {
        self.rows.iter().find(|row| row.n == n && row.engine == engine)
    }

    /// The faster loop of one core.
    fn core(&self, n: usize) -> Option<&Row> {
        best(LOOPS.into_iter().filter_map(|engine| self.on(n, engine)))
    }

    fn size(&self, n: usize) -> Size {
        let rate = |row: Option<&Row>| row.map(|row| row.mflops);
        let spreads = self.rows.iter().filter(|row| row.n == n);
        Size {
            n,
            drawn: SHOWN.map(|layout| rate(self.drawn(n, layout))),
            computed: rate(self.computed(n)),
            cpu: LOOPS.map(|engine| rate(self.on(n, engine))),
            speedup: self.device(n).zip(self.core(n)).map(|(best, core)| best.mflops / core.mflops),
            papers: [Layout::Rgba, Layout::Red].map(|layout| document::claim(n, layout)),
            spread: spreads.map(|row| row.summary.spread_percent()).fold(0.0, f64::max),
        }
    }

    fn table(&self, runs: usize) -> Table {
        let columns = vec![
            only_text("N", "", |size: &Size| size.n.into()),
            only_text("RGBA", "", |size| size.drawn[0].into()),
            only_text("RED", "", |size| size.drawn[1].into()),
            only_text("separate", "", |size| size.drawn[2].into()),
            only_text("packed", "", |size| size.drawn[3].into()),
            only_text("compute, best layout", "", |size| size.computed.into()),
            only_text("one core, single loop", "", |size| size.cpu[0].into()),
            only_text("one core, by bands", "", |size| size.cpu[1].into()),
            only_text("best of the device, times one core", "", |size| size.speedup.into()),
            only_text("5900U RGBA", "", |size| size.paper(0, |claim| claim.fx5900)),
            only_text("5900U RED", "", |size| size.paper(1, |claim| claim.fx5900)),
            only_text("6800 RGBA", "", |size| size.paper(0, |claim| claim.gf6800)),
            only_text("6800 RED", "", |size| size.paper(1, |claim| claim.gf6800)),
            only_text("largest spread", "%", |size| size.spread.into()),
        ];
        let notes = [
            "20 operations per unknown and step, as in the paper. An RGBA row of N holds four systems of N / 4, \
             as in the paper. The faster way of reading texels is shown.",
            "RED has 12 fetches per unknown; separate (a texture for each band) has 19; RGBA and packed (four \
             unknowns of one system in a texel, which the paper calls too tedious) have 19 for four unknowns.",
            "compute is beyond the paper: a compute shader. 5900U and 6800 are the paper's cards; it gives \
             no rates of its CPU loops.",
        ];
        let rows: Vec<Size> = self.sizes.iter().map(|n| self.size(*n)).collect();
        let sizes = list(self.sizes);
        let command = format!(
            "quadrille bench jacobi --sizes {sizes} --stages neighbours,compute --runs {runs}"
        );
        let title = "Results in MFLOP/s: the last stage by size and layout";
        Rows { columns, rows: &rows }.table("jacobi-table", title, notes, command)
    }

    /// The layouts' operations of a fetch, and their rates at the largest size.
    fn intensity(&self, runs: usize) -> Option<Table> {
        let largest = *self.sizes.last()?;
        let row = |layout: Layout| -> Vec<Cell> {
            let unknowns = if matches!(layout, Layout::Rgba | Layout::Packed) { 4 } else { 1 };
            let (operations, fetches) = (20 * unknowns, fetches(layout));
            let rate = self.drawn(largest, layout).map(|row| row.mflops);
            vec![
                layout.to_string().into(),
                f64::from(operations).into(),
                f64::from(fetches).into(),
                (f64::from(operations) / f64::from(fetches)).into(),
                rate.into(),
            ]
        };
        let rate = format!("MFLOP/s at N = {largest}");
        let columns =
            ["layout", "operations a fragment", "fetches a fragment", "operations a fetch"];
        Some(Table {
            id: "jacobi-intensity".into(),
            title: "Arithmetic intensity of the layouts".into(),
            columns: columns.into_iter().map(String::from).chain([rate]).collect(),
            rows: SHOWN.into_iter().map(row).collect(),
            notes: vec![
                "\"The arithmetic intensity of this Jacobi implementation is rather low\", says the paper of RED. A fetch is of \
                 a texel, whatever its channels. In the matrix product of 2004 whose texels are columns (CP), a step of 5 \
                 fetches has 32 operations: 6.4 a fetch."
                    .into(),
            ],
            command: format!(
                "quadrille bench jacobi --sizes {largest} --stages neighbours --runs {runs}"
            ),
        })
    }

    fn figure(&self) -> Option<Figure> {
        let ours = |rate: &dyn Fn(usize) -> Option<f64>| -> Vec<[f64; 2]> {
            let point = |n: &usize| Some([*n as f64, rate(*n)?]);
            self.sizes.iter().filter_map(point).collect()
        };
        let card = |layout: Layout, pick: fn(document::Claim) -> Option<u32>| {
            let rate = move |n| document::claim(n, layout).and_then(pick).map(f64::from);
            document::sizes().into_iter().filter_map(move |n| Some([n as f64, rate(n)?]))
        };
        let mut lines: Vec<Line> = Vec::new();
        for layout in Layout::ALL {
            let points = ours(&|n| Some(self.drawn(n, layout)?.mflops));
            lines.push(Line::measured(layout.to_string(), points));
        }
        lines.push(Line::measured("compute", ours(&|n| Some(self.computed(n)?.mflops))));
        lines.push(Line::measured("one core", ours(&|n| Some(self.core(n)?.mflops))));
        for (layout, name) in [(Layout::Rgba, "RGBA"), (Layout::Red, "RED")] {
            lines.push(Line::quoted(format!("5900U {name}"), card(layout, |claim| claim.fx5900)));
            lines.push(Line::quoted(format!("6800 {name}"), card(layout, |claim| claim.gf6800)));
        }
        let (title, axes) = ("Results: MFLOP/s against the size", ["unknowns", "MFLOP/s"]);
        let figure = Figure::lines("jacobi-figure", title, axes, lines)?;
        Some(figure.note("Thin lines are the paper's cards."))
    }

    fn ratios<'b>(&self, of: impl Fn(usize) -> Option<[&'b Row; 2]>) -> Vec<Ratio> {
        let ratio = |n: usize| of(n).map(|[a, b]| Ratio::of(n, a, b));
        self.sizes.iter().filter_map(|n| ratio(*n)).collect()
    }

    fn layouts(&self, a: Layout, b: Layout) -> Vec<Ratio> {
        self.ratios(|n| Some([self.drawn(n, a)?, self.drawn(n, b)?]))
    }

    fn findings(&self) -> Vec<Finding> {
        let rgba = self.layouts(Layout::Rgba, Layout::Red);
        let separate = self.layouts(Layout::Separate, Layout::Red);
        let packed = self.layouts(Layout::Packed, Layout::Red);
        vec![
            judge(&claims::SINGLE_CHANNEL, all("separate over RED", &separate)),
            judge(&claims::TWICE, middle(&rgba)),
            check(&claims::IDEAL, Ok(by_fetches(&rgba))),
            check(&claims::PACKED, is_possible(&packed)),
            judge(&claims::LAYOUT, either_way(&rgba)),
        ]
    }
}

/// The layouts in the table's order, and the loops of one core.
const SHOWN: [Layout; 4] = [Layout::Rgba, Layout::Red, Layout::Separate, Layout::Packed];
const LOOPS: [Engine; 2] = [Engine::CpuLoop, Engine::CpuBands];

struct Size {
    n: usize,
    drawn: [Option<f64>; 4],
    computed: Option<f64>,
    cpu: [Option<f64>; 2],
    speedup: Option<f64>,
    papers: [Option<document::Claim>; 2],
    spread: f64,
}

impl Size {
    fn paper(&self, layout: usize, card: fn(document::Claim) -> Option<u32>) -> Cell {
        self.papers[layout].and_then(card).map(f64::from).into()
    }
}

struct Ratio {
    n: usize,
    estimate: Estimate,
}

impl Ratio {
    fn of(n: usize, one: &Row, other: &Row) -> Ratio {
        Ratio { n, estimate: timed(other.timing(), one.timing()) }
    }
}

/// "RGBA over RED, by N: 4096: 1.20, 16384: 2.10".
fn words(what: &str, ratios: &[Ratio]) -> Result<String, String> {
    let word = |ratio: &Ratio| format!("{}: {}", ratio.n, ratio.estimate);
    match ratios {
        [] => Err("one of the two could not run here".into()),
        some => {
            Ok(format!("{what}, by N: {}", some.iter().map(word).collect::<Vec<_>>().join(", ")))
        }
    }
}

fn all(what: &str, ratios: &[Ratio]) -> AnswerOrReason {
    let estimates = ratios.iter().map(|ratio| ratio.estimate).collect();
    Ok(Answer::of_all(words(what, ratios)?, estimates))
}

fn either_way(ratios: &[Ratio]) -> AnswerOrReason {
    let estimates = ratios.iter().map(|ratio| ratio.estimate.either_way()).collect();
    Ok(Answer::of_all(words("RGBA over RED", ratios)?, estimates))
}

/// The middle one of all sizes, as a factor either way.
fn middle(ratios: &[Ratio]) -> AnswerOrReason {
    let words = words("RGBA over RED", ratios)?;
    let mut sorted: Vec<Estimate> = ratios.iter().map(|ratio| ratio.estimate).collect();
    sorted.sort_by(|one, other| one.value.total_cmp(&other.value));
    let middle = sorted.get(sorted.len() / 2).copied().ok_or("none ran")?;
    Ok(Answer::of(format!("{words}; the middle one {middle}"), middle.either_way()))
}

/// Fetches of a fragment.
fn fetches(layout: Layout) -> u32 {
    if layout == Layout::Red { 12 } else { 19 }
}

/// What the counts of fetches allow, and what was measured.
fn by_fetches(ratios: &[Ratio]) -> (String, bool) {
    let [red, rgba] = [Layout::Red, Layout::Rgba].map(fetches);
    let times = f64::from(4 * red) / f64::from(rgba);
    let measured = words("; RGBA over RED", ratios).unwrap_or_default();
    let words = format!(
        "four unknowns take {} fetches in RED and {rgba} in RGBA, {} times fewer{measured}",
        4 * red,
        short(times)
    );
    (words, times < 4.0)
}

/// Every row was compared with double precision.
fn is_possible(ratios: &[Ratio]) -> Result<(String, bool), String> {
    let words = words("results are right, and the rate over that of RED is", ratios)?;
    Ok((words, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use quadrille_lab::report::{Plot, Verdict};

    fn row(n: usize, engine: Engine, mflops: f64) -> Row {
        Row {
            n,
            engine,
            summary: Summary::still(1e3 / mflops),
            iterations: 1,
            mflops,
            comparison: Comparison::RIGHT,
            document: None,
        }
    }

    fn rows(n: usize, rates: [f64; 6]) -> Vec<Row> {
        let drawn = |layout| Engine::Device(layout, Optimization::Neighbours, Reads::Sample);
        let [red, separate, rgba, packed] = Layout::ALL.map(drawn);
        let engines = [red, separate, rgba, packed, Engine::CpuLoop, Engine::CpuBands];
        engines.into_iter().zip(rates).map(|(engine, rate)| row(n, engine, rate)).collect()
    }

    fn verdicts(rows: &[Row], sizes: &[usize]) -> Vec<Verdict> {
        let sizes = Sizes { rows, sizes };
        sizes.findings().iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn each_finding_flips() {
        let sizes = [4096, 16384, 65536];
        let at = |rgba: [f64; 3], separate: f64| -> Vec<Row> {
            let rates = |rgba| [100.0, separate, rgba, 105.0, 50.0, 60.0];
            sizes.iter().zip(rgba).flat_map(|(n, rgba)| rows(*n, rates(rgba))).collect()
        };
        let yes = verdicts(&at([90.0, 180.0, 250.0], 130.0), &sizes);
        assert_eq!(yes, [Confirmed; 5]);
        let no = verdicts(&at([95.0, 105.0, 110.0], 80.0), &sizes);
        assert_eq!(no, [Contradicted, Contradicted, Confirmed, Confirmed, Contradicted]);
        let slower = verdicts(&at([40.0, 50.0, 60.0], 80.0), &sizes);
        assert_eq!(slower[1], Confirmed);
        let none = verdicts(&[], &[4096]);
        assert_eq!(none[2], Confirmed, "no time decides it");
        assert!([0, 1, 3, 4].iter().all(|at| none[*at] == NotMeasurable));
    }

    #[test]
    fn the_intensity_is_that_of_the_papers_counts() {
        let rows = rows(4096, [100.0, 110.0, 200.0, 105.0, 50.0, 60.0]);
        let table = Sizes { rows: &rows, sizes: &[4096] }.intensity(3).unwrap();
        let rgba = [80.0, 19.0, 80.0 / 19.0, 200.0].map(Cell::Number);
        let red = [20.0, 12.0, 20.0 / 12.0, 100.0].map(Cell::Number);
        assert_eq!([&table.rows[0][1..], &table.rows[1][1..]], [&rgba[..], &red[..]]);
        assert!(Sizes { rows: &rows, sizes: &[] }.intensity(3).is_none());
    }

    #[test]
    fn the_table_stands_beside_both_cards() {
        let rows = rows(4096, [100.0, 110.0, 200.0, 105.0, 50.0, 60.0]);
        let sizes = Sizes { rows: &rows, sizes: &[4096] };
        let cells = &sizes.table(3).rows[0];
        let numbers = [200.0, 100.0, 110.0, 105.0].map(Cell::Number);
        assert_eq!(cells[1..5], numbers);
        assert_eq!(cells[8..12], [807.0, 451.0, 283.0, 474.0].map(Cell::Number));
        let Plot::Lines { lines, .. } = sizes.figure().unwrap().plot else { return };
        assert_eq!(lines.iter().filter(|line| line.quoted).count(), 4);
    }
}
