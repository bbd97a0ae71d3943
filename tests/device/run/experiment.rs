//! Experiments: a user's shader over fields, its feedback, its extents, its names, and what it is
//! told where they do not fit.

mod layers;
mod levels;
mod names;
mod precision;
mod sampling;

use crate::common::{awkward, each, random};
use quadrille::data::{Field, Values, ValuesMut, ValuesRef};
use quadrille::gl::Value;
use quadrille::internal::reference::first_wrong;
use quadrille::shader::{Api, Source};
use quadrille::{Context, Extent, Kind};
use quadrille_run::error::{PassError, SizeError};
use quadrille_run::{Error, Experiment, Setup};

fn source(text: &str) -> Source {
    Source::fragment("user.frag", text)
}

fn made(context: &Context, text: &str, setup: Setup) -> Experiment {
    Experiment::new(context, &source(text), setup).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(context: &Context, text: &str, setup: Setup) -> Error {
    let made = Experiment::new(context, &source(text), setup);
    made.err().unwrap_or_else(|| panic!("expected an error"))
}

fn floats(extent: Extent, channels: usize, seed: u64) -> Field {
    Field::new(extent, channels, random(extent.texels() * channels, seed)).unwrap()
}

fn numbers(field: &Field) -> &[f32] {
    match field.values() {
        Values::F32(numbers) => numbers,
        other => panic!("expected floats, got {}", other.name()),
    }
}

const COPY: &str = "uniform sampler2D x; out vec4 y; void main() { y = READ(x, TEXEL); }";

/// The cell under each fragment by every way of reading that a user may know, and none of them
/// another cell.
#[test]
fn every_way_of_reading_gives_the_cell() {
    let text = "#version 120
        precision mediump float; // Its own words do not weaken the tests: highp is said below.
        uniform highp sampler2D x;
        in highp vec2 uv;
        layout(location = 0) out highp vec4 sampled;
        layout(location = 1) out highp vec4 fetched;
        layout(location = 2) out highp vec4 read;
        void main() {
            sampled = texture(x, uv);
            fetched = texelFetch(x, ivec2(gl_FragCoord.xy), 0);
            read = READ(x, TEXEL);
        }";
    each(|context| {
        for extent in awkward() {
            let field = floats(extent, 4, 3);
            let mut experiment = made(context, text, Setup::new().input("x", field.clone()));
            experiment.step().unwrap();
            for output in ["sampled", "fetched", "read"] {
                assert_eq!(experiment.read(output).unwrap(), field, "{output} at {extent}");
            }
        }
    });
}

#[test]
fn the_coordinate_has_any_name_and_runs_from_0_to_1() {
    each(|context| {
        for name in ["uv", "v_texCoord", "place", "corner", "PLACES"] {
            let text = format!("in vec2 {name};\nout vec2 o;\nvoid main() {{ o = {name}; }}");
            let extent = Extent::new(1023, 3);
            let mut experiment = made(context, &text, Setup::new().extent(extent));
            experiment.step().unwrap();
            let field = experiment.read("o").unwrap();
            for (index, place) in numbers(&field).chunks(2).enumerate() {
                let (x, y) = (index % 1023, index / 1023);
                let wanted = [(x as f64 + 0.5) / 1023.0, (y as f64 + 0.5) / 3.0];
                let wrong = first_wrong(place.iter().copied(), wanted.map(|place| (place, 1e-6)));
                assert_eq!(wrong, None, "{place:?} {wanted:?}");
            }
        }
    });
}

#[test]
fn other_inputs_are_refused_with_what_there_is_and_the_line() {
    each(|context| {
        for declared in ["in vec3 normal;", "in vec2 a, b;", "flat in int id;"] {
            let text = format!("\n{declared}\nout float o;\nvoid main() {{ o = 1.0; }}");
            let error = refused(context, &text, Setup::new().extent(Extent::new(1, 1)));
            assert!(error.to_string().starts_with("user.frag:2: error"), "{error}");
            assert!(error.to_string().contains("in vec2"), "{error}");
            assert_eq!(error.kind(), Kind::Compile);
        }
    });
}

/// Two outputs, two feedbacks, crosswise: what a step reads is what the step before wrote.
#[test]
fn outputs_take_the_places_of_inputs_in_turns() {
    let text = "uniform sampler2D a;
        uniform sampler2D b;
        layout(location = 0) out vec2 next_a;
        layout(location = 1) out vec2 next_b;
        void main() {
            next_a = READ(b, TEXEL).rg;
            next_b = READ(a, TEXEL).rg + READ(b, TEXEL).rg;
        }";
    each(|context| {
        let extent = Extent::new(7, 11);
        let whole = |seed| {
            let numbers: Vec<f32> = random(154, seed).iter().map(|x| (x * 9.0).round()).collect();
            Field::new(extent, 2, numbers).unwrap()
        };
        let setup = Setup::new().input("a", whole(1)).input("b", whole(2));
        let setup = setup.feedback("next_a", "a").feedback("next_b", "b");
        let mut experiment = made(context, text, setup);
        assert_eq!(experiment.read("next_a").unwrap(), whole(1), "before the first step");
        let twin = |steps: usize| {
            let (first, second) = (whole(1), whole(2));
            let (mut a, mut b) = (numbers(&first).to_vec(), numbers(&second).to_vec());
            for _ in 0..steps {
                let sum = a.iter().zip(&b).map(|(a, b)| a + b).collect();
                a = std::mem::replace(&mut b, sum);
            }
            (a, b)
        };
        for steps in 1..8 {
            experiment.step().unwrap();
            let (a, b) = twin(steps);
            assert_eq!(numbers(&experiment.read("next_a").unwrap()), a, "after {steps}");
            assert_eq!(numbers(&experiment.read("next_b").unwrap()), b, "after {steps}");
        }
        experiment.restart().unwrap();
        assert_eq!(experiment.iteration(), 0);
        assert_eq!(experiment.read("next_b").unwrap(), whole(2), "after a restart");
        experiment.step().unwrap();
        assert_eq!(numbers(&experiment.read("next_b").unwrap()), twin(1).1);
    });
}

#[test]
fn the_class_of_an_input_follows_the_shader() {
    let text = "uniform sampler2D f; uniform isampler2D i; uniform highp usampler2D u;
        layout(location = 0) out float of;
        layout(location = 1) out ivec3 oi;
        layout(location = 2) out uvec2 ou;
        void main() {
            of = READ(f, TEXEL).r;
            oi = READ(i, TEXEL).rgb;
            ou = uvec2(READ(u, TEXEL).r, READ(u, TEXEL).a);
        }";
    each(|context| {
        let extent = Extent::new(3, 1);
        let bytes = Field::new(extent, 1, vec![0_u32, 128, 255]).unwrap();
        let integers = vec![1, -2, 3, i32::MIN, i32::MAX, 0, 7, 8, 9];
        let integers = Field::new(extent, 3, integers).unwrap();
        let large = Field::new(extent, 1, vec![u32::MAX, 1 << 31, 5]).unwrap();
        let setup = Setup::new().input("f", bytes).input("i", integers.clone()).input("u", large);
        let mut experiment = made(context, text, setup);
        experiment.step().unwrap();
        assert_eq!(numbers(&experiment.read("of").unwrap()), [0.0, 128.0, 255.0]);
        assert_eq!(experiment.read("oi").unwrap(), integers);
        let ou = vec![u32::MAX, 1, 1 << 31, 1, 5, 1];
        assert_eq!(experiment.read("ou").unwrap(), Field::new(extent, 2, ou).unwrap());
    });
}

#[test]
fn what_cannot_be_exact_is_refused_with_both_sides() {
    each(|context| {
        let text = "uniform isampler2D x; out int y; void main() { y = READ(x, TEXEL).r; }";
        let field = Field::line(vec![1.0, 0.5]).unwrap();
        let error = refused(context, text, Setup::new().input("x", field)).to_string();
        assert!(error.contains("`x` has floats") && error.contains("isampler2D"), "{error}");
        assert!(error.contains("0.5 at [1]"), "{error}");
    });
}

#[test]
fn three_channels_are_padded_with_1_and_come_back_as_three() {
    each(|context| {
        let extent = Extent::new(5, 3);
        let field = floats(extent, 3, 8);
        let text = "uniform sampler2D x; layout(location = 0) out vec3 y; layout(location = 1) out float a;
            void main() { y = READ(x, TEXEL).rgb; a = READ(x, TEXEL).a; }";
        let mut experiment = made(context, text, Setup::new().input("x", field.clone()));
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), field);
        assert_eq!(numbers(&experiment.read("a").unwrap()), [1.0; 15]);
        let kinds: Vec<_> = experiment.outputs().iter().map(|o| (o.name(), o.channels())).collect();
        assert_eq!(kinds, [("y", 3), ("a", 1)]);
    });
}

