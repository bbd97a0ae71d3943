//! The sampling of an experiment's inputs by `texture()`: wrap modes exactly, bilinear weights
//! within what OpenGL promises of them, through feedback and several passes, and what cannot be
//! sampled so.

use super::*;
use crate::common::Flavour;
use quadrille::gl::{Filter, Sampling, Wrap};
use quadrille::internal::Limit;
use quadrille_run::{PassSetup, Samplings};

const WRAPS: [Wrap; 3] = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];

/// Samples x at the coordinates that `at` holds.
const SAMPLE: &str = "uniform sampler2D x; uniform sampler2D at; out float y;
    void main() { y = texture(x, READ(at, TEXEL).rg).r; }";

/// The cell that a wrap mode leads to.
fn wrapped(wrap: Wrap, at: i64, length: i64) -> i64 {
    match wrap {
        Wrap::Clamp => at.clamp(0, length - 1),
        Wrap::Repeat => at.rem_euclid(length),
        Wrap::Mirror => {
            let at = at.rem_euclid(2 * length);
            at.min(2 * length - 1 - at)
        }
        other => panic!("{other} has no twin"),
    }
}

/// Coordinates of these positions in texels of an extent, as a field of two channels in rows of 64.
fn coordinates(extent: Extent, positions: &[[f64; 2]]) -> Field {
    let sides = [extent.width, extent.height].map(f64::from);
    let mut numbers: Vec<f32> = Vec::new();
    for [x, y] in positions {
        numbers.extend([(x / sides[0]) as f32, (y / sides[1]) as f32]);
    }
    let rows = positions.len().div_ceil(64);
    numbers.resize(rows * 64 * 2, 0.5);
    Field::new(Extent::new(64, rows as u32), 2, numbers).unwrap()
}

fn sampled(context: &Context, x: &Field, at: &Field, sampling: Sampling) -> Vec<f32> {
    let setup = Setup::new().input("x", x.clone()).input("at", at.clone());
    let setup = setup.extent(at.extent()).sampling("x", sampling);
    let mut experiment = made(context, SAMPLE, setup);
    experiment.step().unwrap();
    numbers(&experiment.read("y").unwrap()).to_vec()
}

/// Positions of a few periods on each side, off the edges of texels by a tenth of one.
fn positions(extent: Extent, seed: u64) -> Vec<[f64; 2]> {
    let sides = [extent.width, extent.height].map(f64::from);
    let off = |random: f32| 0.4 * f64::from(random) + 0.5;
    let place = |random: f32, side: f64| (f64::from(random) * 3.0 * side).floor();
    let random = random(4 * 640, seed);
    let position =
        |r: &[f32]| [place(r[0], sides[0]) + off(r[2]), place(r[1], sides[1]) + off(r[3])];
    random.chunks(4).map(position).collect()
}

#[test]
fn wrap_modes_lead_to_the_cell_wherever_a_sample_lies() {
    each(|context| {
        for (extent, seed) in awkward().zip(1..) {
            let cells = (0..extent.texels()).map(|index| index as f32).collect::<Vec<_>>();
            let x = Field::new(extent, 1, cells).unwrap();
            let positions = positions(extent, seed);
            let at = coordinates(extent, &positions);
            let (width, height) = (i64::from(extent.width), i64::from(extent.height));
            for wrap in WRAPS {
                let sampling = Sampling { wrap, ..Sampling::default() };
                let got = sampled(context, &x, &at, sampling);
                for ([px, py], got) in positions.iter().zip(got) {
                    let cell = [(px, width), (py, height)];
                    let [cx, cy] = cell.map(|(p, side)| wrapped(wrap, p.floor() as i64, side));
                    let wanted = (cx + width * cy) as f32;
                    assert_eq!(got, wanted, "{wrap:?} at {px}, {py} of {extent}");
                }
            }
        }
    });
}

/// The bilinear interpolation of four cells in double precision, and how far a device may be off:
/// OpenGL leaves open how many bits the weights have, and devices have 8 behind the point at least.
/// A coordinate is rounded where it is wrapped and where it is multiplied by the side.
fn bilinear(x: &Field, wrap: Wrap, [u, v]: [f32; 2]) -> (f64, f64) {
    let sides = [x.extent().width, x.extent().height].map(i64::from);
    let cell = |cx: i64, cy: i64| {
        let (cx, cy) = (wrapped(wrap, cx, sides[0]), wrapped(wrap, cy, sides[1]));
        f64::from(numbers(x)[(cx + sides[0] * cy) as usize])
    };
    let place = |u: f32, side: i64| f64::from(u) * side as f64 - 0.5;
    let (px, py) = (place(u, sides[0]), place(v, sides[1]));
    let (cx, cy) = (px.floor() as i64, py.floor() as i64);
    let (wx, wy) = (px - px.floor(), py - py.floor());
    let row = |cy: i64| (1.0 - wx) * cell(cx, cy) + wx * cell(cx + 1, cy);
    let value = (1.0 - wy) * row(cy) + wy * row(cy + 1);
    // The steepest slope between neighbours that a coordinate off by less than a texel can meet.
    let slope = |dx: i64, dy: i64| {
        let of = |i: i64| {
            (cell(cx + i % 4 - 1 + dx, cy + i / 4 - 1 + dy) - cell(cx + i % 4 - 1, cy + i / 4 - 1))
                .abs()
        };
        (0..16).map(of).fold(0.0, f64::max)
    };
    let off = |u: f32, side: i64| {
        1.0 / 256.0 + (f64::from(u).abs() + 2.0) * side as f64 * 2.0_f64.powi(-23)
    };
    let rounding = 8.0 * 2.0_f64.powi(-24) * 4.0;
    (value, off(u, sides[0]) * slope(1, 0) + off(v, sides[1]) * slope(0, 1) + rounding)
}

