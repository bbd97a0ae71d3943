//! Drawn products against their twin, on every flavour of context.

use crate::common::Flavour;
use quadrille::data::{Matrix, Number};
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::matmul::{self, Element, Method, Multiplier, Options};
use quadrille::stream::Engine;
use quadrille::{Context, Shape};

/// Rows of A, inner dimension, columns of B: 1, primes, one over a power of two, thin and wide.
const SIZES: [(usize, usize, usize); 9] = [
    (1, 1, 1),
    (1, 7, 1),
    (5, 1, 3),
    (2, 3, 4),
    (7, 5, 11),
    (16, 16, 8),
    (17, 33, 9),
    (31, 8, 65),
    (17, 257, 19),
];

fn operands<T: Number>(size: (usize, usize, usize), seed: u64) -> (Matrix<T>, Matrix<T>) {
    let (rows, inner, cols) = size;
    let a = Matrix::random(Shape::new(rows, inner), seed).unwrap();
    (a, Matrix::random(Shape::new(inner, cols), seed + 1).unwrap())
}

fn options(text: &str) -> Options {
    text.parse().unwrap()
}

/// The drawn methods that this context can run.
fn drawn(context: &Context) -> impl Iterator<Item = Method> {
    let drawn = Method::ALL.into_iter().filter(|method| method.engine() == Some(Engine::Fragment));
    drawn.filter(|method| method.lacks(context.abilities()).is_none())
}

#[track_caller]
fn must_be_right<T: Element>(context: &Context, options: Options, size: (usize, usize, usize)) {
    let (a, b) = operands::<T>(size, 7);
    let c = matmul::multiply(context, &a, &b, options).unwrap();
    let comparison = expected(&a, &b).unwrap().compare(&c);
    assert!(comparison.is_right(), "{options} at {size:?}: {comparison:?}");
}

#[test]
fn every_method_is_right_at_awkward_sizes() {
    let methods =
        Method::ALL.into_iter().filter(|method| method.engine() == Some(Engine::Fragment));
    crate::common::by_turns(methods, |context, &method| {
        if method.lacks(context.abilities()).is_none() {
            for size in SIZES {
                must_be_right::<f32>(context, method.into(), size);
            }
        }
    });
}

#[test]
fn every_option_is_right() {
    const TEXTS: [&str; 26] = [
        "element strips=8 padding=0",
        "cp strips=16 padding=0 b=plain",
        "sp strips=4 padding=3 unroll=2 passes=3",
        "sp strips=8 a=transposed reads=fetch",
        "block8x4 strips=8 b=plain a=transposed",
        "block8x8 strips=12 reads=buffer b=plain padding=0",
        "element cell=4",
        "element cell=4 a=transposed reads=fetch",
        "element unroll=3 passes=4",
        "element a=transposed b=plain padding=0",
        "cp reads=fetch",
        "cp unroll=1023",
        "cp unroll=1 passes=3",
        "cp a=transposed b=plain padding=2",
        "sp unroll=128",
        "sp reads=fetch b=plain padding=0",
        "sp passes=5 unroll=2",
        "sp a=transposed b=transposed cover=quad",
        "block4x4 cell=2x2",
        "block4x4 cell=2x2 reads=fetch b=plain unroll=1",
        "block8x4 cover=quad unroll=7",
        "block8x4 a=transposed b=plain",
        "block8x8 reads=buffer",
        "block8x8 reads=buffer a=transposed b=plain padding=3 unroll=5",
        "block16x8 reads=fetch cover=quad",
        "block16x8 reads=buffer unroll=1",
    ];
    crate::common::by_turns(TEXTS, |context, text| {
        let options = options(text);
        if options.method.unwrap().lacks(context.abilities()).is_none() {
            for size in [(1, 1, 1), (7, 5, 11), (17, 67, 33)] {
                must_be_right::<f32>(context, options, size);
            }
        }
    });
}

#[test]
fn a_mapping_in_blocks_changes_no_bit() {
    crate::common::each(|context| {
        let (a, b) = operands::<f32>((61, 300, 45), 3);
        for method in ["element", "cp", "sp", "block4x4"] {
            let product = |mapping: &str| {
                let options = options(&format!("{method} {mapping}"));
                matmul::multiply(context, &a, &b, options)
            };
            let plain = product("padding=0 b=plain").unwrap();
            for mapping in ["strips=64 padding=0", "strips=32 padding=1 b=plain a=transposed"] {
                assert_eq!(product(mapping).unwrap(), plain, "{method} {mapping}");
            }
            let error = product("strips=6 unroll=4").unwrap_err().to_string();
            assert!(error.contains("strips") && error.contains("a multiple of"), "{error}");
        }
    });
}

#[test]
fn tiles_in_every_order_are_right() {
    crate::common::on(&[Flavour::Gl, Flavour::Gles30], |context| {
        for order in ["rows", "columns", "morton", "hilbert"] {
            for method in drawn(context) {
                let options = options(&format!("{method} tile=16x16 order={order}"));
                must_be_right::<f32>(context, options, (64, 9, 48));
            }
        }
    });
}

#[test]
fn integers_wrap_as_their_type_does() {
    crate::common::each(|context| {
        for size in SIZES {
            must_be_right::<i16>(context, Method::Element.into(), size);
            must_be_right::<i32>(context, Method::Element.into(), size);
        }
        must_be_right::<i16>(context, options("element passes=3 reads=fetch"), (9, 40, 9));
    });
}

