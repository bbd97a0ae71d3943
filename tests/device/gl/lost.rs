//! A context is lost: each call tells it, and a checkpoint is what remains. How it is lost:
//! `losable`.

#[path = "../../common/lost.rs"]
mod losable;

use std::cell::{Cell, RefCell};
use std::path::Path;

use losable::{Losable, lose};
use quadrille::data::{Field, Values};
use quadrille::shader::Source;
use quadrille::{Context, Control, Kind, Observer, Progress};
use quadrille_run::{Error, Experiment, Setup};

const MIX: &str = "uniform sampler2D x;
uniform int iteration;
layout(location = 0) out vec3 next;
layout(location = 1) out float other;
void main() {
    vec3 old = READ(x, TEXEL).rgb;
    next = fract(old.gbr * 1.7 + float(iteration) * 0.001);
    other = old.r - old.b;
}
";

const EVERY: u64 = 4;
const STEPS: u64 = 30;

fn experiment(context: &Context) -> Experiment {
    let numbers = crate::common::random(7 * 5 * 3, 11);
    let x = Field::new(quadrille::Extent::new(7, 5), 3, numbers).unwrap();
    let setup = Setup::new().input("x", x).feedback("next", "x");
    Experiment::new(context, &Source::fragment("mix.frag", MIX), setup).unwrap()
}

fn bits(experiment: &Experiment) -> Vec<Vec<u32>> {
    let bits = |name| match experiment.read(name).unwrap().values() {
        Values::F32(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
        _ => panic!("floats"),
    };
    ["next", "other"].map(bits).to_vec()
}

/// Loses the context when so many steps of one call are done.
struct LoseAfter(u64);

impl Observer for LoseAfter {
    fn observe(&mut self, progress: &Progress) -> Control {
        if progress.done >= self.0 {
            lose();
        }
        Control::Continue
    }
}

#[test]
fn what_was_kept_before_a_context_was_lost_goes_on_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    for es in [false, true] {
        let whole = Losable::new(es).within(|context| {
            let mut experiment = experiment(context);
            experiment.advance(STEPS, &mut ()).unwrap();
            bits(&experiment)
        });
        let whole = whole.unwrap();
        for lost_at in [EVERY, EVERY + 1, 11, STEPS - 1] {
            let last = until_it_is_lost(&Losable::new(es), &file, lost_at);
            assert!(last > 0 && lost_at - last < EVERY, "{last} of {lost_at}");
            let again = Losable::new(es).within(|context| {
                let mut experiment = experiment(context);
                experiment.load(&file).unwrap();
                assert_eq!(experiment.iteration(), last);
                experiment.advance(STEPS - last, &mut ()).unwrap();
                bits(&experiment)
            });
            assert!(again.unwrap() == whole, "lost at {lost_at}");
        }
    }
}

/// Saves every so many steps until the context is lost; returns the step of what is there then.
fn until_it_is_lost(losable: &Losable, file: &Path, lost_at: u64) -> u64 {
    let (kept, last) = (RefCell::new(Vec::new()), Cell::new(0));
    let left = losable.within(|context| {
        let mut experiment = experiment(context);
        let error = loop {
            let mut lose = LoseAfter(lost_at - experiment.iteration());
            if let Err(error) = experiment.advance(EVERY, &mut lose) {
                break error;
            }
            experiment.save(file).unwrap();
            last.set(experiment.iteration());
            kept.replace(std::fs::read(file).unwrap());
        };
        must_be_lost(&error);
        must_be_lost(&experiment.step().unwrap_err());
        must_be_lost(&experiment.read("next").unwrap_err());
        must_be_lost(&experiment.save(file).unwrap_err());
    });
    // The scope cannot put the caller's state back.
    assert_eq!(left.unwrap_err().kind(), Kind::ContextLost);
    assert!(std::fs::read(file).unwrap() == *kept.borrow(), "the file is not as it was");
    last.get()
}

fn must_be_lost(error: &Error) {
    assert_eq!(error.kind(), Kind::ContextLost, "{error}");
    assert!(error.to_string().contains("make a new one and upload again"), "{error}");
}
