#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::run_file::*;
use crate::setup::scale::Size;
use crate::{Samplings, Uniform};
use quadrille::Extent;
use quadrille::gl::{Filter, Wrap};
use quadrille::options::{Contents, Entry, FrontEnd, Kind, Many, Specified};
use std::path::Path;

fn parse(text: &str) -> Result<RunFile, Error> {
    RunFile::parse("runs/a.run.toml", text)
}

/// Returns the message about a description that ends with two passes, `p` and `q`, of which the
/// second reads the first.
#[track_caller]
fn says(text: &str) -> String {
    let passes = "[pass.p]\nshader = \"p.frag\"\n[pass.q]\nshader = \"q.frag\"\nread.x = \"p.y\"\n";
    parse(&format!("{text}\n{passes}")).unwrap_err().to_string()
}

const FULL: &str = r#"
version = 1
include = ["common"]
common = "common.glsl"
define.N = 3
input.image = "plate.png"
uniform.sigma = 4
size = [64, 48]
iterate = 7
feedback = { "columns.blurred" = "image" }
seed = 3

[buffer.trail]
from = "columns.blurred"
channels = 3

[buffer.noise]
first = "random:8x8x2"
from = "rows.blurred"

[buffer.small]
first = [0, 1.5]
size = "trail / 2"
from = "rows.other"

[pass.rows]
shader = "blur.frag"
uniform.along = [1, 0]
define.N = 4
repeat = 20
feedback.blurred = "image"

[pass.columns]
shader = "../blur.frag"
read = { image = "rows.blurred", old = "trail" }
size = "rows.blurred * 0.5"
"#;

fn uniforms(uniforms: &[(&str, &str)]) -> Vec<(String, Uniform)> {
    pairs(uniforms).into_iter().map(|(name, text)| (name, text.into())).collect()
}

