//! Reading outside of a texture and between its texels: the prelude's words, filters and wrap
//! modes.

use quadrille::gl::{Filter, Texture, Unorm8, Wrap};
use quadrille::internal::reference::is_near;
use quadrille::shader::{Reads, Source};
use quadrille::stream::{Error, Kernel};
use quadrille::{Context, Extent};

const EXTENT: Extent = Extent { width: 5, height: 3 };

/// Offsets of a few periods either way, multiples of the extent among them.
const OFFSETS: [[i32; 2]; 9] =
    [[0, 0], [-1, -1], [1, 2], [-5, -3], [5, 3], [-15, -9], [-6, 4], [17, -17], [-1000, 1000]];

/// Texels that tell their position.
fn positions(context: &Context) -> Texture<f32> {
    let texels: Vec<f32> = (0..EXTENT.texels()).map(|index| index as f32).collect();
    context.texture(EXTENT, &texels).unwrap()
}

/// The expected results of reads at an offset, where `inside` maps a position on an axis to one in
/// the texture.
fn expected([dx, dy]: [i32; 2], inside: impl Fn(i32, i32) -> i32) -> Vec<f32> {
    let (width, height) = (EXTENT.width as i32, EXTENT.height as i32);
    let row = |y: i32| {
        let y = inside(y + dy, height);
        (0..width).map(|x| inside(x + dx, width) + width * y).collect::<Vec<_>>()
    };
    (0..height).flat_map(row).map(|index| index as f32).collect()
}

fn clamped(p: i32, length: i32) -> i32 {
    p.clamp(0, length - 1)
}

fn mirrored(p: i32, length: i32) -> i32 {
    let p = p.rem_euclid(2 * length);
    p.min(2 * length - 1 - p)
}

fn read_at(kernel: &Kernel, image: &Texture<f32>, offset: [i32; 2]) -> Vec<f32> {
    let mut out = kernel.context().uninit::<f32>(EXTENT).unwrap();
    kernel.pass().input("image", image).uniform("offset", offset).draw(&mut out).unwrap();
    out.read().unwrap()
}

fn reading(context: &Context, expression: &str, reads: Reads) -> Kernel {
    let text = format!(
        "uniform sampler2D image; uniform ivec2 offset; out float o;\nvoid main() {{ o = {expression}; }}"
    );
    Kernel::from_fragment(context, &Source::fragment("reading.frag", text), reads).unwrap()
}

const SAMPLED: &str =
    "textureLod(image, (vec2(TEXEL + offset) + 0.5) / vec2(textureSize(image, 0)), 0.0).r";

#[test]
fn read_wrapped_repeats_and_read_clamped_clamps_whatever_the_texture_does() {
    crate::common::each(|context| {
        for reads in [Reads::Fetch, Reads::Sample] {
            let wrapped = reading(context, "READ_WRAPPED(image, TEXEL + offset).r", reads);
            let clamping = reading(context, "READ_CLAMPED(image, TEXEL + offset).r", reads);
            for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
                let image = positions(context).with_wrap(wrap);
                for offset in OFFSETS {
                    let place = format!("{reads}, {wrap:?}, {offset:?}");
                    let got = read_at(&wrapped, &image, offset);
                    assert_eq!(got, expected(offset, i32::rem_euclid), "{place}");
                    assert_eq!(
                        read_at(&clamping, &image, offset),
                        expected(offset, clamped),
                        "{place}"
                    );
                }
            }
        }
    });
}

#[test]
fn texture_samples_by_the_wrap_mode() {
    crate::common::each(|context| {
        let text = format!(
            "uniform sampler2D image; uniform ivec2 offset; out float o;\nvoid main() {{ o = {SAMPLED}; }}"
        );
        let kernel = crate::common::kernel(context, &text);
        let mut image = positions(context);
        // Floats tell small distances between texels alone.
        for offset in OFFSETS.into_iter().filter(|[x, _]| x.abs() < 100) {
            for _ in 0..2 {
                image.set_wrap(Wrap::Clamp);
                assert_eq!(
                    read_at(&kernel, &image, offset),
                    expected(offset, clamped),
                    "{offset:?}"
                );
                image.set_wrap(Wrap::Repeat);
                let repeated = expected(offset, i32::rem_euclid);
                assert_eq!(read_at(&kernel, &image, offset), repeated, "{offset:?}");
                image.set_wrap(Wrap::Mirror);
                assert_eq!(
                    read_at(&kernel, &image, offset),
                    expected(offset, mirrored),
                    "{offset:?}"
                );
            }
        }
    });
}

/// Samples between texels and reads them exactly, of one filtered texture.
#[test]
fn a_filter_changes_what_texture_gives_and_not_what_read_gives() {
    crate::common::each(|context| {
        let bytes: Vec<Unorm8> = (0..15).map(|index| Unorm8(17 * index)).collect();
        let image = context.texture(EXTENT, &bytes).unwrap().with_filter(Filter::Linear).unwrap();
        let exact: Vec<f32> = bytes.iter().map(|byte| f32::from(byte.0)).collect();
        let read = "o = 255.0 * READ(image, TEXEL).r;";
        let mean = "mean = 255.0 * texture(image, vec2(1.0, 0.5) / vec2(textureSize(image, 0))).r;";
        let alone = format!("uniform sampler2D image; out float o; void main() {{ {read} }}");
        let both = format!(
            "uniform sampler2D image; layout(location = 0) out float o; layout(location = 1) out float mean;
             void main() {{ {read} {mean} }}"
        );
        let (alone, both) =
            (crate::common::kernel(context, &alone), crate::common::kernel(context, &both));
        for _ in 0..2 {
            let [mut o, mut means] = [(); 2].map(|()| context.uninit::<f32>(EXTENT).unwrap());
            alone.pass().input("image", &image).draw(&mut o).unwrap();
            assert!(o.read().unwrap().iter().zip(&exact).all(|(o, x)| is_near(
                f64::from(*o),
                f64::from(*x),
                1e-3
            )));
            both.pass().input("image", &image).draw_into(&mut [&mut o, &mut means]).unwrap();
            assert!(o.read().unwrap().iter().zip(&exact).all(|(o, x)| is_near(
                f64::from(*o),
                f64::from(*x),
                1e-3
            )));
            assert!(
                is_near(f64::from(means.read().unwrap()[0]), 8.5, 0.5),
                "{:?}",
                means.read().unwrap()
            );
        }
    });
}

/// The sampling form of the prelude's words needs the default sampling, and `texture()` the
/// texture's own.
#[test]
fn a_kernel_that_needs_both_samplings_of_a_texture_says_so() {
    crate::common::each(|context| {
        let both = format!("READ(image, TEXEL).r + {SAMPLED}");
        let image = positions(context).with_wrap(Wrap::Repeat);
        let twice: Vec<f32> = expected([0, 0], clamped).iter().map(|x| 2.0 * x).collect();
        assert_eq!(read_at(&reading(context, &both, Reads::Fetch), &image, [0, 0]), twice);
        let sampling = reading(context, &both, Reads::Sample);
        assert_eq!(read_at(&sampling, &positions(context), [0, 0]), twice);
        let mut out = context.uninit::<f32>(EXTENT).unwrap();
        let pass = sampling.pass().input("image", &image).uniform("offset", [0, 0]);
        let error = pass.draw(&mut out).unwrap_err();
        assert!(matches!(&error, Error::SampledReads { name, .. } if name == "image"), "{error}");
    });
}
