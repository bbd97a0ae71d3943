//! Textures: what goes in comes out, at every size, and what cannot be is refused.

use crate::common::Flavour;
use quadrille::gl::{Error, Filter, Texel, Unorm8};
use quadrille::internal::reference::is_near;
use quadrille::{Context, Extent, Kind, Rectangle};

/// The bytes of texels, for comparisons: NaN is not equal to itself.
fn bytes<T: Texel>(texels: &[T]) -> &[u8] {
    bytemuck::cast_slice(texels)
}

fn round_trip<T: Texel>(context: &Context, make: impl Fn(usize) -> T) {
    for extent in crate::common::awkward() {
        let sent: Vec<T> = (0..extent.texels()).map(&make).collect();
        let mut texture = context.texture(extent, &sent).unwrap();
        assert_eq!(texture.extent(), extent);
        assert_eq!(texture.read().unwrap(), sent, "{extent}");
        let last = Rectangle::new(extent.width - 1, 0, 1, extent.height);
        let column: Vec<T> =
            (1..=extent.height as usize).map(|y| sent[y * extent.width as usize - 1]).collect();
        assert_eq!(texture.read_rectangle(last).unwrap(), column, "{extent}");
        // Writing a rectangle changes it and nothing else.
        let other: Vec<T> = column.iter().rev().copied().collect();
        texture.write_rectangle(last, &other).unwrap();
        let mut expected = sent;
        for (y, texel) in other.iter().enumerate() {
            expected[(y + 1) * extent.width as usize - 1] = *texel;
        }
        assert_eq!(texture.read().unwrap(), expected, "{extent}");
        texture.fill(expected[0]).unwrap();
        assert_eq!(texture.read().unwrap(), vec![expected[0]; extent.texels()], "{extent}");
    }
}

#[test]
fn every_texel_comes_back_as_it_went() {
    crate::common::each(|context| {
        round_trip(context, |i| i as f32 * 0.37 - 1e3);
        round_trip(context, |i| [i as f32, -0.5 * i as f32]);
        round_trip(context, |i| [i as f32, 1e-20 * i as f32, 1e20 * i as f32, -(i as f32)]);
        round_trip(context, |i| (i * 7) as u8);
        round_trip(context, |i| i32::MIN + (i * 123_457) as i32);
        round_trip(context, |i| [i as i32 - 500, i32::MAX - i as i32]);
        round_trip(context, |i| Unorm8((i * 7) as u8));
        round_trip(context, |i| [1, 3, 5, 7].map(|factor| Unorm8((i * factor) as u8)));
    });
}

#[test]
fn every_byte_comes_back() {
    crate::common::each(|context| {
        let sent: Vec<u8> = (0..=255).collect();
        let extent = Extent::new(256, 1);
        assert_eq!(context.texture(extent, &sent).unwrap().read().unwrap(), sent);
        let sent: Vec<Unorm8> = (0..=255).map(Unorm8).collect();
        let mut texture = context.texture(extent, &sent).unwrap();
        assert_eq!(texture.read().unwrap(), sent);
        for byte in [0, 1, 127, 128, 254, 255].map(Unorm8) {
            texture.fill(byte).unwrap();
            assert_eq!(texture.read().unwrap()[255], byte);
        }
    });
}

#[test]
fn special_floats_keep_their_bits() {
    crate::common::each(|context| {
        let special = [
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-40, // a denormal
            -0.0,
            16_777_217.0,
            f32::NAN,
        ];
        let texture = context.texture(Extent::new(4, 2), &special).unwrap();
        assert_eq!(bytes(&texture.read().unwrap()), bytes(&special));
        let four: Vec<[f32; 4]> = special.iter().map(|x| [*x, 1.0, -*x, 2.0]).collect();
        let texture = context.texture(Extent::new(2, 4), &four).unwrap();
        assert_eq!(bytes(&texture.read().unwrap()), bytes(&four));
        let mut texture = context.uninit::<f32>(Extent::new(3, 3)).unwrap();
        for number in special {
            texture.fill(number).unwrap();
            let got = texture.read().unwrap();
            assert!(got.iter().all(|x| *x == number || x.is_nan() && number.is_nan()), "{number}");
        }
    });
}

