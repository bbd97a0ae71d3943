//! Experiments with compute shaders: blocks and images that are read, written and changed in place,
//! beside draws, iterated, and what is said where they do not fit.

use crate::common::on_compute as each_with_compute;
use crate::common::{awkward, each, random};
use quadrille::data::{Field, Values, ValuesRef};
use quadrille::gl::{Filter, Wrap};
use quadrille::shader::{Source, Stage};
use quadrille::{Context, Extent, Kind};
use quadrille_run::error::{LimitError, StateError};
use quadrille_run::{Error, Experiment, PassSetup, Precision, Samplings, Setup};

fn source(text: &str) -> Source {
    Source::compute("user.comp", text)
}

fn made(context: &Context, text: &str, setup: Setup) -> Experiment {
    Experiment::new(context, &source(text), setup).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(context: &Context, text: &str, setup: Setup, parts: &[&str]) {
    let error = Experiment::new(context, &source(text), setup).err().expect("an error");
    assert_eq!(error.kind(), Kind::Input);
    for part in parts {
        assert!(error.to_string().contains(part), "{part} in {error}");
    }
}

fn floats(field: &Field) -> &[f32] {
    match field.values() {
        Values::F32(numbers) => numbers,
        other => panic!("expected floats, got {}", other.name()),
    }
}

const SCALE: &str = "
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { float x[]; };
layout(std430, binding = 3) writeonly buffer Output { float y[]; };
uniform float factor;
uniform ivec2 size;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(x.length())) { y[i] = factor * x[i] + float(size.x); }
}
";

#[test]
fn a_block_is_computed_from_another() {
    each_with_compute(|context| {
        for count in [1, 2, 63, 64, 65, 1009] {
            let x = random(count, count as u64);
            let setup = Setup::new().input("Input", Field::line(x.clone()).unwrap());
            let mut experiment = made(context, SCALE, setup.uniform("factor", "2"));
            experiment.step().unwrap();
            // Twice a float and the sum with a small integer round once.
            let expected: Vec<f32> = x.iter().map(|x| 2.0 * x + count as f32).collect();
            let y = experiment.read("Output").unwrap();
            assert_eq!(y, Field::line(expected).unwrap());
            assert!(!experiment.changes());
            assert!(matches!(
                experiment.texture("Output"),
                Err(Error::State(StateError::NoTexture { .. }))
            ));
        }
    });
}

const SWEEP: &str = "
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer State { vec2 u[]; };
uniform ivec2 size;
uniform int iteration;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, size))) return;
    vec2 old = u[p.y * size.x + p.x];
    u[p.y * size.x + p.x] = vec2(old.y, old.x + float(iteration));
}
";

#[test]
fn what_is_changed_in_place_goes_from_step_to_step_and_back_to_its_beginning() {
    each_with_compute(|context| {
        for extent in awkward() {
            let first = Field::new(extent, 2, random(extent.texels() * 2, 5)).unwrap();
            let mut experiment = made(context, SWEEP, Setup::new().input("State", first.clone()));
            assert!(experiment.changes());
            assert_eq!(experiment.read("State").unwrap(), first);
            for _ in 0..2 {
                assert_eq!(experiment.advance(3, &mut ()).unwrap(), 3);
                // (a, b) -> (b, a) -> (a, b + 1) -> (b + 1, a + 2)
                let expected: Vec<f32> = floats(&first)
                    .chunks(2)
                    .flat_map(|cell| [cell[1] + 1.0, cell[0] + 2.0])
                    .collect();
                let now = experiment.read("State").unwrap();
                assert_eq!(now, Field::new(extent, 2, expected).unwrap());
                experiment.restart().unwrap();
                assert_eq!(experiment.read("State").unwrap(), first);
            }
            experiment
                .write("State", Values::F32(vec![1.0; extent.texels() * 2]).as_ref())
                .unwrap();
            experiment.step().unwrap();
            assert!(floats(&experiment.read("State").unwrap()).iter().all(|&x| x == 1.0));
        }
    });
}

const PARTLY: &str = "
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Old { int old[]; };
layout(std430, binding = 1) writeonly buffer New { int new_[]; };
uniform int iteration;
void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i < old.length() && i % 3 == iteration % 3) new_[i] = old[i] + 10;
}
";

