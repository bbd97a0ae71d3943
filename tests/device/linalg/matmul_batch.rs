//! Products of a batch: those of each pair alone, bit for bit, at awkward sizes and in several
//! dispatches.

use crate::common::Flavour;
use quadrille::data::{Matrix, Number};
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::matmul::{
    BatchMultiplier, Element, Error, Method, Options, multiply, multiply_batch,
};
use quadrille::stream::Engine;
use quadrille::{Context, Kind, Shape};

/// Products, m, k, n.
const SIZES: [[usize; 4]; 5] =
    [[3, 1, 1, 1], [2, 5, 3, 7], [4, 1, 65, 2], [3, 17, 1, 9], [5, 33, 63, 34]];

fn each(body: impl Fn(&Context)) {
    crate::common::on(&[Flavour::Gl, Flavour::Gles30], body);
}

fn random<T: Number>(count: usize, shape: Shape, seed: u64) -> Vec<Matrix<T>> {
    (0..count).map(|i| Matrix::random(shape, seed + 100 * i as u64).unwrap()).collect()
}

fn operands<T: Number>([count, m, k, n]: [usize; 4]) -> (Vec<Matrix<T>>, Vec<Matrix<T>>) {
    (random(count, Shape::new(m, k), 1), random(count, Shape::new(k, n), 2))
}

/// The methods that multiply this type here; one work group makes all of C, so that not every size
/// fits.
fn methods<T: Element>(context: &Context, [_, m, _, n]: [usize; 4]) -> Vec<Method> {
    let runs = |method: &Method| {
        (T::IS_FLOAT || method.takes_integers())
            && method.lacks(context.abilities()).is_none()
            && (*method != Method::ComputeSimple || m * n <= 128)
    };
    Method::ALL.into_iter().filter(runs).collect()
}

/// The products, of a multiplier whose memory held other products before.
fn products<T: Element>(
    context: &Context,
    options: Options,
    (a, b): (&[Matrix<T>], &[Matrix<T>]),
    poison: T,
) -> Vec<Matrix<T>> {
    let (of_a, of_b) = (a[0].shape(), b[0].shape());
    let mut batch = BatchMultiplier::new(context, a.len(), of_a, of_b, options).unwrap();
    let poisoned = |shape| vec![Matrix::from_fn(shape, |_, _| poison).unwrap(); a.len()];
    batch.load(&poisoned(of_a), &poisoned(of_b)).unwrap();
    batch.run().unwrap();
    batch.load(a, b).unwrap();
    batch.run().unwrap();
    batch.read().unwrap()
}

fn must_be_those_of_each<T: Element>(
    context: &Context,
    size: [usize; 4],
    options: Options,
    poison: T,
) {
    let (a, b) = operands::<T>(size);
    let batch = products(context, options, (&a, &b), poison);
    assert_eq!(batch.len(), a.len());
    for (i, (c, (a, b))) in batch.iter().zip(a.iter().zip(&b)).enumerate() {
        let wrong = expected(a, b).unwrap().first_wrong(c);
        assert_eq!(wrong, None, "product {i} of {size:?}, {options} of {}", T::NAME);
    }
}

#[test]
fn every_method_multiplies_every_pair() {
    each(|context| {
        for (at, size) in SIZES.into_iter().enumerate() {
            // Each method at several sizes: every text takes long to compile.
            for (turn, method) in methods::<f32>(context, size).into_iter().enumerate() {
                if crate::common::is_thorough() || (at + turn) % 3 == 0 {
                    must_be_those_of_each::<f32>(context, size, method.into(), f32::NAN);
                }
            }
        }
        for method in methods::<i16>(context, SIZES[1]) {
            must_be_those_of_each::<i16>(context, SIZES[1], method.into(), i16::MIN);
        }
        must_be_those_of_each::<i32>(context, SIZES[4], Options::new(), i32::MIN);
    });
}

#[test]
fn every_layout_and_a_split_multiply_every_pair() {
    const TEXTS: [&str; 9] = [
        "element cell=4 a=transposed b=plain",
        "cp b=plain padding=2 passes=2",
        "sp tile=2x2 unroll=3",
        "block4x4 cell=2x2 b=plain",
        "block8x4 a=transposed b=plain",
        "block8x8 reads=buffer passes=2",
        "block16x8 b=plain",
        "compute-blocked split=3",
        "compute-shared tile=2x4",
    ];
    each(|context| {
        for text in TEXTS {
            let options: Options = text.parse().unwrap();
            if options.method.unwrap().lacks(context.abilities()).is_none() {
                must_be_those_of_each(context, [3, 4, 50, 6], options, f32::NAN);
            }
        }
    });
}

