//! The multiply by compute shaders: against f64, against wrapping integers, at awkward sizes, and
//! what is refused.

mod refusals;

use crate::common::{Flavour, on_compute as each};
use quadrille::data::{Matrix, Number};
use quadrille::internal::Ability;
use quadrille::internal::reference::Wrong;
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::matmul::{
    Cell, Element, Error, Method, Multiplier, Options, Tile, multiply,
};
use quadrille::shader::Reads;
use quadrille::stream::Order;
use quadrille::{Context, Kind, Shape};

const METHODS: [Method; 4] =
    [Method::ComputeSimple, Method::ComputeTiled, Method::ComputeShared, Method::ComputeBlocked];

/// The methods that multiply any sizes; the first of all has one work group.
const ANY_SIZE: [Method; 3] = [Method::ComputeTiled, Method::ComputeShared, Method::ComputeBlocked];

/// m, k, n: 1, primes, one over a power of two, thin, and whole tiles.
const SIZES: [(usize, usize, usize); 12] = [
    (1, 1, 1),
    (1, 7, 1),
    (7, 1, 5),
    (2, 3, 4),
    (13, 1, 1),
    (1, 1, 37),
    (17, 257, 31),
    (33, 65, 17),
    (129, 17, 65),
    (257, 33, 3),
    (5, 129, 257),
    (64, 64, 64),
];

fn tile(width: u32, height: u32) -> Tile {
    Tile { width, height }
}

fn options(method: Method, tile: Option<Tile>) -> Options {
    let mut options = Options::from(method);
    options.tile = tile;
    options
}

fn floats(rows: usize, cols: usize, seed: u64) -> Matrix<f32> {
    Matrix::new(Shape::new(rows, cols), crate::common::random(rows * cols, seed)).unwrap()
}

/// Integers of the whole range, so that products and sums wrap.
fn integers<T: Number>(rows: usize, cols: usize, cut: impl Fn(u64) -> T) -> Matrix<T> {
    let mut state = 88_172_645_463_325_252_u64 + (rows * 1000 + cols) as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 8
    };
    Matrix::from_fn(Shape::new(rows, cols), |_, _| cut(next())).unwrap()
}

/// The first element that is further from the product in double precision than rounding explains.
fn wrong_element(a: &Matrix<f32>, b: &Matrix<f32>, c: &Matrix<f32>) -> Option<Wrong> {
    assert_eq!(c.shape(), Shape::new(a.shape().rows, b.shape().cols));
    expected(a, b).unwrap().first_wrong(c)
}

#[track_caller]
fn check(context: &Context, options: Options, (m, k, n): (usize, usize, usize)) {
    let (a, b) = (floats(m, k, 1), floats(k, n, 2));
    let c =
        multiply(context, &a, &b, options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    assert_eq!(wrong_element(&a, &b, &c), None, "{options:?} at {m} x {k} x {n}");
}

#[test]
fn any_sizes_are_multiplied() {
    each(|context| {
        for method in ANY_SIZE {
            for sizes in SIZES {
                check(context, method.into(), sizes);
            }
        }
    });
}

/// GLSL 430 without `precise`, and ES 3.1, which has no `fma` either.
#[test]
fn sums_without_fma_are_as_good() {
    for flavour in [Flavour::Gl, Flavour::Gles] {
        let context = flavour.builder().without(Ability::Precise).build().unwrap();
        if context.abilities().compute.is_none() {
            continue;
        }
        crate::common::clean("without precise", &context, |context| {
            for method in ANY_SIZE {
                check(context, method.into(), (33, 65, 17));
            }
        });
    }
}

#[test]
fn one_work_group_multiplies_what_fits_in_it() {
    each(|context| {
        for sizes in [(1, 1, 1), (7, 1, 5), (2, 300, 4), (8, 16, 16), (11, 13, 7), (128, 2, 1)] {
            check(context, Method::ComputeSimple.into(), sizes);
        }
        let limits = context.abilities().compute.unwrap();
        let rows = limits.max_invocations as usize / 16;
        check(context, Method::ComputeSimple.into(), (rows, 3, 16));
        let (a, b) = (floats(rows + 1, 3, 1), floats(3, 16, 2));
        let error = multiply(context, &a, &b, Method::ComputeSimple).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit);
        let count = 16 * (rows + 1);
        let expected = format!(
            "compute-simple: a work group of 16x{} = {count} invocations exceeds this device's limit \
             of {}; this method computes all of C in one dispatch: use compute-tiled",
            rows + 1,
            limits.max_invocations
        );
        assert_eq!(error.to_string(), expected);
    });
}