#[test]
fn the_first_row_sent_is_row_zero() {
    crate::common::each(|context| {
        let extent = Extent::new(3, 4);
        let sent: Vec<f32> = (0..12).map(|i| (i / 3) as f32).collect();
        let texture = context.texture(extent, &sent).unwrap();
        for y in 0..4 {
            let row = texture.read_rectangle(Rectangle::new(0, y, 3, 1)).unwrap();
            assert_eq!(row, [y as f32; 3]);
        }
        // And it is the row that shaders call so.
        let mut drawn = context.uninit::<f32>(extent).unwrap();
        crate::common::writes(context, "floor(gl_FragCoord.y)").pass().draw(&mut drawn).unwrap();
        assert_eq!(drawn.read().unwrap(), sent);
    });
}

#[test]
fn an_empty_rectangle_is_nothing_and_no_error() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let mut texture = context.texture::<f32>(Extent::new(2, 2), &[1.0; 4]).unwrap();
        for nothing in [Rectangle::new(0, 0, 0, 2), Rectangle::new(2, 2, 0, 0)] {
            texture.write_rectangle(nothing, &[]).unwrap();
            assert!(texture.read_rectangle(nothing).unwrap().is_empty());
        }
        assert_eq!(texture.read().unwrap(), [1.0; 4]);
    });
}

#[test]
fn a_wrong_length_says_both_numbers() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let error = context.texture::<f32>(Extent::new(3, 2), &[0.0; 5]).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "writing into a texture (3 x 2 texels at (0, 0)): expected 6 values, got 5"
        );
        let mut texture = context.texture::<f32>(Extent::new(3, 2), &[7.0; 6]).unwrap();
        for count in [0, 1, 3, 4] {
            let part = Rectangle::new(1, 1, 2, 1);
            let error = texture.write_rectangle(part, &vec![0.0; count]).unwrap_err();
            assert!(matches!(error, Error::Length { expected: 2, got, .. } if got == count));
        }
        assert_eq!(texture.read().unwrap(), [7.0; 6], "a refused write changes nothing");
    });
}

#[test]
fn texels_are_read_into_a_slice_that_holds_just_them() {
    crate::common::each(|context| {
        let texture = context.texture::<f32>(Extent::new(3, 1), &[1.0, 2.0, 3.0]).unwrap();
        let mut slice = [9.0; 4];
        for length in [0, 2, 4] {
            let error = texture.read_into(&mut slice[..length]).unwrap_err();
            assert!(matches!(error, Error::Length { expected: 3, got, .. } if got == length));
        }
        assert_eq!(slice, [9.0; 4], "a refused read writes nothing");
        texture.read_into(&mut slice[..3]).unwrap();
        assert_eq!(slice, [1.0, 2.0, 3.0, 9.0]);
    });
}

#[test]
fn a_rectangle_outside_the_texture_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let mut texture = context.texture::<f32>(Extent::new(3, 2), &[7.0; 6]).unwrap();
        for place in [
            Rectangle::new(3, 0, 1, 1),
            Rectangle::new(0, 2, 1, 1),
            Rectangle::new(1, 0, 3, 1),
            Rectangle::new(0, 1, 1, 2),
            Rectangle::new(u32::MAX, 0, 1, 1),
            Rectangle::new(1, 1, u32::MAX, 1),
        ] {
            let error = texture.read_rectangle(place).unwrap_err();
            assert!(matches!(error, Error::Outside { .. }), "{error}");
            let error = texture.write_rectangle(place, &[0.0]).unwrap_err();
            assert!(matches!(error, Error::Outside { .. }), "{error}");
            assert!(error.to_string().ends_with("do not fit in 3 x 2 texels"), "{error}");
        }
        assert_eq!(texture.read().unwrap(), [7.0; 6]);
    });
}

