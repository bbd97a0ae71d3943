//! What the tutorial says of the Tesla architecture: branches within a warp are serialised.

use super::super::prelude::*;

use super::super::race::too_slow;
use super::claims;
use crate::bench::device::{self, Engine, Plan, Question, Row};

/// All threads compute; every other square does, of many warps each or of a part of one.
const BRANCHES: [&str; 3] = ["all take it", "squares of 64 x 64", "squares of 2 x 2"];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    let mut rows = Vec::new();
    if let Some(reason) = too_slow(lab)? {
        part.left_out.push(reason);
    } else {
        let table = device::run(lab.context, &plan(lab.scale), &mut lab.in_time())?;
        part.left_out.extend(table.left_out);
        if table.stopped && !lab.stopped() {
            part.left_out.push("some of the branches: their time was over".into());
        }
        rows = table.rows;
    }
    for row in &rows {
        must_be_right(&format!("{}, {}", row.probe, row.variant), row.comparison)?;
    }
    part.findings.push(judge(&claims::DIVERGENCE_COSTS, divergence(&rows)));
    if !rows.is_empty() {
        part.tables.push(branches(&rows));
    }
    Ok(part)
}

fn plan(scale: Scale) -> Plan {
    Plan {
        questions: vec![Question::Branch],
        runs: scale.pick(3, 9),
        run: Duration::from_millis(scale.pick(5, 20)),
        brief: false,
        only: &BRANCHES,
    }
}

fn branches(rows: &[Row]) -> Table {
    let notes = [
        "Multiply-adds in every other square of a chessboard of threads; the rate counts those of the threads that take \
         the branch. Where a warp is in squares of both kinds it is half, as all of its threads wait.",
    ];
    let (title, command) = ("Branches within a warp", "quadrille bench device --probes branch");
    Rows { columns: Row::columns(), rows }.table("cuda-matmul-divergence", title, notes, command)
}

fn rate(rows: &[Row], engine: Engine, variant: &str) -> Option<Estimate> {
    let row = rows.iter().find(|row| row.engine == engine && row.variant == variant)?;
    Some(rated(row.rate, &row.summary))
}

fn divergence(rows: &[Row]) -> AnswerOrReason {
    let (mut words, mut times) = (Vec::new(), Vec::new());
    for engine in Engine::ALL {
        let [all, large, small] = BRANCHES.map(|variant| rate(rows, engine, variant));
        let Some((all, small)) = all.zip(small) else { continue };
        let small = all.over(small);
        let large = large.map_or("-".into(), |large| all.over(large).to_string());
        words.push(format!("{} {small} ({large} in squares of 64 x 64)", engine.name()));
        times.push(small);
    }
    if times.is_empty() {
        return Err("branches were not measured here, for want of time".into());
    }
    let words = format!("times the time of a result without branches: {}", words.join(", "));
    Ok(Answer::of_all(words, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(probe: &'static str, engine: Engine, variant: &str, rate: f64) -> Row {
        let (variant, summary) = (variant.into(), Summary::still(1.0));
        Row { probe, engine, variant, rate, unit: "", summary, comparison: Comparison::RIGHT }
    }

    #[test]
    fn half_of_a_warp_waits_for_the_other_on_both_stages() {
        let verdict = |fragment: f64, compute: f64| {
            let rates = [(Engine::Fragment, fragment), (Engine::Compute, compute)];
            let rows = rates.map(|(engine, small)| {
                let rates = BRANCHES.into_iter().zip([60.0, 60.0, small]);
                rates
                    .map(|(variant, rate)| row("branch", engine, variant, rate))
                    .collect::<Vec<_>>()
            });
            judge(&claims::DIVERGENCE_COSTS, divergence(&rows.concat())).verdict
        };
        assert_eq!(verdict(30.0, 32.0), Verdict::Confirmed);
        assert_eq!(verdict(30.0, 60.0), Verdict::Contradicted, "each thread goes its own way");
        assert_eq!(verdict(10.0, 30.0), Verdict::Contradicted, "it costs more than both ways");
        let none = judge(&claims::DIVERGENCE_COSTS, divergence(&[]));
        assert_eq!(none.verdict, Verdict::NotMeasurable);
    }
}
