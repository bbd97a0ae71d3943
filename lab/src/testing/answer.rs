//! The report of a test's process: serialised, since the test may end its process.

use serde::{Deserialize, Serialize};

use quadrille_run::io::description;
use quadrille_run::testing::{self, Error, Finding, Ran, file};

use super::figure::Figure;
use super::provenance::Provenance;
use super::worst::Worst;

/// The finding of a test on one context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub verdict: Verdict,
    /// Why it did not pass.
    pub reasons: Vec<String>,
    /// The output that the worst number is of.
    pub output: Option<String>,
    pub worst: Option<Worst>,
    /// The texels of that output that miss.
    pub missed: usize,
    /// Heat maps, if they were requested.
    pub figures: Vec<Figure>,
}

/// The verdict without its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Pass,
    Fail,
    Skip,
    /// The description is wrong.
    Bad,
}

impl Answer {
    /// The answer of a test that ran or could not.
    pub fn of(ran: &Result<Ran, Error>, file: &std::path::Path) -> Answer {
        match ran {
            Err(error) => Answer::bad(placed(error, file)),
            Ok(ran) => match &ran.verdict {
                testing::Verdict::Skip(reason) => {
                    Answer::without_numbers(Verdict::Skip, vec![reason.clone()])
                }
                testing::Verdict::Pass => Answer::of_findings(Verdict::Pass, Vec::new(), ran),
                testing::Verdict::Fail(reasons) => {
                    Answer::of_findings(Verdict::Fail, reasons.clone(), ran)
                }
            },
        }
    }

    /// The answer of expected numbers that were written: a line for each file.
    pub fn of_writing(files: Vec<String>) -> Answer {
        if files.is_empty() {
            let reason = "no expectation has a file: none of them is `equals`".into();
            return Answer::without_numbers(Verdict::Skip, vec![reason]);
        }
        Answer::without_numbers(Verdict::Pass, files)
    }

    /// The answer of a test that could not be run.
    pub fn bad(reason: String) -> Answer {
        Answer::without_numbers(Verdict::Bad, vec![reason])
    }

    /// An answer about no number.
    pub fn without_numbers(verdict: Verdict, reasons: Vec<String>) -> Answer {
        Answer { verdict, reasons, output: None, worst: None, missed: 0, figures: Vec::new() }
    }

    /// The numbers of the first finding that is wrong, or else of that with the greatest distance.
    fn of_findings(verdict: Verdict, reasons: Vec<String>, ran: &Ran) -> Answer {
        let wrong = ran.findings.iter().find(|finding| !finding.is_right());
        let shown = wrong.or_else(|| ran.findings.iter().max_by_key(|finding| distance(finding)));
        let difference = shown.and_then(|finding| finding.difference.as_ref().ok());
        let from = wrong.and_then(|finding| Provenance::beside(finding.file.as_deref()?));
        let from = from.map(|from| format!("what is expected was computed on {}", from.text()));
        let reasons = reasons.into_iter().chain(from).collect();
        Answer {
            output: shown.map(|finding| finding.output.clone()),
            worst: difference.and_then(|difference| difference.worst.as_ref()).map(Worst::of),
            missed: difference.map_or(0, |difference| difference.missed),
            ..Answer::without_numbers(verdict, reasons)
        }
    }
}

/// The distance in ULP; what is not finite and differs is farthest.
fn distance(finding: &Finding) -> u64 {
    let worst = finding.difference.as_ref().ok().and_then(|difference| difference.worst.as_ref());
    worst.map_or(0, |worst| worst.ulp.unwrap_or(u64::MAX).max(1))
}

/// An error with the place in the test: what the library says of a shader does not name the test.
pub fn placed(error: &Error, path: &std::path::Path) -> String {
    match error {
        Error::File(file::Error::Description(error)) => match error {
            description::Error::NoFile { key, .. } if key.ends_with(".equals") => {
                format!("{error}; `quadrille test --bless` writes it")
            }
            _ => error.to_string(),
        },
        Error::File(error) => error.to_string(),
        Error::Experiment(quadrille_run::Error::Description(error)) => error.to_string(),
        error => {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let (message, path) = (error.to_string(), path.display());
            match line_naming(&text, &message) {
                Some(line) => format!("{path}:{line}: {message}"),
                None => format!("{path}: {message}"),
            }
        }
    }
}

/// The first line, from 1, with a name that a message about the shader has between backticks.
fn line_naming(text: &str, message: &str) -> Option<usize> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = message.split('`').skip(1).step_by(2);
    let line_of = |name: &str| {
        let has = |line: &str| {
            let code = line.split('#').next().unwrap_or_default();
            code.split(|c| !letter(c)).any(|word| word == name)
        };
        text.lines().position(has).map(|index| index + 1)
    };
    names.filter(|name| !name.is_empty()).find_map(line_of)
}

#[cfg(test)]
mod tests {
    use super::line_naming;

    #[test]
    fn a_message_about_the_shader_is_placed_where_the_test_names_its_subject() {
        let text =
            "shader = \"a.frag\"\n# streng\nuniform.streng = 1\nfeedback = { nex = \"s\" }\n";
        let line = |message: &str| line_naming(text, message);
        assert_eq!(line("a.frag has no uniform `streng`; it has: strength"), Some(3));
        assert_eq!(line("a.frag has no output `nex`; it has: next"), Some(4));
        assert_eq!(line("`size` is not told"), None);
        assert_eq!(line("the device has no memory"), None);
    }
}
