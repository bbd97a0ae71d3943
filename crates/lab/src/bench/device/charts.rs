//! Slides 17 and 18 of "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix
//! Multiplication", as far as they were measured. The slides' own bars have no numbers, so there
//! are none.

use super::subject::{Engine, Row};
use crate::report::{BarGroup, Figure};

/// Peak arithmetic rate and observed bandwidth: those of which a row has something to show.
pub fn charts(rows: &[Row]) -> Vec<Figure> {
    let by = ["texelFetch", "texture", "buffer"];
    let engines = [Engine::Fragment, Engine::Compute];
    let peaks = engines.map(|engine| {
        let name = format!("{} shaders", engine.name());
        (name, vec![best(rows, "mad", engine, |_| true)])
    });
    let bandwidths = engines.iter().flat_map(|engine| by.map(|by| bandwidth(rows, *engine, by)));
    let rates = Figure::bars("peak-arithmetic", "Peak arithmetic rate", "GFLOPS", ["MAD"], peaks);
    let (title, series) = ("Observed bandwidth, RGBA32F", ["cache", "sequential"]);
    let bandwidths = Figure::bars("observed-bandwidth", title, "GB/s", series, bandwidths);
    rates.into_iter().chain(bandwidths).collect()
}

fn bandwidth(rows: &[Row], engine: Engine, by: &str) -> BarGroup {
    let of = |pattern: &str| {
        best(rows, "fetch", engine, |name| name == format!("{pattern} RGBA32F, {by}"))
    };
    (format!("{}, {by}", engine.name()), vec![of("cached"), of("sequential")])
}

fn best(rows: &[Row], probe: &str, engine: Engine, which: impl Fn(&str) -> bool) -> Option<f64> {
    let rows = rows.iter().filter(|row| row.probe == probe && row.engine == engine);
    rows.filter(|row| which(&row.variant)).map(|row| row.rate).reduce(f64::max)
}
