//! The measurements of GPUBench but for transfers and passes, which `bench stream` has: what
//! arithmetic, fetches, outputs and branches cost, and how exact built-in functions are. Every
//! probe's result is compared with double precision, and each of its steps needs the one before, so
//! that nothing can be left out.

mod brief;
mod charts;
mod cost;
mod limits;
mod probes;
mod subject;

use probes::{branch, chase, interpolated, outputs, probe};
#[cfg(test)]
mod tests;

use crate::report::names::named_enum;
use std::time::Duration;

use quadrille::Observer;
use quadrille::gl::Context;
use quadrille::shader::Source;
use quadrille::stream;

use super::runner::Meter;
use crate::card::{Accuracy, accuracy_of};
use crate::twin::Comparison;
use crate::{Result, Summary};

use self::subject::Subject;
use probes::arithmetic::Mad;
use probes::branch::Branch;
use probes::chase::Chase;
use probes::fetch::Fetch;
use probes::opcodes::Opcode;

pub use charts::charts;
pub use limits::{Limits, least_operations, limits};
pub use subject::{Engine, Row};

named_enum! {
    pub enum Question: "probe" {
        /// Multiply-adds per second.
        Mad => "mad",
        /// Built-in functions per second.
        Opcode => "opcode",
        /// Texels per second, and the cost of one in multiply-adds.
        Fetch => "fetch",
        /// Fetches whose result is the position of the next one.
        DependentFetch => "dependent-fetch",
        /// Bytes written to targets per second.
        Output => "output",
        Branch => "branch",
        Precision => "precision",
    }
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub questions: Vec<Question>,
    pub runs: usize,
    pub run: Duration,
    /// Whether a few shapes of each work stand for all.
    pub brief: bool,
    /// The variants that are measured, of those that the questions have; all where none is named.
    pub only: &'static [&'static str],
}

impl Default for Plan {
    /// Everything; about a minute on a software renderer of two cores.
    fn default() -> Plan {
        let questions = Question::ALL.to_vec();
        Plan { questions, runs: 5, run: Duration::from_millis(20), brief: false, only: &[] }
    }
}

impl Plan {
    fn asks_for(&self, variant: &str) -> bool {
        self.only.is_empty() || self.only.contains(&variant)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows in the order of the questions; an engine's rows are together.
    pub rows: Vec<Row>,
    /// The probes that this device lacks, and why.
    pub left_out: Vec<String>,
    /// Whether the observer stopped it: what was not finished is left out.
    pub stopped: bool,
}

pub fn sources() -> Result<Vec<Source>, stream::Error> {
    let mut sources = Vec::new();
    for engine in [Engine::Fragment, Engine::Compute] {
        for mad in Mad::ALL {
            sources.push(mad.source(engine)?);
        }
        for opcode in Opcode::ALL {
            sources.push(opcode.source(engine)?);
        }
        for fetch in Fetch::all(engine) {
            sources.push(fetch.source(engine)?);
        }
        sources.push(chase::chase_source(engine)?);
        sources.push(branch::branch_source(engine)?);
    }
    sources.extend(interpolated::sources()?);
    for targets in 1..=outputs::MOST {
        sources.push(outputs::outputs_source(targets)?);
    }
    Ok(sources)
}

/// Measures. Each probe is made, checked, timed and freed before the next.
pub fn run(context: &Context, plan: &Plan, observer: &mut dyn Observer) -> Result<Table> {
    let mut left_out = Vec::new();
    let mut subjects = Vec::new();
    for question in &plan.questions {
        subjects.extend(question.subjects(context, plan, &mut left_out));
    }
    if plan.brief {
        subjects.retain(|subject| {
            brief::stands_for_all(subject.probe, subject.engine, &subject.variant)
        });
    }
    subjects.retain(|subject| plan.asks_for(&subject.variant));
    let is_asked = plan.questions.contains(&Question::Precision);
    let functions = if is_asked { &Opcode::ALL[..] } else { &[] };
    let effort = probe::effort(context, plan.runs, plan.run);
    let twice = plan.compared_with_fetches(&subjects);
    let turns = (subjects.len() + twice.len()) as u64 * effort.turns() + functions.len() as u64;
    let mut meter = Meter::new(observer, turns);
    let time = |subject: &Subject, meter: &mut Meter<'_>| -> Result<Option<Row>> {
        let measured = probe::measure(context, subject.make(context)?, &effort, meter)?;
        Ok(measured.filter(|_| !meter.stopped()).map(|measured| subject.row(&measured)))
    };
    let (mut rows, mut again) = (Vec::new(), Vec::new());
    for subject in &subjects {
        let Some(row) = time(subject, &mut meter)? else { break };
        rows.push(row);
    }
    for engine in twice {
        let best = cost::best_mad(&rows, engine);
        let best = best.and_then(|row| subjects.iter().find(|subject| subject.is_of(row)));
        match best.filter(|_| !meter.stopped()) {
            Some(subject) => again.extend(time(subject, &mut meter)?),
            None => break,
        }
    }
    for opcode in functions {
        if meter.stopped() || !meter.go_on(1) {
            break;
        }
        rows.extend(precision(context, *opcode)?);
    }
    rows.extend(cost::rows(&rows, &again));
    Ok(Table { rows, left_out, stopped: meter.stopped() })
}