#[test]
fn linear_filters_interpolate_four_cells() {
    each(|context| {
        if !context.abilities().float_filtering {
            return crate::common::not_tested("floats are not filtered");
        }
        for (extent, seed) in awkward().zip(1..) {
            let x = floats(extent, 1, seed);
            let random = random(2 * 640, 100 + seed);
            let sides = [extent.width, extent.height].map(|side| 2.5 * f64::from(side));
            let position = |r: &[f32]| [f64::from(r[0]) * sides[0], f64::from(r[1]) * sides[1]];
            let positions: Vec<[f64; 2]> = random.chunks(2).map(position).collect();
            let at = coordinates(extent, &positions);
            for wrap in WRAPS {
                let got = sampled(context, &x, &at, Sampling { wrap, filter: Filter::Linear });
                let places = numbers(&at).chunks(2).map(|at| bilinear(&x, wrap, [at[0], at[1]]));
                assert_eq!(first_wrong(got.iter().copied(), places), None, "{wrap:?} of {extent}");
                let nearest = sampled(context, &x, &at, Sampling { wrap, filter: Filter::Nearest });
                if extent.texels() > 1 {
                    let places =
                        numbers(&at).chunks(2).map(|at| bilinear(&x, wrap, [at[0], at[1]]));
                    assert_ne!(first_wrong(nearest, places), None, "the bound tells filters apart");
                }
            }
        }
    });
}

/// Each step moves all by one cell, as on a ring: by `texture()` alone, which knows of the ring by
/// the wrap mode.
#[test]
fn an_input_keeps_its_sampling_when_an_output_replaces_it() {
    let text = "uniform sampler2D x; out float y;
        void main() { y = texture(x, (vec2(TEXEL + ivec2(1, -1)) + 0.5) / vec2(size)).r; }
        ";
    let text = format!("uniform ivec2 size;\n{text}");
    each(|context| {
        let extent = Extent::new(7, 5);
        let x = floats(extent, 1, 9);
        let setup = || Setup::new().input("x", x.clone()).feedback("y", "x");
        let mut ring =
            made(context, &text, setup().samplings(Samplings::new().wrap_all(Wrap::Repeat)));
        let mut edge = made(context, &text, setup());
        let twin = |steps: i64, wrap: Wrap| -> Vec<f32> {
            let mut cells = numbers(&x).to_vec();
            for _ in 0..steps {
                let at = |x: i64, y: i64| {
                    cells[(wrapped(wrap, x, 7) + 7 * wrapped(wrap, y, 5)) as usize]
                };
                cells = (0..35).map(|index| at(index % 7 + 1, index / 7 - 1)).collect();
            }
            cells
        };
        for steps in 1..9 {
            ring.step().unwrap();
            edge.step().unwrap();
            assert_eq!(numbers(&ring.read("y").unwrap()), twin(steps, Wrap::Repeat));
            assert_eq!(numbers(&edge.read("y").unwrap()), twin(steps, Wrap::Clamp));
        }
        ring.restart().unwrap();
        ring.write("x", x.values().as_ref()).unwrap();
        ring.step().unwrap();
        assert_eq!(numbers(&ring.read("y").unwrap()), twin(1, Wrap::Repeat), "after a restart");
    });
}

