//! Levels of textures: that each texel is the mean of what it covers, that they follow what is
//! written, that a text that asks for none stays at level 0, and what has none.

use crate::common::twins::levels::levels;
use crate::common::{AWKWARD, each, kernel, random};
use bytemuck::Zeroable;
use quadrille::gl::{self, AnyTexture, Filter, Texel, Texture, Unorm8};
use quadrille::half::f16;
use quadrille::internal::reference::first_wrong;
use quadrille::shader::{Reads, Source};
use quadrille::stream::{Error, Kernel};
use quadrille::{Context, Extent};

const SQUARE: Extent = Extent { width: 64, height: 64 };

/// A level as it is, with its width and height.
const FETCH: &str = "uniform sampler2D image; uniform int level; out vec4 o;
    void main() { o = texelFetch(image, TEXEL, level); }";

fn level_of(kernel: &Kernel, image: &dyn AnyTexture, level: u32, extent: Extent) -> Vec<[f32; 4]> {
    let mut to = kernel.context().uninit::<[f32; 4]>(extent).unwrap();
    kernel.pass().input("image", image).uniform("level", level as i32).draw(&mut to).unwrap();
    to.read().unwrap()
}

/// How far a level may be off that is computed in floats of this rounding, as parts of the largest
/// number: of nine products each weight is rounded three times, and so are the product, its sum and
/// the sum of the rows; then the texel.
fn bound(level: usize, rounding: f64) -> f64 {
    level as f64 * (10.0 * f64::from(f32::EPSILON) / 2.0 + rounding)
}

/// Compares all levels of a texture of these texels with the twin, channel by channel.
fn must_have_levels<T: Texel>(
    context: &Context,
    extent: Extent,
    rounding: f64,
    texel: impl Fn(&[f32]) -> T,
    channels: usize,
) {
    let fetch = kernel(context, FETCH);
    let numbers = random(4 * extent.texels(), 7);
    let texels: Vec<T> = numbers.chunks(4).map(texel).collect();
    let image = context.texture(extent, &texels).unwrap();
    let held = level_of(&fetch, &image, 0, extent);
    for channel in 0..channels {
        let exact: Vec<f64> = held.iter().map(|texel| f64::from(texel[channel])).collect();
        for (index, (wanted, extent)) in levels(&exact, extent).into_iter().enumerate() {
            let got = level_of(&fetch, &image, index as u32, extent);
            let wanted = wanted.into_iter().map(|mean| (mean, bound(index, rounding)));
            let wrong = first_wrong(got.iter().map(|texel| texel[channel]), wanted);
            assert_eq!(wrong, None, "{} level {index}, channel {channel}", T::FORMAT.name);
            if T::FORMAT.channels == 3 {
                assert!(got.iter().all(|texel| texel[3] == 1.0), "{got:?}");
            }
        }
    }
}

#[test]
fn each_texel_of_a_level_is_the_mean_of_what_it_covers() {
    each(|context| {
        for (width, height) in AWKWARD {
            let extent = Extent::new(width, height);
            must_have_levels(context, extent, 0.0, |n| n[0], 1);
        }
        let extent = Extent::new(13, 6);
        must_have_levels(context, extent, 0.0, |n| [n[0], n[1]], 2);
        must_have_levels(context, extent, 0.0, |n| [n[0], n[1], n[2]], 3);
        must_have_levels(context, extent, 0.0, |n| [n[0], n[1], n[2], n[3]], 4);
        // Conversions to half precision may truncate.
        must_have_levels(context, extent, 2.0_f64.powi(-10), |n| f16::from_f32(n[0]), 1);
        let half = |n: &[f32]| [n[0], n[1], n[2]].map(f16::from_f32);
        must_have_levels(context, extent, 2.0_f64.powi(-10), half, 3);
        must_have_levels(context, extent, 1.0 / 255.0, |n| Unorm8((n[0].abs() * 255.0) as u8), 1);
    });
}

#[test]
fn the_bound_tells_a_box_of_two_from_a_box_of_parts() {
    let texels: Vec<f64> = random(5, 7).into_iter().map(f64::from).collect();
    let (means, _) = &levels(&texels, Extent::new(5, 1))[1];
    let dropped = [(texels[0] + texels[1]) / 2.0, (texels[2] + texels[3]) / 2.0];
    let wanted = means.iter().map(|mean| (*mean, bound(1, 0.0)));
    assert_eq!(first_wrong(dropped, wanted), Some(0));
}

