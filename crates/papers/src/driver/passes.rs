//! Several passes of one study, judged together: what the scatter of one pass left open, more of
//! them may decide.

use crate::claim::{Claim, judge_passes};
use crate::studies::measured_claims;
use quadrille_lab::report::estimate::LEAST_SCATTER;
use quadrille_lab::report::limit::DISTURBED;
use quadrille_lab::report::{Answer, Basis, Estimate, Finding, Part};

/// The last part, its measured claims judged by the numbers of all passes.
pub(crate) fn together(passes: &[Part]) -> Part {
    let mut part = passes.last().cloned().unwrap_or_default();
    // A quiet pass decides what the others left open.
    part.others = passes.iter().map(|part| part.others).fold(part.others, f64::min);
    for finding in &mut part.findings {
        let same = |found: &&Finding| found.id == finding.id;
        let answers: Vec<&Answer> = passes
            .iter()
            .filter_map(|part| part.findings.iter().find(same)?.answer.as_ref())
            .collect();
        if let (Some(claim), Some(last)) = (claim_of(&finding.id), answers.last()) {
            *finding = judge_together(claim, last, &answers);
        }
    }
    part
}

/// A part that was measured while other programs had this share of the processors: where that
/// disturbs times, what they decide is open unless it is robust.
pub(crate) fn beside(mut part: Part, others: f64) -> Part {
    part.others = others;
    if !part.is_disturbed() {
        return part;
    }
    for finding in &mut part.findings {
        let answer = finding.answer.as_mut().filter(|answer| answer.is_of_times());
        if let (Some(claim), Some(answer)) = (claim_of(&finding.id), answer) {
            let timed = answer.estimates.iter_mut().filter(|of| of.basis != Basis::Counted);
            timed.for_each(|estimate| estimate.scatter = estimate.scatter.max(DISTURBED));
            let words = format!("; other programs had {:.0} % of the processors", 100.0 * others);
            answer.words += &words;
            *finding = judge_passes(claim, Ok(answer.clone()), 1);
        }
    }
    part
}

/// The claim of this id; `None` for a statement that no measurement decides.
fn claim_of(id: &str) -> Option<&'static Claim> {
    measured_claims().find(|claim| claim.id == id)
}

/// Judges by all answers that are of the same problems as the last one.
fn judge_together(claim: &Claim, last: &Answer, answers: &[&Answer]) -> Finding {
    let bases = |answer: &Answer| answer.estimates.iter().map(|of| of.basis).collect::<Vec<_>>();
    let alike: Vec<&Answer> =
        answers.iter().filter(|answer| bases(answer) == bases(last)).copied().collect();
    let of = |index: usize| alike.iter().map(|answer| answer.estimates[index]).collect();
    let estimates = (0..last.estimates.len()).map(|index| combined(of(index))).collect();
    judge_passes(claim, Ok(Answer { words: last.words.clone(), estimates }), alike.len())
}

