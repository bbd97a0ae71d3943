//! Loops of quadrille's own shaders that are longer than some devices let them run: Mesa's llvmpipe
//! ends all loops of an invocation after 65535 iterations and reports nothing. Numbers are compared
//! exactly.

use crate::common::Flavour;
use quadrille::data::Matrix;
use quadrille::linalg::matmul::{self, Element, Error, Method, Request, multiply};
use quadrille::{Context, Kind, Shape};
use quadrille_vp::cnf::{Cnf, random_cnf, satisfied};
use quadrille_vp::sat::greedy::{CpuEvaluator, Evaluator, TextureEvaluator};
use quadrille_vp::sat::walk::{Options, Walk};
use quadrille_vp::sat::{self, Limits};

/// Every method, and the options that make its loops longest.
const METHODS: [&str; 18] = [
    "auto",
    "serial",
    "element",
    "element cell=4 unroll=1 padding=0",
    "cp",
    "sp unroll=1 padding=0",
    "block4x4",
    "block4x4 cell=2x2 unroll=1 padding=0",
    "block8x4 unroll=1 padding=0",
    "block8x8",
    "block8x8 reads=buffer unroll=1",
    "block16x8 reads=buffer",
    "block16x8 reads=buffer unroll=1",
    "compute-simple",
    "compute-tiled",
    "compute-shared",
    "compute-blocked",
    "compute-blocked split=3",
];

/// A matrix of -1 and 1, whose products are whole numbers.
fn signs(rows: usize, cols: usize, seed: u64) -> Matrix<f32> {
    let random = Matrix::<i32>::random(Shape::new(rows, cols), seed).unwrap();
    let sign = |row, col| if random.at(row, col) < Some(0) { -1.0 } else { 1.0 };
    Matrix::from_fn(random.shape(), sign).unwrap()
}

fn exactly(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
    let columns = b.transposed();
    let product = |row, col| a.row(row).iter().zip(columns.row(col)).map(|(a, b)| a * b).sum();
    Matrix::from_fn(Shape::new(a.shape().rows, b.shape().cols), product).unwrap()
}

/// The product where the device can make it. It may refuse a method for what it lacks, and a size
/// for its limits, with both numbers in the message.
fn product<T: Element>(
    context: &Context,
    text: &str,
    a: &Matrix<T>,
    b: &Matrix<T>,
) -> Option<Matrix<T>> {
    let options: matmul::Options = text.parse().unwrap();
    match multiply(context, a, b, options) {
        Ok(product) => Some(product),
        Err(Error::Limit { request: Request::Texture { .. }, .. }) => None,
        Err(error) if error.kind() == Kind::Unsupported => None,
        Err(error) => unreachable!("{text}: {error}"),
    }
}

/// Methods whose operands lie in no texture multiply any length.
fn takes_any_length(context: &Context, text: &str) -> bool {
    let buffers = context.abilities().compute.map_or(0, |limits| limits.max_fragment_buffers);
    match text {
        "auto" | "serial" => true,
        _ if text.contains("reads=buffer") => buffers > 2,
        _ => text.starts_with("compute") && context.abilities().compute.is_some(),
    }
}

#[test]
fn products_of_long_rows_are_exact_by_every_method() {
    let products = [70_000, 300_000].map(|k| {
        let (a, b) = (signs(5, k, 1), signs(k, 3, 2));
        let expected = exactly(&a, &b);
        (k, a, b, expected)
    });
    // By turns, each method has one length on one context and the other on the other.
    let cases = METHODS.into_iter().flat_map(|text| products.each_ref().map(|one| (text, one)));
    crate::common::by_turns(cases, |context, (text, (k, a, b, expected))| {
        let c = product(context, text, a, b);
        assert!(c.is_some() || !takes_any_length(context, text), "{text}, k = {k}");
        assert!(c.is_none_or(|c| c == *expected), "{text}, k = {k}");
    });
}

/// Multiplies rows as long as a texture can be: the drawn methods' longest loops.
#[test]
fn products_of_rows_as_long_as_textures_are_exact() {
    let sides = |k: usize| (signs(5, k, 3), signs(k, 3, 4));
    crate::common::by_turns(METHODS, |context, text| {
        let k = context.abilities().max_texture_size.min(32768) as usize;
        let (a, b) = sides(k);
        let c = product(context, text, &a, &b);
        assert!(c.is_none_or(|c| c == exactly(&a, &b)), "{text}, k = {k}");
    });
}

/// Tiles that are large, whose loops compilers do not unroll.
#[test]
fn products_by_large_tiles_are_exact() {
    let k = 70_000;
    let (a, b) = (signs(16, k, 5), signs(k, 16, 6));
    let expected = exactly(&a, &b);
    crate::common::on_extremes(|context| {
        for text in ["block16x8 reads=buffer", "compute-shared tile=8x8", "compute-blocked"] {
            let c = product(context, text, &a, &b);
            assert!(c.is_none_or(|c| c == expected), "{text}");
        }
    });
}

