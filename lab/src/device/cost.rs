//! What a fetch costs in multiply-adds: how many of four numbers each the device does meanwhile.

use super::subject::{Engine, Row};

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

#[cfg(test)]
mod tests {
    use super::super::super::Summary;
    use super::super::super::twin::Comparison;
    use super::*;

    fn row(probe: &'static str, engine: Engine, variant: &str, rate: f64) -> Row {
        let comparison = Comparison::RIGHT;
        let (variant, summary) = (variant.to_owned(), Summary::of(&[], 1));
        Row { probe, engine, variant, rate, unit: "", summary, comparison }
    }

    #[test]
    fn the_price_of_a_fetch_is_in_the_best_multiply_adds_of_its_own_engine() {
        let measured = [
            row("mad", Engine::Fragment, "slow", 8.0),
            row("mad", Engine::Fragment, "fast", 80.0),
            row("mad", Engine::Compute, "other", 800.0),
            row("fetch", Engine::Fragment, "cached RGBA32F, texture", 40.0),
            row("fetch", Engine::Fragment, "cached R32F, texture", 40.0),
            row("dependent-fetch", Engine::Compute, "cached", 2.0),
        ];
        // 10 Gmad/s by 2.5 Gfetch/s; 100 by 2.
        let costs: Vec<f64> = rows(&measured).iter().map(|row| row.rate).collect();
        assert_eq!(costs, [4.0, 50.0]);
        assert!(rows(&measured[3..5]).is_empty());
    }
}
