//! Tests the texels that each geometry writes: all of its own, once, and no other. Targets are
//! poisoned first, so that a texel left out shows, and so does a stray.

use crate::common::Flavour;
use proptest::prelude::*;
use quadrille::gl::{Blend, Texture};
use quadrille::stream::{Geometry, Kernel, LineDirection, Order, Tiles, cover, facts};
use quadrille::{Context, Extent, Kind, Rectangle};

/// The texels that a pass wrote: NaN where nothing was written, else the texel's own number.
fn written(kernel: &Kernel, target: &mut Texture<[f32; 2]>, geometry: Geometry<'_>) -> Vec<bool> {
    target.fill([f32::NAN; 2]).unwrap();
    kernel.pass().over(geometry).draw(target).unwrap();
    let width = target.extent().width as usize;
    let texels = target.read().unwrap().into_iter().enumerate();
    texels
        .map(|(i, texel)| {
            let place = [(i % width) as f32 + 0.5, (i / width) as f32 + 0.5];
            assert!(texel == place || texel.iter().all(|x| x.is_nan()), "{texel:?} at {place:?}");
            texel == place
        })
        .collect()
}

fn places(context: &Context) -> Kernel {
    crate::common::kernel(context, "out vec2 place;\nvoid main() { place = gl_FragCoord.xy; }")
}

/// The texels that rectangles should write.
fn expected(extent: Extent, rectangles: &[Rectangle]) -> Vec<bool> {
    let inside = |x: u32, y: u32| {
        rectangles
            .iter()
            .any(|r| (r.x..r.x + r.width).contains(&x) && (r.y..r.y + r.height).contains(&y))
    };
    (0..extent.height).flat_map(|y| (0..extent.width).map(move |x| inside(x, y))).collect()
}

#[test]
fn a_full_pass_writes_every_texel() {
    crate::common::each(|context| {
        let kernel = places(context);
        for extent in crate::common::awkward() {
            let mut target = context.uninit(extent).unwrap();
            let got = written(&kernel, &mut target, Geometry::Full);
            assert!(got.into_iter().all(|written| written), "{extent}");
        }
    });
}

#[test]
fn a_rectangle_writes_its_texels_and_no_other() {
    crate::common::each(|context| {
        let kernel = places(context);
        for extent in crate::common::awkward() {
            let (w, h) = (extent.width, extent.height);
            let mut target = context.uninit(extent).unwrap();
            for rectangle in [
                extent.rectangle(),
                Rectangle::new(0, 0, 1, 1),
                Rectangle::new(w - 1, h - 1, 1, 1),
                Rectangle::new(w / 3, h / 2, w - w / 3, h - h / 2),
                Rectangle::new(w / 2, 0, w.div_ceil(3).min(w - w / 2), h),
                Rectangle::new(0, h / 2, w, 1),
                Rectangle::new(w / 2, h / 2, 0, 0),
                Rectangle::new(w, h, 0, 0),
            ] {
                let got = written(&kernel, &mut target, Geometry::Rectangle(rectangle));
                assert_eq!(got, expected(extent, &[rectangle]), "{rectangle} of {extent}");
            }
        }
    });
}

#[test]
fn a_column_writes_its_texels_and_no_other() {
    crate::common::each(|context| {
        let kernel = places(context);
        for extent in crate::common::awkward() {
            let mut target = context.uninit(extent).unwrap();
            for x in [0, extent.width / 2, extent.width - 1] {
                let got = written(&kernel, &mut target, Geometry::Column(x));
                let column = Rectangle::new(x, 0, 1, extent.height);
                assert_eq!(got, expected(extent, &[column]), "column {x} of {extent}");
            }
        }
    });
}

