//! The conclusions of the card, in sentences.

mod arithmetic;
mod places;
mod special;

use serde::Serialize;

use super::{Card, Engine};
use quadrille::Context;

#[derive(Clone, Debug, Serialize)]
pub struct Section {
    pub title: &'static str,
    pub verdicts: Vec<Verdict>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    pub text: String,
    pub care: bool,
}

impl Verdict {
    fn good(text: impl Into<String>) -> Verdict {
        Verdict { text: text.into(), care: false }
    }

    fn care(text: impl Into<String>) -> Verdict {
        Verdict { text: text.into(), care: true }
    }

    fn of(good: bool, text: impl Into<String>) -> Verdict {
        Verdict { text: text.into(), care: !good }
    }

    /// The good verdict, unless there are exceptions, which are listed after `otherwise`.
    fn unless(exceptions: &[String], good: impl Into<String>, otherwise: &str) -> Verdict {
        match exceptions.is_empty() {
            true => Verdict::good(good),
            false => Verdict::care(format!("{otherwise} {}", listed(exceptions))),
        }
    }
}

impl Card {
    /// The card in words. Sentences are about fragment shaders unless they name another engine.
    pub fn verdicts(&self) -> Vec<Section> {
        let section = |title, verdicts| Section { title, verdicts };
        let mut sections = vec![
            section("arithmetic", arithmetic::accuracy(self)),
            section("rounding", arithmetic::rounding(self)),
            section("contraction", arithmetic::contraction(self)),
            section("denormals", special::denormals(self)),
            section("NaN", special::nan(self)),
            section("infinities and zeros", special::infinities(self)),
            section("ways of numbers", special::passages(self)),
            section("engines", arithmetic::engines(self)),
            section("places of texels", places::indexing(self)),
            section("lines", places::lines(self)),
            section("interpolated coordinates", places::interpolation(self)),
            section("loops", vec![loops(self)]),
        ];
        sections.retain(|section| !section.verdicts.is_empty());
        sections
    }

    /// The engine that sentences are about.
    fn first(&self) -> Engine {
        Engine::Fragment
    }
}

fn loops(card: &Card) -> Verdict {
    match card.loop_budget {
        Some(budget) => Verdict::care(format!(
            "all loops of an invocation end after {budget} iterations together, without an error: a longer \
             computation needs several passes"
        )),
        None => {
            Verdict::good(format!("a loop of {} iterations completes", Context::PROBED_ITERATIONS))
        }
    }
}

/// Words in a row: `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
