//! Figures of scaling and of messages. What is fitted is drawn thin.

use super::messages::Message;
use super::row::{Row, Scaling, Work};
use crate::report::{Figure, Line, distinct};

/// Efficiencies over ranks, and times of messages over their lengths.
pub fn figures(rows: &[Row], messages: &[Message]) -> Vec<Figure> {
    let mut lines = Vec::new();
    for (work, scaling, halo) in kinds(rows) {
        let same = |row: &&Row| {
            (row.work, row.halo) == (work, halo) && (row.scaling == scaling || row.ranks == 1)
        };
        let points =
            rows.iter().filter(same).filter_map(|row| Some([row.ranks as f64, row.efficiency?]));
        lines.push(Line::measured(name(work, scaling, halo), points));
    }
    let points = |of: &dyn Fn(&Message) -> f64| -> Vec<[f64; 2]> {
        messages.iter().map(|message| [message.bytes as f64, of(message)]).collect()
    };
    let measured = Line::measured("measured", points(&|message| 1e3 * message.summary.median_ms));
    let fitted = points(&|message| message.fitted_us);
    let fitted = Line { name: "latency and bandwidth".into(), points: fitted, quoted: true };
    let axes = ["ranks", "efficiency"];
    let scaling = Figure::lines("cluster-scaling", "Scaling over ranks", axes, lines);
    let axes = ["bytes", "us"];
    let passed =
        Figure::lines("cluster-messages", "A message between two ranks", axes, [measured, fitted]);
    scaling.into_iter().chain(passed).collect()
}

/// The kinds of work with efficiencies of several ranks, in the order of the rows.
fn kinds(rows: &[Row]) -> Vec<(Work, Scaling, Option<usize>)> {
    let of_several = rows.iter().filter(|row| row.ranks > 1 && row.efficiency.is_some());
    distinct(of_several.map(|row| (row.work, row.scaling, row.halo)))
}

fn name(work: Work, scaling: Scaling, halo: Option<usize>) -> String {
    let halo = halo.map_or(String::new(), |halo| format!(", halo {halo}"));
    format!("{}, {}{halo}", work.name(), scaling.name())
}
