//! Experiments of several passes: what a pass reads of this step and of the step before, at which
//! extent, and what is refused.

use crate::common::planted::faults_must_be_seen;
use crate::common::{awkward, each, random};
use quadrille::data::{Field, Values};
use quadrille::internal::reference::first_wrong;
use quadrille::shader::Source;
use quadrille::{Context, Extent, Kind};
use quadrille_run::error::StateError;
use quadrille_run::{Error, Experiment, PassSetup, Setup};

fn pass(name: &str, text: &str) -> PassSetup {
    PassSetup::new(name, Source::fragment(format!("{name}.frag"), text))
}

fn floats(field: &Field) -> &[f32] {
    match field.values() {
        Values::F32(numbers) => numbers,
        other => panic!("expected floats, got {}", other.name()),
    }
}

fn made(
    context: &Context,
    passes: impl IntoIterator<Item = PassSetup>,
    setup: Setup,
) -> Experiment {
    Experiment::from_passes(context, passes, setup).unwrap_or_else(|error| panic!("{error}"))
}

/// The bound of n roundings, relative.
fn gamma(n: f64) -> f64 {
    let u = f64::from(f32::EPSILON) / 2.0;
    n * u / (1.0 - n * u)
}

/// The place of a cell, clamped to the field.
fn clamped(extent: Extent, x: i64, y: i64) -> usize {
    let x = x.clamp(0, i64::from(extent.width) - 1);
    let y = y.clamp(0, i64::from(extent.height) - 1);
    (y * i64::from(extent.width) + x) as usize
}

fn cells(extent: Extent) -> impl Iterator<Item = (i64, i64)> {
    (0..i64::from(extent.height))
        .flat_map(move |y| (0..i64::from(extent.width)).map(move |x| (x, y)))
}

const ROWS: &str = "uniform sampler2D image; out float sum;
    void main() {
        float w[5] = float[5](1.0, 4.0, 6.0, 4.0, 1.0);
        sum = 0.0;
        for (int k = 0; k < 5; k++) { sum += w[k] / 16.0 * READ_CLAMPED(image, TEXEL + ivec2(k - 2, 0)).r; }
    }";

const COLUMNS: &str = "uniform sampler2D rows; out float sum;
    void main() {
        float w[5] = float[5](1.0, 4.0, 6.0, 4.0, 1.0);
        sum = 0.0;
        for (int k = 0; k < 5; k++) { sum += w[k] / 16.0 * READ_CLAMPED(rows, TEXEL + ivec2(0, k - 2)).r; }
    }";

/// The blur in f64, not separated, and its bound: five products and sums in each of two passes.
fn blurred(extent: Extent, image: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const W: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
    let blur = |(x, y): (i64, i64)| {
        let (mut sum, mut size, mut error) = (0.0, 0.0, 0.0);
        for (j, v) in (-2..).zip(W) {
            for (i, w) in (-2..).zip(W) {
                let (value, bound) = image[clamped(extent, x + i, y + j)];
                let weight = v * w / 256.0;
                sum += weight * value;
                size += weight * (value.abs() + bound);
                error += weight * bound;
            }
        }
        (sum, error + gamma(20.0) * size)
    };
    cells(extent).map(blur).collect()
}

fn is_right(got: &[f32], expected: &[(f64, f64)]) -> bool {
    first_wrong(got.iter().copied(), expected.iter().copied()).is_none()
}

#[test]
fn a_blur_in_two_passes_is_the_blur() {
    each(|context| {
        for extent in awkward() {
            let image = random(extent.texels(), 3);
            let passes = [pass("rows", ROWS), pass("columns", COLUMNS).read("rows", "rows.sum")];
            let field = Field::new(extent, 1, image.clone()).unwrap();
            let setup = Setup::new().input("image", field).feedback("columns.sum", "image");
            let mut experiment = made(context, passes, setup);
            let mut expected: Vec<_> = image.iter().map(|x| (f64::from(*x), 0.0)).collect();
            for step in 1..=3 {
                experiment.step().unwrap();
                expected = blurred(extent, &expected);
                let got = experiment.read("columns.sum").unwrap();
                assert!(is_right(floats(&got), &expected), "{extent}, step {step}");
            }
        }
    });
    let exact: Vec<_> = random(9, 3).into_iter().map(|x| (f64::from(x), 0.0)).collect();
    let expected = blurred(Extent::new(3, 3), &exact);
    faults_must_be_seen(&expected, |got| is_right(got, &expected));
}

const LAPLACIAN: &str = "uniform sampler2D state; out vec2 laplacian;
    void main() {
        laplacian = READ_CLAMPED(state, TEXEL + ivec2(1, 0)).rg + READ_CLAMPED(state, TEXEL - ivec2(1, 0)).rg
            + READ_CLAMPED(state, TEXEL + ivec2(0, 1)).rg + READ_CLAMPED(state, TEXEL - ivec2(0, 1)).rg
            - 4.0 * READ_CLAMPED(state, TEXEL).rg;
    }";