#[test]
fn sums_of_many_integers_are_exact() {
    fn ones<T: Element>(context: &Context, k: usize, method: Method) {
        let a = Matrix::from_fn(Shape::new(4, k), |_, _| T::ONE).unwrap();
        let b = Matrix::from_fn(Shape::new(k, 4), |_, _| T::ONE).unwrap();
        let text = method.to_string();
        let Some(c) = product(context, &text, &a, &b) else { return };
        let expected = multiply(context, &a, &b, Method::Serial).unwrap();
        assert_eq!(c, expected, "{method}, k = {k}");
    }
    crate::common::on_extremes(|context| {
        for method in Method::ALL.into_iter().filter(|method| method.takes_integers()) {
            ones::<i32>(context, 300_000, method);
            ones::<i16>(context, 100_000, method);
        }
        let long = Matrix::from_fn(Shape::new(4, 300_000), |_, _| 1).unwrap();
        let c = multiply(context, &long, &long.transposed(), matmul::Options::new()).unwrap();
        assert_eq!(c.elements(), [300_000; 16]);
    });
}

/// Clauses of three literals beside one of so many, of which a random half is negated.
fn with_a_long_clause(length: usize) -> Cnf {
    let mut cnf = random_cnf(length, 5000, 3, 1).unwrap();
    let random = Matrix::<i32>::random(Shape::new(1, length), 2).unwrap();
    let literals = (1..).zip(random.elements());
    let clause: Vec<i32> = literals.map(|(v, &sign)| if sign < 0 { -v } else { v }).collect();
    cnf.push(&clause).unwrap();
    cnf
}

/// The walk's options for one group of candidates.
fn one_group(seed: u64) -> Options {
    Options::new(128).seed(seed)
}

#[track_caller]
fn says_both_numbers<T>(result: Result<T, sat::Error>, budget: u32) {
    let error = result.err().unwrap();
    assert_eq!(error.kind(), Kind::Limit);
    let sat::Error::LongLoop { iterations, limit, .. } = error else {
        unreachable!("{error}");
    };
    assert!(iterations > 100_000 && limit < budget, "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("take {iterations} loop iterations")), "{text}");
    assert!(text.contains(&format!("given {limit} at most; the evaluator on the CPU")), "{text}");
}

/// A clause whose last literal alone holds: whoever ends the loop early counts one clause too few.
#[test]
fn clauses_of_any_length_are_counted_or_refused() {
    for length in [9000, 300_000] {
        let cnf = with_a_long_clause(length);
        let mut last: Vec<bool> = cnf.clauses().last().unwrap().iter().map(|&l| l < 0).collect();
        last[length - 1] ^= true;
        let expected = satisfied(&cnf, &last);
        assert_eq!(CpuEvaluator::new(&cnf).unwrap().satisfied(&last).unwrap(), expected);
        crate::common::on_extremes(|context| match context.loop_budget().unwrap() {
            Some(budget) if length > 3 * budget as usize => {
                says_both_numbers(TextureEvaluator::new(context, &cnf), budget);
                says_both_numbers(Walk::new(context, &cnf, one_group(1)), budget);
            }
            _ => {
                let mut device = TextureEvaluator::new(context, &cnf).unwrap();
                assert_eq!(device.satisfied(&last).unwrap(), expected, "{length} literals");
                last_is_critical(context, &cnf);
            }
        });
    }
}

/// Checks that after a step of the walk every candidate has flipped a variable or is a model.
fn last_is_critical(context: &Context, cnf: &Cnf) {
    let mut walk = Walk::new(context, cnf, one_group(1)).unwrap();
    walk.begin().unwrap();
    let before = walk.assignments().unwrap();
    walk.step().unwrap();
    for (before, after) in before.iter().zip(walk.assignments().unwrap()) {
        let flipped = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        assert_eq!(flipped, usize::from(satisfied(cnf, before) < cnf.len()));
    }
}

/// A literal in very many clauses makes the walk's choice a long loop.
#[test]
fn variables_in_many_clauses_are_refused_where_loops_end_early() {
    let mut cnf = random_cnf(50, 400_000, 2, 1).unwrap();
    for other in 2..50 {
        (0..8000).for_each(|_| cnf.push(&[1, other]).unwrap());
    }
    cnf.push(&[-1, 2]).unwrap();
    crate::common::on(&[Flavour::Gl, Flavour::Gles30], |context| {
        let walk = Walk::new(context, &cnf, one_group(1));
        match context.loop_budget().unwrap() {
            Some(budget) => says_both_numbers(walk, budget),
            None => drop(walk.unwrap()),
        }
    });
}

/// The best of candidates that satisfy more or less of very many clauses.
#[test]
fn the_best_candidate_is_the_best_of_all_clauses() {
    let cnf = random_cnf(1000, 140_000, 3, 1).unwrap();
    crate::common::each(|context| {
        for seed in 1..3 {
            let mut walk = Walk::new(context, &cnf, one_group(seed)).unwrap();
            let limits = Limits { flips: 0, restarts: 0 };
            let outcome = walk.run(&cnf, limits, &mut ()).unwrap();
            let all = walk.assignments().unwrap();
            let best = all.iter().map(|assignment| satisfied(&cnf, assignment)).max().unwrap();
            assert_eq!(outcome.satisfied, best, "seed {seed}");
        }
    });
}
