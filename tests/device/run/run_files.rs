//! Experiments that files describe, beside the same ones by hand and plain loops.

use std::path::Path;

use crate::common::{each, random};
use crate::files::{Folder, root};
use quadrille::data::Field;
use quadrille::{Context, Extent, Kind};
use quadrille_run::testing::{TestFile, Verdict, run};
use quadrille_run::{Error, RunFile, Settings};

const ADD: &str = "uniform sampler2D a; uniform sampler2D sum; uniform float k; out float next;
    void main() { next = READ(sum, TEXEL).r + k * READ(a, TEXEL).r; }";
const SMOOTH: &str = "uniform sampler2D x; out float y;
    void main() { y = (READ_CLAMPED(x, TEXEL - ivec2(1, 0)).r + READ_CLAMPED(x, TEXEL + ivec2(1, 0)).r) / 2.0; }";
const HALF: &str = "uniform sampler2D x; uniform float scale; layout(location = 0) out float y; layout(location = 1) out int n;
    void main() { y = scale * READ(x, 2 * TEXEL).r; n = TEXEL.x + N; }";

const SUMS: &str = r#"
iterate = 3
input.a = "a.npy"
uniform.k = 2
define.N = 4

[buffer.sum]
size = "a"
channels = 1
first = 0.25
from = "add.next"

[pass.add]
shader = "add.frag"

[pass.smooth]
shader = "smooth.frag"
read.x = "add.next"
repeat = 3
feedback.y = "x"

[pass.half]
shader = "half.frag"
read.x = "smooth.y"
uniform.scale = 0.5
define.N = 40
size = "a / 2"
"#;

fn folder(text: &str) -> Folder {
    let folder = Folder::new();
    for (name, text) in
        [("add.frag", ADD), ("smooth.frag", SMOOTH), ("half.frag", HALF), ("a.run.toml", text)]
    {
        folder.write(name, text);
    }
    let a = Field::new(Extent::new(9, 5), 1, random(45, 8)).unwrap();
    quadrille_run::io::field::write(
        folder.file("a.npy"),
        &a,
        quadrille_run::io::field::PictureOptions::plain(),
    )
    .unwrap();
    folder
}

/// The outputs of a run, after its own number of steps.
fn outputs(context: &Context, run: &RunFile, names: &[&str]) -> Result<Vec<Vec<f64>>, Error> {
    let mut experiment = run.experiment(context, run.setup(run.arrays()?))?;
    experiment.advance(run.iterate(), &mut ())?;
    names.iter().map(|name| Ok(experiment.read(name)?.values().doubles().collect())).collect()
}

/// Sums that the device does without rounding: numbers of few bits.
fn sums(a: &[f64], (k, scale): (f64, f64), steps: usize) -> [Vec<f64>; 2] {
    let sum: Vec<f64> = a.iter().map(|a| 0.25 + k * a * steps as f64).collect();
    let mut y = sum.clone();
    for _ in 0..3 {
        let old = y.clone();
        for (at, new) in y.iter_mut().enumerate() {
            let (row, column) = (at / 9 * 9, at % 9);
            *new = (old[row + column.saturating_sub(1)] + old[row + (column + 1).min(8)]) / 2.0;
        }
    }
    let half = (0..2).flat_map(|row| (0..4).map(move |column| 2 * row * 9 + 2 * column));
    [sum, half.map(|at| scale * y[at]).collect()]
}

#[track_caller]
fn near(got: &[f64], wanted: &[f64]) {
    assert_eq!(got.len(), wanted.len());
    for (got, wanted) in got.iter().zip(wanted) {
        // At most 3 sums of numbers below 8, and 3 means of them: 9 roundings of half an ULP of 8.
        assert!((got - wanted).abs() <= 9.0 * f64::from(f32::EPSILON) * 4.0, "{got}, {wanted}");
    }
}