#[test]
fn elements_that_a_step_does_not_write_keep_their_value() {
    each_with_compute(|context| {
        let first: Vec<i32> = (0..50).collect();
        let setup = Setup::new().input("Old", Field::line(first.clone()).unwrap());
        let mut experiment = made(context, PARTLY, setup.feedback("New", "Old"));
        experiment.advance(4, &mut ()).unwrap();
        let expected = first.iter().map(|i| i + if i % 3 == 0 { 20 } else { 10 });
        let expected: Vec<i32> = expected.collect();
        assert_eq!(experiment.read("New").unwrap(), Field::line(expected).unwrap());
        // Without a feedback they are 0 at first.
        let setup = Setup::new().input("Old", Field::line(first.clone()).unwrap());
        let mut once = made(context, PARTLY, setup);
        once.step().unwrap();
        let expected = first.iter().map(|i| if i % 3 == 0 { i + 10 } else { 0 });
        let expected: Vec<i32> = expected.collect();
        assert_eq!(once.read("New").unwrap(), Field::line(expected).unwrap());
    });
}

const TO_IMAGE: &str = "
layout(local_size_x = 4, local_size_y = 4) in;
layout(r32f, binding = 0) uniform writeonly highp image2D target;
uniform sampler2D source;
void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, imageSize(target)))) {
        imageStore(target, place, vec4(READ(source, place).r + 1.0));
    }
}
";

#[test]
fn draws_and_dispatches_of_a_step_read_what_the_others_wrote() {
    each_with_compute(|context| {
        for extent in awkward() {
            let twice = Source::fragment(
                "twice.frag",
                "uniform sampler2D x; out float y; void main() { y = 2.0 * READ(x, TEXEL).r; }",
            );
            let passes = [
                PassSetup::new("double", twice.clone()),
                PassSetup::new("add", source(TO_IMAGE)).read("source", "double.y"),
                PassSetup::new("again", twice).read("x", "add.target"),
            ];
            let x = random(extent.texels(), 9);
            let setup = Setup::new().input("x", Field::new(extent, 1, x.clone()).unwrap());
            let setup = setup.feedback("again.y", "x");
            let mut experiment = Experiment::from_passes(context, passes, setup).unwrap();
            experiment.advance(2, &mut ()).unwrap();
            let step = |x: f32| 2.0 * (2.0 * x + 1.0);
            let expected: Vec<f32> = x.iter().map(|&x| step(step(x))).collect();
            let y = experiment.read("again.y").unwrap();
            assert_eq!(floats(&y), expected);
        }
    });
}

const TRANSPOSE: &str = "
layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba32f, binding = 0) uniform readonly highp image2D source;
layout(rgba32f, binding = 1) uniform writeonly highp image2D target;
void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, imageSize(target)))) {
        imageStore(target, place, imageLoad(source, place.yx));
    }
}
";

#[test]
fn images_of_four_channels_take_arrays_of_fewer() {
    each_with_compute(|context| {
        let (extent, turned) = (Extent::new(7, 5), Extent::new(5, 7));
        let x = random(extent.texels() * 3, 2);
        let setup = Setup::new().input("source", Field::new(extent, 3, x.clone()).unwrap());
        let mut experiment = made(context, TRANSPOSE, setup.extent(turned));
        experiment.step().unwrap();
        let mut expected = Vec::new();
        for column in 0..7 {
            for row in 0..5 {
                let at = 3 * (row * 7 + column);
                expected.extend_from_slice(&[x[at], x[at + 1], x[at + 2], 1.0]);
            }
        }
        let target = experiment.read("target").unwrap();
        assert_eq!(target, Field::new(turned, 4, expected).unwrap());
    });
}

/// Each invocation counts to the number that it is given.
const COUNT: &str = "
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer Input { int n[]; };
layout(std430, binding = 1) writeonly buffer Output { int made[]; };
void main() {
    int i = int(gl_GlobalInvocationID.x), count = 0;
    if (i >= n.length()) return;
    for (int j = 0; j < n[i]; j++) count += 1 + (count & 0);
    made[i] = count;
}
";

#[test]
fn loops_that_a_device_ends_early_are_no_result() {
    each_with_compute(|context| {
        let count = |most: i32| {
            let n: Vec<i32> = vec![3, most, 0, 17];
            let setup = Setup::new().input("Input", Field::line(n.clone()).unwrap());
            let mut experiment = made(context, COUNT, setup);
            experiment.step().unwrap();
            (experiment.read("Output"), n)
        };
        let (short, n) = count(1000);
        assert_eq!(short.unwrap(), Field::line(n).unwrap());
        match (count(300_000), context.loop_budget().unwrap()) {
            ((Ok(made), n), None) => assert_eq!(made, Field::line(n).unwrap()),
            ((Err(error), _), Some(_)) => {
                assert!(
                    matches!(error, Error::Limit(LimitError::InvocationsEnded { .. })),
                    "{error}"
                );
                assert_eq!(error.kind(), Kind::Limit);
            }
            ((result, _), budget) => panic!("{result:?} with the budget {budget:?}"),
        }
    });
}

