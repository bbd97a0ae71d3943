use super::*;

fn asked(text: &str) -> Vec<String> {
    let mut names: Vec<String> = LevelReads::of(text).names.into_iter().collect();
    names.sort();
    names
}

#[test]
fn functions_of_levels_name_their_samplers() {
    for call in [
        "textureLod(t, uv, 8.0)",
        "textureLod(t, uv, level)",
        "texture(t, uv, 1.5)",
        "texture(t, uv, -1.0)",
        "textureProj(t, vec3(uv, 1.0), 2.0)",
        "textureOffset(t, uv, ivec2(1, 2), 2.0)",
        "textureProjOffset(t, vec3(uv, 1.0), ivec2(1, 2), bias)",
        "textureGrad(t, uv, dFdx(uv), dFdy(uv))",
        "textureGradOffset(t, uv, a, b, ivec2(1))",
        "textureProjLod(t, vec3(uv, 1.0), 2.0)",
        "textureProjLodOffset(t, vec3(uv, 1.0), 2.0, ivec2(1))",
        "textureProjGrad(t, p, a, b)",
        "textureLodOffset(t, uv, 3.0, ivec2(1))",
        "texelFetch(t, ivec2(0), 1)",
        "texelFetch(t, ivec2(0), int(time))",
        "texelFetchOffset(t, ivec2(0), 1 + 1, ivec2(1))",
        "textureSize(t, 2)",
        "textureQueryLevels(t)",
        "textureQueryLod(t, uv)",
        "texture /* of */ (\n t, // t\n uv, (f(1.0, 2.0)))",
    ] {
        assert_eq!(asked(&format!("void main() {{ o = {call}; }}")), ["t"], "{call}");
    }
}

#[test]
fn level_0_is_no_level() {
    for call in [
        "texture(t, uv)",
        "texture(t, f(uv, 1.0))",
        "textureLod(t, uv, 0.0)",
        "textureLod(t, uv, 0.)",
        "textureLod(t, uv, -0.0f)",
        "textureLod(t, uv, float(0))",
        "textureLod(t, uv, .0)",
        "texture(t, uv, 0.0)",
        "texelFetch(t, ivec2(1, 2), 0)",
        "texelFetch(t, ivec2(1, 2), (0u))",
        "textureSize(t, 0)",
        "textureOffset(t, uv, ivec2(1, 2))",
        "textureGather(t, uv, 1)",
        "textureLods(t, uv, 3.0)",
        "my_textureLod(t, uv, 3.0)",
        "textureLod(uv, 3.0)",
        "/* textureLod(t, uv, 3.0) */ 1.0; // texture(t, uv, 2.0)",
        "texelFetch(t, p, LEVEL)",
    ] {
        let text = format!("const int LEVEL = 0; void main() {{ o = {call}; }}");
        assert!(asked(&text).iter().all(|name| name != "t"), "{call}: {:?}", asked(&text));
    }
}

#[test]
fn macros_and_functions_lead_to_the_samplers() {
    for (text, wanted) in [
        ("#define T(u, l) textureLod(t, u, l)\nvoid main() { T(uv, 2.0); }", "t"),
        ("#define T(u, l) textureLod(t, u, l)\nvoid main() { T(uv, 0.0); }", ""),
        ("#define T(s, l) textureLod(s, uv, l)\nvoid main() { T(a, 0.0); T(b, 1.0); }", "b"),
        ("#define F textureLod\nvoid main() { F(t, uv, 1.0); }", "t"),
        ("#define J(a) texture##a\nvoid main() { J(Lod)(t, uv, 1.0); }", "t"),
        ("#if 0\nvoid main() { textureLod(t, uv, 1.0); }\n#endif", ""),
        ("#ifdef GL_x\nvoid main() { textureLod(t, uv, 1.0); }\n#endif", "t"),
        (
            "vec4 f(sampler2D s, float l) { return textureLod(s, uv, l); } void main() { f(a, 0.0); f(b, 1.0); }",
            "b",
        ),
        (
            "vec4 f(sampler2D s, float l) { l += 1.0; return textureLod(s, uv, l); } void main() { f(a, 0.0); }",
            "a",
        ),
        (
            "vec4 f(sampler2D s, float l) { ++l; return textureLod(s, uv, l); } void main() { f(a, 0.0); }",
            "a",
        ),
        (
            "void g(inout float x) { x = 3.0; } vec4 f(sampler2D s, float l) { g(l); return textureLod(s, uv, l); } \
          void main() { f(a, 0.0); }",
            "a",
        ),
        (
            "vec4 f(sampler2D s, float l) { return l == 0.0 ? x : textureLod(s, uv, l); } void main() { f(a, 0.0); }",
            "",
        ),
        (
            "vec4 f(float l, sampler2D s) { return g(s, l); } vec4 g(sampler2D s, float l) { return textureLod(s, uv, l); } \
          void main() { f(2.0, a); f(0.0, b); }",
            "a",
        ),
        ("vec4 f(sampler2D s) { return texture(s, uv); } void main() { f(a); }", ""),
        ("vec4 f(sampler2D s) { return textureLod(s, uv, 3.0); } void main() { f(a); g(b); }", "a"),
        (
            "vec4 f(sampler2D s, vec2 p) { return texture(s, p); } vec4 f(sampler2D s, vec2 p, float b) { return texture(s, p, b); } \
          void main() { f(a, uv); f(b, uv, 1.0); }",
            "b",
        ),
        (
            "vec4 textureLod(sampler2D s, vec2 p, float l) { return texture(s, p); } void main() { textureLod(a, uv, 3.0); }",
            "",
        ),
        (
            "vec4 textureLod(vec2 p, float l, int n) { return vec4(l); } void main() { textureLod(a, uv, 3.0); }",
            "a",
        ),
        ("const float L = 0.0; void main() { float L = 3.0; textureLod(a, uv, L); }", "a"),
        ("vec4 x = textureLod(a, uv, 3.0);", "a"),
        ("void main() { textureLod(m.a, uv, 3.0); }", "m"),
        ("void main() { for (int i = 0; i < 3; i++) { texelFetch(a, p, i); } }", "a"),
    ] {
        assert_eq!(asked(text).join(" "), wanted, "{text}");
    }
}

proptest::proptest! {
    /// Whatever the words, the search ends.
    #[test]
    fn any_words_are_searched(words in proptest::collection::vec(0..WORDS.len(), 0..60)) {
        let text: String = words.into_iter().map(|word| WORDS[word]).collect();
        let _found = LevelReads::of(&text);
    }
}

const WORDS: [&str; 24] = [
    "#define F(a, b) a##b\n",
    "#define T textureLod\n",
    "#define F\\\n",
    "#undef F\n",
    "#if F(1, 2) > T\n",
    "#ifdef GL_x\n",
    "#else\n",
    "#endif\n",
    "(",
    ")",
    "{",
    "}",
    ",",
    ";",
    " F",
    " T",
    " textureLod",
    " sampler2D s",
    " const float L = 0.0",
    " f",
    "##",
    "=",
    "++",
    ".",
];

#[test]
fn a_text_that_is_too_involved_may_ask_for_any() {
    let doubling: String = (0..40).map(|i| format!("#define A{i} A{0} A{0}\n", i + 1)).collect();
    assert!(LevelReads::of(&format!("{doubling}A0")).contains("any"));
    assert!(LevelReads::of("void main() { textureLod(a[2], uv, 3.0); }").contains("a[0]"));
}
