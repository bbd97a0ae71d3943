//! The state of experiments in files: another experiment goes on with the same bits, and other
//! files are refused.

use quadrille_run::error::StateError;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{awkward, each, random};
use quadrille::data::{Field, Values};
use quadrille::shader::Source;
use quadrille::{Context, Extent, Kind, io};
use quadrille_run::{Error, Experiment, PassSetup, Precision, Setup};

/// A pass whose cells change at times only, so that they keep what they had, of which `seen` does
/// not feed back.
const MOVE: &str = "
    uniform sampler2D place;
    uniform float rate;
    uniform int iteration;
    layout(location = 0) out vec3 moved;
    layout(location = 1) out float seen;
    void main() {
        if ((TEXEL.x + TEXEL.y + iteration) % 3 == 0) { discard; }
        vec3 old = READ(place, TEXEL).rgb;
        moved = fract(old.gbr * 1.7 + rate);
        seen = float(iteration);
    }";

const COUNT: &str = "
    uniform sampler2D moved;
    uniform usampler2D count;
    uniform sampler2D limit;
    out uint more;
    void main() { more = READ(count, TEXEL).r + uint(READ(moved, TEXEL).g > READ(limit, TEXEL).r); }";

struct Setting {
    extent: Extent,
    moved: String,
    rate: &'static str,
    limit: Field,
    seed: &'static str,
}

fn floats(extent: Extent, channels: usize, seed: u64) -> Field {
    Field::new(extent, channels, random(extent.texels() * channels, seed)).unwrap()
}

impl Setting {
    fn new(extent: Extent) -> Setting {
        Setting { extent, moved: MOVE.into(), rate: "0.3", limit: floats(extent, 1, 5), seed: "4" }
    }

    fn make(self, context: &Context) -> Experiment {
        let passes = [
            PassSetup::new("move", Source::fragment("move.frag", self.moved)),
            PassSetup::new("count", Source::fragment("count.frag", COUNT))
                .read("moved", "move.moved"),
        ];
        let zeros = Field::new(self.extent, 1, vec![0_u32; self.extent.texels()]).unwrap();
        let setup = Setup::new()
            .input("place", floats(self.extent, 3, 4))
            .input("limit", self.limit)
            .input("count", zeros)
            .uniform("rate", self.rate)
            .feedback("move.moved", "place")
            .feedback("count.more", "count")
            .fact("seed", self.seed);
        Experiment::from_passes(context, passes, setup).unwrap()
    }
}

fn bits(field: &Field) -> Vec<u32> {
    match field.values() {
        Values::F32(numbers) => numbers.iter().map(|number| number.to_bits()).collect(),
        Values::I32(numbers) => numbers.iter().map(|number| *number as u32).collect(),
        Values::U32(numbers) => numbers.clone(),
    }
}

fn all(experiment: &Experiment) -> Vec<Vec<u32>> {
    let names = experiment.outputs().iter().map(|output| output.name());
    names.map(|name| bits(&experiment.read(name).unwrap())).collect()
}