/// Each adds the products of an element in the order of k, alone or in a batch.
#[test]
fn a_batch_has_the_bits_of_its_products() {
    each(|context| {
        let (a, b) = operands::<f32>([3, 9, 70, 10]);
        for method in [Method::Block8x4, Method::ComputeBlocked] {
            if method.lacks(context.abilities()).is_some() {
                continue;
            }
            let batch = multiply_batch(context, &a, &b, method).unwrap();
            for (i, c) in batch.iter().enumerate() {
                assert_eq!(*c, multiply(context, &a[i], &b[i], method).unwrap(), "{method}, {i}");
            }
        }
    });
}

/// Matrices below each other, of which a texture holds no more than its side.
#[test]
fn what_one_draw_cannot_hold_is_drawn_in_parts() {
    each(|context| {
        let count = context.abilities().max_texture_size as usize / 4 + 3;
        let size = [count, 2, 1, 2];
        let (a, b) = operands::<f32>(size);
        let (of_a, of_b) = (a[0].shape(), b[0].shape());
        let mut batch = BatchMultiplier::new(context, count, of_a, of_b, Method::Element).unwrap();
        assert_eq!((batch.method(), batch.dispatches()), (Method::Element, 1));
        drop(batch);
        let (a, b) = ([&a[..], &a[..], &a[..]].concat(), [&b[..], &b[..], &b[..]].concat());
        batch = BatchMultiplier::new(context, 3 * count, of_a, of_b, Method::Element).unwrap();
        assert_eq!(batch.dispatches(), 2);
        batch.load(&a, &b).unwrap();
        batch.run().unwrap();
        for (c, (a, b)) in batch.read().unwrap().iter().zip(a.iter().zip(&b)) {
            assert_eq!(expected(a, b).unwrap().first_wrong(c), None);
        }
    });
}

/// The products that a pair of the wrong neighbours would have are not accepted.
#[test]
fn products_of_other_pairs_are_found() {
    let (a, b) = operands::<f32>([2, 5, 3, 7]);
    let mut c = Matrix::zeros(Shape::new(5, 7)).unwrap();
    for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        quadrille::internal::host::matmul::multiply(&a[left], &b[right], &mut c);
        let is_right = expected(&a[0], &b[0]).unwrap().compare(&c).is_right();
        assert_eq!(is_right, (left, right) == (0, 0));
    }
}

#[test]
fn nothing_and_empty_matrices_are_multiplied() {
    each(|context| {
        assert_eq!(multiply_batch::<f32>(context, &[], &[], Options::new()).unwrap(), []);
        for (m, k, n) in [(0, 3, 2), (2, 0, 3), (2, 3, 0)] {
            let (a, b) = operands::<f32>([2, m, k, n]);
            let c = multiply_batch(context, &a, &b, Method::Sp).unwrap();
            let zeros = Matrix::zeros(Shape::new(m, n)).unwrap();
            assert_eq!(c, [zeros.clone(), zeros], "{m} x {k} x {n}");
        }
    });
}

#[track_caller]
fn says<R>(result: Result<R, Error>, text: &str) {
    let error = result.err().unwrap();
    assert_eq!(error.kind(), Kind::Input, "{error}");
    assert_eq!(error.to_string(), text);
}

#[test]
fn other_shapes_and_numbers_are_refused() {
    each(|context| {
        let (a, b) = operands::<f32>([3, 2, 4, 5]);
        let multiply =
            |a: &[Matrix<f32>], b: &[Matrix<f32>]| multiply_batch(context, a, b, Method::Element);
        says(multiply(&a, &b[..2]), "a batch of 3 products needs as many matrices B, not 2");
        says(multiply(&a, &[]), "a batch of 3 products needs as many matrices B, not 0");
        says(multiply(&[], &b), "a batch of 0 products needs as many matrices B, not 3");
        let mut odd = a.clone();
        odd[2] = Matrix::zeros(Shape::new(4, 2)).unwrap();
        says(
            multiply(&odd, &b),
            "matrix 2 of the batch's A is a 4 x 2 matrix, but this batch multiplies matrices A of 2 x 4",
        );
        let inner = multiply(&a, &a).unwrap_err();
        assert!(matches!(inner, Error::Inner { .. }), "{inner}");
        let (of_a, of_b) = (a[0].shape(), b[0].shape());
        let mut batch =
            BatchMultiplier::<f32>::new(context, 3, of_a, of_b, Method::Element).unwrap();
        says(batch.run(), "there is nothing to multiply: call `load` or `load_from` before `run`");
        batch.load(&a, &b).unwrap();
        let text =
            "the loaded matrices have not been multiplied: call `run` before `read` or `write_to`";
        says(batch.read(), text);
        assert_eq!(batch.method().engine(), Some(Engine::Fragment));
    });
}
