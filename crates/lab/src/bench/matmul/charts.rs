//! The charts of slides 14, 15 and 21, with this device's bars. The slides' own have no numbers.

use super::super::device::Limits;
use super::{Efficiency, Row};
use crate::report::{BarGroup, Figure, distinct};

/// GFLOPS and GB/s of each contender, a colour for each size; then, for each size, percents of
/// peak.
pub fn charts(rows: &[Row], limits: Option<&Limits>) -> Vec<Figure> {
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of = |row: &Row| Efficiency::of(row, limits);
    let by_size = |id: &str, title: &str, unit: &str, bar: &dyn Fn(&Row) -> Option<f64>| {
        let series = sizes.iter().map(|n| format!("n = {n}"));
        let bars = |name: &str| sizes.iter().map(|n| bar(row(rows, name, *n)?)).collect();
        Figure::bars(id, title, unit, series, groups(rows, bars))
    };
    let percents = |n: &usize| {
        let bars = |name: &str| {
            let efficiency = row(rows, name, *n).map(of);
            let percent = |part: fn(Efficiency) -> Option<f64>| efficiency.and_then(part);
            vec![percent(|e| e.peak_percent), percent(|e| e.bandwidth_percent)]
        };
        let (id, title) = (format!("percent-of-peak-{n}"), format!("Percent of peak, n = {n}"));
        Figure::bars(id, title, "%", ["arithmetic", "fetch bandwidth"], groups(rows, bars))
    };
    let mut charts = vec![
        by_size("gflops", "Matrix multiply", "GFLOPS", &|row| Some(of(row).gflops)),
        by_size("fetched", "Fetched by shaders", "GB/s", &|row| {
            of(row).fetched_gb_s.filter(|_| row.contender.engine().is_some())
        }),
    ];
    charts.extend(sizes.iter().map(percents));
    charts.into_iter().flatten().collect()
}

fn row<'a>(rows: &'a [Row], name: &str, n: usize) -> Option<&'a Row> {
    rows.iter().find(|row| row.n == n && row.contender.to_string() == name)
}

fn groups(rows: &[Row], bars: impl Fn(&str) -> Vec<Option<f64>>) -> Vec<BarGroup> {
    let names = distinct(rows.iter().map(|row| row.contender.to_string()));
    names.into_iter().map(|name| (name.clone(), bars(&name))).collect()
}
