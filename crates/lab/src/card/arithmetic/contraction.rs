//! Finds out whether a product and a sum are rounded once or twice, in every way to write them.

use crate::card::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fusion {
    /// Once, as by fma.
    Fused,
    /// Twice: the product, then the sum.
    Separate,
    /// Now so, now so.
    Mixed,
    /// Neither rule explains the results.
    Neither,
}

#[derive(Clone, Debug, Serialize)]
pub struct Contraction {
    pub form: &'static str,
    /// Whether it is declared `precise`, where that is supported.
    pub precise: bool,
    pub engine: Engine,
    pub fusion: Fusion,
}

/// The form as written, the expression, and whether it says PRECISE.
pub(crate) const FORMS: [(&str, &str, bool); 7] = [
    ("a * b + c", "a * b + c", false),
    ("ab = a * b; ab += c", "in_two_statements(a, b, c)", false),
    ("product(a, b) + c", "across_functions(a, b, c)", false),
    ("dot(vec2(a, c), vec2(b, 1))", "dot_of_two(a, b, c)", false),
    ("precise sum = a * b + c", "precisely(a, b, c)", true),
    ("precise ab, precise sum", "precisely_in_two(a, b, c)", true),
    ("fma(a, b, c)", "fused(a, b, c)", true),
];

/// Asks in every form; those that need `precise` only where it is.
pub(crate) fn measure(context: &Context, engine: Engine, seed: u64) -> Result<Vec<Contraction>> {
    let arguments = arguments(seed);
    let asked: Vec<_> = arguments.iter().map(|[a, b, c]| bits([*a, *b, *c, 0.0])).collect();
    let can = FORMS.iter().filter(|(.., precise)| !precise || context.abilities().precise);
    let rows = can.map(|(form, expression, precise)| {
        let got: Vec<f32> = Ask::Float(expression).numbers(context, engine, &asked)?.collect();
        Ok(Contraction { form, precise: *precise, engine, fusion: judge(&arguments, &got) })
    });
    rows.collect()
}

/// Products that need rounding, and what takes them away again: twice rounded nothing is left, once
/// rounded the product's error.
pub(crate) fn arguments(seed: u64) -> Vec<[f32; 3]> {
    let mut generator = SplitMix64::new(seed);
    let drawn = (0..512).map(|_| {
        let (a, b) = (generator.within(1.0..2.0) as f32, generator.within(-2.0..-1.0) as f32);
        [a, b, -(a * b)]
    });
    drawn.filter(|[a, b, c]| a.mul_add(*b, *c) != a * b + c).collect()
}

pub(crate) fn judge(arguments: &[[f32; 3]], got: &[f32]) -> Fusion {
    let count = |way: fn(f32, f32, f32) -> f32| {
        arguments.iter().zip(got).filter(|([a, b, c], got)| way(*a, *b, *c) == **got).count()
    };
    let fused = count(|a, b, c| a.mul_add(b, c));
    let separate = count(|a, b, c| a * b + c);
    match (fused, separate) {
        (0, n) if n == got.len() => Fusion::Separate,
        (n, 0) if n == got.len() => Fusion::Fused,
        (n, m) if n + m == got.len() => Fusion::Mixed,
        _ => Fusion::Neither,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rounding_is_told_from_two() {
        let arguments = arguments(1);
        assert!(arguments.len() > 400, "{}", arguments.len());
        let by = |way: fn(f32, f32, f32) -> f32| -> Vec<f32> {
            arguments.iter().map(|[a, b, c]| way(*a, *b, *c)).collect()
        };
        let (mut once, twice) = (by(|a, b, c| a.mul_add(b, c)), by(|a, b, c| a * b + c));
        assert_eq!(judge(&arguments, &once), Fusion::Fused);
        assert_eq!(judge(&arguments, &twice), Fusion::Separate);
        once[3] = twice[3];
        assert_eq!(judge(&arguments, &once), Fusion::Mixed);
        once[4] += 1.0;
        assert_eq!(judge(&arguments, &once), Fusion::Neither);
    }
}
