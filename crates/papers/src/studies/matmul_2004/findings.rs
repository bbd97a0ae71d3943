//! Methods, blocks and data paths of one size, judged.

use super::super::words::short;
use super::claims;
use super::facts::Facts;
use crate::claim::{Answer, AnswerOrReason, check, judge, timed};
use quadrille::linalg::matmul::Method;
use quadrille_lab::bench::matmul::registers;
use quadrille_lab::report::{Estimate, Finding};

/// Methods of the slides, and blocks since then.
const THEIRS: [&str; 2] = ["cp", "sp"];
const BLOCKS: [&str; 4] = ["block4x4", "block8x4", "block8x8", "block16x8"];
const BELOW_8: [&str; 4] = ["cp", "sp", "block4x4", "block8x4"];

/// All of them, in the order of the slides.
pub(super) fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    vec![
        judge(&claims::CACHE_AWARE, cpu(facts)),
        judge(&claims::OUTPUTS, multiple_outputs(facts)),
        judge(&claims::BANDWIDTH_LIMITED, bandwidth_limited(facts)),
        judge(&claims::EIGHT, eight(facts)),
        check(&claims::LIMITED_OUTPUTS, outputs(facts)),
        judge(&claims::WIDER_PATH, wider_path(facts)),
        judge(&claims::WIDENING, widening(facts)),
        judge(&claims::BY_DIMENSION, by_dimension(facts)),
        check(&claims::STORAGE, storage()),
        judge(&claims::SIXTEEN, sixteen(facts)),
        judge(&claims::BELOW_20, below_20(facts)),
        judge(&claims::SATURATED, saturated(facts)),
        judge(&claims::REUSE, reuse(facts)),
    ]
}

fn cpu(facts: &Facts<'_>) -> AnswerOrReason {
    let (blocked, serial) = (facts.row("serial-blocked")?, facts.row("serial")?);
    let (library, all) = (facts.row("gemm-1")?, facts.row("gemm")?);
    let faster = timed(serial.timing(), blocked.timing());
    let [serial, blocked, library, all] =
        [serial, blocked, library, all].map(|row| short(facts.gflops(row)));
    let words = format!(
        "three loops {serial} GFLOPS on a core, blocked for the cache {blocked}, {faster} times as fast; the library \
         gemm, with wider instructions too, {library}, and {all} on all cores; the slides' Pentium 4 with ATLAS had \
         a peak of 12"
    );
    Ok(Answer::of(words, faster))
}

fn multiple_outputs(facts: &Facts<'_>) -> AnswerOrReason {
    let (theirs, drawn) = (facts.best(&THEIRS)?, facts.best(&["block4x4", "block8x4"])?);
    let faster = timed(theirs.timing(), drawn.timing());
    let words = format!(
        "{} is {faster} times as fast as the best method of one output, {}",
        drawn.contender, theirs.contender
    );
    Ok(Answer::of(words, faster))
}

fn bandwidth_limited(facts: &Facts<'_>) -> AnswerOrReason {
    let shares = |name: &str| -> Result<_, String> {
        let (peak, bandwidth) = (facts.of_peak(name)?, facts.of_bandwidth(name)?);
        let words = format!(
            "{name} has {bandwidth} % of the fetch bandwidth and {peak} % of the arithmetic"
        );
        // The time of the product is in both, so that its scatter is in neither's part.
        Ok((words, Estimate { value: bandwidth.value / peak.value.max(1e-12), ..peak }))
    };
    let [cp, sp] = THEIRS.map(shares);
    let (cp, sp) = (cp?, sp?);
    Ok(Answer::of_all(format!("{}, {}", cp.0, sp.0), vec![cp.1, sp.1]))
}

fn eight(facts: &Facts<'_>) -> AnswerOrReason {
    let best = facts.best(&BELOW_8)?.contender.to_string();
    let peak = facts.of_peak(&best)?;
    // A block of d x d has d / 2 multiply-adds a fetch.
    let needed = facts.mads_a_fetch_costs()?.times(2.0);
    let words = format!(
        "the best of them, {best}, has {peak} % of peak; a fetch costs {} multiply-adds of four numbers, as many as a block \
         of {needed} x {needed} makes of one",
        needed.times(0.5)
    );
    Ok(Answer::of(words, peak))
}

fn outputs(facts: &Facts<'_>) -> Result<(String, bool), String> {
    let runs: Vec<&str> = BLOCKS.into_iter().filter(|name| facts.runs(name)).collect();
    if runs.is_empty() {
        return Err(facts.reason(BLOCKS[0]));
    }
    Ok((format!("these blocks run here: {}", runs.join(", ")), runs == ["block4x4"]))
}

fn wider_path(facts: &Facts<'_>) -> AnswerOrReason {
    let (one, four) = (facts.row("element cell=1")?, facts.row("element cell=4")?);
    let faster = timed(one.timing(), four.timing());
    let words = format!(
        "the same sums with four numbers a fetch instead of one are {faster} times as fast"
    );
    Ok(Answer::of(words, faster))
}

