//! Pictures of fields: the shader against its twin, on every kind of texture.

use crate::common::pixels::{difference, faults_must_be_seen};
use crate::common::twins::colour::{NOT_A_NUMBER, Picture, Pixel, Scaled};
use quadrille::gl::{AnyTexture, Unorm8};
use quadrille::{Context, Extent};
use quadrille_run::io::ColourMap;
use quadrille_run::view::{Layout, Painter, Shown};

/// Windows and fields of sizes that do not divide one another.
const SIZES: [((u32, u32), (u32, u32)); 6] = [
    ((100, 90), (7, 5)),
    ((64, 80), (64, 64)),
    ((33, 41), (100, 70)),
    ((1, 1), (3, 2)),
    ((257, 73), (2, 300)),
    ((90, 200), (1, 1)),
];

fn sizes() -> impl Iterator<Item = (Extent, Extent)> {
    SIZES.into_iter().map(|(w, f)| (Extent::new(w.0, w.1), Extent::new(f.0, f.1)))
}

fn painted(
    painter: &mut Painter,
    context: &Context,
    field: &dyn AnyTexture,
    shown: Shown,
    layout: Layout,
) -> Vec<Pixel> {
    let mut picture = context.uninit::<[Unorm8; 4]>(layout.window).unwrap();
    picture.fill([7; 4].map(Unorm8)).unwrap();
    painter.paint(field, shown, layout, &mut picture).unwrap();
    let pixels = picture.read().unwrap();
    assert!(pixels.iter().all(|[.., alpha]| alpha.0 == 255));
    pixels.into_iter().map(|[r, g, b, _]| [r, g, b].map(|part| part.0)).collect()
}

fn twin(layout: Layout, field: Extent) -> Picture {
    Picture { window: layout.window, field, place: layout.place, flip: layout.flip }
}

/// Says where pixels differ: each should be equal, or the next colour of the scale where a rounding
/// decides, which is one in fifty at most.
fn disagreement(device: &[Pixel], twin: &[Pixel], colours: &[Pixel]) -> Option<String> {
    if device.len() != twin.len() {
        return Some(format!("{} pixels instead of {}", device.len(), twin.len()));
    }
    let different = || device.iter().zip(twin).enumerate().filter(|(_, (a, b))| a != b);
    let next = |a: Pixel, b: Pixel| colours.windows(2).any(|pair| pair == [a, b] || pair == [b, a]);
    let far = different().find(|(_, (a, b))| !next(**a, **b));
    let many = different().count() * 50 > device.len();
    (many || far.is_some()).then(|| format!("{} differ, the first is {far:?}", different().count()))
}

#[test]
fn a_pixel_of_another_colour_and_many_of_the_next_are_seen() {
    let colours = ColourMap::Grey.colours();
    let right: Vec<Pixel> = (0..100).map(|i| colours[i + 50]).collect();
    assert_eq!(disagreement(&right, &right, &colours), None);
    for at in 0..100 {
        let with = |pixel: Pixel| {
            let mut device = right.clone();
            device[at] = pixel;
            disagreement(&device, &right, &colours)
        };
        assert_eq!(with(colours[at + 51]), None);
        assert!(with(colours[at + 52]).is_some() && with(NOT_A_NUMBER).is_some());
    }
    let shifted = |count: usize| [&colours[51..51 + count], &right[count..]].concat();
    assert_eq!(disagreement(&shifted(2), &right, &colours), None);
    assert!(disagreement(&shifted(3), &right, &colours).is_some());
    assert!(disagreement(&right[1..], &right, &colours).is_some());
    faults_must_be_seen(&right, 1);
}

#[test]
fn numbers_are_shown_by_each_map() {
    crate::common::each(|context| {
        let mut painter = Painter::new(context);
        for ((window, extent), map) in sizes().zip(ColourMap::ALL.into_iter().cycle()) {
            let mut numbers = crate::common::random(extent.texels(), 3);
            if let [first, second, .., last] = numbers.as_mut_slice() {
                (*first, *second, *last) = (f32::INFINITY, f32::NEG_INFINITY, f32::NAN);
            }
            let field = context.texture(extent, &numbers).unwrap();
            let flip = window.width % 2 == 1;
            let layout = Layout { flip, ..Layout::new(window, extent, true) };
            let range = (-0.75, 0.5);
            let shown = Shown::Numbers { map, range };
            let device = painted(&mut painter, context, &field, shown, layout);
            let colours = map.colours();
            let scaled = Scaled { colours: &colours, range, bar: layout.bar };
            let expected = twin(layout, extent).by_scale(&numbers, scaled);
            assert_eq!(disagreement(&device, &expected, &colours), None);
        }
    });
}

