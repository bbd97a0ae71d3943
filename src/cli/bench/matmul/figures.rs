//! The charts of slides 14, 15 and 21, with this device's bars. The slides' own have no numbers.

use super::super::super::plot::{BarChart, Group};
use super::report::{Line, Report};
use crate::linalg::matmul::Engine;

/// GFLOPS and GB/s of each method, a colour for each size; then, for each size, percents of peak.
pub(super) fn of(report: &Report) -> Vec<BarChart> {
    let mut sizes: Vec<usize> = report.rows.iter().map(|row| row.n).collect();
    sizes.dedup();
    let device = &report.device;
    let by_size = |title: &str, unit: &str, bar: fn(&Line) -> Option<f64>| BarChart {
        title: format!("{title}: {device}"),
        unit: unit.into(),
        series: sizes.iter().map(|n| format!("n = {n}")).collect(),
        groups: groups(report, |name| sizes.iter().map(|n| bar(line(report, name, *n)?)).collect()),
    };
    let percents = |n: &usize| BarChart {
        title: format!("Percent of peak, n = {n}: {device}"),
        unit: "%".into(),
        series: vec!["arithmetic".into(), "fetch bandwidth".into()],
        groups: groups(report, |name| {
            let line = line(report, name, *n);
            vec![line.and_then(|l| l.peak_percent), line.and_then(|l| l.bandwidth_percent)]
        }),
    };
    let mut charts = vec![
        by_size("Matrix multiply", "GFLOPS", |line| Some(line.gflops)),
        by_size("Fetched by shaders", "GB/s", |line| {
            line.fetched_gb_s.filter(|_| line.engine != Engine::Host.name())
        }),
    ];
    charts.extend(sizes.iter().map(percents));
    charts.retain(|chart| !chart.groups.is_empty());
    charts
}

fn line<'a>(report: &'a Report, name: &str, n: usize) -> Option<&'a Line> {
    report.rows.iter().find(|line| line.n == n && line.label() == name)
}

/// A group for each method, where there is anything to show.
fn groups(report: &Report, bars: impl Fn(&str) -> Vec<Option<f64>>) -> Vec<Group> {
    let mut names: Vec<&str> = Vec::new();
    for line in &report.rows {
        if !names.contains(&line.label()) {
            names.push(line.label());
        }
    }
    let groups = names.into_iter().map(|name| Group { name: name.to_owned(), bars: bars(name) });
    groups.filter(|group| group.bars.iter().any(Option::is_some)).collect()
}
