//! The probes of a device, as a library's user meets them. That each check can fail is shown beside
//! the probes, in `src/bench/device/tests.rs`.

use std::time::Duration;

use crate::common::{Flavour, each, is_thorough, on};
use quadrille::{Context, Control, Progress};
use quadrille_lab::device::{Engine, Limits, Plan, Question, Table, limits, run};

fn must_be_rates(limits: Limits, context: &Context) {
    let is_rate = |rate: f64| rate.is_finite() && rate > 0.0;
    assert!(is_rate(limits.fragment_mad_gflops) && is_rate(limits.fetch_gb_s), "{limits:?}");
    let compute = limits.compute_mad_gflops;
    assert_eq!(compute.is_some(), context.abilities().compute.is_some());
    assert!(compute.is_none_or(is_rate), "{limits:?}");
}

/// The command's tests have the limits of a context with compute shaders.
#[test]
fn limits_are_rates_and_compute_is_among_them_where_it_is() {
    on(least_able(), |context| must_be_rates(limits(context, &mut ()).unwrap(), context));
}

#[test]
fn limits_that_are_stopped_are_rates_all_the_same() {
    each(|context| {
        let mut seen = 0;
        let mut stop = |_: &Progress| {
            seen += 1;
            Control::Stop
        };
        must_be_rates(limits(context, &mut stop).unwrap(), context);
        assert!(seen <= 3, "{seen} shapes after a stop");
    });
}

/// Measures few shapes, where the test need not be thorough: beside the probes' own tests of every
/// shape.
fn quickly(context: &Context, questions: &[Question]) -> Table {
    let (time, brief) = (Duration::from_micros(1), !is_thorough());
    let plan = Plan { questions: questions.into(), runs: 1, run: time, brief, only: &[] };
    run(context, &plan, &mut ()).unwrap()
}

/// The probes' own tests have a context with all abilities.
fn least_able() -> &'static [Flavour] {
    if is_thorough() { &[Flavour::Gles30, Flavour::Gl] } else { &[Flavour::Gles30] }
}

#[test]
fn every_question_is_answered_right() {
    on(least_able(), question_by_question);
}

fn question_by_question(context: &Context) {
    // Fetches take longest. Where versions are not masked, the probes' own tests have them.
    let masked = !context.abilities().float_filtering || context.abilities().compute.is_none();
    let asked = |question: &Question| masked || *question != Question::Fetch;
    let questions: Vec<Question> = Question::ALL.into_iter().filter(asked).collect();
    let table = quickly(context, &questions);
    assert!(!table.stopped);
    for row in &table.rows {
        assert!(row.comparison.is_right(), "{row:?}");
        assert!(row.rate.is_finite() && row.rate >= 0.0, "{row:?}");
        assert!(row.rate > 0.0 || row.unit == "ULP", "{row:?}");
    }
    let abilities = context.abilities();
    let has = |engine| table.rows.iter().any(|row| row.engine == engine);
    assert!(has(Engine::Fragment));
    assert_eq!(has(Engine::Compute), abilities.compute.is_some());
    let told = |text: &str| table.left_out.iter().any(|line| line.contains(text));
    assert_eq!(told("no compute shaders"), abilities.compute.is_none());
    assert_eq!(told("cannot filter"), !abilities.float_filtering && masked);
    let outputs = table.rows.iter().filter(|row| row.probe == "output").count();
    let asked: &[u32] = if is_thorough() { &[1, 2, 3, 4, 5, 6, 7, 8] } else { &[1, 4, 8] };
    assert_eq!(outputs, asked.iter().filter(|count| **count <= abilities.max_targets).count());
}

#[test]
fn a_fetch_has_a_price_only_where_arithmetic_was_measured_too() {
    let context = Context::headless().unwrap();
    let priced = |questions: &[Question]| {
        quickly(&context, questions).rows.iter().filter(|row| row.probe == "fetch-cost").count()
    };
    assert_eq!(priced(&[Question::DependentFetch]), 0);
    assert!(priced(&[Question::Mad, Question::DependentFetch]) >= 2);
}

#[test]
fn an_observer_stops_it_with_what_is_finished() {
    let context = Context::headless().unwrap();
    let mut turns = 0;
    let mut observer = |progress: &Progress| {
        turns += 1;
        assert_eq!(progress.done, turns);
        // Each probe is set up, and run once.
        if turns == 5 { Control::Stop } else { Control::Continue }
    };
    let plan = Plan { runs: 1, ..Plan::default() };
    let table = run(&context, &plan, &mut observer).unwrap();
    assert_eq!((table.stopped, table.rows.len()), (true, 2));
}
