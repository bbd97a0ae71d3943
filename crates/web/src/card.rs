//! The accuracy card of the browser's device: `quadrille card`.

use js_sys::{Function, JSON};
use quadrille::{Control, Progress};
use quadrille_lab::card::{self, Card, Section};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::context::Context;
use crate::error::{Result, wrong};

/// What `quadrille card --json` writes.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    card: &'a Card,
    verdicts: &'a [Section],
}

#[wasm_bindgen]
impl Context {
    /// Makes the card; `progress` is told of what was done and of what is expected.
    pub fn card(&self, seed: f64, progress: Option<Function>) -> Result<JsValue> {
        let mut tell = |done: &Progress| {
            if let Some(tell) = &progress {
                let expected = done.expected.map_or(JsValue::NULL, |all| (all as f64).into());
                // A page that throws here has nobody who would be told.
                let _ = tell.call2(&JsValue::NULL, &(done.done as f64).into(), &expected);
            }
            Control::Continue
        };
        let card = card::run(&self.context, seed as u64, &mut tell)?;
        let verdicts = card.verdicts();
        let report = Report { card: &card, verdicts: &verdicts };
        let text = serde_json::to_string(&report).map_err(|error| wrong(error.to_string()))?;
        JSON::parse(&text).map_err(|_| wrong("the card is no JSON"))
    }
}
