//! Figure 7 as lines, and the rates beside it as bars.

use super::{Engine, Many, Table};
use crate::report::{Figure, Line};

pub fn figure_7(table: &Table) -> Option<Figure> {
    let measured = |engine: Engine| -> Vec<[f64; 2]> {
        let rows = table.rows.iter().filter(move |row| row.engine == engine);
        rows.map(|row| [row.clauses as f64, row.seconds()]).collect()
    };
    let lines = Engine::ALL.map(|engine| Line::measured(engine.name(), measured(engine)));
    let papers = match measured(Engine::Vertex)[..] {
        [[first, seconds], .., [last, _]] => vec![[first, seconds], [last, seconds]],
        _ => Vec::new(),
    };
    let lines = lines.into_iter().chain([Line::quoted("paper, GPU", papers)]);
    let axes = ["clauses", "s of 100,000 iterations, extrapolated"];
    let title = "Figure 7, the paper's 3-SAT search";
    let figure = Figure::lines("vectors-2002-figure-7", title, axes, lines)?;
    Some(figure.note(
        "The paper gives no numbers for this figure; it says that the GPU's time is almost flat: its line begins at \
         the first point of vertex.",
    ))
}

/// The rates of many candidates beside those of one, where they ran.
pub fn rates(table: &Table) -> Option<Figure> {
    let group = |many: &Many| {
        let [texture, host] = many.one;
        let rates = [many.rate, texture, host].map(|rate| Some(rate / 1e6)).to_vec();
        (format!("{} clauses", many.clauses), rates)
    };
    let series = ["many candidates", "one, texture", "one, host"];
    let (title, groups) = ("Clause evaluations", table.many.iter().map(group));
    Figure::bars("vectors-2002-clause-evaluations", title, "10^6 a second", series, groups)
}
