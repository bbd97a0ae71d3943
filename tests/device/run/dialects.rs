//! Shaders as people paste them: what each dialect computes, against plain loops in double
//! precision; and what a mistake in one is told.

mod isf_passes;
mod isf_vertices;
mod mistakes;
mod names;
mod other_hosts;
mod own_words;
mod pictures;
mod rectangles;
mod zeros;

use crate::common::{by_turns, each, random};
use quadrille::data::{Field, Values};
use quadrille::gl::{Filter, Sampling, Wrap};
use quadrille::shader::Source;
use quadrille::{Context, Extent};
use quadrille_run::{Dialect, Dialects};
use quadrille_run::{Experiment, Samplings, Setup};

/// Sides without a common factor, so that rows and columns cannot be confused.
const EXTENT: Extent = Extent { width: 13, height: 7 };

/// A shader as a person gives it.
fn pasted(text: impl Into<String>) -> Source {
    Source::fragment("pasted.frag", text).recognised()
}

fn made(context: &Context, dialect: Dialect, text: &str, setup: Setup) -> Experiment {
    assert_eq!(pasted(text).read_as(), dialect, "{text}");
    // It recognises the text itself.
    let source = Source::fragment("pasted.frag", text);
    Experiment::new(context, &source, setup).unwrap_or_else(|error| panic!("{error}"))
}

fn floats(field: &Field) -> &[f32] {
    match field.values() {
        Values::F32(numbers) => numbers,
        other => panic!("expected floats, got {}", other.name()),
    }
}

fn picture(extent: Extent, channels: usize, seed: u64) -> Field {
    Field::new(extent, channels, random(extent.texels() * channels, seed)).unwrap()
}

/// A setup for devices that cannot filter floats too.
fn nearest() -> Setup {
    Setup::new().samplings(Samplings::new().filter_all(Filter::Nearest))
}

/// The expected colour of a fragment by its column and its row, from the bottom where the dialect
/// counts from there.
type Fragment<'a> = &'a dyn Fn(f64, f64) -> [f64; 4];

/// Compares each texel of an output with a plain function of gl_FragCoord.
#[track_caller]
fn is(experiment: &Experiment, output: &str, tolerance: f64, wanted: Fragment<'_>) {
    let field = experiment.read(output).unwrap();
    let Extent { width, height } = field.extent();
    for (index, texel) in floats(&field).chunks(4).enumerate() {
        let (column, row) = (index as u32 % width, index as u32 / width);
        let y = if experiment.flips() { height - 1 - row } else { row };
        let right = wanted(f64::from(column) + 0.5, f64::from(y) + 0.5);
        for (got, right) in texel.iter().zip(right) {
            let off = (f64::from(*got) - right).abs();
            assert!(
                off <= tolerance * right.abs().max(1.0),
                "{output} at column {column}, row {row}: {texel:?}, expected {right}"
            );
        }
    }
}

/// Each operation of floats rounds by at most this, relatively.
const ROUNDING: f64 = f32::EPSILON as f64;

/// A texel of a field in the rows of GL.
fn texel(field: &Field, x: i64, y: i64, from_bottom: bool) -> [f64; 4] {
    let Extent { width, height } = field.extent();
    let x = x.clamp(0, i64::from(width) - 1) as usize;
    let y = y.clamp(0, i64::from(height) - 1) as usize;
    let row = if from_bottom { height as usize - 1 - y } else { y };
    let at = (row * width as usize + x) * field.channels();
    let mut found = [0.0, 0.0, 0.0, 1.0];
    for (to, from) in found.iter_mut().zip(&floats(field)[at..at + field.channels()]) {
        *to = f64::from(*from);
    }
    found
}

#[test]
fn a_shadertoy_picture_without_inputs() {
    let text = "
        float wave(float x) { return x * x - 0.25 * x; }
        void mainImage(out vec4 fragColor, in vec2 fragCoord)
        {
            vec2 uv = fragCoord / iResolution.xy;
            vec3 col = vec3(wave(uv.x), uv.y, iTime + uv.x * 2.0);
            fragColor = vec4(col, float(iFrame) + iResolution.z);
        }";
    each(|context| {
        let mut experiment =
            made(context, Dialect::Shadertoy, text, Setup::new().extent(EXTENT).rate(8.0));
        for step in 0..3 {
            experiment.step().unwrap();
            is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
                let (u, v) = (x / 13.0, y / 7.0);
                [u * u - 0.25 * u, v, f64::from(step) / 8.0 + 2.0 * u, f64::from(step) + 1.0]
            });
        }
        assert!(experiment.flips() && experiment.changes());
        // The last row of the array is the bottom.
        let field = experiment.read("colour").unwrap();
        let numbers = floats(&field);
        assert!((numbers[1] - 6.5 / 7.0).abs() < 1e-6 && numbers[6 * 13 * 4 + 1] < 0.08);
    });
}

