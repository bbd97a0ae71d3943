//! Satisfiability: `quadrille sat`.

use js_sys::{Int32Array, Object};
use quadrille_vp::cnf::dimacs;
use quadrille_vp::sat::{Answer, Options, Outcome};
use wasm_bindgen::prelude::*;

use crate::context::Context;
use crate::error::{Failure, Result, set};
use crate::specified;

#[wasm_bindgen]
impl Context {
    /// Searches for a model of a formula in DIMACS's form.
    pub fn sat(&self, formula: &str, options: JsValue) -> Result<Object> {
        let options: Options = specified::options("sat", &options)?;
        let cnf = dimacs::parse("formula.cnf", formula.as_bytes())?;
        let context = || Ok::<_, Failure>(self.context.clone());
        let found = options.solve(&cnf, context, |search| search.run(&mut ()))?;
        let result = object(&found.outcome);
        let candidates = found.searched.map_or(0, |searched| searched.candidates);
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
