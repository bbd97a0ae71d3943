//! ISF shaders of several passes.

use quadrille::Context;
use quadrille::gl::Filter;
use quadrille::shader::Source;
use quadrille_run::{Error, Experiment, Samplings, Setup};

use crate::common::on_extremes;
use crate::files::Folder;

use super::search::{Wrong, found, search};
use super::{seed, time};
use crate::cases::Choices;
use crate::cases::isf::{FRACTION, Isf};
use crate::cases::number::Array;
use crate::cases::twin::{Fault, compute};

impl Isf {
    fn wrong(&self, what: String) -> Wrong {
        let facts = format!(
            "--- {} steps at {} x {}, saved {:?}, flip {}, linear {}, numbers {:?}, first numbers of {:?}\n",
            self.run.steps,
            self.size.width,
            self.size.height,
            self.run.saved,
            self.run.flip,
            self.linear,
            self.given,
            self.firsts
        );
        let images = self.run.inputs.iter().map(|input| {
            let Array { extent, channels, .. } = input.frames[0];
            format!("--- {} is {} x {} x {channels}\n", input.name, extent.width, extent.height)
        });
        Wrong { what, text: facts + &images.collect::<String>() + &self.text }
    }

    fn experiment(&self, context: &Context) -> Result<Experiment, Error> {
        let mut setup = Setup::new().extent(self.size);
        if !(self.linear && context.abilities().float_filtering) {
            setup = setup.samplings(Samplings::new().filter_all(Filter::Nearest));
        }
        // From the bottom, unless it is said otherwise.
        if !self.run.flip {
            setup = setup.flip(false);
        }
        for input in &self.run.inputs {
            setup = setup.input(&input.name, input.frames[0].field());
        }
        for (index, number) in self.given.iter().enumerate() {
            if let Some(number) = number {
                setup = setup.uniform(format!("u{index}"), format!("{number:?}"));
            }
        }
        for (buffer, name) in &self.firsts {
            setup = setup.input(name, self.run.buffers[*buffer].first.field());
        }
        Experiment::new(context, &Source::fragment("a.fs", &self.text), setup)
    }

    fn computed(&self, context: &Context) -> Result<Vec<Vec<Array>>, Error> {
        let folder = Folder::new();
        let mut experiment = self.experiment(context)?;
        if let Some(saved) = self.run.saved {
            experiment.advance(saved.into(), &mut ())?;
            experiment.save(folder.file("state"))?;
            experiment = self.experiment(context)?;
            experiment.load(folder.file("state"))?;
        }
        let left = u64::from(self.run.steps) - experiment.iteration();
        experiment.advance(left, &mut ())?;
        let read = |name: &String| Ok(vec![Array::of(&experiment.read(name)?)]);
        self.names.iter().map(read).collect()
    }
}

fn check(context: &Context, choices: &mut Choices<'_>, fault: Option<Fault>) -> Result<(), Wrong> {
    let isf = Isf::new(choices);
    let expected = compute(&isf.run, FRACTION, fault);
    let got = isf.computed(context).map_err(|error| isf.wrong(error.to_string()))?;
    expected.difference(&got).map_or(Ok(()), |what| Err(isf.wrong(what)))
}

#[test]
fn random_isf_passes_compute_what_the_interpreter_does() {
    on_extremes(|context| {
        let count = search(seed(), time() / 2, &mut |choices| check(context, choices, None));
        eprintln!("{count} ISF shaders");
    });
}

#[test]
fn a_fault_in_isf_passes_is_found_and_made_small() {
    let context = Context::headless().unwrap();
    for fault in [Fault::Alpha, Fault::Late, Fault::Unclamped] {
        let mut check = |choices: &mut Choices<'_>| check(&context, choices, Some(fault));
        let tries = if fault == Fault::Late { 120 } else { 0 };
        let text = found(tries, &mut check);
        assert!(text.starts_with("seed ") && text.contains(": expected "), "{fault:?}: {text}");
        assert!(tries == 0 || text.lines().count() < 50, "{text}");
    }
}
