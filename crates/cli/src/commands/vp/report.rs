//! The report of a run, for people and for programs.

use serde::Serialize;
use serde_json::Value;

use quadrille::NoMemory;
use quadrille_vp::vector_machine::{Machine, Processor, Program};

use super::execute::{Milliseconds, Outcome, ProgramCall, ResultValues};
use crate::output::column;

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) subject: Subject,
    engine: &'static str,
    result: Summary,
    milliseconds: Milliseconds,
    output: Option<String>,
}

#[derive(Default, Serialize)]
pub(super) struct Subject {
    program: String,
    semantics: String,
    profile: &'static str,
    fold: Option<&'static str>,
    /// None in the simulator.
    device: Option<String>,
    api: Option<String>,
    /// The length of each vector.
    length: usize,
    /// The instructions as the profile counts them, the framework's own included; `None` for GLSL.
    instructions: Option<usize>,
    own_instructions: Option<usize>,
    /// Quads that an invocation finds in its inputs.
    reads: usize,
}

/// A summary of a result. Infinities and NaN are strings.
#[derive(Serialize)]
struct Summary {
    #[serde(rename = "type")]
    kind: &'static str,
    count: usize,
    /// The sum that --reduce gives.
    value: Option<Value>,
    first: Vec<Value>,
    least: Option<Value>,
    largest: Option<Value>,
    nan: usize,
}

/// Numbers of a result that are shown.
const SHOWN: usize = 4;

/// A number; a string where JSON has none.
pub(super) fn json_number(number: f32) -> Value {
    // As the shortest text of a single that means it, which a double's would not be.
    let text = number.to_string();
    let exact = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
    exact.map_or(Value::String(text), Value::Number)
}

/// The text of a value for people: as in JSON, without the quotation marks of words.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Subject {
    pub(super) fn new(call: &ProgramCall<'_>, machine: &Machine) -> Subject {
        let context = machine.memory().map(|memory| memory.context());
        let assembled = match call.program {
            Program::Assembly(program) => Some(program.assembled(call.semantics)),
            Program::Glsl { .. } => None,
        };
        let fold = call.arguments.options.0.fold.unwrap_or_default().name();
        Subject {
            program: call.program.name().to_owned(),
            semantics: call.semantics.to_string(),
            profile: call.arguments.options.0.profile.name(),
            fold: call.semantics.is_to_scalar().then_some(fold),
            device: context.map(|context| context.abilities().renderer.clone()),
            api: context.map(|context| context.abilities().api_text()),
            length: call.length(),
            instructions: assembled.as_ref().map(|assembled| assembled.count()),
            own_instructions: assembled.as_ref().map(|assembled| assembled.own().len()),
            reads: call.semantics.inputs(),
        }
    }

    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        let instructions = match (self.instructions, self.own_instructions) {
            (Some(all), Some(own)) => format!("{all} instructions, {own} the framework's"),
            _ => "GLSL".into(),
        };
        let fold = match self.fold {
            Some("blending") => ", summed by blending".into(),
            Some(who) => format!(", summed by the {who}"),
            None => String::new(),
        };
        let device = match (&self.device, &self.api) {
            (Some(device), Some(api)) => format!("{device}, {api}"),
            _ => "none".into(),
        };
        vec![
            ("program", format!("{}, {instructions}, {}", self.program, self.profile)),
            ("function", format!("{} of {} numbers{fold}", self.semantics, self.length)),
            ("device", device),
        ]
    }
}

impl Summary {
    fn of(values: &ResultValues) -> Result<Summary, NoMemory> {
        let kind = if matches!(values, ResultValues::Bytes(_)) { "u8" } else { "f32" };
        let floats = values.floats()?;
        // `min` and `max` leave NaN out.
        let known = || floats.iter().copied().filter(|number| !number.is_nan());
        let value = match values {
            ResultValues::Scalar(number) => Some(json_number(*number)),
            _ => None,
        };
        Ok(Summary {
            kind,
            count: floats.len(),
            value,
            first: floats.iter().take(SHOWN).map(|number| json_number(*number)).collect(),
            least: known().reduce(f32::min).map(json_number),
            largest: known().reduce(f32::max).map(json_number),
            nan: floats.len() - known().count(),
        })
    }

    fn text(&self) -> String {
        if let Some(value) = &self.value {
            return plain(value);
        }
        let Summary { kind, count, .. } = self;
        let mut text = format!("{count} numbers ({kind})");
        if let (Some(least), Some(largest)) = (&self.least, &self.largest) {
            text += &format!(" from {} to {}", plain(least), plain(largest));
        }
        if self.nan > 0 {
            text += &format!(", {} of them NaN", self.nan);
        }
        let first: Vec<String> = self.first.iter().map(plain).collect();
        let more = if *count > SHOWN { " ..." } else { "" };
        if first.is_empty() { text } else { format!("{text}: {}{more}", first.join(" ")) }
    }
}

impl Report {
    pub(super) fn new(
        call: &ProgramCall<'_>,
        machine: &Machine,
        outcome: &Outcome,
    ) -> Result<Report, NoMemory> {
        Ok(Report {
            subject: Subject::new(call, machine),
            engine: machine.engine().name(),
            result: Summary::of(&outcome.values)?,
            milliseconds: outcome.times,
            output: call.arguments.output.as_ref().map(|path| path.display().to_string()),
        })
    }

    pub(super) fn text(&self) -> String {
        let on_device = self.engine != Processor::Simulator.name();
        let mut lines = self.subject.lines();
        lines.push(("engine", self.engine.into()));
        lines.push(("time", self.milliseconds.text(on_device)));
        lines.push(("result", self.result.text()));
        if let Some(path) = &self.output {
            lines.push(("written", path.clone()));
        }
        column(10, &lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_singles_and_others_are_words() {
        assert_eq!(json_number(0.1).to_string(), "0.1");
        assert_eq!(json_number(-0.0).to_string(), "-0.0");
        assert_eq!(json_number(f32::NAN), Value::from("NaN"));
        assert_eq!(json_number(f32::NEG_INFINITY), Value::from("-inf"));
    }

    #[test]
    fn a_summary_leaves_nan_out_of_the_range() {
        let summary =
            Summary::of(&ResultValues::Floats(vec![f32::NAN, 2.0, -1.0, 0.5, 3.0])).unwrap();
        assert_eq!(
            summary.text(),
            "5 numbers (f32) from -1.0 to 3.0, 1 of them NaN: NaN 2.0 -1.0 0.5 ..."
        );
        assert_eq!(Summary::of(&ResultValues::Floats(vec![])).unwrap().text(), "0 numbers (f32)");
        assert_eq!(Summary::of(&ResultValues::Scalar(2.5)).unwrap().text(), "2.5");
    }
}
