//! `quadrille vp --compare`: every engine, and how far each is from the simulator.

mod gap;

use quadrille_lab::text::aligned;
use serde_json::Value;

use quadrille::NoMemory;
use quadrille::error::Kind;
use quadrille::testing::{farthest, ulps};
use quadrille_vp::vector_machine::{Machine, Memory, Processor, Program};

use super::execute::{Milliseconds, Outcome, ProgramCall};
use super::report::{Subject, json_number, plain};
use crate::prelude::*;
use gap::Gap;

#[derive(Serialize)]
struct Comparison {
    #[serde(flatten)]
    subject: Subject,
    baseline: &'static str,
    tolerance: Option<u64>,
    rows: Vec<Row>,
}

#[derive(Default, Serialize)]
struct Row {
    engine: &'static str,
    error: Option<String>,
    /// The largest difference, in units in the last place; `None` where a number meets NaN, an
    /// infinity or nothing.
    ulps: Option<u64>,
    /// The index of that difference, from 0, and both numbers there; `None` where nothing differs.
    index: Option<usize>,
    expected: Option<Value>,
    got: Option<Value>,
    differing: usize,
    /// The known causes of such differences, and how many each made.
    gaps: Vec<Known>,
    milliseconds: Option<Milliseconds>,
}

#[derive(Serialize)]
struct Known {
    gap: &'static str,
    count: usize,
    text: &'static str,
}

/// Runs and compares. An engine that cannot run, or is further off than is tolerated, fails the
/// command after all was shown.
pub(super) fn run(call: &ProgramCall<'_>) -> anyhow::Result<()> {
    let context = call.arguments.device.context()?;
    let machine = Machine::new(&context);
    let (baseline, others) = engines(call.program, &context);
    let base = call.run(&machine.with(baseline)?)?;
    let expected = base.values.floats()?;
    let mut rows = vec![Row::new(baseline, call, &expected, &base)?];
    for engine in others {
        // So that each sends its vectors itself.
        machine.memory().map_or(Ok(()), Memory::clear)?;
        rows.push(match machine.with(engine).and_then(|machine| call.run(&machine)) {
            Ok(outcome) => Row::new(engine, call, &expected, &outcome)?,
            // No engine's fault: there are too many numbers.
            Err(error) if error.kind() == Kind::OutOfMemory => return Err(error.into()),
            Err(error) => Row::missing(engine, error.to_string()),
        });
    }
    let tolerance = call.arguments.tolerance;
    let comparison = Comparison {
        subject: Subject::new(call, &machine),
        baseline: baseline.name(),
        tolerance,
        rows,
    };
    output::show(call.arguments.json, &comparison, || comparison.text())?;
    comparison.judge()
}

/// The baseline, and the engines compared with it: those that the device can run. GLSL has no
/// simulator.
fn engines(program: &Program, context: &Context) -> (Processor, Vec<Processor>) {
    let baseline = match program {
        Program::Assembly(_) => Processor::Simulator,
        Program::Glsl { .. } => Processor::Fragment,
    };
    let others = |engine: &Processor| *engine != baseline && *engine != Processor::Simulator;
    (baseline, Processor::of(context).into_iter().filter(others).collect())
}

impl Row {
    fn new(
        engine: Processor,
        call: &ProgramCall<'_>,
        expected: &[f32],
        outcome: &Outcome,
    ) -> Result<Row, NoMemory> {
        let got = outcome.values.floats()?;
        let pairs = || expected.iter().copied().zip(got.iter().copied());
        let apart = |(a, b): (f32, f32)| ulps(a, b).unwrap_or(u64::MAX);
        let mut worst = None;
        for (index, pair) in pairs().enumerate() {
            // The first of several, so that it is the same in each run.
            if apart(pair) > worst.map_or(0, |(_, most)| most) {
                worst = Some((index, apart(pair)));
            }
        }
        let differs = worst.and_then(|(index, _)| Some((*expected.get(index)?, *got.get(index)?)));
        Ok(Row {
            engine: engine.name(),
            error: None,
            ulps: farthest(expected, &got),
            index: worst.map(|(index, _)| index),
            expected: differs.map(|(a, _)| json_number(a)),
            got: differs.map(|(_, b)| json_number(b)),
            differing: pairs().filter(|pair| apart(*pair) > 0).count(),
            gaps: gaps(call, pairs().filter(|pair| apart(*pair) > 0)),
            milliseconds: Some(outcome.times),
        })
    }

