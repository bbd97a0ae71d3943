//! The errors of operations and built-in functions against their results in f64.

use super::arguments::Range;
use super::operations::Operation;
use super::units::units_off;
use crate::card::prelude::*;
use crate::twin::Comparison;

#[derive(Clone, Debug, Serialize)]
pub struct Accuracy {
    pub operation: &'static str,
    pub range: &'static str,
    pub engine: Engine,
    pub arguments: usize,
    /// The largest error, in units in the last place; nothing where a result is NaN or infinite.
    pub max_ulps: f64,
    pub mean_ulps: f64,
    pub max_error: f64,
    /// The number of results that are not the float nearest to the exact one.
    pub not_nearest: usize,
    pub worst: Vec<f32>,
    pub worst_got: f32,
    pub worst_exact: f64,
    pub promise: &'static str,
    /// Whether it is kept; nothing where nothing is promised.
    pub kept: Option<bool>,
}

/// Arguments of each operation and range.
const ARGUMENTS: usize = 4096;

/// The arguments of an operation: those whose result is a normal number or zero, so that neither
/// overflow nor denormals are judged here.
pub(crate) fn arguments(operation: &Operation, range: &Range, seed: u64) -> Vec<[f32; 4]> {
    let mut generator = SplitMix64::new(seed);
    let fits = |drawn: &[f32; 4]| {
        let exact = (operation.exact)(drawn.map(f64::from)).abs();
        exact == 0.0 || (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&exact)
    };
    let drawn = (0..4 * ARGUMENTS).map(|_| range.draw(&mut generator));
    drawn.filter(fits).take(ARGUMENTS).collect()
}

pub(crate) fn measure(
    context: &Context,
    engine: Engine,
    operation: &Operation,
    seed: u64,
) -> Result<Vec<Accuracy>> {
    let asked = ask(context, engine, operation, seed)?.into_iter();
    let judged = |(range, part, got): Asked| judge(operation, range, engine, &part, &got);
    Ok(asked.map(judged).collect())
}

/// Asks fragments for an operation by its name, and compares its results also with errors that are
/// allowed.
pub(crate) fn of_name(
    context: &Context,
    name: &str,
    allowed: impl Fn(f64) -> f64,
) -> Result<Vec<(Accuracy, Comparison)>> {
    let operations = Operation::all().into_iter().filter(|operation| operation.name == name);
    let mut all = Vec::new();
    for operation in operations {
        for (range, part, got) in ask(context, Engine::Fragment, &operation, 1)? {
            let exact = part.iter().map(|drawn| (operation.exact)(drawn.map(f64::from)));
            let comparison =
                Comparison::of(got.iter().copied(), exact.map(|exact| (exact, allowed(exact))));
            all.push((judge(&operation, range, Engine::Fragment, &part, &got), comparison));
        }
    }
    Ok(all)
}

