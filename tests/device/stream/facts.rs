//! Facts about the device, and the two ways to read a texel: both give that texel and no other.

use crate::common::{Flavour, mesa};
use quadrille::gl::Texture;
use quadrille::shader::{Reads, Source, Stage};
use quadrille::stream::{Kernel, facts};
use quadrille::{Context, Extent};

const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

fn reading(context: &Context, text: &str, reads: Reads) -> Kernel {
    let vertex = Source::library(Stage::Vertex, "vertex/rectangle.vert").unwrap();
    Kernel::new(context, &vertex, &Source::fragment("read.frag", text), reads).unwrap()
}

/// Every way to write that a texel is read, each giving the texel `(x + 1, y + 2)` wrapped around
/// the extent.
const FORMS: [&str; 4] = [
    "READ(image, p)",
    "READ_AT(image, COORDINATE(image, vec2(p) + 0.5))",
    "READ_CLAMPED(image, p)",
    "READ_AT_CLAMPED(image, COORDINATE(image, vec2(p) + 0.5))",
];

fn shift(form: &str) -> String {
    format!(
        "uniform sampler2D image;\nout vec2 o;\nvoid main() {{\n    \
         ivec2 size = textureSize(image, 0);\n    ivec2 p = TEXEL + ivec2(1, 2);\n    \
         p = ivec2(p.x % size.x, p.y % size.y);\n    o = {form}.rg;\n}}\n"
    )
}

/// A texture whose texels are their places.
fn places(context: &Context, extent: Extent) -> Texture<[f32; 2]> {
    let width = extent.width as usize;
    let texels: Vec<[f32; 2]> =
        (0..extent.texels()).map(|i| [(i % width) as f32, (i / width) as f32]).collect();
    context.texture(extent, &texels).unwrap()
}

fn shifted(extent: Extent) -> Vec<[f32; 2]> {
    let (w, h) = (extent.width as usize, extent.height as usize);
    (0..w * h).map(|i| [((i % w + 1) % w) as f32, ((i / w + 2) % h) as f32]).collect()
}

#[test]
fn both_ways_of_reading_meet_the_texel_at_every_extent() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size;
        let long = [Extent::new(limit, 1), Extent::new(1, limit), Extent::new(limit - 1, 1)];
        for reads in READS {
            for form in FORMS {
                let kernel = reading(context, &shift(form), reads);
                for extent in crate::common::awkward().chain(long) {
                    let image = places(context, extent);
                    let mut got = context.uninit::<[f32; 2]>(extent).unwrap();
                    kernel.pass().input("image", &image).draw(&mut got).unwrap();
                    assert!(got.read().unwrap() == shifted(extent), "{form}, {reads:?}, {extent}");
                }
            }
        }
    });
}

#[test]
fn reading_outside_is_clamped_in_both_ways_where_it_is_asked_for() {
    crate::common::each(|context| {
        let extent = Extent::new(5, 3);
        let image = places(context, extent);
        for reads in READS {
            for form in [
                "READ_CLAMPED(image, TEXEL + step)",
                "READ_AT_CLAMPED(image, COORDINATE(image, vec2(TEXEL + step) + 0.5))",
            ] {
                let text = format!(
                    "uniform sampler2D image;\nuniform ivec2 step;\nout vec2 o;\n\
                     void main() {{ o = {form}.rg; }}"
                );
                let kernel = reading(context, &text, reads);
                let mut got = context.uninit::<[f32; 2]>(extent).unwrap();
                for (dx, dy) in [(-1, 0), (1, 0), (0, -2), (0, 2), (-3, 3), (1000, -1000)] {
                    kernel
                        .pass()
                        .input("image", &image)
                        .uniform("step", [dx, dy])
                        .draw(&mut got)
                        .unwrap();
                    let expected: Vec<[f32; 2]> = (0..15)
                        .map(|i| [(i % 5 + dx).clamp(0, 4) as f32, (i / 5 + dy).clamp(0, 2) as f32])
                        .collect();
                    assert_eq!(got.read().unwrap(), expected, "{form}, {reads:?}, {dx} {dy}");
                }
            }
        }
    });
}