fn defines(pass: &Pass) -> &[(String, String)] {
    match &pass.source {
        Shader::File { defines, .. } => defines,
        Shader::Given(_) => panic!("a file"),
    }
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn a_full_description_is_read() {
    let run = parse(FULL).unwrap();
    assert_eq!(
        run.shaders().collect::<Vec<_>>(),
        ["runs/blur.frag", "runs/../blur.frag"].map(Path::new)
    );
    assert_eq!(run.settings.include_dirs, [Path::new("runs/common")]);
    assert_eq!(run.settings.common, Some(Contents::File("runs/common.glsl".into())));
    assert_eq!((run.settings.size, run.iterate()), (Some(Extent::new(64, 48)), 7));
    assert_eq!(
        (run.settings.seed, &run.settings.defines[..]),
        (Some(3), &pairs(&[("N", "3")])[..])
    );
    assert_eq!(run.settings.feedback, pairs(&[("columns.blurred", "image")]));
    let [rows, columns] = &run.passes[..] else { panic!("two passes") };
    assert_eq!((rows.name.as_str(), columns.name.as_str()), ("rows", "columns"));
    assert_eq!(
        (&rows.uniforms, defines(rows)),
        (&uniforms(&[("along", "1,0")]), &pairs(&[("N", "4")])[..])
    );
    assert_eq!((rows.repeat, &rows.feedback), (Some(20), &pairs(&[("blurred", "image")])));
    assert_eq!(columns.reads, pairs(&[("image", "rows.blurred"), ("old", "trail")]));
    assert_eq!(columns.size, Some(Size::Scale("rows.blurred * 0.5".parse().unwrap())));
    let [trail, noise, small] = &run.buffers[..] else { panic!("three buffers") };
    let texel = |buffer: &Buffer| match &buffer.first {
        First::Texel(texel) => (texel.to_string(), texel.shape().1),
        First::Array(origin) => (origin.to_string(), 0),
    };
    assert_eq!(texel(trail), ("0,0,0".into(), 3));
    assert_eq!(texel(noise), ("random:8x8x2".into(), 0));
    assert_eq!(texel(small), ("0,1.5".into(), 2));
    assert_eq!((trail.from.as_str(), &trail.size), ("columns.blurred", &None));
}

#[test]
fn other_settings_go_before_those_of_the_file() {
    let settings = Settings {
        inputs: vec![
            ("image".into(), "zeros:3x3".parse().unwrap()),
            ("noise".into(), "zeros:8x8x2".parse().unwrap()),
        ],
        uniforms: uniforms(&[("along", "0,1"), ("k", "2")]),
        defines: pairs(&[("N", "5")]),
        size: Some(Extent::new(5, 7)),
        iterate: Some(2),
        feedback: pairs(&[("rows.blurred", "trail"), ("columns.other", "image")]),
        ..Settings::default()
    };
    let run = parse(FULL).unwrap().with(settings);
    assert_eq!(run.settings.inputs[0].1.to_string(), "zeros:3x3");
    assert_eq!(run.settings.inputs.len(), 1);
    let First::Array(noise) = &run.buffers[1].first else { panic!("an array") };
    assert_eq!(noise.to_string(), "zeros:8x8x2");
    assert_eq!(run.settings.uniforms, uniforms(&[("sigma", "4"), ("along", "0,1"), ("k", "2")]));
    assert!(run.passes.iter().all(|pass| pass.uniforms.is_empty() && defines(pass).is_empty()));
    assert_eq!(run.settings.defines, pairs(&[("N", "5")]));
    assert_eq!((run.settings.size, run.iterate()), (Some(Extent::new(5, 7)), 2));
    assert_eq!(run.settings.seed, Some(3));
    assert_eq!(run.buffers[0].from, "rows.blurred");
    assert_eq!(run.settings.feedback, pairs(&[("columns.other", "image")]));
    assert!(run.named.iter().all(|named| named.key != "input.image"), "the file is not needed");
}

#[test]
fn samplings_are_replaced_by_name() {
    let text = format!(
        "wrap = \"repeat\"\nfilter = {{ trail = \"linear\", \"rows.blurred\" = \"linear\" }}\n{FULL}"
    );
    let samplings = Samplings::new().wrap("image", Wrap::Mirror).filter("trail", Filter::Nearest);
    let settings = Settings { samplings, ..Settings::default() };
    let both = Samplings::new().wrap_all(Wrap::Repeat).wrap("image", Wrap::Mirror);
    let both = both.filter("rows.blurred", Filter::Linear).filter("trail", Filter::Nearest);
    assert_eq!(parse(&text).unwrap().with(settings).settings.samplings, both);
}

#[test]
fn what_is_given_twice_stays_so() {
    let twice = || ("image".to_owned(), "zeros:3x3".parse().unwrap());
    let settings = Settings { inputs: vec![twice(), twice()], ..Settings::default() };
    let run = parse(FULL).unwrap().with(settings);
    assert_eq!(run.settings.inputs.len(), 2);
}

#[test]
fn a_later_pass_reads_earlier_ones_and_buffers() {
    let text = "[buffer.b]\nfrom = \"q.z\"\nsize = [2, 2]\n[pass.p]\nshader = \"p.frag\"\nread.x = \"b\"\n[pass.q]\n\
                shader = \"q.frag\"\nread = { x = \"p.y\", y = \"b\" }";
    assert!(parse(text).is_ok());
}

/// Each message names the file, the line, the key and what there is instead.
#[test]
fn every_error_says_where_and_what_is_expected() {
    let cases = [
        (
            "shader = \"a.frag\"",
            ":1:1: unknown key `shader` of a run: expected one of: version, input, uniform, include, define,",
        ),
        ("version = 2", ":1:11: `version`: expected 1"),
        ("iterate = 0", "`iterate`: expected an integer from 1 on, got 0"),
        ("seed = -1", "`seed`: expected an integer from 0 on"),
        ("halo = -1", ":1:8: `halo`: expected an integer from 0 on, got -1"),
        ("halo = 0.5", "an integer from 0 on, got 0.5"),
        ("halo = \"1\"", "an integer from 0 on, got \"1\""),
        ("halo = [1]", "an integer from 0 on, got ["),
        ("size = [64]", "`size`: expected the width and the height"),
        ("input.x = \"random:3\"", ":1:7: expected WIDTHxHEIGHT[xCHANNELS]"),
        ("define.N = true", "`define.N`: expected a number, or a text of GLSL"),
        ("uniform.k = []", "`uniform.k`: expected a number, true or false"),
        (
            "feedback.p = \"x\"",
            "`feedback.p`: expected an output as `pass.output`, got `p`; passes: p, q",
        ),
        ("feedback.\"r.y\" = \"x\"", "there is no pass `r`; passes: p, q"),
        ("input = \"x.npy\"", "`input`: expected a table, as in `input.NAME = ...`, got \"x.npy\""),
        ("[[pass]]\nshader = \"a.frag\"", "`pass`: expected a table, as in `[pass.NAME]`, got"),
        (
            "[pass.c]\nshader = \"c.comp\"\ndialect = \"isf\"",
            "`pass.c.dialect`: expected a fragment shader; runs/c.comp is a compute shader",
        ),
        ("buffer.b = 1", "`buffer.b`: expected a table, as in `[buffer.b]`, got 1"),
        ("[buffer.b]\nchannels = 2", ":1:9: `buffer.b.from` is missing: the output that it holds"),
        (
            "[buffer.b]\nfrom = \"p\"",
            ":2:1: `buffer.b.from`: expected an output as `pass.output`, got `p`",
        ),
        ("[buffer.b]\nfrom = \"r.y\"", "`buffer.b.from`: there is no pass `r`; passes: p, q"),
        (
            "[buffer.b]\nto = \"p.y\"",
            "unknown key `to` in `buffer.b`: expected one of: from, first, size, channels",
        ),
        ("[buffer.b]\nfrom = \"p.y\"\nchannels = 5", "`buffer.b.channels`: expected 1 to 4, got 5"),
        (
            "[buffer.b]\nfrom = \"p.y\"\nchannels = 0",
            "`buffer.b.channels`: expected an integer from 1 on, got 0",
        ),
        (
            "[buffer.b]\nfrom = \"p.y\"\nfirst = [1, 2]\nchannels = 3",
            "as many as `buffer.b.first` has, or no such line, got 3",
        ),
        (
            "[buffer.b]\nfrom = \"p.y\"\nfirst = true",
            "`buffer.b.first`: expected a number, a list of the numbers",
        ),
        ("[buffer.b]\nfrom = \"p.y\"\nfirst = \"zeros:3\"", ":3:1: expected WIDTHxHEIGHT"),
        (
            "[buffer.b]\nfrom = \"p.y\"\nfirst = \"a.npy\"\nchannels = 3",
            ":4:1: `buffer.b.channels` is that of `buffer.b.first`",
        ),
        (
            "[buffer.b]\nfrom = \"p.y\"\nfirst = \"a.npy\"\nsize = [3, 3]",
            "`buffer.b.size` is that of `buffer.b.first`",
        ),
        (
            "[buffer.b]\nfrom = \"p.y\"\nsize = \"p.y\"",
            "`buffer.b.size`: expected the name of an input, of an earlier buffer, or `size`",
        ),
        ("[buffer.b]\nfrom = \"p.y\"\nsize = \"b / 2\"", "of an earlier buffer"),
        (
            "[buffer.b]\nfrom = \"p.y\"\nsize = \"x / 0\"",
            "or a part of another size, as in \"image / 2\", got \"x / 0\"",
        ),
        ("[buffer.\"b.c\"]\nfrom = \"p.y\"", "invalid name `b.c` of a buffer: expected a letter"),
        (
            "input.b = \"zeros:3x3\"\n[buffer.b]\nfrom = \"p.y\"",
            "`buffer.b` has the name of `input.b`",
        ),
        ("pass.a = 1", "`pass.a`: expected a table, as in `[pass.a]`, got 1"),
        ("[pass.a]", ":1:7: `pass.a.shader` is missing: the file of the shader"),
        ("[pass.a]\nshader = 1", "`pass.a.shader`: expected a text in quotes"),
        (
            "[pass.a]\nshader = \"a.frag\"\nreads.x = \"b\"",
            "unknown key `reads` in `pass.a`: expected one of: shader, primitive, dialect, read,",
        ),
        ("[pass.\"a.b\"]\nshader = \"a.frag\"", "invalid name `a.b` of a pass: expected a letter"),
        (
            "[pass.a]\nshader = \"a.frag\"\nrepeat = 0",
            "`pass.a.repeat`: expected an integer from 1 on, got 0",
        ),
        ("[pass.a]\nshader = \"a.frag\"\nrepeat = 5000000000", "expected an integer of 32 bits"),
        (
            "[pass.a]\nshader = \"a.frag\"\nfeedback.y = \"x\"",
            "`pass.a.feedback` is what the next repetition reads, and pass `a` has no `repeat`",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nsize = \"r.y\"",
            "`pass.a.size`: expected the name of an input, a buffer, an output",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nsize = \"p.y\"",
            "of an earlier pass, or `size` (inputs: none; buffers: none; passes: a, p, q)",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nread.x = \"C\"",
            ":3:10: `pass.a.read.x`: expected an input, a buffer, or an output `pass.output` of an earlier pass (inputs: none; buffers: \
             none; passes: a, p, q), got \"C\"",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nread.x = \"r.y\"",
            ":3:6: `pass.a.read.x`: there is no pass `r`; passes: a, p, q",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nread.x = \"a.y\"",
            ":3:6: `pass.a.read.x`: pass `a` reads what it writes, `a.y`: for what it wrote in the step before read a buffer, as in \
             `[buffer.y]` with `from = \"a.y\"`",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nread.x = \"p.y\"",
            "pass `a` reads `p.y`, which a later pass writes: expected `[pass.p]` before `[pass.a]`; or, for what it was in the step before",
        ),
        (
            "[pass.a]\nshader = \"a.frag\"\nread.x = \"b.y\"\n[pass.b]\nshader = \"b.frag\"\nread.x = \"c.y\"\n[pass.c]\n\
             shader = \"c.frag\"\nread = { x = \"zz\", y = \"a.y\" }\n[buffer.zz]\nfrom = \"a.y\"",
            ":3:6: `pass.a.read.x`: the passes read each other in a circle: a reads b.y, b reads c.y, c reads a.y: one of them must read a \
             buffer, as in `[buffer.y]` with `from = \"b.y\"`",
        ),
        ("[pass.p]\nshader = \"a.frag\"", "not valid TOML: duplicate key"),
        ("[pass.x", "not valid TOML"),
    ];
    for (text, expected) in cases {
        let said = says(text);
        assert!(said.starts_with("runs/a.run.toml:") && said.contains(expected), "{text}\n{said}");
    }
    let said = parse("iterate = 3").unwrap_err().to_string();
    assert!(said.contains("`pass` is missing: at least one pass, as in `[pass.NAME]`"), "{said}");
    let said = RunFile::read("no/such.run.toml").unwrap_err();
    assert_eq!(said.kind(), quadrille::Kind::Io);
    assert!(said.to_string().starts_with("no/such.run.toml: cannot read it"), "{said}");
}

#[test]
fn files_that_are_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let text = "input.x = \"x.npy\"\n[pass.a]\nshader = \"a.frag\"";
    let run = RunFile::parse(file("a.run.toml"), text).unwrap();
    let said = |run: &RunFile| run.must_be_whole().unwrap_err().to_string();
    assert!(said(&run).contains(":1:7: `input.x`: there is no file"), "{}", said(&run));
    let other = Settings {
        inputs: vec![("x".into(), "zeros:3x3".parse().unwrap())],
        ..Settings::default()
    };
    let run = run.with(other);
    assert!(said(&run).contains(":3:1: `pass.a.shader`: there is no file"), "{}", said(&run));
    std::fs::write(file("a.frag"), "").unwrap();
    assert!(run.must_be_whole().is_ok());
    let text = "include = [\".\", \"none\"]\n[pass.a]\nshader = \"a.frag\"";
    let run = RunFile::parse(file("b.run.toml"), text).unwrap();
    assert!(
        said(&run).contains("b.run.toml:1:17: `include`: there is no folder"),
        "{}",
        said(&run)
    );
    std::fs::create_dir(file("none")).unwrap();
    assert!(run.must_be_whole().is_ok());
}

