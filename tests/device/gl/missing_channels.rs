//! Channels that a texel lacks: by samplers, by images, with swizzles and without, as on WebGL2.

use crate::common::{EXTREMES, Flavour, channels, clean};
use quadrille::gl::Texture;
use quadrille::internal::Ability;
use quadrille::shader::Source;
use quadrille::{Context, Extent};

/// Runs a test where textures have swizzles and where they have none.
fn with_and_without_swizzles(body: impl Fn(&Context)) {
    for flavour in EXTREMES {
        clean(&format!("{flavour:?}"), &flavour.builder().build().unwrap(), &body);
        let context = flavour.builder().without(Ability::Swizzles).build().unwrap();
        clean(&format!("{flavour:?} without swizzles"), &context, &body);
    }
}

#[test]
fn missing_channels_read_the_same_after_any_number_of_steps() {
    with_and_without_swizzles(channels::are_right_after_steps);
}

#[test]
fn missing_channels_read_the_same_in_later_passes() {
    with_and_without_swizzles(channels::are_right_in_later_passes);
}

#[test]
fn missing_channels_read_the_same_in_panels() {
    for flavour in EXTREMES {
        let builder = flavour.builder().without(Ability::LargerTextures(4));
        clean("in panels", &builder.build().unwrap(), channels::are_right_after_steps);
    }
}

#[test]
fn missing_channels_read_the_same_in_images() {
    for flavour in [Flavour::Gl, Flavour::Gles] {
        clean("images", &flavour.builder().build().unwrap(), channels::are_right_in_images);
    }
}

/// A store of four channels into an image of three drops the fourth.
#[test]
fn a_texture_of_three_channels_is_an_image_of_four() {
    let context = Context::headless().unwrap();
    if context.abilities().compute.is_none() {
        return crate::common::not_tested("no compute shaders");
    }
    let text = "layout(local_size_x = 1) in;
        layout(rgba32f, binding = 0) uniform image2D colour;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            vec4 old = imageLoad(colour, at);
            imageStore(colour, at, vec4(old.rgb + old.a, 7.0));
        }";
    let kernel = context.compute_kernel(Source::compute("adds.comp", text)).unwrap();
    let mut colours = context.texture(Extent::new(2, 1), &[[0.0_f32, 1.0, 2.0]; 2]).unwrap();
    for step in 1..=2 {
        kernel.dispatch().image_mut("colour", &mut colours).run([2, 1, 1]).unwrap();
        let expected = [0.0, 1.0, 2.0].map(|x| x + step as f32);
        assert_eq!(colours.read().unwrap(), [expected; 2], "after {step} dispatches");
    }
}

#[test]
fn layers_of_three_channels_are_written_and_read_whole() {
    with_and_without_swizzles(|context| {
        let text = "uniform sampler2DArray stack; out vec4 whole;
            void main() { whole = texelFetch(stack, ivec3(TEXEL.x, 0, TEXEL.y), 0); }";
        let kernel = context.kernel(Source::fragment("layer.frag", text)).unwrap();
        let texels = [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]];
        let stack = context.texture_array(Extent::new(2, 1), 2, &texels).unwrap();
        let mut whole = context.uninit::<[f32; 4]>(Extent::new(2, 2)).unwrap();
        kernel.pass().input("stack", &stack).draw(&mut whole).unwrap();
        assert_eq!(whole.read().unwrap(), texels.map(|[r, g, b]| [r, g, b, 1.0]));
    });
}

/// A copy brings what the other left in the fourth channel, and a masked clear is no part of the
/// value.
#[test]
fn copies_and_fills_of_three_channels_read_one_in_the_fourth() {
    with_and_without_swizzles(|context| {
        let draws = "out vec3 colour; void main() { colour = vec3(TEXEL, 3); }";
        let reads = "uniform sampler2D colour; out vec4 whole; void main() { whole = READ(colour, TEXEL); }";
        let kernel = |text: &str| context.kernel(Source::fragment("test.frag", text)).unwrap();
        let (draws, reads) = (kernel(draws), kernel(reads));
        let extent = Extent::new(3, 1);
        let mut drawn = context.uninit::<[f32; 3]>(extent).unwrap();
        draws.pass().draw(&mut drawn).unwrap();
        let mut copied = context.uninit::<[f32; 3]>(extent).unwrap();
        copied.copy_from(&drawn).unwrap();
        let whole = |colour: &Texture<[f32; 3]>| {
            let mut whole = context.uninit::<[f32; 4]>(extent).unwrap();
            reads.pass().input("colour", colour).draw(&mut whole).unwrap();
            whole.read().unwrap()
        };
        let expected = [0.0, 1.0, 2.0].map(|x| [x, 0.0, 3.0, 1.0]);
        assert_eq!((whole(&copied), whole(&drawn)), (expected.to_vec(), expected.to_vec()));
        assert_eq!(copied.read().unwrap(), expected.map(|[r, g, b, _]| [r, g, b]));
        drawn.fill([0.5, 0.25, 0.125]).unwrap();
        assert_eq!(whole(&drawn), [[0.5, 0.25, 0.125, 1.0]; 3]);
    });
}
