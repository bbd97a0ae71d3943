//! The counts of outcomes.

use serde::Serialize;

use super::Outcome;
use super::case::Case;

/// The counts of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed, including crashes and timeouts.
    pub failed: usize,
    /// Those that the device could not run.
    pub skipped: usize,
    /// Those that failed where that is known.
    pub known: usize,
    /// Those whose descriptions are wrong.
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