#[test]
fn levels_have_half_the_size_rounded_down_and_there_are_as_many_as_that_takes() {
    each(|context| {
        let text = "uniform sampler2D image; uniform int level; out vec2 o;
            void main() { o = vec2(textureSize(image, level)); }";
        let size = kernel(context, text);
        for (width, height) in [(64, 64), (65, 3), (1, 1), (1, 9), (100, 7)] {
            let image = context.uninit::<f32>(Extent::new(width, height)).unwrap();
            for level in 0..=width.max(height).ilog2() {
                let mut to = context.uninit::<[f32; 2]>(Extent::new(1, 1)).unwrap();
                let pass = size.pass().input("image", &image).uniform("level", level as i32);
                pass.draw(&mut to).unwrap();
                let wanted = [width, height].map(|side| (side >> level).max(1) as f32);
                assert_eq!(to.read().unwrap(), [wanted], "{width} x {height}, level {level}");
            }
        }
    });
}

/// A square whose last level is 31.5 + 64 * 31.5.
fn ramp(context: &Context) -> Texture<f32> {
    let texels: Vec<f32> = (0..SQUARE.texels()).map(|index| index as f32).collect();
    context.texture(SQUARE, &texels).unwrap()
}

const MEAN: f64 = 4095.0 / 2.0;

fn first_of(kernel: &Kernel, image: &Texture<f32>) -> f64 {
    let mut to = kernel.context().uninit::<f32>(Extent::new(1, 1)).unwrap();
    kernel.pass().input("image", image).draw(&mut to).unwrap();
    f64::from(to.read().unwrap()[0])
}

fn writing(context: &Context, expression: &str) -> Kernel {
    let text = format!(
        "uniform sampler2D image; in vec2 uv; out float o;\nvoid main() {{ o = {expression}.r; }}"
    );
    kernel(context, &text)
}

#[test]
fn every_function_of_levels_reads_them_by_every_filter() {
    let functions = [
        "texelFetch(image, ivec2(0), 6)",
        "texelFetchOffset(image, ivec2(-1), 6, ivec2(1))",
        "textureLod(image, uv, 8.0)",
        "textureLodOffset(image, uv, 8.0, ivec2(1))",
        "textureProjLod(image, vec3(2.0 * uv, 2.0), 8.0)",
        "textureProjLodOffset(image, vec4(uv, 0.0, 1.0), 8.0, ivec2(0))",
        "textureGrad(image, uv, vec2(2.0, 0.0), vec2(0.0, 2.0))",
        "textureGradOffset(image, uv, vec2(2.0, 0.0), vec2(0.0, 2.0), ivec2(1))",
        "textureProjGrad(image, vec3(uv, 1.0), vec2(2.0, 0.0), vec2(0.0, 2.0))",
        "texture(image, uv, 15.0)",
        "textureOffset(image, uv, ivec2(1), 15.0)",
        "textureProj(image, vec3(uv, 1.0), 15.0)",
        "textureProjOffset(image, vec3(uv, 1.0), ivec2(1), 15.0)",
    ];
    each(|context| {
        let filters = [Filter::Nearest, Filter::Linear, Filter::Mipmap];
        let has_all = context.abilities().float_filtering;
        for filter in filters.into_iter().filter(|one| has_all || *one == Filter::Nearest) {
            let image = ramp(context).with_filter(filter).unwrap();
            for function in functions {
                let got = first_of(&writing(context, function), &image);
                assert_eq!(first_wrong([got], [(MEAN, 1e-3)]), None, "{function} {filter}: {got}");
            }
        }
    });
}

#[test]
fn levels_can_be_counted_and_asked_for() {
    let context = Context::headless().unwrap();
    let text = "#extension GL_ARB_texture_query_levels : enable
        uniform sampler2D image; out float o; void main() { o = float(textureQueryLevels(image)); }";
    if context.abilities().compute.is_none() {
        return crate::common::not_tested("no compute shaders");
    }
    assert_eq!(first_of(&kernel(&context, text), &ramp(&context)), 7.0);
    context.check().unwrap();
}

