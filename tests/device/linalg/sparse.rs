//! Sparse products against their twin, within the bound of a row's sum: matrices of every shape, rows
//! of no entries and rows that are cut, on each engine, and with vectors as large as their textures.

use crate::common::each_engine;
use crate::common::planted::faults_must_be_seen;
use quadrille::data::Csr;
use quadrille::grid::DeviceVector;
use quadrille::internal::reference::{first_wrong, sparse};
use quadrille::linalg::sparse::Operator;
use quadrille::stream::Engine;
use quadrille::{Context, Kind, Shape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The sides of textures by which large vectors fill theirs.
const SIDE: u32 = 64;

/// Rows and columns.
const SHAPES: [(usize, usize); 9] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (4, 5), (17, 257), (257, 16), (521, 1021), (1021, 1021)];

fn random() -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(40)
}

fn vector(length: usize) -> Vec<f32> {
    let mut random = random();
    (0..length).map(|_| random.random_range(-1.0..1.0)).collect()
}

/// A matrix whose row `i` has about this many entries at random.
fn matrix((rows, cols): (usize, usize), length: impl Fn(usize) -> usize) -> Csr {
    let mut random = random();
    let mut entries = Vec::new();
    for row in 0..rows {
        for _ in 0..length(row).min(cols) {
            let value = random.random_range(-1.0..1.0_f32);
            entries.push((row, random.random_range(0..cols), value));
        }
    }
    Csr::from_entries(Shape::new(rows, cols), entries).unwrap()
}

/// Each number of alpha A x + beta y with its bound.
fn expected(
    operator: &Operator,
    a: &Csr,
    (alpha, x): (f32, &[f32]),
    (beta, y): (f32, &[f32]),
) -> Vec<(f64, f64)> {
    let (alpha, beta) = (f64::from(alpha), f64::from(beta));
    let terms = sparse::product(a, x).into_iter().zip(sparse::magnitudes(a, x)).zip(y);
    let element = |((product, magnitude), y): ((f64, f64), &f32)| {
        let size = (alpha * magnitude).abs() + (beta * f64::from(*y)).abs();
        (alpha * product + beta * f64::from(*y), operator.error_bound() * size)
    };
    terms.map(element).collect()
}

/// A vector that is NaN all over, padding too.
fn poisoned(context: &Context, length: usize) -> DeviceVector {
    let mut vector = DeviceVector::uninit(context, length).unwrap();
    vector.panels_mut().for_each(|(panel, _)| panel.fill([f32::NAN; 4]).unwrap());
    vector
}

fn check(context: &Context, engine: Engine, a: &Csr) {
    let Shape { rows, cols } = a.shape();
    let operator = Operator::on(context, a, engine).unwrap();
    assert_eq!(
        (operator.shape(), operator.entries(), operator.engine()),
        (a.shape(), a.entries(), engine)
    );
    assert!(operator.stored() >= a.entries());
    let (x, old) = (vector(cols), vector(rows));
    let on_device = DeviceVector::from_host(context, &x).unwrap();
    let mut y = poisoned(context, rows);
    operator.apply_to(&on_device, &mut y).unwrap();
    let product = expected(&operator, a, (1.0, &x), (0.0, &old));
    assert_eq!(first_wrong(y.read().unwrap(), product), None, "{engine}: A x of {a:?}");
    padding_is_zero(&y);
    let mut y = DeviceVector::from_host(context, &old).unwrap();
    operator.accumulate(-0.75, &on_device, 1.5, &mut y).unwrap();
    let sum = expected(&operator, a, (-0.75, &x), (1.5, &old));
    assert_eq!(first_wrong(y.read().unwrap(), sum), None, "{engine}: 1.5 y - 0.75 A x of {a:?}");
    padding_is_zero(&y);
}

fn padding_is_zero(y: &DeviceVector) {
    for (panel, length) in y.panels() {
        let stored: Vec<f32> = panel.read().unwrap().into_iter().flatten().collect();
        assert!(stored[length..].iter().all(|padding| *padding == 0.0));
    }
}

#[test]
fn products_are_within_the_bound_of_their_rows_sums() {
    each_engine(SIDE, |context, engine| {
        for shape in SHAPES {
            check(context, engine, &matrix(shape, |_| 0));
            check(context, engine, &matrix(shape, |row| row % 8));
        }
    });
}

#[test]
fn long_rows_are_cut_and_added_up() {
    each_engine(SIDE, |context, engine| {
        let long = |row: usize| if row % 100 == 7 { 900 } else { row % 3 };
        check(context, engine, &matrix((331, 1021), long));
        check(context, engine, &matrix((5, 1009), |row| 300 * row));
        check(context, engine, &matrix((1, 997), |_| 3000));
    });
}

