#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::{Precision, Samplings};
use quadrille::data::Values;
use quadrille::gl::{Filter, Wrap};
use quadrille::testing::{Denormals, Nan, Rule, Tolerance};
use quadrille::{Extent, Rectangle};

fn parse(text: &str) -> Result<TestFile, Error> {
    TestFile::parse("tests/a.test.toml", text)
}

/// Returns the message about a description that begins with a shader.
#[track_caller]
fn says(text: &str) -> String {
    parse(&format!("shader = \"a.frag\"\n{text}")).unwrap_err().to_string()
}

const FULL: &str = r#"
version = 1
shader = "sobel.frag"
define.RADIUS = 3
define.FIELD = "sampler2D"
input.image = "plate.png"
input.also = "random:64x48x4"
uniform.strength = 1.5
uniform.light.power = -2
uniform."lights[1].on" = true
uniform.turn = [[1, 0.5], [0x10, 1e-3]]
size = [64, 48]
iterate = 7
feedback = { next = "state" }
seed = 3
timeout = 2.5
api = ["gles", "gl"]
vary = ["reads"]

[[expect.edges]]
at = [1, 2, 3, 4]
equals = "sobel.edges.npy"
ulp = 4
outliers = 3
nan = "forbid"
denormals = "flush"
device."NVIDIA".equals = "sobel.edges.nvidia.npy"
device."softpipe".finite = true

[[expect.edges]]
inside = [0, 1.5]

[expect.next]
values = [[1, 2.5], [3, 4]]
absolute = 1e-3
relative = 0.5

[require]
precise = true
max_texture_size = 4096
device = ["llvmpipe", "NVIDIA"]

[known."llvmpipe"]
reason = "log2 near 1"
"#;

#[test]
fn a_full_description_is_read() {
    let test = parse(FULL).unwrap();
    let pair = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    assert_eq!(test.tested, Tested::Shader("tests/sobel.frag".into()));
    let set = &test.settings;
    assert_eq!(set.inputs[0].1.file().unwrap(), Path::new("tests/plate.png"));
    assert_eq!((set.inputs[1].0.as_str(), set.inputs[1].1.file()), ("also", None));
    let uniforms = [
        ("strength", "1.5"),
        ("light.power", "-2"),
        ("lights[1].on", "true"),
        ("turn", "1,0.5,16,1e-3"),
    ];
    let uniforms = uniforms.map(|(name, text)| (name.into(), text.to_owned().into()));
    assert_eq!(set.uniforms, uniforms);
    assert_eq!((set.size, set.iterate, set.seed), (Some(Extent::new(64, 48)), Some(7), Some(3)));
    assert_eq!(set.defines, [("RADIUS", "3"), ("FIELD", "sampler2D")].map(pair));
    assert_eq!(set.feedback, [pair(("next", "state"))]);
    assert_eq!(test.timeout, Duration::from_millis(2500));
    assert_eq!(test.apis, [Api::Gles, Api::Gl]);
    assert_eq!(test.vary, [Vary::Reads]);
    let require = Require {
        precise: true,
        max_texture_size: 4096,
        devices: vec!["llvmpipe".into(), "NVIDIA".into()],
        ..Require::default()
    };
    assert_eq!(test.require, require);
    assert_eq!(test.known_on("llvmpipe (LLVM 15.0.6, 256 bits)").unwrap().reason, "log2 near 1");
    assert_eq!(test.known_on("softpipe"), None);
}

#[test]
fn expectations_depend_on_the_device() {
    let test = parse(FULL).unwrap();
    let [edges, range, next] = &test.expectations[..] else { panic!("three expectations") };
    assert_eq!(edges.at, Some(Rectangle::new(1, 2, 3, 4)));
    let here = edges.on("llvmpipe");
    assert_eq!(here.claim, Some(Claim::Equals("tests/sobel.edges.npy".into())));
    let rule = Rule::ulp(4).outliers(3).nan(Nan::Forbid).denormals(Denormals::Flush);
    assert_eq!(here.rule(), Some(rule));
    let there = edges.on("NVIDIA H200");
    assert_eq!(there.claim, Some(Claim::Equals("tests/sobel.edges.nvidia.npy".into())));
    assert_eq!(there.rule(), Some(rule));
    assert_eq!(edges.on("softpipe").claim, Some(Claim::Finite));
    assert_eq!(range.on("any").claim, Some(Claim::Inside(0.0, 1.5)));
    assert_eq!(next.general.tolerance, Some(Tolerance::Close { absolute: 1e-3, relative: 0.5 }));
    let Some(Claim::Values(literal)) = &next.general.claim else { panic!("values") };
    let field = literal.field(&Values::F32(Vec::new())).unwrap();
    assert_eq!(
        (field.shape(), field.values().clone()),
        (vec![2, 2], vec![1.0_f32, 2.5, 3.0, 4.0].into())
    );
    assert!(literal.field(&Values::I32(Vec::new())).is_none(), "2.5 is no integer");
}

