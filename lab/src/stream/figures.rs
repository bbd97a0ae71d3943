//! The rate of each operation over the number of elements.

use quadrille::stream::Engine;

use super::super::report::{Figure, Line};
use super::{Operation, Row};

/// A figure for each engine's element-wise operations and for its reductions, and one for transfers: a line for each
/// operation.
pub fn figures(rows: &[Row]) -> Vec<Figure> {
    let (element_wise, reductions) = Operation::ON_VECTORS.split_at(Operation::ELEMENT_WISE);
    let of_engine = |engine: Engine| {
        [("element-wise operations", element_wise), ("reductions", reductions)].map(
            |(what, operations)| {
                let title = format!("{what}, {engine} engine");
                figure(rows, title, operations, Some(engine))
            },
        )
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
