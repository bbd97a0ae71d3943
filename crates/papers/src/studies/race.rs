//! Products of growing sizes while time remains, and what a device does at most.

use std::time::{Duration, Instant};

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::linalg::matmul::{Element, Method};

use super::time_limit::by_work;
use super::words::short;
use crate::Lab;
use quadrille_lab::Result;
use quadrille_lab::bench::device::Limits;
use quadrille_lab::bench::matmul::{Contender, Group, Plan, Row, Table};
use quadrille_lab::bench::{device, matmul};
use quadrille_lab::error::must_be_right;

/// The rows of the largest size that there was time for.
#[derive(Default)]
pub(crate) struct Raced {
    /// 0 if there was none.
    pub(super) n: usize,
    pub(super) rows: Vec<Row>,
    /// The rows of the sizes below it.
    pub(super) smaller: Vec<Row>,
    /// The sizes that there was no time for, and the contenders that cannot run here.
    pub(crate) left_out: Vec<String>,
}

/// The spread of times that need no repetition.
const STILL: f64 = 0.03;

/// Contenders that are compared: they run together at each size. The last one is repeated with more
/// runs where its times scatter and there is time.
pub(crate) fn race<T: Element>(
    lab: &mut Lab<'_>,
    sizes: &[usize],
    contenders: impl Fn(usize) -> Vec<Contender>,
) -> Result<Raced> {
    let (runs, mut took, mut left_out) = (lab.runs(), Duration::ZERO, Vec::new());
    let cubed = |n: usize| (n as f64).powi(3);
    let what = "products of matrices";
    let mut tables = by_work(lab, what, sizes, cubed, &mut left_out, |context, n, observer| {
        let begun = Instant::now();
        let table = products::<T>(context, n, contenders(n), runs, observer)?;
        took = begun.elapsed();
        Ok((!table.stopped).then_some((n, table)))
    })?;
    let Some((n, Table { mut rows, skipped, .. })) = tables.pop() else {
        return Ok(Raced { left_out, ..Raced::default() });
    };
    let smaller = tables.into_iter().flat_map(|(_, table)| table.rows).collect();
    left_out.extend(skipped.iter().map(ToString::to_string));
    let scatters = rows.iter().any(|row| row.summary.relative_spread() > STILL);
    if let Some(more) = lab.more_runs(runs, took).filter(|_| scatters) {
        let again = products::<T>(lab.context, n, contenders(n), more, &mut lab.in_time())?;
        rows = if again.rows.is_empty() { rows } else { again.rows };
    }
    Ok(Raced { n, rows, smaller, left_out })
}

/// Contenders of which each goes as far as there is time for it: the rows of all sizes.
pub(super) fn climb<T: Element>(
    lab: &mut Lab<'_>,
    sizes: &[usize],
    mut going: Vec<Contender>,
    left_out: &mut Vec<String>,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (place, n) in sizes.iter().enumerate() {
        if going.is_empty() {
            break;
        }
        let (context, runs) = (lab.context, lab.runs());
        let table = products::<T>(context, *n, going, runs, &mut lab.in_time())?;
        left_out.extend(table.skipped.iter().map(ToString::to_string));
        going = match sizes.get(place + 1) {
            Some(next) => fitting(&table.rows, *next, lab.left(), runs),
            None => Vec::new(),
        };
        rows.extend(table.rows);
    }
    Ok(rows)
}

/// The contenders that have time for their runs at a size in an equal share of the time left; setup
/// and check take about as long as four runs.
pub(super) fn fitting(rows: &[Row], n: usize, left: Duration, runs: usize) -> Vec<Contender> {
    let share = left.as_secs_f64() / rows.len().max(1) as f64;
    let cost = |row: &Row| {
        let grown = (n as f64 / row.n.max(1) as f64).powi(3);
        grown * row.summary.median_ms / 1e3 * (runs + 4) as f64
    };
    rows.iter().filter(|row| cost(row) <= share).map(|row| row.contender).collect()
}