#[test]
fn samplings_are_of_all_inputs_or_by_name() {
    let of =
        |text: &str| parse(&format!("shader = \"a.frag\"\n{text}")).unwrap().settings.samplings;
    assert_eq!(of(""), Samplings::new());
    assert_eq!(of("wrap = \"repeat\""), Samplings::new().wrap_all(Wrap::Repeat));
    let both = Samplings::new().wrap("x", Wrap::Mirror).wrap("y", Wrap::Clamp);
    let text = "wrap.x = \"mirror\"\nwrap.y = \"clamp\"\nfilter = \"linear\"";
    assert_eq!(of(text), both.filter_all(Filter::Linear));
    for (text, parts) in [
        (
            "wrap = \"around\"",
            [
                "tests/a.test.toml:2",
                "`wrap`",
                "one of: clamp, repeat, mirror; for all inputs, or by name",
            ],
        ),
        ("wrap.x = 3", ["tests/a.test.toml:2", "`wrap.x`", "got 3"]),
        (
            "filter = [\"linear\"]",
            ["tests/a.test.toml:2", "`filter`", "one of: nearest, linear, mipmap"],
        ),
        (
            "filter.x = \"linear\"\nvary = [\"reads\"]",
            ["tests/a.test.toml:3", "`vary`", "texelFetch"],
        ),
    ] {
        let says = says(text);
        assert!(parts.iter().all(|part| says.contains(part)), "{parts:?} in {says}");
    }
}

#[test]
fn outputs_of_several_passes_are_named_with_or_without_quotes() {
    let text = "run = \"a.run.toml\"\n[expect.p.y]\nall = 1\nexact = true\n[[expect.\"q.z\"]]\nfinite = true";
    let test = parse(text).unwrap();
    assert_eq!(test.tested, Tested::Run("tests/a.run.toml".into()));
    let names: Vec<&str> = test.expectations.iter().map(|e| e.output.as_str()).collect();
    assert_eq!(names, ["p.y", "q.z"]);
    assert_eq!(test.golden("p.y"), Path::new("tests/a.p.y.npy"));
}

#[test]
fn what_is_written_to_targets_is_named_in_the_same_way() {
    let expect = "[expect.b.colour]\nall = 1\nexact = true\ndevice.\"X\".all = 2\n[[expect.\"c.colour\"]]\nfinite = true\n\
                  [expect.colour]\nfinite = true\n[[expect.d.colour]]\nfinite = true";
    let names = |text: String| -> Vec<String> {
        parse(&text).unwrap().expectations.into_iter().map(|expected| expected.output).collect()
    };
    let of_shader = names(format!("shader = \"a.fs\"\n{expect}"));
    assert_eq!(of_shader, ["b.colour", "c.colour", "colour", "d.colour"]);
    let of_run = names(
        "run = \"a.run.toml\"\n[expect.p.b.colour]\nfinite = true\n[expect.p.y]\nfinite = true"
            .into(),
    );
    assert_eq!(of_run, ["p.b.colour", "p.y"]);
    let says = says("[expect.b.colour]\nequal = 1");
    assert!(says.contains("`equal`") && says.contains("expect.b.colour"), "{says}");
}

#[test]
fn precisions_are_single_or_half() {
    let test = parse("shader = \"a.frag\"\nprecision.x = \"half\"").unwrap();
    assert_eq!(test.settings.precisions, [("x".to_owned(), Precision::Half)]);
    for text in ["precision.x = \"double\"", "precision.x = 16", "precision = \"half\""] {
        let says = says(text);
        assert!(says.contains("tests/a.test.toml:2") && says.contains("`precision"), "{says}");
    }
}

#[test]
fn what_is_left_out_has_defaults() {
    let test = parse("shader = \"a.frag\"\nvary = [\"size\"]\nexpect.error = \"no such\"").unwrap();
    assert_eq!(test.vary, [Vary::Size]);
    assert_eq!((test.settings.iterate, test.settings.seed), (None, None));
    assert_eq!(test.timeout, Duration::from_secs(10));
    assert_eq!((test.apis, test.error.as_deref()), (vec![Api::Gl], Some("no such")));
}

