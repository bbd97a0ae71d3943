//! Every check can fail: what was left out, or done to something else, is seen.

use super::probes::arithmetic::{Mad, links, spread};
use super::probes::branch::Branch;
use super::probes::chase::{Chase, TRIPS};
use super::probes::fetch::{By, Fetch, Pattern};
use super::probes::interpolated::{Interpolated, VALUES};
use super::probes::opcodes::{Opcode, trips};
use super::probes::outputs::Outputs;
use super::probes::prelude::*;
use super::probes::texels::Kind;
use super::probes::work::{Twin, compare_sample, sample};
use super::{Context, Engine};
use crate::planted::faults_must_be_seen;

fn engines(context: &Context) -> Vec<Engine> {
    match context.abilities().compute {
        Some(_) => vec![Engine::Fragment, Engine::Compute],
        None => vec![Engine::Fragment],
    }
}

/// Each of these on each engine where `QUADRILLE_THOROUGH` is set, as in `.ci/run`, else on the
/// engines in turn: a software renderer takes long for each.
fn on_engines<T: Copy>(context: &Context, all: impl IntoIterator<Item = T>) -> Vec<(T, Engine)> {
    let engines = engines(context);
    let chosen = |at: usize| match is_thorough() {
        true => engines.clone(),
        false => vec![engines[at % engines.len()]],
    };
    let all = all.into_iter().enumerate();
    all.flat_map(|(at, one)| chosen(at).into_iter().map(move |engine| (one, engine))).collect()
}

fn is_thorough() -> bool {
    std::env::var_os("QUADRILLE_THOROUGH").is_some()
}

/// The work is right as it is, and wrong with another number for one of its uniforms.
#[track_caller]
fn notices(what: &str, mut work: Work, uniform: &'static str, value: i32) {
    let right = work.check().unwrap();
    assert!(right.is_right(), "{what}: {right:?}");
    work.spoil(uniform, value);
    let wrong = work.check().unwrap();
    assert!(!wrong.is_right(), "{what} with {uniform} = {value}: {wrong:?}");
}

#[test]
fn a_trip_less_is_noticed_in_arithmetic() {
    let context = Context::headless().unwrap();
    let mads = Mad::ALL.into_iter().filter(|mad| mad.is_possible(&context));
    for (mad, engine) in on_engines(&context, mads) {
        let fewer = links(&context) / mad.unroll as i32 - 1;
        notices(&mad.name(), mad.work(&context, engine).unwrap(), "trips", fewer);
    }
    for (opcode, engine) in on_engines(&context, Opcode::ALL) {
        let fewer = trips(&context) as i32 - 1;
        notices(opcode.name, opcode.work(&context, engine).unwrap(), "trips", fewer);
    }
}

#[test]
fn a_number_that_is_twice_its_bound_away_is_noticed_wherever_it_is_compared() {
    for (mad, links, extent) in
        [(Mad::written(4, 1), 4, Extent::new(8, 8)), (Mad::written(8, 8), 128, Extent::new(64, 32))]
    {
        let twin: Twin = Box::new(move |_, old| old.map(|start| mad.twin(start, links)));
        let before = Start { extent, texel: spread }.texels();
        let expected: Vec<[Expected; 4]> = before.iter().map(|old| twin([0; 2], *old)).collect();
        let right: Vec<[f32; 4]> =
            expected.iter().map(|texel| texel.map(|(exact, _)| exact as f32)).collect();
        let is_right =
            |after: &[[f32; 4]]| compare_sample(&twin, extent, &before, after).is_right();
        assert!(!is_right(&right[1..]));
        let compared: Vec<Expected> = sample(extent).flat_map(|i| expected[i]).collect();
        faults_must_be_seen(&compared, |got| {
            let (texels, rest) = got.as_chunks::<4>();
            let mut after = right.clone();
            sample(extent).zip(texels).for_each(|(i, texel)| after[i] = *texel);
            rest.is_empty() && texels.len() == sample(extent).count() && is_right(&after)
        });
    }
    // What the device made of the step before is NaN, and so is all that follows.
    let twin: Twin = Box::new(|_, old| old.map(|start| (f64::from(start), 0.0)));
    for lost in [f32::NAN, f32::INFINITY] {
        let texels = [[lost; 4]];
        assert!(!compare_sample(&twin, Extent::new(1, 1), &texels, &texels).is_right());
    }
    assert_eq!(sample(Extent::new(8, 8)).count(), 64, "all of a small target is compared");
}

#[test]
fn a_row_less_is_noticed_in_every_way_to_fetch_by_fragments() {
    a_row_less_is_noticed(&Context::headless().unwrap(), Engine::Fragment);
}

#[test]
fn a_row_less_is_noticed_in_every_way_to_fetch_by_compute_shaders() {
    let context = Context::headless().unwrap();
    if engines(&context).contains(&Engine::Compute) {
        a_row_less_is_noticed(&context, Engine::Compute);
    }
}

fn a_row_less_is_noticed(context: &Context, engine: Engine) {
    // A pattern and a way each with the widest texel, a kind of texel with one pattern.
    let usual = |fetch: &Fetch| fetch.kind == Kind::Rgba32f || fetch.pattern == Pattern::Cached;
    for fetch in Fetch::all(engine).into_iter().filter(|fetch| is_thorough() || usual(fetch)) {
        if fetch.lacks(context, engine).is_none() {
            let fewer = fetch.pattern.trips() as i32 - 1;
            notices(&fetch.name(), fetch.work(context, engine).unwrap(), "trips", fewer);
        }
    }
    for chase in Chase::ALL {
        let work = chase.work(context, engine).unwrap();
        notices(chase.name(), work, "trips", TRIPS as i32 - 1);
    }
}

#[test]
fn fetches_from_elsewhere_are_noticed() {
    let context = Context::headless().unwrap();
    let fetch = |pattern| Fetch { pattern, kind: Kind::Rgba32f, by: By::Fetch };
    let work = |pattern| fetch(pattern).work(&context, Engine::Fragment).unwrap();
    notices("one texel for all", work(Pattern::Cached), "mask", 0);
    notices("overlapping blocks", work(Pattern::Strided), "spread", 7);
}

#[test]
fn a_branch_that_others_take_is_noticed() {
    let context = Context::headless().unwrap();
    for (branch, engine) in on_engines(&context, Branch::ALL) {
        notices("branch", branch.work(&context, engine).unwrap(), "block", 3);
    }
}

#[test]
fn outputs_that_hold_something_else_are_noticed() {
    let context = Context::headless().unwrap();
    let mut outputs = Outputs::new(&context, 4).unwrap();
    assert!(outputs.check().unwrap().is_right());
    outputs.newest[0].fill([0.75; 4]).unwrap();
    assert!(!outputs.check().unwrap().is_right());
}

#[test]
fn an_interpolated_value_less_is_noticed() {
    let context = Context::headless().unwrap();
    for (values, is_right) in [(VALUES, true), (VALUES - 1, false)] {
        let mut probe = Interpolated::new(&context, values).unwrap();
        for _ in 0..2 {
            assert_eq!(probe.check().unwrap().is_right(), is_right, "{values}");
        }
    }
}
