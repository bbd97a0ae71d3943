//! Every embedded shader, and samples of what users write, in every dialect, through
//! `glslangValidator`: the one judge that knows GLSL 330 and 300 es and nothing newer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

use quadrille::shader::{Api, Diagnostics, Dialect, Expanded, Reads, Source, Stage};
use quadrille::shader::{embedded, expand};
use std::collections::{HashMap, HashSet};
use std::process::Command;

/// The dialects in which vertex and fragment shaders must be legal.
fn drawing_dialects() -> Vec<Dialect> {
    with_both_reads(&[
        (Api::Gl, 330, false),
        (Api::Gl, 400, true),
        (Api::Gl, 430, true),
        (Api::Gles, 300, false),
        (Api::Gles, 310, false),
        (Api::Gles, 320, true),
    ])
}

/// The dialects in which compute shaders must be legal.
fn compute_dialects() -> Vec<Dialect> {
    with_both_reads(&[
        (Api::Gl, 430, false),
        (Api::Gl, 430, true),
        (Api::Gles, 310, false),
        (Api::Gles, 320, true),
    ])
}

fn with_both_reads(rows: &[(Api, u32, bool)]) -> Vec<Dialect> {
    let dialect = |&(api, version, precise): &(Api, u32, bool), reads| Dialect {
        api,
        version,
        precise,
        reads,
    };
    rows.iter()
        .flat_map(|row| [Reads::Fetch, Reads::Sample].map(|reads| dialect(row, reads)))
        .collect()
}

fn dialects(stage: Stage) -> Vec<Dialect> {
    if stage == Stage::Compute { compute_dialects() } else { drawing_dialects() }
}

fn short(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vert",
        Stage::Fragment => "frag",
        Stage::Compute => "comp",
    }
}

/// What the validator says about a text, in the user's lines; `None` where it accepts it.
fn judge(expanded: &Expanded) -> Option<Diagnostics> {
    let stage = short(expanded.stage);
    let folder = tempfile::tempdir().unwrap();
    let name = format!("expanded.{stage}");
    std::fs::write(folder.path().join(&name), &expanded.text).unwrap();
    let output = Command::new("glslangValidator")
        .current_dir(folder.path())
        .args(["-S", stage, &name])
        .output()
        .expect("the tests need glslangValidator: on Debian it is in the package glslang-tools");
    if output.status.success() {
        return None;
    }
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    // The first line of its output is the name of the file.
    Some(expanded.explain(log.strip_prefix(&name).unwrap_or(&log)))
}

#[track_caller]
fn validate(source: &Source) {
    for dialect in dialects(source.stage()) {
        let expanded = expand(source, &dialect).unwrap_or_else(|error| panic!("{error}"));
        if let Some(diagnostics) = judge(&expanded) {
            panic!("{} as {dialect}, reads {}:\n{diagnostics}", source.name(), dialect.reads);
        }
    }
}

/// Whether the validator accepts all of these texts of one stage, read in one run: a process each
/// would take minutes for all that there is.
fn all_are_legal(stage: Stage, texts: &[Expanded]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let stage = short(stage);
    let names: Vec<String> = (0..texts.len()).map(|i| format!("{i}.{stage}")).collect();
    for (name, text) in names.iter().zip(texts) {
        std::fs::write(folder.path().join(name), &text.text).unwrap();
    }
    let mut command = Command::new("glslangValidator");
    let output = command.current_dir(folder.path()).args(["-S", stage]).args(&names).output();
    output.expect("the tests need glslangValidator: see README").status.success()
}

/// Variants often expand to the same text; each text is judged once.
#[test]
fn every_shader_that_runs_is_legal_in_every_dialect_in_every_variant() {
    let mut seen = HashSet::new();
    let mut texts: HashMap<Stage, Vec<Expanded>> = HashMap::new();
    for source in quadrille::sources().unwrap() {
        for dialect in lowest_dialects(&source) {
            let expanded = expand(&source, &dialect).unwrap_or_else(|error| panic!("{error}"));
            if seen.insert(expanded.text.clone()) {
                texts.entry(source.stage()).or_default().push(expanded);
            }
        }
    }
    for (stage, texts) in &texts {
        for some in texts.chunks(100).filter(|some| !all_are_legal(*stage, some)) {
            for text in some {
                if let Some(diagnostics) = judge(text) {
                    panic!("{}:\n{diagnostics}\n{}", text.name(), text.text);
                }
            }
        }
    }
    assert!(seen.len() > 200, "only {} texts", seen.len());
}

#[test]
fn the_validator_sees_one_wrong_text_among_many() {
    let dialect = Dialect { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };
    let text = |text: &str| expand(&Source::fragment("x.frag", text), &dialect).unwrap();
    let (right, wrong) = (text("void main() {}"), text("void main() { missing(); }"));
    assert!(all_are_legal(Stage::Fragment, &[right.clone(), right.clone()]));
    assert!(!all_are_legal(Stage::Fragment, &[right.clone(), wrong, right]));
}