#[test]
fn tiles_that_divide_are_taken() {
    each(|context| {
        for (width, height) in [(1, 1), (7, 4), (4, 7), (28, 1), (1, 28), (14, 2)] {
            let options = options(Method::ComputeTiled, Some(tile(width, height)));
            check(context, options, (28, 11, 28));
        }
        let squares = [1, 2, 3, 5, 6, 10, 11].map(|side| (side, side));
        for (width, height) in squares.into_iter().chain([(1, 7), (4, 8), (5, 6), (8, 16)]) {
            let options = options(Method::ComputeShared, Some(tile(width, height)));
            let (width, height) = (width as usize, height as usize);
            check(context, options, (2 * height, 3 * width, 4 * width));
        }
        let limits = context.abilities().compute.unwrap();
        for (width, height) in [(32, 32), (64, 64), (64, 128), (128, 128), (128, 256)] {
            let options = options(Method::ComputeBlocked, Some(tile(width, height)));
            let (m, n) = (height as usize, width as usize);
            let bytes = 2 * 4 * 16 * (width + height);
            if bytes <= limits.shared_bytes {
                check(context, options, (m, 7, 2 * n));
                check(context, options, (2 * m, 40, n));
            } else {
                let made =
                    Multiplier::<f32>::new(context, Shape::new(m, 7), Shape::new(7, n), options);
                let text = made.err().unwrap().to_string();
                assert!(text.contains(&format!("{bytes} bytes of shared memory")), "{text}");
            }
        }
    });
}

/// The check of the other tests can fail, by one element that is off by little.
#[test]
fn a_wrong_element_is_found() {
    each(|context| {
        for method in ANY_SIZE {
            let (a, b) = (floats(17, 9, 1), floats(9, 13, 2));
            let mut c = multiply(context, &a, &b, method).unwrap();
            assert_eq!(wrong_element(&a, &b, &c), None);
            c.elements_mut()[16 * 13 + 12] += 1e-5;
            let found = wrong_element(&a, &b, &c).unwrap();
            assert_eq!((found.row, found.col), (16, 12), "{found}");
            c.elements_mut()[16 * 13 + 12] = f32::NAN;
            assert!(wrong_element(&a, &b, &c).is_some());
        }
    });
}

fn integers_wrap<T: Element>(context: &Context, cut: impl Fn(u64) -> T) {
    for (m, k, n) in SIZES.into_iter().chain([(11, 1000, 9)]) {
        let (a, b) = (integers(m, k, &cut), integers(k, n, &cut));
        let expected = multiply(context, &a, &b, Method::Serial).unwrap();
        for method in METHODS.into_iter().filter(|method| method.takes_integers()) {
            if method == Method::ComputeSimple && (m * n > 128 || m.max(n) > 128) {
                continue;
            }
            let c = multiply(context, &a, &b, method).unwrap();
            assert!(c == expected, "{method} at {m} x {k} x {n} of {}", T::NAME);
        }
    }
}

#[test]
fn integers_wrap_as_their_type_does() {
    each(|context| {
        integers_wrap(context, |bits| bits as i16);
        integers_wrap(context, |bits| bits as i32);
    });
}

#[test]
fn the_extremes_of_integers_wrap() {
    each(|context| {
        for method in [Method::ComputeSimple, Method::ComputeTiled, Method::ComputeShared] {
            let row = |values: [i16; 3]| Matrix::new(Shape::new(1, 3), values.to_vec()).unwrap();
            let col = |values: [i16; 3]| Matrix::new(Shape::new(3, 1), values.to_vec()).unwrap();
            let product = |a, b| multiply(context, &row(a), &col(b), method).unwrap().at(0, 0);
            assert_eq!(product([i16::MAX, 1, 0], [1, 1, 9]), Some(i16::MIN));
            assert_eq!(product([i16::MIN, 0, 0], [-1, 0, 0]), Some(i16::MIN));
            assert_eq!(product([i16::MIN, i16::MIN, -1], [i16::MIN, i16::MAX, 1]), Some(32767));
            let wide = Matrix::new(Shape::new(1, 2), vec![i32::MAX, i32::MIN]).unwrap();
            let tall = Matrix::new(Shape::new(2, 1), vec![2, -1]).unwrap();
            let c = multiply(context, &wide, &tall, method).unwrap();
            let expected = i32::MAX.wrapping_mul(2).wrapping_add(i32::MIN.wrapping_mul(-1));
            assert_eq!(c.at(0, 0), Some(expected));
        }
    });
}

