//! The counts of outcomes.

use serde::Serialize;

use super::Outcome;
use super::case::Case;

/// The counts of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The number of tests that passed.
    pub passed: usize,
    /// The number that failed, including crashes and timeouts.
    pub failed: usize,
    /// The number that the device could not run.
    pub skipped: usize,
    /// The number that failed where they are known to fail.
    pub known: usize,
    /// The number whose descriptions are wrong.
    pub bad: usize,
}

impl Tally {
    /// Counts cases, each once.
    pub fn of(cases: &[Case]) -> Tally {
        let mut tally = Tally::default();
        for case in cases {
            let count = match case.outcome {
                Outcome::Pass => &mut tally.passed,
                Outcome::Skip => &mut tally.skipped,
                Outcome::Known => &mut tally.known,
                Outcome::Bad => &mut tally.bad,
                Outcome::Fail | Outcome::Crash | Outcome::Timeout => &mut tally.failed,
            };
            *count += 1;
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Conditions, Termination};
    use super::*;

    #[test]
    fn every_outcome_is_counted_once() {
        let case = |outcome| {
            let ended = Termination::Answered(Answer::without_numbers(outcome, Vec::new()));
            Case::judged("a".into(), Conditions::default(), ended)
        };
        let cases = [Outcome::Pass, Outcome::Fail, Outcome::Skip, Outcome::Bad, Outcome::Pass];
        let tally = Tally { passed: 2, failed: 1, skipped: 1, known: 0, bad: 1 };
        assert_eq!(Tally::of(&cases.map(case)), tally);
    }
}