/// A terminal's picture, and a cursor in it: its upper left corner, its width and its height.
#[test]
fn a_ghostty_shader_draws_the_cursor_that_it_is_given() {
    let text = "void mainImage(out vec4 o, in vec2 p) {
        vec2 within = p - vec2(iCurrentCursor.x, iCurrentCursor.y - iCurrentCursor.w);
        bool inside = all(greaterThan(within, vec2(0.0))) && all(lessThan(within, iCurrentCursor.zw));
        bool block = iCurrentCursorStyle == CURSORSTYLE_BLOCK;
        o = inside && block ? iCurrentCursorColor : texture(iChannel0, p / iResolution.xy);
    }";
    let screen = Field::new(EXTENT, 4, [0.25_f32, 0.25, 0.25, 1.0].repeat(13 * 7)).unwrap();
    each(|context| {
        let setup = |style: &str| {
            nearest()
                .input("iChannel0", screen.clone())
                .uniform("iCurrentCursor", "3,5,4,2")
                .uniform("iCurrentCursorColor", "1,0.5,0,1")
                .uniform("iCurrentCursorStyle", style)
        };
        for (style, drawn) in [("0", true), ("3", false)] {
            let mut experiment = made(context, Dialect::Ghostty, text, setup(style));
            experiment.step().unwrap();
            is(&experiment, "colour", ROUNDING, &|x, y| {
                let inside = drawn && (3.0..7.0).contains(&x) && (3.0..5.0).contains(&y);
                if inside { [1.0, 0.5, 0.0, 1.0] } else { [0.25, 0.25, 0.25, 1.0] }
            });
        }
        // A terminal without a cursor.
        let setup = nearest().input("iChannel0", screen.clone());
        let mut experiment = made(context, Dialect::Ghostty, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", ROUNDING, &|_, _| [0.25, 0.25, 0.25, 1.0]);
    });
}

#[test]
fn colours_that_are_written_in_part_begin_black_and_opaque() {
    let text = "void mainImage(out vec4 o, vec2 p) { o.g = p.x; if (p.y > 3.0) return; o += 0.5; }";
    each(|context| {
        let mut experiment = made(context, Dialect::Shadertoy, text, Setup::new().extent(EXTENT));
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|x, y| {
            let more = if y > 3.0 { 0.0 } else { 0.5 };
            [more, x + more, more, 1.0 + more]
        });
    });
}

#[test]
fn a_sandbox_effect_with_its_mouse() {
    let text = "
        #ifdef GL_ES
        precision mediump float;
        #endif
        uniform float time;
        uniform vec2 mouse;
        uniform vec2 resolution;
        void main( void ) {
            vec2 position = ( gl_FragCoord.xy / resolution.xy ) + mouse / 4.0;
            float color = position.x * 3.0 + position.y * position.y;
            gl_FragColor = vec4( vec3( color, color * 0.5, time ), 1.0 );
        }";
    each(|context| {
        let setup = || Setup::new().extent(EXTENT);
        for (setup, mouse) in [(setup(), 0.0), (setup().uniform("mouse", "2,0"), 0.5)] {
            let mut experiment = made(context, Dialect::Sandbox, text, setup);
            for step in 0..2 {
                experiment.step().unwrap();
                is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
                    let (u, v) = (x / 13.0 + mouse, y / 7.0);
                    let colour = 3.0 * u + v * v;
                    [colour, 0.5 * colour, f64::from(step) / 60.0, 1.0]
                });
            }
        }
    });
}

