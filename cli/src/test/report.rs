//! The outcomes, as text and as JSON.

use quadrille_lab::testing::{Entry, Outcome, Tally};

use super::super::prelude::*;

/// The JSON object; the text says the same.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) tests: Vec<Entry>,
    #[serde(flatten)]
    tally: Tally,
}

impl Report {
    pub(super) fn new(tests: Vec<Entry>) -> Report {
        Report { tally: Tally::of(&tests), tests }
    }

    pub(super) fn text(&self) -> String {
        let mut lines: Vec<String> =
            self.tests.iter().flat_map(|entry| self.lines(entry)).collect();
        lines.push(self.summary());
        lines.join("\n")
    }

    /// One line, and more of what did not pass.
    fn lines(&self, entry: &Entry) -> Vec<String> {
        let Entry { name, device, api, outcome, reasons, .. } = entry;
        let place = match (self.places() > 1, device.as_str()) {
            (false, _) => String::new(),
            (true, "") => format!("  ({api})"),
            (true, device) => format!("  ({device}, {api})"),
        };
        let mut lines = vec![format!("{:<9}{name}{place}", outcome.name())];
        let reasons = reasons.iter().flat_map(|reason| reason.lines());
        lines.extend(reasons.map(|line| format!("         {line}")));
        if outcome.is_wrong() && *outcome != Outcome::Bad {
            lines.push(format!("         again: {}", entry.command));
        }
        lines
    }

    fn places(&self) -> usize {
        let mut places: Vec<(&str, &str)> =
            self.tests.iter().map(|entry| (entry.device.as_str(), entry.api)).collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    fn summary(&self) -> String {
        let Tally { passed, failed, skipped, known, bad } = self.tally;
        let counts = [
            (passed, "passed"),
            (failed, "failed"),
            (skipped, "skipped"),
            (known, "known to fail"),
            (bad, "with a wrong description"),
        ];
        let counts = counts.iter().filter(|(count, word)| *count > 0 || *word == "passed");
        let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
        let mut devices: Vec<&str> = self
            .tests
            .iter()
            .map(|entry| entry.device.as_str())
            .filter(|d| !d.is_empty())
            .collect();
        devices.sort_unstable();
        devices.dedup();
        format!("{} on {}", counts.join(", "), devices.join(" and "))
    }
}
