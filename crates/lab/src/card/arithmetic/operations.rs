//! The operations and built-in functions of floats: how they are written, what they are in f64,
//! where they are tried, and what GLSL promises.

use std::f64::consts::PI;

use super::arguments::{CLOSE, POSITIVE, Range, Spread, WIDE};
use super::rules::Rule;

#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The name as people write it, which is mostly the one of GLSL.
    pub(crate) name: &'static str,
    pub(crate) expression: &'static str,
    /// The exact result in f64: with more digits than are judged, since f64 rounds 2^29 times finer
    /// and the functions of the host's library are within a few of its units. Sums, products,
    /// quotients and roots of f32 are the correctly rounded ones when they are rounded again.
    pub(crate) exact: fn([f64; 4]) -> f64,
    /// The largest number on the way, where one may be cancelled.
    pub(crate) largest: fn([f64; 4]) -> f64,
    pub(super) rule: Rule,
    pub(super) ranges: Vec<Range>,
    /// Whether GLSL has it only where it has `precise`.
    pub(crate) new: bool,
}

fn op(name: &'static str, exact: fn([f64; 4]) -> f64, rule: Rule) -> Operation {
    let (largest, ranges) = ((|_| 0.0) as fn([f64; 4]) -> f64, Vec::new());
    Operation { name, expression: name, exact, largest, rule, ranges, new: false }
}

impl Operation {
    pub(super) fn arity(&self) -> usize {
        let apart = |c: char| !c.is_ascii_alphanumeric();
        let takes = |letter: &&&str| self.expression.split(apart).any(|word| word == **letter);
        ["a", "b", "c", "d"].iter().filter(takes).count()
    }

    fn written(mut self, expression: &'static str) -> Operation {
        self.expression = expression;
        self
    }

    fn largest(mut self, largest: fn([f64; 4]) -> f64) -> Operation {
        self.largest = largest;
        self
    }

    fn over(mut self, name: &'static str, spread: Spread) -> Operation {
        self.ranges.push(Range::of(name, spread));
        self
    }

    fn over_two(mut self, name: &'static str, first: Spread, second: Spread) -> Operation {
        self.ranges.push(Range::two(name, first, second));
        self
    }

    pub(crate) fn all() -> Vec<Operation> {
        [
            arithmetic(),
            roots_and_exponentials(),
            angles(),
            hyperbolics(),
            whole(),
            vectors(),
            choices(),
        ]
        .concat()
    }
}

const ANY: &str = "2^-60 .. 2^60";
const NEAR_1: &str = "near 1";

fn arithmetic() -> Vec<Operation> {
    let product_and_sum = |name, expression| {
        op(name, |[a, b, c, _]| a * b + c, Rule::MultiplyAdd)
            .written(expression)
            .largest(|[a, b, c, _]| (a * b).abs().max(c.abs()))
            .over("2^-8 .. 2^8", CLOSE)
    };
    let mut fused = product_and_sum("fma(a, b, c)", "fused(a, b, c)");
    fused.new = true;
    vec![
        op("a + b", |[a, b, ..]| a + b, Rule::Rounded).over("2^-8 .. 2^8", CLOSE).over(ANY, WIDE),
        op("a - b", |[a, b, ..]| a - b, Rule::Rounded).over("2^-8 .. 2^8", CLOSE),
        op("a * b", |[a, b, ..]| a * b, Rule::Rounded).over(ANY, WIDE),
        op("a / b", |[a, b, ..]| a / b, Rule::Quotient).over(ANY, WIDE),
        op("1 / a", |[a, ..]| 1.0 / a, Rule::Quotient).written("1.0 / a").over(ANY, WIDE),
        product_and_sum("a * b + c", "a * b + c"),
        fused,
    ]
}

fn roots_and_exponentials() -> Vec<Operation> {
    vec![
        op("sqrt(a)", |[a, ..]| a.sqrt(), Rule::Root).over(ANY, POSITIVE),
        op("inversesqrt(a)", |[a, ..]| 1.0 / a.sqrt(), Rule::InverseRoot).over(ANY, POSITIVE),
        op("exp(a)", |[a, ..]| a.exp(), Rule::Exponential)
            .over("-1 .. 1", Spread::Between(-1.0, 1.0))
            .over("-87 .. 88", Spread::Between(-87.0, 88.0)),
        op("exp2(a)", |[a, ..]| a.exp2(), Rule::Exponential)
            .over("-1 .. 1", Spread::Between(-1.0, 1.0))
            .over("-125 .. 127", Spread::Between(-125.0, 127.0)),
        op("log(a)", |[a, ..]| a.ln(), Rule::Logarithm)
            .over(NEAR_1, Spread::Near(1.0))
            .over(ANY, POSITIVE),
        op("log2(a)", |[a, ..]| a.log2(), Rule::Logarithm)
            .over(NEAR_1, Spread::Near(1.0))
            .over(ANY, POSITIVE),
        op("pow(a, b)", |[a, b, ..]| a.powf(b), Rule::Power)
            .over_two("0.1 .. 10, -8 .. 8", Spread::Between(0.1, 10.0), Spread::Between(-8.0, 8.0))
            .over_two("near 1, -100 .. 100", Spread::Near(1.0), Spread::Between(-100.0, 100.0)),
    ]
}