    fn is_beyond(&self, tolerance: u64) -> bool {
        self.ulps.is_none_or(|ulps| ulps > tolerance)
    }

    fn missing(engine: Processor, error: String) -> Row {
        Row { engine: engine.name(), error: Some(error), ..Row::default() }
    }

    fn is_not_parted(&self) -> bool {
        self.milliseconds.as_ref().is_some_and(|times| times.setup_and_compute.is_some())
    }

    fn difference(&self) -> String {
        match (&self.error, self.ulps) {
            (Some(_), _) => "could not run".into(),
            (None, Some(ulps)) => ulps.to_string(),
            (None, None) if self.has_nan() => "NaN".into(),
            (None, None) => "inf".into(),
        }
    }

    /// Returns whether one of the two numbers that differ is NaN.
    fn has_nan(&self) -> bool {
        [&self.expected, &self.got].into_iter().flatten().any(|number| number == "NaN")
    }

    fn cells(&self) -> Vec<String> {
        let shown = |value: &Option<Value>| value.as_ref().map(plain).unwrap_or_default();
        let index = self.index.map(|index| index.to_string()).unwrap_or_default();
        let mut cells = vec![self.engine.into(), self.difference(), self.differing.to_string()];
        cells.extend([index, shown(&self.expected), shown(&self.got)]);
        if let Some(times) = &self.milliseconds {
            let transfer = |time: f64| format!("{time:.2}");
            cells.extend([transfer(times.upload), times.computing(), transfer(times.readback)]);
        }
        cells
    }
}

