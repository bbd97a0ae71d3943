//! Slides 17 and 18 of "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix
//! Multiplication", as far as they were measured. The slides' own bars have no numbers, so there are none.

use super::super::report::{Figure, Plot};
use super::row::{Engine, Row};

/// A name, and a bar for each series.
type Group = (String, Vec<Option<f64>>);

/// Peak arithmetic rate and observed bandwidth: those of which a row has something to show.
pub fn charts(rows: &[Row]) -> Vec<Figure> {
    let by = ["texelFetch", "texture", "buffer"];
    let engines = [Engine::Fragment, Engine::Compute];
    let peaks = engines.map(|engine| {
        let name = format!("{} shaders", engine.name());
        (name, vec![best(rows, "mad", engine, |_| true)])
    });
    let bandwidths = engines.iter().flat_map(|engine| by.map(|by| bandwidth(rows, *engine, by)));
    let figures = [
        figure("peak-arithmetic", "Peak arithmetic rate", "GFLOPS", &["MAD"], peaks.into()),
        figure(
            "observed-bandwidth",
            "Observed bandwidth, RGBA32F",
            "GB/s",
            &["cache", "sequential"],
            bandwidths.collect(),
        ),
    ];
    figures.into_iter().flatten().collect()
}

fn bandwidth(rows: &[Row], engine: Engine, by: &str) -> Group {
    let of = |pattern: &str| {
        best(rows, "fetch", engine, |name| name == format!("{pattern} RGBA32F, {by}"))
    };
    (format!("{}, {by}", engine.name()), vec![of("cached"), of("sequential")])
}

fn best(rows: &[Row], probe: &str, engine: Engine, which: impl Fn(&str) -> bool) -> Option<f64> {
    let rows = rows.iter().filter(|row| row.probe == probe && row.engine == engine);
    rows.filter(|row| which(&row.variant)).map(|row| row.rate).reduce(f64::max)
}

fn figure(
    id: &str,
    title: &str,
    unit: &str,
    series: &[&str],
    mut groups: Vec<Group>,
) -> Option<Figure> {
    groups.retain(|(_, bars)| bars.iter().any(Option::is_some));
    if groups.is_empty() {
        return None;
    }
    let series = series.iter().map(ToString::to_string).collect();
    let plot = Plot::Bars { unit: unit.into(), series, groups };
    Some(Figure { id: id.into(), title: title.into(), plot, notes: Vec::new() })
}
