//! Products of matrices on the device: the same bits as by way of the host, and no texel left out.

use quadrille::data::{Matrix, Number};
use quadrille::internal::reference::matmul::expected;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::{
    Element, Error, Method, Multiplier, Options, multiply, multiply_on_device,
};
use quadrille::{Context, Kind, Shape};

/// Rows of A, inner dimension, columns of B: 1, primes, one over a power of two, thin and wide.
const SIZES: [(usize, usize, usize); 10] = [
    (1, 1, 1),
    (1, 7, 1),
    (5, 1, 3),
    (2, 3, 4),
    (7, 5, 11),
    (16, 16, 8),
    (17, 33, 9),
    (31, 8, 65),
    (17, 257, 19),
    (129, 17, 33),
];

/// A number that no product below has.
trait Poison: Element {
    const POISON: Self;
}

impl Poison for f32 {
    const POISON: f32 = f32::NAN;
}

impl Poison for i16 {
    const POISON: i16 = i16::MIN;
}

impl Poison for i32 {
    const POISON: i32 = i32::MIN;
}

fn operands<T: Number>(size: (usize, usize, usize), seed: u64) -> (Matrix<T>, Matrix<T>) {
    let (rows, inner, cols) = size;
    let a = Matrix::random(Shape::new(rows, inner), seed).unwrap();
    (a, Matrix::random(Shape::new(inner, cols), seed + 1).unwrap())
}

fn on_device<T: Element>(context: &Context, host: &Matrix<T>) -> DeviceMatrix<T> {
    DeviceMatrix::from_host(context, host).unwrap()
}

fn poisoned<T: Poison>(context: &Context, rows: usize, cols: usize) -> DeviceMatrix<T> {
    on_device(context, &Matrix::from_fn(Shape::new(rows, cols), |_, _| T::POISON).unwrap())
}

fn options(text: &str) -> Options {
    text.parse().unwrap()
}

/// The methods that multiply this type here.
fn methods<T: Element>(context: &Context) -> impl Iterator<Item = Method> {
    let takes = |method: &Method| T::IS_FLOAT || method.takes_integers();
    let runs = |method: &Method| method.lacks(context.abilities()).is_none();
    Method::ALL.into_iter().filter(move |method| takes(method) && runs(method))
}

/// One work group makes all of C, so that not every size fits.
fn fits(options: Options, (m, _, n): (usize, usize, usize)) -> bool {
    options.method != Some(Method::ComputeSimple) || m * n <= 128 && m.max(n) <= 128
}

/// One multiplier takes both ways, with other operands and their product between the two.
#[track_caller]
fn must_agree<T: Poison>(context: &Context, options: Options, size: (usize, usize, usize)) {
    if !fits(options, size) {
        return;
    }
    let (a, b) = operands::<T>(size, 7);
    let others = operands::<T>(size, 70);
    let mut product = Multiplier::new(context, a.shape(), b.shape(), options).unwrap();
    product.load(&a, &b).unwrap();
    product.run().unwrap();
    let by_host = product.read().unwrap();
    product.load(&others.0, &others.1).unwrap();
    product.run().unwrap();
    product.load_from(&on_device(context, &a), &on_device(context, &b)).unwrap();
    product.run().unwrap();
    let mut c = poisoned::<T>(context, size.0, size.2);
    product.write_to(&mut c).unwrap();
    let on_device = c.read().unwrap();
    assert!(bits(&on_device) == bits(&by_host), "{options} of {} at {size:?}", T::NAME);
    let read = product.read().unwrap();
    assert!(bits(&read) == bits(&by_host), "{options} of {} at {size:?}, read", T::NAME);
}

fn bits<T: Number>(matrix: &Matrix<T>) -> &[u8] {
    bytemuck::cast_slice(matrix.elements())
}

fn all_agree<T: Poison>(context: &Context, sizes: &[(usize, usize, usize)]) {
    for method in methods::<T>(context) {
        for &size in sizes {
            must_agree::<T>(context, method.into(), size);
        }
    }
}

#[test]
fn every_method_gives_the_bits_of_the_way_through_the_host() {
    crate::common::on_extremes(|context| {
        all_agree::<f32>(context, &SIZES);
        all_agree::<i16>(context, &SIZES[4..7]);
        all_agree::<i32>(context, &SIZES[7..]);
    });
}

#[test]
fn every_layout_gives_the_bits_of_the_way_through_the_host() {
    const TEXTS: [&str; 15] = [
        "element cell=4",
        "element cell=4 a=transposed b=plain reads=fetch",
        "element a=transposed b=plain padding=0",
        "element passes=3",
        "cp a=transposed b=plain padding=2",
        "sp strips=8 b=plain padding=0",
        "cp passes=2",
        "sp a=transposed b=transposed",
        "block4x4 cell=2x2",
        "block4x4 cell=2x2 a=transposed b=plain padding=1",
        "block8x4 a=transposed b=plain",
        "block8x8 reads=buffer",
        "block8x8 reads=buffer a=transposed b=plain padding=3",
        "block16x8 reads=buffer",
        "block16x8 a=transposed b=plain padding=0",
    ];
    crate::common::by_turns(TEXTS.map(options), |context, &options| {
        if options.method.unwrap().lacks(context.abilities()).is_none() {
            for size in [(1, 1, 1), (7, 5, 11), (17, 67, 33)] {
                must_agree::<f32>(context, options, size);
            }
        }
    });
}

