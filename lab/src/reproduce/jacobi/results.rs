//! The paper's table of results: its last optimization by size and layout, beside both graphics cards.

use super::super::super::Error;
use super::super::super::document::jacobi as document;
use super::super::super::jacobi::{self, Engine, Plan, Row};
use super::super::super::report::{Cell, Figure, Finding, Line, Part, Plot, Table, Verdict};
use super::super::Lab;
use super::super::pace::by_size;
use super::super::words::{beyond_chance, list, scatters, short};
use super::{best, finding_or, finished, left_out};
use quadrille::linalg::jacobi::{Layout, Optimization};
use quadrille::shader::Reads;

/// The paper's last stage, and the one beyond it.
const STAGES: [Optimization; 2] = [Optimization::Neighbours, Optimization::Compute];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let sizes = document::sizes();
    let sizes = lab.scale.pick(&sizes[..5], &sizes[..]);
    let runs = lab.scale.pick(3, 5);
    let mut part = Part::default();
    let tables = by_size(lab, "the results", sizes, &mut part.left_out, |context, n, observer| {
        let plan = Plan {
            sizes: vec![n],
            layouts: Layout::ALL.to_vec(),
            stages: STAGES.to_vec(),
            reads: vec![Reads::Fetch, Reads::Sample],
            cpu: true,
            runs: Some(runs),
        };
        finished(jacobi::run(context, &plan, observer)?)
    })?;
    part.left_out.extend(tables.iter().flat_map(left_out));
    let rows: Vec<Row> = tables.iter().flat_map(|table| table.rows.clone()).collect();
    let sizes: Vec<usize> = sizes.iter().copied().take(tables.len()).collect();
    let sizes = Sizes { rows: &rows, sizes: &sizes };
    part.tables.push(sizes.table(runs));
    part.figures.push(sizes.figure());
    part.findings = sizes.findings();
    Ok(part)
}