#[test]
fn a_line_comes_back_as_a_line_unless_a_size_was_wished() {
    let text = "uniform sampler2D x; out float y; void main() { y = READ_CLAMPED(x, TEXEL).r; }";
    each(|context| {
        let field = Field::line(random(37, 1)).unwrap();
        let setup = Setup::new().input("x", field.clone());
        let mut experiment = made(context, text, setup.clone());
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), field);
        let mut experiment = made(context, text, setup.extent(Extent::new(37, 1)));
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap().shape(), [1, 37]);
    });
}

#[test]
fn the_extent_comes_from_the_wish_the_feedback_or_all_inputs() {
    let text = "uniform sampler2D x; uniform sampler2D table; out float y;
        void main() { y = READ_CLAMPED(x, TEXEL).r + READ_CLAMPED(table, TEXEL).r; }";
    each(|context| {
        let (small, large) = (Extent::new(2, 2), Extent::new(7, 5));
        let setup =
            Setup::new().input("x", floats(large, 1, 1)).input("table", floats(small, 1, 2));
        let error = refused(context, text, setup.clone()).to_string();
        assert!(error.contains("x 7 x 5, table 2 x 2"), "{error}");
        let made_with = |setup| made(context, text, setup).extent();
        assert_eq!(made_with(setup.clone().feedback("y", "x")), large);
        assert_eq!(made_with(setup.clone().extent(small)), small);
        let error = refused(context, text, setup.feedback("y", "x").extent(small)).to_string();
        assert!(error.contains("2 x 2") && error.contains("7 x 5"), "{error}");
    });
}