/// The zeros that fill tiles up must not turn an infinity into a NaN, nor spread one.
#[test]
fn what_is_not_finite_stays_in_its_row_and_column() {
    each(|context| {
        for method in ANY_SIZE {
            let (mut a, mut b) = (floats(19, 21, 1), floats(21, 35, 2));
            a.elements_mut()[4 * 21 + 20] = f32::INFINITY;
            a.elements_mut()[18 * 21] = f32::NAN;
            b.elements_mut()[20 * 35 + 34] = f32::NEG_INFINITY;
            let c = multiply(context, &a, &b, method).unwrap();
            for i in 0..19 {
                for j in 0..35 {
                    let got = c.at(i, j).unwrap();
                    let at = format!("{method} ({i}, {j}): {got}");
                    let factor = match (i, j) {
                        (18, _) => None,
                        (4, _) => b.at(20, j),
                        (_, 34) => a.at(i, 20).map(|a| -a),
                        _ => {
                            assert!(got.is_finite(), "{at}");
                            continue;
                        }
                    };
                    match factor {
                        None => assert!(got.is_nan(), "{at}"),
                        Some(factor) => assert_eq!(got, f32::INFINITY.copysign(factor), "{at}"),
                    }
                }
            }
        }
    });
}

#[test]
fn a_multiplier_runs_again_with_other_numbers() {
    each(|context| {
        for method in ANY_SIZE {
            let shapes = (Shape::new(21, 5), Shape::new(5, 34));
            let mut product = Multiplier::new(context, shapes.0, shapes.1, method).unwrap();
            for seed in [1, 7] {
                let (a, b) = (floats(21, 5, seed), floats(5, 34, seed + 1));
                product.load(&a, &b).unwrap();
                product.run().unwrap();
                product.run().unwrap();
                assert_eq!(wrong_element(&a, &b, &product.read().unwrap()), None, "{method}");
            }
        }
    });
}

#[test]
fn what_runs_is_told() {
    each(|context| {
        let (a, b) = (Shape::new(20, 30), Shape::new(30, 40));
        let made = |options: Options| Multiplier::<f32>::new(context, a, b, options).unwrap();
        let told = |options| (made(options).options(), made(options).fetched_bytes());
        let simple = Multiplier::<f32>::new(
            context,
            Shape::new(2, 30),
            Shape::new(30, 4),
            Method::ComputeSimple,
        );
        let simple = simple.unwrap();
        assert_eq!((simple.options().as_str(), simple.fetched_bytes()), ("", 2 * 4 * 2 * 30 * 4));
        let tiled = told(options(Method::ComputeTiled, Some(tile(8, 4))));
        assert_eq!(tiled, ("tile=8x4".to_owned(), 2 * 4 * 20 * 30 * 40));
        let shared = told(options(Method::ComputeShared, Some(tile(10, 10))));
        assert_eq!(shared, ("tile=10x10".to_owned(), 2 * 4 * 20 * 30 * 40 / 10));
        // Filled up to 32 x 32 x 64, in 2 x 4 tiles.
        let tall = told(options(Method::ComputeShared, Some(tile(5, 10))));
        assert_eq!(tall, ("tile=5x10".to_owned(), 4 * 2 * 8 * 6 * 5 * (5 + 10)));
        let open = Multiplier::<i16>::new(context, a, b, Method::ComputeShared).unwrap();
        assert_eq!(open.options(), "tile=16x16");
        assert_eq!(open.fetched_bytes(), 2 * 4 * 32 * 32 * 48 / 16);
        let c = (Shape::new(64, 30), Shape::new(30, 96));
        let blocked = options(Method::ComputeBlocked, Some(tile(32, 32)));
        let blocked = Multiplier::<f32>::new(context, c.0, c.1, blocked).unwrap();
        assert_eq!(blocked.options(), "tile=32x32 inner=16 block=4x4");
        assert_eq!(blocked.fetched_bytes(), 4 * 2 * 3 * 32 * (32 + 32));
    });
}
