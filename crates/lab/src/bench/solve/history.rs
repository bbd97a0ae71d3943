//! Residuals over time, of the classical methods for one system.

use std::time::Duration;

use serde::Serialize;

use super::super::runner::{Case as _, Meter, RunTime};
use super::case::{Case, Setting, turn};
use super::method::Method;
use super::system::System;
use super::timed_solution::on_device;
use super::watch::{Limited, Look};
use crate::report::{Figure, Line, Plot};
use crate::{Error, Result};

/// The residuals of one method as they were looked at. The first is 1, when the setup is done.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    pub system: String,
    pub method: &'static str,
    pub converged: bool,
    pub seconds: Vec<f64>,
    pub iterations: Vec<u64>,
    pub residuals: Vec<f64>,
}

/// The turns of all.
pub(super) const TURNS: u64 = 4;

/// The recorded histories, and the methods that cannot solve the system.
#[derive(Default)]
pub(super) struct Histories {
    pub(super) histories: Vec<History>,
    pub(super) skipped: Vec<(Method, Error)>,
}

/// Records the methods for one system, Jacobi's iteration as long as the slowest of the others
/// takes. Fewer where the observer stops.
pub(super) fn record(
    setting: Setting<'_, '_>,
    system: &System,
    meter: &mut Meter<'_>,
) -> Result<Histories> {
    let (mut recorded, mut slowest) = (Histories::default(), Duration::ZERO);
    for method in Method::drawn(system.stencil) {
        let limit = if method == Method::Jacobi { slowest } else { setting.limit };
        let one = one(Setting { limit, ..setting }, system, method);
        if !meter.go_on(turn(system.b.len())) {
            break;
        }
        match one {
            Ok((history, time)) => {
                slowest = slowest.max(time);
                recorded.histories.push(history);
            }
            Err(error) if Case::is_skipped_for(&error) => recorded.skipped.push((method, error)),
            Err(error) => return Err(error),
        }
    }
    // From the slowest method to the fastest.
    recorded.histories.reverse();
    Ok(recorded)
}

fn one(setting: Setting<'_, '_>, system: &System, method: Method) -> Result<(History, Duration)> {
    let Setting { context, tolerance, limit, watch } = setting;
    let options = method.options().unwrap_or_default().tolerance(tolerance);
    // Of the first setup, a driver's compiling would be a part.
    on_device(context, system, options.iterations(1), &mut Limited::new(watch, None))?;
    let mut watch = Limited::new(watch, Some(limit)).recording();
    let solved = on_device(context, system, options, &mut watch)?;
    let begin = Look { time: solved.times.setup, iteration: 0, residual: 1.0 };
    let end = Look {
        time: solved.times.whole(),
        iteration: solved.iterations.unwrap_or_default(),
        residual: system.residual(&solved.x)?.value,
    };
    let mut looks = vec![begin];
    looks.extend(watch.looks.unwrap_or_default());
    looks.push(end);
    let looks = thinned(looks.into_iter()).collect::<Vec<_>>();
    let history = History {
        system: system.stencil.to_string(),
        method: method.name(),
        converged: solved.converged,
        seconds: looks.iter().map(|look| look.time.as_secs_f64()).collect(),
        iterations: looks.iter().map(|look| look.iteration).collect(),
        residuals: looks.iter().map(|look| look.residual).collect(),
    };
    Ok((history, end.time))
}

/// The figure of histories of one system.
pub fn figure(histories: &[History]) -> Option<Figure> {
    let system = &histories.first()?.system;
    let lines = histories.iter().map(|history| {
        let points = history.seconds.iter().copied().zip(history.residuals.iter().copied());
        residual_line(history.method, points)
    });
    let plot = Plot::Lines {
        axes: ["seconds, with the setup".into(), RESIDUAL_AXIS.into()],
        logarithmic: false,
        lines: lines.collect(),
    };
    let title = format!("Residual over time, {system}");
    Some(Figure { id: "residuals".into(), title, plot, notes: Vec::new() })
}

pub const RESIDUAL_AXIS: &str = "log10 of the relative residual";

/// The points of a line, which are drawn as dots.
const DOTS: usize = 60;

/// About that many of the points of a line, evenly, and the last one.
fn thinned<P>(points: impl ExactSizeIterator<Item = P>) -> impl Iterator<Item = P> {
    let (last, step) = (points.len().saturating_sub(1), points.len().div_ceil(DOTS).max(1));
    let kept = points.enumerate().filter(move |(at, _)| at % step == 0 || *at == last);
    kept.map(|(_, point)| point)
}

/// Residuals by their exponents, which are even on an axis where the residuals are not.
pub fn residual_line(name: &str, points: impl ExactSizeIterator<Item = (f64, f64)>) -> Line {
    let shown = thinned(points).filter(|(_, residual)| *residual > 0.0);
    Line::measured(name, shown.map(|(place, residual)| [place, residual.log10()]))
}
