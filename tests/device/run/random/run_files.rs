//! Files `*.run.toml`.

use quadrille::Context;
use quadrille_run::{Error, Experiment, RunFile};

use crate::common::on_extremes;
use crate::files::Folder;

use super::search::{Wrong, found, search};
use super::{seed, time};
use crate::cases::Choices;
use crate::cases::number::Array;
use crate::cases::run::{FRACTION, Run};
use crate::cases::twin::{Fault, compute};

impl Run {
    pub fn wrong(&self, what: String) -> Wrong {
        Wrong { what, text: self.text() }
    }

    /// The outputs of the experiment of its files, by pass and output.
    pub fn computed(&self, context: &Context) -> Result<Vec<Vec<Array>>, Error> {
        let folder = Folder::new();
        self.write(&folder);
        let file = RunFile::read(folder.file("a.run.toml"))?;
        let make = || -> Result<Experiment, Error> {
            file.experiment(context, file.setup(file.arrays()?))
        };
        let mut experiment = make()?;
        if let Some(saved) = self.saved {
            experiment.advance(saved.into(), &mut ())?;
            experiment.save(folder.file("state"))?;
            experiment = make()?;
            experiment.load(folder.file("state"))?;
        }
        let left = file.iterate() - experiment.iteration();
        experiment.advance(left, &mut ())?;
        let read = |pass: usize, output: usize| {
            experiment.read(&format!("p{pass}.o{output}")).map(|field| Array::of(&field))
        };
        let passes = self.passes.iter().enumerate();
        passes
            .map(|(at, pass)| (0..pass.outputs.len()).map(|output| read(at, output)).collect())
            .collect()
    }
}

fn check(context: &Context, choices: &mut Choices<'_>, fault: Option<Fault>) -> Result<(), Wrong> {
    let run = Run::new(choices, None);
    let expected = compute(&run, FRACTION, fault);
    let got = run.computed(context).map_err(|error| run.wrong(error.to_string()))?;
    expected.difference(&got).map_or(Ok(()), |what| Err(run.wrong(what)))
}

#[test]
fn random_run_files_compute_what_the_interpreter_does() {
    on_extremes(|context| {
        let count = search(seed(), time() / 2, &mut |choices| check(context, choices, None));
        eprintln!("{count} run files");
    });
}

#[test]
fn a_fault_in_a_run_file_is_found_and_made_small() {
    let context = quadrille::Context::headless().unwrap();
    for fault in [Fault::Alpha, Fault::Repeat, Fault::Late, Fault::Frame, Fault::Discard] {
        let mut check = |choices: &mut Choices<'_>| check(&context, choices, Some(fault));
        let tries = if fault == Fault::Alpha { 200 } else { 0 };
        let text = found(tries, &mut check);
        assert!(text.starts_with("seed ") && text.contains(": expected "), "{fault:?}: {text}");
        assert!(tries == 0 || text.lines().count() < 40, "{text}");
    }
}
