//! Requests that a drawn product refuses, and the messages. Nothing is left on the device.

use crate::common::Flavour;
use quadrille::data::Matrix;
use quadrille::internal::Ability;
use quadrille::linalg::matmul::{
    self, Element, Error, Method, Multiplier, Options, Remedy, Request, Requirement,
};
use quadrille::{Context, Kind, Shape};

#[track_caller]
fn refused<T: Element>(context: &Context, text: &str, a: Shape, b: Shape) -> Error {
    let options: Options = text.parse().unwrap();
    Multiplier::<T>::new(context, a, b, options).err().expect("it must be refused")
}

fn square(n: usize) -> Shape {
    Shape::new(n, n)
}

#[track_caller]
fn says(error: &Error, kind: Kind, text: &str) {
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(text), "expected `{text}` in `{error}`");
}

#[test]
fn inner_dimensions_that_differ() {
    crate::common::each(|context| {
        for method in ["auto", "serial", "element", "cp", "sp", "block4x4"] {
            let error = refused::<f32>(context, method, Shape::new(2, 3), Shape::new(4, 5));
            says(&error, Kind::Input, "A is a 2 x 3 matrix and B is a 4 x 5 matrix");
        }
    });
}

#[test]
fn operands_of_other_shapes() {
    crate::common::each(|context| {
        let mut product =
            Multiplier::<f32>::new(context, square(4), square(4), Method::Sp).unwrap();
        let (a, b) = (Matrix::zeros(square(4)).unwrap(), Matrix::zeros(square(5)).unwrap());
        let error = product.load(&a, &b).unwrap_err();
        says(
            &error,
            Kind::Input,
            "B is a 5 x 5 matrix, but this multiplication was made for a 4 x 4",
        );
    });
}

/// Neither an empty product nor one of operands that were replaced since.
#[test]
fn running_before_loading_and_reading_before_running() {
    crate::common::each(|context| {
        for (method, n) in [(Method::Serial, 4), (Method::Cp, 4), (Method::Sp, 0)] {
            let mut product =
                Multiplier::<f32>::new(context, square(n), square(n), method).unwrap();
            let a = Matrix::zeros(square(n)).unwrap();
            says(&product.run().unwrap_err(), Kind::Input, "call `load` or `load_from` before");
            says(&product.read().unwrap_err(), Kind::Input, "call `run` before");
            for _ in 0..2 {
                product.load(&a, &a).unwrap();
                says(&product.read().unwrap_err(), Kind::Input, "call `run` before");
                product.run().unwrap();
                assert_eq!(product.read().unwrap(), a);
            }
        }
    });
}

#[test]
fn tiles_that_do_not_divide() {
    crate::common::each(|context| {
        let (a, b) = (Shape::new(64, 8), Shape::new(8, 48));
        let error = refused::<f32>(context, "sp tile=20x16", a, b);
        says(&error, Kind::Input, "the tile 20x16 does not divide a row of C, which has 48");
        let error = refused::<f32>(context, "cp tile=16x24", a, b);
        says(&error, Kind::Input, "the tile 16x24 does not divide a column of C, which has 64");
        let error = refused::<f32>(context, "block4x4 tile=6x8", a, b);
        says(&error, Kind::Input, "not made of whole fragments, each of 4x4 elements of C");
    });
}

#[test]
fn options_that_the_method_has_not() {
    crate::common::each(|context| {
        let cases = [
            ("serial unroll=2", "serial has no unroll"),
            ("block4x4 passes=2", "block4x4 has no passes; it is an option of element, cp, sp"),
            ("serial tile=2x2", "serial has no tile"),
            ("cp cell=2x2", "cp has no cell; it is an option of element, block4x4"),
            (
                "cp reads=buffer",
                "has no reads from buffers; it is an option of block8x8, block16x8",
            ),
            ("element cell=2x2", "2x2 is the method sp"),
            ("block4x4 cell=1", "4 or 2x2 elements, not 1"),
            ("sp order=morton", "needs `tile`"),
            ("sp tile=4x4 cover=quad", "a cover or a tile, not both"),
            ("sp unroll=0", "unroll must be 1 to 1023, not 0"),
            ("sp unroll=1024", "unroll must be 1 to 1023, not 1024"),
            ("sp passes=0", "passes must be at least 1"),
        ];
        for (text, expected) in cases {
            says(&refused::<f32>(context, text, square(8), square(8)), Kind::Input, expected);
        }
    });
}