/// Before any file is opened, and whether it is there or not.
#[test]
fn files_outside_of_the_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("there.frag"), "").unwrap();
    for name in ["../there.frag", "../none.frag", "/there.frag", "none/../../there.frag"] {
        let text = format!("[pass.a]\nshader = \"{name}\"");
        let run = RunFile::parse(inner.join("a.run.toml"), &text).unwrap();
        let outside = |error: Result<(), Error>| matches!(error, Err(Error::Outside { .. }));
        assert!(outside(run.must_be_whole()), "{name}");
        let read = run.passes().unwrap_err();
        let said = read.to_string();
        assert!(said.contains("`pass.a.shader` names ") && said.contains("outside"), "{said}");
        assert_eq!(read.kind(), quadrille::Kind::Input);
        assert!(!outside(run.allow_outside().must_be_whole()), "{name}");
    }
    // As seen from the folder of the process, which this is below.
    let run =
        RunFile::parse("no/such/a.run.toml", "[pass.a]\nshader = \"../../src/lib.rs\"").unwrap();
    assert!(matches!(run.must_be_whole(), Err(Error::NoFile { .. }) | Ok(())));
    let run = RunFile::parse("a.run.toml", "[pass.a]\nshader = \"../a.frag\"").unwrap();
    assert!(matches!(run.must_be_whole(), Err(Error::Outside { .. })));
}

