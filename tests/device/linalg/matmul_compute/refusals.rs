//! Requests that the compute methods refuse, and the errors.

use super::*;

#[track_caller]
fn refused<T: Element>(context: &Context, options: Options, sizes: (usize, usize, usize)) -> Error {
    let (m, k, n) = sizes;
    let made = Multiplier::<T>::new(context, Shape::new(m, k), Shape::new(k, n), options);
    made.err().expect("should be refused")
}

#[test]
fn a_tile_that_does_not_divide_is_refused() {
    each(|context| {
        let said = |method, width, height, sizes| {
            let error = refused::<f32>(context, options(method, Some(tile(width, height))), sizes);
            assert_eq!(error.kind(), Kind::Input, "{error}");
            error.to_string()
        };
        assert_eq!(
            said(Method::ComputeTiled, 8, 4, (20, 5, 42)),
            "the tile 8x4 does not divide a row of C, which has 42: a tile that is named must fit \
             exactly. Leave the tile out, or name one that divides it"
        );
        let text = said(Method::ComputeTiled, 8, 3, (20, 5, 40));
        assert!(
            text.starts_with("the tile 8x3 does not divide a column of C, which has 20:"),
            "{text}"
        );
        let text = said(Method::ComputeShared, 10, 10, (20, 35, 40));
        assert!(text.contains("does not divide the inner dimension, which has 35:"), "{text}");
        let text = said(Method::ComputeBlocked, 32, 32, (64, 35, 40));
        assert!(text.contains("does not divide a row of C, which has 40:"), "{text}");
        assert_eq!(
            said(Method::ComputeShared, 10, 5, (20, 30, 40)),
            "compute-shared: the tile 10x5 (wide x high) is lower than wide: its 5 rows of invocations cannot \
             load the 10 rows of B that it needs. Name 5x5 or 10x10"
        );
        assert_eq!(
            said(Method::ComputeBlocked, 20, 20, (20, 20, 20)),
            "compute-blocked has no tile of 20x20: expected one of: 128x256, 128x128, 64x128, 64x64, 32x32"
        );
        let text = said(Method::ComputeTiled, 0, 1, (20, 20, 20));
        assert!(text.starts_with("the tile 0x1 does not divide"), "{text}");
    });
}

#[cfg(target_pointer_width = "64")]
#[test]
fn what_exceeds_a_limit_is_refused_with_the_limit() {
    each(|context| {
        let limits = context.abilities().compute.unwrap();
        let said = |options: Options, sizes, limit: u32| {
            let error = refused::<f32>(context, options, sizes);
            assert_eq!(error.kind(), Kind::Limit, "{error}");
            let text = error.to_string();
            assert!(text.contains(&format!("limit of {limit};")), "{text}");
            text
        };
        let [along, _, _] = limits.max_group_size;
        let wide = options(Method::ComputeTiled, Some(tile(along + 1, 1)));
        let text = said(wide, (3, 3, along as usize + 1), along);
        assert!(text.contains(&format!("{} invocations along x", along + 1)), "{text}");
        let side = limits.max_invocations.isqrt() + 1;
        for method in [Method::ComputeTiled, Method::ComputeShared] {
            let size = side as usize;
            let text = said(
                options(method, Some(tile(side, side))),
                (size, size, size),
                limits.max_invocations,
            );
            assert!(text.contains("name a smaller tile, or none"), "{text}");
        }
        // No host holds the operands; where it does, blocks are multiplied.
        let bytes = limits.max_block_bytes.min(i32::MAX as u32);
        for method in ANY_SIZE {
            let text = said(method.into(), (1, 1 << 40, 1 << 40), bytes);
            assert!(text.contains("a storage buffer of"), "{text}");
        }
    });
}

#[test]
fn options_of_other_methods_are_refused() {
    each(|context| {
        for method in METHODS {
            let open = Options::from(method);
            let mut with = [open; 7];
            with[0].unroll = Some(4);
            with[1].passes = Some(2);
            with[2].order = Some(Order::Morton);
            with[3].cover = Some(quadrille::linalg::matmul::Cover::Quad);
            with[4].mapping = Some(quadrille::linalg::matmul::Mapping {
                a_transposed: false,
                b_transposed: true,
                padding: 0,
                strips: 0,
            });
            with[5].cell = Some(Cell::Four);
            with[6].reads = Some(quadrille::linalg::matmul::OperandReads::Texture(Reads::Fetch));
            let names =
                ["unroll", "passes", "order", "cover", "transpose or padding", "cell", "reads"];
            for (options, name) in with.into_iter().zip(names) {
                let error = refused::<f32>(context, options, (2, 2, 2));
                assert_eq!(error.kind(), Kind::Input, "{error}");
                let text = error.to_string();
                assert!(
                    text.starts_with(&format!(
                        "method {method} has no {name}; it is an option of element"
                    )),
                    "{text}"
                );
            }
        }
        let error =
            refused::<i32>(context, options(Method::ComputeSimple, Some(tile(2, 2))), (2, 2, 2));
        assert_eq!(
            error.to_string(),
            "method compute-simple has no tile; it is an option of element, cp, sp, block4x4, \
             block8x4, block8x8, block16x8, compute-tiled, compute-shared, compute-blocked"
        );
        let error = refused::<i32>(context, Method::ComputeBlocked.into(), (2, 2, 2));
        assert!(matches!(error, Error::Type { .. }), "{error}");
    });
}

#[test]
fn without_compute_the_error_says_what_can_run() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for method in METHODS {
            let error = refused::<f32>(context, method.into(), (2, 2, 2));
            assert_eq!(error.kind(), Kind::Unsupported);
            assert_eq!(
                error.to_string(),
                format!(
                    "{method} needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1), which this context \
                     ({}) lacks; it can run: serial, element, cp, sp, block4x4{}",
                    context.abilities().renderer,
                    if context.abilities().max_targets < 8 { "" } else { ", block8x4" }
                )
            );
        }
        let error = refused::<i16>(context, Method::ComputeShared.into(), (2, 2, 2));
        assert!(error.to_string().ends_with("it can run: serial, element"), "{error}");
    });
}

#[test]
fn operands_of_other_shapes_are_refused() {
    each(|context| {
        let (a, b) = (Shape::new(3, 4), Shape::new(4, 5));
        let mut product = Multiplier::<f32>::new(context, a, b, Method::ComputeShared).unwrap();
        let error = product.load(&floats(3, 4, 1), &floats(5, 4, 2)).unwrap_err();
        assert!(error.to_string().starts_with("B is a 5 x 4 matrix"), "{error}");
    });
}
