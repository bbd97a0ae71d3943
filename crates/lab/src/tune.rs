//! The tuner's search: which way of doing an operation is the fastest on this device.
//!
//! A question is an operation at a size. Each way that the library can take runs once; those that
//! are nearly the fastest and the default then take turns until their medians can be compared. A
//! way whose result differs from double precision by more than rounding explains is out, however
//! fast. Ways are set as a user's tuned choices are, so what is measured is what will run. The
//! questions share a budget of time: where it ends, ways are left untried, and the table says how
//! many.

mod candidate;
mod question;
mod subject;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::stream::choice::Entry;

pub use self::question::{Operation, Question, questions};

use self::candidate::Candidate;
use self::subject::{Subject, of as subject_of};
use super::{Result, Summary};
use crate::bench::runner;
use crate::bench::runner::{Effort, Measured, Meter, Rounds};

/// The results.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The answers, in the order of the questions; none where no way was right.
    pub answers: Vec<Answer>,
    /// Ways whose results were wrong.
    pub dropped: Vec<Dropped>,
    /// Whether the observer stopped it: the question that was not finished is left out.
    pub stopped: bool,
}

/// The fastest way of a question.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Answer {
    /// The name of the operation.
    pub operation: &'static str,
    /// The choice.
    #[serde(flatten)]
    pub entry: Entry,
    /// The way of the device's kind, without tuning.
    pub default: String,
    /// The time of the default over that of the choice, measured in turns.
    pub over_default: f64,
    /// The measured ways, fastest first.
    pub measured: Vec<Rate>,
    /// Ways that were left out at the end of the time.
    pub untried: usize,
}

impl Answer {
    /// Whether it answers this question.
    pub fn is_of(&self, question: &Question) -> bool {
        (self.operation, self.entry.size) == (question.operation.name(), question.size())
    }
}

/// A way that was measured.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Rate {
    /// The way.
    pub choice: String,
    /// The median time of one operation.
    pub median_ms: f64,
    /// The time over that of the default way.
    pub of_default: f64,
    /// Runs.
    pub runs: usize,
}

/// A way whose result was wrong.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Dropped {
    /// The name of the operation.
    pub operation: &'static str,
    /// The size of the question.
    pub size: usize,
    /// The way.
    pub choice: String,
    /// The largest error.
    pub max_error: f64,
}

/// Ways that take this many times as long as the fastest are out after their first run.
const NEAR: f64 = 1.5;
/// Most that go on, beside the default.
const FINALISTS: usize = 4;
/// Most runs of each of them.
const RUNS: usize = 9;
/// The share of a question's time in which ways are tried, before the best take turns.
const TRYING: f64 = 0.6;
/// The least gain over the default that is not noise.
const WORTH: f64 = 1.03;
/// A run takes at least about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(20);
/// Most operations in a run.
const MOST_PARTS: u64 = 4096;
/// The turns that a question is expected to take.
const TURNS: u64 = 60;

/// Answers questions in about this time.
pub fn run(
    context: &Context,
    questions: &[Question],
    budget: Duration,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let end = Instant::now() + budget;
    let mut meter = Meter::new(observer, questions.len() as u64 * TURNS);
    let mut outcome = Outcome::default();
    for (index, question) in questions.iter().enumerate() {
        let rest: f64 = questions[index..].iter().map(Question::weight).sum();
        let left = end.saturating_duration_since(Instant::now());
        let time = left.mul_f64(question.weight() / rest);
        let found = search(context, question, time, &mut meter, &mut outcome.dropped)?;
        outcome.answers.extend(found);
        if meter.stopped() {
            outcome.stopped = true;
            break;
        }
    }
    Ok(outcome)
}

/// A way and its times.
struct Timed {
    choice: String,
    summary: Summary,
}

fn search(
    context: &Context,
    question: &Question,
    time: Duration,
    meter: &mut Meter<'_>,
    dropped: &mut Vec<Dropped>,
) -> Result<Option<Answer>> {
    let begun = Instant::now();
    let subject = subject_of(question, context)?;
    let default = subject.start(context)?.choice();
    let mut choices = subject.choices(context);
    choices.retain(|choice| *choice != default);
    choices.insert(0, default.clone());
    meter.replan(TURNS, 2 * choices.len() as u64 + TURNS / 2);
    let mut trial = Trial { context, question, subject: &*subject, meter, dropped };

    let (mut tried, mut untried) = (Vec::new(), 0);
    for choice in &choices {
        if !tried.is_empty() && begun.elapsed() > time.mul_f64(TRYING) {
            untried += 1;
            continue;
        }
        tried.extend(trial.measure(&[choice], Rounds::Exactly(1))?);
        if trial.meter.stopped() {
            return Ok(None);
        }
    }
    let finalists = finalists(&tried, &default);
    let left = time.saturating_sub(begun.elapsed());
    let last = match finalists.len() {
        // Nothing to compare it with.
        0 | 1 => Vec::new(),
        _ => trial.measure(&finalists, Rounds::Within(left, RUNS))?,
    };
    if trial.meter.stopped() {
        return Ok(None);
    }
    Ok(answer(question, &default, &tried, &last, untried))
}

