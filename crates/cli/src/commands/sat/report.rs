//! The report of a search: the text of SAT competitions, and a JSON object.

use crate::prelude::*;
use quadrille_lab::text::broken;
use quadrille_vp::cnf::Cnf;
use quadrille_vp::sat::{Answer, Found, Options, Searched};

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(super) struct Report {
    /// Null where it is unknown.
    satisfiable: Option<bool>,
    /// Signed literals, where there is a model.
    model: Option<Vec<i32>>,
    variables: usize,
    clauses: usize,
    /// Variables whose values unit propagation fixed, before a search for the others.
    propagated: usize,
    /// Clauses that the model satisfies, or the best assignment that there was at the end.
    satisfied: usize,
    /// The flips of all candidates together.
    flips: u64,
    restarts: u64,
    candidates: usize,
    seed: u64,
    /// Clauses times candidates times evaluations.
    clause_evaluations_per_second: f64,
    /// The search, without set-up.
    milliseconds: f64,
    engine: &'static str,
    device: String,
    stopped: bool,
}

/// Where clauses were evaluated.
fn device(searched: &Searched) -> String {
    searched.context.as_ref().map_or("host, one core".into(), |context| {
        let abilities = context.abilities();
        format!("{}, {}", abilities.renderer, abilities.api_text())
    })
}

/// Competitions want lines of fewer columns than this.
const COLUMNS: usize = 80;

impl Report {
    pub(super) fn new(cnf: &Cnf, found: &Found, options: Options) -> Report {
        let Found { outcome, propagated, searched, .. } = found;
        Report {
            satisfiable: match outcome.answer {
                Answer::Satisfiable => Some(true),
                Answer::Unsatisfiable => Some(false),
                Answer::Unknown => None,
            },
            model: outcome.model(),
            variables: cnf.variables(),
            clauses: cnf.len(),
            propagated: *propagated,
            satisfied: outcome.satisfied,
            flips: outcome.flips,
            restarts: outcome.restarts,
            candidates: searched.as_ref().map_or(0, |searched| searched.candidates),
            seed: options.seed,
            clause_evaluations_per_second: outcome.rate(),
            milliseconds: outcome.elapsed.as_secs_f64() * 1e3,
            engine: searched.as_ref().map_or("none", |searched| searched.engine.name()),
            device: searched.as_ref().map_or("none".into(), device),
            stopped: outcome.stopped,
        }
    }

    pub(super) fn text(&self, file: &Path, asked: Option<usize>) -> String {
        let Report { variables, clauses, satisfied, flips, restarts, candidates, .. } = self;
        let file = file.display();
        let mut lines = vec![format!("c {file}: {variables} variables, {clauses} clauses")];
        if self.propagated > 0 {
            let fixed = self.propagated;
            lines.push(format!("c unit propagation fixed {fixed} of {variables} variables"));
        }
        if self.engine == "none" {
            lines.push("c no search was needed".into());
        } else {
            let asked = asked.filter(|asked| asked != candidates);
            let rounded = asked.map_or(String::new(), |k| format!(", rounded up from {k}"));
            let plural = if *candidates == 1 { "" } else { "s" };
            lines.push(format!("c {candidates} candidate{plural}{rounded}, seed {}", self.seed));
            lines.push(format!("c engine {}: {}", self.engine, self.device));
            lines.push(format!(
                "c {flips} flips, {restarts} restart{}, {:.1} ms, {:.2e} clause evaluations a second",
                if *restarts == 1 { "" } else { "s" },
                self.milliseconds, self.clause_evaluations_per_second
            ));
        }
        if self.satisfiable.is_none() {
            lines.push(format!("c the best assignment satisfies {satisfied} of {clauses} clauses"));
        }
        lines.push(match self.satisfiable {
            Some(true) => "s SATISFIABLE".into(),
            Some(false) => "s UNSATISFIABLE".into(),
            None => "s UNKNOWN".into(),
        });
        lines.extend(self.model.as_deref().map(values).unwrap_or_default());
        lines.join("\n")
    }
}

/// `v` lines of a model, which ends in 0.
fn values(model: &[i32]) -> Vec<String> {
    let words = model.iter().chain(&[0]).map(i32::to_string);
    broken(words, COLUMNS - "v ".len() - 1).iter().map(|line| format!("v {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_wrapped_and_end_in_zero() {
        assert_eq!(values(&[]), ["v 0"]);
        assert_eq!(values(&[1, -2]), ["v 1 -2 0"]);
        let model: Vec<i32> = (1..=300).map(|v| if v % 2 == 0 { v } else { -v }).collect();
        let lines = values(&model);
        assert!(lines.iter().all(|line| line.starts_with("v ") && line.len() < 80));
        assert!(lines.iter().rev().skip(1).all(|line| line.len() > 70), "filled");
        let words = lines.iter().flat_map(|line| line.split(' ').filter(|word| *word != "v"));
        let mut read: Vec<i32> = words.map(|word| word.parse().unwrap()).collect();
        assert_eq!(read.pop(), Some(0));
        assert_eq!(read, model);
    }
}
