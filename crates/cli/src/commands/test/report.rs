//! The outcomes, as text and as JSON.

use quadrille_run::testing::outcome::{Case, Explanation, Outcome, Tally};

use crate::prelude::*;
use quadrille::internal::visible_name;

/// The JSON object; the text says the same.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) tests: Vec<Case>,
    #[serde(flatten)]
    tally: Tally,
    /// The reasons why devices differ.
    explanations: Vec<Explanation>,
}

impl Report {
    pub(super) fn new(tests: Vec<Case>, explanations: Vec<Explanation>) -> Report {
        Report { tally: Tally::of(&tests), tests, explanations }
    }

    /// A line for each test; where there are several devices or APIs, a table of their distances
    /// besides, and lines only for what did not pass. Where a comparison failed, the page that
    /// shows it, or how to get one.
    pub(super) fn text(&self, page: Option<&Path>) -> String {
        let several = self.places().len() > 1;
        let shown = self.tests.iter().filter(|case| !several || case.outcome != Outcome::Pass);
        let mut lines: Vec<String> = shown.flat_map(|case| self.lines(case)).collect();
        for explanation in &self.explanations {
            let name = visible_name(&explanation.name);
            lines.push(format!("{name}: {}", explanation.text()));
        }
        if several {
            lines.extend(self.table());
        }
        let shown = |case: &Case| case.outcome == Outcome::Fail && case.output.is_some();
        if self.tests.iter().any(shown) {
            lines.push(match page {
                Some(page) => format!("{} shows what was expected and what came", page.display()),
                None => "help: --report DIR writes a page with pictures of what was expected, what came and the difference".into(),
            });
        }
        lines.push(self.summary());
        lines.join("\n")
    }

    /// The largest distance of each test in each place, and the outcome where that is not a pass.
    fn table(&self) -> Vec<String> {
        let places = self.places();
        let mut names: Vec<&str> = self.tests.iter().map(|case| case.name.as_str()).collect();
        names.dedup();
        let mut rows = vec![vec!["largest distance".to_owned()]];
        rows[0].extend(places.iter().map(|(device, api)| match *device {
            "" => (*api).to_owned(),
            device => format!("{device}, {api}"),
        }));
        for name in names {
            let of = |place: &(&str, &str)| {
                let same =
                    |case: &&Case| case.name == name && (case.device.as_str(), case.api) == *place;
                self.tests.iter().find(same).map_or("-".to_owned(), cell)
            };
            rows.push(
                [visible_name(name).into_owned()]
                    .into_iter()
                    .chain(places.iter().map(of))
                    .collect(),
            );
        }
        aligned(&rows)
    }

    /// Returns a line, and more for a test that did not pass.
    fn lines(&self, case: &Case) -> Vec<String> {
        let Case { name, device, api, outcome, reasons, .. } = case;
        let place = match (self.places().len() > 1, device.as_str()) {
            (false, _) => String::new(),
            (true, "") => format!("  ({api})"),
            (true, device) => format!("  ({device}, {api})"),
        };
        let name = visible_name(name);
        let mut lines = vec![format!("{:<9}{name}{place}", outcome.name())];
        let reasons = reasons.iter().flat_map(|reason| reason.lines());
        lines.extend(reasons.map(|line| format!("         {line}")));
        if outcome.is_wrong() && *outcome != Outcome::Bad {
            lines.push(format!("         again: {}", visible_name(&case.command)));
        }
        lines
    }

    /// The devices and APIs, in the order in which they first come.
    fn places(&self) -> Vec<(&str, &str)> {
        let mut places: Vec<(&str, &str)> = Vec::new();
        for case in &self.tests {
            let place = (case.device.as_str(), case.api);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
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
        let mut devices: Vec<&str> =
            self.tests.iter().map(|case| case.device.as_str()).filter(|d| !d.is_empty()).collect();
        devices.sort_unstable();
        devices.dedup();
        match devices.is_empty() {
            true => counts.join(", "),
            false => format!("{} on {}", counts.join(", "), devices.join(" and ")),
        }
    }
}

fn cell(case: &Case) -> String {
    match (case.outcome, case.distance()) {
        (Outcome::Pass, distance) => distance,
        (outcome, distance) if distance.is_empty() => outcome.name().to_owned(),
        (outcome, distance) => format!("{}, {distance}", outcome.name()),
    }
}

/// The rows with columns as wide as their widest cells.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cells() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let lines = aligned(&[row(["a", "long cell", "b"]), row(["wide", "x", ""])]);
        assert_eq!(lines, ["a     long cell  b", "wide  x"]);
    }
}