fn widening(facts: &Facts<'_>) -> AnswerOrReason {
    let cost = facts.mads_a_fetch_costs()?;
    let intensity = facts.efficiency("sp")?.mads_per_fetch.unwrap_or(1.0);
    let needed = cost.times(1.0 / intensity.max(1e-12));
    let words = format!(
        "a fetch costs {cost} multiply-adds of four numbers and sp makes {} of them: a path {needed} times as wide would \
         feed it",
        short(intensity)
    );
    Ok(Answer::of(words, needed))
}

fn by_dimension(facts: &Facts<'_>) -> AnswerOrReason {
    let [two, four, eight] = ["sp", "block4x4", "block8x8"].map(|name| facts.row(name));
    let (two, four, eight) = (two?, four?, eight?);
    let growth = vec![timed(two.timing(), four.timing()), timed(four.timing(), eight.timing())];
    let [two, four, eight] = [two, four, eight].map(|row| short(facts.gflops(row)));
    let words = format!(
        "2 x 2, 4 x 4 and 8 x 8 make {two}, {four} and {eight} GFLOPS: {} and {} times the one before",
        growth[0], growth[1]
    );
    Ok(Answer::of_all(words, growth))
}

/// Texels of sums, and live registers with the operands of a step.
fn storage() -> Result<(String, bool), String> {
    let methods = [Method::Sp, Method::Block4x4, Method::Block8x8];
    let sums = methods.map(|method| method.block().map_or(0, |(rows, cols)| rows * cols / 4));
    let mut live = Vec::new();
    for method in methods {
        let registers = registers(method.into());
        live.push(registers.ok_or("no fragment makes a block")?.to_string());
    }
    let words = format!(
        "blocks of 2 x 2, 4 x 4 and 8 x 8 keep {} registers of four numbers of sums, and {} with the operands of a step",
        sums.map(|count| count.to_string()).join(", "),
        live.join(", ")
    );
    Ok((words, sums == [1, 4, 16]))
}

fn sixteen(facts: &Facts<'_>) -> AnswerOrReason {
    let peak = facts.of_peak("block8x8")?;
    let best = facts.best(&BLOCKS)?;
    let of_peak = facts.of_peak(&best.contender.to_string())?;
    let words = format!(
        "with 16 times the sums of sp block8x8 has {peak} % of peak; the best block, {}, has {of_peak} %",
        best.contender
    );
    Ok(Answer::of(words, peak))
}

fn below_20(facts: &Facts<'_>) -> AnswerOrReason {
    let (cp, sp) = (facts.of_peak("cp")?, facts.of_peak("sp")?);
    let best = facts.best(&[THEIRS.as_slice(), &BLOCKS].concat())?.contender.to_string();
    let peak = facts.of_peak(&best)?;
    let words = format!(
        "the best, {best}, has {peak} % of peak; of the slides' methods cp has {cp} %, sp {sp} %"
    );
    Ok(Answer::of(words, peak))
}

fn saturated(facts: &Facts<'_>) -> AnswerOrReason {
    let (cp, sp) = (facts.of_bandwidth("cp")?, facts.of_bandwidth("sp")?);
    let words = format!("cp fetches at {cp} % of what cached fetches reach, sp at {sp} %");
    Ok(Answer::of_all(words, vec![cp, sp]))
}