/// Times the products of one size. A wrong product is an error.
fn products<T: Element>(
    context: &Context,
    n: usize,
    contenders: Vec<Contender>,
    runs: usize,
    observer: &mut dyn Observer,
) -> Result<Table> {
    let plan = Plan { groups: vec![Group { n, contenders }], runs: Some(runs) };
    let table = matmul::run::<T>(context, &plan, observer)?;
    for row in &table.rows {
        must_be_right(&format!("{} {} at {n}", row.contender, row.options), row.comparison)?;
    }
    Ok(table)
}

/// The peak rates of this device, if it is fast enough to measure them in a third of the remaining
/// time and has what it takes.
pub(crate) fn limits(lab: &mut Lab<'_>, left_out: &mut Vec<String>) -> Result<Option<Limits>> {
    if let Some(reason) = too_slow(lab)? {
        left_out.push(reason);
        return Ok(None);
    }
    let measured = lab.within(1.0 / 3.0, |lab| device::limits(lab.context, &mut lab.in_time()));
    or_left_out(measured, "the device's peaks", left_out)
}

/// The rows of some probes, if the device is fast enough for them. `what` names them where their
/// time is over.
pub(crate) fn probed(
    lab: &mut Lab<'_>,
    plan: &device::Plan,
    what: &str,
    left_out: &mut Vec<String>,
) -> Result<Vec<device::Row>> {
    if let Some(reason) = too_slow(lab)? {
        left_out.push(reason);
        return Ok(Vec::new());
    }
    let table = device::run(lab.context, plan, &mut lab.in_time())?;
    left_out.extend(table.left_out);
    if table.stopped && !lab.stopped() {
        left_out.push(format!("some {what}: their time was over"));
    }
    probes_must_be_right(&table.rows)?;
    Ok(table.rows)
}

/// A rate of wrong results is no rate.
pub(super) fn probes_must_be_right(rows: &[device::Row]) -> Result<()> {
    rows.iter().try_for_each(|row| {
        let what = format!("{} ({}, {})", row.probe, row.engine.name(), row.variant);
        must_be_right(&what, row.comparison)
    })
}

/// Explains why the probes of this device's peaks would take too long, if they would: by a product
/// whose time is known. A GPU is taken to be fast.
pub(super) fn too_slow(lab: &mut Lab<'_>) -> Result<Option<String>> {
    if !lab.context.abilities().software {
        return Ok(None);
    }
    let contenders = [Method::Block8x4, Method::Sp].map(Contender::from).into();
    let table = products::<f32>(lab.context, PILOT, contenders, 1, &mut lab.observer())?;
    let operations = 2.0 * (PILOT as f64).powi(3);
    let rate = table.rows.iter().map(|row| row.summary.rate(operations)).fold(0.0, f64::max);
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

/// The size of the product that shows about how fast a device is.
const PILOT: usize = 128;

/// Turns errors of things that this device cannot do into notes; other errors are returned.
pub(super) fn or_left_out<R>(
    result: Result<R>,
    what: &str,
    left_out: &mut Vec<String>,
) -> Result<Option<R>> {
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
    use super::super::sweep::planted;
    use super::*;

    #[test]
    fn those_go_on_that_have_time_for_their_runs() {
        // 8 times as long, 7 times: 0.56 s and 56 s.
        let rows = [planted("sp", 10.0), planted("serial", 1000.0)];
        let names = |seconds| -> Vec<&str> {
            let left = Duration::from_secs_f64(seconds);
            fitting(&rows, 2048, left, 3).iter().map(|one| one.name()).collect()
        };
        assert_eq!([names(1.1), names(1.2), names(111.0)], [vec![], vec!["sp"], vec!["sp"]]);
        assert_eq!(names(113.0), ["sp", "serial"]);
    }
}
