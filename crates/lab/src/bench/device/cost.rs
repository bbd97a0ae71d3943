//! The cost of a fetch in multiply-adds: the number, of four numbers each, that the device does in
//! the time.

use super::subject::{Engine, Row};
use crate::Summary;

/// Returns a row for each fetch of four numbers, and for each dependent one, where both it and the
/// multiply-adds of its engine were measured. `again` are the best multiply-adds once more, after
/// the fetches: a machine that became faster or slower meanwhile shows as spread.
pub(super) fn rows(rows: &[Row], again: &[Row]) -> Vec<Row> {
    let fetches = rows.iter().filter(|row| fetches_per_second(row).is_some());
    fetches.filter_map(|row| cost(row, best_mad(rows, row.engine)?, again)).collect()
}

/// The fastest multiply-adds of an engine.
pub(super) fn best_mad(rows: &[Row], engine: Engine) -> Option<&Row> {
    let mads = rows.iter().filter(|row| row.probe == "mad" && row.engine == engine);
    mads.max_by(|one, other| one.rate.total_cmp(&other.rate))
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

fn cost(row: &Row, mad: &Row, again: &[Row]) -> Option<Row> {
    let second = again.iter().find(|row| row.engine == mad.engine).map_or(mad.rate, |row| row.rate);
    let mean = 0.5 * (mad.rate + second);
    let drift = (mad.rate - second).abs() / mean.max(f64::MIN_POSITIVE);
    // A multiply-add is two operations, and one of four numbers eight.
    let rate = mean * 1e9 / 8.0 / fetches_per_second(row)?;
    let spread = row.summary.relative_spread().hypot(mad.summary.relative_spread()).hypot(drift);
    let summary = Summary { spread_ms: spread * row.summary.median_ms, ..row.summary };
    Some(Row { probe: "fetch-cost", rate, unit: "MADs", summary, ..row.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twin::Comparison;

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
        let costs: Vec<f64> = rows(&measured, &[]).iter().map(|row| row.rate).collect();
        assert_eq!(costs, [4.0, 50.0]);
        assert!(rows(&measured[3..5], &[]).is_empty());
    }

    #[test]
    fn multiply_adds_that_became_faster_meanwhile_are_averaged_and_spread() {
        let timed = |probe, variant, rate| Row {
            summary: Summary { median_ms: 2.0, spread_ms: 0.0, runs: 5 },
            ..row(probe, Engine::Fragment, variant, rate)
        };
        let measured = [timed("mad", "best", 60.0), timed("fetch", "RGBA32F", 40.0)];
        let again = [timed("mad", "best", 100.0)];
        let cost = &rows(&measured, &again)[0];
        assert_eq!((cost.rate, cost.summary.relative_spread()), (4.0, 0.5));
        assert_eq!(rows(&measured, &measured[..1])[0].summary.spread_ms, 0.0);
    }
}