fn angles() -> Vec<Operation> {
    let circle = |name, exact: fn([f64; 4]) -> f64| {
        op(name, exact, Rule::Open)
            .over("-pi .. pi", Spread::Between(-PI, PI))
            .over("near n pi/2", Spread::NearHalfPis(200))
            .over("-1e6 .. 1e6", Spread::Between(-1e6, 1e6))
    };
    let unit = |name, exact| {
        op(name, exact, Rule::Open)
            .over("-1 .. 1", Spread::Between(-1.0, 1.0))
            .over("2^-30 .. 2^-4", Spread::Exponents { low: -30, high: -5, signed: true })
    };
    vec![
        circle("sin(a)", |[a, ..]| a.sin()),
        circle("cos(a)", |[a, ..]| a.cos()),
        op("tan(a)", |[a, ..]| a.tan(), Rule::Open).over("-1.5 .. 1.5", Spread::Between(-1.5, 1.5)),
        unit("asin(a)", |[a, ..]| a.asin()),
        unit("acos(a)", |[a, ..]| a.acos()),
        op("atan(a)", |[a, ..]| a.atan(), Rule::Open).over(ANY, WIDE),
        op("atan(a, b)", |[a, b, ..]| a.atan2(b), Rule::Open).over("2^-8 .. 2^8", CLOSE),
    ]
}

fn hyperbolics() -> Vec<Operation> {
    let around_zero = |name, exact| {
        op(name, exact, Rule::Open)
            .over("-10 .. 10", Spread::Between(-10.0, 10.0))
            .over("2^-30 .. 2^-4", Spread::Exponents { low: -30, high: -5, signed: true })
    };
    vec![
        around_zero("sinh(a)", |[a, ..]| a.sinh()),
        around_zero("cosh(a)", |[a, ..]| a.cosh()),
        around_zero("tanh(a)", |[a, ..]| a.tanh()),
    ]
}

fn whole() -> Vec<Operation> {
    let halves = Spread::Between(-1000.0, 1000.0);
    let exact = |name, twin: fn([f64; 4]) -> f64| op(name, twin, Rule::Exact);
    let both = |operation: Operation| {
        operation
            .over("-1000 .. 1000", halves)
            .over("2^-30 .. 2^30", Spread::Exponents { low: -30, high: 30, signed: true })
    };
    vec![
        both(exact("floor(a)", |[a, ..]| a.floor())),
        both(exact("ceil(a)", |[a, ..]| a.ceil())),
        both(exact("trunc(a)", |[a, ..]| a.trunc())),
        both(op("round(a)", |[a, ..]| a.round_ties_even(), Rule::NearestWhole)),
        both(exact("roundEven(a)", |[a, ..]| a.round_ties_even())),
        op("fract(a)", |[a, ..]| a - a.floor(), Rule::Rounded).over("-1000 .. 1000", halves),
        op("mod(a, b)", |[a, b, ..]| a - b * (a / b).floor(), Rule::Open)
            .largest(|[a, ..]| a.abs())
            .over_two(
                "0 .. 1000, 1 .. 10",
                Spread::Between(0.0, 1000.0),
                Spread::Between(1.0, 10.0),
            ),
    ]
}

fn vectors() -> Vec<Operation> {
    let length = |v: [f64; 4]| v.map(|x| x * x).iter().sum::<f64>().sqrt();
    let mixed = "dot(vec4(a, b, c, d), vec4(d, a, b, c))";
    vec![
        op("dot(vec4, vec4)", |[a, b, c, d]| a * d + b * a + c * b + d * c, Rule::Open)
            .written(mixed)
            .largest(|[a, b, c, d]| (a * d).abs() + (b * a).abs() + (c * b).abs() + (d * c).abs())
            .over("2^-8 .. 2^8", CLOSE),
        op("length(vec4)", length, Rule::Open)
            .written("length(vec4(a, b, c, d))")
            .over("2^-8 .. 2^8", CLOSE),
        op("normalize(vec4)", |v| v[0] / v.map(|x| x * x).iter().sum::<f64>().sqrt(), Rule::Open)
            .written("normalize(vec4(a, b, c, d)).x")
            .over("2^-8 .. 2^8", CLOSE),
        op("mix(a, b, c)", |[a, b, c, _]| a * (1.0 - c) + b * c, Rule::Open)
            .largest(|[a, b, ..]| a.abs().max(b.abs()))
            .over("0 .. 1", Spread::Between(0.0, 1.0)),
    ]
}

fn choices() -> Vec<Operation> {
    let exact = |name, twin: fn([f64; 4]) -> f64| op(name, twin, Rule::Exact).over(ANY, WIDE);
    vec![
        exact("min(a, b)", |[a, b, ..]| a.min(b)),
        exact("max(a, b)", |[a, b, ..]| a.max(b)),
        exact("clamp(a, -b, b)", |[a, b, ..]| a.clamp(-b.abs(), b.abs()))
            .written("clamp(a, -abs(b), abs(b))"),
        exact("abs(a)", |[a, ..]| a.abs()),
        exact("-a", |[a, ..]| -a),
        exact("sign(a)", |[a, ..]| a.signum()),
    ]
}