#[test]
fn a_file_describes_passes_buffers_and_what_feeds_back() {
    let folder = folder(SUMS);
    let a: Vec<f64> = random(45, 8).into_iter().map(f64::from).collect();
    each(|context| {
        let run = RunFile::read(folder.file("a.run.toml")).unwrap();
        let names = ["add.next", "half.y", "half.n"];
        let got = outputs(context, &run, &names).unwrap();
        let [sum, half] = sums(&a, (2.0, 0.5), 3);
        near(&got[0], &sum);
        near(&got[1], &half);
        assert_eq!(got[2], [40.0, 41.0, 42.0, 43.0, 40.0, 41.0, 42.0, 43.0]);
        let mut settings = Settings::default();
        settings.uniforms = vec![("scale".into(), "-1".into()), ("k".into(), "3".into())];
        settings.iterate = Some(2);
        settings.inputs = vec![("sum".into(), "zeros:9x5".parse().unwrap())];
        let got = outputs(context, &run.with(settings), &names).unwrap();
        let [sum, half] = sums(&a, (3.0, -1.0), 2);
        let (sum, half): (Vec<f64>, Vec<f64>) =
            (sum.iter().map(|x| x - 0.25).collect(), half.iter().map(|x| x + 0.25).collect());
        near(&got[0], &sum);
        near(&got[1], &half);
    });
}

/// The initial content of a buffer has the type that its sampler reads.
#[test]
fn buffers_begin_as_they_are_told() {
    let copy = |sampler: &str, vector: &str| {
        format!("uniform {sampler} b; out {vector} y; void main() {{ y = READ(b, TEXEL); }}")
    };
    each(|context| {
        let first = |sampler: &str, vector: &str, buffer: &str| {
            let folder = Folder::new();
            folder.write("p.frag", copy(sampler, vector));
            let text = format!(
                "size = [3, 2]\n[buffer.b]\nfrom = \"p.y\"\n{buffer}\n[pass.p]\nshader = \"p.frag\""
            );
            folder.write("a.run.toml", text);
            outputs(context, &RunFile::read(folder.file("a.run.toml")).unwrap(), &["p.y"])
        };
        let floats = |buffer: &str| first("sampler2D", "vec4", buffer).unwrap().remove(0);
        assert_eq!(floats(""), [0.0; 24]);
        assert_eq!(floats("first = 0.5"), [0.5; 24]);
        assert_eq!(floats("first = [0, -1, 2.5, 1]"), [0.0, -1.0, 2.5, 1.0].repeat(6));
        assert_eq!(floats("first = 3\nchannels = 4"), [3.0; 24]);
        assert_eq!(floats("first = 0.1"), [f64::from(0.1_f32); 24]);
        let random = floats("first = \"random:3x2x4\"");
        assert!(random.iter().all(|x| (0.0..1.0).contains(x)) && random[0] != random[1]);
        let integers = first("isampler2D", "ivec4", "first = [-7, 0, 1, 2147483647]").unwrap();
        assert_eq!(integers[0], [-7.0, 0.0, 1.0, 2147483647.0].repeat(6));
        let unsigned = first("usampler2D", "uvec4", "first = 4294967295").unwrap();
        assert_eq!(unsigned[0], [4294967295.0; 24]);
        let error = first("isampler2D", "ivec4", "first = 0.5").unwrap_err().to_string();
        assert!(error.contains("input `b` has floats") && error.contains("0.5"), "{error}");
        let error = first("sampler2D", "vec4", "channels = 2").unwrap_err().to_string();
        assert!(
            error.contains("`p.y` is 4 channels") && error.contains("`b` is 2 channels"),
            "{error}"
        );
        let error = first("sampler2D", "vec4", "size = [4000000000, 4000000000]").unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfMemory, "{error}");
    });
}

/// Faults that only the device or the files can show are refused before the first step.
#[test]
fn what_does_not_fit_is_refused() {
    each(|context| {
        let refused = |text: &str, part: &str| {
            let folder = folder(text);
            let run =
                RunFile::read(folder.file("a.run.toml")).unwrap_or_else(|e| panic!("{text}\n{e}"));
            let error = outputs(context, &run, &[]).unwrap_err();
            assert!(error.to_string().contains(part), "`{part}` in {error}");
            assert_eq!(error.kind(), Kind::Input, "{error}");
        };
        refused(&SUMS.replace("\"add.next\"", "\"add.nxt\""), "`add.nxt`");
        refused(&SUMS.replace("smooth.y\"", "smooth.z\""), "pass `half` cannot read `smooth.z`");
        refused(&SUMS.replace("uniform.k = 2", ""), "float k");
        refused(&SUMS.replace("uniform.k = 2", "uniform.j = 2"), "no uniform `j`");
        refused(
            &SUMS.replace("uniform.scale", "uniform.stale"),
            "half.frag has no uniform `stale`",
        );
        refused(
            &SUMS.replace("read.x = \"smooth", "read.z = \"smooth"),
            "half.frag has no input `z`",
        );
        refused(
            &SUMS.replace("size = \"a\"\n", ""),
            "a.run.toml: the size of buffer `sum` is unknown: expected `size`",
        );
        refused(
            &SUMS.replace("\"a.npy\"", "\"b.npy\""),
            "a.run.toml:3:7: `input.a`: there is no file",
        );
        refused(&SUMS.replace("half.frag", "none.frag"), "`pass.half.shader`: there is no file");
        refused(
            &SUMS.replace("feedback.y", "feedback.z"),
            "smooth.frag has no output `z`; it has: y",
        );
    });
}