/// The largest error and the mean one of a built-in function, as the accuracy card measures them,
/// over each range.
fn precision(context: &Context, opcode: Opcode) -> Result<Vec<Row>> {
    let measured = accuracy_of(context, &opcode.expression(), opcode.allowed)?;
    // No device has to compute the sine of angles beyond a hundred turns.
    let measured = measured.into_iter().filter(|(accuracy, _)| accuracy.range != "-1e6 .. 1e6");
    let rows = |(accuracy, comparison): (Accuracy, Comparison)| {
        let errors = [("max", accuracy.max_ulps), ("mean", accuracy.mean_ulps)];
        errors.map(|(which, rate)| Row {
            probe: "precision",
            engine: Engine::Fragment,
            variant: format!("{} over {}, {which}", opcode.name, accuracy.range),
            rate,
            unit: "ULP",
            summary: Summary::of(&[], 1),
            comparison,
        })
    };
    Ok(measured.flat_map(rows).collect())
}

impl Plan {
    /// The engines whose multiply-adds are measured before and after fetches.
    fn compared_with_fetches(&self, subjects: &[Subject]) -> Vec<Engine> {
        let asked = [Question::Fetch, Question::DependentFetch];
        let has_mads = |engine: &Engine| {
            subjects.iter().any(|subject| subject.probe == "mad" && subject.engine == *engine)
        };
        match asked.iter().any(|question| self.questions.contains(question)) {
            true => [Engine::Fragment, Engine::Compute].into_iter().filter(has_mads).collect(),
            false => Vec::new(),
        }
    }
}

impl Question {
    /// The probes to time on this context; what the context lacks is added to `left_out`.
    fn subjects(self, context: &Context, plan: &Plan, left_out: &mut Vec<String>) -> Vec<Subject> {
        match self {
            Question::Output => return outputs::subjects(context),
            Question::Precision => return Vec::new(),
            _ => {}
        }
        let mut subjects = self.of_engine(context, plan, Engine::Fragment, left_out);
        if context.abilities().compute.is_some() {
            subjects.extend(self.of_engine(context, plan, Engine::Compute, left_out));
        } else if !left_out.iter().any(|text| text == NO_COMPUTE) {
            left_out.push(NO_COMPUTE.into());
        }
        subjects
    }

    fn of_engine(
        self,
        context: &Context,
        plan: &Plan,
        engine: Engine,
        left_out: &mut Vec<String>,
    ) -> Vec<Subject> {
        match self {
            Question::Mad => {
                let can = Mad::ALL.into_iter().filter(|mad| mad.is_possible(context));
                can.map(|mad| mad.subject(context, engine)).collect()
            }
            Question::Opcode => Opcode::ALL.map(|opcode| opcode.subject(context, engine)).into(),
            Question::Fetch => {
                let mut can = Vec::new();
                let asked = |fetch: &Fetch| plan.asks_for(&fetch.name());
                for fetch in Fetch::all(engine).into_iter().filter(asked) {
                    match fetch.lacks(context, engine) {
                        Some(lack) => left_out.push(format!("fetch, {}: {lack}", fetch.name())),
                        None => can.push(fetch.subject(context, engine)),
                    }
                }
                if engine == Engine::Fragment {
                    can.push(interpolated::subject(context));
                }
                can
            }
            Question::DependentFetch => {
                Chase::ALL.map(|chase| chase.subject(context, engine)).into()
            }
            Question::Branch => Branch::ALL.map(|branch| branch.subject(context, engine)).into(),
            Question::Output | Question::Precision => Vec::new(),
        }
    }
}

const NO_COMPUTE: &str =
    "the compute engine: this context has no compute shaders (OpenGL 4.3, OpenGL ES 3.1)";
