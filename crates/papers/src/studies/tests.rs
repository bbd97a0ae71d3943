use std::collections::BTreeSet;

use super::{measured_claims, statements};
use crate::claim::*;
use quadrille_lab::Summary;
use quadrille_lab::report::{Basis, Document, Estimate, Stability, Verdict};

const CLAIM: Claim = Claim {
    id: "matmul-2004-0",
    document: Document::Matmul2004,
    place: "slide 0",
    quotation: "8X",
    claim: "It is 8 times",
    kind: about(8.0, 1.25),
    evidence: None,
    on_cpu: None,
};

fn verdict(limit: Limit, estimates: &[Estimate]) -> Verdict {
    let claim = Claim { kind: limit, ..CLAIM };
    judge(&claim, Ok(Answer::of_all("", estimates.to_vec()))).verdict
}

fn one(limit: Limit, value: f64, scatter: f64) -> Verdict {
    verdict(limit, &[estimate(value, scatter)])
}

fn estimate(value: f64, scatter: f64) -> Estimate {
    Estimate { value, scatter, basis: Basis::Times(None) }
}

/// A scatter that is neither small nor large.
const SCATTER: f64 = 0.08;

/// Numbers that a measurement could give, close together.
fn possible(limit: Limit) -> impl Iterator<Item = f64> {
    let [least, most] = limit.possible;
    let spread = (-400..=400).map(|power| 1.04_f64.powi(power));
    spread.filter(move |value| (least..=most).contains(value))
}

#[test]
fn every_measured_claim_can_be_confirmed_contradicted_and_left_open() {
    for claim in measured_claims() {
        let verdicts: Vec<Verdict> =
            possible(claim.kind).map(|value| one(claim.kind, value, SCATTER)).collect();
        for verdict in Verdict::ALL {
            assert!(verdicts.contains(&verdict), "{}: never {}", claim.id, verdict.name());
        }
    }
}

/// The claims that say how a time grows with the problem.
const OF_GROWTH: [&str; 4] =
    ["vectors-2002-21", "vectors-2002-31", "vectors-2002-33", "vectors-2002-34"];

#[test]
fn no_claim_but_those_about_growth_compares_problems_of_different_sizes() {
    let summary = |size| Summary::still(1.0).of_size(size);
    let basis = timed(summary(512), summary(1024)).basis;
    let scaled = timed(summary(512), summary(512)).over(timed(summary(1024), summary(1024)));
    assert_eq!([basis, scaled.basis], [Basis::Sizes; 2]);
    for claim in measured_claims() {
        let judged = possible(claim.kind).map(|value| {
            let estimate = Estimate { value, scatter: SCATTER, basis };
            judge(claim, Ok(Answer::of("", estimate)))
        });
        let decided = judged.filter(|found| found.verdict != Verdict::NotMeasurable).count() > 0;
        assert_eq!(decided, OF_GROWTH.contains(&claim.id), "{}", claim.id);
    }
    let two =
        Answer::of_all("", vec![estimate(9.0, 0.1), Estimate { basis, ..estimate(9.0, 0.1) }]);
    let found = judge(&CLAIM, Ok(two));
    assert!(found.measured.contains("different sizes") && found.is_open, "{}", found.measured);
}

#[test]
fn every_claim_can_be_cited_and_quotes_its_paper() {
    let measured = measured_claims().map(|c| (c.id, c.document, c.place, c.quotation, c.claim));
    let all =
        measured.chain(statements().map(|c| (c.id, c.document, c.place, c.quotation, c.claim)));
    let mut ids = BTreeSet::new();
    for (id, document, place, quotation, claim) in all {
        assert!(ids.insert(id), "{id} twice");
        let number = id.strip_prefix(document.name()).and_then(|rest| rest.strip_prefix('-'));
        assert!(number.is_some_and(|number| number.parse::<u32>().is_ok()), "{id}");
        assert!(!place.is_empty() && !claim.is_empty(), "{id}");
        assert!(!quotation.is_empty() && quotation.chars().count() <= 240, "{id}: {quotation}");
        assert!(!quotation.contains(['\n', '\t']) && !quotation.contains("  "), "{id}");
    }
}