#[test]
fn the_ending_of_a_name_tells_a_run() {
    for (name, is) in [
        ("a.run.toml", true),
        ("x/A.RUN.TOML", true),
        ("a.toml", false),
        ("run.toml", false),
        ("a.frag", false),
    ] {
        assert_eq!(RunFile::is_named(name), is, "{name}");
    }
}

#[test]
fn mistakes_of_primitives_are_told_with_their_keys() {
    for (lines, parts) in [
        ("primitive = \"sum\"", &["pass.p.primitive", "\"scan\", \"sort\", \"histogram\""][..]),
        ("primitive = \"scan\"\nshader = \"a.frag\"", &["shader", "operation"]),
        ("primitive = \"scan\"\nbins = 3", &["bins", "exclusive"]),
        ("primitive = \"scan\"\noperation = \"mean\"", &["mean", "sum, product, min, max"]),
        ("primitive = \"sort\"\nalong = \"x\"", &["`x`", "all, rows, columns"]),
        ("primitive = \"sort\"\ntype = \"bool\"", &["pass.p.type", "\"uint\""]),
        ("primitive = \"sort\"\nplaces = 1", &["pass.p.places", "true or false"]),
        ("primitive = \"histogram\"", &["pass.p.bins", "the number of bins"]),
        ("primitive = \"histogram\"\nbins = 0", &["pass.p.bins", "from 1 on"]),
        ("primitive = \"histogram\"\nbins = 2\nrange = 3", &["pass.p.range", "[0, 1]"]),
        ("primitive = \"convolution\"", &["pass.p.weights"]),
        ("primitive = \"convolution\"\nweights = [[1, 2], [3]]", &["pass.p.weights", "[1, 2, 1]"]),
        ("primitive = \"convolution\"\nweights = []", &["pass.p.weights"]),
        ("primitive = \"convolution\"\nweights = [1]\nborder = \"none\"", &["none", "reflect"]),
        ("primitive = \"fft\"\nrepeat = 2", &["repeat", "inverse"]),
        ("primitive = \"fft\"\nread.x = \"q.y\"", &["`pass.p.read.x`", "no pass `q`"]),
    ] {
        let text = parse(&format!("[pass.p]\n{lines}\n")).unwrap_err().to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{lines}: {text}");
    }
}