#[test]
fn nothing_to_multiply_is_zeros_or_nothing() {
    crate::common::each(|context| {
        for method in drawn(context) {
            for size in [(0, 3, 2), (2, 0, 3), (3, 2, 0), (0, 0, 0)] {
                let (a, b) = operands::<f32>(size, 1);
                let c = matmul::multiply(context, &a, &b, method).unwrap();
                assert_eq!(c, Matrix::zeros(Shape::new(size.0, size.2)).unwrap());
            }
        }
    });
}

#[test]
fn products_with_identity_give_the_other_operand() {
    crate::common::on(&[Flavour::Gl], |context| {
        for method in drawn(context) {
            for n in 1..=12 {
                let a = Matrix::<f32>::random(Shape::new(n, n), n as u64).unwrap();
                let one = Matrix::identity(n).unwrap();
                assert_eq!(matmul::multiply(context, &a, &one, method).unwrap(), a);
                assert_eq!(matmul::multiply(context, &one, &a, method).unwrap(), a);
            }
        }
    });
}

/// CP, SP and blocks add the same products in the same order.
#[test]
fn methods_agree_to_the_last_bit_where_there_is_precise() {
    crate::common::each(|context| {
        if !context.abilities().precise {
            return crate::common::not_tested("no `precise`");
        }
        for size in [(5, 3, 7), (33, 129, 17), (64, 64, 64), (20, 1000, 12)] {
            let (a, b) = operands::<f32>(size, 3);
            let bits = |text: &str| -> Vec<u32> {
                let c = matmul::multiply(context, &a, &b, options(text)).unwrap();
                c.elements().iter().map(|number| number.to_bits()).collect()
            };
            let cp = bits("cp");
            let mut others = vec![
                "element",
                "element cell=4",
                "cp passes=3 reads=fetch",
                "sp",
                "sp unroll=5 passes=2",
                "block4x4",
                "block4x4 cell=2x2",
                "block8x4",
                "block8x4 unroll=3 cover=quad",
                "block8x8",
                "block8x8 reads=buffer",
                "block16x8",
                "block16x8 reads=fetch",
            ];
            others
                .retain(|text| options(text).method.unwrap().lacks(context.abilities()).is_none());
            for text in others {
                assert_eq!(bits(text), cp, "{text} at {size:?}");
            }
        }
    });
}

/// Zeros that fill texels meet zeros alone: no infinity of the operands becomes NaN where the
/// product has none.
#[test]
fn padding_makes_no_nan() {
    crate::common::each(|context| {
        let (mut a, mut b) = operands::<f32>((5, 3, 7), 5);
        a.elements_mut()[2 * 3 + 1] = f32::INFINITY;
        b.elements_mut()[2] = f32::NAN;
        b.elements_mut()[7..14].fill(1.0);
        let expected = expected(&a, &b).unwrap();
        for method in drawn(context) {
            let c = matmul::multiply(context, &a, &b, method).unwrap();
            assert!(expected.compare(&c).is_right(), "{method}: {:?}", c.elements());
        }
    });
}

#[test]
fn a_multiplier_runs_again_with_other_operands() {
    crate::common::each(|context| {
        for method in drawn(context) {
            let size = (9, 10, 11);
            let (a, b) = operands::<f32>(size, 1);
            let mut multiplier = Multiplier::new(context, a.shape(), b.shape(), method).unwrap();
            for seed in [1, 20] {
                let (a, b) = operands::<f32>(size, seed);
                multiplier.load(&a, &b).unwrap();
                for _ in 0..3 {
                    multiplier.run().unwrap();
                }
                let c = multiplier.read().unwrap();
                assert!(expected(&a, &b).unwrap().compare(&c).is_right(), "{method}, seed {seed}");
            }
        }
    });
}

#[test]
fn the_comparison_sees_a_transposed_operand_and_a_lost_step() {
    crate::common::on(&[Flavour::Gl], |context| {
        let (a, b) = operands::<f32>((12, 12, 12), 5);
        let right = expected(&a, &b).unwrap();
        let wrong = matmul::multiply(context, &a, &b.transposed(), Method::Cp).unwrap();
        assert!(!right.compare(&wrong).is_right());
        let mut short = a.clone();
        for row in 0..12 {
            short.elements_mut()[12 * row + 11] = 0.0;
        }
        let wrong = matmul::multiply(context, &short, &b, Method::Sp).unwrap();
        assert!(!right.compare(&wrong).is_right());
    });
}

/// Operands, result, and one partial result where passes need it.
#[test]
fn the_device_holds_operands_result_and_at_most_one_partial() {
    crate::common::on(&[Flavour::Gl], |context| {
        let n = 256;
        let matrix = (n * n * 4) as f64;
        for method in drawn(context) {
            let (a, b) = operands::<f32>((n, n, n), 1);
            let mut multiplier = Multiplier::new(context, a.shape(), b.shape(), method).unwrap();
            multiplier.load(&a, &b).unwrap();
            multiplier.run().unwrap();
            let bytes = context.objects().unwrap().bytes as f64;
            let matrices =
                if matches!(method, Method::Element | Method::Cp | Method::Sp) { 4.0 } else { 3.0 };
            // Five texels pad each row of an operand.
            assert!(bytes < 1.06 * matrices * matrix, "{method}: {:.2} matrices", bytes / matrix);
        }
    });
}
