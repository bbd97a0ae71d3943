//! Figure 7 as lines, and the rates beside it as bars.

use super::super::report::{Figure, Line, Plot};
use super::{Engine, Many, Table};

/// Figure 7, where anything ran.
pub fn figure_7(table: &Table) -> Option<Figure> {
    let measured = |engine: Engine| {
        let rows = table.rows.iter().filter(move |row| row.engine == engine);
        rows.map(|row| [row.clauses as f64, row.seconds()]).collect()
    };
    let line = |engine: Engine| Line {
        name: engine.name().to_owned(),
        points: measured(engine),
        quoted: false,
    };
    let mut lines: Vec<Line> =
        Engine::ALL.map(line).into_iter().filter(|line| !line.points.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let papers: Vec<[f64; 2]> = measured(Engine::Vertex);
    if let [[first, seconds], .., [last, _]] = papers[..] {
        let points = vec![[first, seconds], [last, seconds]];
        lines.push(Line { name: "paper, GPU".into(), points, quoted: true });
    }
    Some(Figure {
        id: "vectors-2002-figure-7".into(),
        title: "Figure 7, the paper's 3-SAT search".into(),
        plot: Plot::Lines {
            axes: ["clauses".into(), "s of 100,000 iterations, extrapolated".into()],
            logarithmic: true,
            lines,
        },
        notes: vec![
            "The paper gives no numbers for this figure; it says that the GPU's time is almost flat: its line begins at \
             the first point of vertex."
                .into(),
        ],
    })
}

/// The rates of many candidates beside those of one, where they ran.
pub fn rates(table: &Table) -> Option<Figure> {
    let group = |many: &Many| {
        let [texture, host] = many.one;
        let rates = [many.rate, texture, host].map(|rate| Some(rate / 1e6)).to_vec();
        (format!("{} clauses", many.clauses), rates)
    };
    (!table.many.is_empty()).then(|| Figure {
        id: "vectors-2002-clause-evaluations".into(),
        title: "Clause evaluations".into(),
        plot: Plot::Bars {
            unit: "10^6 a second".into(),
            series: ["many candidates", "one, texture", "one, host"].map(str::to_owned).to_vec(),
            groups: table.many.iter().map(group).collect(),
        },
        notes: Vec::new(),
    })
}
