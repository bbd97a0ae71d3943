//! The names that must be given, those that may be given, and the order of rows.

use super::{EXTENT, floats, is, made, pasted, picture};
use crate::common::each;
use quadrille::data::Field;
use quadrille::options::Specified;
use quadrille::shader::Source;
use quadrille::{Context, Extent, Kind};
use quadrille_run::{Dialect, Dialects};
use quadrille_run::{Error, Experiment, Names, PassSetup, Settings, Setup};

#[track_caller]
fn refused(context: &Context, text: &str, setup: Setup, parts: &[&str]) -> Error {
    let made = Experiment::new(context, &Source::fragment("pasted.frag", text), setup);
    let error = made.err().unwrap_or_else(|| panic!("expected an error"));
    for part in parts {
        assert!(error.to_string().contains(part), "{part} in {error}");
    }
    error
}

#[test]
fn the_names_of_a_text_are_those_of_its_dialect() {
    each(|context| {
        let names = |text: &str| {
            let names = Names::of(context, &Source::fragment("pasted.frag", text)).unwrap();
            (names.inputs, names.outputs)
        };
        let colour = || vec!["colour".to_owned()];
        assert_eq!(names(COPY), (vec!["iChannel1".to_owned()], colour()));
        assert_eq!(names("void main() { gl_FragColor = vec4(1.0); }"), (Vec::new(), colour()));
        let filter = "/*{ \"INPUTS\": [{ \"NAME\": \"image\", \"TYPE\": \"image\" }] }*/
            void main() { gl_FragColor = IMG_THIS_PIXEL(image); }";
        assert_eq!(names(filter), (vec!["image".to_owned()], colour()));
    });
}

const COPY: &str =
    "void mainImage(out vec4 o, in vec2 p) { o = texelFetch(iChannel1, ivec2(p), 0); }";

#[test]
fn channels_that_are_read_must_be_given_and_no_others() {
    each(|context| {
        let setup = || Setup::new().extent(EXTENT);
        let error =
            refused(context, COPY, setup(), &["pasted.frag", "not given: sampler2D iChannel1"]);
        assert_eq!(error.kind(), Kind::Input);
        let given = setup().input("iChannel0", picture(EXTENT, 4, 1));
        refused(context, COPY, given, &["no input `iChannel0`", "iChannel1"]);
        // It is mentioned, and has no effect.
        let unused = "float f() { return texture(iChannel3, vec2(0.5)).r; }
            void mainImage(out vec4 o, in vec2 p) { o = vec4(iTime); }";
        assert!(made(context, Dialect::Shadertoy, unused, setup()).step().is_ok());
    });
}

#[test]
fn uniforms_that_are_given_win() {
    let text = "void mainImage(out vec4 o, in vec2 p) { o = vec4(iTime, iMouse.x, iDate.w, iResolution.x); }";
    each(|context| {
        let setup = Setup::new()
            .extent(EXTENT)
            .uniform("iTime", "2.5")
            .uniform("iMouse", "3,0,0,0")
            .value("iResolution", [100.0, 50.0, 1.0]);
        let mut experiment = made(context, Dialect::Shadertoy, text, setup);
        assert!(!experiment.changes(), "a time that is given stands still");
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [2.5, 3.0, 0.0, 100.0]);
        let mut experiment =
            made(context, Dialect::Shadertoy, text, Setup::new().extent(EXTENT).rate(2.0));
        experiment.step().unwrap();
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [0.5, 0.0, 0.0, 13.0]);
        experiment.set("iTime", "-1").unwrap();
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [-1.0, 0.0, 0.0, 13.0]);
    });
}

#[test]
fn what_a_plain_shader_names_so_must_be_given() {
    each(|context| {
        let text = "uniform float time; out float y; void main() { y = time; }";
        refused(context, text, Setup::new().extent(EXTENT), &["not given: float time"]);
        let text = "void mainImage(out vec4 o, in vec2 p) { o = vec4(iTime); }";
        let source = pasted(text).dialect(Dialect::Plain);
        let error = Experiment::new(context, &source, Setup::new().extent(EXTENT)).err().unwrap();
        for part in ["pasted.frag: error: ", "no function `main`", "mainImage", "Shadertoy"] {
            assert!(error.to_string().contains(part), "{part} in {error}");
        }
    });
}

/// A step of a run that starts later is that of one that came there.
#[test]
fn a_later_first_step_draws_the_later_frame() {
    let text = "void mainImage(out vec4 o, in vec2 p) { o = vec4(iTime, float(iFrame), p); }";
    each(|context| {
        let run = |start: &str, steps: u64| {
            let mut settings = Settings::default();
            let start_option = Settings::OPTIONS.iter().find(|option| option.name == "start");
            settings.set(start_option.unwrap(), &start).unwrap();
            let setup = Setup::of(settings, Vec::new()).extent(EXTENT).rate(8.0);
            let mut experiment = made(context, Dialect::Shadertoy, text, setup);
            experiment.advance(steps, &mut ()).unwrap();
            experiment.read("colour").unwrap()
        };
        assert_eq!(run("6", 1), run("0", 7));
        assert_eq!(run("6", 3), run("1", 8));
        assert!(run("6", 1) != run("5", 1));
    });
}

#[test]
fn rates_are_above_0() {
    each(|context| {
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error =
                refused(context, COPY, Setup::new().rate(rate), &["above 0", &rate.to_string()]);
            assert_eq!(error.kind(), Kind::Input);
        }
    });
}

