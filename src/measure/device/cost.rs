//! What a fetch costs in multiply-adds: how many of four numbers each the device does meanwhile.

use super::{Engine, Row};

/// One row for each fetch of four numbers, and for each dependent one, where both it and the
/// multiply-adds of its engine were measured.
pub(super) fn rows(rows: &[Row]) -> Vec<Row> {
    let fetches = rows.iter().filter(|row| fetches_per_second(row).is_some());
    fetches.filter_map(|row| cost(row, best_mad(rows, row.engine)?)).collect()
}

/// The best rate of an engine, in multiply-adds of four numbers a second.
fn best_mad(rows: &[Row], engine: Engine) -> Option<f64> {
    let mads = rows.iter().filter(|row| row.probe == "mad" && row.engine == engine);
    mads.map(|row| row.rate * 1e9 / 8.0).reduce(f64::max)
}

fn fetches_per_second(row: &Row) -> Option<f64> {
    let bytes = match row.probe {
        "dependent-fetch" => return Some(row.rate * 1e9),
        "fetch" if row.variant.contains("RGBA32F") => 16.0,
        "fetch" if row.variant.contains("RGBA8") => 4.0,
        _ => return None,
    };
    Some(row.rate * 1e9 / bytes)
}

fn cost(row: &Row, mads: f64) -> Option<Row> {
    let rate = mads / fetches_per_second(row)?;
    Some(Row { probe: "fetch-cost", rate, unit: "MADs", ..row.clone() })
}