#[test]
fn a_texture_without_texels_is_refused() {
    crate::common::each(|context| {
        for extent in [Extent::new(0, 1), Extent::new(1, 0), Extent::new(0, 0)] {
            let error = context.uninit::<f32>(extent).unwrap_err();
            assert_eq!(error.kind(), Kind::Input);
            assert_eq!(
                error.to_string(),
                format!(
                    "a texture: an extent of {extent} has no texel; width and height must be at least 1"
                )
            );
        }
    });
}

#[test]
fn a_texture_over_the_limit_says_the_limit_and_what_fits() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size;
        for extent in
            [Extent::new(limit + 1, 1), Extent::new(1, limit + 1), Extent::new(u32::MAX, u32::MAX)]
        {
            let error = context.uninit::<u8>(extent).unwrap_err();
            assert_eq!(error.kind(), Kind::Limit);
            assert_eq!(
                error.to_string(),
                format!(
                    "a texture: {extent} texels exceeds this device's limit of {limit}; \
                     up to {limit} x {limit} texels fit"
                )
            );
        }
    });
}

#[test]
fn the_largest_side_works() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size;
        for extent in [Extent::new(limit, 1), Extent::new(1, limit)] {
            let sent: Vec<f32> = (0..limit).map(|i| i as f32).collect();
            assert_eq!(context.texture(extent, &sent).unwrap().read().unwrap(), sent);
        }
    });
}

#[test]
fn out_of_memory_says_how_much_was_asked_for_and_leaves_the_context_working() {
    // llvmpipe has no single texture of 4 GiB, though both of its sides are allowed.
    crate::common::on(&[Flavour::Gl], |context| {
        let extent = Extent::new(16384, 16384);
        let abilities = context.abilities();
        if !abilities.renderer.contains("llvmpipe") || abilities.max_texture_size < 16384 {
            return;
        }
        let error = context.uninit::<[f32; 4]>(extent).unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfMemory);
        let text = error.to_string();
        assert!(
            text.starts_with(
                "the driver is out of memory: a texture of 16384 x 16384 texels (RGBA32F) \
                 asked for 4096.0 MiB more"
            ),
            "{text}"
        );
        assert_eq!(context.objects().unwrap().total(), 0);
        let small = context.texture::<[f32; 4]>(Extent::new(1, 1), &[[1.0; 4]]).unwrap();
        assert_eq!(small.read().unwrap(), [[1.0; 4]]);
    });
}

#[test]
fn a_filter_averages_between_centres_and_can_be_taken_back() {
    crate::common::each(|context| {
        let bytes = [[0, 200], [100, 40]].concat().into_iter().map(Unorm8).collect::<Vec<_>>();
        let mut image = context.texture(Extent::new(2, 2), &bytes).unwrap();
        let text = "uniform sampler2D image; out float o;
            void main() { o = 255.0 * textureLod(image, vec2(0.5), 0.0).r; }";
        let kernel = crate::common::kernel(context, text);
        let mut out = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        image.set_filter(Filter::Linear).unwrap();
        kernel.pass().input("image", &image).draw(&mut out).unwrap();
        assert!(is_near(out.read().unwrap()[0], 85.0, 1.0));
        image.set_filter(Filter::Nearest).unwrap();
        kernel.pass().input("image", &image).draw(&mut out).unwrap();
        assert!(!is_near(out.read().unwrap()[0], 85.0, 10.0));
    });
}

#[test]
fn what_cannot_be_filtered_is_refused() {
    crate::common::each(|context| {
        let mut integers = context.texture(Extent::new(1, 1), &[7_u8]).unwrap();
        let error = integers.set_filter(Filter::Linear).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported, "{error}");
        assert!(error.to_string().contains("R8UI"), "{error}");
        integers.set_filter(Filter::Nearest).unwrap();
        let mut floats = context.texture(Extent::new(1, 1), &[7.0_f32]).unwrap();
        let filtered = floats.set_filter(Filter::Linear);
        assert_eq!(filtered.is_ok(), context.abilities().float_filtering);
    });
}
