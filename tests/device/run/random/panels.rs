//! Arrays in panels, beside one texture and the interpreter.

use quadrille::Context;
use quadrille::internal::Ability;
use quadrille_run::Error;
use quadrille_run::error::LimitError;

use crate::common::{Flavour, clean};

use super::search::{Wrong, found, search};
use super::{seed, time};
use crate::cases::Choices;
use crate::cases::run::{FRACTION, Run};
use crate::cases::twin::compute;

/// The longest sides of textures, each with a kind of context.
const LIMITS: [(Flavour, u32); 3] = [(Flavour::Gl, 10), (Flavour::Gles30, 13), (Flavour::Gl33, 17)];

/// Runs a body with contexts whose textures are as small as this, and as large as they are.
fn on((flavour, limit): (Flavour, u32), body: impl Fn(&Context, &Context)) {
    let cut = flavour.builder().without(Ability::LargerTextures(limit)).build().unwrap();
    let whole = flavour.builder().build().unwrap();
    clean("in panels", &cut, |cut| clean("whole", &whole, |whole| body(cut, whole)));
}

/// The possible outcomes of a case.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    same: usize,
    /// Some cell reads farther than is stated, and that is told.
    told: usize,
}

fn check(
    (cut, whole): (&Context, &Context),
    limit: u32,
    choices: &mut Choices<'_>,
    counts: &mut Counts,
    fault: bool,
) -> Result<(), Wrong> {
    let mut run = Run::new(choices, Some(limit));
    let expected = compute(&run, FRACTION, None);
    let same = |run: &Run, got: Result<Vec<Vec<_>>, Error>, what: &str| match got {
        Err(error) => Err(run.wrong(format!("{what}: {error}"))),
        Ok(got) => match expected.difference(&got) {
            Some(difference) => Err(run.wrong(format!("{what}: {difference}"))),
            None => Ok(()),
        },
    };
    same(&run, run.computed(whole), "one texture")?;
    let extent = run.size.unwrap_or_default();
    let [across, down] = expected.farthest;
    let far = if extent.width > limit { across } else { 0 };
    let far = far.max(if extent.height > limit { down } else { 0 });
    // What is stated is less than what is read.
    if fault {
        run.halo = Some(far.saturating_sub(1));
    }
    match run.computed(cut) {
        Err(Error::Limit(LimitError::TooFar { needed, .. }))
            if far > run.halo.unwrap_or(0) && !fault =>
        {
            counts.told += 1;
            run.halo = needed;
            if needed.is_some_and(|needed| needed <= 3) {
                same(&run, run.computed(cut), "panels with the halo that would do")?;
            }
            Ok(())
        }
        got => same(&run, got, "panels").map(|()| counts.same += 1),
    }
}

#[test]
fn random_run_files_in_panels_compute_what_one_texture_does() {
    for (flavour, limit) in LIMITS {
        on((flavour, limit), |cut, whole| {
            let mut counts = Counts::default();
            let mut check =
                |choices: &mut Choices<'_>| check((cut, whole), limit, choices, &mut counts, false);
            search(seed(), time() / 3, &mut check);
            eprintln!("panels of {limit}: {counts:?}");
        });
    }
}

#[test]
fn a_halo_that_is_too_narrow_is_found_and_made_small() {
    let (flavour, limit) = LIMITS[0];
    on((flavour, limit), |cut, whole| {
        let mut counts = Counts::default();
        let mut check =
            |choices: &mut Choices<'_>| check((cut, whole), limit, choices, &mut counts, true);
        let text = found(60, &mut check);
        assert!(text.contains("Give a halo of") && text.lines().count() < 60, "{text}");
    });
}