#[test]
fn work_groups_are_asked_for_where_they_are_not_clear() {
    each_with_compute(|context| {
        let plate = Field::new(Extent::new(130, 3), 1, random(390, 1)).unwrap();
        let setup = || Setup::new().input("Input", plate.clone()).uniform("factor", "1");
        refused(context, SCALE, setup(), &["user.comp", "130 x 3", "64 x 1 x 1", "7x1x1", "3x3x1"]);
        let mut experiment = made(context, SCALE, setup().groups([7, 1, 1]));
        experiment.step().unwrap();
        let expected: Vec<f32> = floats(&plate).iter().map(|x| x + 130.0).collect();
        assert_eq!(floats(&experiment.read("Output").unwrap()), expected);
        let unclear = SCALE.replace("local_size_x = 64", "local_size_x = SIDE");
        let branches = "#ifdef GL_NV_none\n#define SIDE 32\n#else\n#define SIDE 64\n#endif";
        let text = format!("{branches}\n{unclear}");
        let line = Field::line(vec![1.0_f32; 5]).unwrap();
        let setup = Setup::new().input("Input", line).uniform("factor", "1");
        refused(context, &text, setup, &["the size of a group in numbers", "groups"]);
        let draw = Source::fragment("f.frag", "out float y; void main() { y = 1.0; }");
        let setup = Setup::new().extent(Extent::new(1, 1)).groups([1, 1, 1]);
        let error = Experiment::new(context, &draw, setup).err().unwrap().to_string();
        assert!(error.contains("f.frag is a fragment shader"), "{error}");
    });
}

#[test]
fn blocks_and_images_that_no_array_fits_are_refused() {
    each_with_compute(|context| {
        let line = || Setup::new().input("B", Field::line(vec![1.0_f32; 4]).unwrap());
        let with = |block: &str| {
            format!(
                "layout(local_size_x = 1) in;
                 {block}
                 void main() {{ USE }}"
            )
        };
        let block = "layout(std430, binding = 0) buffer B";
        for (block, used, why) in [
            (format!("{block} {{ int n; float x[]; }};"), "x[0] = float(n);", "it has 2 members"),
            (format!("{block} {{ float x[4]; }};"), "x[0] += 1.0;", "has the length 4"),
            (format!("{block} {{ float x; }};"), "x += 1.0;", "is no array"),
            (format!("{block} {{ vec3 x[]; }};"), "x[0] += 1.0;", "a gap behind each vec3"),
            (format!("{block} {{ mat2 x[]; }};"), "x[0] += 1.0;", "of the type mat2"),
            (block.replace("std430", "std140") + " { float x[]; };", "x[0] += 1.0;", "std430"),
            (block.replace("std430, ", "") + " { float x[]; };", "x[0] += 1.0;", "std430"),
        ] {
            refused(context, &with(&block).replace("USE", used), line(), &["block `B`", why]);
        }
        let text = with(&format!("{block} {{ vec2 x[]; }};")).replace("USE", "x[0] += 1.0;");
        refused(
            context,
            &text,
            line(),
            &["`B`", "vec2[]", "2 channels", "has 1", "such as (1, 2, 2)"],
        );
        let text = with(&format!("{block} {{ vec4 x[]; }};")).replace("USE", "x[0] += 1.0;");
        let rows = |height| {
            let rows = Field::new(Extent::new(4, height), 1, random(4 * height as usize, 3));
            Setup::new().input("B", rows.unwrap())
        };
        refused(context, &text, rows(100), &["vec4[]", "the last of length 4", "(1, 100, 4)"]);
        let odd = Setup::new().input("B", Field::line(vec![1.0_f32; 7]).unwrap());
        refused(context, &text, odd, &["such as (height, width, 4)"]);
        let text = with(&format!("{block} {{ uint x[]; }};")).replace("USE", "x[0] += 1u;");
        let half = Setup::new().input("B", Field::line(vec![0.5_f32]).unwrap());
        refused(
            context,
            &text,
            half,
            &["`B`", "0.5", "block B holds unsigned integers", "`float`"],
        );
        let readonly = SCALE.replace("writeonly buffer Output", "readonly buffer Output");
        let readonly = readonly.replace("y[i] = ", "float z = y[i] + ");
        let setup = Setup::new().extent(Extent::new(1, 1));
        refused(context, &readonly, setup, &["writes nothing"]);
    });
}

