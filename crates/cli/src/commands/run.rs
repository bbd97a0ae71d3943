//! `quadrille run`: a user's shader, or several passes, over arrays and pictures.

mod arguments;
mod checkpoints;
mod compute;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod lost_context;
mod outputs;
mod report;
mod save;
mod timeout;
mod view;

use arguments::inputs::Input;
use arguments::{dialect, inputs, sequences};
use outputs::write_summary::at_the_ends;
use report::timing;

use std::time::{Duration, Instant};

use quadrille::shader::Source;
use quadrille_run::{Experiment, Output, PassSetup, RunFile};

pub(crate) use self::arguments::Arguments;
use self::checkpoints::Checkpoints;
use self::compute::BetweenSteps;
use self::outputs::{Outcome, Outputs};
use self::report::Report;
use self::timeout::ProgressWriter;
use crate::prelude::*;
pub(crate) use arguments::flags::advise;
use view::Live;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { subject, checkpoints: kept, limit, view, device, .. } = arguments;
    let Arguments { outputs: written, save_test, time, json, .. } = arguments;
    must_be_known(&subject.kernel)?;
    sequences::check(written, *view, *json)?;
    if let (Some(limit), None) = (limit.timeout, &limit.isolated) {
        return timeout::run(limit, kept.checkpoint.as_deref());
    }
    let progress = ProgressWriter::of(limit.isolated.as_deref())?;
    let mut checkpoints = Checkpoints::plan(kept, written.every, *view)?;
    let run = subject.run_file()?;
    let one = [(*view, "--view"), (*time, "--time"), (save_test.is_some(), "--save-test")];
    sequences::check_inputs(&run, &one, save_test.is_some())?;
    let (passes, sources) = shaders(&run)?;
    let test = save_test.as_deref().map(|name| save::file(subject, name)).transpose()?;
    let live = view.then(|| Live::open(&subject.kernel.display().to_string())).transpose()?;
    let context = match &live {
        Some(live) => live.context(device.builder())?,
        None => device.context()?,
    };
    let Made { mut experiment, inputs, steps, time: made } =
        Made::of(&run, &passes, &sources, &context)?;
    if *view {
        must_be_seen(&experiment)?;
    }
    let options = written.picture_options(&inputs);
    let mut outputs = Outputs::plan(written, &run, &experiment, options)?;
    outputs.check_frames(&experiment, written.every, kept.checkpoint.is_some(), *view)?;
    outputs.must_have_a_frame(steps)?;
    sequences::must_change(&run, &experiment, steps)?;
    checkpoints.resume(kept.resume.as_deref(), &mut experiment, steps)?;
    let done = interrupt::watched(|| match live {
        Some(live) => {
            Ok(compute::viewed(&mut experiment, live, &written.beginning(&run, options))?)
        }
        None => {
            let between =
                BetweenSteps { outputs: &mut outputs, checkpoints: &mut checkpoints, progress };
            compute::steps(&mut experiment, steps, between)
        }
    });
    if let (Err(_), Some(advice)) = (&done, checkpoints.advice()) {
        output::note(&format!("note: {advice}"));
    }
    let done = done?;
    let results = outputs::read(&experiment)?;
    tell_of_the_ends(&experiment, &results);
    interrupt::writing(|| outputs.write(&results))?;
    if let Some(file) = test.filter(|_| !done.stopped) {
        save::save(&context, subject, device.api_name(), &file)?;
    }
    let times = match *time && !done.stopped {
        true => Some(interrupt::watched(|| timing::measure(&mut experiment, made, done.first))?),
        false => None,
    };
    let kernel = &subject.kernel;
    let report =
        Report::new(kernel, &sources, &experiment, &inputs, &outputs, &results, &done, times);
    match outputs.take_the_stream() {
        true => output::note(&report.text()),
        false => output::show(*json, &report, || report.text())?,
    }
    done.judge(run.settings().iterate.or((!view).then_some(steps)), &outputs)
}

/// The passes and the sources of their shaders, after the checks that need no device.
fn shaders(run: &RunFile) -> anyhow::Result<(Vec<PassSetup>, Vec<Source>)> {
    run.must_be_whole()?;
    let passes = run.passes()?;
    let sources: Vec<Source> = passes.iter().filter_map(|pass| pass.source().cloned()).collect();
    dialect::check(run, &sources)?;
    Ok((passes, sources))
}

/// An experiment on the device.
struct Made {
    experiment: Experiment,
    inputs: Vec<Input>,
    /// The number of steps to do.
    steps: u64,
    /// The time that making it took.
    time: Duration,
}

impl Made {
    fn of(
        run: &RunFile,
        passes: &[PassSetup],
        sources: &[Source],
        context: &Context,
    ) -> anyhow::Result<Made> {
        let arrays = run.arrays()?;
        let (steps, inputs) = (run.steps(&arrays)?, inputs::noted(&arrays));
        let begun = Instant::now();
        let made = run.experiment_of(context, passes, run.setup(arrays));
        let experiment = made.inspect_err(|_| dialect::note(sources))?;
        let time = begun.elapsed();
        tell_of_rounding(&experiment);
        dialect::tell_of_texels(&experiment);
        Ok(Made { experiment, inputs, steps, time })
    }
}

/// Refuses a shader whose file name says that it is of a stage that is not run.
fn must_be_known(kernel: &Path) -> Result<(), Failure> {
    let extension = kernel.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let (stage, advice) = match extension.as_str() {
        "vert" => ("vertex", "the only vertices here are those of a quad over all cells"),
        "geom" | "tesc" | "tese" => ("geometry or tessellation", "that stage is not available"),
        "toml" if !RunFile::is_named(kernel) => return Err(must_be_run(kernel)),
        _ => return Ok(()),
    };
    let text = format!(
        "{}: the name is that of a {stage} shader, but `run` takes fragment and compute shaders; {advice}",
        kernel.display()
    );
    Err(Failure::Input { text })
}

fn must_be_run(kernel: &Path) -> Failure {
    let name = kernel.display();
    let text = match kernel.to_string_lossy().ends_with(quadrille_run::testing::file::ENDING) {
        true => format!("{name}: that is the name of a test: expected `quadrille test {name}`"),
        false => {
            format!(
                "{name}: expected a fragment shader, or passes in a file that ends in {}",
                RunFile::ENDING
            )
        }
    };
    Failure::Input { text }
}

/// Refuses outputs that have no picture.
fn must_be_seen(experiment: &Experiment) -> Result<(), Failure> {
    if experiment.outputs().iter().any(Output::is_texture) {
        return Ok(());
    }
    let names: Vec<String> =
        experiment.outputs().iter().map(|output| format!("`{}`", output.name())).collect();
    let text = format!(
        "--view: expected an output that is a picture; the storage blocks of a compute shader are none ({}). Let the shader write an \
         image, or leave --view out",
        names.join(", ")
    );
    Err(Failure::Input { text })
}

/// Notes which outputs may be other than what the shader computed.
fn tell_of_the_ends(experiment: &Experiment, results: &[Outcome]) {
    for (output, result) in experiment.outputs().iter().zip(results) {
        let count = output.precision().saturated(result.field.values().as_ref());
        if count > 0 {
            output::note(&format!("note: output `{}`: {}", result.name, at_the_ends(count)));
        }
    }
}

/// Notes which inputs are no longer what their files hold.
fn tell_of_rounding(experiment: &Experiment) {
    for (input, error) in experiment.rounded() {
        output::note(&format!(
            "note: input `{input}` is held in half precision: its numbers were rounded, by up to {error:.1e} of their size"
        ));
    }
}