#[test]
fn a_book_of_shaders_exercise() {
    let text = "
        uniform vec2 u_resolution;
        uniform vec2 u_mouse;
        uniform float u_time;
        float plot(vec2 st, float pct) { return step(pct, st.y) + u_mouse.x; }
        void main() {
            vec2 st = gl_FragCoord.xy/u_resolution;
            st.x *= u_resolution.x/u_resolution.y;
            gl_FragColor = vec4(st.x, st.y, plot(st, 0.6), 1.0 - u_time);
        }";
    each(|context| {
        let mut experiment = made(context, Dialect::Sandbox, text, Setup::new().extent(EXTENT));
        experiment.step().unwrap();
        is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
            [x / 7.0, y / 7.0, if y / 7.0 >= 0.6 { 1.0 } else { 0.0 }, 1.0]
        });
    });
}

#[test]
fn the_backbuffer_is_the_picture_before_and_the_surface_is_one_unit_high() {
    let text = "
        uniform sampler2D backbuffer;
        uniform vec2 resolution;
        varying vec2 surfacePosition;
        void main() {
            vec4 before = texture2D(backbuffer, gl_FragCoord.xy / resolution);
            gl_FragColor = vec4(before.rg * 0.5 + surfacePosition, before.b + 1.0, 1.0);
        }";
    each(|context| {
        let mut experiment = made(context, Dialect::Sandbox, text, Setup::new().extent(EXTENT));
        for _ in 0..2 {
            for step in 1..4 {
                experiment.step().unwrap();
                // 1, 1.5, 1.75
                let sum = 2.0 - 0.5_f64.powi(step - 1);
                is(&experiment, "colour", 16.0 * ROUNDING, &|x, y| {
                    let surface = [(x / 13.0 - 0.5) * 13.0 / 7.0, y / 7.0 - 0.5];
                    [surface[0] * sum, surface[1] * sum, f64::from(step), 1.0]
                });
            }
            experiment.restart().unwrap();
        }
        let first = picture(EXTENT, 4, 5);
        let setup = Setup::new().input("backbuffer", first.clone());
        let mut experiment = made(context, Dialect::Sandbox, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 16.0 * ROUNDING, &|x, y| {
            let before = texel(&first, x as i64, y as i64, true);
            let surface = [(x / 13.0 - 0.5) * 13.0 / 7.0, y / 7.0 - 0.5];
            let half = |channel: usize| before[channel] * 0.5 + surface[channel];
            [half(0), half(1), before[2] + 1.0, 1.0]
        });
    });
}

/// A pass of a picture through a mean over its neighbours, as pages of WebGL 1 have it.
#[test]
fn a_webgl_1_pass_with_a_varying() {
    let text = "
        #ifdef GL_FRAGMENT_PRECISION_HIGH
        precision highp float;
        #else
        precision mediump float;
        #endif
        varying vec2 vUv;
        uniform sampler2D tDiffuse;
        uniform float amount;
        uniform vec2 texel;
        void main() {
            vec4 sum = texture2D(tDiffuse, vUv) * 0.5;
            sum += texture2D(tDiffuse, vUv + vec2(texel.x, 0.0)) * 0.25;
            sum += texture2D(tDiffuse, vUv - vec2(0.0, texel.y)) * 0.25;
            gl_FragColor = vec4(sum.rgb * amount, 1.0);
        }";
    each(|context| {
        let image = picture(EXTENT, 3, 2);
        let setup = Setup::new()
            .input("tDiffuse", image.clone())
            .uniform("amount", "0.75")
            .value("texel", [1.0 / 13.0, 1.0 / 7.0]);
        let mut experiment = made(context, Dialect::Legacy, text, setup);
        experiment.step().unwrap();
        assert!(!experiment.flips());
        is(&experiment, "colour", 8.0 * ROUNDING, &|x, y| {
            let at = |dx, dy| texel(&image, x as i64 + dx, y as i64 + dy, false);
            let taps = |c: usize| 0.5 * at(0, 0)[c] + 0.25 * at(1, 0)[c] + 0.25 * at(0, -1)[c];
            [0.75 * taps(0), 0.75 * taps(1), 0.75 * taps(2), 1.0]
        });
    });
}