const REACT: &str = "uniform sampler2D state; uniform sampler2D spread; uniform vec2 diffusion;
    uniform float feed; uniform float kill; out vec2 next;
    void main() {
        vec2 s = READ(state, TEXEL).rg;
        float uvv = s.x * s.y * s.y;
        next = s + diffusion * READ(spread, TEXEL).rg + vec2(feed * (1.0 - s.x) - uvv, uvv - (feed + kill) * s.y);
    }";

const DIFFUSION: [f32; 2] = [0.16, 0.08];
const FEED: f32 = 0.035;
const KILL: f32 = 0.065;

/// A step of Gray and Scott in f64, and the bound: each number's own error grows by the row sums of
/// the derivative, and roundings are added, fewer than 20 of terms of the sizes below.
fn reacted(extent: Extent, state: &[[f64; 2]], bound: f64) -> (Vec<[f64; 2]>, f64) {
    let [diffusion, feed, kill] = [f64::from(DIFFUSION[0]), f64::from(FEED), f64::from(KILL)];
    let most = state.iter().flatten().fold(1.0_f64, |most, x| most.max(x.abs())) + bound;
    let growth = 1.0 + 8.0 * diffusion + 3.0 * most * most + feed + kill;
    let sizes = (1.0 + 8.0 * diffusion + most * most + feed + kill) * most + feed;
    let react = |(x, y): (i64, i64)| {
        let at = |i: i64, j: i64| state[clamped(extent, x + i, y + j)];
        let [u, v] = at(0, 0);
        let laplacian = [0, 1].map(|c: usize| {
            at(1, 0)[c] + at(-1, 0)[c] + at(0, 1)[c] + at(0, -1)[c] - 4.0 * at(0, 0)[c]
        });
        let spread = [0, 1].map(|c: usize| f64::from(DIFFUSION[c]) * laplacian[c]);
        let uvv = u * v * v;
        [u + spread[0] - uvv + feed * (1.0 - u), v + spread[1] + uvv - (feed + kill) * v]
    };
    (cells(extent).map(react).collect(), growth * bound + gamma(20.0) * sizes)
}

#[test]
fn gray_and_scott_in_two_passes_follow_the_twin() {
    each(|context| {
        for extent in awkward() {
            let numbers: Vec<f32> =
                random(2 * extent.texels(), 8).into_iter().map(f32::abs).collect();
            let field = Field::new(extent, 2, numbers.clone()).unwrap();
            let setup = Setup::new()
                .input("state", field)
                .value("diffusion", DIFFUSION)
                .value("feed", FEED)
                .value("kill", KILL)
                .feedback("react.next", "state");
            let passes = [
                pass("spread", LAPLACIAN),
                pass("react", REACT).read("spread", "spread.laplacian"),
            ];
            let mut experiment = made(context, passes, setup);
            let pairs = numbers.as_chunks::<2>().0;
            let first: Vec<[f64; 2]> = pairs.iter().map(|pair| pair.map(f64::from)).collect();
            for _ in 0..2 {
                let (mut state, mut bound) = (first.clone(), 0.0);
                for step in 1..=3 {
                    let before = state;
                    (state, bound) = reacted(extent, &before, bound);
                    experiment.step().unwrap();
                    let got = experiment.read("react.next").unwrap();
                    let near = |state: &[[f64; 2]]| {
                        let expected = state.as_flattened().iter().map(|x| (*x, bound));
                        is_right(floats(&got), &expected.collect::<Vec<_>>())
                    };
                    assert!(near(&state), "{extent}, step {step}");
                    assert!(!near(&before), "{extent}: a step is seen");
                }
                experiment.restart().unwrap();
            }
        }
    });
}

/// Four buffers, as Shadertoy has them: each reads earlier ones of this step, and any of the step
/// before.
#[test]
fn buffers_read_this_step_and_the_step_before() {
    let a = "uniform isampler2D before_d; out int y; void main() { y = READ(before_d, TEXEL).r + TEXEL.x + 1; }";
    let b = "uniform isampler2D a; uniform int iteration; out int y;
        void main() { y = 2 * READ(a, TEXEL).r + iteration; }";
    let c = "uniform isampler2D a; uniform isampler2D before_c; out int y;
        void main() { y = READ(a, TEXEL).r - READ(before_c, TEXEL).r; }";
    let d = "uniform isampler2D b; uniform isampler2D c; uniform isampler2D before_c; out int y;
        void main() { y = READ(b, TEXEL).r + READ(c, TEXEL).r + 3 * READ(before_c, TEXEL).r; }";
    each(|context| {
        let extent = Extent::new(7, 3);
        let zeros = || Field::new(extent, 1, vec![0_i32; extent.texels()]).unwrap();
        let passes = [
            pass("a", a),
            pass("b", b).read("a", "a.y"),
            pass("c", c).read("a", "a.y"),
            pass("d", d).read("b", "b.y").read("c", "c.y"),
        ];
        let setup = Setup::new().input("before_c", zeros()).input("before_d", zeros());
        let setup = setup.feedback("c.y", "before_c").feedback("d.y", "before_d");
        let mut experiment = made(context, passes, setup);
        assert_eq!(experiment.read("d.y").unwrap(), zeros());
        assert!(matches!(experiment.read("b.y"), Err(Error::State(StateError::NotYet { .. }))));
        let mut expected = vec![[0_i32; 4]; extent.texels()];
        for iteration in 0..5 {
            experiment.step().unwrap();
            for (at, [a, b, c, d]) in expected.iter_mut().enumerate() {
                let before_c = *c;
                *a = *d + at as i32 % 7 + 1;
                *b = 2 * *a + iteration;
                *c = *a - before_c;
                *d = *b + *c + 3 * before_c;
            }
            for (index, name) in ["a.y", "b.y", "c.y", "d.y"].into_iter().enumerate() {
                let column: Vec<i32> = expected.iter().map(|cell| cell[index]).collect();
                let column = Field::new(extent, 1, column).unwrap();
                assert_eq!(experiment.read(name).unwrap(), column, "{name}, step {iteration}");
            }
        }
    });
}

