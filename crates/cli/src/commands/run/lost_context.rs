//! A run whose context is lost, as far as one process shows it: the context is made by the test,
//! since none of the command's own can be lost on purpose (`losable`); the steps, the checkpoints
//! and the advice are the command's.

#[path = "../../../../../tests/common/lost.rs"]
mod losable;

use std::fs;

use clap::Parser;
use losable::{Losable, calls, lose_after};
use quadrille::data::Values;
use quadrille_run::io::field;

use super::*;

const MIX: &str = "uniform sampler2D x;
uniform int iteration;
out vec3 next;
void main() { next = fract(READ(x, TEXEL).gbr * 1.7 + float(iteration) * 0.001); }
";

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// Arguments of a run in a folder, whose name stands where they have `@`.
fn arguments(folder: &Path, text: &str) -> Arguments {
    let at = format!("{}/", folder.display());
    let words = text.split_whitespace().map(|word| word.replace('@', &at));
    Line::parse_from(std::iter::once("run".to_owned()).chain(words)).arguments
}

fn bits(file: &Path) -> Vec<u32> {
    match field::read(file).unwrap().0.values() {
        Values::F32(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
        _ => panic!("floats"),
    }
}

/// The outcome of steps that ran in a context of their own.
struct Ended {
    error: Option<anyhow::Error>,
    checkpoints: Checkpoints,
    /// The step that was done last.
    step: u64,
    /// The number of times that the driver was asked for errors.
    calls: u64,
}

/// Runs the steps, and loses the context when the driver was asked for errors this often.
fn steps(arguments: &Arguments, lost_after: Option<u64>) -> Ended {
    let mut checkpoints = Checkpoints::plan(&arguments.checkpoints, None, false).unwrap();
    let run = arguments.subject.run_file().unwrap();
    let mut ended = None;
    let left = Losable::new(false).within(|context| {
        let setup = run.setup(run.arrays().unwrap());
        let mut experiment = run.experiment(context, setup).unwrap();
        let options = arguments.outputs.picture_options(&[]);
        let mut outputs = Outputs::plan(&arguments.outputs, &run, &experiment, options).unwrap();
        let progress = ProgressWriter::of(None).unwrap();
        let between =
            BetweenSteps { outputs: &mut outputs, checkpoints: &mut checkpoints, progress };
        let before = calls();
        lost_after.into_iter().for_each(lose_after);
        let done = compute::steps(&mut experiment, run.iterate(), between);
        ended = Some((done.err(), experiment.iteration(), calls() - before));
    });
    let (error, step, calls) = ended.unwrap();
    assert_eq!(left.is_err(), error.is_some(), "a scope says it too");
    Ended { error, checkpoints, step, calls }
}

#[test]
fn a_run_that_loses_its_context_says_how_to_go_on_and_goes_on_with_the_same_bits() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("mix.frag"), MIX).unwrap();
    let line = "@mix.frag --input x=random:7x5x3 --feedback next=x --iterate 30";
    run(&arguments(folder, &format!("{line} --output next=@whole.npy"))).unwrap();
    let keeping = |name: &str| {
        format!("{line} --output next=@next.npy --checkpoint @{name} --checkpoint-every 4")
    };
    let whole = steps(&arguments(folder, &keeping("whole")), None);
    assert!(whole.error.is_none() && whole.step == 30);

    let mut breaks = Vec::new();
    for part in 2..8 {
        let name = format!("kept-{part}");
        let lost = steps(&arguments(folder, &keeping(&name)), Some(whole.calls * part / 8));
        let error = lost.error.unwrap();
        assert!(error.to_string().contains("the context is lost"), "{error}");
        assert_eq!(crate::exit::exit_code(&error), 1);

        let last = lost.checkpoints.last().unwrap();
        assert!(last > 0 && lost.step - last <= 4, "{last} of {}", lost.step);
        breaks.push(last);
        let file = folder.join(&name).display().to_string();
        let advice = format!(
            "{file} has the state after step {last}: add --resume {file} to go on from there"
        );
        assert_eq!(lost.checkpoints.advice(), Some(advice));
        assert!(!folder.join("next.npy").exists());

        run(&arguments(folder, &format!("{} --resume @{name}", keeping(&name)))).unwrap();
        assert_eq!(bits(&folder.join("next.npy")), bits(&folder.join("whole.npy")));
        fs::remove_file(folder.join("next.npy")).unwrap();
    }
    breaks.dedup();
    assert!(breaks.len() > 3, "{breaks:?}");
}