#[test]
fn numbers_of_the_description_have_the_type_of_the_output() {
    let of = |text: &str| {
        let text = format!("shader = \"a.frag\"\n[expect.x]\nvalues = {text}\nexact = true");
        let test = parse(&text).unwrap();
        let Some(Claim::Values(literal)) = test.expectations[0].on("").claim else { panic!() };
        literal
    };
    let unsigned = of("[[[0, 4294967295]]]").field(&Values::U32(Vec::new())).unwrap();
    assert_eq!((unsigned.channels(), unsigned.values().clone()), (2, vec![0, u32::MAX].into()));
    assert!(of("[4294967296]").field(&Values::U32(Vec::new())).is_none());
    assert!(of("[-1]").field(&Values::U32(Vec::new())).is_none());
    assert!(of("[2147483648]").field(&Values::I32(Vec::new())).is_none());
    let special = of("[nan, inf, -inf, 0.1]").field(&Values::F32(Vec::new())).unwrap();
    let Values::F32(special) = special.values() else { panic!() };
    assert!(special[0].is_nan() && special[1..] == [f32::INFINITY, f32::NEG_INFINITY, 0.1]);
}

/// Each message names the file, the line, the key and what there is instead.
#[test]
fn every_error_says_where_and_what_is_expected() {
    let cases = [
        (
            "shade = 1",
            "tests/a.test.toml:2:1: unknown key `shade` of a test: expected one of: shader, run, timeout, api, vary, expect, require, known, version, input, uniform, include,",
        ),
        (
            "[expect.x]\nexact = true\nequal = 1",
            ":4:1: unknown key `equal` in `expect.x`: expected one of: at, equals",
        ),
        (
            "[require]\nprecision = true",
            "unknown key `precision` in `require`: expected one of: precise, compute",
        ),
        (
            "[known.llvmpipe]\nwhy = 1",
            "unknown key `why` in `known.llvmpipe`: expected one of: reason",
        ),
        ("[known.llvmpipe]", "`known.llvmpipe.reason` is missing: why"),
        ("version = 2", ":2:11: `version`: expected 1, the version of this format, got 2"),
        (
            "dialect = \"twigl\"",
            ":2:11: `dialect`: expected one of: auto, plain, shadertoy, ghostty, sandbox, legacy, isf, got \"twigl\"",
        ),
        ("dialect = 1", "`dialect`: expected one of: auto"),
        ("flip = 1", ":2:8: `flip`: expected true or false, got 1"),
        ("rate = 0", ":2:8: `rate`: expected a number above 0, got 0"),
        ("rate = \"60\"", "above 0, got \"60\""),
        ("timeout = 0", "`timeout`: expected seconds, a number above 0, got 0"),
        ("timeout = -1.5", "got -1.5"),
        ("timeout = nan", "above 0, got nan"),
        ("iterate = 0", "`iterate`: expected an integer from 1 on, got 0"),
        ("seed = -1", "`seed`: expected an integer from 0 on, got -1"),
        (
            "size = [64]",
            "`size`: expected the width and the height, integers from 1 on, as in [640, 360], got [64]",
        ),
        ("size = [64, 0]", "got [64, 0]"),
        ("api = \"vulkan\"", "`api`: expected gl or gles, each at most once, got \"vulkan\""),
        ("api = [\"gl\", \"gl\"]", "each at most once"),
        ("api = []", "expected a list of texts, got []"),
        ("vary = [\"time\"]", "`vary`: expected reads or size"),
        (
            "vary = [\"reads\", \"size\"]\nfeedback.y = \"x\"",
            ":2:1: `vary` = \"size\" cannot be with `feedback`: what feeds back has the size of its input",
        ),
        ("define.N = true", "`define.N`: expected a number, or a text of GLSL, got true"),
        ("input = 1", "`input`: expected a table, as in `input.NAME = ...`, got 1"),
        ("input.x = 1", "`input.x`: expected a text in quotes, got 1"),
        ("input.x = \"random:3\"", ":2:7: expected WIDTHxHEIGHT[xCHANNELS]"),
        (
            "uniform.x = []",
            "`uniform.x`: expected a number, true or false, or a list of numbers, got []",
        ),
        ("feedback = { a = 1 }", "`feedback.a`: expected the name of an input, got 1"),
        (
            "[require]\nprecise = false",
            "`require.precise`: expected true, or no such line, got false",
        ),
        ("[require]\nmax_texture_size = 0", "expected an integer from 1 on"),
        ("[expect.x]\nulp = 3", ":2:9: `expect.x` is missing: what is expected: equals, values"),
        (
            "[expect.x]\nall = 1\nulp = 3\nexact = true",
            "`expect.x.ulp` stands beside `expect.x.exact`",
        ),
        (
            "[expect.x]\nall = 1\nulp = 3\nrelative = 0.1",
            "`expect.x.relative` stands beside `expect.x.ulp`",
        ),
        ("[expect.x]\nall = 1\nfinite = true", "`expect.x.finite` stands beside `expect.x.all`"),
        (
            "[expect.x]\nfinite = true\nulp = 3",
            ":4:1: `expect.x.ulp` sets a tolerance, and `finite` needs none",
        ),
        ("[expect.x]\ninside = [0, 1]\nnan = \"equal\"", "and `inside` needs none: leave it out"),
        (
            "[expect.x]\nfinite = true\ndevice.a.ulp = 3",
            "`expect.x.device.a.ulp` sets a tolerance, and `finite`",
        ),
        ("[expect.x]\nfinite = false", "`expect.x.finite`: expected true"),
        ("[expect.x]\ninside = [1, 0]", "the least and the greatest number"),
        ("[expect.x]\nvalues = [[1, 2], [3]]", "a list of rows of equal length"),
        ("[expect.x]\nvalues = [[1, 2], 3]", "a list of rows of equal length"),
        ("[expect.x]\nall = [1, 2, 3, 4, 5]", "1 to 4 channels, got [1, 2, 3, 4, 5]"),
        ("[expect.x]\nall = 1\nulp = -1", "`expect.x.ulp`: expected an integer from 0 on, got -1"),
        ("[expect.x]\nall = 1\nabsolute = inf", "expected a finite number from 0 on, got inf"),
        ("[expect.x]\nall = 1\noutliers = 0.5", "expected an integer from 0 on, got 0.5"),
        ("[expect.x]\nall = 1\nnan = \"maybe\"", "expected \"equal\" or \"forbid\", got \"maybe\""),
        ("[expect.x]\nall = 1\nat = [0, 0, 0, 1]", "x, y, width and height"),
        (
            "[expect.x]\nall = 1\ndevice.a.at = [0, 0, 1, 1]",
            "unknown key `at` in `expect.x.device.a`",
        ),
        ("expect.error = \"a\"\nexpect.x.all = 1", "`expect.x` stands beside `expect.error`"),
        ("expect.x = 1", "`expect.x`: expected a table, as in `[expect.x]`, got 1"),
        ("run = \"b.run.toml\"", ":2:1: `run` stands beside `shader`: expected one of the two"),
        ("shader = \"b.frag\"", "tests/a.test.toml:2:1: not valid TOML: duplicate key"),
        ("[expect.x", "not valid TOML"),
    ];
    for (text, expected) in cases {
        let said = says(text);
        assert!(
            said.starts_with("tests/a.test.toml:") && said.contains(expected),
            "{text}\n{said}"
        );
    }
    let said = parse("").unwrap_err().to_string();
    assert!(said.contains("`shader` is missing: the file of the shader"), "{said}");
    for (text, expected) in [
        ("run = \"a.frag\"", ":1:7: `run`: expected a *.run.toml; a shader is given by `shader`"),
        (
            "shader = \"a.run.toml\"",
            ":1:10: `shader`: expected a shader; a *.run.toml is given by `run`",
        ),
        ("run = \"a.run.toml\"\nvary = \"size\"", "`vary` = \"size\" cannot be with `run`"),
        ("run = \"a.run.toml\"\n[expect.p]\nall = 1", "`expect.p.all`: expected a table"),
    ] {
        let said = parse(text).unwrap_err().to_string();
        assert!(said.contains(expected), "{text}\n{said}");
    }
    let said = TestFile::read("no/such.test.toml").unwrap_err();
    assert_eq!(said.kind(), quadrille::Kind::Io);
    assert!(said.to_string().starts_with("no/such.test.toml: cannot read it"), "{said}");
}

#[test]
fn files_that_are_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let test = |text: &str| TestFile::parse(file("a.test.toml"), text).unwrap();
    let text = "shader = \"a.frag\"\ninput.x = \"x.npy\"\n[expect.y]\nequals = \"y.npy\"\nulp = 1";
    let said = |text, written| test(text).must_be_whole(written).map_err(|e| e.to_string());
    let missing = |key, name: &str| format!("`{key}`: there is no file {}", file(name).display());
    assert!(said(text, false).unwrap_err().ends_with(&missing("shader", "a.frag")));
    std::fs::write(file("a.frag"), "").unwrap();
    assert!(said(text, false).unwrap_err().ends_with(&missing("input.x", "x.npy")));
    std::fs::write(file("x.npy"), "").unwrap();
    assert_eq!(said(text, false), Ok(()));
    let needed = test(text).must_have(&file("y.npy")).unwrap_err().to_string();
    assert!(needed.ends_with(&missing("expect.y.equals", "y.npy")), "{needed}");
    assert!(test(text).must_have(&file("x.npy")).is_ok());
    let nothing = "shader = \"a.frag\"";
    assert!(said(nothing, false).unwrap_err().contains("the test expects nothing"));
    assert_eq!(said(nothing, true), Ok(()));
}