/// The default and those that came near the fastest, fastest first.
fn finalists<'a>(tried: &'a [Timed], default: &str) -> Vec<&'a str> {
    let mut near: Vec<&Timed> = tried.iter().collect();
    near.sort_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms));
    let fastest = near.first().map_or(0.0, |timed| timed.summary.median_ms);
    near.retain(|timed| timed.choice != default && timed.summary.median_ms <= NEAR * fastest);
    let default = tried.iter().filter(|timed| timed.choice == default);
    default.chain(near.into_iter().take(FINALISTS)).map(|timed| timed.choice.as_str()).collect()
}

/// The default, unless another is faster by more than noise.
fn answer(
    question: &Question,
    default: &str,
    tried: &[Timed],
    last: &[Timed],
    untried: usize,
) -> Option<Answer> {
    let last = if last.is_empty() { tried } else { last };
    let time = |timed: &Timed| timed.summary.median_ms.max(1e-9);
    let of = |all: &[Timed]| all.iter().find(|timed| timed.choice == default).map(time);
    let best = last.iter().min_by(|one, other| time(one).total_cmp(&time(other)))?;
    let best = match of(last) {
        Some(usual) if usual < WORTH * time(best) => {
            last.iter().find(|timed| timed.choice == default)?
        }
        _ => best,
    };
    let rate = |all: &[Timed], timed: &Timed| Rate {
        choice: timed.choice.clone(),
        median_ms: timed.summary.median_ms,
        of_default: of(all).map_or(f64::NAN, |usual| usual / time(timed)),
        runs: timed.summary.runs,
    };
    let in_last = |timed: &&Timed| last.iter().any(|other| other.choice == timed.choice);
    let mut measured: Vec<Rate> = last.iter().map(|timed| rate(last, timed)).collect();
    measured.extend(tried.iter().filter(|timed| !in_last(timed)).map(|timed| rate(tried, timed)));
    measured.sort_by(|one, other| one.median_ms.total_cmp(&other.median_ms));
    Some(Answer {
        operation: question.operation.name(),
        entry: Entry::new(
            question.size(),
            best.choice.clone(),
            best.summary.rate(question.work()) / 1e9,
        ),
        default: default.to_owned(),
        over_default: of(last).map_or(f64::NAN, |usual| usual / time(best)),
        measured,
        untried,
    })
}

/// The settings that the measurements of a question share.
struct Trial<'a, 'm> {
    context: &'a Context,
    question: &'a Question,
    subject: &'a dyn Subject,
    meter: &'a mut Meter<'m>,
    dropped: &'a mut Vec<Dropped>,
}

impl Trial<'_, '_> {
    /// Measures ways in turns, and returns those that are right. What the device cannot run is left
    /// out.
    fn measure<C: AsRef<str>>(&mut self, choices: &[C], rounds: Rounds) -> Result<Vec<Timed>> {
        let Trial { context, question, subject, .. } = *self;
        let candidate = |choice: &C| Candidate {
            context,
            question,
            subject,
            choice: choice.as_ref().to_owned(),
            running: None,
        };
        let effort = Effort::new(context, rounds, RUN, [1, MOST_PARTS]);
        let cases = choices.iter().map(candidate).collect();
        let outcome = runner::measure(cases, &effort, self.meter)?;
        let (right, wrong): (Vec<_>, Vec<_>) =
            outcome.measured.into_iter().partition(|case| case.comparison.is_right());
        for Measured { case, comparison, .. } in wrong {
            let (operation, size) = (question.operation.name(), question.size());
            let dropped =
                Dropped { operation, size, choice: case.choice, max_error: comparison.max_error };
            self.dropped.push(dropped);
        }
        let timed = |case: Measured<Candidate<'_>>| {
            let summary = case.summary();
            Timed { choice: case.case.choice, summary }
        };
        Ok(right.into_iter().map(timed).collect())
    }
}
