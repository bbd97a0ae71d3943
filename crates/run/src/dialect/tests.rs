#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use quadrille::Source;
use quadrille::internal::shader::{Language, expand};
use quadrille::shader::{Api, Error, Reads, Stage};

use super::Dialect::{self, Ghostty, Isf, Legacy, Plain, Sandbox, Shadertoy};
use super::Dialects;

#[test]
fn a_text_is_recognised_by_the_words_that_only_one_dialect_has() {
    for (dialect, text) in [
        (Shadertoy, "void mainImage(out vec4 o, in vec2 p) { o = vec4(p, 0, 1); }"),
        (Shadertoy, "void mainImage( out vec4 o, vec2 p )\n{ o = texture2D(iChannel0, p); }"),
        (Shadertoy, "#define M(o, p) void mainImage(out vec4 o, vec2 p)\nM(a, b) { a = b.xyxy; }"),
        (Shadertoy, "// void main()\nvoid mainImage(out vec4 o, in vec2 p) { o = vec4(0); }"),
        (Ghostty, "void mainImage(out vec4 o, vec2 p) { o = iCurrentCursor; }"),
        (
            Shadertoy,
            "vec4 iCurrentCursor;\nvoid mainImage(out vec4 o, vec2 p) { o = iCurrentCursor; }",
        ),
        (
            Sandbox,
            "uniform vec2 resolution; void main() { gl_FragColor = vec4(resolution, 0, 1); }",
        ),
        (Sandbox, "uniform float u_time;\nvoid main() { gl_FragColor = vec4(u_time); }"),
        (Sandbox, "uniform vec2 a, u_mouse; void main() { gl_FragColor = vec4(u_mouse, a); }"),
        (
            Sandbox,
            "uniform float time; varying vec2 surfacePosition;\n\
             void main() { gl_FragColor = vec4(surfacePosition, time, 1.0); }",
        ),
        (Legacy, "varying vec2 vUv; void main() { gl_FragColor = vec4(vUv, 0.0, 1.0); }"),
        (
            Legacy,
            "uniform float time; varying vec2 vUv; void main() { gl_FragColor = vec4(vUv, time, 1.0); }",
        ),
        (Legacy, "uniform sampler2D a; out vec4 o; void main() { o = texture2D(a, vec2(0.5)); }"),
        (
            Legacy,
            "uniform sampler2DRect a; void main() { gl_FragColor = texture2DRect(a, gl_TexCoord[0].st); }",
        ),
        (Legacy, "void main() { gl_FragData[1] = vec4(1.0); }"),
        (
            Legacy,
            "#define T texture2D\nuniform sampler2D a; out vec4 o; void main() { o = T(a, vec2(0.5)); }",
        ),
        (Legacy, "// uniform vec2 resolution;\nvoid main() { gl_FragColor = vec4(1.0); }"),
        (Isf, "/*{ \"INPUTS\": [] }*/ void main() { gl_FragColor = vec4(1.0); }"),
        (Isf, "\u{feff}\n  /* {\n\"ISFVSN\": \"2\"} */\nvoid main() {}"),
        (Isf, "/*{}*/ void main() { gl_FragColor = vec4(1.0); }"),
        (Isf, "/*{ \"broken JSON */ void mainImage(out vec4 o, in vec2 p) {}"),
    ] {
        assert_eq!(Source::fragment("t.frag", text).recognised().read_as(), dialect, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_dialect_is_plain() {
    for text in [
        "",
        "out vec4 o; void main() { o = vec4(1.0); }",
        "// void mainImage(out vec4 o, in vec2 p)\nout vec4 o; void main() { o = vec4(1.0); }",
        "/* gl_FragColor, varying, texture2D */ out vec4 o; void main() { o = vec4(1.0); }",
        "void mainImage(out vec4 o, vec2 p) { o = p.xyxy; } out vec4 c; void main() { mainImage(c, vec2(1.0)); }",
        "vec4 texture2D(vec2 p) { return p.xyxy; } out vec4 o; void main() { o = texture2D(vec2(1.0)); }",
        "#define texture2D texture\nuniform sampler2D a; out vec4 o; void main() { o = texture2D(a, vec2(0.5)); }",
        "float varying_rate = 1.0; out float o; void main() { o = varying_rate; }",
        "uniform float time; uniform vec2 resolution; out vec4 o; void main() { o = vec4(time, resolution, 1.0); }",
        "uniform vec3 iResolution; out vec4 o; void main() { o = vec4(iResolution, 1.0); }",
        "#include \"gl_FragColor.glsl\"\nout vec4 o; void main() { o = vec4(1.0); }",
        "/* { a comment in braces } */ out vec4 o; void main() { o = vec4(1.0); }",
        "out vec4 o; /*{ \"INPUTS\": [] }*/ void main() { o = vec4(1.0); }",
    ] {
        assert_eq!(Source::fragment("t.frag", text).recognised().read_as(), Plain, "{text}");
    }
}

#[test]
fn the_dialect_can_be_told_and_is_that_of_fragment_shaders() {
    let text = "void mainImage(out vec4 o, in vec2 p) { o = vec4(p, 0, 1); }";
    assert_eq!(Source::fragment("t.frag", text).read_as(), Plain);
    assert_eq!(Source::fragment("t.frag", text).dialect(Plain).recognised().read_as(), Plain);
    assert_eq!(
        Source::vertex("t.vert", "varying vec2 v; void main() {}").recognised().read_as(),
        Plain
    );
    assert_eq!(Source::compute("t.comp", "varying").dialect(Legacy).read_as(), Plain);
    let own = Source::library(Stage::Fragment, "jacobi/generic.frag").unwrap();
    assert_eq!(own.recognised().read_as(), Plain);
}

#[test]
fn dialects_are_known_by_their_names() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse::<Dialect>().unwrap(), dialect);
    }
    assert_eq!([Plain, Ghostty, Isf].map(Dialect::name), ["plain", "ghostty", "isf"]);
    let error = "twigl".parse::<Dialect>().unwrap_err().to_string();
    for part in ["twigl", "plain", "shadertoy", "ghostty", "sandbox", "legacy", "isf"] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

fn expanded(text: &str, api: Api) -> Result<String, Error> {
    let version = if api == Api::Gl { 330 } else { 300 };
    let language = Language { api, version, precise: false, reads: Reads::Fetch };
    Ok(expand(&Source::fragment("t.frag", text).recognised(), &language)?.text)
}

#[track_caller]
fn holds(text: &str, api: Api, parts: &[&str], not: &[&str]) {
    let expanded = expanded(text, api).unwrap();
    for part in parts {
        assert!(expanded.contains(part), "{part} in {expanded}");
    }
    for part in not {
        assert!(!expanded.contains(part), "{part} in {expanded}");
    }
}

#[test]
fn only_what_a_text_uses_is_declared() {
    let text =
        "void mainImage(out vec4 o, in vec2 p) { o = texture(iChannel2, p / iResolution.xy); }";
    let unused = ["iTime", "iChannel0;", "texture2D", "precision mediump"];
    holds(text, Api::Gl, &["uniform vec3 iResolution;", "uniform sampler2D iChannel2;"], &unused);
    // What a text declares itself is not declared again.
    let own = "uniform vec2 iResolution;\nvoid mainImage(out vec4 o, in vec2 p) { o = vec4(p / iResolution, 0, 1); }";
    holds(own, Api::Gl, &["uniform vec2 iResolution;"], &["uniform vec3 iResolution;"]);
    let commented = "// iTime\nvoid mainImage(out vec4 o, in vec2 p) { o = vec4(0); }";
    holds(commented, Api::Gl, &[], &["uniform float iTime"]);
}

#[test]
fn old_words_are_macros_unless_they_are_the_texts_own() {
    let text = "#version 120\n#extension GL_ARB_texture_rectangle : require\n#extension GL_X : enable\n\
                uniform sampler2DRect a;\nvoid main() { gl_FragColor = texture2DRect(a, gl_TexCoord[0].st); }";
    let parts = [
        "#define sampler2DRect sampler2D",
        "#define texture2DRect quadrille_texture2DRect",
        "#define gl_FragColor quadrille_out_colour",
        "#extension GL_X : enable",
        "vec4(gl_FragCoord.xy, 0.0, 1.0)",
    ];
    holds(
        text,
        Api::Gl,
        &parts,
        &["#version 120", "GL_ARB_texture_rectangle", "#define texture2D "],
    );
    let own = "vec4 texture2DLod(float x) { return vec4(x); } void main() { gl_FragColor = texture2DLod(1.0); }";
    holds(own, Api::Gl, &[], &["#define texture2DLod"]);
    let precision = "precision mediump float;\nvoid main() { gl_FragColor = vec4(1.0); }";
    holds(precision, Api::Gles, &["#define mediump highp"], &["#define lowp"]);
    holds(precision, Api::Gl, &[], &["#define mediump"]);
}

#[test]
fn targets_of_gl_frag_data_are_outputs() {
    let text = "void main() { gl_FragData[0] = vec4(1.0); gl_FragData[2] = vec4(2.0); }";
    let parts = ["vec4 quadrille_data[3];", "quadrille_out_colour2 = quadrille_data[2];"];
    holds(text, Api::Gl, &parts, &["colour3"]);
    for index in ["i", "16", "i + 1"] {
        let text =
            format!("const int i = 1;\nvoid main() {{\n  gl_FragData[{index}] = vec4(1.0); }}");
        let error = expanded(&text, Api::Gl).unwrap_err().to_string();
        assert!(
            error.starts_with("t.frag:3: error: ") && error.contains("gl_FragData[0]"),
            "{error}"
        );
    }
}

mod isf {
    use super::*;
    use crate::dialect::isf::defaults;

    const HEADER: &str = "/*{
  \"DESCRIPTION\": \"of our own\", \"ISFVSN\": \"2\",
  \"INPUTS\": [
    { \"NAME\": \"inputImage\", \"TYPE\": \"image\" },
    { \"NAME\": \"amount\", \"TYPE\": \"float\", \"DEFAULT\": 0.25, \"MIN\": 0, \"MAX\": 1 },
    { \"NAME\": \"on\", \"TYPE\": \"bool\", \"DEFAULT\": 1 },
    { \"NAME\": \"hit\", \"TYPE\": \"event\" },
    { \"NAME\": \"mode\", \"TYPE\": \"long\", \"VALUES\": [3, 5], \"LABELS\": [\"a\", \"b\"] },
    { \"NAME\": \"centre\", \"TYPE\": \"point2D\", \"DEFAULT\": [0.5, 1] },
    { \"NAME\": \"tint\", \"TYPE\": \"color\", \"DEFAULT\": [1, 0.5, 0] },
    { \"NAME\": \"free\", \"TYPE\": \"float\" }
  ], \"PASSES\": [{}]
}*/
void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage) * amount + TIME + (on || hit ? tint * free : centre.xyxy * float(mode)); }";

    #[test]
    fn inputs_of_the_header_are_uniforms_with_defaults() {
        let parts = [
            "uniform sampler2D inputImage;",
            "uniform float amount;",
            "uniform bool on;",
            "uniform bool hit;",
            "uniform int mode;",
            "uniform vec2 centre;",
            "uniform vec4 tint;",
            "uniform float TIME;",
            "in vec2 isf_FragNormCoord;",
        ];
        holds(HEADER, Api::Gles, &parts, &["RENDERSIZE;", "uniform float on"]);
        let defaults = defaults(&Source::fragment("t.frag", HEADER).recognised()).unwrap();
        let wanted = [
            ("amount", "0.25"),
            ("on", "true"),
            ("hit", "false"),
            ("mode", "3"),
            ("centre", "0.5,1"),
            ("tint", "1,0.5,0,1"),
        ];
        let wanted: Vec<_> = wanted.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        assert_eq!(defaults, wanted);
    }

    #[test]
    fn errors_of_the_header_are_at_the_persons_line_and_column() {
        for (header, start, parts) in [
            (
                "/*{\n  \"INPUTS\": [\n    { \"NAME\": \"a\" \"TYPE\": \"float\" }\n] }*/",
                "t.frag:3:19: ",
                &["JSON"][..],
            ),
            ("/*{ \"INPUTS\": [ }*/", "t.frag:1:17: ", &["JSON"]),
            ("/*{ \"INPUTS\": {} }*/", "t.frag:1:5: ", &["`INPUTS`", "a list", "got {}"]),
            (
                "/*{\n\"INPUTS\": [{ \"NAME\": \"a\", \"TYPE\": \"flaot\" }] }*/",
                "t.frag:2:27: ",
                &["`a.TYPE`", "point2D", "\"flaot\""],
            ),
            (
                "/*{ \"INPUTS\": [{ \"TYPE\": \"float\" }] }*/",
                "t.frag:1:5: ",
                &["`NAME`", "got nothing"],
            ),
            (
                "/*{ \"INPUTS\": [{ \"NAME\": \"2d\", \"TYPE\": \"float\" }] }*/",
                "t.frag:1:26: ",
                &["`NAME`", "\"2d\""],
            ),
            (
                "/*{ \"INPUTS\": [{ \"NAME\": \"p\", \"TYPE\": \"point2D\",\n \"DEFAULT\": 1 }] }*/",
                "t.frag:2:2: ",
                &["`p.DEFAULT`", "2 numbers", "got 1"],
            ),
            (
                "/*{ \"INPUTS\": [{ \"NAME\": \"a\", \"TYPE\": \"bool\" },\n{ \"NAME\": \"a\", \"TYPE\": \"float\" }] }*/",
                "t.frag:2:11: ",
                &["`NAME`", "another name than those of earlier inputs", "\"a\""],
            ),
            (
                "/*{\n \"PASSES\": { \"TARGET\": \"b\" } }*/",
                "t.frag:2:12: ",
                &["`PASSES`", "a list"],
            ),
            ("/*{ \"PASSES\": [3] }*/", "t.frag:1:16: ", &["`PASSES[0]`", "an object", "got 3"]),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"2b\" }] }*/",
                "t.frag:1:28: ",
                &["`PASSES[0].TARGET`", "a name of GLSL", "\"2b\""],
            ),
            (
                "/*{ \"INPUTS\": [{ \"NAME\": \"b\", \"TYPE\": \"image\" }],\n\"PASSES\": [{ \"TARGET\": \"b\" }] }*/",
                "t.frag:2:24: ",
                &["`PASSES[0].TARGET`", "another name than those of inputs"],
            ),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"b\", \"WIDTH\": 8 },\n{ \"TARGET\": \"b\", \"WIDTH\": 9 }] }*/",
                "t.frag:2:27: ",
                &["`b.WIDTH`", "the size that an earlier pass of this target has", "got 9"],
            ),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"b\" }, {},\n{ \"DESCRIPTION\": \"again\" }] }*/",
                "t.frag:2:1: ",
                &["`PASSES[2]`", "a TARGET", "writes the picture"],
            ),
            (
                "/*{ \"PASSES\": [{ \"PERSISTENT\": true }] }*/",
                "t.frag:1:32: ",
                &["`PASSES[0].PERSISTENT`", "a TARGET beside it"],
            ),
            (
                "/*{ \"PASSES\": [{ \"WIDTH\": 8 }] }*/",
                "t.frag:1:27: ",
                &["`PASSES[0].WIDTH`", "a TARGET beside it"],
            ),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"b\", \"FLOAT\": \"yes\" }] }*/",
                "t.frag:1:42: ",
                &["`b.FLOAT`", "true or false", "\"yes\""],
            ),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"b\", \"WIDTH\": [8] }] }*/",
                "t.frag:1:42: ",
                &["`b.WIDTH`", "$WIDTH / 2", "got [8]"],
            ),
            (
                "/*{ \"PASSES\": [{ \"TARGET\": \"b\",\n \"WIDTH\": \"floor($WIDTH / 2\" }] }*/",
                "t.frag:2:28: ",
                &["`b.WIDTH`", "expected `)`", "got the end"],
            ),
            (
                "/*{ \"INPUTS\": [{ \"NAME\": \"n\", \"TYPE\": \"long\" }], \"PASSES\": [{ \"TARGET\": \"b\",\n \"HEIGHT\": \"2 * $m\" }] }*/",
                "t.frag:2:17: ",
                &["`b.HEIGHT`", "no number `$m`", "$WIDTH, $HEIGHT, $n"],
            ),
            (
                "/*{ \"PERSISTENT_BUFFERS\": [\"b\"] }*/",
                "t.frag:1:28: ",
                &["`PERSISTENT_BUFFERS`", "the TARGET of a pass", "got \"b\""],
            ),
            (
                "/*{ \"PERSISTENT_BUFFERS\": 7 }*/",
                "t.frag:1:27: ",
                &["`PERSISTENT_BUFFERS`", "a list", "got 7"],
            ),
        ] {
            let text = format!("{header}\nvoid main() {{ gl_FragColor = vec4(1.0); }}");
            let error = expanded(&text, Api::Gl).unwrap_err().to_string();
            assert!(error.starts_with(start), "{start} {error}");
            for part in parts {
                assert!(error.contains(part), "{part} in {error}");
            }
        }
    }

    #[test]
    fn sizes_of_one_target_may_be_spaced_in_other_ways() {
        let header = |first: &str, second: &str| {
            let target = |side: &str| format!("{{ \"TARGET\": \"b\", \"WIDTH\": {side} }}");
            let text = format!(
                "/*{{ \"PASSES\": [{}, {}, {{}}] }}*/ void main() {{ gl_FragColor = vec4(1.0); }}",
                target(first),
                target(second)
            );
            expanded(&text, Api::Gl).is_ok()
        };
        assert!(header("\"max($HEIGHT/2, 3)\"", "\"max( $HEIGHT/2,3)\""));
        assert!(header("8", "\"8.0\"") && header("\"4 + 4\"", "8"));
        assert!(
            !header("8", "9") && !header("\"$WIDTH\"", "\"$HEIGHT\"") && !header("1", "\"$WIDTH\"")
        );
    }

    #[test]
    fn passes_without_a_target_are_one() {
        for passes in ["[]", "[{}]", "[{ \"FLOAT\": true, \"PERSISTENT\": false }]"] {
            let text = format!(
                "/*{{ \"PASSES\": {passes} }}*/ void main() {{ gl_FragColor = vec4(1.0); }}"
            );
            assert!(expanded(&text, Api::Gl).is_ok(), "{passes}");
        }
    }
}