/// A tab reads those before it as they are in this frame, itself and those behind it as they were
/// in the frame before; y = 0 is the last row.
#[test]
fn tabs_of_shadertoy_are_passes_and_buffers() {
    let folder = Folder::new();
    let a = "void mainImage(out vec4 c, in vec2 p) {
        ivec2 at = ivec2(p);
        c = texelFetch(iChannel0, at, 0) + vec4(1.0, p - 0.5, texelFetch(iChannel1, at, 0).x);
    }";
    let b = "void mainImage(out vec4 c, in vec2 p) {
        c = 2.0 * texelFetch(iChannel0, ivec2(p), 0) + vec4(float(iFrame), 0.0, 0.0, 0.0);
    }";
    let image =
        "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0).wzyx; }";
    for (name, text) in [("a.frag", a), ("b.frag", b), ("image.frag", image)] {
        folder.write(name, text);
    }
    let page = std::fs::read_to_string(root().join("docs/run.md")).unwrap();
    let described =
        descriptions(&page).into_iter().find(|text| text.contains("shadertoy")).unwrap();
    folder.write("a.run.toml", described);
    each(|context| {
        let mut settings = Settings::default();
        settings.size = Some(Extent::new(5, 3));
        settings.iterate = Some(4);
        let run = RunFile::read(folder.file("a.run.toml")).unwrap().with(settings);
        let got = outputs(context, &run, &["image.colour", "A.colour"]).unwrap();
        let (mut a, mut b) = ([[0.0_f64; 4]; 15], [[0.0_f64; 4]; 15]);
        for frame in 0..4 {
            for (i, (a, b)) in a.iter_mut().zip(&mut b).enumerate() {
                let place = [1.0, (i % 5) as f64, (2 - i / 5) as f64, b[0]];
                *a = std::array::from_fn(|channel| a[channel] + place[channel]);
                *b = a.map(|x| 2.0 * x);
                b[0] += f64::from(frame);
            }
        }
        let image: Vec<f64> = b.iter().flat_map(|b| [b[3], b[2], b[1], b[0]]).collect();
        assert_eq!(got[0], image);
        assert_eq!(got[1], a.concat());
    });
}

/// The descriptions in a page.
fn descriptions(page: &str) -> Vec<String> {
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.filter(|block| block.contains("[pass.")).map(str::to_owned).collect()
}

#[test]
fn the_descriptions_of_the_page_are_valid() {
    let page = std::fs::read_to_string(root().join("docs/run.md")).unwrap();
    let descriptions = descriptions(&page);
    assert!(descriptions.len() >= 4);
    for text in descriptions {
        let run = RunFile::parse("page.run.toml", &text);
        assert!(run.is_ok_and(|run| run.shaders().count() >= 2), "{text}");
    }
}

