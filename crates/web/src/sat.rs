//! Satisfiability: `quadrille sat`.

use js_sys::{Int32Array, Object};
use quadrille_vp::cnf::dimacs;
use quadrille_vp::sat::search::{Method, SearchEngine, Task};
use quadrille_vp::sat::{Answer, Outcome, Propagation};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::context::Context;
use crate::error::{Failure, Result, set};
use crate::settings::{named, read};

/// The options of a search.
#[derive(Deserialize)]
#[serde(default)]
struct Asked {
    seed: u64,
    flips: u64,
    restarts: Option<u64>,
    candidates: Option<usize>,
    engine: Option<String>,
}

const KEYS: [&str; 5] = ["seed", "flips", "restarts", "candidates", "engine"];

impl Default for Asked {
    fn default() -> Asked {
        Asked { seed: 1, flips: 100_000, restarts: None, candidates: None, engine: None }
    }
}

#[wasm_bindgen]
impl Context {
    /// Searches for a model of a formula in DIMACS's form.
    pub fn sat(&self, formula: &str, options: JsValue) -> Result<Object> {
        let asked: Asked = read("sat", options, &KEYS)?;
        let engine = asked.engine.as_deref();
        let engine = engine.map(|name| named::<SearchEngine>("engine", name)).transpose()?;
        let method = Method::resolve(engine, asked.candidates)?;
        let cnf = dimacs::parse("formula.cnf", formula.as_bytes())?;
        let units = Propagation::of(&cnf)?;
        let (outcome, candidates) = match units.decided(&cnf)? {
            Some(outcome) => (outcome, 0),
            None => {
                let Asked { seed, flips, restarts, .. } = asked;
                let task = Task { cnf: units.rest(), seed, flips, restarts };
                let mut search = method.search(task, || Ok::<_, Failure>(self.context.clone()))?;
                (units.extended(&cnf, search.run(&mut ())?)?, search.candidates)
            }
        };
        let result = object(&outcome);
        set(&result, "candidates", candidates as f64);
        set(&result, "clauses", cnf.len() as f64);
        Ok(result)
    }
}

fn object(outcome: &Outcome) -> Object {
    let answer = match outcome.answer {
        Answer::Satisfiable => "satisfiable",
        Answer::Unsatisfiable => "unsatisfiable",
        Answer::Unknown => "unknown",
    };
    let result = Object::new();
    set(&result, "answer", answer);
    if let Some(model) = outcome.model() {
        set(&result, "model", Int32Array::from(&model[..]));
    }
    set(&result, "satisfied", outcome.satisfied as f64);
    set(&result, "flips", outcome.flips as f64);
    set(&result, "restarts", outcome.restarts as f64);
    set(&result, "evaluations", outcome.evaluations as f64);
    set(&result, "milliseconds", outcome.elapsed.as_secs_f64() * 1e3);
    result
}