/// The causes of the differences, the most frequent first.
fn gaps(call: &ProgramCall<'_>, pairs: impl Iterator<Item = (f32, f32)>) -> Vec<Known> {
    let mut counts = Gap::ALL.map(|gap| (gap, 0));
    let parts = match call.semantics.is_to_scalar() {
        true => call.semantics.invocations(call.length()),
        false => 1,
    };
    for (expected, got) in pairs {
        let of = Gap::of(expected, got, call.arguments.options.0.profile, parts);
        counts.iter_mut().filter(|(gap, _)| *gap == of).for_each(|(_, count)| *count += 1);
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let of_assembly = matches!(call.program, Program::Assembly(_));
    let known = counts.into_iter().filter(|(_, count)| *count > 0);
    let known = known.map(|(gap, count)| (gap.name(), count, gap.text(of_assembly)));
    known.map(|(gap, count, text)| Known { gap, count, text }).collect()
}

impl Comparison {
    fn text(&self) -> String {
        let headings = [
            "engine",
            "ulps",
            "differing",
            "index",
            self.baseline,
            "engine's",
            "upload ms",
            "compute ms",
            "readback ms",
        ];
        let table = aligned(&headings, self.rows.iter().map(Row::cells).collect());
        let subject = output::column(10, &self.subject.lines());
        let ulps = format!(
            "ulps: the largest difference from the {}, in units in the last place.",
            self.baseline
        );
        let mut parts = vec![subject, table, ulps];
        if self.rows.iter().any(Row::is_not_parted) {
            parts.push("<: with setting up, in a run that was too long to repeat.".into());
        }
        let gaps = self.rows.iter().flat_map(|row| {
            let line =
                |known: &Known| format!("{}: {} of them: {}", row.engine, known.count, known.text);
            row.gaps.iter().map(line).collect::<Vec<_>>()
        });
        let errors = self.rows.iter().filter_map(|row| {
            let error = row.error.as_ref()?;
            Some(format!("{}: {error}", row.engine))
        });
        let notes: Vec<String> = gaps.chain(errors).collect();
        if !notes.is_empty() {
            parts.push(notes.join("\n"));
        }
        parts.join("\n\n")
    }

    fn judge(&self) -> anyhow::Result<()> {
        let faults: Vec<String> = self.rows.iter().filter_map(|row| self.fault(row)).collect();
        match faults.is_empty() {
            true => Ok(()),
            false => Err(Failure::Work { text: faults.join("; ") }.into()),
        }
    }

    fn fault(&self, row: &Row) -> Option<String> {
        let (engine, baseline) = (row.engine, self.baseline);
        if let Some(error) = &row.error {
            return Some(format!("{engine} could not run: {error}"));
        }
        let tolerance = self.tolerance.filter(|tolerance| row.is_beyond(*tolerance))?;
        let apart = match row.ulps {
            Some(ulps) => format!("{ulps} units in the last place"),
            None if row.has_nan() => "a NaN".into(),
            None => "an infinity".into(),
        };
        Some(format!("{engine} is {apart} from the {baseline}, more than --tolerance {tolerance}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::exit_code;
    use crate::planted::faults_must_be_seen;

    /// A row as [`Row::new`] makes it of what an engine gave, as far as it is judged.
    fn judged(expected: &[f32], got: &[f32], tolerance: u64) -> anyhow::Result<()> {
        let ulps = farthest(expected, got);
        let row = Row { error: None, ulps, ..Row::missing(Processor::Vertex, String::new()) };
        let (subject, tolerance) = (Subject::default(), Some(tolerance));
        Comparison { subject, baseline: "simulator", tolerance, rows: vec![row] }.judge()
    }

    #[test]
    fn one_element_beyond_the_tolerance_fails() {
        let right: Vec<f32> = (0..100).map(|at| at as f32 - 30.5).collect();
        let moved = |by: u32| {
            let mut wrong = right.clone();
            wrong[37] = f32::from_bits(wrong[37].to_bits() + by);
            wrong
        };
        for tolerance in [0, 1, 50] {
            assert!(judged(&right, &moved(tolerance), tolerance.into()).is_ok(), "{tolerance}");
            let twice = moved(2 * tolerance.max(1));
            assert!(judged(&right, &twice, tolerance.into()).is_err(), "{tolerance}");
        }
        faults_must_be_seen(
            &right.iter().map(|x| (f64::from(*x), 0.0)).collect::<Vec<_>>(),
            |got| judged(&right, got, 0).is_ok(),
        );
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let with = |right: f32, wrong| judged(&[right], &[wrong], u64::MAX);
            assert!(with(wrong, wrong).is_ok());
            for number in [1.0, f32::MAX, -f32::MAX] {
                assert!(with(number, wrong).is_err() && with(wrong, number).is_err(), "{wrong}");
            }
        }
        assert!(judged(&[f32::INFINITY], &[f32::NEG_INFINITY], u64::MAX).is_err());
        assert!(judged(&right, &right[..99], u64::MAX).is_err(), "an element is missing");
    }

    #[test]
    fn an_engine_that_could_not_run_fails_even_without_a_tolerance() {
        let judge = |rows| {
            Comparison { subject: Subject::default(), baseline: "simulator", tolerance: None, rows }
                .judge()
        };
        assert!(
            judge(vec![Row { error: None, ..Row::missing(Processor::Vertex, String::new()) }])
                .is_ok()
        );
        let error = judge(vec![Row::missing(Processor::Vertex, "too old".into())]).unwrap_err();
        assert_eq!(exit_code(&error), 1);
        assert_eq!(error.to_string(), "vertex could not run: too old");
    }
}