#[test]
fn feedback_between_unlike_partners_says_what_each_is() {
    each(|context| {
        let text = "uniform sampler2D x; out vec2 y; void main() { y = READ(x, TEXEL).rg; }";
        let setup = Setup::new().input("x", floats(Extent::new(2, 3), 1, 1)).feedback("y", "x");
        let error = refused(context, text, setup).to_string();
        assert!(error.contains("`y` is 2 channels of floats, 2 x 3"), "{error}");
        assert!(error.contains("`x` is 1 channel of floats, 2 x 3"), "{error}");
        let unread = "uniform sampler2D x; out float y; void main() { y = 1.0; }";
        let setup = Setup::new().input("x", floats(Extent::new(2, 3), 1, 1)).feedback("y", "x");
        let error = refused(context, unread, setup);
        assert!(matches!(error, Error::Pass(PassError::Unread { .. })), "{error}");
    });
}

#[test]
fn shaders_that_are_no_experiments_are_refused_with_the_reason() {
    each(|context| {
        let setup = || Setup::new().extent(Extent::new(2, 2));
        let says = |text: &str, part: &str| {
            let error = refused(context, text, setup()).to_string();
            assert!(error.contains(part), "{part} in {error}");
        };
        says("void main() {}", "writes nothing");
        says("out float a; out float b; void main() { a = 1.0; b = 2.0; }", "layout(location");
        says("layout(location = 1) out float a; void main() { a = 1.0; }", "1 a");
        says("out float y;\nvoid main() { y = nothing; }", "user.frag:2");
        says(
            "uniform highp sampler3D v; out vec4 y; void main() { y = texture(v, vec3(0)); }",
            "`v`",
        );
        let bare = Setup::new();
        let error = refused(context, "out float y; void main() { y = 1.0; }", bare);
        assert!(matches!(error, Error::Size(SizeError::NoExtent { .. })), "{error}");
        let none = Setup::new().extent(Extent::new(0, 5));
        assert!(
            refused(context, "out float y; void main() { y = 1.0; }", none).kind() == Kind::Input
        );
    });
}