/// All that was measured, by size.
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

    /// The fastest of the device, however it works.
    fn device(&self, n: usize) -> Option<&Row> {
        let drawn = Layout::ALL.into_iter().filter_map(|layout| self.drawn(n, layout));
        best(drawn.chain(self.computed(n)))
    }

    fn on(&self, n: usize, engine: Engine) -> Option<&Row> {
        self.rows.iter().find(|row| row.n == n && row.engine == engine)
    }

    /// The faster loop of one core.
    fn core(&self, n: usize) -> Option<&Row> {
        let loops = [Engine::CpuLoop, Engine::CpuBands];
        best(loops.into_iter().filter_map(|engine| self.on(n, engine)))
    }

    fn table(&self, runs: usize) -> Table {
        let row = |&n: &usize| -> Vec<Cell> {
            let rate = |row: Option<&Row>| Cell::from(row.map(|row| row.mflops));
            let layouts = [Layout::Rgba, Layout::Red, Layout::Separate, Layout::Packed];
            let claims = [Layout::Rgba, Layout::Red].map(|layout| document::claim(n, layout));
            let card = |pick: fn(document::Claim) -> Option<u32>| {
                claims.map(|claim| Cell::from(claim.and_then(pick).map(f64::from)))
            };
            let all = self.rows.iter().filter(|row| row.n == n);
            let spread = all.map(|row| 100.0 * row.summary.relative_spread()).fold(0.0, f64::max);
            let faster = self.device(n).zip(self.core(n));
            let mut cells = vec![Cell::from(n)];
            cells.extend(layouts.map(|layout| rate(self.drawn(n, layout))));
            cells.push(rate(self.computed(n)));
            cells
                .extend([Engine::CpuLoop, Engine::CpuBands].map(|engine| rate(self.on(n, engine))));
            cells.push(faster.map(|(device, core)| device.mflops / core.mflops).into());
            cells.extend(card(|claim| claim.fx5900).into_iter().chain(card(|claim| claim.gf6800)));
            cells.push(spread.into());
            cells
        };
        let columns = [
            "N",
            "RGBA",
            "RED",
            "separate",
            "packed",
            "compute, best layout",
            "one core, single loop",
            "one core, by bands",
            "best of the device, times one core",
            "5900U RGBA",
            "5900U RED",
            "6800 RGBA",
            "6800 RED",
            "largest spread [%]",
        ];
        Table {
            id: "jacobi-table".into(),
            title: "Results in MFLOP/s: the last stage by size and layout".into(),
            columns: columns.map(String::from).to_vec(),
            rows: self.sizes.iter().map(row).collect(),
            notes: vec![
                "20 operations per unknown and step, as in the paper. An RGBA row of N holds four systems of N / 4, \
                 as in the paper. The faster way of reading texels is shown."
                    .into(),
                "RED has 12 fetches per unknown; separate (a texture for each band) has 19; RGBA and packed (four \
                 unknowns of one system in a texel, which the paper calls too tedious) have 19 for four unknowns."
                    .into(),
                "compute is beyond the paper: a compute shader. 5900U and 6800 are the paper's cards; it gives \
                 no rates of its CPU loops."
                    .into(),
            ],
            command: format!(
                "quadrille bench jacobi --sizes {} --stages neighbours,compute --runs {runs}",
                list(self.sizes)
            ),
        }
    }

    fn figure(&self) -> Figure {
        let line = |name: &str, rate: &dyn Fn(usize) -> Option<f64>, quoted: bool| Line {
            name: name.into(),
            points: self
                .sizes_or_all(quoted)
                .into_iter()
                .filter_map(|n| Some([n as f64, rate(n)?]))
                .collect(),
            quoted,
        };
        let drawn = |layout: Layout| move |n: usize| Some(self.drawn(n, layout)?.mflops);
        let card = |layout: Layout, pick: fn(document::Claim) -> Option<u32>| {
            move |n: usize| document::claim(n, layout).and_then(pick).map(f64::from)
        };
        let mut lines: Vec<Line> = Layout::ALL
            .into_iter()
            .map(|layout| line(&layout.to_string(), &drawn(layout), false))
            .collect();
        lines.push(line("compute", &|n| Some(self.computed(n)?.mflops), false));
        lines.push(line("one core", &|n| Some(self.core(n)?.mflops), false));
        lines.retain(|line| !line.points.is_empty());
        for layout in [Layout::Rgba, Layout::Red] {
            let name = |card: &str| format!("{card} {}", layout.to_string().to_uppercase());
            lines.push(line(&name("5900U"), &card(layout, |claim| claim.fx5900), true));
            lines.push(line(&name("6800"), &card(layout, |claim| claim.gf6800), true));
        }
        Figure {
            id: "jacobi-figure".into(),
            title: "Results: MFLOP/s against the size".into(),
            plot: Plot::Lines {
                axes: ["unknowns".into(), "MFLOP/s".into()],
                logarithmic: true,
                lines,
            },
            notes: vec!["Thin lines are the paper's cards.".into()],
        }
    }

    fn sizes_or_all(&self, quoted: bool) -> Vec<usize> {
        if quoted { document::sizes() } else { self.sizes.to_vec() }
    }

    /// At each size how many times one rate is another.
    fn ratios<'b>(&self, of: impl Fn(usize) -> Option<[&'b Row; 2]>) -> Vec<Ratio> {
        let ratio = |n: usize| of(n).map(|[a, b]| Ratio::of(n, a, b));
        self.sizes.iter().filter_map(|n| ratio(*n)).collect()
    }

    /// The same of two layouts.
    fn layouts(&self, a: Layout, b: Layout) -> Vec<Ratio> {
        self.ratios(|n| Some([self.drawn(n, a)?, self.drawn(n, b)?]))
    }

    fn findings(&self) -> Vec<Finding> {
        let rgba = self.layouts(Layout::Rgba, Layout::Red);
        let bands =
            self.ratios(|n| Some([self.on(n, Engine::CpuBands)?, self.on(n, Engine::CpuLoop)?]));
        vec![
            twice(&rgba),
            flips(&rgba),
            last(
                "Each vector in a single-channel texture of its own makes better use of the texture caches",
                "separate over RED",
                &self.layouts(Layout::Separate, Layout::Red),
                1.0,
            ),
            last(
                "Another possibility is one vector in a 2D RGBA structure (left out there, as tedious)",
                "packed over RED",
                &self.layouts(Layout::Packed, Layout::Red),
                1.0,
            ),
            last(
                "On the CPU, looping over each band separately yields better performance than one loop",
                "one core, bands against one loop, both in plain Rust without a BLAS",
                &bands,
                1.0,
            ),
        ]
    }
}

/// How many times one rate is another.
struct Ratio {
    n: usize,
    times: f64,
    /// By what part of itself it may be off.
    scatter: f64,
}

impl Ratio {
    fn of(n: usize, one: &Row, other: &Row) -> Ratio {
        let scatter = one.summary.relative_spread().max(other.summary.relative_spread());
        Ratio { n, times: one.mflops / other.mflops.max(1e-12), scatter }
    }

