//! ISF shaders with a vertex shader of their own, against plain loops in double precision.

use super::*;
use quadrille::Kind;
use quadrille::shader::Api;
use quadrille_run::error::LimitError;
use quadrille_run::{Error, Unsuited};

/// A header with these inputs and passes, and the text behind it.
fn header(inputs: &str, passes: &str) -> String {
    format!("/*{{ \"ISFVSN\": \"2\", \"INPUTS\": [{inputs}], \"PASSES\": [{passes}] }}*/\n")
}

const IMAGE: &str = r#"{ "NAME": "inputImage", "TYPE": "image" }"#;
const AMOUNT: &str = r#"{ "NAME": "amount", "TYPE": "float", "DEFAULT": 3 }"#;

fn source(fragment: &str, vertices: &str) -> Source {
    Source::fragment("pasted.fs", fragment).vertices("pasted.vs", vertices)
}

fn drawn(context: &Context, fragment: &str, vertices: &str, setup: Setup) -> Experiment {
    let made = Experiment::new(context, &source(fragment, vertices), setup);
    let mut experiment = made.unwrap_or_else(|error| panic!("{error}"));
    experiment.step().unwrap();
    experiment
}

#[track_caller]
fn refused(context: &Context, fragment: &str, vertices: &str, setup: Setup) -> Error {
    Experiment::new(context, &source(fragment, vertices), setup).err().expect("it runs")
}

/// Interpolation rounds more than an operation does.
const INTERPOLATED: f64 = 16.0 * ROUNDING;

#[test]
fn varyings_are_computed_at_the_corners_and_interpolated() {
    // As authors write them for hosts of both versions of GLSL.
    let declared =
        |word: &str| format!("{word} vec2 left;\n{word} vec2 offsets[2];\n{word} mat2 turned;\n");
    let both = |new: &str| {
        format!("#if __VERSION__ <= 120\n{}#else\n{}#endif\n", declared("varying"), declared(new))
    };
    let vertices = format!(
        "{}void main() {{
            isf_vertShaderInit();
            left = clamp(isf_FragNormCoord - vec2(amount / RENDERSIZE.x, 0.0), 0.0, 1.0);
            for (int i = 0; i < 2; i++) offsets[i] = vv_FragNormCoord * float(i + 1) + TIME;
            turned = mat2(0.0, amount, -amount, 0.25);
        }}",
        both("out")
    );
    let fragment = format!(
        "{}{}void main() {{ gl_FragColor = vec4(left.x, offsets[0].y, offsets[1].x, (turned * isf_FragNormCoord).y); }}",
        header(AMOUNT, ""),
        both("in")
    );
    each(|context| {
        let setup = || Setup::new().extent(EXTENT).rate(4.0);
        for amount in [3.0, 0.5] {
            let given = if amount == 3.0 { setup() } else { setup().uniform("amount", "0.5") };
            let mut experiment = drawn(context, &fragment, &vertices, given);
            experiment.step().unwrap();
            is(&experiment, "colour", INTERPOLATED, &|x, y| {
                // The left corners are clamped to 0, so that what lies between is x (1 - amount /
                // 13).
                let (u, v) = (x / 13.0, y / 7.0);
                [u * (1.0 - amount / 13.0), v + 0.25, 2.0 * u + 0.25, amount * u + 0.25 * v]
            });
        }
    });
}

#[test]
fn each_pass_has_its_number_and_its_size_in_both_stages() {
    let passes = r#"{ "TARGET": "half_wide", "WIDTH": "floor($WIDTH / 2)", "FLOAT": true }, {}"#;
    let vertices = "varying vec3 told;
        void main() { isf_vertShaderInit(); told = vec3(RENDERSIZE, float(PASSINDEX)); }";
    let fragment = header("", passes)
        + "varying vec3 told;
        void main() { gl_FragColor = vec4(told, PASSINDEX == 0 ? 0.0 : IMG_NORM_PIXEL(half_wide, vec2(0.5)).x); }";
    each(|context| {
        let experiment = drawn(context, &fragment, vertices, nearest().extent(EXTENT));
        is(&experiment, "half_wide.colour", INTERPOLATED, &|_, _| [6.0, 7.0, 0.0, 0.0]);
        is(&experiment, "colour", INTERPOLATED, &|_, _| [13.0, 7.0, 1.0, 6.0]);
    });
}

