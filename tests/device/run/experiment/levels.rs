//! Levels of what experiments read: in every dialect, of arrays that passes write, and refused for
//! what has none.

use super::*;
use crate::common::twins::levels::levels;
use quadrille::gl::Filter;
use quadrille_run::error::{InputError, LimitError};
use quadrille_run::{PassSetup, Samplings, Unsuited};

const SQUARE: Extent = Extent { width: 64, height: 64 };

fn mean(field: &Field) -> f64 {
    let numbers = numbers(field);
    numbers.iter().copied().map(f64::from).sum::<f64>() / numbers.len() as f64
}

/// Filters 32-bit floats by their nearest texels where the device does no more.
fn sampled(context: &Context, setup: Setup) -> Setup {
    match context.abilities().float_filtering {
        true => setup,
        false => setup.samplings(Samplings::new().filter_all(Filter::Nearest)),
    }
}

/// Runs a text once, and returns the first channel of its output.
fn first_channel(context: &Context, text: &str, setup: Setup) -> Vec<f32> {
    let mut experiment = made(context, text, sampled(context, setup));
    experiment.step().unwrap();
    let name = experiment.outputs()[0].name().to_owned();
    let field = experiment.read(&name).unwrap();
    numbers(&field).chunks(field.channels()).map(|cell| cell[0]).collect()
}