/// The lowest of either API, where what a higher one brought would show.
fn lowest_dialects(source: &Source) -> Vec<Dialect> {
    match source.needs_storage() {
        true => with_both_reads(&[(Api::Gl, 430, false), (Api::Gles, 310, false)]),
        false => with_both_reads(&[(Api::Gl, 330, false), (Api::Gles, 300, false)]),
    }
}

#[test]
fn every_embedded_file_is_used() {
    let sources = quadrille::sources().unwrap();
    let dialect = Dialect { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    let mut used = HashSet::new();
    for source in &sources {
        let expanded = expand(source, &dialect).unwrap();
        let lines = 1..=expanded.text.lines().count();
        used.extend(lines.map(|line| expanded.place(line).file));
    }
    for (path, _) in embedded::files() {
        assert!(used.contains(&format!("glsl/{path}")), "nothing uses {path}");
    }
}

const FRAGMENT: &str = "\
uniform sampler2D image;
uniform isampler2D counts;
uniform usampler2D bytes;
in vec2 coordinate;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
PRECISE vec4 twice(vec4 x) {
    PRECISE vec4 sum = x + x;
    return sum;
}
void main() {
    ivec2 p = TEXEL + ivec2(1, 0);
    first = twice(READ(image, p)) + READ_AT(image, coordinate);
    vec2 here = COORDINATE(image, vec2(TEXEL) + 0.5);
    second = READ_AT(image, here) + vec4(READ(counts, p)) + vec4(READ(bytes, TEXEL - 1));
}
";

const VERTEX: &str = "\
uniform sampler2D image;
layout(location = 0) in vec2 corner;
out vec2 coordinate;
void main() {
    coordinate = COORDINATE(image, corner) + 0.0 * READ(image, ivec2(0)).xy;
    PRECISE float depth = 0.0;
    gl_Position = vec4(corner, depth, 1.0);
}
";

const COMPUTE: &str = "\
layout(local_size_x = 8) in;
uniform sampler2D image;
layout(std430, binding = 0) buffer Numbers { float numbers[]; };
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    PRECISE float x = READ(image, p).x + READ_AT(image, COORDINATE(image, vec2(p) + 0.5)).y;
    numbers[p.x] = x;
}
";

const IMAGE_STORE: &str = "\
layout(local_size_x = 8) in;
layout(rgba32f, binding = 0) writeonly uniform image2D target;
void main() {
    imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(1.0));
}
";

#[test]
fn the_words_of_the_prelude_are_legal_in_every_stage() {
    validate(&Source::fragment("words.frag", FRAGMENT));
    validate(&Source::vertex("words.vert", VERTEX));
    validate(&Source::compute("words.comp", COMPUTE));
    validate(&Source::compute("store.comp", IMAGE_STORE));
}

/// Only for ES: the validator knows the extension on desktop GL but not the keyword that it brings.
#[test]
fn precise_comes_from_an_extension_in_es_310() {
    let dialect = Dialect { api: Api::Gles, version: 310, precise: true, reads: Reads::Fetch };
    let expanded = expand(&Source::fragment("words.frag", FRAGMENT), &dialect).unwrap();
    assert_eq!(judge(&expanded).map(|log| log.to_string()), None);
}

#[test]
fn defines_and_hoisted_extensions_are_legal() {
    let text = "#version 450\n#extension GL_OES_standard_derivatives : disable\n\
                layout(location = 0) out vec4 o;\nvoid main() { o = vec4(SCALE); }\n";
    validate(&Source::fragment("defined.frag", text).define("SCALE", "2.5"));
}

#[test]
fn the_validator_can_fail_and_its_log_is_explained() {
    let text = "layout(location = 0) out vec4 o;\n\nvoid main() {\n    o = vec4(missing);\n}\n";
    for dialect in drawing_dialects() {
        let expanded = expand(&Source::fragment("wrong.frag", text), &dialect).unwrap();
        let diagnostics = judge(&expanded).expect("this shader is wrong");
        let shown = diagnostics.to_string();
        let start = "wrong.frag:4:14: error: 'missing' : undeclared identifier\n    4 |     o = vec4(missing);\n      |              ^";
        assert!(shown.starts_with(start), "{shown}");
    }
}

#[test]
fn precise_written_out_is_an_error_in_low_versions() {
    let text =
        "layout(location = 0) out vec4 o;\nvoid main() { precise float x = 1.0; o = vec4(x); }\n";
    for (api, version) in [(Api::Gl, 330), (Api::Gles, 300)] {
        let dialect = Dialect { api, version, precise: false, reads: Reads::Fetch };
        let expanded = expand(&Source::fragment("precise.frag", text), &dialect).unwrap();
        assert!(judge(&expanded).is_some(), "{dialect}");
    }
}