#[test]
fn a_line_is_a_column_where_the_probe_says_so() {
    crate::common::each(|context| {
        let kernel = places(context);
        let mut upward = 0;
        for extent in crate::common::awkward() {
            let (first, last) = (0, extent.width - 1);
            let mut target = context.uninit(extent).unwrap();
            let column = |x| expected(extent, &[Rectangle::new(x, 0, 1, extent.height)]);
            let mut exact = |heading| {
                let mut is =
                    |x| written(&kernel, &mut target, Geometry::Line(x, heading)) == column(x);
                is(first) && is(last)
            };
            let says = facts::covering_lines(context, extent).unwrap();
            if let Some(heading) = says {
                assert!(exact(heading), "the probe says that lines {heading:?} cover {extent}");
            }
            upward += usize::from(says == Some(LineDirection::Up));
        }
        // Ran on llvmpipe: lines through the centres are exact there, and upward ones are
        // preferred.
        let llvmpipe = context.abilities().renderer.contains("llvmpipe");
        assert!(!llvmpipe || upward == crate::common::AWKWARD.len(), "{upward}");
    });
}

const ORDERS: [Order; 4] = [Order::Rows, Order::Columns, Order::Morton, Order::Hilbert];

#[test]
fn tiles_in_every_order_write_each_texel_once() {
    crate::common::each(|context| {
        let kernel = places(context);
        let one = crate::common::writes(context, "1.0");
        for extent in crate::common::awkward() {
            let mut target = context.uninit(extent).unwrap();
            let mut count = context.uninit::<f32>(extent).unwrap();
            for (order, side) in ORDERS.into_iter().zip([1, 2, 5, 64]) {
                let tile = if side == 1 { Extent::new(3, 2) } else { Extent::new(side, side) };
                let list = cover(extent, tile, order).unwrap();
                let tiles = Tiles::new(context, &list).unwrap();
                let got = written(&kernel, &mut target, Geometry::Tiles(&tiles));
                assert!(got.into_iter().all(|written| written), "{order:?} of {extent}");
                if context.abilities().float_blending {
                    count.fill(0.0).unwrap();
                    let pass = one.pass().over(Geometry::Tiles(&tiles)).blend(Blend::Add);
                    pass.draw(&mut count).unwrap();
                    assert!(count.read().unwrap().iter().all(|n| *n == 1.0), "{order:?} {extent}");
                }
            }
        }
    });
}

#[test]
fn tiles_that_do_not_cover_leave_the_rest() {
    crate::common::each(|context| {
        let extent = Extent::new(9, 7);
        let list =
            [Rectangle::new(1, 1, 2, 3), Rectangle::new(8, 6, 1, 1), Rectangle::new(4, 0, 3, 1)];
        let tiles = Tiles::new(context, &list).unwrap();
        let mut target = context.uninit(extent).unwrap();
        let got = written(&places(context), &mut target, Geometry::Tiles(&tiles));
        assert_eq!(got, expected(extent, &list));
        let none = Tiles::new(context, &[]).unwrap();
        let got = written(&places(context), &mut target, Geometry::Tiles(&none));
        assert!(!got.into_iter().any(|written| written));
    });
}

#[test]
fn tiles_are_drawn_in_their_order() {
    crate::common::each(|context| {
        // Where tiles overlap, the later one stays.
        let list = [Rectangle::new(0, 0, 2, 1), Rectangle::new(1, 0, 2, 1)];
        for (order, expected) in [([0, 1], [0.0, 1.0, 1.0]), ([1, 0], [0.0, 0.0, 1.0])] {
            let ordered = order.map(|i| list[i]);
            let tiles = Tiles::new(context, &ordered).unwrap();
            let vertex = quadrille::shader::Source::vertex(
                "tiles.vert",
                "#include \"include/rectangle.glsl\"\nflat out float start;\n\
                 void main() { start = quadrille_rectangle.x; gl_Position = on_target(corner()); }",
            );
            let fragment = quadrille::shader::Source::fragment(
                "tiles.frag",
                "flat in float start;\nout float o;\nvoid main() { o = start; }",
            );
            let reads = context.abilities().reads();
            let kernel = Kernel::new(context, &vertex, &fragment, reads).unwrap();
            let mut target = context.uninit::<f32>(Extent::new(3, 1)).unwrap();
            kernel.pass().over(Geometry::Tiles(&tiles)).draw(&mut target).unwrap();
            assert_eq!(target.read().unwrap(), expected);
        }
    });
}

