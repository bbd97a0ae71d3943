//! Figures 4, 5 and 6 as charts.

use super::super::super::plot::{LineChart, Series};
use quadrille_lab::report::{Figure, Line, Plot};
use quadrille_lab::vector::{Plan, Table, figures};

/// Those for which anything was measured.
pub(super) fn of(device: &str, plan: &Plan, table: &Table) -> Vec<LineChart> {
    figures::of(plan, table).into_iter().filter_map(|figure| chart(device, figure)).collect()
}

fn chart(device: &str, figure: Figure) -> Option<LineChart> {
    let Plot::Lines { axes, logarithmic, lines } = figure.plot else { return None };
    Some(LineChart {
        title: format!("{}: {device}", figure.title),
        axes,
        logarithmic,
        series: lines.into_iter().map(series).collect(),
    })
}

fn series(line: Line) -> Series {
    let points = line.points.into_iter().map(|[x, y]| (x, y)).collect();
    Series { name: line.name, points, quoted: line.quoted }
}
