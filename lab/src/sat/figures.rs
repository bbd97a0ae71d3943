//! Figure 7, and the rates beside it, as bars.

use super::super::report::{Figure, Plot};
use super::{Engine, ITERATIONS, Many, Table};

/// Figure 7, where anything ran.
pub fn figure_7(table: &Table) -> Option<Figure> {
    let mut clauses: Vec<usize> = table.rows.iter().map(|row| row.clauses).collect();
    clauses.dedup();
    let bar = |clauses: usize, engine: Engine| {
        let mut rows = table.rows.iter();
        let row = rows.find(|row| row.clauses == clauses && row.engine == engine)?;
        Some(row.summary.median_ms * ITERATIONS as f64 / 1e3)
    };
    let group = |&clauses: &usize| {
        (format!("{clauses} clauses"), Engine::ALL.map(|engine| bar(clauses, engine)).to_vec())
    };
    (!clauses.is_empty()).then(|| Figure {
        id: "vectors-2002-figure-7".into(),
        title: "Figure 7, the paper's 3-SAT search".into(),
        plot: Plot::Bars {
            unit: "s of 100,000 iterations, extrapolated".into(),
            series: Engine::ALL.map(|engine| engine.name().to_owned()).to_vec(),
            groups: clauses.iter().map(group).collect(),
        },
        notes: vec![
            "The paper gives no numbers for this figure; it says that the GPU's time is almost flat."
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