fn steps(experiment: &mut Experiment, count: u64) {
    for _ in 0..count {
        experiment.step().unwrap();
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    (folder, file)
}

#[test]
fn bits_after_a_break_are_those_without_one() {
    each(|context| {
        let (_folder, file) = folder();
        for extent in awkward() {
            for broken_at in [1, 2, 5] {
                let mut whole = Setting::new(extent).make(context);
                steps(&mut whole, 7);
                let mut first = Setting::new(extent).make(context);
                steps(&mut first, broken_at);
                first.save(&file).unwrap();
                let at_the_break = all(&first);
                drop(first);
                let mut second = Setting::new(extent).make(context);
                second.load(&file).unwrap();
                assert_eq!(second.iteration(), broken_at);
                assert_eq!(all(&second), at_the_break);
                steps(&mut second, 7 - broken_at);
                assert_eq!(all(&second), all(&whole), "{extent:?}, after {broken_at}");
            }
        }
    });
}

#[test]
fn a_state_can_be_that_before_the_first_step_and_taken_at_any_time() {
    let context = &Context::headless().unwrap();
    let (_folder, file) = folder();
    let extent = Extent::new(5, 3);
    let start = Setting::new(extent).make(context);
    start.save(&file).unwrap();
    let mut whole = Setting::new(extent).make(context);
    steps(&mut whole, 4);
    let mut later = Setting::new(extent).make(context);
    steps(&mut later, 9);
    later.load(&file).unwrap();
    assert_eq!(later.iteration(), 0);
    assert!(matches!(later.read("move.seen"), Err(Error::State(StateError::NotYet { .. }))));
    steps(&mut later, 4);
    assert_eq!(all(&later), all(&whole));
    later.restart().unwrap();
    steps(&mut later, 4);
    assert_eq!(all(&later), all(&whole));
}

#[test]
fn the_state_of_another_experiment_is_refused_with_what_differs() {
    let context = &Context::headless().unwrap();
    let (_folder, file) = folder();
    let extent = Extent::new(5, 3);
    let setting = || Setting::new(extent);
    let mut writer = setting().make(context);
    steps(&mut writer, 3);
    writer.save(&file).unwrap();
    let moved = MOVE.replace("1.7", "1.8");
    for (other, parts) in [
        (Setting { moved, ..setting() }, &["digest of the shader of pass `move`"][..]),
        (
            Setting { rate: "0.25", ..setting() },
            &["uniform `rate` of pass `move`: expected 0.25, got 0.3"],
        ),
        (
            Setting { limit: floats(extent, 1, 6), ..setting() },
            &["numbers of input `limit`: expected "],
        ),
        (Setting { seed: "5", ..setting() }, &["seed: expected 5, got 4"]),
        (
            Setting::new(Extent::new(3, 5)),
            &[
                "input `place`: expected 3 channels of floats, 3 x 5, got 3 channels of floats, 5 x 3",
            ],
        ),
    ] {
        let mut other = other.make(context);
        steps(&mut other, 2);
        let before = all(&other);
        let error = other.load(&file).unwrap_err();
        assert_eq!((error.kind(), error.place().is_some()), (Kind::Input, true));
        let text = error.to_string();
        for part in parts.iter().chain(&["another experiment"]) {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!((all(&other), other.iteration()), (before, 2));
    }
    let mut single = Experiment::new(
        context,
        &Source::fragment(
            "copy.frag",
            "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }",
        ),
        Setup::new().input("x", Field::line(vec![1.0_f32]).unwrap()).feedback("y", "x"),
    )
    .unwrap();
    let text = single.load(&file).unwrap_err().to_string();
    assert!(text.contains("output `y`") && text.contains("got none"), "{text}");
}

#[test]
fn what_is_written_later_is_no_difference_where_it_feeds_back() {
    let context = &Context::headless().unwrap();
    let (_folder, file) = folder();
    let source = Source::fragment(
        "copy.frag",
        "uniform sampler2D x; uniform sampler2D by; out float y; void main() { y = READ(x, TEXEL).r * READ(by, TEXEL).r; }",
    );
    let make = || {
        let setup =
            Setup::new().shape("x", &[3]).unwrap().shape("by", &[3]).unwrap().feedback("y", "x");
        Experiment::new(context, &source, setup).unwrap()
    };
    let give = |experiment: &mut Experiment, name: &str, numbers: [f32; 3]| {
        experiment.write(name, quadrille::data::ValuesRef::F32(&numbers)).unwrap();
    };
    let mut writer = make();
    give(&mut writer, "x", [1.0, 2.0, 3.0]);
    give(&mut writer, "by", [2.0, 2.0, -1.0]);
    steps(&mut writer, 2);
    writer.save(&file).unwrap();
    let mut reader = make();
    assert!(
        reader
            .load(&file)
            .unwrap_err()
            .to_string()
            .contains("numbers of input `by`: expected written later")
    );
    give(&mut reader, "by", [2.0, 2.0, 1.0]);
    assert!(reader.load(&file).unwrap_err().to_string().contains("numbers of input `by`"));
    give(&mut reader, "by", [2.0, 2.0, -1.0]);
    reader.load(&file).unwrap();
    steps(&mut reader, 1);
    assert_eq!(reader.read("y").unwrap(), Field::line(vec![8.0_f32, 16.0, -3.0]).unwrap());
}

#[test]
fn a_damaged_file_is_refused_wherever_the_damage_is() {
    let context = &Context::headless().unwrap();
    let (_folder, file) = folder();
    let mut experiment = Setting::new(Extent::new(3, 2)).make(context);
    steps(&mut experiment, 3);
    experiment.save(&file).unwrap();
    let whole = fs::read(&file).unwrap();
    let before = all(&experiment);
    let mut refused = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        let error = experiment.load(&file).err().unwrap_or_else(|| panic!("{what} passes"));
        let damaged = matches!(
            error,
            Error::Io(io::Error::DamagedCheckpoint { .. } | io::Error::CheckpointVersion { .. })
        );
        assert!(damaged && error.kind() == Kind::Input, "{what}: {error}");
        assert_eq!((all(&experiment), experiment.iteration()), (before.clone(), 3));
    };
    for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        refused(&whole[..length], &format!("{length} of {} bytes", whole.len()));
    }
    for at in (0..whole.len()).step_by(5).chain(whole.len() - 5..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        refused(&bytes, &format!("byte {at} of {}", whole.len()));
    }
    refused(&[&whole[..], b"x"].concat(), "one byte more");
    refused(b"", "nothing");
    refused(b"no checkpoint\n", "another file");
    let version = whole.windows(10).position(|words| words == b"version 2,").unwrap() + 8;
    let mut next = whole.clone();
    next[version] = b'1';
    refused(&next, "another version");
    assert!(
        matches!(experiment.load(Path::new("no/file")), Err(error) if error.kind() == Kind::Io)
    );
    fs::write(&file, &whole).unwrap();
    experiment.load(&file).unwrap();
}