/// What a text without a function of levels gives, before and after another one had them made.
#[test]
fn a_text_without_levels_stays_at_level_0() {
    each(|context| {
        let plain = writing(context, "texture(image, uv)");
        let names = writing(context, "textureLod(image, uv, 3.0)");
        let mut image = ramp(context);
        let drawn = |kernel: &Kernel, image: &Texture<f32>| {
            let mut to = context.uninit::<f32>(Extent::new(8, 8)).unwrap();
            kernel.pass().input("image", image).draw(&mut to).unwrap();
            to.read().unwrap()
        };
        for filter in [Filter::Nearest, Filter::Linear] {
            if filter != Filter::Nearest && !context.abilities().float_filtering {
                continue;
            }
            image.set_filter(filter).unwrap();
            let before = drawn(&plain, &image);
            // The centre of 8 x 8 texels is the corner of four.
            let centre = |index: usize| {
                8.0 * (index % 8) as f64 + 3.5 + 64.0 * (8.0 * (index / 8) as f64 + 3.5)
            };
            let off = if filter == Filter::Nearest { 0.5 + 64.0 * 0.5 + 1e-3 } else { 1e-3 };
            let wanted = (0..64).map(|index| (centre(index), off));
            assert_eq!(first_wrong(before.iter().copied(), wanted.clone()), None, "{filter}");
            // The same number is the mean of 8 x 8.
            let means = (0..64).map(|index| (centre(index), 1e-2));
            assert_eq!(first_wrong(drawn(&names, &image), means), None, "{filter}");
            assert_eq!(drawn(&plain, &image), before, "{filter}");
        }
    });
}

/// A chessboard of single texels, of which level 0 has 0 and 1 alone, and all others 0.5.
#[test]
fn mipmap_averages_what_is_shrunk_and_nothing_else() {
    each(|context| {
        if !context.abilities().float_filtering {
            return crate::common::not_tested("floats are not filtered");
        }
        let board = |index: usize| ((index % 64 + index / 64) % 2) as f32;
        let texels: Vec<f32> = (0..SQUARE.texels()).map(board).collect();
        let image = context.texture(SQUARE, &texels).unwrap();
        let image = image.with_filter(Filter::Mipmap).unwrap();
        let drawn = |expression: &str, side: u32| {
            let mut to = context.uninit::<f32>(Extent::new(side, side)).unwrap();
            writing(context, expression).pass().input("image", &image).draw(&mut to).unwrap();
            to.read().unwrap()
        };
        // Off the corners of four texels, where level 0 has the mean too.
        let shrunk = drawn("texture(image, uv + 0.5 / vec2(textureSize(image, 0)))", 8);
        assert!(shrunk.iter().all(|texel| (texel - 0.5).abs() < 1e-6), "{shrunk:?}");
        let same = drawn("texture(image, uv)", 64);
        let wanted = (0..SQUARE.texels()).map(|index| (f64::from(board(index)), 1e-2));
        assert_eq!(first_wrong(same, wanted), None);
    });
}

#[test]
fn levels_follow_what_is_written_by_every_way() {
    each(|context| {
        let mean = writing(context, "textureLod(image, uv, 8.0)");
        let mut image = ramp(context);
        assert_eq!(first_of(&mean, &image), MEAN);
        image.write_rectangle(quadrille::Rectangle::new(0, 0, 1, 1), &[4096.0]).unwrap();
        assert_eq!(first_of(&mean, &image), MEAN + 1.0);
        image.fill(3.0).unwrap();
        assert_eq!(first_of(&mean, &image), 3.0);
        image.copy_from(&ramp(context)).unwrap();
        assert_eq!(first_of(&mean, &image), MEAN);
        let five = kernel(context, "out float o; void main() { o = 5.0; }");
        five.pass().draw(&mut image).unwrap();
        assert_eq!(first_of(&mean, &image), 5.0);
        let two = "layout(location = 0) out float a; layout(location = 1) out float b;
            void main() { a = 6.0; b = 7.0; }";
        let mut other = ramp(context);
        kernel(context, two).pass().draw_into(&mut [&mut image, &mut other]).unwrap();
        assert_eq!((first_of(&mean, &image), first_of(&mean, &other)), (6.0, 7.0));
        if context.abilities().compute.is_some() {
            let text = "layout(local_size_x = 8, local_size_y = 8) in;
                layout(r32f, binding = 0) uniform writeonly image2D image;
                void main() { imageStore(image, ivec2(gl_GlobalInvocationID.xy), vec4(9.0)); }";
            let stores = context.compute_kernel(Source::compute("stores.comp", text)).unwrap();
            stores.dispatch().image_mut("image", &mut image).run([8, 8, 1]).unwrap();
            assert_eq!(first_of(&mean, &image), 9.0);
        }
    });
}

