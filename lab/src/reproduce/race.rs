//! Comparisons of products at growing sizes while time remains, so that a slow device ends in time.
//!
//! A small size is always run. Its times, extrapolated in proportion to n^3, decide which contenders
//! run at a larger size.

use std::time::{Duration, Instant};

use quadrille::linalg::matmul::Element;
use quadrille::observer::{Control, Observer, Progress};

use super::super::device::{self, Limits};
use super::super::error::must_be_right;
use super::super::matmul::{self, Contender, Group, Plan, Row};
use super::super::{Error, Summary};
use super::Lab;
use super::words::short;

/// How a group grows.
pub(super) struct Race<'a> {
    pub(super) sizes: &'a [usize],
    /// The runs of each contender at the last size.
    pub(super) runs: usize,
    pub(super) until: Instant,
    /// Whether a contender is compared with others, so that all of these grow or none; others that are
    /// too slow stop.
    pub(super) together: fn(Contender) -> bool,
}

#[derive(Default)]
pub(super) struct Raced {
    /// The largest size that was run; 0 if none was.
    pub(super) n: usize,
    /// One row for each contender, at the largest size that it ran at.
    pub(super) rows: Vec<Row>,
    /// The contenders that cannot run here or were too slow.
    pub(super) left_out: Vec<String>,
    /// The contenders that cannot run here, which are not tried again.
    cannot: Vec<Contender>,
}

/// The cost of a contender beside its multiplications, mostly compiling, in seconds.
const SET_UP: f64 = 0.15;
/// A run takes at least about this long.
const RUN: f64 = 0.02;
/// The spread of times that need no repetition.
const STILL: f64 = 0.03;
/// The most runs of a contender.
const MOST: usize = 31;

/// How many runs fit the time, by the cost of none and of one.
fn fitting(none: f64, one: f64, left: f64) -> usize {
    let fit = (left - none) / (one - none).max(1e-6);
    (fit.max(0.0) as usize).min(MOST)
}

impl Race<'_> {
    /// Grows from the first size on, or from what was raced before at a smaller one.
    pub(super) fn run<T: Element>(
        &self,
        lab: &mut Lab<'_>,
        contenders: impl Fn(usize) -> Vec<Contender>,
        before: Option<Raced>,
    ) -> Result<Raced, Error> {
        let mut raced = before.unwrap_or_default();
        let mut runs_of_last = self.runs;
        for (step, n) in self.sizes.iter().enumerate() {
            let mut all = contenders(*n);
            all.retain(|one| !raced.cannot.contains(one));
            let survivors = match raced.rows.is_empty() {
                true => all.clone(),
                false => self.survivors(&all, *n, &mut raced),
            };
            if survivors.is_empty() || lab.stopped() {
                break;
            }
            let runs = if step + 1 == self.sizes.len() { self.runs } else { 1 };
            // The smallest is run in any case: without it there is nothing.
            let until = if raced.rows.is_empty() { None } else { Some(self.until) };
            let rows = run_round::<T>(lab, *n, survivors, runs, until, &mut raced)?;
            if rows.is_empty() {
                break;
            }
            // Contenders that are compared have one size, even if an option depends on it.
            raced.rows.retain(|row| !(self.together)(row.contender));
            raced.take(*n, rows, &all);
            runs_of_last = runs;
        }
        self.repeat::<T>(lab, &mut raced, runs_of_last)?;
        Ok(raced)
    }

    /// The contenders that run at a size; the others are noted.
    fn survivors(&self, all: &[Contender], n: usize, raced: &mut Raced) -> Vec<Contender> {
        let left = self.left() - checking(n);
        let costs: Vec<f64> = all.iter().map(|one| raced.cost(*one, n, self.runs)).collect();
        let together: Vec<bool> = all.iter().map(|one| (self.together)(*one)).collect();
        let survivors = chosen(&costs, &together, left);
        let names: Vec<String> = all
            .iter()
            .zip(&survivors)
            .filter(|(_, goes)| !**goes)
            .map(|(one, _)| one.to_string())
            .filter(|name| raced.rows.iter().any(|row| row.contender.to_string() == *name))
            .collect();
        if survivors.contains(&true) {
            raced.left_out.extend(names.iter().map(|name| {
                format!(
                    "{name} at n = {n}: it would take too long; its numbers are of a smaller size"
                )
            }));
        } else {
            let must = costs.iter().zip(&together).filter(|(_, must)| **must);
            let (cost, at) = (must.map(|(cost, _)| cost).sum::<f64>(), raced.n);
            raced.left_out.push(format!(
                "n = {n}: it would take about {} s, and {} are left; the numbers are of n = {at}",
                short(cost),
                short(left.max(0.0))
            ));
        }
        let goes = all.iter().zip(survivors).filter(|(_, goes)| *goes);
        goes.map(|(one, _)| *one).collect()
    }

    fn left(&self) -> f64 {
        self.until.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// The size where it ended once more, with more runs, if there is time: where it has had fewer than it should, and
    /// where its times scatter.
    fn repeat<T: Element>(
        &self,
        lab: &mut Lab<'_>,
        raced: &mut Raced,
        had: usize,
    ) -> Result<(), Error> {
        let n = raced.n;
        let last = || raced.rows.iter().filter(|row| row.n == n);
        let again: Vec<Contender> = last().map(|row| row.contender).collect();
        let scatters = last().any(|row| row.summary.relative_spread() > STILL);
        let cost = |runs| again.iter().map(|one| raced.cost(*one, n, runs)).sum::<f64>();
        let runs = fitting(cost(0), cost(1), self.left() - checking(n));
        let wanted = if had < self.runs { self.runs } else { 2 * had };
        if again.is_empty() || lab.stopped() || runs < wanted || had >= self.runs && !scatters {
            return Ok(());
        }
        let rows = run_round::<T>(lab, n, again, runs, Some(self.until), raced)?;
        if !rows.is_empty() {
            let all: Vec<Contender> = raced.rows.iter().map(|row| row.contender).collect();
            raced.take(n, rows, &all);
        }
        Ok(())
    }
}

