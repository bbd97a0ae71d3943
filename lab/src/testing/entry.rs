//! The outcome of one test on one device, and of all.

use std::time::Duration;

use serde::Serialize;

use quadrille_run::testing::file::Known;

use super::answer::{Answer, Verdict};
use super::figure::Figure;
use super::worst::Worst;

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    Fail,
    /// The device lacks what the test needs.
    Skip,
    /// Failed on a device where it is known to fail.
    Known,
    /// Crashed: its process ended without an answer.
    Crash,
    /// Timed out: its process was ended at its time limit.
    Timeout,
    /// Invalid: its description is wrong.
    Bad,
}

/// One test on one device.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    pub name: String,
    pub device: String,
    pub api: &'static str,
    pub outcome: Outcome,
    pub output: Option<String>,
    pub worst: Option<Worst>,
    /// The texels that miss.
    pub missed: usize,
    /// Why it did not pass.
    pub reasons: Vec<String>,
    pub seconds: f64,
    /// The command that runs it alone.
    pub command: String,
    /// Heat maps, if they were requested.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// The device on which a test ran, and its time.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub device: String,
    pub api: &'static str,
    pub took: Duration,
    pub command: String,
    /// The known failure of the test there.
    pub known: Option<Known>,
}

/// The end of a test's process.
#[derive(Clone, Debug, PartialEq)]
pub enum Termination {
    Answered(Answer),
    /// Crashed, with what is known about the crash.
    Crashed(String),
    /// The time that it had.
    TimedOut(Duration),
}

impl Termination {
    /// Describes a process that ended by a signal, or with an exit code, without an answer; and its
    /// last words.
    pub fn crashed(signal: Option<i32>, code: Option<i32>, words: &str) -> Termination {
        let how = match (signal, code) {
            (Some(signal), _) => format!("its process ended by signal {signal}"),
            (_, Some(code)) => format!("its process ended with exit code {code} and no answer"),
            _ => "its process ended without an answer".into(),
        };
        Termination::Crashed(match words.trim() {
            "" => how,
            words => format!("{how}; it said: {words}"),
        })
    }
}

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub passed: usize,
    /// Including crashes and timeouts.
    pub failed: usize,
    pub skipped: usize,
    pub known: usize,
    /// Whose descriptions are wrong.
    pub bad: usize,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Skip => "skip",
            Outcome::Known => "known",
            Outcome::Crash => "crash",
            Outcome::Timeout => "timeout",
            Outcome::Bad => "bad",
        }
    }

    /// Whether it is not as expected.
    pub fn is_wrong(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Crash | Outcome::Timeout | Outcome::Bad)
    }
}

impl Entry {
    /// The largest distance in words: nothing where nothing was compared.
    pub fn distance(&self) -> String {
        match (&self.worst, self.outcome) {
            (Some(Worst { ulp: Some(ulp), .. }), _) => format!("{ulp} ULP"),
            (Some(Worst { absolute: Some(absolute), .. }), _) => format!("{absolute:.2e}"),
            (Some(_), _) => "not finite".into(),
            (None, Outcome::Pass) => "0".into(),
            (None, _) => String::new(),
        }
    }

    /// Judges how a test ended, by what is known about the device.
    pub fn judged(name: String, conditions: Conditions, ended: Termination) -> Entry {
        let Conditions { device, api, took, command, known } = conditions;
        let (outcome, answer) = match ended {
            Termination::Answered(answer) => (plain(answer.verdict), answer),
            Termination::Crashed(text) => (Outcome::Crash, failed(text)),
            Termination::TimedOut(limit) => {
                let text = format!("it was not done after {} s", limit.as_secs_f64());
                (Outcome::Timeout, failed(text))
            }
        };
        let Answer { mut reasons, output, worst, missed, figures, .. } = answer;
        let outcome = match (known, outcome) {
            (Some(known), Outcome::Fail | Outcome::Crash | Outcome::Timeout) => {
                reasons.insert(0, format!("known on {}: {}", known.device, known.reason));
                Outcome::Known
            }
            (Some(known), Outcome::Pass) => {
                reasons.push(format!(
                    "it passes, and `known.\"{}\"` says that it fails here ({}): remove that entry",
                    known.device, known.reason
                ));
                Outcome::Fail
            }
            (_, outcome) => outcome,
        };
        let seconds = took.as_secs_f64();
        Entry {
            name,
            device,
            api,
            outcome,
            output,
            worst,
            missed,
            reasons,
            seconds,
            command,
            figures,
        }
    }
}