#[test]
fn types_that_the_method_does_not_multiply() {
    crate::common::each(|context| {
        let error = refused::<i16>(context, "cp", square(4), square(4));
        says(
            &error,
            Kind::Input,
            "method cp multiplies only float, not short; these multiply short: serial, element,",
        );
        let error = refused::<i32>(context, "element cell=4", square(4), square(4));
        says(&error, Kind::Input, "for float alone");
    });
}

/// No host holds the operands, so the whole is refused.
#[cfg(target_pointer_width = "64")]
#[test]
fn sizes_over_every_limit_and_what_would_fit() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size as usize;
        let long = Shape::new(1 << 50, 2);
        let error = refused::<f32>(context, "cp", long, square(2));
        says(&error, Kind::Limit, &format!("exceeds this device's limit of {limit}"));
        assert!(error.to_string().contains(&format!("its columns {} ", 4 * limit)), "{error}");
        let Error::Limit { request, remedy, .. } = error else { unreachable!("{error}") };
        assert!(
            matches!(request, Request::Texture { matrix: 'A', height, .. } if height == 1 << 48)
        );
        assert!(matches!(remedy, Remedy::Elements { in_column, .. } if in_column == 4 * limit));
        // What is said to fit does so in one, and one more element in two.
        for (rows, parts) in [(4 * limit, 1), (4 * limit + 1, 2)] {
            let product =
                Multiplier::<f32>::new(context, Shape::new(rows, 2), square(2), Method::Cp);
            assert_eq!(product.unwrap().partial_products(), parts);
        }
    });
}

#[test]
fn methods_that_the_context_cannot_run_name_those_that_it_can() {
    crate::common::on(&[Flavour::Gles30], |context| {
        let error = refused::<f32>(context, "block8x4", square(8), square(8));
        says(&error, Kind::Unsupported, "block8x4 needs 8 render targets, not 4");
        assert!(error.to_string().ends_with("it can run: serial, element, cp, sp, block4x4"));
        let lacks = Requirement::Targets { needs: 8, has: 4 };
        assert!(matches!(error, Error::Unsupported { lacks: found, .. } if found == lacks));
    });
    crate::common::on(&[Flavour::Gl33], |context| {
        for method in ["block8x8", "block16x8"] {
            let error = refused::<f32>(context, method, square(8), square(8));
            says(&error, Kind::Unsupported, "3 storage buffers in fragment shaders");
            assert!(error.to_string().ends_with("sp, block4x4, block8x4"), "{error}");
        }
    });
    let context = Context::builder().without(Ability::FloatTargets).build().unwrap();
    let error = refused::<f32>(&context, "cp", square(8), square(8));
    says(&error, Kind::Unsupported, "cp needs targets of 32-bit floats");
}

/// Integers are drawn into integer textures, which every context has.
#[test]
fn integers_need_no_float_targets() {
    let context = Context::builder().without(Ability::FloatTargets).build().unwrap();
    let a = Matrix::<i32>::random(square(5), 1).unwrap();
    let one = Matrix::identity(5).unwrap();
    assert_eq!(matmul::multiply(&context, &a, &one, Method::Element).unwrap(), a);
}

#[test]
fn nothing_is_left_after_a_refusal() {
    crate::common::each(|context| {
        let before = context.objects().unwrap();
        refused::<f32>(context, "sp", square(1 << 25), square(1 << 25));
        refused::<f32>(context, "block4x4 tile=12x12", square(64), square(64));
        assert_eq!(context.objects().unwrap(), before);
    });
}

#[test]
fn what_no_texture_holds_is_multiplied_in_blocks() {
    // llvmpipe has no single texture of 4 GiB, though both of its sides are allowed.
    crate::common::on(&[Flavour::Gl], |context| {
        let abilities = context.abilities();
        if !abilities.renderer.contains("llvmpipe") || abilities.max_texture_size < 16384 {
            return;
        }
        let (a, b) = (Shape::new(4 * 16384, 16384), Shape::new(16384, 1));
        let product = Multiplier::<f32>::new(context, a, b, Method::Cp).unwrap();
        assert!(product.partial_products() > 1);
    });
}