#[test]
fn scatter_that_could_turn_a_verdict_leaves_it_open() {
    let limit = at_least(1.0);
    assert_eq!(one(limit, 1.2, 0.1), Verdict::Confirmed);
    assert_eq!(one(limit, 1.2, 0.3), Verdict::NotMeasurable);
    assert_eq!(one(limit, 0.9, 0.3), Verdict::NotMeasurable);
    assert_eq!(one(limit, 0.9, 0.05), Verdict::Contradicted);
    assert_eq!(one(limit, f64::NAN, 0.05), Verdict::NotMeasurable);
    assert_eq!(one(limit, 0.0, 0.05), Verdict::Contradicted);
    assert_eq!(one(limit, 1.0, 0.0), Verdict::Confirmed);
    assert_eq!(verdict(limit, &[]), Verdict::NotMeasurable);
    // Where runs differ by half, a distance that would do elsewhere does not.
    assert_eq!(
        [one(limit, 3.0, 0.4), one(limit, 3.0, 0.8)],
        [Verdict::Confirmed, Verdict::NotMeasurable]
    );
    assert_eq!(one(limit, 7.0, 0.8), Verdict::Confirmed);
}

#[test]
fn two_sides_are_two_limits() {
    let limit = about(8.0, 1.25);
    let verdicts = [5.0, 8.0, 15.7].map(|value| one(limit, value, 0.05));
    assert_eq!(verdicts, [Verdict::Contradicted, Verdict::Confirmed, Verdict::Contradicted]);
    assert_eq!(limit.to_string(), "6.40 to 10.0");
}

#[test]
fn all_must_hold_unless_one_suffices() {
    let at = |value| estimate(value, 0.1);
    let [yes, no, open] = [2.0, 0.5, 1.0].map(at);
    let all = |estimates: &[Estimate]| verdict(at_least(1.0), estimates);
    let any = |estimates: &[Estimate]| verdict(at_least(1.0).one_suffices(), estimates);
    assert_eq!([all(&[yes, yes]), any(&[yes, no])], [Verdict::Confirmed; 2]);
    assert_eq!([all(&[yes, no, open]), any(&[no, no])], [Verdict::Contradicted; 2]);
    assert_eq!([all(&[yes, open]), any(&[no, open])], [Verdict::NotMeasurable; 2]);
}

#[test]
fn stability_is_a_distance_in_units_of_scatter() {
    let stability = |value| judge(&CLAIM, Ok(Answer::of("", estimate(value, 0.1)))).stability;
    let expected = [Stability::Robust, Stability::NearTheLimit, Stability::Undecided];
    assert_eq!([20.0, 7.5, 6.2].map(stability), expected.map(Some));
    assert_eq!(judge(&CLAIM, Err("no time".into())).stability, None);
}

#[test]
fn times_scatter_by_what_both_do_and_by_no_less_than_machines_do() {
    let summary = |median_ms, spread_ms, runs| Summary { median_ms, spread_ms, runs }.of_size(1);
    let still = summary(1.0, 0.0, 9);
    assert_eq!(timed(summary(2.0, 0.0, 9), still).value, 2.0);
    assert!(timed(still, still).scatter > 0.0);
    let many = timed(summary(1.0, 0.1, 15), still).scatter;
    let few = timed(summary(1.0, 0.1, 3), still).scatter;
    assert!(many >= 0.05 && few > 2.0 * many);
    assert!(timed(summary(1.0, 0.0, 1), still).scatter >= 1.0, "one run agrees with itself");
    assert_eq!(timed(still, summary(4.0, 0.0, 9)).either_way().value, 4.0);
}
