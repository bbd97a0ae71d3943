//! Convolutions against their twin: each border and method, on each engine, with shapes and weights
//! that are even, odd, longer than the array, in rows and columns.

use crate::common::planted::faults_must_be_seen;
use crate::common::twins::convolution::correlate;
use crate::common::{each_engine, each_size, random};
use quadrille::grid::DeviceVector;
use quadrille::internal::reference::is_near;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::{Border, Complex, Convolution, Weights};
use quadrille::stream::Engine;
use quadrille::{Context, Shape};

/// The sides of textures by which few numbers fit.
const SIDE: u32 = 16;

fn doubles(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|number| f64::from(*number)).collect()
}

fn first_wrong(got: &[f32], expected: &[f64], bound: f64) -> Option<usize> {
    match got.len() == expected.len() {
        true => got.iter().zip(expected).position(|(got, exact)| !is_near(*got, *exact, bound)),
        false => Some(got.len().min(expected.len())),
    }
}

/// Compares both the correlation and the convolution with weights of this shape.
fn compare(
    context: &Context,
    (engine, method, border): (Engine, Method, Border),
    shape: Shape,
    of_weights: Shape,
) {
    let numbers = random(shape.rows * shape.cols, 5);
    let weights = random(of_weights.rows * of_weights.cols, 7);
    let x = DeviceVector::from_host(context, &numbers).unwrap();
    let mut reversed = doubles(&weights);
    reversed.reverse();
    let (high, wide) = (of_weights.rows, of_weights.cols);
    for (what, given, centre, order) in [
        (
            "correlation",
            Weights::correlation(of_weights, &weights),
            (high / 2, wide / 2),
            doubles(&weights),
        ),
        (
            "convolution",
            Weights::convolution(of_weights, &weights),
            ((high - 1) / 2, (wide - 1) / 2),
            reversed,
        ),
    ] {
        let given = given.unwrap();
        let convolution =
            Convolution::on(context, engine, method, shape, &[&given], border).unwrap();
        let mut y = DeviceVector::from_host(context, &vec![f32::NAN; x.len()]).unwrap();
        convolution.run(&x, &mut y).unwrap();
        let expected = correlate(
            &doubles(&numbers),
            (shape.rows, shape.cols),
            &order,
            (high, wide),
            centre,
            border.name(),
        );
        // The numbers are below 1 in magnitude.
        let wrong = first_wrong(&y.read().unwrap(), &expected, convolution.error_bound());
        assert_eq!(
            wrong, None,
            "{what} of {shape:?} with {of_weights:?}, {border}, {method:?} on {engine}"
        );
        let padding = y.panels().flat_map(|(texture, _)| texture.read().unwrap()).flatten();
        assert!(padding.skip(numbers.len()).all(|number| number == 0.0), "{what}: {shape:?}");
    }
}

#[test]
fn convolutions_are_within_their_bound() {
    each_engine(SIDE, |context, engine| {
        for border in Border::ALL {
            for (shape, weights) in [
                (Shape::new(5, 16), Shape::new(3, 3)),
                (Shape::new(7, 5), Shape::new(3, 3)),
                (Shape::new(9, 4), Shape::new(3, 5)),
                (Shape::new(4, 252), Shape::new(3, 3)),
                (Shape::new(60, 16), Shape::new(4, 3)),
                (Shape::new(1, 40), Shape::new(1, 4)),
                (Shape::new(6, 8), Shape::new(5, 7)),
                (Shape::new(1, 1), Shape::new(1, 5)),
            ] {
                compare(context, (engine, Method::Direct, border), shape, weights);
            }
            compare(
                context,
                (engine, Method::Transform, border),
                Shape::new(5, 6),
                Shape::new(3, 4),
            );
        }
        compare(
            context,
            (engine, Method::Transform, Border::Wrap),
            Shape::new(3, 3),
            Shape::new(7, 9),
        );
        compare(
            context,
            (engine, Method::Direct, Border::Zero),
            Shape::new(20, 36),
            Shape::new(15, 15),
        );
    });
}

#[test]
fn a_column_and_a_row_are_their_product() {
    each_size(SIDE, |context| {
        let (column, row) = ([0.25_f32, 0.5, 0.125], [1.0_f32, -2.0, 3.0, 0.5, 0.75]);
        let product: Vec<f32> =
            column.iter().flat_map(|a| row.iter().map(move |b| a * b)).collect();
        let shape = Shape::new(9, 12);
        let x = DeviceVector::from_host(context, &random(108, 1)).unwrap();
        let given = [
            Weights::convolution(Shape::new(3, 1), &column).unwrap(),
            Weights::convolution(Shape::new(1, 5), &row).unwrap(),
            Weights::convolution(Shape::new(3, 5), &product).unwrap(),
        ];
        let mut results = Vec::new();
        let mut bounds = 0.0;
        for convolution in [
            Convolution::separable(context, shape, &given[0], &given[1], Border::Reflect),
            Convolution::new(context, shape, &given[2], Border::Reflect),
        ] {
            let convolution = convolution.unwrap();
            let mut y = DeviceVector::uninit(context, 108).unwrap();
            convolution.run(&x, &mut y).unwrap();
            bounds += convolution.error_bound();
            results.push(y.read().unwrap());
        }
        assert_eq!(first_wrong(&results[0], &doubles(&results[1]), bounds), None);
    });
}

