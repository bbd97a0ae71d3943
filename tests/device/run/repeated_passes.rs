//! Passes that are drawn several times in a step, passes that are drawn only before somebody looks,
//! and passes whose extent is a part of another.

use crate::common::{awkward, each, random};
use quadrille::data::{Field, Values};
use quadrille::shader::Source;
use quadrille::{Context, Extent, Kind};
use quadrille::{Control, Progress};
use quadrille_run::{Experiment, PassSetup, Setup};

fn pass(name: &str, text: &str) -> PassSetup {
    PassSetup::new(name, Source::fragment(format!("{name}.frag"), text))
}

fn made(
    context: &Context,
    passes: impl IntoIterator<Item = PassSetup>,
    setup: Setup,
) -> Experiment {
    Experiment::from_passes(context, passes, setup).unwrap_or_else(|error| panic!("{error}"))
}

fn whole(field: &Field) -> &[u32] {
    match field.values() {
        Values::U32(numbers) => numbers,
        other => panic!("expected unsigned integers, got {}", other.name()),
    }
}

/// Bits without a pattern.
fn bits(count: usize, seed: u64) -> Vec<u32> {
    random(count, seed).iter().map(|x| x.to_bits()).collect()
}

/// Unsigned integers wrap, so that the numbers of any count of repetitions are exact, and tell each
/// order of draws from every other.
const MIX: &str = "uniform usampler2D x; uniform usampler2D given; uniform int iteration; uniform int repetition;
    layout(location = 0) out uint y; layout(location = 1) out uint other;
    void main() {
        uint here = READ(x, TEXEL).r;
        uint there = READ_CLAMPED(x, TEXEL + ivec2(-1, 1)).r;
        y = 3u * here + 5u * there + 7u * uint(iteration) + 11u * uint(repetition) + READ(given, TEXEL).r;
        other = here + 13u * uint(repetition);
    }";

/// One draw of `MIX` by a plain loop: y and other.
fn mixed(
    extent: Extent,
    x: &[u32],
    given: &[u32],
    (iteration, repetition): (u32, u32),
) -> (Vec<u32>, Vec<u32>) {
    let (w, h) = (extent.width as usize, extent.height as usize);
    let cell = |at: usize| {
        let there = x[(at / w + 1).min(h - 1) * w + (at % w).saturating_sub(1)];
        let sum = 3_u32.wrapping_mul(x[at]).wrapping_add(5_u32.wrapping_mul(there));
        let y = sum.wrapping_add(7 * iteration + 11 * repetition).wrapping_add(given[at]);
        (y, x[at].wrapping_add(13 * repetition))
    };
    (0..w * h).map(cell).unzip()
}

/// The first repetition reads an earlier pass, an input, or a buffer in which the last step ended;
/// each next one what the one before wrote.
#[test]
fn a_repetition_reads_what_the_one_before_wrote() {
    let copy =
        "uniform usampler2D state; out uint y; void main() { y = READ(state, TEXEL).r ^ 21u; }";
    let after = "uniform usampler2D a; uniform usampler2D b; out uint y;
        void main() { y = READ(a, TEXEL).r - 17u * READ(b, TEXEL).r; }";
    each(|context| {
        for extent in awkward() {
            for repeat in [1, 2, 3, 20] {
                let (start, given) = (bits(extent.texels(), 4), bits(extent.texels(), 5));
                let field = |numbers: &[u32]| Field::new(extent, 1, numbers.to_vec()).unwrap();
                let passes = [
                    pass("copy", copy),
                    pass("mix", MIX).read("x", "copy.y").repeat(repeat).feedback("y", "x"),
                    pass("after", after).read("a", "mix.y").read("b", "mix.other"),
                ];
                let setup =
                    Setup::new().input("state", field(&start)).input("given", field(&given));
                let mut experiment = made(context, passes, setup.feedback("mix.y", "state"));
                for round in 0..2 {
                    let mut state = start.clone();
                    for iteration in 0..3 {
                        experiment.step().unwrap();
                        let mut y: Vec<u32> = state.iter().map(|x| x ^ 21).collect();
                        let mut other = Vec::new();
                        for repetition in 0..repeat {
                            (y, other) = mixed(extent, &y, &given, (iteration, repetition));
                        }
                        let last = y.iter().zip(&other);
                        let last: Vec<u32> =
                            last.map(|(a, b)| a.wrapping_sub(17_u32.wrapping_mul(*b))).collect();
                        for (name, wanted) in
                            [("mix.y", &y), ("mix.other", &other), ("after.y", &last)]
                        {
                            let got = experiment.read(name).unwrap();
                            let what = format!(
                                "{name}, {extent}, {repeat} times, step {iteration}, round {round}"
                            );
                            assert_eq!(whole(&got), wanted, "{what}");
                        }
                        state = y;
                    }
                    experiment.restart().unwrap();
                }
            }
        }
    });
}