/// Goes on after each of some steps, and compares all outputs with those of a run without a break.
fn goes_on(make: impl Fn() -> Experiment) {
    let (_folder, file) = folder();
    let mut whole = make();
    steps(&mut whole, 6);
    for broken_at in [0, 1, 4] {
        let mut first = make();
        steps(&mut first, broken_at);
        first.save(&file).unwrap();
        let mut second = make();
        second.load(&file).unwrap();
        steps(&mut second, 6 - broken_at);
        assert_eq!(all(&second), all(&whole), "after {broken_at}");
    }
}

#[test]
fn arrays_in_half_precision_and_with_reversed_rows_go_on() {
    each(|context| {
        let source = Source::fragment(
            "rise.frag",
            "uniform sampler2D x; out float y;
            void main() { y = fract(READ_CLAMPED(x, TEXEL + ivec2(0, 1)).r * 1.7 + 0.01 * float(TEXEL.y)); }",
        );
        for extent in awkward() {
            goes_on(|| {
                let setup = Setup::new()
                    .input("x", floats(extent, 1, 9))
                    .precision("x", Precision::Half)
                    .flip(true)
                    .feedback("y", "x");
                Experiment::new(context, &source, setup).unwrap()
            });
        }
    });
}

#[test]
fn storage_that_changes_in_place_goes_on() {
    let Some(context) = &crate::common::computing() else { return };
    let source = Source::compute(
        "mix.comp",
        "layout(local_size_x = 8) in;
        layout(std430, binding = 0) buffer X { float x[]; };
        layout(std430, binding = 1) writeonly buffer Y { vec2 y[]; };
        uniform int iteration;
        void main() {
            int i = int(gl_GlobalInvocationID.x);
            if (i >= x.length() || (i + iteration) % 3 == 0) { return; }
            x[i] = fract(x[i] * 1.7 + 0.01 * float(iteration));
            y[i] = vec2(x[i], iteration);
        }",
    );
    for count in [1, 7, 65] {
        goes_on(|| {
            let setup = Setup::new()
                .input("X", Field::line(random(count, 3)).unwrap())
                .input("Y", floats(Extent::new(count as u32, 1), 2, 4))
                .groups([9, 1, 1]);
            Experiment::new(context, &source, setup).unwrap()
        });
    }
}