/// ((A B) D) E, each product against the twin, and all three against the same on the host.
#[test]
fn a_chain_stays_on_the_device() {
    crate::common::on_extremes(|context| {
        let (a, b) = operands::<f32>((7, 33, 13), 1);
        let (d, e) = operands::<f32>((13, 5, 9), 3);
        for method in methods::<f32>(context) {
            let mut on_host = a.clone();
            let mut chain = on_device(context, &a);
            for factor in [&b, &d, &e] {
                chain = multiply_on_device(&chain, &on_device(context, factor), method).unwrap();
                let comparison =
                    expected(&on_host, factor).unwrap().compare(&chain.read().unwrap());
                assert!(comparison.is_right(), "{method}: {comparison:?}");
                on_host = multiply(context, &on_host, factor, method).unwrap();
            }
            assert!(bits(&chain.read().unwrap()) == bits(&on_host), "{method}");
            assert_eq!(chain.shape(), Shape::new(7, 9));
        }
    });
}

#[test]
fn empty_shapes_give_zeros_or_nothing() {
    crate::common::each(|context| {
        for method in methods::<f32>(context) {
            for size in [(0, 3, 2), (2, 0, 3), (3, 2, 0), (0, 0, 0)] {
                let (a, b) = operands::<f32>(size, 1);
                let (a, b) = (on_device(context, &a), on_device(context, &b));
                let zeros = Matrix::zeros(Shape::new(size.0, size.2)).unwrap();
                let c = multiply_on_device(&a, &b, method).unwrap();
                assert_eq!(c.read().unwrap(), zeros);
                let mut product = Multiplier::new(context, a.shape(), b.shape(), method).unwrap();
                product.load_from(&a, &b).unwrap();
                product.run().unwrap();
                let mut c = poisoned::<f32>(context, size.0, size.2);
                product.write_to(&mut c).unwrap();
                assert_eq!(c.read().unwrap(), zeros);
            }
        }
    });
}

/// No texture and no buffer is made on the way, and no kernel before it is taken, nor twice.
#[test]
fn the_way_takes_no_memory_and_kernels_only_when_it_is_taken() {
    crate::common::each(|context| {
        for method in methods::<f32>(context).filter(|method| method.engine().is_some()) {
            let (a, b) = operands::<f32>((9, 10, 11), 1);
            let (on_a, on_b) = (on_device(context, &a), on_device(context, &b));
            let mut c = poisoned::<f32>(context, 9, 11);
            let before = context.objects().unwrap();
            let mut product = Multiplier::new(context, a.shape(), b.shape(), method).unwrap();
            product.load(&a, &b).unwrap();
            product.run().unwrap();
            let made = context.objects().unwrap();
            assert_eq!(made.programs, before.programs + 1, "{method}");
            let mut taken = made;
            for first in [true, false] {
                product.load_from(&on_a, &on_b).unwrap();
                product.run().unwrap();
                product.write_to(&mut c).unwrap();
                let now = context.objects().unwrap();
                assert_eq!((now.textures, now.buffers), (made.textures, made.buffers), "{method}");
                assert_eq!((now.bytes, now.programs), (made.bytes, made.programs + 3), "{method}");
                assert!(first || now == taken, "{method}: {now:?}");
                taken = now;
            }
        }
    });
}

#[track_caller]
fn says(result: Result<(), Error>, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), Kind::Input, "{error}");
    assert!(error.to_string().contains(text), "expected `{text}` in `{error}`");
}

#[test]
fn other_shapes_and_other_contexts_are_refused() {
    crate::common::each(|context| {
        let zeros = |rows, cols| DeviceMatrix::<f32>::zeros(context, Shape::new(rows, cols));
        let (a, b, mut c) = (zeros(2, 3).unwrap(), zeros(3, 4).unwrap(), zeros(2, 4).unwrap());
        let mut wrong = zeros(4, 2).unwrap();
        let foreign = crate::common::Flavour::Gl.builder().build().unwrap();
        let mut other = DeviceMatrix::<f32>::zeros(&foreign, Shape::new(2, 4)).unwrap();
        let other_a = DeviceMatrix::<f32>::zeros(&foreign, Shape::new(2, 3)).unwrap();
        for method in [Method::Serial, Method::Sp] {
            let mut product = Multiplier::new(context, a.shape(), b.shape(), method).unwrap();
            says(product.load_from(&wrong, &b), "A is a 4 x 2 matrix, but this multiplication was");
            says(product.load_from(&a, &wrong), "B is a 4 x 2 matrix");
            says(product.load_from(&other_a, &b), "A belongs to another context");
            says(product.run(), "call `load` or `load_from` before `run`");
            product.load_from(&a, &b).unwrap();
            says(product.write_to(&mut c), "call `run` before `read` or `write_to`");
            product.run().unwrap();
            says(product.write_to(&mut wrong), "C is a 4 x 2 matrix");
            says(product.write_to(&mut other), "C belongs to another context");
            product.write_to(&mut c).unwrap();
        }
        let error = multiply_on_device(&other_a, &b, Method::Sp).map(drop);
        says(error, "B belongs to another context");
        let error = multiply_on_device(&a, &a, Method::Sp).map(drop);
        says(error, "the inner dimensions differ");
    });
}