    /// Whether the first is faster, if that can be told.
    fn wins(&self) -> Option<bool> {
        match beyond_chance(self.times, self.scatter, |times| times > 1.0) {
            Verdict::Confirmed => Some(true),
            Verdict::Contradicted => Some(false),
            Verdict::NotMeasurable => None,
        }
    }
}

/// "4096: 1.20, 16384: 2.10".
fn words(ratios: &[Ratio]) -> String {
    let word = |ratio: &Ratio| format!("{}: {}", ratio.n, short(ratio.times));
    ratios.iter().map(word).collect::<Vec<_>>().join(", ")
}

const NOT_RUN: &str = "one of the two could not run here";

/// Judged at the largest size: it must be more than so much there.
fn last(claim: &str, what: &str, ratios: &[Ratio], more_than: f64) -> Finding {
    let judged = ratios.last().map(|last| {
        let words = format!(
            "{what}, by N: {} (threshold: the last more than {more_than}; {})",
            words(ratios),
            scatters(last.scatter)
        );
        (words, beyond_chance(last.times, last.scatter, |times| times > more_than))
    });
    finding_or(claim, judged, NOT_RUN)
}

/// A factor of two either way, give or take a third.
fn twice(rgba: &[Ratio]) -> Finding {
    let judged = rgba.last().map(|last| {
        let words = format!(
            "RGBA over RED, by N: {} (threshold: the last at least 1.5 or at most 0.67; {})",
            words(rgba),
            scatters(last.scatter)
        );
        let holds = |times: f64| times >= 1.5 || times <= 1.0 / 1.5;
        (words, beyond_chance(last.times, last.scatter, holds))
    });
    finding_or(
        "Four systems in RGBA are a factor of two: on some cards faster than RED, on others slower",
        judged,
        NOT_RUN,
    )
}

/// Whether this device alone shows both winners.
fn flips(rgba: &[Ratio]) -> Finding {
    // A difference within the scatter is no win.
    let sure: Vec<bool> = rgba.iter().filter_map(Ratio::wins).collect();
    let wins = sure.iter().filter(|wins| **wins).count();
    let claim = "The winner of RED and RGBA flips by card";
    if wins > 0 && wins < sure.len() {
        let words =
            format!("it changes with the size on this one device: RGBA over RED {}", words(rgba));
        return finding_or(claim, Some((words, Verdict::Confirmed)), NOT_RUN);
    }
    let (winner, card) = if wins > 0 { ("RGBA", "5900U") } else { ("RED", "6800") };
    let why = match rgba {
        [] => NOT_RUN.to_owned(),
        some if sure.is_empty() => {
            format!("the scatter hides the winner: RGBA over RED {}", words(some))
        }
        some => format!(
            "this needs two devices; on this one {winner} wins wherever the scatter allows a decision, as on the \
             {card}: RGBA over RED {}",
            words(some)
        ),
    };
    finding_or(claim, None, &why)
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use super::*;
    use crate::Summary;
    use quadrille::internal::reference::Comparison;

    fn row(n: usize, engine: Engine, mflops: f64) -> Row {
        Row {
            n,
            engine,
            summary: Summary { median_ms: 1.0, spread_ms: 0.01, runs: 3 },
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
        let large = rows(16384, [100.0, 110.0, 200.0, 105.0, 50.0, 60.0]);
        let yes = verdicts(&large, &[16384]);
        assert_eq!(yes, [Confirmed, NotMeasurable, Confirmed, Confirmed, Confirmed]);
        let mut both = rows(4096, [100.0, 90.0, 90.0, 80.0, 900.0, 800.0]);
        both.extend(rows(16384, [100.0, 90.0, 110.0, 80.0, 900.0, 800.0]));
        let no = verdicts(&both, &[4096, 16384]);
        assert_eq!(no[1], Confirmed);
        assert!([0, 2, 3, 4].iter().all(|index| no[*index] == Contradicted), "{no:?}");
        assert_eq!(verdicts(&[], &[4096]), [NotMeasurable; 5]);
    }

    #[test]
    fn the_table_stands_beside_both_cards() {
        let rows = rows(4096, [100.0, 110.0, 200.0, 105.0, 50.0, 60.0]);
        let sizes = Sizes { rows: &rows, sizes: &[4096] };
        let cells = &sizes.table(3).rows[0];
        let numbers = [200.0, 100.0, 110.0, 105.0].map(Cell::Number);
        assert_eq!(cells[1..5], numbers);
        assert_eq!(cells[9..13], [807.0, 451.0, 283.0, 474.0].map(Cell::Number));
        let Plot::Lines { lines, .. } = sizes.figure().plot else { return };
        assert_eq!(lines.iter().filter(|line| line.quoted).count(), 4);
    }
}
