//! What primitives refuse, on each engine: other lengths, other contexts, sizes and numbers that do not
//! fit, each with the numbers; and what they take that others refuse.

use crate::common::each_engine;
use quadrille::data::Csr;
use quadrille::grid::DeviceVector;
use quadrille::linalg::sparse::Operator;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::{
    Axis, Border, Complex, Convert, Convolution, Fft, Histogram, Scan, Select, Sort, Weights,
};
use quadrille::stream::{self, Engine};
use quadrille::{Context, Shape};

/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;

/// Checks that an error has these words; it is printed, to be read.
#[track_caller]
fn says<T>(result: Result<T, impl std::fmt::Display>, words: &[&str]) {
    let Err(error) = result else { panic!("not refused: {words:?}") };
    let text = error.to_string();
    eprintln!("    {text}");
    assert!(words.iter().all(|word| text.contains(word)), "{text}: {words:?}");
}

fn floats(context: &Context, length: usize) -> DeviceVector {
    DeviceVector::from_host(context, &vec![1.0; length]).unwrap()
}

fn whole(context: &Context, length: usize) -> DeviceVector<u32> {
    DeviceVector::from_host(context, &vec![1; length]).unwrap()
}

fn convolution(context: &Context, engine: Engine, method: Method) -> Convolution {
    let weights = Weights::correlation(Shape::new(1, 3), &[1.0, 2.0, 1.0]).unwrap();
    let shape = Shape::new(2, 3);
    Convolution::on(context, engine, method, shape, &[&weights], Border::Zero).unwrap()
}

#[test]
fn other_lengths_are_refused() {
    each_engine(SIDE, |context, engine| {
        let (x, mut y, short) = (floats(context, 6), floats(context, 5), whole(context, 5));
        let scan = Scan::on(context, engine).unwrap();
        says(scan.of(&x).run(&mut y), &["a scan: the prefixes", "expected 5", "got 6"]);
        let mut same = floats(context, 6);
        says(
            scan.of(&x).segments(&short).run(&mut same),
            &["the starts of segments", "expected 5", "got 6"],
        );
        let masked = Select::masked_on(context, engine).unwrap();
        says(masked.of_masked(&x, &short), &["mask", "5", "6"]);
        let sort = Sort::<f32>::on(context, engine).unwrap();
        says(sort.pairs(&x, &short), &["a sort: the values", "5", "6"]);
        for columns in [0, 4, 7] {
            says(sort.rows(&x, columns), &["6", &columns.to_string()]);
            says(sort.row_indices(&x, columns), &["6", &columns.to_string()]);
        }
        let bins = Histogram::between_on(context, engine, 3, 0.0, 1.0).unwrap();
        says(bins.weighted(&x, &y), &["a histogram: the weights", "5", "6"]);
        let fft = Fft::on(context, engine, &[Axis::rows(1, 3)]).unwrap();
        says(fft.forward(&x, &mut y), &["a Fourier transform: the results", "5", "6"]);
        says(fft.inverse(&y, &mut same), &["a Fourier transform: the numbers", "5", "6"]);
        for method in [Method::Direct, Method::Transform] {
            let sums = convolution(context, engine, method);
            says(sums.run(&x, &mut y), &["a convolution: the results", "5", "6"]);
            says(sums.run(&y, &mut same), &["a convolution: the numbers", "5", "6"]);
        }
        let complex = Complex::on(context, engine).unwrap();
        says(complex.product(&x, &y, &mut same), &["6", "5"]);
        says(y.read_complex(), &["complex numbers", "5"]);
        let matrix = Csr::from_entries(Shape::new(6, 6), [(0, 0, 1.0)]).unwrap();
        let a = Operator::on(context, &matrix, engine).unwrap();
        says(a.apply_to(&x, &mut y), &["5", "6"]);
        says(a.apply_to(&y, &mut same), &["5", "6"]);
    });
}

#[test]
fn vectors_of_another_context_are_refused() {
    let other = Context::headless().unwrap();
    each_engine(SIDE, |context, engine| {
        let (x, mut same, foreign) = (floats(context, 6), floats(context, 6), floats(&other, 6));
        let words = &["context"];
        says(Scan::on(context, engine).unwrap().of(&foreign).run(&mut same), words);
        says(Select::<f32>::on(context, engine, "x > 0.0").unwrap().of(&foreign), words);
        says(Sort::<f32>::on(context, engine).unwrap().keys(&foreign), words);
        says(Sort::<f32>::on(context, engine).unwrap().pairs(&x, &whole(&other, 6)), words);
        let bins = Histogram::between_on(context, engine, 3, 0.0, 1.0).unwrap();
        says(bins.of(&foreign), words);
        says(bins.weighted(&x, &foreign), words);
        let fft = Fft::on(context, engine, &[Axis::rows(1, 3)]).unwrap();
        says(fft.forward(&foreign, &mut same), words);
        for method in [Method::Direct, Method::Transform] {
            says(convolution(context, engine, method).run(&foreign, &mut same), words);
        }
        says(Convert::<f32, u32>::new(context).of(&foreign), words);
    });
}