/// Texts with `discard` where a search for the word does not find it.
const HIDDEN_DISCARDS: [&str; 2] = [
    "uniform sampler2D x; out float y;
     void main() { if ((TEXEL.x & 1) == 1) dis\\\ncard; y = READ(x, TEXEL).r + 1.0; }",
    "#define JOIN(a, b) a##b
     uniform sampler2D x; out float y;
     void main() { if ((TEXEL.x & 1) == 1) JOIN(dis, card); y = READ(x, TEXEL).r + 1.0; }",
];

/// A cell whose fragment discards keeps its value: that of the step before, where the output feeds
/// back.
#[test]
fn what_is_discarded_stays_as_it_was() {
    let feeding = "uniform sampler2D x; out float y;
        void main() { if ((TEXEL.x & 1) == 1) discard; y = READ(x, TEXEL).r + 1.0; }";
    let counting =
        "uniform int iteration; layout(location = 0) out int y; layout(location = 1) out vec2 z;
        void main() { if (TEXEL.x == iteration) discard; y = iteration; z = vec2(iteration); }";
    each(|context| {
        // OpenGL ES has no `##`, which drivers may still accept.
        let pastes = context.abilities().api == Api::Gl;
        let hidden = HIDDEN_DISCARDS.into_iter().filter(|text| pastes || !text.contains("##"));
        let texts: Vec<&str> = hidden.chain([feeding]).collect();
        for (steps, text) in (1..=5).flat_map(|steps| texts.iter().map(move |text| (steps, *text)))
        {
            let ones = Field::line(vec![1.0_f32; 4]).unwrap();
            let setup = Setup::new().input("x", ones).feedback("y", "x");
            let mut experiment = made(context, text, setup);
            (0..steps).for_each(|_| experiment.step().unwrap());
            let counted = 1.0 + steps as f32;
            assert_eq!(numbers(&experiment.read("y").unwrap()), [counted, 1.0, counted, 1.0]);
        }
        let mut experiment = made(context, counting, Setup::new().extent(Extent::new(3, 1)));
        for _ in 0..2 {
            let wanted: [(i32, [f32; 6]); 2] = [(0, [0.0; 6]), (1, [1.0, 1.0, 0.0, 0.0, 1.0, 1.0])];
            for (iteration, wanted) in wanted {
                experiment.step().unwrap();
                let y = experiment.read("y").unwrap();
                let expected = [iteration, if iteration == 1 { 0 } else { iteration }, iteration];
                assert!(
                    matches!(y.values(), Values::I32(numbers) if *numbers == expected),
                    "{y:?}"
                );
                assert_eq!(numbers(&experiment.read("z").unwrap()), wanted);
            }
            experiment.restart().unwrap();
        }
    });
}

