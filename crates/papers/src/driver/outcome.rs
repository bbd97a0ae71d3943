//! The outcome of all requested studies.

use std::collections::BTreeSet;

use crate::{Machine, Record, Study};
use quadrille_lab::report::{Finding, Kind, Part, Verdict};

/// A report before it is rendered.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub machine: Machine,
    /// All requested studies, in the order of the report.
    pub entries: Vec<Entry>,
    pub stopped: bool,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub study: Study,
    /// The results; `None` if it has not been run yet.
    pub record: Option<Record>,
    /// Whether an earlier run measured it.
    pub kept: bool,
}

impl Entry {
    pub fn part(&self) -> Option<&Part> {
        self.record.as_ref().filter(|record| record.failure.is_none()).map(|record| &record.part)
    }

    pub fn left_out(&self) -> Vec<String> {
        match &self.record {
            None => vec!["not run yet".into()],
            Some(Record { failure: Some(failure), .. }) => {
                vec![format!("{}: {}", failure.kind, failure.reason)]
            }
            Some(record) => record.part.left_out.clone(),
        }
    }

    pub fn wrong(&self) -> Option<&str> {
        let failure = self.record.as_ref()?.failure.as_ref()?;
        failure.wrong.then_some(failure.reason.as_str())
    }
}

impl Outcome {
    pub fn new(mut machine: Machine, entries: Vec<Entry>, stopped: bool) -> Outcome {
        machine.end();
        let mut outcome = Outcome { machine, entries, stopped };
        outcome.name_apart();
        outcome
    }

    /// Gives every table and figure a unique name that is valid for a file.
    fn name_apart(&mut self) {
        let mut taken = BTreeSet::new();
        let records = self.entries.iter_mut().filter_map(|entry| entry.record.as_mut());
        for part in records.map(|record| &mut record.part) {
            let tables = part.tables.iter_mut().map(|table| &mut table.id);
            for id in tables.chain(part.figures.iter_mut().map(|figure| &mut figure.id)) {
                *id = apart(id, &taken);
                taken.insert(id.clone());
            }
        }
    }

    pub fn parts(&self) -> impl Iterator<Item = (&Study, &Part)> {
        self.entries.iter().filter_map(|entry| Some((&entry.study, entry.part()?)))
    }

    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.parts().flat_map(|(_, part)| &part.findings)
    }

    pub fn count(&self, verdict: Verdict) -> usize {
        self.count_of(Kind::Measurement, verdict)
    }

    pub fn count_of(&self, kind: Kind, verdict: Verdict) -> usize {
        let ends_so = |finding: &&Finding| finding.kind == kind && finding.verdict == verdict;
        self.findings().filter(ends_so).count()
    }

    /// Every study that has been run, now or before.
    pub fn run(&self) -> usize {
        self.entries.iter().filter(|entry| entry.record.is_some()).count()
    }

    /// The number of parts kept from earlier runs, and their first and last date.
    pub fn kept(&self) -> Option<(usize, &str, &str)> {
        let kept = || self.entries.iter().filter(|entry| entry.kept);
        let dates = || kept().filter_map(|entry| Some(entry.record.as_ref()?.date.as_str()));
        Some((kept().count(), dates().min()?, dates().max()?))
    }

    pub fn wrong(&self) -> Vec<String> {
        let wrong = |entry: &Entry| Some(format!("{}: {}", entry.study.id, entry.wrong()?));
        self.entries.iter().filter_map(wrong).collect()
    }
}

/// A name without what no file's name should have, and with a number where it is taken.
fn apart(id: &str, taken: &BTreeSet<String>) -> String {
    let fit = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let plain: String = id.chars().map(|letter| if fit(letter) { letter } else { '-' }).collect();
    let plain = plain.trim_matches('-').to_lowercase();
    let plain = if plain.is_empty() { "unnamed".to_owned() } else { plain };
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_fit_for_files_and_differ() {
        let mut taken = BTreeSet::new();
        let names = ["table-4", "table-4", "../Table 4", "", "é"].map(|id| {
            let name = apart(id, &taken);
            taken.insert(name.clone());
            name
        });
        assert_eq!(names, ["table-4", "table-4-2", "table-4-3", "unnamed", "unnamed-2"]);
    }
}