#[cfg(target_pointer_width = "64")]
#[test]
fn sizes_and_numbers_that_do_not_fit_are_refused() {
    each_engine(SIDE, |context, engine| {
        for bins in [0, 65537] {
            let of_numbers = Histogram::<u32>::of_numbers_on(context, engine, bins);
            says(of_numbers, &["1 to 65536 bins", &bins.to_string()]);
        }
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
            let between = Histogram::between_on(context, engine, 3, low, high);
            says(between, &["3", &low.to_string(), &high.to_string()]);
        }
        let huge = 1_usize << 46;
        let made: Result<DeviceVector, stream::Error> = DeviceVector::uninit(context, huge);
        // The host's limit says it in bytes, a driver in numbers.
        let error = made.err().unwrap().to_string();
        assert!([huge, 4 * huge].iter().any(|most| error.contains(&most.to_string())), "{error}");
        let axes = [Axis::rows(1, huge)];
        says(Fft::on(context, engine, &axes), &["a Fourier transform", &huge.to_string()]);
        let weights = Weights::correlation(Shape::new(1, 1), &[1.0]).unwrap();
        let shape = Shape::new(1 << 23, 1 << 23);
        let made =
            Convolution::on(context, engine, Method::Direct, shape, &[&weights], Border::Zero);
        says(made, &["a convolution", &huge.to_string()]);
        let many = Weights::correlation(Shape::new(16, 16), &[1.0; 256]).unwrap();
        let shape = Shape::new(4, 4);
        let made = Convolution::on(context, engine, Method::Direct, shape, &[&many], Border::Zero);
        says(made, &["256 weights", "225"]);
        says(Weights::correlation(Shape::new(2, 2), &[1.0]), &["2 rows and 2 columns", "got 1"]);
        says(Weights::correlation(Shape::new(0, 2), &[]), &["got 0"]);
    });
}

/// What other programs refuse is handled: NaN has a place in the order, and none in a bin.
#[test]
fn a_nan_has_a_place_where_an_order_is_needed() {
    each_engine(SIDE, |context, engine| {
        let numbers = [f32::NAN, 1.0, f32::NEG_INFINITY, -0.0, 0.0, f32::INFINITY];
        let x = DeviceVector::from_host(context, &numbers).unwrap();
        let sort = Sort::<f32>::on(context, engine).unwrap();
        let sorted = sort.keys(&x).unwrap().read().unwrap();
        assert_eq!(sorted[..5], [f32::NEG_INFINITY, -0.0, 0.0, 1.0, f32::INFINITY]);
        assert!(sorted[1].is_sign_negative() && sorted[2].is_sign_positive() && sorted[5].is_nan());
        let bins = Histogram::between_on(context, engine, 2, 0.0, 1.0).unwrap();
        assert_eq!(bins.of(&x).unwrap().read().unwrap(), [2, 1]);
    });
}

#[test]
fn rows_of_matrices_are_checked() {
    let shape = Shape::new(2, 3);
    let made = |starts: &[usize], columns: &[u32]| {
        Csr::<f32>::new(shape, starts.to_vec(), columns.to_vec(), vec![1.0; columns.len()])
    };
    says(made(&[0, 1, 2], &[0, 3]), &["row 1", "column 3", "3 columns"]);
    says(made(&[0, 2, 1], &[0, 1]), &["2 row", "1"]);
    says(made(&[0, 1], &[0]), &["3 row starts", "got 2"]);
    says(made(&[1, 1, 2], &[0, 1]), &["begin with 0", "got 1"]);
    let infinite = Csr::<f32>::new(shape, vec![0, 1, 1], vec![0], vec![f32::INFINITY]);
    says(infinite, &["finite", "inf"]);
    // In any order, and several at one place: sorted, and summed.
    let values = vec![1.0_f32, 2.0, 3.0, 4.0];
    let a = Csr::new(shape, vec![0, 3, 4], vec![2, 0, 2, 1], values).unwrap();
    assert_eq!((a.row(0), a.doubled()), ((&[0, 2][..], &[2.0, 4.0][..]), 1));
}