/// Two outputs that exchange places, and cells that some repetitions discard.
#[test]
fn what_a_repetition_discards_stays_as_the_one_before_left_it() {
    let swap = "uniform usampler2D a; uniform usampler2D b; uniform int repetition;
        layout(location = 0) out uint p; layout(location = 1) out uint q;
        void main() {
            if (((TEXEL.x + repetition) & 1) == 1) discard;
            p = 3u * READ(b, TEXEL).r + 1u;
            q = 5u * READ(a, TEXEL).r + uint(repetition);
        }";
    each(|context| {
        let (a, b) = (bits(7, 1), bits(7, 2));
        let line = |numbers: &[u32]| Field::line(numbers.to_vec()).unwrap();
        let passes = [pass("swap", swap).repeat(5).feedback("p", "a").feedback("q", "b")];
        let setup = Setup::new().input("a", line(&a)).input("b", line(&b));
        let mut experiment = made(context, passes, setup.feedback("swap.q", "a"));
        let mut first = a;
        for step in 0..3 {
            experiment.step().unwrap();
            let (mut p, mut q) = (first.clone(), b.clone());
            for repetition in 0..5 {
                let (old_p, old_q) = (p.clone(), q.clone());
                for x in (0..7).filter(|x| (x + repetition) % 2 == 0) {
                    p[x] = old_q[x].wrapping_mul(3).wrapping_add(1);
                    q[x] = old_p[x].wrapping_mul(5).wrapping_add(repetition as u32);
                }
            }
            assert_eq!(whole(&experiment.read("swap.p").unwrap()), p, "step {step}");
            assert_eq!(whole(&experiment.read("swap.q").unwrap()), q, "step {step}");
            first = q;
        }
    });
}

#[test]
fn repetitions_that_do_not_fit_are_refused() {
    let copy = "uniform sampler2D x; uniform sampler2D unread; out float y; void main() { y = READ(x, TEXEL).r; }";
    let turned = "uniform sampler2D x; out int y; void main() { y = int(READ(x, TEXEL).r); }";
    each(|context| {
        let refused = |pass: PassSetup, parts: &[&str]| {
            let setup = Setup::new().input("x", Field::line(vec![1.0_f32, 2.0]).unwrap());
            let error = Experiment::from_passes(context, [pass], setup).err().unwrap();
            let text = error.to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{parts:?} in {text}");
            assert_eq!(error.kind(), Kind::Input, "{text}");
        };
        let twice = |text| pass("p", text).repeat(2);
        refused(twice(copy), &["p.frag", "pass `p` is repeated", "give a feedback"]);
        refused(twice(copy).feedback("z", "x"), &["no output `z`", "it has: y"]);
        refused(twice(copy).feedback("y", "z"), &["no input `z`", "it has: x"]);
        refused(
            twice(copy).feedback("y", "unread"),
            &["input `unread` is declared", "has no effect"],
        );
        refused(twice(turned).feedback("y", "x"), &["`p.y`", "of integers", "`x`", "of floats"]);
        let small = twice(copy).feedback("y", "x").extent(Extent::new(1, 1));
        refused(
            small,
            &["`p.y` is 1 channel of floats, 1 x 1", "`x` is 1 channel of floats, 2 x 1"],
        );
        let both = twice(copy).feedback("y", "x").feedback("y", "x");
        refused(both, &["feedback from output `y` is given twice"]);
        let number = "uniform sampler2D x; uniform int repetition; out float y;
            void main() { y = READ(x, TEXEL).r + float(repetition); }";
        refused(pass("p", number), &["not given", "int repetition"]);
    });
}