#[test]
fn passes_compute_over_extents_of_their_own() {
    let halve = "uniform sampler2D x; out float y;
        void main() { y = READ(x, 2 * TEXEL).r + READ(x, 2 * TEXEL + ivec2(1, 0)).r; }";
    let widen = "uniform sampler2D x; uniform ivec2 size; out vec2 y;
        void main() { y = vec2(READ(x, TEXEL / 3).r, size.x); }";
    each(|context| {
        let field = Field::new(Extent::new(4, 1), 1, vec![1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        let passes = [
            pass("halve", halve).extent(Extent::new(2, 1)),
            pass("widen", widen).read("x", "halve.y").extent(Extent::new(6, 1)),
        ];
        let mut experiment = made(context, passes, Setup::new().input("x", field));
        experiment.step().unwrap();
        assert_eq!(floats(&experiment.read("halve.y").unwrap()), [3.0, 7.0]);
        let wide = [3.0, 6.0, 3.0, 6.0, 3.0, 6.0, 7.0, 6.0, 7.0, 6.0, 7.0, 6.0];
        assert_eq!(floats(&experiment.read("widen.y").unwrap()), wide);
        let extents: Vec<_> = experiment.outputs().iter().map(|output| output.extent()).collect();
        assert_eq!(extents, [Extent::new(2, 1), Extent::new(6, 1)]);
        assert_eq!(experiment.extent(), Extent::new(6, 1));
    });
}

#[test]
fn what_does_not_fit_is_refused_before_the_first_step() {
    let copy = "uniform sampler2D x; uniform float k; out float y; void main() { y = k * READ(x, TEXEL).r; }";
    each(|context| {
        let refused = |passes: Vec<PassSetup>, setup: Setup, parts: &[&str]| {
            let error = Experiment::from_passes(context, passes, setup).err().unwrap();
            let text = error.to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{parts:?} in {text}");
            assert_eq!(error.kind(), Kind::Input, "{text}");
        };
        let field = || Field::line(vec![1.0_f32, 2.0]).unwrap();
        let setup = || Setup::new().input("x", field()).uniform("k", "2");
        let (first, second) = (|| pass("first", copy), || pass("second", copy));
        let both = |from: &str| vec![first(), second().read("x", from)];
        refused(both("second.y"), setup(), &["pass `second` cannot read `second.y`", "x, first.y"]);
        refused(
            vec![first().read("x", "second.y"), second()],
            setup(),
            &["expected an input", ": x"],
        );
        refused(both("first.z"), setup(), &["`first.z`", "x, first.y"]);
        refused(
            both("first.y"),
            setup().feedback("y", "x"),
            &["no output `y`", "first.y, second.y"],
        );
        refused(
            both("first.y"),
            setup().uniform("j", "1"),
            &["first.frag, second.frag", "`j`", "k"],
        );
        refused(both("first.y"), Setup::new().input("x", field()), &["first.frag", "float k"]);
        refused(vec![first(), first()], setup(), &["pass `first` is given twice"]);
        refused(vec![pass("", copy)], setup(), &["name"]);
        refused(Vec::new(), setup(), &["at least one pass"]);
        refused(vec![first()], Setup::new().input("x", field()).value("k", 2), &["`k` is a float"]);
    });
}

/// A fragment that discards keeps its own pass's value of the step before.
#[test]
fn each_pass_keeps_what_it_discards() {
    let count = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }";
    let even = "uniform sampler2D now; uniform int iteration; out float y;
        void main() { if (((TEXEL.x + iteration) & 1) == 1) discard; y = READ(now, TEXEL).r; }";
    each(|context| {
        let setup = Setup::new().input("x", Field::line(vec![0.0_f32; 4]).unwrap());
        let passes = [pass("count", count), pass("even", even).read("now", "count.y")];
        let mut experiment = made(context, passes, setup.feedback("count.y", "x"));
        for _ in 0..2 {
            for expected in [[1.0, 0.0, 1.0, 0.0], [1.0, 2.0, 1.0, 2.0], [3.0, 2.0, 3.0, 2.0]] {
                experiment.step().unwrap();
                assert_eq!(floats(&experiment.read("even.y").unwrap()), expected);
            }
            experiment.restart().unwrap();
        }
    });
}
