//! Every embedded shader, and samples of what users write, in every language.

use crate::validator::{
    all_are_legal, all_must_be_legal, files_of, judge, languages, validate, with_both_reads,
};
use quadrille::internal::shader::{Language, embedded, expand};
use quadrille::internal::sources;
use quadrille::shader::{Api, Reads, Source, Stage};
use quadrille_run::internal::watched_texts;

#[test]
fn every_shader_that_runs_is_legal_in_every_language_in_every_variant() {
    let watched = with_both_reads(&[
        (Api::Gl, 330, false),
        (Api::Gl, 430, false),
        (Api::Gles, 300, false),
        (Api::Gles, 310, false),
    ]);
    let watched = watched.iter().flat_map(|language| watched_texts(language).unwrap());
    let texts = all_must_be_legal(&sources().unwrap(), watched);
    assert!(texts > 200, "only {texts} texts");
}

#[test]
fn the_validator_sees_one_wrong_text_among_many() {
    let language = Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };
    let text = |text: &str| expand(&Source::fragment("x.frag", text), &language).unwrap();
    let (right, wrong) = (text("void main() {}"), text("void main() { missing(); }"));
    assert!(all_are_legal(Stage::Fragment, &[right.clone(), right.clone()]));
    assert!(!all_are_legal(Stage::Fragment, &[right.clone(), wrong, right]));
}

#[test]
fn every_embedded_file_is_used() {
    let language = Language { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    let used = files_of(&sources().unwrap(), watched_texts(&language).unwrap());
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
    second += READ_WRAPPED(image, p - 7) + vec4(READ_WRAPPED(counts, p)) + READ_CLAMPED(image, p);
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
    PRECISE float x = READ_WRAPPED(image, p).x + READ(image, p).x + READ_AT(image, COORDINATE(image, vec2(p) + 0.5)).y;
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
    let language = Language { api: Api::Gles, version: 310, precise: true, reads: Reads::Fetch };
    let expanded = expand(&Source::fragment("words.frag", FRAGMENT), &language).unwrap();
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
    for language in languages(Stage::Fragment) {
        let expanded = expand(&Source::fragment("wrong.frag", text), &language).unwrap();
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
        let language = Language { api, version, precise: false, reads: Reads::Fetch };
        let expanded = expand(&Source::fragment("precise.frag", text), &language).unwrap();
        assert!(judge(&expanded).is_some(), "{language}");
    }
}