#[test]
fn one_who_gives_the_repetition_sets_it() {
    let number = "uniform sampler2D x; uniform int repetition; out float y;
        void main() { y = READ(x, TEXEL).r + float(repetition); }";
    each(|context| {
        let setup = Setup::new().input("x", Field::line(vec![1.0_f32, 2.0]).unwrap());
        let passes = [pass("p", number).repeat(3).feedback("y", "x").uniform("repetition", "5")];
        let mut experiment = made(context, passes, setup);
        experiment.step().unwrap();
        assert_eq!(experiment.read("p.y").unwrap(), Field::line(vec![16.0_f32, 17.0]).unwrap());
    });
}

/// A pass that nothing reads is not drawn in each of many steps; what can be read of it is that of
/// the last.
#[test]
fn what_nothing_reads_is_that_of_the_last_step() {
    let count = "uniform usampler2D x; uniform int iteration; out uint y;
        void main() { y = 3u * READ(x, TEXEL).r + uint(iteration); }";
    let show = "uniform usampler2D now; uniform usampler2D x; uniform int iteration; out uint y;
        void main() { y = READ(now, TEXEL).r + 5u * READ(x, TEXEL).r + 7u * uint(iteration); }";
    each(|context| {
        let start = bits(5, 3);
        let setup = Setup::new().input("x", Field::line(start.clone()).unwrap());
        let passes = [pass("count", count), pass("show", show).read("now", "count.y")];
        let mut experiment = made(context, passes, setup.feedback("count.y", "x"));
        let (mut state, mut before, mut iteration) = (start.clone(), start, 0_u32);
        for steps in [1, 2, 3, 7, 64, 501] {
            assert_eq!(experiment.advance(steps, &mut ()).unwrap(), steps);
            for _ in 0..steps {
                let next = |x: &u32| 3_u32.wrapping_mul(*x).wrapping_add(iteration);
                before = std::mem::take(&mut state);
                state = before.iter().map(next).collect();
                iteration += 1;
            }
            let shown = state.iter().zip(&before);
            let shown: Vec<u32> = shown
                .map(|(now, x)| {
                    now.wrapping_add(x.wrapping_mul(5)).wrapping_add(7 * (iteration - 1))
                })
                .collect();
            assert_eq!(whole(&experiment.read("show.y").unwrap()), shown, "{steps} more");
        }
    });
}

/// An observer that stops early finds all outputs as the last completed step left them.
#[test]
fn what_nothing_reads_is_drawn_when_an_observer_stops() {
    let count = "uniform usampler2D x; out uint y; void main() { y = READ(x, TEXEL).r + 1u; }";
    let show = "uniform usampler2D now; out uint y; void main() { y = 10u * READ(now, TEXEL).r; }";
    each(|context| {
        let setup = Setup::new().input("x", Field::line(vec![0_u32]).unwrap());
        let passes = [pass("count", count), pass("show", show).read("now", "count.y")];
        let mut experiment = made(context, passes, setup.feedback("count.y", "x"));
        let mut stop_at = |least: u64| {
            let mut observe = |progress: &Progress| match progress.done >= least {
                true => Control::Stop,
                false => Control::Continue,
            };
            experiment.advance(1_000_000, &mut observe).unwrap();
            let steps = experiment.iteration();
            (steps, experiment.read("show.y").map(|field| whole(&field)[0]).ok())
        };
        assert_eq!(stop_at(0), (0, None), "nothing was run");
        let mut before = 0;
        for least in [1, 5, 20] {
            let (steps, shown) = stop_at(least);
            assert!(steps >= before + least && steps < 1_000_000, "{steps} after {before}");
            assert_eq!(shown, Some(10 * steps as u32));
            before = steps;
        }
    });
}