#[test]
fn an_output_is_sampled_by_a_later_pass_as_its_name_says() {
    let copy = source("uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }");
    let left = "uniform sampler2D x; out float y;
        void main() { y = texture(x, vec2(float(TEXEL.x) - 0.5, 0.5) / vec2(textureSize(x, 0))).r; }";
    each(|context| {
        let passes = || {
            [
                PassSetup::new("copy", copy.clone()),
                PassSetup::new("left", source(left)).read("x", "copy.y"),
            ]
        };
        let x = Field::line(vec![1.0_f32, 2.0, 3.0]).unwrap();
        let setup = || Setup::new().input("x", x.clone()).feedback("left.y", "x");
        let row = |setup| {
            let mut experiment = Experiment::from_passes(context, passes(), setup).unwrap();
            experiment.step().unwrap();
            experiment.step().unwrap();
            numbers(&experiment.read("left.y").unwrap()).to_vec()
        };
        assert_eq!(row(setup()), [1.0, 1.0, 1.0]);
        assert_eq!(
            row(setup().samplings(Samplings::new().wrap("copy.y", Wrap::Repeat))),
            [2.0, 3.0, 1.0]
        );
        assert_eq!(
            row(setup().samplings(Samplings::new().wrap("copy.y", Wrap::Mirror))),
            [1.0, 1.0, 1.0]
        );
        let refused =
            |setup| Experiment::from_passes(context, passes(), setup).err().unwrap().to_string();
        let error = refused(setup().samplings(Samplings::new().wrap("x", Wrap::Repeat)));
        assert!(
            error.contains("input `x` has no effect") && error.contains("texture()"),
            "{error}"
        );
        let error = refused(setup().samplings(Samplings::new().wrap("copy.z", Wrap::Repeat)));
        assert!(error.contains("no input `copy.z`") && error.contains("copy.y"), "{error}");
    });
}

#[test]
fn read_is_exact_whatever_the_filter_is() {
    let text = "uniform sampler2D x;
        layout(location = 0) out vec4 read; layout(location = 1) out vec4 mean;
        void main() {
            read = READ(x, TEXEL);
            mean = texture(x, vec2(TEXEL + 1) / vec2(textureSize(x, 0)));
        }";
    each(|context| {
        if !context.abilities().float_filtering {
            return crate::common::not_tested("floats are not filtered");
        }
        for extent in awkward() {
            let x = floats(extent, 4, 4);
            let setup = Setup::new()
                .input("x", x.clone())
                .samplings(Samplings::new().filter("x", Filter::Linear));
            let mut experiment = made(context, text, setup);
            experiment.step().unwrap();
            assert_eq!(experiment.read("read").unwrap(), x, "{extent}");
            if extent.texels() > 1 {
                assert_ne!(experiment.read("mean").unwrap(), x, "{extent}");
            }
        }
    });
}

#[test]
fn a_device_without_filters_for_floats_says_what_would_work() {
    if !Flavour::Gles30.is_there() {
        return;
    }
    let context = Context::builder().limit_to(Limit::Gles30).build().unwrap();
    let setup = || {
        let x = floats(Extent::new(3, 2), 1, 1);
        Setup::new().input("x", x.clone()).input("at", floats(Extent::new(3, 2), 2, 1))
    };
    let error =
        refused(&context, SAMPLE, setup().samplings(Samplings::new().filter("x", Filter::Linear)));
    assert_eq!(error.kind(), Kind::Unsupported);
    let error = error.to_string();
    for part in ["input `x`", "R32F", "GL_OES_texture_float_linear", "interpolate in the shader"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    made(
        &context,
        SAMPLE,
        setup().samplings(Samplings::new().filter("x", Filter::Nearest).wrap("x", Wrap::Mirror)),
    );
}

#[test]
fn samplings_that_do_not_fit_are_refused() {
    let labels = "uniform isampler2D x; out int y; void main() { y = texture(x, vec2(0.5)).r; }";
    each(|context| {
        let setup = || Setup::new().input("x", Field::line(vec![1, 2]).unwrap());
        for setup in [
            setup().samplings(Samplings::new().filter("x", Filter::Linear)),
            setup().samplings(Samplings::new().filter_all(Filter::Linear)),
        ] {
            let error = refused(context, labels, setup);
            assert_eq!(error.kind(), Kind::Input);
            let error = error.to_string();
            for part in ["input `x`", "isampler2D", "no OpenGL filters integers", "sampler2D x"] {
                assert!(error.contains(part), "{part} in {error}");
            }
        }
        let mut repeated =
            made(context, labels, setup().samplings(Samplings::new().wrap("x", Wrap::Repeat)));
        repeated.step().unwrap();
        let setup = || Setup::new().input("x", floats(Extent::new(2, 2), 4, 1));
        for (setup, parts) in [
            (
                setup().samplings(Samplings::new().wrap("z", Wrap::Repeat)),
                ["no input `z`", "it has: x"],
            ),
            (
                setup().samplings(Samplings::new().wrap("x", Wrap::Clamp).wrap("x", Wrap::Repeat)),
                ["wrap mode", "`x` is given twice"],
            ),
            (
                setup().samplings(
                    Samplings::new().filter_all(Filter::Nearest).filter_all(Filter::Linear),
                ),
                ["filter", "`all inputs` is given twice"],
            ),
            (
                setup().samplings(Samplings::new().wrap_all(Wrap::Repeat)),
                ["`repeat` for all inputs", "user.frag reads texels"],
            ),
            (
                setup().samplings(Samplings::new().filter("x", Filter::Linear)),
                ["`linear` for input `x`", "no effect"],
            ),
        ] {
            let error = refused(context, COPY, setup);
            assert_eq!(error.kind(), Kind::Input);
            let error = error.to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{parts:?} in {error}");
        }
    });
}