/// Corners that are moved take their coordinates with them, and what they leave uncovered is empty,
/// in each step.
#[test]
fn corners_can_be_moved() {
    let vertices = "void main() { isf_vertShaderInit();
            gl_Position.xy = 0.5 * gl_Position.xy + vec2(FRAMEINDEX == 0 ? -0.5 : 0.5, 0.0); }";
    let fragment =
        header(IMAGE, "") + "void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage) + 1.0; }";
    let extent = Extent::new(16, 8);
    each(|context| {
        let image = picture(extent, 4, 41);
        let setup = nearest().input("inputImage", image.clone());
        let mut experiment = drawn(context, &fragment, vertices, setup);
        for left in [0.0, 8.0] {
            is(&experiment, "colour", 0.0, &|x, y| {
                if x < left || x > left + 8.0 || !(2.0..6.0).contains(&y) {
                    return [0.0; 4];
                }
                let at = |x: f64| (2.0 * x) as i64;
                texel(&image, at(x - left), at(y - 2.0), true)
                    .map(|number| f64::from(number as f32 + 1.0))
            });
            experiment.step().unwrap();
        }
    });
}

/// A quad that stands in its place reads the texels of pictures of its size themselves, whatever
/// the filter.
#[test]
fn texels_in_their_places_are_read_exactly() {
    let vertices = "varying vec2 v; void main() { isf_vertShaderInit(); v = isf_FragNormCoord; }";
    let fragment = header(IMAGE, "")
        + "varying vec2 v; void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); if (v.x > 2.0) discard; }";
    each(|context| {
        if !context.abilities().float_filtering {
            return crate::common::not_tested("floats are not filtered");
        }
        let image = picture(EXTENT, 4, 42);
        let experiment =
            drawn(context, &fragment, vertices, Setup::new().input("inputImage", image.clone()));
        is(&experiment, "colour", 0.0, &|x, y| texel(&image, x as i64, y as i64, true));
    });
}

/// Corners are defined where a text does not call the function that places them, and pictures can
/// be read there.
#[test]
fn a_vertex_shader_may_read_pictures() {
    let vertices = "varying vec4 v; void main() { v = IMG_NORM_PIXEL(inputImage, vec2(0.5)) + texture2D(inputImage, vec2(0.1)) +
            IMG_PIXEL(inputImage, vec2(12.5, 6.5)) + IMG_THIS_PIXEL(inputImage) * 0.0; }";
    let fragment = header(IMAGE, "") + "varying vec4 v; void main() { gl_FragColor = v; }";
    each(|context| {
        let image = picture(EXTENT, 4, 43);
        let setup = nearest().input("inputImage", image.clone());
        let experiment = drawn(context, &fragment, vertices, setup);
        is(&experiment, "colour", INTERPOLATED, &|_, _| {
            let three = [(6, 3), (1, 0), (12, 6)].map(|(x, y)| texel(&image, x, y, true));
            std::array::from_fn(|c| three.iter().map(|texel| texel[c]).sum())
        });
    });
}

#[test]
fn loops_of_corners_that_the_device_ends_are_found() {
    let vertices = "uniform int n; varying float v;
        void main() { isf_vertShaderInit(); v = 0.0; for (int i = 0; i < n; i++) v += 1.0; gl_Position.xy += v < 1.5e5 ? 9.0 : 0.0; }";
    let fragment = header("", "") + "varying float v; void main() { gl_FragColor = vec4(v); }";
    each(|context| {
        let made = |n: i32| {
            let setup = Setup::new().extent(EXTENT).uniform("n", n.to_string());
            let experiment = drawn(context, &fragment, vertices, setup);
            experiment.read("colour").map(|field| f64::from(floats(&field)[0]))
        };
        match (context.loop_budget().unwrap(), made(200_000)) {
            (Some(_), Err(error)) => {
                assert!(matches!(error, Error::Limit(LimitError::LoopsEnded { .. })), "{error}")
            }
            (budget, got) => assert_eq!((budget, got.unwrap()), (None, 2e5)),
        }
        assert_eq!(made(1000).unwrap(), 0.0);
    });
}