#[test]
fn the_extent_of_a_pass_is_a_part_of_another() {
    let copy = "uniform sampler2D x; uniform ivec2 size; out vec2 y;
        void main() { y = vec2(size) + 0.0 * READ_CLAMPED(x, TEXEL).r; }";
    let of = |text: &str| text.parse().unwrap();
    each(|context| {
        for extent in awkward() {
            let image = Field::new(extent, 1, random(extent.texels(), 1)).unwrap();
            let passes = [
                pass("half", copy).scale(of("x / 2")),
                pass("quarter", copy).read("x", "half.y").scale(of("half.y / 2")),
                pass("wide", copy).read("x", "half.y").scale(of("size * 1.5")),
            ];
            let setup = Setup::new().input("x", image).extent(Extent::new(9, 4));
            let mut experiment = made(context, passes, setup);
            experiment.step().unwrap();
            let half = Extent::new((extent.width / 2).max(1), (extent.height / 2).max(1));
            let quarter = Extent::new((half.width / 2).max(1), (half.height / 2).max(1));
            let wanted = [("half.y", half), ("quarter.y", quarter), ("wide.y", Extent::new(13, 6))];
            for (name, wanted) in wanted {
                let got = experiment.read(name).unwrap();
                assert_eq!(got.extent(), wanted, "{name} of {extent}");
                let last: Vec<f64> = got.values().doubles().take(2).collect();
                assert_eq!(last, [f64::from(wanted.width), f64::from(wanted.height)]);
            }
        }
        let field = || Field::line(vec![1.0_f32, 2.0]).unwrap();
        for name in ["later.y", "half.y", "size", "none"] {
            let passes = [pass("half", copy).scale(of(name)), pass("later", copy)];
            let setup = Setup::new().input("x", field());
            let error = Experiment::from_passes(context, passes, setup).err().unwrap().to_string();
            let wanted = format!("pass `half`: its size is that of `{name}`");
            assert!(error.contains(&wanted) && error.contains("one of: x"), "{error}");
        }
    });
}

/// The sums of all elements up to each, by Hillis and Steele; and what a compute shader changes in
/// place.
#[test]
fn a_compute_shader_is_repeated_too() {
    let prefix = "layout(local_size_x = 64) in;
        layout(std430, binding = 0) readonly buffer Old { uint old[]; };
        layout(std430, binding = 1) writeonly buffer New { uint sums[]; };
        uniform int repetition;
        void main() {
            int i = int(gl_GlobalInvocationID.x), far = i - (1 << repetition);
            if (i < old.length()) sums[i] = old[i] + (far >= 0 ? old[far] : 0u);
        }";
    let grow = "layout(local_size_x = 64) in;
        layout(std430, binding = 0) buffer X { uint x[]; };
        uniform int repetition;
        void main() {
            uint i = gl_GlobalInvocationID.x;
            if (i < uint(x.length())) x[i] = 3u * x[i] + uint(repetition);
        }";
    let dispatched = |name: &str, text: &str| {
        PassSetup::new(name, Source::compute(format!("{name}.comp"), text))
    };
    each(|context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        for count in [1, 2, 63, 64, 65, 1000] {
            let start = bits(count, 7);
            let line = || Field::line(start.clone()).unwrap();
            let passes = [dispatched("prefix", prefix).repeat(10).feedback("New", "Old")];
            let mut experiment = made(context, passes, Setup::new().input("Old", line()));
            experiment.step().unwrap();
            let mut sum = 0_u32;
            let sums: Vec<u32> = start
                .iter()
                .map(|x| {
                    sum = sum.wrapping_add(*x);
                    sum
                })
                .collect();
            assert_eq!(whole(&experiment.read("prefix.New").unwrap()), sums, "{count}");

            let passes = [dispatched("grow", grow).repeat(3)];
            let mut experiment = made(context, passes, Setup::new().input("X", line()));
            for steps in 1..3 {
                experiment.step().unwrap();
                let grown =
                    |x: &u32| (0..3 * steps).fold(*x, |x, r| x.wrapping_mul(3).wrapping_add(r % 3));
                let grown: Vec<u32> = start.iter().map(grown).collect();
                assert_eq!(whole(&experiment.read("grow.X").unwrap()), grown, "{count}");
            }
        }
        let passes = [dispatched("grow", grow).repeat(3).feedback("X", "X")];
        let setup = Setup::new().input("X", Field::line(vec![1_u32]).unwrap());
        let error = Experiment::from_passes(context, passes, setup).err().unwrap();
        assert_eq!(error.kind(), Kind::Input, "{error}");
    });
}