#[test]
fn integers_are_read_in_both_ways() {
    crate::common::each(|context| {
        let extent = Extent::new(257, 3);
        let numbers: Vec<i32> = (0..771).map(|i| i * 2_785_000 - 1_073_741_824).collect();
        let image = context.texture(extent, &numbers).unwrap();
        let text =
            "uniform isampler2D image;\nout int o;\nvoid main() { o = READ(image, TEXEL).r; }";
        for reads in READS {
            let mut got = context.uninit::<i32>(extent).unwrap();
            reading(context, text, reads).pass().input("image", &image).draw(&mut got).unwrap();
            assert_eq!(got.read().unwrap(), numbers);
        }
    });
}

#[test]
fn rows_ascend_everywhere() {
    crate::common::each(|context| assert!(facts::rows_ascend(context).unwrap()));
}

#[test]
fn sampling_at_a_computed_centre_misreads_nothing() {
    crate::common::each(|context| {
        let limit = context.abilities().max_texture_size;
        for extent in
            crate::common::awkward().chain([Extent::new(limit, limit), Extent::new(4099, 8191)])
        {
            assert_eq!(facts::misread_texels(context, extent).unwrap(), 0, "{extent}");
        }
    });
}

#[test]
fn the_floor_algebra_is_exact_for_what_fits_in_floats() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for (width, height) in [(1, 1), (3, 5), (7, 1000), (511, 512), (1000, 1049), (49, 16384)] {
            let extent = Extent::new(width, height);
            assert_eq!(facts::misplaced_by_floor(context, extent).unwrap(), 0, "{extent}");
        }
    });
}

#[test]
fn the_floor_algebra_is_found_inexact_past_two_to_the_24() {
    // 4101 x 4099 texels are 16.8 million: the last indices have no float of their own.
    crate::common::on(&[Flavour::Gl33], |context| {
        let extent = Extent::new(4101, 4099);
        assert!(facts::misplaced_by_floor(context, extent).unwrap() > 0);
    });
}

/// Iterations that nested loops make of those that they ask for.
fn iterations(context: &Context, outer: i32, inner: i32) -> u32 {
    let text = "uniform int outer;\nuniform int inner;\nout uint made;\nvoid main() {\n    made = 0u;\n    \
                for (int i = 0; i < outer; i++) {\n        for (int j = 0; j < inner; j++) made++;\n    }\n}\n";
    let kernel = crate::common::kernel(context, text);
    let mut made = context.uninit::<u32>(Extent::new(1, 1)).unwrap();
    kernel.pass().uniform("outer", outer).uniform("inner", inner).draw(&mut made).unwrap();
    made.read().unwrap()[0]
}

/// Whatever the driver's limit is, nested loops that stay inside the budget run to their end.
#[test]
fn loops_within_the_budget_run_to_their_end() {
    crate::common::each(|context| {
        let budget = context.loop_budget().unwrap();
        assert_eq!(context.loop_budget().unwrap(), budget, "asked again");
        let all = budget.unwrap_or(200_000);
        // Each turn of the outer loop counts as well.
        let inner = (all / 100) as i32 - 2;
        assert_eq!(iterations(context, 100, inner), 100 * inner as u32);
        if budget.is_some() {
            assert!(iterations(context, 300, 2 * inner) < 600 * inner as u32, "beyond {all}");
        }
    });
}

/// As the documents say of these versions of Mesa.
#[test]
fn llvmpipes_loop_budget_is_that_of_its_version() {
    const KNOWN: [((u32, u32), Option<u32>); 3] =
        [((22, 3), Some(65535)), ((25, 0), None), ((26, 2), None)];
    let builder = Flavour::Gl33.builder().device("llvmpipe");
    let Ok(context) = builder.build() else { return };
    let (version, budget) = (mesa(&context), context.loop_budget().unwrap());
    match KNOWN.iter().find(|(known, _)| Some(*known) == version) {
        Some((_, expected)) => assert_eq!(budget, *expected, "{version:?}"),
        None => eprintln!("of Mesa {version:?} the documents say nothing: {budget:?}"),
    }
}
