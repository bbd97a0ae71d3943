//! The outcome of one test on one device.

use std::time::Duration;

use quadrille::internal::visible_name;
use serde::Serialize;

use super::super::file::Known;
use super::Outcome;
use super::answer::Answer;
use super::figure::Figure;
use super::position::Position;
use super::termination::Termination;
use super::worst::Worst;

/// The outcome of a test on a device.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Case {
    /// The name of the test.
    pub name: String,
    /// The device.
    pub device: String,
    /// The API, `gl` or `gles`.
    pub api: &'static str,
    /// The outcome.
    pub outcome: Outcome,
    /// The output that the worst number is of.
    pub output: Option<String>,
    /// The worst number, where numbers were compared.
    pub worst: Option<Worst>,
    /// The number of texels that miss.
    pub missed: usize,
    /// The reasons why it did not pass.
    pub reasons: Vec<String>,
    /// The line to look at first, where one is known.
    pub place: Option<Box<Position>>,
    /// The time that it took.
    pub seconds: f64,
    /// The command that runs it alone.
    pub command: String,
    /// The heat maps, if they were requested.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// The device on which a test ran, and its time.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The device.
    pub device: String,
    /// The API, `gl` or `gles`.
    pub api: &'static str,
    /// The time that it took.
    pub took: Duration,
    /// The command that runs it alone.
    pub command: String,
    /// The known failure of the test there.
    pub known: Option<Known>,
}

impl Case {
    /// Returns the largest distance in words, and an empty text if nothing was compared.
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
    pub fn judged(name: String, conditions: Conditions, ended: Termination) -> Case {
        let Conditions { device, api, took, command, known } = conditions;
        let (outcome, answer) = match ended {
            Termination::Answered(answer) => (answer.outcome, answer),
            Termination::Crashed(text) => (Outcome::Crash, failed(text)),
            Termination::TimedOut(limit) => {
                let text = format!("it was not done after {} s", limit.as_secs_f64());
                (Outcome::Timeout, failed(text))
            }
        };
        let Answer { mut reasons, output, worst, missed, place, figures, .. } = answer;
        let outcome = match (known, outcome) {
            (Some(known), Outcome::Fail | Outcome::Crash | Outcome::Timeout) => {
                let Known { device, reason } = shown(&known);
                reasons.insert(0, format!("known on {device}: {reason}"));
                Outcome::Known
            }
            (Some(known), Outcome::Pass) => {
                let Known { device, reason } = shown(&known);
                reasons.push(format!(
                    "it passes, and `known.\"{device}\"` says that it fails here ({reason}): remove that entry"
                ));
                Outcome::Fail
            }
            (_, outcome) => outcome,
        };
        let seconds = took.as_secs_f64();
        Case {
            name,
            device,
            api,
            outcome,
            output,
            worst,
            missed,
            reasons,
            place,
            seconds,
            command,
            figures,
        }
    }
}

/// Returns an entry whose texts are one line each.
fn shown(known: &Known) -> Known {
    let [device, reason] =
        [&known.device, &known.reason].map(|text| visible_name(text).into_owned());
    Known { device, reason }
}

/// Returns the answer of a process that gave none.
fn failed(reason: String) -> Answer {
    Answer::without_numbers(Outcome::Fail, vec![reason])
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::super::file::TestFile;
    use super::*;

    fn judged(ended: Termination, device: &str) -> Case {
        let text = "shader = \"a.frag\"\n[known.\"soft\"]\nreason = \"its log2\"";
        let test = TestFile::parse("a.test.toml", text).unwrap();
        let conditions = Conditions {
            device: device.into(),
            api: "gl",
            took: Duration::from_secs(1),
            command: "quadrille test a.test.toml".into(),
            known: test.known_on(device).cloned(),
        };
        Case::judged("a".into(), conditions, ended)
    }

    fn answer(outcome: Outcome) -> Termination {
        Termination::Answered(Answer { outcome, ..failed("it differs".into()) })
    }

    #[test]
    fn what_is_known_to_fail_must_fail_there_and_only_there() {
        let limit = Duration::from_millis(1500);
        let crash = || Termination::Crashed("signal 11".into());
        for (ended, elsewhere, there) in [
            (answer(Outcome::Pass), Outcome::Pass, Outcome::Fail),
            (answer(Outcome::Fail), Outcome::Fail, Outcome::Known),
            (answer(Outcome::Skip), Outcome::Skip, Outcome::Skip),
            (answer(Outcome::Bad), Outcome::Bad, Outcome::Bad),
            (crash(), Outcome::Crash, Outcome::Known),
            (Termination::TimedOut(limit), Outcome::Timeout, Outcome::Known),
        ] {
            assert_eq!(judged(ended.clone(), "llvmpipe").outcome, elsewhere);
            assert_eq!(judged(ended, "softpipe").outcome, there);
        }
        let passes = judged(answer(Outcome::Pass), "softpipe").reasons.join("\n");
        assert!(passes.contains("`known.\"soft\"`") && passes.contains("its log2"), "{passes}");
        let late = judged(Termination::TimedOut(limit), "llvmpipe").reasons.join("\n");
        assert_eq!(late, "it was not done after 1.5 s");
    }
}