#[test]
fn a_geometry_outside_the_target_is_refused_and_writes_nothing() {
    crate::common::each(|context| {
        let extent = Extent::new(4, 3);
        let kernel = crate::common::writes(context, "1.0");
        let mut target = context.texture::<f32>(extent, &[5.0; 12]).unwrap();
        let far = Tiles::new(context, &[Rectangle::new(0, 0, 1, 1), Rectangle::new(3, 0, 2, 1)]);
        let far = far.unwrap();
        let overflowing = Tiles::new(context, &[Rectangle::new(u32::MAX, 1, u32::MAX, 1)]).unwrap();
        for (geometry, text) in [
            (Geometry::Rectangle(Rectangle::new(3, 0, 2, 1)), "2 x 1 texels at (3, 0)"),
            (Geometry::Rectangle(Rectangle::new(0, 3, 1, 1)), "1 x 1 texels at (0, 3)"),
            (Geometry::Rectangle(Rectangle::new(u32::MAX, 0, 1, 1)), "texels at (4294967295, 0)"),
            (Geometry::Rectangle(Rectangle::new(1, 0, u32::MAX, 1)), "4294967295 x 1 texels"),
            (Geometry::Column(4), "1 x 3 texels at (4, 0)"),
            (Geometry::Column(u32::MAX), "1 x 3 texels at (4294967295, 0)"),
            (Geometry::Line(4, LineDirection::Up), "1 x 3 texels at (4, 0)"),
            (Geometry::Line(u32::MAX, LineDirection::Down), "1 x 3 texels at (4294967295, 0)"),
            (Geometry::Tiles(&far), "5 x 1 texels"),
            (Geometry::Tiles(&overflowing), "4294967295 x 2 texels"),
        ] {
            let error = kernel.pass().over(geometry).draw(&mut target).unwrap_err();
            assert_eq!(error.kind(), Kind::Input);
            let said = error.to_string();
            assert!(said.starts_with("a pass of test.frag: "), "{said}");
            assert!(said.contains(text), "no `{text}` in: {said}");
            assert!(said.ends_with("do not fit in 4 x 3 texels"), "{said}");
            assert_eq!(target.read().unwrap(), [5.0; 12]);
        }
    });
}

#[test]
fn tiles_of_another_context_are_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let other = Flavour::Gl.builder().build().unwrap();
        let tiles = Tiles::new(&other, &[Rectangle::new(0, 0, 1, 1)]).unwrap();
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let kernel = crate::common::writes(context, "1.0");
        let error = kernel.pass().over(Geometry::Tiles(&tiles)).draw(&mut target).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the tiles belongs to another context; objects cannot cross contexts"
        );
    });
}

#[test]
fn the_largest_target_is_written_at_its_ends() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size;
        let kernel = places(context);
        for extent in [Extent::new(limit, 1), Extent::new(1, limit)] {
            let mut target = context.uninit(extent).unwrap();
            let got = written(&kernel, &mut target, Geometry::Full);
            assert!(got.into_iter().all(|written| written), "{extent}");
            let end = Rectangle::new(extent.width - 1, extent.height - 1, 1, 1);
            let got = written(&kernel, &mut target, Geometry::Rectangle(end));
            assert_eq!(got, expected(extent, &[end]), "{extent}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_rectangle_of_any_target_is_exact(
        width in 1_u32..200, height in 1_u32..90, corner in any::<(u16, u16)>(), size in any::<(u16, u16)>()
    ) {
        let (x, y) = (u32::from(corner.0) % width, u32::from(corner.1) % height);
        let (w, h) = (u32::from(size.0) % (width - x + 1), u32::from(size.1) % (height - y + 1));
        let (extent, rectangle) = (Extent::new(width, height), Rectangle::new(x, y, w, h));
        crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
            let mut target = context.uninit(extent).unwrap();
            let got = written(&places(context), &mut target, Geometry::Rectangle(rectangle));
            assert_eq!(got, expected(extent, &[rectangle]), "{rectangle} of {extent}");
        });
    }
}
