//! Forecasts the time of a direct solver from smaller systems of the same kind: nothing stops it
//! once it runs.

use std::time::Duration;

use super::super::runner::RunTime;
use super::host;
use super::method::Method;
use super::system::{Family, Grid, System};
use crate::numbers::short;
use crate::{MeasurementError, Result};

/// Unknowns that take no forecast.
const SMALL: usize = 1 << 16;
/// The exponent of the unknowns in the time: between those of the entries and of the operations of
/// a decomposition by nested dissection, n log n and n^1.5 (George 1973). From 255 x 255 to 1023 x
/// 1023 points of `poisson5` it was 1.19 for Cholesky and 1.28 for LU on two cores.
const GROWTH: f64 = 1.25;

/// Refuses what would take longer than the limit, by the time of systems on grids of a quarter of
/// the width and height.
pub(super) fn must_end_within(
    limit: Duration,
    method: Method,
    system: &System,
    tolerance: f64,
) -> Result<()> {
    let (width, height, None) = system.stencil.points() else {
        // The host's solvers are given nine bands: they refuse.
        return Ok(());
    };
    let family = Family::of(system.stencil);
    for (width, height) in smaller(width, height).into_iter().rev() {
        let grid = Grid { x: width, y: Some(height), z: None };
        let solved = host::solve(method, &System::new(family.on(grid)?)?, tolerance, Some(limit))?;
        let unknowns = [system.b.len(), width * height].map(|count| count as f64);
        let expected =
            solved.times.whole().as_secs_f64() * (unknowns[0] / unknowns[1]).powf(GROWTH);
        if expected > limit.as_secs_f64() {
            let (expected, limit) = (short(expected), short(limit.as_secs_f64()));
            let reason = format!("would take about {expected} s, more than {limit} s");
            return Err(MeasurementError::HostSolver { reason }.into());
        }
    }
    Ok(())
}

/// Grids of a quarter of the width and height each, down to a small one; none of a small grid.
fn smaller(mut width: usize, mut height: usize) -> Vec<(usize, usize)> {
    let mut grids = Vec::new();
    while width * height > SMALL {
        let quarter = |points: usize| (points / 4).max(points.min(quadrille::data::MIN_WIDTH));
        (width, height) = (quarter(width), quarter(height));
        grids.push((width, height));
    }
    grids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_shrink_to_a_small_one() {
        let of = smaller;
        assert_eq!(of(255, 255), []);
        assert_eq!(of(1023, 1023), [(255, 255)]);
        assert_eq!(of(4095, 2000), [(1023, 500), (255, 125)]);
        assert_eq!(of(100_000, 1), [(25_000, 1)]);
    }

    #[cfg(feature = "host-solvers")]
    #[test]
    fn what_would_take_longer_is_refused_before_it_runs() {
        let system = System::new("poisson5:300".parse().unwrap()).unwrap();
        let within = |seconds| {
            must_end_within(Duration::from_secs(seconds), Method::Cholesky, &system, 1e-8)
        };
        assert!(within(100_000).is_ok());
        let error = within(0).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("would take about")));
    }
}
