//! What the tutorial says of the Tesla architecture: branches within a warp are serialised, and
//! some kinds of memory are quick.

use super::super::prelude::*;

use super::super::race::probed;
use super::{claims, lacks};
use quadrille_lab::bench::device::{Engine, Plan, Question, Row};

/// All threads compute; every other square does, of many warps each or of a part of one.
const BRANCHES: [&str; 3] = ["all take it", "squares of 64 x 64", "squares of 2 x 2"];

/// The kinds of memory of table 1 that shaders read, each by the fetch that reads it best; global
/// memory is the last.
const KINDS: [(&str, &str); 4] = [
    ("shared", "cached RGBA32F, shared memory"),
    ("constant", "shared RGBA32F, constants"),
    ("texture", "cached RGBA32F, texelFetch"),
    GLOBAL,
];
const GLOBAL: (&str, &str) = ("global", "sequential RGBA32F, buffer");

const ASKED: [&str; 7] = {
    let ([all, large, small], [shared, constant, texture, global]) = (BRANCHES, KINDS);
    [all, large, small, shared.1, constant.1, texture.1, global.1]
};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    let what = "branches and kinds of memory";
    let rows = probed(lab, &plan(lab.scale), what, &mut part.left_out)?;
    part.findings.push(judge(&claims::DIVERGENCE_COSTS, divergence(&rows)));
    part.findings.push(judge(&claims::QUICK, lacks(lab).map_or_else(|| quick(&rows), Err)));
    let (branching, fetching): (Vec<Row>, _) =
        rows.into_iter().partition(|row| row.probe == "branch");
    part.tables = vec![branches(&branching), memory(&fetching)];
    part.tables.retain(|table| !table.rows.is_empty());
    Ok(part)
}

fn plan(scale: Scale) -> Plan {
    Plan {
        questions: vec![Question::Branch, Question::Fetch],
        runs: scale.pick(3, 9),
        run: Duration::from_millis(scale.pick(5, 20)),
        brief: false,
        only: &ASKED,
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

fn memory(rows: &[Row]) -> Table {
    let kind = only_text("table 1", "", |row: &Row| {
        let kind = KINDS.iter().find(|(_, variant)| *variant == row.variant);
        kind.map(|(kind, _)| *kind).into()
    });
    let columns = [vec![kind], Row::columns()].into_iter().flatten().collect();
    let notes = [
        "Cached: a few kilobytes again and again; shared: the same number for all threads at a time; sequential: all of a \
         large buffer, once. Shared memory is filled before by its group, in the same time.",
        "Of the six kinds of table 1, registers are those of the peak of multiply-adds (slide 17), and memory of the \
         motherboard is what Copy reads and writes (the four directions).",
    ];
    let (title, command) = ("Table 1. Kinds of memory", "quadrille bench device --probes fetch");
    Rows { columns, rows }.table("cuda-matmul-memory", title, notes, command)
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

fn quick(rows: &[Row]) -> AnswerOrReason {
    let kind = |(kind, variant): (&'static str, &str)| {
        let rate = rate(rows, Engine::Compute, variant);
        rate.ok_or_else(|| format!("{kind} memory was not measured here, for want of time"))
    };
    let global = kind(GLOBAL)?;
    let (mut words, mut all) = (Vec::new(), Vec::new());
    for (name, variant) in KINDS.into_iter().filter(|kind| *kind != GLOBAL) {
        let times = kind((name, variant))?.over(global);
        words.push(format!("{name} {times}"));
        all.push(times);
    }
    let words = format!("times the {global} GB/s of global memory: {}", words.join(", "));
    Ok(Answer::of_all(words, all))
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

    #[test]
    fn each_quick_kind_of_memory_is_quicker_than_global_memory() {
        let verdict = |rates: [f64; 4]| {
            let rows = KINDS.into_iter().zip(rates);
            let rows =
                rows.map(|((_, variant), rate)| row("fetch", Engine::Compute, variant, rate));
            judge(&claims::QUICK, quick(&rows.collect::<Vec<_>>())).verdict
        };
        assert_eq!(verdict([70.0, 60.0, 20.0, 10.0]), Verdict::Confirmed);
        for slow in 0..3 {
            let mut rates = [70.0, 60.0, 20.0, 10.0];
            rates[slow] = 10.0;
            assert_eq!(verdict(rates), Verdict::Contradicted, "{}", KINDS[slow].0);
        }
        assert!(quick(&[]).is_err_and(|reason| reason.contains("global")));
    }
}