#[test]
fn texts_of_every_dialect_read_the_mean_of_the_whole_picture() {
    let texts = [
        ("iChannel0", "void mainImage(out vec4 c, in vec2 p) { c = textureLod(iChannel0, p / iResolution.xy, 8.0); }"),
        ("iChannel0", "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy, 15.0); }"),
        ("iChannel0", "#define T(u, l) textureLod(iChannel0, u, l)\nvoid mainImage(out vec4 c, in vec2 p) { c = T(p, 8.0); }"),
        ("iChannel0", "vec4 blurred(sampler2D s, vec2 u, float l) { return textureLod(s, u, l); }
            void mainImage(out vec4 c, in vec2 p) { c = blurred(iChannel0, p, 8.0); }"),
        ("iChannel0", "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(0), textureSize(iChannel0, 5).x * 3); }"),
        ("t", "#extension GL_EXT_shader_texture_lod : enable
            varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2DLodEXT(t, v, 8.0); }"),
        ("t", "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2D(t, v, 15.0); }"),
        ("t", "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2DProj(t, vec3(v, 1.0), 15.0); }"),
        ("t", "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2DLod(t, v, 8.0); }"),
        ("t", "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2DProjLodEXT(t, vec4(v, 0.0, 1.0), 8.0); }"),
        ("t", "varying vec2 v; uniform sampler2D t; void main() { gl_FragColor = texture2DGradEXT(t, v, vec2(2.0), vec2(2.0)); }"),
        ("t", "uniform sampler2D t; out vec4 o; void main() { o = textureLod(t, vec2(0.3), 8.0); }"),
    ];
    each(|context| {
        let field = floats(SQUARE, 4, 5);
        let exact: Vec<f64> = numbers(&field).chunks(4).map(|cell| f64::from(cell[0])).collect();
        let wanted = levels(&exact, SQUARE)[6].0[0];
        for (name, text) in texts {
            let setup = Setup::new().input(name, field.clone()).extent(Extent::new(8, 8));
            let got = first_channel(context, text, setup);
            assert_eq!(
                first_wrong(got.iter().copied(), [(wanted, 1e-5); 64]),
                None,
                "{text}: {got:?}"
            );
        }
    });
}

/// Comments, branches that are left out, and functions of the author's own change nothing.
#[test]
fn a_text_that_asks_for_no_level_gives_the_bits_of_level_0() {
    let plain =
        "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy); }";
    let beside = [
        "// textureLod(iChannel0, p, 8.0)\n",
        "/* textureLod(iChannel0, p, 8.0) */",
        "#if 0\nvec4 f(vec2 p) { return textureLod(iChannel0, p, 8.0); }\n#endif\n",
        "#define QUALITY 1\n#if QUALITY > 1\nvec4 f(vec2 p) { return textureLod(iChannel0, p, 8.0); }\n#endif\n",
        "#ifdef BLURRED\nvec4 f(vec2 p) { return textureLod(iChannel0, p, 8.0); }\n#endif\n",
        "vec4 f(vec2 p) { return textureLod(iChannel0, p, 0.0) + texture(iChannel0, p, 0.); }",
        "vec4 myTextureLod(vec2 p, float l) { return vec4(p, l, texture(iChannel0, p).r); }",
        "vec4 f(vec2 p) { return textureLod(iChannel1, p, 8.0); }",
    ];
    each(|context| {
        let setup = || {
            let setup =
                Setup::new().extent(Extent::new(9, 7)).input("iChannel0", floats(SQUARE, 4, 5));
            setup.input("iChannel1", floats(SQUARE, 4, 6))
        };
        let level_0 = first_channel(
            context,
            &format!("vec4 one() {{ return texture(iChannel1, vec2(0.0)); }}\n{plain}"),
            setup(),
        );
        for text in beside {
            // Both channels are used, so that the setup fits.
            let text =
                format!("vec4 one() {{ return texture(iChannel1, vec2(0.0)); }}\n{text}\n{plain}");
            assert_eq!(first_channel(context, &text, setup()), level_0, "{text}");
        }
    });
}

/// Each step writes what depends on the mean of the step before, which only a level has.
#[test]
fn levels_follow_what_passes_write() {
    let text = "uniform sampler2D x; out float y;
        void main() { y = 0.5 * READ(x, TEXEL).r + textureLod(x, vec2(0.5), 16.0).r + 1.0; }";
    each(|context| {
        for extent in [Extent::new(5, 3), Extent::new(8, 8), Extent::new(1, 1)] {
            let x = floats(extent, 1, 9);
            let mut experiment =
                made(context, text, Setup::new().input("x", x.clone()).feedback("y", "x"));
            let mut twin: Vec<f64> = numbers(&x).iter().copied().map(f64::from).collect();
            for step in 0..4 {
                experiment.step().unwrap();
                let mean = twin.iter().sum::<f64>() / twin.len() as f64;
                twin = twin.iter().map(|x| 0.5 * x + mean + 1.0).collect();
                let wanted = twin.iter().map(|x| (*x, 1e-5 * (1.0 + step as f64)));
                let got = experiment.read("y").unwrap();
                assert_eq!(
                    first_wrong(numbers(&got).iter().copied(), wanted),
                    None,
                    "{step}, {extent}"
                );
            }
        }
    });
}

#[test]
fn levels_follow_passes_that_repeat_and_the_outputs_of_others() {
    let doubled = "uniform sampler2D x; out float y; void main() { y = 2.0 * textureLod(x, vec2(0.5), 9.0).r; }";
    let last =
        "uniform sampler2D x; out float z; void main() { z = texelFetch(x, ivec2(0), 3).r; }";
    each(|context| {
        let x = floats(Extent::new(8, 8), 1, 4);
        let pass =
            |name: &str, text| PassSetup::new(name, Source::fragment(format!("{name}.frag"), text));
        let passes = [
            pass("doubled", doubled).repeat(3).feedback("y", "x"),
            pass("last", last).read("x", "doubled.y").extent(Extent::new(1, 1)),
        ];
        let setup = Setup::new().input("x", x.clone());
        let mut experiment = Experiment::from_passes(context, passes, setup).unwrap();
        experiment.step().unwrap();
        let got = experiment.read("last.z").unwrap();
        let wanted = [(8.0 * mean(&x), 1e-5)];
        assert_eq!(first_wrong(numbers(&got).iter().copied(), wanted), None, "{got:?}");
    });
}

#[test]
fn the_filter_mipmap_averages_what_is_shrunk() {
    let texts = [
        ("x", "uniform sampler2D x; in vec2 uv; out vec4 y; void main() { y = texture(x, uv); }"),
        (
            "iChannel0",
            "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p / iResolution.xy); }",
        ),
        (
            "x",
            "/*{ \"INPUTS\": [{ \"NAME\": \"x\", \"TYPE\": \"image\" }] }*/ void main() { gl_FragColor = IMG_THIS_NORM_PIXEL(x); }",
        ),
        (
            "x",
            "varying vec2 v; uniform sampler2D x; void main() { gl_FragColor = texture2D(x, v); }",
        ),
    ];
    each(|context| {
        if !context.abilities().float_filtering {
            return crate::common::not_tested("floats are not filtered");
        }
        let field = floats(SQUARE, 4, 5);
        let exact: Vec<f64> = numbers(&field).chunks(4).map(|cell| f64::from(cell[0])).collect();
        let (level, small) = &levels(&exact, SQUARE)[3];
        for (name, text) in texts {
            let setup = Setup::new().input(name, field.clone()).extent(*small).flip(false);
            let setup = setup.samplings(Samplings::new().filter(name, Filter::Mipmap));
            let got = first_channel(context, text, setup);
            let wanted = level.iter().map(|mean| (*mean, 1e-3));
            assert_eq!(first_wrong(got, wanted), None, "{text}");
        }
    });
}

#[test]
fn layers_have_levels() {
    let text = "uniform sampler2DArray x; out vec4 y; void main() { y = textureLod(x, vec3(0.5, 0.5, 1.0), 6.0); }";
    each(|context| {
        let all = random(3 * 6 * 5, 8);
        let x = Field::copied(&[3, 6, 5], ValuesRef::F32(&all)).unwrap();
        let got =
            first_channel(context, text, Setup::new().input("x", x).extent(Extent::new(1, 1)));
        let wanted = all[30..60].iter().copied().map(f64::from).sum::<f64>() / 30.0;
        assert_eq!(first_wrong(got, [(wanted, 1e-5)]), None);
    });
}

#[test]
fn what_has_no_levels_is_refused_by_name() {
    each(|context| {
        let text =
            "uniform isampler2D x; out int y; void main() { y = textureLod(x, vec2(0.5), 2.0).r; }";
        let whole = Field::new(Extent::new(4, 4), 1, vec![1_i32; 16]).unwrap();
        let error = refused(context, text, Setup::new().input("x", whole.clone()));
        for part in ["user.frag", "levels of `x`", "isampler2D", "sampler2D reads"] {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
        let text =
            "uniform isampler2D x; in vec2 uv; out int y; void main() { y = texture(x, uv).r; }";
        let setup =
            Setup::new().input("x", whole).samplings(Samplings::new().filter("x", Filter::Mipmap));
        let error = refused(context, text, setup);
        assert!(
            matches!(&error, Error::Input(InputError::FilterOfIntegers { input, .. }) if input == "x"),
            "{error}"
        );
    });
}

#[test]
fn an_array_in_panels_has_no_levels() {
    use crate::common::Flavour;
    use quadrille::internal::Ability;
    for flavour in [Flavour::Gl, Flavour::Gles30] {
        let context = flavour.builder().without(Ability::LargerTextures(41)).build().unwrap();
        let x = floats(Extent::new(90, 7), 1, 3);
        for call in [
            "textureLod(x, vec2(0.5), 2.0)",
            "texelFetch(x, TEXEL, 1)",
            "vec4(textureSize(x, 1).x)",
        ] {
            let text = format!("uniform sampler2D x; out float y; void main() {{ y = {call}.r; }}");
            let error = refused(&context, &text, Setup::new().input("x", x.clone()));
            let is_it = matches!(&error, Error::Limit(LimitError::InPanels { why: Unsuited::Levels(name), .. }) if name == "x");
            assert!(is_it, "{error}");
        }
    }
}
