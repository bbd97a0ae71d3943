//! The report, as text and as JSON.

pub(super) mod timing;

use serde::Serialize;

use quadrille::data::{Field, Values};
use quadrille::shader::Source;
use quadrille_run::Dialects;
use quadrille_run::Experiment;
use quadrille_run::internal::six_digits;

use super::arguments::dialect::read_as;
use super::arguments::inputs::Input;
use super::compute::StepsDone;
use super::outputs::{Outcome, Outputs};
use crate::output::column;
use std::path::Path;
use timing::Times;

/// The JSON object; the text says the same, and shows small outputs completely.
#[derive(Serialize)]
pub(super) struct Report {
    kernel: String,
    /// The dialect in which the shader of each pass was read.
    dialects: Vec<&'static str>,
    #[serde(skip)]
    read_as: Vec<String>,
    device: String,
    software: bool,
    api: String,
    passes: usize,
    /// The number of textures of the largest array.
    panels: usize,
    extent: [u32; 2],
    iterations: u64,
    stopped: bool,
    /// What the shaders leave to chance.
    notes: Vec<String>,
    inputs: Vec<Input>,
    outputs: Vec<Written>,
    time: Option<Times>,
}

#[derive(Serialize)]
struct Written {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    file: Option<String>,
    /// The number of files that were written of a sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<u64>,
    shape: Vec<usize>,
    /// The least of the finite values; `None` if there are none. So for the others.
    min: Option<f64>,
    max: Option<f64>,
    mean: Option<f64>,
    nan: usize,
    /// NaN and infinities.
    not_finite: usize,
    /// All values, if they are few.
    #[serde(skip)]
    whole: Option<String>,
}

/// Outputs of at most this many values are printed completely.
const FEW: usize = 32;

impl Report {
    #[allow(clippy::too_many_arguments, reason = "they are all that the report tells of")]
    pub(super) fn new(
        kernel: &Path,
        sources: &[Source],
        experiment: &Experiment,
        inputs: &[Input],
        outputs: &Outputs,
        results: &[Outcome],
        done: &StepsDone,
        time: Option<Times>,
    ) -> Report {
        let abilities = experiment.context().abilities();
        let written = |(index, result): (usize, &Outcome)| {
            Written::of(result, outputs.file(index), outputs.count(index))
        };
        Report {
            kernel: kernel.display().to_string(),
            dialects: sources.iter().map(|source| source.read_as().name()).collect(),
            read_as: read_as(sources),
            device: abilities.renderer.clone(),
            software: abilities.software,
            api: abilities.api_text(),
            passes: experiment.passes(),
            panels: experiment.panels(),
            extent: [experiment.extent().width, experiment.extent().height],
            iterations: done.iterations,
            stopped: done.stopped,
            notes: experiment.notes().iter().map(ToString::to_string).collect(),
            inputs: inputs.to_vec(),
            outputs: results.iter().enumerate().map(written).collect(),
            time,
        }
    }

    pub(super) fn text(&self) -> String {
        let Report { device, api, iterations, extent: [width, height], .. } = self;
        let steps = if *iterations == 1 { "step" } else { "steps" };
        let each = match self.passes {
            1 => format!("{width} x {height}"),
            passes => format!("{passes} passes"),
        };
        let kernel = format!("{}, {iterations} {steps} of {each}", self.kernel);
        let mut lines = vec![("kernel", kernel)];
        lines.extend(self.read_as.iter().map(|text| ("", text.clone())));
        if self.panels > 1 {
            lines.push((
                "",
                format!("in {} panels, since its arrays are larger than a texture", self.panels),
            ));
        }
        lines.push(("device", format!("{device}, {api}")));
        lines.extend(self.notes.iter().map(|note| ("note", note.clone())));
        for Input { name, from, shape, frames, .. } in &self.inputs {
            let shape = shape_text(shape);
            let each = frames.map(|count| format!("{count} frames, each of ")).unwrap_or_default();
            lines.push(("input", format!("{name} = {from}, {each}{shape}")));
        }
        if let Some(times) = &self.time {
            lines.push(("time", times.text()));
        }
        for output in &self.outputs {
            lines.push(("output", output.text()));
            if let (Some(whole), None) = (&output.whole, &output.file) {
                lines.extend(whole.lines().map(|line| ("", line.to_owned())));
            }
        }
        column(8, &lines)
    }
}