/// A `varying` of old shaders is an input like another.
#[test]
fn varying_is_an_input() {
    each(|context| {
        let text = "uniform sampler2D a; varying vec2 uv; out float o;
            void main() { o = texture(a, uv).r + 0.25; }";
        let field = floats(Extent::new(4, 3), 1, 8);
        let mut experiment = made(context, text, Setup::new().input("a", field.clone()));
        experiment.step().unwrap();
        let wanted: Vec<f32> = numbers(&field).iter().map(|x| x + 0.25).collect();
        assert_eq!(numbers(&experiment.read("o").unwrap()), wanted);
        let text = "varying vec3 normal; out float o; void main() { o = normal.x; }";
        let error = refused(context, text, Setup::new().extent(Extent::new(1, 1)));
        assert!(error.to_string().contains("vec3 normal"), "{error}");
    });
}

/// Drivers end the text at a NUL.
#[test]
fn text_behind_a_nul_is_refused() {
    each(|context| {
        let text = "out float y;\nvoid main() { y = 1.0; }\n\0 garbage";
        let error = refused(context, text, Setup::new().extent(Extent::new(1, 1)));
        assert!(error.to_string().starts_with("user.frag:3:1: error: there is a NUL"), "{error}");
    });
}

const SCALE: &str =
    "uniform sampler2D x; uniform float s; out vec2 y; void main() { y = s * READ(x, TEXEL).rg; }";

#[test]
fn inputs_and_uniforms_are_replaced_between_steps() {
    each(|context| {
        for extent in awkward() {
            let shape = [extent.height as usize, extent.width as usize, 2];
            let setup = Setup::new().shape("x", &shape).unwrap().uniform("s", "2");
            let mut experiment = made(context, SCALE, setup);
            let early = experiment.step().unwrap_err().to_string();
            assert!(early.contains("not given: the values of input x"), "{early}");
            for (seed, factor) in [(1, 2.0), (2, 0.5)] {
                let field = floats(extent, 2, seed);
                experiment.write("x", field.values().as_ref()).unwrap();
                experiment.set("s", &factor.to_string()).unwrap();
                experiment.step().unwrap();
                let wanted: Vec<f32> = numbers(&field).iter().map(|x| factor * x).collect();
                assert_eq!(experiment.read("y").unwrap().values(), &wanted.clone().into());
                let mut into = vec![f32::NAN; wanted.len()];
                experiment.read_into("y", ValuesMut::F32(&mut into)).unwrap();
                assert_eq!(into, wanted);
            }
            assert_eq!(experiment.outputs()[0].shape(), shape);
        }
    });
}

#[test]
fn what_does_not_fit_an_experiment_is_not_replaced() {
    let context = Context::headless().unwrap();
    let setup = Setup::new().shape("x", &[3]).unwrap().uniform("s", "2");
    let mut experiment = made(&context, SCALE, setup);
    let three = [1.0_f32, 2.0, 3.0];
    let says = |result: Result<(), Error>, part: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert!(error.to_string().contains(part), "{part} in {error}");
    };
    says(experiment.write("x", ValuesRef::F32(&three[1..])), "input `x`: expected 3 values, got 2");
    says(experiment.write("z", ValuesRef::F32(&three)), "no input `z`; it has: x");
    says(experiment.set("t", "1"), "no uniform `t`; it has: s");
    says(experiment.set("s", "a"), "expected a number");
    says(experiment.set("x", "1"), "expected a type that text can give");
    experiment.write("x", ValuesRef::F32(&three)).unwrap();
    experiment.step().unwrap();
    let (mut short, mut whole) = ([0.0_f32; 5], [0; 6]);
    says(experiment.read_into("y", ValuesMut::F32(&mut short)), "expected 6 values, got 5");
    says(experiment.read_into("y", ValuesMut::I32(&mut whole)), "output `y` holds floats");
    assert!(Setup::new().shape("x", &[2, 2, 2, 5]).is_err());
    assert!(Setup::new().shape("x", &[0]).is_err());
}