/// One step of a solver on rectangle textures, as tutorials of GPGPU had it.
#[test]
fn a_glsl_1_20_kernel_on_rectangle_textures() {
    let text = "#version 120
        #extension GL_ARB_texture_rectangle : enable
        uniform sampler2DRect textureY;
        uniform sampler2DRect textureX;
        uniform float alpha;
        void main(void) {
            vec4 y = texture2DRect(textureY, gl_TexCoord[0].st);
            vec4 x = texture2DRect(textureX, gl_TexCoord[0].st);
            vec4 corner = texture2DRect(textureX, gl_TexCoord[0].st + vec2(0.5, -0.5));
            vec4 outside = texture2DRect(textureX, vec2(-3.0, 99.0));
            gl_FragColor = y + alpha * x + corner + outside;
        }";
    each(|context| {
        for extent in [EXTENT, Extent::new(257, 5), Extent::new(1, 1)] {
            let (x, y) = (picture(extent, 4, 3), picture(extent, 4, 4));
            let setup = Setup::new()
                .input("textureX", x.clone())
                .input("textureY", y.clone())
                .uniform("alpha", "1.5");
            let mut experiment = made(context, Dialect::Legacy, text, setup);
            experiment.step().unwrap();
            is(&experiment, "colour", 8.0 * ROUNDING, &|column, row| {
                let (i, j) = (column as i64, row as i64);
                let [own, other] = [texel(&x, i, j, false), texel(&y, i, j, false)];
                // A corner belongs to the texel to its right, and above it.
                let corner = texel(&x, i + 1, j, false);
                let outside = texel(&x, 0, i64::from(extent.height), false);
                std::array::from_fn(|c| other[c] + 1.5 * own[c] + corner[c] + outside[c])
            });
        }
    });
}

#[test]
fn gl_tex_coord_runs_from_0_to_1_for_ordinary_textures() {
    let text = "uniform sampler2D tex;
        void main() {
            gl_FragColor = texture2D(tex, gl_TexCoord[0].xy) + vec4(gl_TexCoord[0].pq, gl_TexCoord[0].st);
        }";
    each(|context| {
        let image = picture(EXTENT, 4, 8);
        let setup = Setup::new().input("tex", image.clone());
        let mut experiment = made(context, Dialect::Legacy, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 4.0 * ROUNDING, &|x, y| {
            let own = texel(&image, x as i64, y as i64, false);
            [own[0], own[1] + 1.0, own[2] + x / 13.0, own[3] + y / 7.0]
        });
    });
}

#[test]
fn each_target_of_gl_frag_data_is_an_output() {
    let text = "
        #extension GL_EXT_draw_buffers : require
        varying vec2 at;
        void main() {
            gl_FragData[0] = vec4(at, 0.0, 1.0);
            gl_FragData[1].rg = gl_FragData[0].gr;
        }";
    each(|context| {
        let mut experiment = made(context, Dialect::Legacy, text, Setup::new().extent(EXTENT));
        experiment.step().unwrap();
        let names: Vec<&str> = experiment.outputs().iter().map(|o| o.name()).collect();
        assert_eq!(names, ["colour", "colour1"]);
        is(&experiment, "colour", 2.0 * ROUNDING, &|x, y| [x / 13.0, y / 7.0, 0.0, 1.0]);
        is(&experiment, "colour1", 2.0 * ROUNDING, &|x, y| [y / 7.0, x / 13.0, 0.0, 0.0]);
    });
}

#[test]
fn every_form_of_the_old_functions_samples_the_same() {
    let old = [
        "texture2D(t, c)",
        "texture2D(t, c, 0.0)",
        "texture2DProj(t, vec3(c * 2.0, 2.0))",
        "texture2DProj(t, vec4(c * 2.0, 7.0, 2.0))",
        "texture2DLod(t, c, 0.0)",
        "texture2DLodEXT(t, c, 0.0)",
        "texture2DProjLod(t, vec3(c * 2.0, 2.0), 0.0)",
        "texture2DProjLodEXT(t, vec4(c * 2.0, 7.0, 2.0), 0.0)",
        "texture2DGradARB(t, c, vec2(0.0), vec2(0.0))",
        "texture2DGradEXT(t, c, vec2(0.0), vec2(0.0))",
        "texture2DProjGradEXT(t, vec3(c * 2.0, 2.0), vec2(0.0), vec2(0.0))",
        "texture2DRect(r, gl_FragCoord.xy)",
        "texture2DRectProj(r, vec3(gl_FragCoord.xy * 2.0, 2.0))",
        "texture2DRectProj(r, vec4(gl_FragCoord.xy * 2.0, 7.0, 2.0))",
    ];
    each(|context| {
        let image = picture(EXTENT, 4, 9);
        let terms: String = old.iter().map(|call| format!(" + abs({call} - wanted)")).collect();
        let text = format!(
            "varying vec2 c; uniform sampler2D t; uniform sampler2DRect r;
             void main() {{
                 vec4 wanted = texelFetch(t, ivec2(gl_FragCoord.xy), 0);
                 gl_FragColor = vec4(0.0){terms};
             }}"
        );
        let setup = Setup::new().input("t", image.clone()).input("r", image);
        let mut experiment = made(context, Dialect::Legacy, &text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [0.0; 4]);
    });
}