/// A range, its arguments, and what an engine gives for them.
type Asked = (&'static str, Vec<[f32; 4]>, Vec<f32>);

/// Asks an engine for all ranges of an operation at once.
fn ask(context: &Context, engine: Engine, operation: &Operation, seed: u64) -> Result<Vec<Asked>> {
    let ranges = operation.ranges.iter();
    let parts: Vec<_> =
        ranges.map(|range| (range.name, arguments(operation, range, seed))).collect();
    let all: Vec<_> = parts.iter().flat_map(|(_, part)| part).map(|drawn| bits(*drawn)).collect();
    let mut answers = Ask::Float(operation.expression).numbers(context, engine, &all)?;
    let mut asked = |(range, part): (&'static str, Vec<[f32; 4]>)| {
        let got = answers.by_ref().take(part.len()).collect();
        (range, part, got)
    };
    Ok(parts.into_iter().map(&mut asked).collect())
}

pub(crate) fn judge(
    operation: &Operation,
    range: &'static str,
    engine: Engine,
    arguments: &[[f32; 4]],
    got: &[f32],
) -> Accuracy {
    let mut row = Accuracy {
        operation: operation.name,
        range,
        engine,
        arguments: got.len(),
        max_ulps: -1.0,
        mean_ulps: 0.0,
        max_error: 0.0,
        not_nearest: 0,
        worst: Vec::new(),
        worst_got: 0.0,
        worst_exact: 0.0,
        promise: operation.rule.text(),
        kept: None,
    };
    for (drawn, got) in arguments.iter().zip(got) {
        row.add(operation, *drawn, *got);
    }
    row.mean_ulps /= got.len().max(1) as f64;
    row.max_ulps = row.max_ulps.max(0.0);
    row
}

impl Accuracy {
    fn add(&mut self, operation: &Operation, drawn: [f32; 4], got: f32) {
        let wide = drawn.map(f64::from);
        let exact = (operation.exact)(wide);
        let ulps = units_off(got, exact, (operation.largest)(wide));
        let error = (f64::from(got) - exact).abs();
        let error = if error.is_nan() { f64::INFINITY } else { error };
        self.mean_ulps += ulps;
        self.max_error = self.max_error.max(error);
        self.not_nearest += usize::from(got != exact as f32);
        if let Some(allowed) = operation.rule.allows(wide, exact) {
            let is_right = Comparison::of_number(got.into(), exact, allowed).is_right();
            self.kept = Some(self.kept != Some(false) && is_right);
        }
        if ulps > self.max_ulps {
            self.max_ulps = ulps;
            self.worst = drawn[..operation.arity()].to_vec();
            (self.worst_got, self.worst_exact) = (got, exact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Operation {
        Operation::all().into_iter().find(|operation| operation.name == name).unwrap()
    }

    fn judged(operation: &Operation, wrong: impl Fn(f64) -> f32) -> Accuracy {
        let range = &operation.ranges[0];
        let arguments = arguments(operation, range, 1);
        let exact = |drawn: &[f32; 4]| (operation.exact)(drawn.map(f64::from));
        let got: Vec<f32> = arguments.iter().map(|drawn| wrong(exact(drawn))).collect();
        judge(operation, range.name, Engine::Fragment, &arguments, &got)
    }

    #[test]
    fn the_nearest_float_keeps_every_promise_everywhere() {
        for operation in Operation::all() {
            for range in &operation.ranges {
                let arguments = arguments(&operation, range, 1);
                assert!(arguments.len() > 1000, "{} over {}", operation.name, range.name);
                let exact = |drawn: &[f32; 4]| (operation.exact)(drawn.map(f64::from)) as f32;
                let got: Vec<f32> = arguments.iter().map(exact).collect();
                let row = judge(&operation, range.name, Engine::Fragment, &arguments, &got);
                assert!(row.kept != Some(false) && row.not_nearest == 0, "{row:?}");
                assert!(row.max_ulps <= 0.5 && row.mean_ulps <= 0.5, "{row:?}");
            }
        }
    }

    #[test]
    fn what_is_not_allowed_is_seen() {
        let context = Context::headless().unwrap();
        let right = |allowed: f64| {
            let all = of_name(&context, "1 / a", |exact| allowed * exact.abs()).unwrap();
            all.len() == 1 && all.iter().all(|(_, comparison)| comparison.is_right())
        };
        assert!(right(0.5_f64.powi(20)) && !right(0.5_f64.powi(30)));
    }

    #[test]
    fn cut_off_sums_are_allowed_and_seen() {
        let cut = |exact: f64| {
            let nearest = exact as f32;
            match f64::from(nearest).abs() > exact.abs() {
                true => f32::from_bits(nearest.to_bits() - 1),
                false => nearest,
            }
        };
        let row = judged(&named("a + b"), cut);
        assert!(row.max_ulps > 0.9 && row.not_nearest > 500, "{row:?}");
        assert_eq!((row.kept, row.worst.len()), (Some(true), 2));
    }

    #[test]
    fn a_product_that_is_off_by_two_and_a_nan_break_the_promise() {
        let off = judged(&named("a * b"), |exact| f32::from_bits((exact as f32).to_bits() + 2));
        assert_eq!(off.kept, Some(false));
        assert!(off.max_ulps > 1.5, "{off:?}");
        for operation in Operation::all() {
            for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let row = judged(&operation, |_| wrong);
                assert_eq!(row.max_ulps, f64::INFINITY, "{wrong} for {}", operation.name);
                assert!(row.kept != Some(true) && row.not_nearest > 1000, "{row:?}");
                assert_eq!(row.worst_got.to_bits(), wrong.to_bits());
            }
        }
    }

    #[test]
    fn functions_without_a_promise_are_measured_all_the_same() {
        let sine = judged(&named("sin(a)"), |exact| exact as f32 * 1.001);
        assert!(sine.kept.is_none() && sine.max_ulps > 1000.0, "{sine:?}");
    }
}
