//! The declarations that are read from a shader's text.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use quadrille::internal::shader::{Declarations, Declared, Language, expand};
use quadrille::shader::{Api, Reads, Source};

fn read(text: &str) -> Declarations {
    let language = Language { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    expand(&Source::fragment("t.frag", text), &language).unwrap().declarations().clone()
}

/// Name, type and location of each.
fn short(list: &[Declared]) -> Vec<(&str, &str, Option<u32>)> {
    list.iter().map(|item| (item.name.as_str(), item.kind.as_str(), item.location)).collect()
}

#[test]
fn the_prelude_declares_nothing() {
    assert_eq!(read("void main() {}"), Declarations::default());
}

#[test]
fn outputs_with_and_without_a_location() {
    let found = read(
        "layout(location = 1) out vec4 a;\nout highp float b;\n\
         layout(location=0x2, index = 1)\nout\nvec2 c;\nlayout(index = 0) layout(location = 3u) out vec4 d;",
    );
    assert_eq!(
        short(&found.outputs),
        [
            ("a", "vec4", Some(1)),
            ("b", "float", None),
            ("c", "vec2", Some(2)),
            ("d", "vec4", Some(3))
        ]
    );
    let lines: Vec<_> = found.outputs.iter().map(|item| item.place.to_string()).collect();
    assert_eq!(lines, ["t.frag:1", "t.frag:2", "t.frag:5", "t.frag:6"]);
}

#[test]
fn several_names_arrays_and_initial_values_in_one_declaration() {
    let found = read(
        "uniform float a, b[3], c = max(1.0, 2.0), d[N + 1] = float[](1.0, 2.0);\n\
         uniform float[2] e;\nuniform vec2 f[2] = { vec2(1), vec2(2) }, g;\nout vec4 o[4];",
    );
    let expected = [
        ("a", "float", None),
        ("b", "float[3]", None),
        ("c", "float", None),
        ("d", "float[N+1]", None),
        ("e", "float[2]", None),
        ("f", "vec2[2]", None),
        ("g", "vec2", None),
    ];
    assert_eq!(short(&found.uniforms), expected);
    assert_eq!(short(&found.outputs), [("o", "vec4[4]", None)]);
}

#[test]
fn interface_qualifiers_are_not_types() {
    let found = read(
        "flat in int a;\nsmooth centroid in vec2 b;\nnoperspective in vec2 c;\n\
         in flat mediump int d;\ninvariant PRECISE out vec4 e;\nWIDE out vec4 f;\n\
         layout(rgba32f, binding = 2) coherent restrict writeonly uniform highp image2D g;",
    );
    let inputs = [("a", "int", None), ("b", "vec2", None), ("c", "vec2", None), ("d", "int", None)];
    assert_eq!(short(&found.inputs), inputs);
    assert_eq!(short(&found.outputs), [("e", "vec4", None), ("f", "vec4", None)]);
    assert_eq!(short(&found.uniforms), [("g", "image2D", None)]);
    assert_eq!(found.uniforms[0].binding, Some(2));
}

#[test]
fn blocks_are_known_by_their_names() {
    let found = read(
        "layout(std140) uniform Sizes { int width; int height; } sizes;\n\
         layout(std430, binding = 3) readonly buffer Numbers { float in_[]; };\n\
         buffer Other { float out_[]; } other[2];\nout Shade { vec4 x; } shade;\nout vec4 last;",
    );
    assert_eq!(short(&found.uniforms), [("Sizes", "block", None)]);
    assert_eq!(short(&found.buffers), [("Numbers", "block", None), ("Other", "block", None)]);
    assert_eq!(found.buffers[0].binding, Some(3));
    assert_eq!(short(&found.outputs), [("Shade", "block", None), ("last", "vec4", None)]);
}

#[test]
fn structs_parameters_locals_and_comments_declare_nothing() {
    let found = read(
        "struct S { vec4 out_; };\nvoid f(out vec4 a, in float b);\n\
         vec4 g(inout vec4 c, out float d) { d = 1.0; { float e; } return c; }\n\
         // out vec4 h;\n/* uniform float i;\n out vec4 j; */\nconst float k = 1.0;\n\
         precision highp float;\nlayout(early_fragment_tests) in;\nvoid main() { S l; }\n\
         #define OUT out vec4 m;\n#define TWO \\\n out vec4 n;\nuniform S s;\nuniform struct T { int x; } t;",
    );
    assert_eq!(short(&found.uniforms), [("s", "S", None), ("t", "T", None)]);
    assert_eq!(found.outputs, []);
    assert_eq!(found.inputs, []);
}

#[test]
fn both_branches_of_a_condition_are_candidates_and_their_braces_count_once() {
    let found = read(
        "#ifdef GL_EXT_a\nout vec4 a;\nvoid f() {\n#else\nout vec2 b;\nvoid f(int x) {\n#endif\n}\nout vec4 c;",
    );
    let names: Vec<_> = found.outputs.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn a_location_that_is_no_number_is_left_open() {
    let found = read("layout(location = SLOT) out vec4 a;");
    assert_eq!(short(&found.outputs), [("a", "vec4", None)]);
    let found =
        read("#define N 1\nlayout(location = N + 1) out vec4 a;\nlayout(location = N) out vec4 b;");
    assert_eq!(short(&found.outputs), [("a", "vec4", None), ("b", "vec4", Some(1))]);
    assert!(found.outputs.iter().all(|output| output.located));
}

#[test]
fn what_macros_declare_is_declared_where_they_stand() {
    let found = read(
        "#define GIVEN(kind, name) uniform kind name;\n#define OUT layout(location = 2) out\n#define NUMBERS buffer\n\
         GIVEN(float, a) GIVEN(vec2, b)\nOUT vec4 c;\nlayout(std430, binding = 1) NUMBERS D { float d[]; };",
    );
    assert_eq!(short(&found.uniforms), [("a", "float", None), ("b", "vec2", None)]);
    assert_eq!(short(&found.outputs), [("c", "vec4", Some(2))]);
    assert_eq!(short(&found.buffers), [("D", "block", None)]);
    assert_eq!(
        (found.uniforms[1].place.to_string(), found.buffers[0].binding),
        ("t.frag:4".into(), Some(1))
    );
}

#[test]
fn inputs_of_branches_that_are_not_kept_are_none() {
    let found = read("#ifdef VERTEX\nin vec4 a;\nuniform float b;\n#else\nin vec2 c;\n#endif");
    assert_eq!(short(&found.inputs), [("c", "vec2", None)]);
    assert_eq!(short(&found.uniforms), [("b", "float", None)]);
}

#[test]
fn unfinished_text_is_read_as_far_as_it_goes() {
    for text in [
        "out",
        "out vec4",
        "layout(location = 0 out vec4 a;",
        "}}} out vec4 a;",
        "out ;",
        "#else\n#endif",
    ] {
        read(text);
    }
    assert_eq!(short(&read("} ;\nout vec4 a;").outputs), [("a", "vec4", None)]);
}