/// A sampler named `texture`, as people wrote it before that was the name of a function.
#[test]
fn a_sampler_may_be_called_texture() {
    let text = "varying vec2 v; uniform sampler2D texture;
        void main() { vec4 colour = texture2D(texture, v); gl_FragColor = colour.bgra; }";
    each(|context| {
        let image = picture(EXTENT, 4, 10);
        let setup = Setup::new().input("texture", image.clone());
        let mut experiment = made(context, Dialect::Legacy, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|x, y| {
            let [r, g, b, a] = texel(&image, x as i64, y as i64, false);
            [b, g, r, a]
        });
    });
}

#[test]
fn an_isf_filter_with_its_inputs() {
    let text = "/*{
            \"DESCRIPTION\": \"turns and tints\", \"ISFVSN\": \"2\",
            \"INPUTS\": [
                { \"NAME\": \"inputImage\", \"TYPE\": \"image\" },
                { \"NAME\": \"amount\", \"TYPE\": \"float\", \"DEFAULT\": 0.25, \"MIN\": 0.0, \"MAX\": 1.0 },
                { \"NAME\": \"tint\", \"TYPE\": \"color\", \"DEFAULT\": [1.0, 0.5, 0.25, 1.0] },
                { \"NAME\": \"shift\", \"TYPE\": \"point2D\", \"DEFAULT\": [1.0, 0.0] },
                { \"NAME\": \"mode\", \"TYPE\": \"long\", \"VALUES\": [0, 1], \"DEFAULT\": 1 },
                { \"NAME\": \"on\", \"TYPE\": \"bool\", \"DEFAULT\": true }
            ]
        }*/
        void main() {
            vec4 own = IMG_THIS_PIXEL(inputImage);
            vec4 other = IMG_PIXEL(inputImage, gl_FragCoord.xy + shift);
            vec4 same = IMG_NORM_PIXEL(inputImage, isf_FragNormCoord);
            vec2 size = IMG_SIZE(inputImage) / RENDERSIZE;
            vec4 sum = own * amount + other * tint + (same - own) + vec4(isf_FragNormCoord, 0.0, 0.0);
            gl_FragColor = on && mode == 1 ? sum * size.x + vec4(0.0, 0.0, TIME, float(FRAMEINDEX)) : vec4(-1.0);
        }";
    each(|context| {
        let image = picture(EXTENT, 4, 11);
        let setup = || nearest().input("inputImage", image.clone()).rate(4.0);
        for (setup, amount) in [(setup(), 0.25), (setup().uniform("amount", "0.5"), 0.5)] {
            let mut experiment = made(context, Dialect::Isf, text, setup);
            for step in 0..2 {
                experiment.step().unwrap();
                let tint = [1.0, 0.5, 0.25, 1.0];
                is(&experiment, "colour", 16.0 * ROUNDING, &|x, y| {
                    let own = texel(&image, x as i64, y as i64, true);
                    let other = texel(&image, x as i64 + 1, y as i64, true);
                    let more = [x / 13.0, y / 7.0, f64::from(step) / 4.0, f64::from(step)];
                    std::array::from_fn(|c| own[c] * amount + other[c] * tint[c] + more[c])
                });
            }
        }
        let off = setup().uniform("on", "false");
        let mut experiment = made(context, Dialect::Isf, text, off);
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [-1.0; 4]);
    });
}

/// The words of the format's first version for the place of a picture in its texture.
#[test]
fn an_isf_picture_is_all_of_its_texture() {
    let text = "/*{ \"INPUTS\": [{ \"NAME\": \"image\", \"TYPE\": \"image\" }] }*/
        void main() { gl_FragColor = vec4(_image_imgRect.zw, _image_imgSize) + _image_imgRect.x + float(_image_flip); }";
    each(|context| {
        let setup = nearest().input("image", picture(EXTENT, 4, 13));
        let mut experiment = made(context, Dialect::Isf, text, setup);
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [13.0, 7.0, 13.0, 7.0]);
    });
}

/// `in vec2 TexCoords`, `texture` and `out vec4 FragColor`, as tutorials of OpenGL 3.3 have them.
#[test]
fn a_plain_shader_of_a_tutorial() {
    let text = "#version 330 core
        out vec4 FragColor;
        in vec2 TexCoords;
        uniform sampler2D screenTexture;
        void main() { FragColor = vec4(vec3(1.0 - texture(screenTexture, TexCoords)), 1.0); }";
    each(|context| {
        let image = picture(EXTENT, 3, 12);
        let setup = Setup::new().input("screenTexture", image.clone());
        let mut experiment = made(context, Dialect::Plain, text, setup);
        experiment.step().unwrap();
        is(&experiment, "FragColor", 2.0 * ROUNDING, &|x, y| {
            let [r, g, b, _] = texel(&image, x as i64, y as i64, false);
            [1.0 - r, 1.0 - g, 1.0 - b, 1.0]
        });
    });
}

/// The bilinear interpolation of a picture whose first row of texels is its last.
fn linear(image: &Field, u: f64, v: f64, clamped: bool) -> [f64; 4] {
    let Extent { width, height } = image.extent();
    let (w, h) = (i64::from(width), i64::from(height));
    let (x, y) = (u * w as f64 - 0.5, v * h as f64 - 0.5);
    let (i, j) = (x.floor() as i64, y.floor() as i64);
    let (s, t) = (x - x.floor(), y - y.floor());
    let at = |i: i64, j: i64| match clamped {
        true => texel(image, i, j, true),
        false => texel(image, i.rem_euclid(w), j.rem_euclid(h), true),
    };
    let corners = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
    let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t];
    std::array::from_fn(|c| corners.iter().zip(weights).map(|(k, w)| k[c] * w).sum())
}

/// Two weights with 8 bits behind the point, of numbers from 0 to 1, and the rounding of the
/// coordinate.
const FILTERED: f64 = 2.0 / 256.0 + 1e-4;

/// Shadertoy filters its channels and repeats their pictures.
#[test]
fn channels_are_linear_and_repeat() {
    let text = "void mainImage(out vec4 o, in vec2 p) {
        vec2 uv = p / iResolution.xy * 3.0 - 1.0 + 0.3 / iChannelResolution[0].xy;
        o = texture(iChannel0, uv);
    }";
    each(|context| {
        let image = picture(Extent::new(5, 3), 4, 14);
        let setup = || Setup::new().input("iChannel0", image.clone()).extent(EXTENT);
        let uv = |x: f64, y: f64| {
            let of = |p: f64, size: f64, texels: f64| p / size * 3.0 - 1.0 + 0.3 / texels;
            (of(x, 13.0, 5.0), of(y, 7.0, 3.0))
        };
        if context.abilities().float_filtering {
            let mut experiment = made(context, Dialect::Shadertoy, text, setup());
            experiment.step().unwrap();
            is(&experiment, "colour", FILTERED, &|x, y| {
                let (u, v) = uv(x, y);
                linear(&image, u, v, false)
            });
            // What passes write ends at its edge.
            let first = picture(EXTENT, 4, 15);
            let fed =
                Setup::new().input("iChannel0", first.clone()).feedback("colour", "iChannel0");
            let mut experiment = made(context, Dialect::Shadertoy, text, fed);
            experiment.step().unwrap();
            is(&experiment, "colour", FILTERED, &|x, y| {
                let of = |p: f64, size: f64| p / size * 3.0 - 1.0 + 0.3 / size;
                linear(&first, of(x, 13.0), of(y, 7.0), true)
            });
        } else {
            let source = pasted(text);
            let error = Experiment::new(context, &source, setup()).err().unwrap().to_string();
            for part in ["`iChannel0`", "filter `nearest`"] {
                assert!(error.contains(part), "{part} in {error}");
            }
        }
        // What is asked for goes before.
        let asked =
            setup().sampling("iChannel0", Sampling { filter: Filter::Nearest, wrap: Wrap::Clamp });
        let mut experiment = made(context, Dialect::Shadertoy, text, asked);
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|x, y| {
            let (u, v) = uv(x, y);
            texel(&image, (u * 5.0).floor() as i64, (v * 3.0).floor() as i64, true)
        });
    });
}