#[test]
fn a_block_of_numbers_takes_layers_as_rows() {
    const ADD: &str = "
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Old { float x[]; };
layout(std430, binding = 1) buffer State { float y[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(y.length())) { y[i] = 2.0 * x[i] + y[i]; }
}
";
    each_with_compute(|context| {
        for (shape, written) in [
            (&[5, 12, 16][..], &[60, 16][..]),
            (&[5, 5, 5], &[25, 5]),
            (&[3, 3, 3, 3], &[9, 3, 3]),
            (&[2, 7, 3, 1], &[14, 3]),
            (&[4, 3, 2], &[4, 3, 2]),
        ] {
            let count = shape.iter().product();
            let (x, y) = (random(count, 3), random(count, 4));
            let field = |values: &[f32]| Field::copied(shape, ValuesRef::F32(values)).unwrap();
            let groups = [count.div_ceil(64) as u32, 1, 1];
            let given = Setup::new().input("Old", field(&x)).input("State", field(&y));
            let later = Setup::new().shape("Old", shape).unwrap().shape("State", shape).unwrap();
            for (setup, is_later) in [(given, false), (later, true)] {
                let mut experiment = made(context, ADD, setup.groups(groups));
                if is_later {
                    experiment.write("Old", ValuesRef::F32(&x)).unwrap();
                    experiment.write("State", ValuesRef::F32(&y)).unwrap();
                }
                // Twice a float is exact, so a sum rounds once, whether it is fused or not.
                let mut expected = y.clone();
                for _ in 0..2 {
                    expected.iter_mut().zip(&x).for_each(|(y, x)| *y += 2.0 * x);
                    experiment.step().unwrap();
                }
                let state = experiment.read("State").unwrap();
                assert_eq!((state.shape(), floats(&state)), (written.to_vec(), &expected[..]));
            }
        }
        let error = Setup::new().shape("Old", &[2, 2, 2, 2, 2]).err().unwrap();
        let advice = quadrille::internal::advice(&error).unwrap();
        assert!(advice.contains("storage block of numbers"), "{error}: {advice}");
    });
}

#[test]
fn names_that_are_not_there_list_those_that_are() {
    each_with_compute(|context| {
        let x = || Field::line(vec![1.0_f32; 4]).unwrap();
        let setup = || Setup::new().input("Input", x()).uniform("factor", "1");
        refused(context, SCALE, setup().input("x", x()), &["no input `x`", "Input, Output"]);
        refused(context, SCALE, setup().uniform("f", "1"), &["no uniform `f`", "factor"]);
        refused(context, SCALE, setup().feedback("y", "Input"), &["no output `y`", "Output"]);
        let missing = Setup::new().uniform("factor", "1").extent(Extent::new(4, 1));
        refused(context, SCALE, missing, &["not given", "float[] Input"]);
        let state = Setup::new()
            .input("State", Field::new(Extent::new(2, 1), 2, vec![0.0_f32; 4]).unwrap());
        refused(context, SWEEP, state.feedback("State", "State"), &["no input `State`"]);
    });
}

/// A storage block is neither filtered nor wrapped, and its numbers are what its text declares.
#[test]
fn settings_of_samplers_are_refused_for_storage() {
    each_with_compute(|context| {
        let setup = || {
            let x = Field::line(vec![1.0_f32; 4]).unwrap();
            Setup::new().input("Input", x).uniform("factor", "1")
        };
        let sampled = |samplings| setup().samplings(samplings);
        let half = setup().precision("Input", Precision::Half);
        let parts = ["input `Input` cannot be held in half precision", "storage"];
        refused(context, SCALE, half, &parts);
        let repeated = sampled(Samplings::new().wrap("Input", Wrap::Repeat));
        let parts = ["`repeat` for input `Input` has no effect", "user.comp"];
        refused(context, SCALE, repeated, &parts);
        let linear = sampled(Samplings::new().filter("Input", Filter::Linear));
        let parts = ["`linear` for input `Input` has no effect", "user.comp"];
        refused(context, SCALE, linear, &parts);
        let clamped = sampled(Samplings::new().wrap("Input", Wrap::Clamp));
        made(context, SCALE, clamped.precision("Input", Precision::Single));
    });
}

#[test]
fn a_context_without_compute_says_so() {
    each(|context| {
        if context.abilities().compute.is_some() {
            return;
        }
        let setup = Setup::new().input("Input", Field::line(vec![1.0_f32]).unwrap());
        let setup = setup.uniform("factor", "1");
        let error = Experiment::new(context, &source(SCALE), setup).err().unwrap();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("OpenGL 4.3 or OpenGL ES 3.1"), "{error}");
    });
}

#[test]
fn a_file_of_a_compute_shader_is_one_by_its_stage() {
    assert_eq!(Stage::of_file("a/b.comp"), Some(Stage::Compute));
    assert_eq!(Stage::of_file("b.FRAG"), Some(Stage::Fragment));
    assert_eq!(Stage::of_file("b.glsl"), None);
}