fn plain(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Pass => Outcome::Pass,
        Verdict::Fail => Outcome::Fail,
        Verdict::Skip => Outcome::Skip,
        Verdict::Bad => Outcome::Bad,
    }
}

/// The answer of a process that gave none.
fn failed(reason: String) -> Answer {
    Answer::without_numbers(Verdict::Fail, vec![reason])
}

impl Tally {
    pub fn of(entries: &[Entry]) -> Tally {
        let mut tally = Tally::default();
        for entry in entries {
            let count = match entry.outcome {
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
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use quadrille_run::testing::TestFile;

    use super::*;

    fn judged(ended: Termination, device: &str) -> Entry {
        let text = "shader = \"a.frag\"\n[known.\"soft\"]\nreason = \"its log2\"";
        let test = TestFile::parse("a.test.toml", text).unwrap();
        let conditions = Conditions {
            device: device.into(),
            api: "gl",
            took: Duration::from_secs(1),
            command: "quadrille test a.test.toml".into(),
            known: test.known_on(device).cloned(),
        };
        Entry::judged("a".into(), conditions, ended)
    }

    fn answer(verdict: Verdict) -> Termination {
        Termination::Answered(Answer { verdict, ..failed("it differs".into()) })
    }

    #[test]
    fn what_is_known_to_fail_must_fail_there_and_only_there() {
        let limit = Duration::from_millis(1500);
        let crash = || Termination::Crashed("signal 11".into());
        for (ended, elsewhere, there) in [
            (answer(Verdict::Pass), Outcome::Pass, Outcome::Fail),
            (answer(Verdict::Fail), Outcome::Fail, Outcome::Known),
            (answer(Verdict::Skip), Outcome::Skip, Outcome::Skip),
            (answer(Verdict::Bad), Outcome::Bad, Outcome::Bad),
            (crash(), Outcome::Crash, Outcome::Known),
            (Termination::TimedOut(limit), Outcome::Timeout, Outcome::Known),
        ] {
            assert_eq!(judged(ended.clone(), "llvmpipe").outcome, elsewhere);
            assert_eq!(judged(ended, "softpipe").outcome, there);
        }
        let passes = judged(answer(Verdict::Pass), "softpipe").reasons.join("\n");
        assert!(passes.contains("`known.\"soft\"`") && passes.contains("its log2"), "{passes}");
        let late = judged(Termination::TimedOut(limit), "llvmpipe").reasons.join("\n");
        assert_eq!(late, "it was not done after 1.5 s");
    }

    #[test]
    fn a_crash_tells_the_signal_or_the_code_and_the_last_words() {
        let crashed = |text: &str| Termination::Crashed(text.into());
        let signal = Termination::crashed(Some(11), None, "a driver's words\n");
        assert_eq!(signal, crashed("its process ended by signal 11; it said: a driver's words"));
        let code = Termination::crashed(None, Some(3), "");
        assert_eq!(code, crashed("its process ended with exit code 3 and no answer"));
    }

    #[test]
    fn every_outcome_is_counted_once() {
        let entries: Vec<Entry> =
            [Verdict::Pass, Verdict::Fail, Verdict::Skip, Verdict::Bad, Verdict::Pass]
                .map(|verdict| judged(answer(verdict), "llvmpipe"))
                .into();
        let tally = Tally { passed: 2, failed: 1, skipped: 1, known: 0, bad: 1 };
        assert_eq!(Tally::of(&entries), tally);
    }
}