/// Rows of several tiles of a work group, whose first entries are no multiples of four, between rows
/// of few entries and of none; and some that are cut for work groups too.
#[test]
fn rows_may_be_longer_than_what_a_work_group_takes_at_a_time() {
    const COLUMNS: usize = 9001;
    let context = Context::headless().unwrap();
    let lengths = [3, COLUMNS, 1, 0, 2047, 2049, 4097, 5, 4096, 0, 1, 2048, 255, 256, 257];
    let values = vector(lengths.iter().sum());
    let all =
        lengths.iter().enumerate().flat_map(|(row, length)| (0..*length).map(move |k| (row, k)));
    // 7 and the number of columns have no common divisor: no column comes twice.
    let entries = all.zip(values).map(|((row, k), value)| (row, (7 * k + row) % COLUMNS, value));
    let a = Csr::from_entries(Shape::new(lengths.len(), COLUMNS), entries).unwrap();
    for engine in Engine::of(&context) {
        check(&context, engine, &a);
    }
}

/// Where rows beside each other are alike and where they are not, entries are stored in different
/// ways by compute shaders.
#[test]
fn rows_may_be_alike_or_not() {
    each_engine(SIDE, |context, engine| {
        for apart in [1, 7919] {
            let entries = (0..900_usize).flat_map(|row| {
                (0..3).map(move |k| (row, (row * apart + 5000 * k) % 16_001, (row + k) as f32))
            });
            let a = Csr::from_entries(Shape::new(900, 16_001), entries).unwrap();
            check(context, engine, &a);
        }
    });
}

/// 600 000 entries in a row are more than the loops of an invocation may take on llvmpipe.
#[test]
fn a_row_may_be_longer_than_the_loops_of_an_invocation() {
    let context = Context::headless().unwrap();
    for engine in Engine::of(&context) {
        let entries = (0..600_000).map(|column| (1, column, 1.0));
        let a = Csr::from_entries(Shape::new(3, 600_000), entries).unwrap();
        let x = DeviceVector::from_host(&context, &vec![1.0; 600_000]).unwrap();
        let mut y = poisoned(&context, 3);
        Operator::on(&context, &a, engine).unwrap().apply_to(&x, &mut y).unwrap();
        assert_eq!(y.read().unwrap(), [0.0, 600_000.0, 0.0], "{engine}");
    }
}

/// Shorter rows are filled up, by a zero times a zero and not by one times a number of x.
#[test]
fn what_is_not_finite_stays_in_its_rows() {
    let context = Context::headless().unwrap();
    for engine in Engine::of(&context) {
        let entries = [(0, 0, 1.0), (0, 1, 1.0), (1, 1, 1.0), (2, 2, 1.0), (2, 1, 2.0)];
        let a = Csr::from_entries(Shape::new(4, 3), entries).unwrap();
        let x = DeviceVector::from_host(&context, &[f32::NAN, 2.0, f32::INFINITY]).unwrap();
        let mut y = poisoned(&context, 4);
        Operator::on(&context, &a, engine).unwrap().apply_to(&x, &mut y).unwrap();
        let got = y.read().unwrap();
        assert!(got[0].is_nan(), "{engine}: {got:?}");
        assert_eq!(got[1..], [2.0, f32::INFINITY, 0.0], "{engine}");
    }
}

#[test]
fn faults_are_seen() {
    let context = Context::headless().unwrap();
    let a = matrix((37, 41), |row| row % 9);
    let operator = Operator::new(&context, &a).unwrap();
    let expected = expected(&operator, &a, (1.0, &vector(41)), (0.0, &vector(37)));
    faults_must_be_seen(&expected, |got| {
        first_wrong(got.iter().copied(), expected.iter().copied()).is_none()
    });
}

#[test]
fn vectors_that_do_not_fit_are_refused_with_numbers() {
    let context = Context::headless().unwrap();
    let operator = Operator::new(&context, &matrix((5, 3), |_| 2)).unwrap();
    let vector = |length| DeviceVector::<f32>::zeros(&context, length).unwrap();
    let error = operator.apply_to(&vector(5), &mut vector(5)).unwrap_err();
    assert!(error.to_string().contains("x: expected 3 values, got 5"), "{error}");
    assert_eq!(error.kind(), Kind::Input);
    let error = operator.apply_to(&vector(3), &mut vector(3)).unwrap_err();
    assert!(error.to_string().contains("the result: expected 5 values, got 3"), "{error}");
    let other = Context::headless().unwrap();
    let foreign = DeviceVector::from_host(&other, &[1.0; 3]).unwrap();
    assert!(operator.apply_to(&foreign, &mut vector(5)).is_err());
}

#[test]
fn vectors_beyond_one_texture_are_refused_with_numbers() {
    each_engine(SIDE, |context, engine| {
        if context.abilities().max_texture_size > SIDE {
            return;
        }
        let room = 4 * (SIDE * SIDE) as usize;
        let a = Csr::from_entries(Shape::new(1, room + 1), [(0, 0, 1.0)]).unwrap();
        let error = Operator::on(context, &a, engine).err().unwrap();
        assert_eq!(error.kind(), Kind::Limit);
        let text = error.to_string();
        assert!(text.contains("16385") && text.contains("16384"), "{text}");
    });
}
