//! Products in blocks, on contexts whose textures are too small for the whole, by every method that
//! has textures.

use crate::common::{Flavour, clean, is_thorough};
use quadrille::data::Matrix;
use quadrille::internal::Ability;
use quadrille::internal::reference::matmul::expected;
use quadrille::internal::reference::signs::Signs;
use quadrille::linalg::DeviceMatrix;
use quadrille::linalg::matmul::{self, Element, Method, Multiplier, Options, multiply_on_device};
use quadrille::stream::Engine;
use quadrille::{Context, Shape};

/// The longest side of a texture, and the sides of products: primes, one over a power of two, and
/// each of them the longest.
const CASES: [(u32, [usize; 3]); 7] = [
    // Blocks of a row of C share a panel of A.
    (8, [35, 3, 37]),
    (4, [37, 5, 3]),
    (4, [1, 41, 2]),
    (8, [33, 67, 41]),
    (8, [13, 9, 97]),
    (64, [3, 1025, 5]),
    (64, [131, 257, 67]),
];

fn small(flavour: Flavour, side: u32, body: impl Fn(&Context)) {
    let context = flavour.builder().without(Ability::LargerTextures(side)).build().unwrap();
    clean("small textures", &context, body);
}

/// The drawn methods that this context can run.
fn drawn(context: &Context) -> impl Iterator<Item = Method> {
    let drawn = Method::ALL.into_iter().filter(|method| method.engine() == Some(Engine::Fragment));
    drawn.filter(|method| method.lacks(context.abilities()).is_none())
}

/// The exact product of matrices of -1 and 1, so that each term of each slab counts.
fn must_be_exact<T: Element>(context: &Context, options: Options, [m, k, n]: [usize; 3]) -> usize {
    let (a, b) = (Shape::new(m, k), Shape::new(k, n));
    let signs = Signs::new(a, b, 3).unwrap();
    let mut product = Multiplier::<T>::new(context, a, b, options).unwrap();
    // Others first: nothing of them may stay.
    product.load(&Matrix::random(a, 1).unwrap(), &Matrix::random(b, 2).unwrap()).unwrap();
    product.run().unwrap();
    product.load(&signs.a().unwrap(), &signs.b().unwrap()).unwrap();
    product.run().unwrap();
    let c = product.read().unwrap();
    assert!(signs.first_wrong(&c, 0..m).is_none(), "{options} of {m} x {k} x {n}");
    product.partial_products()
}

#[test]
fn every_drawn_method_multiplies_what_its_textures_do_not_hold() {
    for (turn, flavour) in [Flavour::Gl, Flavour::Gles30].into_iter().enumerate() {
        for (which, (side, size)) in CASES.into_iter().enumerate() {
            small(flavour, side, |context| {
                for (at, method) in drawn(context).enumerate() {
                    if !is_thorough() && (at + which) % 4 != 2 * turn {
                        continue; // Compiling the kernels is most of the time.
                    }
                    let partial = must_be_exact::<f32>(context, method.into(), size);
                    let [m, k, n] = size;
                    let random =
                        |rows, cols| Matrix::<f32>::random(Shape::new(rows, cols), 5).unwrap();
                    let (a, b) = (random(m, k), random(k, n));
                    let c = matmul::multiply(context, &a, &b, method).unwrap();
                    let comparison = expected(&a, &b).unwrap().compare(&c);
                    assert!(comparison.is_right(), "{method} at {size:?}: {comparison:?}");
                    assert!(partial > 1 || side == 64, "{method}, {size:?}");
                }
            });
        }
    }
}

/// Chooses operands whose product changes where one slab is left out.
#[test]
fn the_check_notices_one_slab_that_is_lost() {
    small(Flavour::Gl33, 8, |context| {
        let (m, k, n) = (9, 64, 5);
        let signs = Signs::new(Shape::new(m, k), Shape::new(k, n), 3).unwrap();
        let (a, b) = (signs.a().unwrap(), signs.b().unwrap());
        for start in (0..k).step_by(8) {
            let lost = |col: usize| (start..start + 8).contains(&col);
            let at = |row, col| if lost(col) { 0.0 } else { a.at(row, col).unwrap() };
            let a = Matrix::<f32>::from_fn(a.shape(), at).unwrap();
            let c = matmul::multiply(context, &a, &b, Method::Element).unwrap();
            assert!(signs.first_wrong(&c, 0..m).is_some(), "from {start}");
        }
    });
}

#[test]
fn integers_wrap_over_slabs_too() {
    small(Flavour::Gles30, 8, |context| {
        assert!(must_be_exact::<i32>(context, Method::Element.into(), [3, 33, 17]) >= 5);
        let a = Matrix::<i16>::random(Shape::new(5, 35), 1).unwrap();
        let b = Matrix::<i16>::random(Shape::new(35, 3), 2).unwrap();
        let c = matmul::multiply(context, &a, &b, Method::Element).unwrap();
        assert!(expected(&a, &b).unwrap().compare(&c).is_right());
    });
}

#[test]
fn an_open_method_multiplies_any_size() {
    for flavour in [Flavour::Gl, Flavour::Gles30] {
        small(flavour, 16, |context| {
            let blocks = must_be_exact::<f32>(context, Options::new(), [67, 71, 73]);
            // What hardware prefers keeps matrices in buffers, which are no shorter than before.
            assert!(blocks > 1 || !context.abilities().software);
        });
    }
}

#[test]
fn tiles_are_whole_in_each_block() {
    small(Flavour::Gl, 8, |context| {
        let options: Options = "sp tile=4x2 order=rows".parse().unwrap();
        assert!(must_be_exact::<f32>(context, options, [34, 9, 12]) > 1);
    });
}

/// The dispatch has too many work groups for one, so rows of C are cut.
#[test]
fn a_compute_method_goes_beyond_its_work_groups() {
    crate::common::on(&[Flavour::Gl], |context| {
        let Some(limits) = context.abilities().compute else {
            return crate::common::not_tested("no compute shaders");
        };
        let options: Options = "compute-tiled tile=1x1".parse().unwrap();
        let rows = limits.max_groups[1] as usize + 1;
        assert_eq!(must_be_exact::<f32>(context, options, [rows, 1, 1]), 2);
    });
}

#[test]
fn a_chain_on_the_device_goes_through_blocks() {
    small(Flavour::Gles30, 8, |context| {
        let (a, b) = (Matrix::random(Shape::new(8, 8), 1), Matrix::random(Shape::new(8, 8), 2));
        let (a, b) = (a.unwrap(), b.unwrap());
        let on_device = |host| DeviceMatrix::from_host(context, host).unwrap();
        // Padding makes the operands wider than a texture.
        let options: Options = "element padding=3".parse().unwrap();
        let c = multiply_on_device::<f32>(&on_device(&a), &on_device(&b), options).unwrap();
        let comparison = expected(&a, &b).unwrap().compare(&c.read().unwrap());
        assert!(comparison.is_right(), "{comparison:?}");
    });
}