#[test]
fn what_is_wrong_is_refused_with_numbers() {
    let context = Context::headless().unwrap();
    let error = Weights::correlation(Shape::new(3, 3), &[1.0; 8]).unwrap_err().to_string();
    assert!(error.contains("3 rows and 3 columns: expected 9 values, got 8"), "{error}");
    assert!(Weights::correlation(Shape::new(0, 3), &[]).is_err());
    let many = Weights::correlation(Shape::new(16, 16), &[1.0; 256]).unwrap();
    let (shape, engine) = (Shape::new(4, 4), Engine::Fragment);
    let error = Convolution::on(&context, engine, Method::Direct, shape, &[&many], Border::Zero);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("256 weights exceeds") && error.contains("225"), "{error}");
    let blur = Weights::correlation(Shape::new(1, 1), &[1.0]).unwrap();
    let blur = Convolution::new(&context, shape, &blur, Border::Zero).unwrap();
    let x = DeviceVector::from_host(&context, &[1.0; 15]).unwrap();
    let error = blur.run(&x, &mut DeviceVector::uninit(&context, 16).unwrap()).unwrap_err();
    assert!(error.to_string().contains("expected 16 values, got 15"), "{error}");
    let none = Convolution::new(&context, Shape::new(0, 4), &many, Border::Zero).unwrap();
    let mut empty = DeviceVector::uninit(&context, 0).unwrap();
    none.run(&DeviceVector::uninit(&context, 0).unwrap(), &mut empty).unwrap();
}

#[test]
fn a_wrong_sum_is_seen_wherever_it_stands() {
    let exact = correlate(&[1.0, 2.0, 3.0, 4.0], (2, 2), &[1.0, 0.5], (1, 2), (0, 1), "wrap");
    let with_bounds: Vec<(f64, f64)> = exact.iter().map(|sum| (*sum, 1e-5)).collect();
    faults_must_be_seen(&with_bounds, |got| first_wrong(got, &exact, 1e-5).is_none());
}

#[test]
fn parts_and_products_of_complex_numbers_are_right() {
    each_engine(SIDE, |context, engine| {
        let complex = Complex::on(context, engine).unwrap();
        for count in [0, 1, 3, 70] {
            let (x, y) = (random(2 * count, 1), random(2 * count, 2));
            let of = |numbers: &[f32]| DeviceVector::from_host(context, numbers).unwrap();
            let mut pairs = of(&vec![f32::NAN; 2 * count]);
            let mut singles = of(&vec![f32::NAN; count]);
            complex.product(&of(&x), &of(&y), &mut pairs).unwrap();
            let product = pairs.read().unwrap();
            complex.together(&of(&x[..count]), &of(&y[..count]), &mut pairs).unwrap();
            complex.imaginary(&pairs, &mut singles).unwrap();
            assert_eq!(singles.read().unwrap(), y[..count]);
            complex.real(&pairs, &mut singles).unwrap();
            assert_eq!(singles.read().unwrap(), x[..count]);
            complex.magnitude(&of(&x), &mut singles).unwrap();
            let magnitudes = singles.read().unwrap();
            complex.conjugate(&of(&x), &mut pairs).unwrap();
            let conjugates = pairs.read().unwrap();
            complex.scale(&of(&x), &of(&y[..count]), &mut pairs).unwrap();
            let scaled = pairs.read().unwrap();
            for k in 0..count {
                let [a, b, c, d] = [x[2 * k], x[2 * k + 1], y[2 * k], y[2 * k + 1]].map(f64::from);
                assert!(is_near(product[2 * k], a * c - b * d, 1e-6));
                assert!(is_near(product[2 * k + 1], a * d + b * c, 1e-6));
                assert!(is_near(magnitudes[k], a.hypot(b), 1e-6));
                assert_eq!(scaled[2 * k + 1], x[2 * k + 1] * y[k]);
                assert_eq!(conjugates[2 * k..2 * k + 2], [x[2 * k], -x[2 * k + 1]]);
            }
        }
        let huge = DeviceVector::from_host(context, &[3e30_f32, -4e30, 0.0, 0.0]).unwrap();
        let mut sizes = DeviceVector::from_host(context, &[0.0; 2]).unwrap();
        complex.magnitude(&huge, &mut sizes).unwrap();
        let sizes = sizes.read().unwrap();
        assert!(is_near(sizes[0], 5e30, 1e25) && sizes[1] == 0.0, "{sizes:?}");
    });
}