/// A shader without a vertex shader expects nothing of one where loops are watched.
#[test]
fn loops_of_a_shader_without_corners_of_its_own_are_watched_too() {
    let text = header("", "")
        + "void main() { float sum = 0.0; for (int i = 0; i < 9; i++) sum += isf_FragNormCoord.x; gl_FragColor = vec4(sum); }";
    each(|context| {
        let mut experiment = made(context, Dialect::Isf, &text, Setup::new().extent(EXTENT));
        experiment.step().unwrap();
        is(&experiment, "colour", INTERPOLATED, &|x, _| [9.0 * x / 13.0; 4]);
    });
}

#[test]
fn what_the_stages_do_not_share_is_refused_by_name() {
    let fragment = header("", "")
        + "varying vec2 there;\nvarying vec2 nowhere;\nvoid main() { gl_FragColor = vec4(there, nowhere); }";
    let vertices =
        "varying vec2 there;\nvoid main() { isf_vertShaderInit(); there = ftransform().xy; }";
    by_turns([()], |context, ()| {
        let setup = || Setup::new().extent(EXTENT);
        let error = refused(context, &fragment, vertices, setup());
        assert_eq!(error.kind(), Kind::Compile);
        let text = error.to_string();
        assert!(
            text.starts_with("pasted.fs:3: error: ") && text.contains("`vec2 nowhere`"),
            "{text}"
        );
        assert!(text.contains("NAME.vs"), "{text}");
        // The same without a vertex shader.
        let alone = Experiment::new(context, &Source::fragment("pasted.fs", &*fragment), setup());
        let text = alone.err().unwrap().to_string();
        assert!(text.contains("NAME.vs in the folder of NAME.fs"), "{text}");
        // A mistake in it is told at its line.
        let both = fragment.replace("varying vec2 nowhere;", "").replace("nowhere", "there");
        let text = refused(context, &both, vertices, setup()).to_string();
        assert!(text.contains("pasted.vs:2:") && text.contains("ftransform"), "{text}");
        // Panels have other corners than the whole.
        let large = Extent::new(context.abilities().max_texture_size + 1, 1);
        let plain =
            header("", "") + "varying vec2 there; void main() { gl_FragColor = there.xyxy; }";
        let good = vertices.replace("ftransform().xy", "isf_FragNormCoord");
        match refused(context, &plain, &good, Setup::new().extent(large)) {
            Error::Limit(LimitError::InPanels { why: Unsuited::Vertices, .. }) => {}
            other => panic!("{other}"),
        }
    });
}

#[test]
fn an_input_of_the_header_that_nothing_reads_is_refused() {
    let fragment = header(AMOUNT, r#"{ "TARGET": "t", "WIDTH": 4 }, {}"#)
        + "void main() { gl_FragColor = vec4(1.0); }";
    let sized = fragment.replace("\"WIDTH\": 4", "\"WIDTH\": \"$amount\"");
    let vertices = "void main() { isf_vertShaderInit(); gl_Position.x *= amount; }";
    by_turns([()], |context, ()| {
        let setup = || Setup::new().extent(EXTENT).uniform("amount", "2");
        let alone =
            |text: &str| Experiment::new(context, &Source::fragment("pasted.fs", text), setup());
        let text = alone(&fragment).err().unwrap().to_string();
        assert!(
            text.contains("pasted.fs: ")
                && text.contains("declares `amount`, but nothing reads it"),
            "{text}"
        );
        alone(&sized).unwrap();
        alone(&fragment.replace("vec4(1.0)", "vec4(amount)")).unwrap();
        Experiment::new(context, &source(&fragment, vertices), setup()).unwrap();
        // What macros put together may be any word. OpenGL ES has no `##`, which drivers may still
        // accept.
        if context.abilities().api != Api::Gl {
            return;
        }
        let pasted = fragment.replace("void", "#define JOIN(a, b) a ## b\nvoid");
        alone(&pasted.replace("vec4(1.0)", "vec4(JOIN(amo, unt))")).unwrap();
    });
}

/// Only ISF shaders have such a pair.
#[test]
fn another_dialect_leaves_it_unread() {
    let text = "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.0, 1.0); }";
    by_turns([()], |context, ()| {
        let setup = Setup::new().extent(EXTENT);
        let mut experiment = Experiment::new(context, &source(text, "an error"), setup).unwrap();
        experiment.step().unwrap();
        is(&experiment, "colour", INTERPOLATED, &|x, y| [x / 13.0, y / 7.0, 0.0, 1.0]);
    });
}
