//! Denormals, NaN, infinities, the sign of zero, and whether expressions are computed as they are
//! written: single expressions, each beside what IEEE 754 gives.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Numbers below 2^-126.
    Denormals,
    /// The causes and the results of NaN.
    Nan,
    /// Overflow, and what comes of infinities.
    Infinities,
    Zeros,
    /// Simplifications that hold in algebra but not for floats.
    Algebra,
}

#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    pub group: Group,
    /// The expression with its arguments, for people.
    pub what: &'static str,
    pub engine: Engine,
    pub gives: String,
    /// Whether IEEE 754 gives the same; nothing where it leaves a choice.
    pub ieee: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
enum Expected {
    Number(f32),
    Nan,
    Open,
}

#[derive(Clone)]
pub(crate) struct Special {
    group: Group,
    what: &'static str,
    expression: &'static str,
    arguments: [f32; 3],
    expected: Expected,
}

/// A sum whose order matters.
pub(crate) const SUM: &str = "(1 + 2^25) - 2^25";
/// The name of the precise sum.
pub(crate) const SUM_PRECISELY: &str = "the same, precise";

pub(super) const TINY: f32 = 1e-40;
const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const MAX: f32 = f32::MAX;

impl Special {
    pub(crate) fn all() -> Vec<Special> {
        let (least, large) = (f32::MIN_POSITIVE, 2.0_f32.powi(25));
        let two = |power: i32| 2.0_f64.powi(power) as f32;
        let groups: [(Group, &[Row]); 5] = [
            (
                Group::Denormals,
                &[
                    ("1e-40 moved", "a", [TINY, 0.0, 0.0], Is(TINY)),
                    ("1e-40 as a constant", "1e-40", [0.0; 3], Is(TINY)),
                    ("-(1e-40)", "-a", [TINY, 0.0, 0.0], Is(-TINY)),
                    ("abs(-1e-40)", "abs(a)", [-TINY, 0.0, 0.0], Is(TINY)),
                    ("1e-40 + 1e-40", "a + b", [TINY, TINY, 0.0], Is(TINY + TINY)),
                    ("2^-126 * 1.5 - 2^-126", "a - b", [1.5 * least, least, 0.0], Is(0.5 * least)),
                    ("1e-40 * 2^30", "a * b", [TINY, two(30), 0.0], Is(TINY * two(30))),
                    ("2^-100 * 2^-30", "a * b", [two(-100), two(-30), 0.0], Is(two(-130))),
                    ("2^-100 / 2^30", "a / b", [two(-100), two(30), 0.0], Is(two(-130))),
                    ("exp2(-130)", "exp2(a)", [-130.0, 0.0, 0.0], Is(two(-130))),
                    ("1e-40 > 0", "(a > b ? 1.0 : 0.0)", [TINY, 0.0, 0.0], Is(1.0)),
                    ("1e-40 == 0", "(a == b ? 1.0 : 0.0)", [TINY, 0.0, 0.0], Is(0.0)),
                    ("max(1e-40, 0)", "max(a, b)", [TINY, 0.0, 0.0], Is(TINY)),
                    ("min(1e-40, 1)", "min(a, b)", [TINY, 1.0, 0.0], Is(TINY)),
                ],
            ),
            (
                Group::Nan,
                &[
                    ("NaN moved", "a", [NAN, 0.0, 0.0], IsNan),
                    ("0 / 0", "a / b", [0.0, 0.0, 0.0], IsNan),
                    ("inf - inf", "a - b", [INF, INF, 0.0], IsNan),
                    ("0 * inf", "a * b", [0.0, INF, 0.0], IsNan),
                    ("sqrt(-1)", "sqrt(a)", [-1.0, 0.0, 0.0], IsNan),
                    ("inversesqrt(-1)", "inversesqrt(a)", [-1.0, 0.0, 0.0], IsNan),
                    ("log(-1)", "log(a)", [-1.0, 0.0, 0.0], IsNan),
                    ("log2(-1)", "log2(a)", [-1.0, 0.0, 0.0], IsNan),
                    ("asin(2)", "asin(a)", [2.0, 0.0, 0.0], IsNan),
                    ("sin(inf)", "sin(a)", [INF, 0.0, 0.0], IsNan),
                    ("mod(1, 0)", "mod(a, b)", [1.0, 0.0, 0.0], IsNan),
                    ("NaN == NaN", "(a == b ? 1.0 : 0.0)", [NAN, NAN, 0.0], Is(0.0)),
                    ("NaN != NaN", "(a != b ? 1.0 : 0.0)", [NAN, NAN, 0.0], Is(1.0)),
                    ("x != x, x NaN", "(a != a ? 1.0 : 0.0)", [NAN, 0.0, 0.0], Is(1.0)),
                    ("isnan(NaN)", "(isnan(a) ? 1.0 : 0.0)", [NAN, 0.0, 0.0], Is(1.0)),
                    ("isnan(0 / 0)", "(isnan(a / b) ? 1.0 : 0.0)", [0.0, 0.0, 0.0], Is(1.0)),
                    ("NaN < 1", "(a < b ? 1.0 : 0.0)", [NAN, 1.0, 0.0], Is(0.0)),
                    ("NaN >= 1", "(a >= b ? 1.0 : 0.0)", [NAN, 1.0, 0.0], Is(0.0)),
                    ("NaN + 1", "a + b", [NAN, 1.0, 0.0], IsNan),
                    ("NaN * 0", "a * b", [NAN, 0.0, 0.0], IsNan),
                    ("min(NaN, 1)", "min(a, b)", [NAN, 1.0, 0.0], Open),
                    ("min(1, NaN)", "min(a, b)", [1.0, NAN, 0.0], Open),
                    ("max(NaN, 1)", "max(a, b)", [NAN, 1.0, 0.0], Open),
                    ("max(1, NaN)", "max(a, b)", [1.0, NAN, 0.0], Open),
                    ("clamp(NaN, 0, 1)", "clamp(a, b, c)", [NAN, 0.0, 1.0], Open),
                    ("clamp(0.5, NaN, 1)", "clamp(a, b, c)", [0.5, NAN, 1.0], Open),
                    ("clamp(0.5, 0, NaN)", "clamp(a, b, c)", [0.5, 0.0, NAN], Open),
                    ("mix(1, 2, NaN)", "mix(a, b, c)", [1.0, 2.0, NAN], IsNan),
                    ("mix(1, NaN, 0)", "mix(a, b, c)", [1.0, NAN, 0.0], IsNan),
                    ("sign(NaN)", "sign(a)", [NAN, 0.0, 0.0], Open),
                    ("pow(NaN, 0)", "pow(a, b)", [NAN, 0.0, 0.0], Open),
                ],
            ),
            (
                Group::Infinities,
                &[
                    ("inf moved", "a", [INF, 0.0, 0.0], Is(INF)),
                    ("largest moved", "a", [MAX, 0.0, 0.0], Is(MAX)),
                    ("largest * 1", "a * b", [MAX, 1.0, 0.0], Is(MAX)),
                    ("1 / 0", "a / b", [1.0, 0.0, 0.0], Is(INF)),
                    ("-1 / 0", "a / b", [-1.0, 0.0, 0.0], Is(-INF)),
                    ("largest + largest", "a + b", [MAX, MAX, 0.0], Is(INF)),
                    ("largest * 2", "a * b", [MAX, 2.0, 0.0], Is(INF)),
                    ("exp2(128)", "exp2(a)", [128.0, 0.0, 0.0], Is(INF)),
                    ("exp(89)", "exp(a)", [89.0, 0.0, 0.0], Is(INF)),
                    ("exp2(-inf)", "exp2(a)", [-INF, 0.0, 0.0], Is(0.0)),
                    ("log(0)", "log(a)", [0.0; 3], Is(-INF)),
                    ("log2(0)", "log2(a)", [0.0; 3], Is(-INF)),
                    ("log2(inf)", "log2(a)", [INF, 0.0, 0.0], Is(INF)),
                    ("inversesqrt(0)", "inversesqrt(a)", [0.0; 3], Is(INF)),
                    ("sqrt(inf)", "sqrt(a)", [INF, 0.0, 0.0], Is(INF)),
                    ("isinf(inf)", "(isinf(a) ? 1.0 : 0.0)", [INF, 0.0, 0.0], Is(1.0)),
                    ("isinf(1 / 0)", "(isinf(a / b) ? 1.0 : 0.0)", [1.0, 0.0, 0.0], Is(1.0)),
                    ("1 / inf", "a / b", [1.0, INF, 0.0], Is(0.0)),
                    ("inf > largest", "(a > b ? 1.0 : 0.0)", [INF, MAX, 0.0], Is(1.0)),
                    ("min(inf, 1)", "min(a, b)", [INF, 1.0, 0.0], Is(1.0)),
                ],
            ),
            (
                Group::Zeros,
                &[
                    ("-0 moved", "a", [-0.0, 0.0, 0.0], Is(-0.0)),
                    ("-0 as a constant", "-0.0", [0.0; 3], Is(-0.0)),
                    ("-(0)", "-a", [0.0; 3], Is(-0.0)),
                    ("0 * -1", "a * b", [0.0, -1.0, 0.0], Is(-0.0)),
                    ("-0 + -0", "a + b", [-0.0, -0.0, 0.0], Is(-0.0)),
                    ("-0 + 0", "a + b", [-0.0, 0.0, 0.0], Is(0.0)),
                    ("1 / -0", "a / b", [1.0, -0.0, 0.0], Is(-INF)),
                    ("0 == -0", "(a == b ? 1.0 : 0.0)", [0.0, -0.0, 0.0], Is(1.0)),
                    ("sqrt(-0)", "sqrt(a)", [-0.0, 0.0, 0.0], Is(-0.0)),
                    ("floor(-0)", "floor(a)", [-0.0, 0.0, 0.0], Is(-0.0)),
                    ("ceil(-0.3)", "ceil(a)", [-0.3, 0.0, 0.0], Is(-0.0)),
                    ("min(0, -0)", "min(a, b)", [0.0, -0.0, 0.0], Open),
                    ("max(-0, 0)", "max(a, b)", [-0.0, 0.0, 0.0], Open),
                ],
            ),
            (
                Group::Algebra,
                &[
                    (SUM, "there_and_back(a, b)", [1.0, large, 0.0], Is(0.0)),
                    (SUM_PRECISELY, "precisely_there_and_back(a, b)", [1.0, large, 0.0], Is(0.0)),
                    ("(largest * 2) / 2", "(a * b) / b", [MAX, 2.0, 0.0], Is(INF)),
                    ("sqrt(x * x), x = 1e30", "sqrt(a * a)", [1e30, 0.0, 0.0], Is(INF)),
                    ("x / x, x = 0", "a / a", [0.0; 3], IsNan),
                    ("x - x, x = inf", "a - a", [INF, 0.0, 0.0], IsNan),
                    ("0 * x, x = inf", "0.0 * a", [INF, 0.0, 0.0], IsNan),
                    ("x * 0, x = NaN", "a * 0.0", [NAN, 0.0, 0.0], IsNan),
                    ("x + 0, x = -0", "a + 0.0", [-0.0, 0.0, 0.0], Is(0.0)),
                ],
            ),
        ];
        let special = |group, &(what, expression, arguments, expected): &Row| Special {
            group,
            what,
            expression,
            arguments,
            expected,
        };
        let all = groups
            .into_iter()
            .flat_map(|(group, rows)| rows.iter().map(move |row| special(group, row)));
        all.collect()
    }