#[test]
fn a_range_without_width_is_the_middle_of_the_map() {
    crate::common::each(|context| {
        let extent = Extent::new(2, 1);
        let field = context.texture::<f32>(extent, &[4.0, f32::NAN]).unwrap();
        let mut painter = Painter::new(context);
        assert_eq!(painter.range(&field).unwrap(), Some((4.0, 4.0)));
        let layout = Layout::new(extent, extent, true);
        let shown = Shown::Numbers { map: ColourMap::Grey, range: (4.0, 4.0) };
        let device = painted(&mut painter, context, &field, shown, layout);
        assert_eq!(device, [[128; 3], NOT_A_NUMBER]);
    });
}

#[test]
fn the_range_is_that_of_the_finite_first_channels() {
    crate::common::each(|context| {
        let extent = Extent::new(3, 1);
        let mut painter = Painter::new(context);
        let mut range = |field: &dyn AnyTexture| painter.range(field).unwrap();
        let one = context.texture::<f32>(extent, &[3.0, -2.5, 0.0]).unwrap();
        assert_eq!(range(&one), Some((-2.5, 3.0)));
        let two = context.texture(extent, &[[1.0_f32, 9.0], [2.0, -9.0], [1.5, 0.0]]).unwrap();
        assert_eq!(range(&two), Some((1.0, 2.0)));
        let spoiled = [f32::NAN, 2.0, f32::INFINITY];
        let spoiled = context.texture::<f32>(extent, &spoiled).unwrap();
        assert_eq!(range(&spoiled), Some((2.0, 2.0)));
        let none = context.texture::<f32>(extent, &[f32::NAN; 3]).unwrap();
        assert_eq!(range(&none), None);
        let integers = context.texture::<i32>(extent, &[-7, 3, 70]).unwrap();
        assert_eq!(range(&integers), Some((-7.0, 70.0)));
        let bytes = context.texture::<u8>(extent, &[9, 3, 250]).unwrap();
        assert_eq!(range(&bytes), Some((3.0, 250.0)));
    });
}

#[test]
fn colours_are_shown_as_they_are() {
    crate::common::each(|context| {
        let mut painter = Painter::new(context);
        for (window, extent) in sizes() {
            let numbers = crate::common::random(extent.texels() * 4, 5);
            let colours: Vec<[f32; 4]> =
                numbers.chunks_exact(4).map(|c| [c[0] * 1.5, c[1], c[2] + 0.5, c[3]]).collect();
            let field = context.texture(extent, &colours).unwrap();
            let flip = window.width % 2 == 0;
            let layout = Layout { flip, ..Layout::new(window, extent, false) };
            let device = painted(&mut painter, context, &field, Shown::Colours, layout);
            let expected = twin(layout, extent).of_colours(&colours);
            assert_eq!(difference(&device, &expected, 1), None);

            let bytes: Vec<[i32; 4]> = (0..extent.texels() as i32)
                .map(|n| [n % 256, 255 - n % 256, (n * 7) % 300, 0])
                .collect();
            let field = context.texture(extent, &bytes).unwrap();
            let device = painted(&mut painter, context, &field, Shown::Colours, layout);
            let floats: Vec<_> = bytes.iter().map(|b| b.map(|part| part as f32 / 255.0)).collect();
            assert_eq!(device, twin(layout, extent).of_colours(&floats));
        }
    });
}

#[test]
fn the_first_row_is_at_the_bottom_where_the_layout_says_so() {
    crate::common::each(|context| {
        let extent = Extent::new(2, 3);
        let numbers = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        let field = context.texture::<f32>(extent, &numbers).unwrap();
        let mut painter = Painter::new(context);
        let layout = Layout { flip: true, ..Layout::new(extent, extent, false) };
        let shown = Shown::Numbers { map: ColourMap::Grey, range: (0.0, 1.0) };
        let device = painted(&mut painter, context, &field, shown, layout);
        assert_eq!(device, [204, 255, 102, 153, 0, 51].map(|grey| [grey; 3]));
    });
}