impl Raced {
    /// To begin with rows that were raced before.
    pub(super) fn with(n: usize, rows: Vec<Row>) -> Raced {
        Raced { n, rows, ..Raced::default() }
    }

    /// New rows take the place of their contenders' old ones.
    fn take(&mut self, n: usize, rows: Vec<Row>, order: &[Contender]) {
        self.n = n;
        let old = std::mem::replace(&mut self.rows, rows);
        let new = |row: &Row| self.rows.iter().any(|newer| newer.contender == row.contender);
        let behind: Vec<Row> = old.into_iter().filter(|row| !new(row)).collect();
        self.rows.extend(behind);
        self.rows.sort_by_key(|row| order.iter().position(|one| *one == row.contender));
    }

    /// Seconds that a contender would take, by its own row; one without a row by the middle one.
    fn cost(&self, contender: Contender, n: usize, runs: usize) -> f64 {
        let own = self.rows.iter().find(|row| row.contender == contender);
        let forecast = |row: &Row| forecast(&row.summary, row.setup, row.n, n, runs);
        if let Some(row) = own {
            return forecast(row);
        }
        let mut others: Vec<f64> = self.rows.iter().map(forecast).collect();
        others.sort_by(f64::total_cmp);
        others.get(others.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Seconds of a contender: it is set up, runs twice, and then for its times.
fn forecast(summary: &Summary, setup: Duration, from: usize, n: usize, runs: usize) -> f64 {
    let grown = n as f64 / from.max(1) as f64;
    let one = summary.median_ms / 1e3 * grown.powi(3);
    SET_UP + setup.as_secs_f64() * grown.powi(2) + 2.0 * one + runs as f64 * one.max(RUN)
}

/// Seconds to make the matrices and what their product should be.
fn checking(n: usize) -> f64 {
    1e-7 * (n as f64).powi(2)
}

/// Which contenders continue: all that must stay together, or none; then the cheapest of the others, as time allows.
fn chosen(costs: &[f64], together: &[bool], left: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|one, other| costs[*one].total_cmp(&costs[*other]));
    let all: f64 =
        costs.iter().zip(together).filter(|(_, must)| **must).map(|(cost, _)| cost).sum();
    let mut chosen = vec![false; costs.len()];
    if all > left {
        return chosen;
    }
    let mut sum = all;
    for index in order {
        if !together[index] {
            sum += costs[index];
        }
        chosen[index] = together[index] || sum <= left;
    }
    chosen
}

/// One size. A wrong product is an error; what cannot run is noted.
fn run_round<T: Element>(
    lab: &mut Lab<'_>,
    n: usize,
    contenders: Vec<Contender>,
    runs: usize,
    until: Option<Instant>,
    raced: &mut Raced,
) -> Result<Vec<Row>, Error> {
    let plan = Plan { groups: vec![Group { n, contenders }], runs: Some(runs) };
    let context = lab.context;
    let table = matmul::run::<T>(context, &plan, &mut watch(lab, until))?;
    for skipped in &table.skipped {
        raced.left_out.push(format!("{} at n = {n}: {}", skipped.contender, skipped.reason));
        raced.cannot.push(skipped.contender);
    }
    for row in &table.rows {
        must_be_right(&format!("{} {} at {n}", row.contender, row.options), row.comparison)?;
    }
    Ok(table.rows)
}

/// Stops when the user does, or when time is over.
pub(super) fn watch(lab: &mut Lab<'_>, until: Option<Instant>) -> impl Observer {
    let mut observer = lab.observer();
    move |progress: &Progress| {
        let control = observer.observe(progress);
        if until.is_some_and(|until| Instant::now() >= until) { Control::Stop } else { control }
    }
}

/// The peak rates of this device, if it is fast enough to measure them in a third of the remaining time and
/// has what it takes.
pub(super) fn limits(
    lab: &mut Lab<'_>,
    left_out: &mut Vec<String>,
) -> Result<Option<Limits>, Error> {
    if let Some(reason) = too_slow(lab)? {
        left_out.push(reason);
        return Ok(None);
    }
    let (context, until) = (lab.context, Instant::now() + lab.left() / 3);
    let measured = device::limits(context, &mut watch(lab, Some(until)));
    or_left_out(measured, "the device's peaks", left_out)
}

/// Why the probes of this device's peaks would take too long, if they would: by a product whose time is
/// known. A GPU is taken to be fast.
pub(super) fn too_slow(lab: &mut Lab<'_>) -> Result<Option<String>, Error> {
    if !lab.context.abilities().software {
        return Ok(None);
    }
    let methods =
        [quadrille::linalg::matmul::Method::Block8x4, quadrille::linalg::matmul::Method::Sp];
    let contenders = methods.map(Contender::from).into();
    let rows = run_round::<f32>(lab, PILOT, contenders, 1, None, &mut Raced::default())?;
    let operations = 2.0 * (PILOT as f64).powi(3);
    let rate = rows.iter().map(|row| row.summary.rate(operations)).fold(0.0, f64::max);
    let seconds = device::least_operations(lab.context) / rate.max(1.0);
    let left = lab.left().as_secs_f64();
    Ok((seconds > left).then(|| {
        format!(
            "the device's peaks: it is too slow to tell them in the time, about {} s for the least of \
             the probes where {} are left",
            short(seconds),
            short(left)
        )
    }))
}

/// The size of the product that tells how fast a device is, about.
const PILOT: usize = 128;

/// Turns errors of things that this device cannot do into notes; other errors are returned.
pub(super) fn or_left_out<R>(
    result: Result<R, Error>,
    what: &str,
    left_out: &mut Vec<String>,
) -> Result<Option<R>, Error> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.kind().is_device_limit() => {
            left_out.push(format!("{what}: {error}"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_all_go_on_or_none() {
        assert_eq!(chosen(&[1.0, 9.0, 2.0], &[true; 3], 11.9), [false; 3]);
        assert_eq!(chosen(&[1.0, 9.0, 2.0], &[true; 3], 12.0), [true; 3]);
        assert!(chosen(&[], &[], 1.0).is_empty());
    }

    #[test]
    fn of_the_others_the_cheapest_go_with_them() {
        let together = [false, true, false];
        assert_eq!(chosen(&[1.0, 9.0, 2.0], &together, 10.0), [true, true, false]);
        assert_eq!(chosen(&[1.0, 9.0, 2.0], &together, 12.0), [true; 3]);
        assert_eq!(chosen(&[1.0, 9.0, 2.0], &together, 8.0), [false; 3]);
    }

    #[test]
    fn as_many_runs_as_fit_are_repeated() {
        assert_eq!(fitting(2.0, 2.5, 5.0), 6);
        assert_eq!([fitting(2.0, 2.5, 1.0), fitting(0.0, 0.01, 9.0)], [0, MOST]);
    }

    #[test]
    fn a_forecast_grows_with_the_cube() {
        let second = Summary::of(&[Duration::from_secs(1)], 1);
        let of = |n, runs| forecast(&second, Duration::ZERO, 64, n, runs) - SET_UP;
        assert!((of(128, 3) - 8.0 * 5.0).abs() < 1e-9);
        assert!((of(64, 1) - 3.0).abs() < 1e-9);
        // A short run is filled up.
        let short = Summary::of(&[Duration::from_micros(1)], 1);
        let runs = forecast(&short, Duration::ZERO, 64, 64, 5) - SET_UP;
        assert!((runs - 5.0 * RUN).abs() < 1e-4);
    }
}