    /// The programs that answer, each with its questions: one for all that is asked as it is
    /// written, and one for each that a compiler may shorten, since a neighbour could keep it from
    /// that.
    pub(crate) fn asks() -> Vec<(Ask, Vec<Special>)> {
        let is_algebra = |special: &Special| special.group == Group::Algebra;
        let (alone, together): (Vec<_>, Vec<_>) = Special::all().into_iter().partition(is_algebra);
        let all = Ask::floats(together.iter().map(|special| special.expression));
        let alone =
            alone.into_iter().map(|special| (Ask::Float(special.expression), vec![special]));
        [(all, together)].into_iter().chain(alone).collect()
    }

    fn bits(&self, case: usize) -> Bits {
        let [a, b, c] = self.arguments;
        let [a, b, c, _] = bits([a, b, c, 0.0]);
        [a, b, c, case as i32]
    }

    pub(crate) fn judge(&self, engine: Engine, got: f32) -> Answer {
        let ieee = match self.expected {
            Expected::Open => None,
            Expected::Nan => Some(got.is_nan()),
            Expected::Number(number) => Some(number.to_bits() == got.to_bits()),
        };
        Answer { group: self.group, what: self.what, engine, gives: shown(got), ieee }
    }
}

pub(crate) fn shown(number: f32) -> String {
    match number != 0.0 && number.is_finite() && !(1e-3..1e6).contains(&number.abs()) {
        true => format!("{number:e}"),
        false => number.to_string(),
    }
}

