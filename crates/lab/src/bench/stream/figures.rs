//! The rate of each operation over the number of elements.

use quadrille::stream::Engine;

use super::{Operation, Row};
use crate::report::{Figure, Line};

/// Figures for each engine's operations on vectors and its reductions, and one for transfers: a
/// line for each operation.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let of_engine = |engine: Engine| {
        let kinds: [(&str, &[Operation]); 3] = [
            ("operations on vectors", &Operation::VECTORS),
            ("reductions", &Operation::TO_HOST),
            ("reductions left on the device", &Operation::LEFT_ON_DEVICE),
        ];
        kinds.map(|(what, operations)| {
            figure(rows, format!("{what}, {engine} engine"), operations, Some(engine))
        })
    };
    let on_engines = Engine::ALL.into_iter().flat_map(of_engine);
    let transfers = figure(rows, "transfers".into(), &Operation::TRANSFERS, None);
    on_engines.chain([transfers]).flatten().collect()
}

fn figure(
    rows: &[Row],
    title: String,
    operations: &[Operation],
    engine: Option<Engine>,
) -> Option<Figure> {
    let line = |operation: &Operation| {
        let own = rows.iter().filter(|row| row.operation == *operation && row.engine == engine);
        Line::measured(operation.name(), own.map(|row| [row.n as f64, row.rate]))
    };
    let id = format!("stream-{}", title.replace([',', ' '], "-"));
    Figure::lines(id, title, ["elements", "GB/s"], operations.iter().map(line))
}