#[test]
fn a_test_expects_outputs_of_passes() {
    let folder = folder(&SUMS.replace("a.npy", "ramp:9x5"));
    let verdict = |context: &Context, text: &str| {
        let test = TestFile::parse(folder.file("b.test.toml"), text).unwrap();
        run(context, &test).map(|ran| ran.verdict)
    };
    let row = "[[0.25, 1.0, 1.75, 2.5, 3.25, 4.0, 4.75, 5.5, 6.25]]";
    let test = |row: &str| {
        format!(
            "run = \"a.run.toml\"\nvary = \"reads\"\n[expect.add.next]\nat = [0, 1, 9, 1]\nvalues = {row}\nulp = 2\n\
             [expect.\"half.n\"]\nvalues = [[40, 41, 42, 43], [40, 41, 42, 43]]\n"
        )
    };
    folder.write(
        "twin.run.toml",
        SUMS.replace("a.npy", "ramp:9x5").replace("repeat = 3", "repeat = 4"),
    );
    each(|context| {
        assert_eq!(verdict(context, &test(row)).unwrap(), Verdict::Pass);
        let wrong = test(&row.replace("1.75", "1.76"));
        assert!(matches!(verdict(context, &wrong).unwrap(), Verdict::Fail(_)));
        let more = "run = \"a.run.toml\"\niterate = 1\nuniform.k = 4\n[expect.add.next]\nat = [8, 0, 1, 1]\nvalues = [4.25]\nulp = 0";
        assert_eq!(verdict(context, more).unwrap(), Verdict::Pass);
        let twin = |output: &str| {
            format!(
                "run = \"a.run.toml\"\n[expect.{output}]\ntwin = \"twin.run.toml\"\nexact = true"
            )
        };
        assert_eq!(verdict(context, &twin("add.next")).unwrap(), Verdict::Pass);
        assert!(matches!(verdict(context, &twin("smooth.y")).unwrap(), Verdict::Fail(_)));
        let none = "run = \"a.run.toml\"\n[expect.add.last]\nfinite = true";
        let error = verdict(context, none).unwrap_err().to_string();
        assert!(
            error.contains("no output `add.last`; it has: add.next, smooth.y, half.y, half.n"),
            "{error}"
        );
        let none = "run = \"none.run.toml\"\n[expect.add.next]\nfinite = true";
        let error = verdict(context, none).unwrap_err().to_string();
        assert!(error.contains("none.run.toml: cannot read it"), "{error}");
    });
}

/// As a page gives them: the description, its shaders and what they include, and an array.
#[test]
fn files_from_memory_are_those_of_the_disk() {
    let folder = root().join("crates/run/gallery");
    let shaders = ["begin", "advect", "divergence", "solve", "project", "carry", "picture"];
    let names = shaders.map(|name| format!("fluid/{name}.frag"));
    let names = names.into_iter().chain(["fluid/bilinear.glsl".to_owned()]);
    let files: Vec<(String, Vec<u8>)> =
        names.map(|name| (name.clone(), std::fs::read(folder.join(name)).unwrap())).collect();
    let given: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let text = std::fs::read_to_string(folder.join("fluid.run.toml")).unwrap();
    let parsed = || RunFile::parse("fluid.run.toml", &text).unwrap();

    let missing: Vec<_> = parsed().given(&given[1..]).unwrap().missing().cloned().collect();
    assert_eq!(missing, [Path::new("fluid/begin.frag")]);
    let read = RunFile::read(folder.join("fluid.run.toml")).unwrap();
    let context = Context::headless().unwrap();
    let after = |run: &RunFile| {
        let mut experiment = run.experiment(&context, run.setup(run.arrays().unwrap())).unwrap();
        experiment.advance(3, &mut ()).unwrap();
        experiment.read("picture.colour").unwrap()
    };
    assert_eq!(after(&parsed().given(&given).unwrap()), after(&read));
}

#[test]
fn arrays_from_memory_are_read_by_their_names() {
    let text = "input.x = \"x.npy\"\n[pass.a]\nshader = \"a.frag\"";
    let shader = b"uniform sampler2D x; out float y; void main() { y = 2.0 * READ(x, TEXEL).r; }";
    let mut npy = Vec::new();
    let field = Field::line(vec![1.0_f32, 2.0, 3.0]).unwrap();
    quadrille_run::io::field::write_to(&mut npy, &field).unwrap();
    let run = RunFile::parse("a.run.toml", text).unwrap();
    let whole = run.clone().given(&[("x.npy", &npy), ("a.frag", shader)]).unwrap();
    let context = Context::headless().unwrap();
    let mut experiment = whole.experiment(&context, whole.setup(whole.arrays().unwrap())).unwrap();
    experiment.step().unwrap();
    assert_eq!(experiment.read("a.y").unwrap(), Field::line(vec![2.0_f32, 4.0, 6.0]).unwrap());

    let error = run.clone().given(&[("x.npy", b"no array"), ("a.frag", shader)]).err().unwrap();
    assert!(error.to_string().starts_with("x.npy: "), "{error}");
    let error = run.clone().given(&[("a.frag", &[0xff])]).err().unwrap();
    assert!(error.to_string().starts_with("a.frag: "), "{error}");
    let error = run.given(&[("a.frag", shader)]).unwrap().arrays().err().unwrap();
    assert!(error.to_string().contains("x.npy"), "{error}");
}