#[test]
fn a_compute_shader_reads_levels_that_it_computes() {
    each(|context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        let text = "layout(local_size_x = 1) in;
            uniform sampler2D image;
            layout(std430, binding = 0) writeonly buffer To { float to[]; };
            void main() {
                int level = int(gl_GlobalInvocationID.x);
                to[2 * level] = texelFetch(image, ivec2(0), level).r;
                to[2 * level + 1] = textureLod(image, vec2(0.0), float(level)).r;
            }";
        let reads = context.compute_kernel(Source::compute("reads.comp", text)).unwrap();
        let mut to = context.buffer(&[0.0_f32; 14]).unwrap();
        let image = ramp(context);
        reads.dispatch().input("image", &image).buffer_mut("To", &mut to).run([7, 1, 1]).unwrap();
        let side = |level: u32| f64::from((1_u32 << level) - 1) / 2.0;
        let wanted = (0..14).map(|index| (65.0 * side(index / 2), 1e-3));
        assert_eq!(first_wrong(to.read().unwrap(), wanted), None);
    });
}

#[test]
fn each_layer_of_a_texture_array_has_levels() {
    each(|context| {
        let text = "uniform sampler2DArray image; uniform ivec2 at; out vec4 o;
            void main() { o = texelFetch(image, ivec3(TEXEL, at.x), at.y); }";
        let fetch = kernel(context, text);
        let (extent, layers) = (Extent::new(7, 5), 3);
        let numbers = random(extent.texels() * layers, 3);
        let image = context.texture_array(extent, layers as u32, &numbers).unwrap();
        for (layer, numbers) in numbers.chunks(extent.texels()).enumerate() {
            let exact: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
            for (level, (wanted, extent)) in levels(&exact, extent).into_iter().enumerate() {
                let mut to = context.uninit::<[f32; 4]>(extent).unwrap();
                let at = [layer as i32, level as i32];
                fetch.pass().input("image", &image).uniform("at", at).draw(&mut to).unwrap();
                let got = to.read().unwrap().into_iter().map(|texel| texel[0]);
                let wanted = wanted.into_iter().map(|mean| (mean, bound(level, 0.0)));
                assert_eq!(first_wrong(got, wanted), None, "layer {layer}, level {level}");
            }
        }
    });
}

#[test]
fn ways_of_reading_level_0_are_exact_beside_levels() {
    each(|context| {
        for reads in [Reads::Fetch, Reads::Sample] {
            let text = "uniform sampler2D image; out float o;
                void main() { o = READ(image, TEXEL).r + textureLod(image, vec2(0.5), 8.0).r; }";
            let source = Source::fragment("both.frag", text);
            let kernel = Kernel::from_fragment(context, &source, reads).unwrap();
            let mut to = context.uninit::<f32>(SQUARE).unwrap();
            kernel.pass().input("image", &ramp(context)).draw(&mut to).unwrap();
            let wanted = (0..SQUARE.texels()).map(|index| (index as f64 + MEAN, 1e-3));
            assert_eq!(first_wrong(to.read().unwrap(), wanted), None, "{reads}");
        }
    });
}

#[test]
fn what_has_no_levels_says_so() {
    each(|context| {
        for call in ["texelFetch(counts, TEXEL, 1)", "textureLod(counts, vec2(0.5), 2.5)"] {
            let text =
                format!("uniform isampler2D counts; out int o; void main() {{ o = {call}.r; }}");
            let error = context.kernel(Source::fragment("counts.frag", &text)).err().unwrap();
            assert!(
                matches!(&error, Error::LevelsOfIntegers { name, .. } if name == "counts"),
                "{error}"
            );
            assert!(error.to_string().contains("isampler2D"), "{error}");
        }
        let level_0 = "uniform isampler2D counts; out int o; void main() { o = textureLod(counts, vec2(0.5), 0.0).r; }";
        context.kernel(Source::fragment("counts.frag", level_0)).unwrap();
        let error = context.uninit::<i32>(SQUARE).unwrap().with_filter(Filter::Mipmap).unwrap_err();
        assert!(matches!(error, gl::Error::Unsupported { .. }), "{error}");
        if !context.abilities().float_filtering {
            let error = ramp(context).with_filter(Filter::Mipmap).unwrap_err();
            assert!(error.to_string().contains("GL_OES_texture_float_linear"), "{error}");
        }
    });
}

/// What is dropped with its levels leaves none to the next texture of its extent.
#[test]
fn a_new_texture_has_no_levels_of_an_earlier_one() {
    each(|context| {
        let mean = writing(context, "textureLod(image, uv, 8.0)");
        for value in [1.0, 2.0, 3.0] {
            let image = context.texture(SQUARE, &vec![value; SQUARE.texels()]).unwrap();
            assert_eq!(first_of(&mean, &image), f64::from(value));
        }
        let zeroed = <[f32; 4]>::zeroed();
        let image = context.texture(SQUARE, &vec![zeroed; SQUARE.texels()]).unwrap();
        assert_eq!(level_of(&kernel(context, FETCH), &image, 6, Extent::new(1, 1)), [zeroed]);
    });
}