#[test]
fn channels_have_resolutions_and_times() {
    let text = "void mainImage(out vec4 o, in vec2 p) {
        vec4 own = texelFetch(iChannel0, ivec2(0), 0) + texelFetch(iChannel2, ivec2(0), 0);
        o = vec4(iChannelResolution[0].xy, iChannelResolution[2].x, iChannelTime[2]) + own * 0.0;
    }";
    each(|context| {
        let setup = Setup::new()
            .input("iChannel0", picture(Extent::new(5, 3), 4, 1))
            .input("iChannel2", picture(Extent::new(9, 2), 1, 1))
            .extent(EXTENT)
            .rate(4.0);
        let mut experiment = made(context, Dialect::Shadertoy, text, setup);
        experiment.step().unwrap();
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [5.0, 3.0, 9.0, 0.25]);
    });
}

/// The host's rows go in and come out reversed, whatever the number of channels, the class, and the
/// way.
#[test]
fn rows_are_reversed_where_numbers_enter_and_leave() {
    let text = "uniform sampler2D a; uniform isampler2D b;
        layout(location = 0) out float y; layout(location = 1) out vec3 c; layout(location = 2) out ivec2 d;
        void main() {
            y = READ(a, TEXEL).r + 10.0 * gl_FragCoord.y; c = vec3(READ(a, TEXEL).r, gl_FragCoord.xy);
            d = READ(b, TEXEL).rg;
        }";
    each(|context| {
        let a = Field::new(Extent::new(2, 3), 1, vec![0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        let b = Field::new(Extent::new(2, 3), 2, (0..12).collect::<Vec<i32>>()).unwrap();
        let setup = |flip| Setup::new().input("a", a.clone()).input("b", b.clone()).flip(flip);
        for (flip, wanted) in [
            (true, vec![25.0, 26.0, 17.0, 18.0, 9.0, 10.0]),
            (false, vec![5.0, 6.0, 17.0, 18.0, 29.0, 30.0]),
        ] {
            let mut experiment = made(context, Dialect::Plain, text, setup(flip));
            experiment.step().unwrap();
            assert_eq!(floats(&experiment.read("y").unwrap()), wanted);
            assert_eq!(experiment.read("d").unwrap(), b);
            let c = experiment.read("c").unwrap();
            let first = if flip { [0.0, 0.5, 2.5] } else { [0.0, 0.5, 0.5] };
            assert_eq!(floats(&c)[..3], first);
            let mut into = vec![0.0_f32; 6];
            experiment.read_into("y", quadrille::data::ValuesMut::F32(&mut into)).unwrap();
            assert_eq!(into, wanted);
            // New values go the same way.
            let turned: Vec<f32> = floats(&a).iter().rev().copied().collect();
            experiment.write("a", quadrille::data::ValuesRef::F32(&turned)).unwrap();
            experiment.step().unwrap();
            let c = experiment.read("c").unwrap();
            let reds: Vec<f32> = floats(&c).chunks(3).map(|texel| texel[0]).collect();
            assert_eq!(reds, turned);
        }
    });
}

#[test]
fn what_feeds_back_keeps_its_rows() {
    let text = "void mainImage(out vec4 o, in vec2 p) { o = texelFetch(iChannel0, ivec2(p), 0) + vec4(p.y, 0, 0, 0); }";
    each(|context| {
        let first = picture(EXTENT, 4, 6);
        let setup =
            || Setup::new().input("iChannel0", first.clone()).feedback("colour", "iChannel0");
        for flip in [true, false] {
            let mut experiment = made(context, Dialect::Shadertoy, text, setup().flip(flip));
            assert_eq!(experiment.read("colour").unwrap(), first);
            for _ in 0..2 {
                experiment.step().unwrap();
                experiment.step().unwrap();
                is(&experiment, "colour", 4.0 * super::ROUNDING, &|x, y| {
                    let before = super::texel(&first, x as i64, y as i64, flip);
                    [before[0] + 2.0 * y, before[1], before[2], before[3]]
                });
                experiment.restart().unwrap();
                assert_eq!(experiment.read("colour").unwrap(), first);
            }
        }
    });
}

#[test]
fn passes_of_two_origins_say_which_it_is() {
    let plain = "uniform sampler2D x; out vec4 y; void main() { y = READ(x, TEXEL); }";
    each(|context| {
        let passes = || {
            let image = PassSetup::new("image", Source::fragment("image.frag", COPY));
            let copy = PassSetup::new("copy", Source::fragment("copy.frag", plain));
            [image, copy.read("x", "image.colour")]
        };
        let field = picture(EXTENT, 4, 7);
        let setup = || Setup::new().input("iChannel1", field.clone());
        let error = Experiment::from_passes(context, passes(), setup()).err().unwrap();
        for part in ["pass `image`", "pass `copy`", "y = 0"] {
            assert!(error.to_string().contains(part), "{part} in {error}");
        }
        let mut experiment =
            Experiment::from_passes(context, passes(), setup().flip(true)).unwrap();
        experiment.step().unwrap();
        assert_eq!(experiment.read("copy.y").unwrap(), field);
    });
}

#[test]
fn a_backbuffer_needs_a_size() {
    let text = "uniform sampler2D backbuffer; uniform float time;
        void main() { gl_FragColor = texture2D(backbuffer, vec2(0.5)) + time; }";
    each(|context| {
        refused(context, text, Setup::new(), &["size"]);
        assert!(made(context, Dialect::Sandbox, text, Setup::new().extent(EXTENT)).step().is_ok());
    });
}