fn reuse(facts: &Facts<'_>) -> AnswerOrReason {
    let (theirs, block) = (facts.best(&THEIRS)?, facts.best(&BLOCKS)?);
    let faster = timed(theirs.timing(), block.timing());
    let intensity =
        facts.efficiency(&block.contender.to_string())?.mads_per_fetch.unwrap_or_default();
    let words = format!(
        "{} makes {} multiply-adds of a fetch and is {faster} times as fast as {}; the slides had no more than four outputs",
        block.contender,
        short(intensity),
        theirs.contender
    );
    Ok(Answer::of(words, faster))
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted as row;
    use super::*;
    use crate::claim::Claim;
    use quadrille_lab::bench::device::Limits;
    use quadrille_lab::bench::matmul::Row;
    use quadrille_lab::report::{Kind, Verdict};

    const N: usize = 1024;

    /// A product with a rate in GFLOPS and a number of multiply-adds for each fetch.
    fn at(contender: &str, gflops: f64, intensity: f64) -> Row {
        let operations = 2.0 * (N as f64).powi(3);
        let fetches = operations / 8.0 / intensity;
        let row = row(contender, operations / gflops / 1e6);
        Row { fetched_bytes: Some((16.0 * fetches) as u64), ..row }
    }

    /// The rows as on the slides: a fetch costs four multiply-adds, and limits what runs.
    fn as_then() -> Vec<Row> {
        vec![
            at("serial", 1.0, 0.5),
            at("element cell=1", 2.0, 0.125),
            at("element cell=4", 8.0, 0.5),
            at("cp", 11.0, 0.8),
            at("sp", 14.0, 1.0),
            at("block4x4", 14.1, 2.0),
            row("serial-blocked", 100.0),
            row("gemm-1", 100.0),
            row("gemm", 50.0),
        ]
    }

    /// 80 GFLOPS are 10 Gmad/s; 40 GB/s are 2.5 Gfetch/s.
    const LIMITS: Limits = Limits {
        fragment_mad_gflops: 80.0,
        compute_mad_gflops: None,
        fetch_gb_s: 40.0,
        host: None,
        spread: 0.0,
    };

    fn verdict(rows: &[Row], claim: &Claim) -> Verdict {
        let facts = Facts { n: N, rows, limits: Some(&LIMITS), left_out: &[] };
        findings(&facts).into_iter().find(|found| found.id == claim.id).unwrap().verdict
    }

    fn with(rows: &[Row], row: Row) -> Vec<Row> {
        let others = rows.iter().filter(|old| old.contender != row.contender).cloned();
        others.chain([row.clone()]).collect()
    }

    /// A claim holds for some rows, and not once one of them differs.
    fn turns(claim: &Claim, before: &[Row], other: Row) {
        assert_eq!(verdict(before, claim), Verdict::Confirmed, "{}", claim.id);
        assert_eq!(verdict(&with(before, other), claim), Verdict::Contradicted, "{}", claim.id);
    }

    #[test]
    fn claims_about_methods_turn_with_their_numbers() {
        let then = as_then();
        turns(&claims::CACHE_AWARE, &then, row("serial-blocked", 5000.0));
        turns(&claims::OUTPUTS, &then, at("block4x4", 30.0, 2.0));
        turns(&claims::BANDWIDTH_LIMITED, &then, at("cp", 4.0, 4.0));
        turns(&claims::WIDER_PATH, &then, at("element cell=4", 4.0, 0.5));
        turns(&claims::BELOW_20, &then, at("sp", 40.0, 4.0));
        turns(&claims::BELOW_20, &then, at("block16x8", 55.0, 5.3));
        let fed = with(&with(&then, at("cp", 8.0, 0.8)), at("sp", 18.0, 1.0));
        turns(&claims::SATURATED, &fed, at("sp", 4.0, 1.0));
        turns(&claims::REUSE, &then, at("block4x4", 30.0, 2.0));
        turns(&claims::WIDENING, &then, at("sp", 14.0, 4.0));
    }

    #[test]
    fn claims_about_blocks_turn_with_their_numbers() {
        let four = with(&as_then(), at("block4x4", 35.0, 2.0));
        let peak = with(&four, at("block8x8", 70.0, 4.0));
        turns(&claims::SIXTEEN, &peak, at("block8x8", 40.0, 4.0));
        let linear = with(&with(&as_then(), at("block4x4", 28.0, 2.0)), at("block8x8", 56.0, 4.0));
        turns(&claims::BY_DIMENSION, &linear, at("block8x8", 40.0, 4.0));
        turns(&claims::EIGHT, &peak, at("block4x4", 75.0, 8.0));
        let facts = Facts { n: N, rows: &peak, limits: Some(&LIMITS), left_out: &[] };
        assert!(storage().unwrap().1 && !outputs(&facts).unwrap().1);
        let facts = Facts { rows: &as_then(), ..facts };
        assert!(outputs(&facts).unwrap().1);
    }

    #[test]
    fn what_no_time_decides_does_not_wait_for_one() {
        let rows: Vec<Row> = as_then().into_iter().map(|row| Row { n: 64, ..row }).collect();
        let facts = Facts { n: 64, rows: &rows, limits: None, left_out: &[] };
        assert!(outputs(&facts).unwrap().1 && storage().unwrap().1);
        assert!(by_dimension(&facts).unwrap_err().contains("n = 64"));
    }

    #[test]
    fn what_was_not_measured_says_why() {
        let left_out = ["block8x8 at 1024: needs storage buffers".to_owned()];
        let rows = as_then();
        let facts = Facts { n: N, rows: &rows, limits: Some(&LIMITS), left_out: &left_out };
        let reason = sixteen(&facts).unwrap_err();
        assert!(reason.contains("needs storage buffers"), "{reason}");
        let facts = Facts { limits: None, ..facts };
        assert!(below_20(&facts).unwrap_err().contains("peaks"));
        let facts = Facts { rows: &[], ..facts };
        let text = |found: &Finding| found.kind != Kind::Measurement;
        let (texts, rest): (Vec<_>, Vec<_>) = findings(&facts).into_iter().partition(text);
        assert!(rest.iter().all(|found| found.verdict == Verdict::NotMeasurable));
        assert_eq!(texts.iter().map(Finding::word).collect::<Vec<_>>(), ["not checked", "right"]);
    }
}