impl Times {
    fn text(&self) -> String {
        format!(
            "{:.4} ms per step (median of {} runs of {}, spread {:.4} ms, {} clock); upload {:.2} ms, \
             readback {:.2} ms, setup {:.1} ms",
            self.step_milliseconds,
            self.runs,
            self.steps_a_run,
            self.spread_milliseconds,
            self.clock,
            self.upload_milliseconds,
            self.readback_milliseconds,
            self.setup_milliseconds
        )
    }
}

impl Written {
    fn of(result: &Outcome, file: Option<String>, frames: Option<u64>) -> Written {
        let numbers = result.field.values();
        let (mut low, mut high, mut sum, mut finite) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0);
        for number in numbers.doubles().filter(|number| number.is_finite()) {
            (low, high) = (low.min(number), high.max(number));
            sum += number;
            finite += 1;
        }
        let any = |number: f64| (finite > 0).then_some(number);
        Written {
            name: result.name.clone(),
            kind: result.kind.clone(),
            file,
            frames,
            shape: result.field.shape(),
            min: any(low),
            max: any(high),
            mean: any(sum / f64::from(finite.max(1))),
            nan: numbers.doubles().filter(|number| number.is_nan()).count(),
            not_finite: numbers.len() - finite as usize,
            whole: (numbers.len() <= FEW).then(|| whole(&result.field)),
        }
    }

    fn text(&self) -> String {
        let Written { name, kind, shape, .. } = self;
        let mut text = format!("{name}, {kind}, {}", shape_text(shape));
        if let (Some(min), Some(max), Some(mean)) = (self.min, self.max, self.mean) {
            // Integers have all their digits.
            let exact = kind.starts_with(['i', 'u']);
            let end = |number: f64| if exact { number.to_string() } else { six_digits(number) };
            text += &format!(": {} to {}, mean {}", end(min), end(max), six_digits(mean));
        }
        if self.nan > 0 {
            text += &format!(", {} NaN", self.nan);
        }
        if self.not_finite > self.nan {
            text += &format!(", {} infinite", self.not_finite - self.nan);
        }
        if let Some(file) = &self.file {
            text += &format!(", written to {file}");
            text += &match self.frames {
                Some(1) => " (1 frame)".to_owned(),
                Some(count) => format!(" ({count} frames)"),
                None => String::new(),
            };
        }
        text
    }
}

/// The shape as NumPy writes it: rows before columns.
fn shape_text(shape: &[usize]) -> String {
    let axes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("shape ({}{})", axes.join(", "), if axes.len() == 1 { "," } else { "" })
}

/// A line for each row, the values of a cell in parentheses.
fn whole(field: &Field) -> String {
    let numbers: Vec<String> = match field.values() {
        Values::F32(numbers) => numbers.iter().map(ToString::to_string).collect(),
        Values::I32(numbers) => numbers.iter().map(ToString::to_string).collect(),
        Values::U32(numbers) => numbers.iter().map(ToString::to_string).collect(),
    };
    let cells: Vec<String> = match field.channels() {
        1 => numbers,
        channels => numbers.chunks(channels).map(|cell| format!("({})", cell.join(" "))).collect(),
    };
    let rows = cells.chunks(field.extent().width as usize).map(|row| row.join("  "));
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_stand_in_rows() {
        let extent = quadrille::Extent::new(2, 2);
        let field = Field::new(extent, 1, vec![1.0, 0.5, f32::NAN, -3.0]).unwrap();
        assert_eq!(whole(&field), "1  0.5\nNaN  -3");
        let field = Field::new(extent, 2, (0..8).collect::<Vec<i32>>()).unwrap();
        assert_eq!(whole(&field), "(0 1)  (2 3)\n(4 5)  (6 7)");
    }
}