/// Combines several estimates of the same number, as in a random-effects meta-analysis (DerSimonian
/// and Laird 1986), of logarithms: weights by the scatter of each, and what they differ beyond that
/// is added to it. More passes make it no more certain than one on a quiet machine.
fn combined(estimates: Vec<Estimate>) -> Estimate {
    let (Some(last), Some(least)) =
        (estimates.last().copied(), estimates.iter().map(|of| of.scatter).min_by(f64::total_cmp))
    else {
        return Estimate { value: f64::NAN, scatter: f64::NAN, basis: Basis::Counted };
    };
    // What is counted comes out again: another pass says no more of it.
    let usable = |of: &Estimate| {
        of.basis != Basis::Counted && of.value > 0.0 && of.value.is_finite() && of.scatter > 0.0
    };
    if estimates.len() < 2 || !estimates.iter().all(usable) {
        return last;
    }
    // A scatter is about two standard deviations.
    let logs: Vec<(f64, f64)> =
        estimates.iter().map(|of| (of.value.ln(), (of.scatter.ln_1p() / 2.0).powi(2))).collect();
    let sum = |of: &dyn Fn(f64, f64) -> f64| logs.iter().map(|(y, v)| of(*y, *v)).sum::<f64>();
    let mean = |between: f64| {
        let weights = sum(&|_, v| 1.0 / (v + between));
        (sum(&|y, v| y / (v + between)) / weights, 1.0 / weights)
    };
    let (fixed, _) = mean(0.0);
    let weights = sum(&|_, v| 1.0 / v);
    let q = sum(&|y, v| (y - fixed).powi(2) / v);
    let correction = weights - sum(&|_, v| 1.0 / v.powi(2)) / weights;
    let between = ((q - (logs.len() - 1) as f64) / correction.max(f64::MIN_POSITIVE)).max(0.0);
    let (centre, variance) = mean(between);
    // Where all passes were disturbed, what they have in common is as well.
    let least = if least < DISTURBED { least.min(LEAST_SCATTER) } else { DISTURBED };
    let scatter = (2.0 * variance.sqrt()).exp_m1().max(least);
    Estimate { value: centre.exp(), scatter, ..last }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::judge;
    use crate::studies::jacobi::claims::RECIPROCAL_ACCURACY;
    use crate::studies::matmul_2004::claims::QUAD;
    use quadrille_lab::report::estimate::sampled_pairs;
    use quadrille_lab::report::{Document, Stability, Verdict};

    fn of(pairs: &[(f64, f64)]) -> Estimate {
        combined(pairs.iter().map(|&(value, scatter)| estimate(value, scatter)).collect())
    }

    fn estimate(value: f64, scatter: f64) -> Estimate {
        Estimate { value, scatter, basis: Basis::Times(None) }
    }

    fn part(value: f64, scatter: f64) -> Part {
        let answer = Answer::of("some", estimate(value, scatter));
        Part { findings: vec![judge(&QUAD, Ok(answer))], ..Part::default() }
    }

    #[test]
    fn passes_that_agree_are_more_certain_than_one() {
        let together = of(&[(1.0, 0.2), (1.02, 0.2), (0.98, 0.2), (1.0, 0.2)]);
        assert!((together.value - 1.0).abs() < 0.01, "{together:?}");
        assert!((0.08..0.13).contains(&together.scatter), "{together:?}");
    }

    #[test]
    fn passes_that_differ_by_more_than_their_scatter_add_the_difference() {
        let together = of(&[(1.0, 0.06), (2.0, 0.06), (1.0, 0.06), (2.0, 0.06)]);
        assert!((1.35..1.5).contains(&together.value), "{together:?}");
        assert!(together.scatter > 0.3, "{together:?}");
    }

    #[test]
    fn a_quiet_pass_counts_for_more_than_a_disturbed_one() {
        let together = of(&[(1.5, 2.0), (1.0, 0.06)]);
        assert!((together.value - 1.0).abs() < 0.1, "{together:?}");
    }

    #[test]
    fn nothing_is_more_certain_than_a_quiet_machine_is() {
        assert_eq!(of(&[(1.0, 0.05); 9]).scatter, 0.05);
        assert_eq!(of(&[(1.0, 0.02); 9]).scatter, 0.02);
        assert_eq!(of(&[(1.0, 0.9); 9]).scatter, DISTURBED);
        assert_eq!(of(&[(5.0, 0.0), (5.0, 0.0)]), estimate(5.0, 0.0));
        assert!(of(&[]).value.is_nan());
    }

    #[test]
    fn a_claim_is_open_where_another_pass_may_decide_it() {
        let is_open = |part: Part| part.findings[0].is_open;
        assert!(is_open(part(1.1, 0.3)));
        assert!(!is_open(part(1.1, 0.05)), "it is at the limit");
        assert!(!is_open(part(0.5, 0.3)), "it is decided");
        assert!(judge(&QUAD, Err("no time".into())).is_open);
    }

    #[test]
    fn what_others_disturbed_is_judged_only_where_it_is_robust() {
        let verdict = |value| beside(part(value, 0.06), 0.5).findings[0].verdict;
        assert_eq!(
            [1.0, 1.7, 6.0].map(verdict)[1..],
            [Verdict::NotMeasurable, Verdict::Contradicted]
        );
        let found = &beside(part(1.7, 0.06), 0.5).findings[0];
        assert!(found.is_open && found.measured.contains("other programs had 50 %"), "{found:?}");
        // A quiet pass decides.
        let passes = [beside(part(1.7, 0.06), 0.5), part(1.6, 0.06)];
        let part = together(&passes);
        assert_eq!((part.findings[0].verdict, part.others), (Verdict::Contradicted, 0.0));
    }

    #[test]
    fn what_is_counted_or_computed_is_judged_beside_other_programs_too() {
        let errors = |number: f64| sampled_pairs(&[number, 1.01 * number, number], &[1.0; 3]);
        let judged = |number| judge(&RECIPROCAL_ACCURACY, Ok(Answer::of("errors", errors(number))));
        let part = Part { findings: vec![judged(1.1)], ..Part::default() };
        let beside = beside(part.clone(), 0.8);
        assert_eq!((&beside.findings, beside.is_disturbed()), (&part.findings, true));
        assert_eq!(part.findings[0].verdict, Verdict::Confirmed);
        // Passes give the same again, and no more certainty.
        let open = Part { findings: vec![judged(1.005)], ..Part::default() };
        let passes = together(&[open.clone(), open.clone(), open.clone()]);
        assert_eq!(passes.findings[0].estimate, open.findings[0].estimate);
        assert!(!open.findings[0].is_open && open.findings[0].verdict == Verdict::NotMeasurable);
    }

    #[test]
    fn several_passes_decide_what_one_left_open() {
        let found = &together(&[part(1.02, 0.2), part(0.98, 0.2), part(1.0, 0.2)]).findings[0];
        assert_eq!((found.document, found.verdict), (Document::Matmul2004, Verdict::Confirmed));
        assert_ne!(found.stability, Some(Stability::Undecided));
        assert!(found.measured.contains("3 passes together: 1.00"), "{}", found.measured);
        // One that could not measure it leaves it to the others.
        let none = Part { findings: vec![judge(&QUAD, Err("no".into()))], ..Part::default() };
        let found = &together(&[none.clone(), part(0.5, 0.2)]).findings[0];
        assert_eq!(found.verdict, Verdict::Confirmed);
        let found = &together(&[part(0.5, 0.2), none.clone()]).findings[0];
        assert_eq!(found.verdict, Verdict::Confirmed);
        assert_eq!(together(&[none]).findings[0].measured, "no");
    }
}
