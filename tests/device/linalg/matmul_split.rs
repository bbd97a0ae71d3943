//! Products that are split along k: within the bound of their fewer roundings, the same bits on
//! each run, and the sum of their parts in the order of k.

use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::{expected, expected_in_parts};
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::{Method, Multiplier, Options, multiply, multiply_on_device};
use quadrille::{Context, Kind, Shape};

use crate::common::on_compute as each;

/// m, k, n, and the parts along k that are asked for.
const CASES: [((usize, usize, usize), u32); 8] = [
    ((1, 1, 1), 2),
    ((3, 1, 5), 1),
    ((5, 17, 3), 1000),
    ((1, 1000, 1), 7),
    ((63, 65, 127), 2),
    ((65, 127, 63), 7),
    ((127, 128, 65), 3),
    ((2, 4097, 40), 37),
];

fn operands((m, k, n): (usize, usize, usize)) -> (Matrix<f32>, Matrix<f32>) {
    let random = |rows, cols, seed| Matrix::random(Shape::new(rows, cols), seed).unwrap();
    (random(m, k, 1), random(k, n, 2))
}

fn split(parts: u32) -> Options {
    Options::from(Method::ComputeBlocked).split(parts)
}

/// A number of the options that run.
fn told(product: &Multiplier<f32>, name: &str) -> Option<usize> {
    let options = product.options();
    let mut options = options.split(' ').filter_map(|option| option.split_once('='));
    options.find(|(known, _)| *known == name).map(|(_, value)| value.parse().unwrap())
}

/// The product and the steps of a part. The multiplier's buffers hold NaN before: those of the
/// parts and that of C.
fn product(
    context: &Context,
    a: &Matrix<f32>,
    b: &Matrix<f32>,
    options: Options,
) -> (Matrix<f32>, usize) {
    let mut product = Multiplier::new(context, a.shape(), b.shape(), options).unwrap();
    let poison = |shape| Matrix::from_fn(shape, |_, _| f32::NAN).unwrap();
    product.load(&poison(a.shape()), &poison(b.shape())).unwrap();
    product.run().unwrap();
    product.load(a, b).unwrap();
    product.run().unwrap();
    let c = product.read().unwrap();
    product.run().unwrap();
    let again = product.read().unwrap();
    assert_eq!(again.elements(), c.elements(), "{options}: repeated runs differ");
    let (inner, asked) = (told(&product, "inner").unwrap(), options.split.unwrap_or(1) as usize);
    let tiles = a.shape().cols.div_ceil(inner);
    let each = tiles.div_ceil(asked);
    assert_eq!(told(&product, "split").unwrap_or(1), tiles.div_ceil(each), "{options}");
    (c, each * inner)
}

#[test]
fn parts_stay_within_the_bound_of_their_roundings() {
    each(|context| {
        for (size, parts) in CASES {
            let (a, b) = operands(size);
            let (c, span) = product(context, &a, &b, split(parts));
            let wrong = expected_in_parts(&a, &b, span).unwrap().first_wrong(&c);
            assert_eq!(wrong, None, "{parts} parts at {size:?}");
        }
    });
}

#[test]
fn every_tile_can_be_split() {
    each(|context| {
        let (a, b) = operands((128, 70, 128));
        let shared = context.abilities().compute.unwrap().shared_bytes;
        for (tile, bytes) in [("32x32", 0), ("64x64", 16384), ("64x128", 24576), ("128x128", 16384)]
        {
            let text = format!("compute-blocked split=3 tile={tile}");
            if bytes <= shared {
                let (c, span) = product(context, &a, &b, text.parse().unwrap());
                let wrong = expected_in_parts(&a, &b, span).unwrap().first_wrong(&c);
                assert_eq!(wrong, None, "{text}");
            }
        }
    });
}

/// Bit for bit the sums that products of slices give, added from the first to the last.
#[test]
fn parts_are_added_in_the_order_of_k() {
    each(|context| {
        let (a, b) = operands((35, 100, 37));
        let (c, span) = product(context, &a, &b, split(3));
        assert!(span < 100);
        let mut sums: Vec<f32> = Vec::new();
        for first in (0..100).step_by(span) {
            let steps = first..100.min(first + span);
            let columns =
                Matrix::from_fn(Shape::new(35, steps.len()), |i, k| a.at(i, first + k).unwrap());
            let rows =
                Matrix::from_fn(Shape::new(steps.len(), 37), |k, j| b.at(first + k, j).unwrap());
            let part = multiply(context, &columns.unwrap(), &rows.unwrap(), split(1)).unwrap();
            match first {
                0 => sums = part.elements().to_vec(),
                _ => sums.iter_mut().zip(part.elements()).for_each(|(sum, part)| *sum += part),
            }
        }
        assert_eq!(c.elements(), sums);
    });
}

/// The comparison sees a part that is left out, and one that is added twice.
#[test]
fn a_lost_part_is_found() {
    let (a, b) = operands((5, 300, 7));
    let right = expected_in_parts(&a, &b, 100).unwrap();
    for factor in [0.0, 1.0, 2.0] {
        let scaled =
            |i, k| a.at(i, k).unwrap() * if (100..200).contains(&k) { factor } else { 1.0 };
        let changed = Matrix::from_fn(a.shape(), scaled).unwrap();
        let mut c = Matrix::zeros(Shape::new(5, 7)).unwrap();
        quadrille::internal::host::matmul::multiply(&changed, &b, &mut c);
        assert_eq!(right.compare(&c).is_right(), factor == 1.0, "{factor}");
    }
}

#[test]
fn parts_stay_on_the_device() {
    each(|context| {
        let (a, b) = operands((40, 90, 33));
        let [on_a, on_b] = [&a, &b].map(|host| DeviceMatrix::from_host(context, host).unwrap());
        let c = multiply_on_device(&on_a, &on_b, split(4)).unwrap().read().unwrap();
        assert_eq!(c, multiply(context, &a, &b, split(4)).unwrap());
        assert_eq!(expected(&a, &b).unwrap().first_wrong(&c), None);
    });
}

#[test]
fn no_parts_are_refused() {
    each(|context| {
        let shape = Shape::new(2, 2);
        let error = Multiplier::<f32>::new(context, shape, shape, split(0)).err().unwrap();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(error.to_string(), "compute-blocked: a split must have at least 1 part");
    });
}