/// A value as a test gives it.
struct Given(&'static str, Option<&'static str>);

impl Entry for Given {
    fn of(&self) -> Option<&str> {
        self.1
    }

    fn text(&self) -> Option<String> {
        Some(self.0.to_owned())
    }
}

/// No option is forgotten in what is said of settings, or in what reads it.
#[test]
fn a_description_says_every_option_and_is_read_as_the_same() {
    for option in Settings::of(FrontEnd::RunFile) {
        let value = match option.kind {
            Kind::Name(names) => names[names.len() - 1].0,
            Kind::Flag => "true",
            Kind::Sides { .. } => "7x3",
            Kind::Text(_) => "x",
            Kind::Folder | Kind::Contents => "runs/a",
            _ => "3",
        };
        let of = match option.many {
            Many::ByName(_) | Many::ByNameOrAll => Some("p.y"),
            _ => None,
        };
        let (mut settings, plain) = (Settings::default(), Settings::default());
        settings.set(option, &Given(value, of)).unwrap();
        assert_ne!(settings, plain, "{}", option.name);
        assert_eq!(plain.clone().replaced(settings.clone()), settings, "{}", option.name);
        let path =
            |path: &Path| Ok::<_, Error>(path.strip_prefix("runs").unwrap().display().to_string());
        let lines = settings.described(path).unwrap().join("\n");
        let text = format!("{lines}\n[pass.p]\nshader = \"p.frag\"");
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}")).settings;
        assert_eq!(read, settings, "{lines}");
    }
}