/// Asks an engine; what says `precise` only where that means something.
pub(crate) fn measure(context: &Context, engine: Engine) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for (ask, mut specials) in Special::asks() {
        specials.retain(|special| context.abilities().precise || special.what != SUM_PRECISELY);
        let asked: Vec<_> =
            specials.iter().enumerate().map(|(case, special)| special.bits(case)).collect();
        let got = ask.numbers(context, engine, &asked)?;
        answers.extend(specials.iter().zip(got).map(|(special, got)| special.judge(engine, got)));
    }
    Ok(answers)
}

type Row = (&'static str, &'static str, [f32; 3], Expected);

use crate::card::prelude::*;
use Expected::{Nan as IsNan, Number as Is, Open};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushed_shortened_and_quieted_results_show() {
        let judged = |what: &str, got: f32| {
            let special = Special::all().into_iter().find(|special| special.what == what);
            special.and_then(|special| special.judge(Engine::Fragment, got).ieee)
        };
        assert_eq!(judged("1e-40 + 1e-40", TINY + TINY), Some(true));
        assert_eq!(judged("1e-40 + 1e-40", 0.0), Some(false));
        assert_eq!(judged("0 / 0", f32::NAN), Some(true));
        assert_eq!(judged("0 / 0", 0.0), Some(false));
        assert_eq!(judged("x / x, x = 0", 1.0), Some(false));
        assert_eq!(judged("-0 moved", 0.0), Some(false));
        assert_eq!(judged("(1 + 2^25) - 2^25", 1.0), Some(false));
        assert_eq!(judged("min(NaN, 1)", 1.0), None);
    }

    #[test]
    fn floats_are_shown_as_people_write_them() {
        let shown = [0.5, -0.0, TINY, NAN, -INF, 2.0e9].map(shown);
        assert_eq!(shown, ["0.5", "-0", "1e-40", "NaN", "-inf", "2e9"]);
    }

    #[test]
    fn every_question_has_its_own_name() {
        let mut names: Vec<_> = Special::all().into_iter().map(|special| special.what).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
