use super::*;

/// The readings of a text: where all is known, where a driver may know more, and of candidates for
/// declarations.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Exact,
    Whole,
    Candidates,
}

fn tokens(text: &str, reading: Reading) -> Option<Vec<Token>> {
    match reading {
        Reading::Exact => preprocess(text, &[("GIVEN", 3)], &["left"]),
        Reading::Whole => preprocessed(text),
        Reading::Candidates => Some(candidates(text, Interface::Whole)),
    }
}

#[track_caller]
fn is(text: &str, reading: Reading, wanted: &str) {
    let tokens = tokens(text, reading);
    let told = tokens.map(|tokens| {
        tokens.iter().map(|token| token.text.to_string()).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(told.as_deref().unwrap_or("too many"), wanted, "{reading:?}: {text}");
}

/// What every reading finds.
const MACROS: [(&str, &str); 43] = [
    ("a b/* c */+=1.5e-3 // d", "a b += 1.5e-3"),
    ("#define T vec3\nT c;", "vec3 c ;"),
    ("#define A b\nA c A // A\n/* A */", "b c b"),
    ("#define V in // a comment\nV /* V */ b", "in b"),
    ("/* a */ #define /* b */ A /* c */ 1 // d\nA", "1"),
    ("/* a\n*/ #define A 1\nA", "1"),
    ("#define V W\n#define W in\nV a;", "in a ;"),
    ("V a;\n#define V in\nV b;\n#undef V\nV c;", "V a ; in b ; V c ;"),
    ("#define A 1\nA\n#undef A\nA\n#define A 2\nA", "1 A 2"),
    ("#define D(t, n) t n = t(0)\nD(float, x);", "float x = float ( 0 ) ;"),
    ("#define D(t, n) t n\nD(float, f(a, b));", "float f ( a , b ) ;"),
    ("#define F(x, y) g(y, x)\nF(1, (2, 3))", "g ( ( 2 , 3 ) , 1 )"),
    ("#define D(t, n) in t n;\nD(vec2, a) D(float[2], b)", "in vec2 a ; in float [ 2 ] b ;"),
    ("#define M(a) a\nM(1, 2) M((1, 2)) M(\n3)", "M ( 1 , 2 ) ( 1 , 2 ) 3"),
    ("#define N() 7\nN() N", "7 N"),
    ("#define E()\nE() a", "a"),
    ("#define F(x) <x>\nF() F", "< > F"),
    ("#define F (x)\nF(1)", "( x ) ( 1 )"),
    ("#define F(x) x\nF(\n1 +\n2)", "1 + 2"),
    ("#define F(x) x\nF(\n#define Y\na)", "F ( a )"),
    // Lines that go on in the next.
    ("#define V \\\n in vec2\nV a;", "in vec2 a ;"),
    ("#define D(n) a \\\n b n\nD(x) D", "a b x D"),
    ("#define F(x) \\\n  x \\\n  + 1\nF(2)", "2 + 1"),
    ("#def\\\nine A 1\nA", "1"),
    ("\\\n#define A 1\nA", "1"),
    ("a\\\nb c \\\nd", "ab c d"),
    ("#define A 1 /\\\n/ 2\nA", "1"),
    // What is pasted.
    ("#define D(n) in vec2 tex##n;\nD(0)\nD(\n1)", "in vec2 tex0 ; in vec2 tex1 ;"),
    ("#define C(a, b) a##b\nC(tex, ture)(x)", "texture ( x )"),
    ("#define A 1\n#define C(n) x##n + n\nC(A)", "xA + 1"),
    ("#define L tex##ture\nL", "texture"),
    ("#define C(a, b) x a##b y\nC(,1) C(1,) C(,)", "x 1 y x 1 y x y"),
    ("#define C(a, b, c) a##b##c\nC(1,2,3) C(1,,3) C(,2,) C(a,.,b)", "123 13 2 a . b"),
    // What comes out of itself.
    ("#define a b\n#define b a\na b", "a b"),
    ("#define T A + T\nT", "A + T"),
    ("#define f(x) f(x + 1)\nf(f(2))", "f ( f ( 2 + 1 ) + 1 )"),
    ("#define F(x) g(x)\nF(F(1)) F", "g ( g ( 1 ) ) F"),
    ("#define f(x) x\nf(f)(1)", "f ( 1 )"),
    ("#define F G\n#define G(x) [x]\nF(1)", "[ 1 ]"),
    ("#define F(x) x\n#define G F\nG(1)", "1"),
    ("#define F(x) x\n#define G F\nG(in) F (a, (b)) F", "in F ( a , ( b ) ) F"),
    ("#if 0\n#define A 1\n#endif\n;A", "; A"),
    ("#ifndef L\n#define L 0.0\n#endif\n;L", "; 0.0"),
];

#[test]
fn macros_are_replaced_as_the_language_says() {
    for reading in [Reading::Exact, Reading::Whole] {
        MACROS.iter().for_each(|(text, wanted)| is(text, reading, wanted));
        is("#define x 1\n#undef x\nx", reading, "x");
    }
    for (text, wanted) in MACROS {
        let wanted = match wanted.strip_prefix("; ") {
            Some(behind) => format!("#if #endif ; {behind}"),
            None => wanted.to_owned(),
        };
        is(text, Reading::Candidates, &wanted);
    }
    is("#define CAT(a, b) a##b\nCAT(x, GIVEN) CAT(GIVEN, 1)", Reading::Exact, "xGIVEN GIVEN1");
    is("GIVEN a\\\nb", Reading::Exact, "3 ab");
    is("#define left right\nleft\n#ifdef left\na\n#endif", Reading::Exact, "left");
}

#[test]
fn branches_are_kept_as_their_conditions_say() {
    for (text, wanted) in [
        ("#if 0\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
        ("#ifdef X\n#if 1\na\n#endif\n#elif (1 + 2) * 3 == 0x9\nb\n#else\nc\n#endif", "b"),
        ("#ifndef X\n#define X\na\n#endif\n#ifndef X\nb\n#endif", "a"),
        ("#define Q 2\n#if Q > 1 && !defined(R)\na\n#else\nb\n#endif", "a"),
        ("#define Q\n#ifdef Q\na\n#else\nb\n#endif\n#ifndef Q\nc\n#endif", "a"),
        ("#if X\na\n#else\nb\n#endif", "b"),
        ("#if 010 == 8\na\n#else\nb\n#endif", "a"),
        ("#if 0x10 + 010 == 24u\na\n#endif", "a"),
        ("#if 1 \\\n && 0\na\n#endif\nb", "b"),
        ("#\\\nif 0\na\n#el\\\nse\nb\n#endif", "b"),
        ("#if /* 0\n*/ 1 // 0\na\n#else // 1\nb\n#endif /* c */", "a"),
        ("#if 1\na\n#elif 1\nb\n#elif 1 / 0\nc\n#else\nd\n#endif", "a"),
        (
            "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#if 0\n#elif 0\n#else\nd\n#endif\n#endif",
            "c d",
        ),
        ("#define F(x) x > 1\n#if F(2)\na\n#endif\n#if F(1)\nb\n#endif", "a"),
        ("#define F(a, b) a##b\n#if F(1, 2) == 12\na\n#endif", "a"),
        ("#define A A\n#if A == 0\na\n#endif", "a"),
        ("#else\n#elif 1\n#endif\na", "a"),
        ("#if 0\n#if 0\n#endif\na\n#endif\nb", "b"),
    ] {
        is(text, Reading::Exact, wanted);
        is(text, Reading::Whole, wanted);
    }
    for (text, wanted) in [
        ("#if GIVEN == 3 && !defined(X)\na\n#else\nb\n#endif", "a"),
        ("#if GIVEN - 1 > 4 / 2\na\n#elif defined GIVEN\nb\n#else\nc\n#endif", "b"),
        ("#if 0\n#define GIVEN 4\n#endif\nGIVEN", "3"),
        // What is no condition does not hold.
        ("#if 1 / 0\na\n#else\nb\n#endif", "b"),
        ("#if 9223372036854775807 + 1\na\n#else\nb\n#endif", "b"),
        ("#ifdef\na\n#else\nb\n#endif", "b"),
        ("#ifdef GL_EXT_x\na\n#else\nb\n#endif", "b"),
    ] {
        is(text, Reading::Exact, wanted);
    }
    for (text, wanted) in [
        ("#version 330 core\n#if __VERSION__ >= 300\na\n#else\nb\n#endif", "a"),
        ("#version 300 es\n#ifdef GL_ES\na\n#else\nb\n#endif", "a"),
        ("#version 330 core\n#ifdef GL_ES\na\n#else\nb\n#endif", "b"),
    ] {
        is(text, Reading::Whole, wanted);
    }
}

#[test]
fn what_the_driver_decides_counts_on_both_sides() {
    for (text, wanted) in [
        ("#ifdef GL_EXT_x\na\n#else\nb\n#endif", "a b"),
        ("#ifdef GL_EXT_x\n#define A 1\n#else\n#define A 2\n#endif\nA", "A ; 1 ; 2"),
        ("#ifdef GL_EXT_x\n#define A 1\n#else\n#define A 1\n#endif\nA", "A ; 1"),
        ("#ifdef GL_EXT_x\n#define F(x) g(x)\n#endif\nF(1)", "F ( 1 ) ; g ( 1 )"),
        ("#define F(x) g(x)\n#ifdef GL_EXT_x\n#define F h\n#endif\nF(1)", "g ( 1 ) ; h ( 1 )"),
        ("#define A 1\n#ifdef GL_EXT_x\n#undef A\n#endif\nA", "A ; 1"),
        ("#if GL_EXT_x || 1\na\n#else\nb\n#endif", "a"),
        ("#ifdef GL_EXT_x\na\n#elif 1\nb\n#else\nc\n#endif", "a b"),
        ("#if 1 / 0\na\n#else\nb\n#endif", "a b"),
        ("#if 9223372036854775807 + 1\na\n#else\nb\n#endif", "a b"),
        (
            "#ifdef GL_x\n#define N 1\n#else\n#define N 2\n#endif\n#if N == 0\na\n#else\nb\n#endif",
            "a b",
        ),
    ] {
        is(text, Reading::Whole, wanted);
    }
}

#[test]
fn a_name_with_several_meanings_declares_by_the_last_or_stays() {
    let branches = "#if __VERSION__ >= 130\n#define V in\n#else\n#define V varying\n#endif\nV a";
    let of_es = "#if defined(GL_ES) && (__VERSION__ < 310)\n#define V in\n#else\n#define V out\n#endif\nV a";
    for (text, wanted) in [
        (format!("#version 330 core\n{branches}"), "in a"),
        (format!("#version 300 es\n{branches}"), "in a"),
        (branches.to_owned(), "varying a"),
        (format!("#version 300 es\n{of_es}"), "in a"),
        (format!("#version 330 core\n{of_es}"), "out a"),
        (format!("#version 330 core\n#define GL_ES 1\n{of_es}"), "out a"),
    ] {
        is(&text, Reading::Candidates, &format!("#if #else #endif {wanted}"));
    }
    let types = "#define N float\n#ifdef GL_X\n#define N vec4\n#endif\nout N a";
    is(types, Reading::Candidates, "#if #endif out N a");
    let one = "#ifdef GL_X\n#define V in\n#endif\nV a";
    is(one, Reading::Candidates, "#if #endif in a");
    let other = "#if 1\nout vec4 a;\n#define b a\n#else\nout uvec4 b;\n#endif\nb";
    is(other, Reading::Candidates, "#if out vec4 a ; #else out uvec4 b ; #endif a");
    let call = "#define F(x) x\nF(\n#ifdef GL_X\na\n#endif\n)";
    is(call, Reading::Candidates, "F ( #if a #endif )");
    is(call, Reading::Whole, "a");
}

#[test]
fn tokens_of_branches_that_are_not_kept_are_known() {
    let text = "#ifdef HOST\na\n#elif defined GL_x\nb\n#else\nc\n#endif\nd";
    let tokens = candidates(text, Interface::Whole);
    let kept = |text: &str| tokens.iter().find(|token| token.is(text)).unwrap().kept;
    let told = ["a", "b", "c", "d"].map(kept);
    assert_eq!(told, [Verdict::No, Verdict::Maybe, Verdict::Maybe, Verdict::Yes]);
}

#[test]
fn tokens_know_their_part_of_the_text() {
    let text = "#define F(x) x G\n#define G(y) (y)\na  F(1,\n) F(2)(3) b\\\nc d";
    let tokens = preprocess(text, &[], &[]).unwrap();
    let span = |text: &str| tokens.iter().find(|token| token.is(text)).unwrap().from;
    assert_eq!(span("a"), Span { start: (3, 0), end: (3, 1), is_macro: false });
    assert_eq!(span("2"), Span { start: (4, 2), end: (4, 9), is_macro: true });
    assert_eq!((span("3"), span("bc").start), (span("2"), (4, 10)));
    assert_eq!((span("bc").end, span("d").start), ((5, 1), (5, 2)));
}

#[test]
fn the_work_for_a_text_is_bounded() {
    let doubling = |n: usize| format!("#define A{n} A{0} A{0}\n", n + 1);
    let doubling: String = (0..60).map(doubling).collect();
    let calls =
        |count: usize| format!("#define F(x) x\n{}1{}", "F(".repeat(count), ")".repeat(count));
    let chained: String = (0..5000).map(|n| format!("#define B{n} B{}\n", n + 1)).collect();
    let many: String = "x ".repeat(20_000);
    for text in [
        format!("{doubling}A0"),
        format!("{doubling}#if A0\n#endif\nA0"),
        calls(5000),
        calls(100_000),
        format!("#define F(x) x\n{}", "F(".repeat(100_000)),
        format!("{chained}B0"),
        format!("#define F(x) {many}\n#define G(x) F(F(x))\nG({many})"),
    ] {
        assert!(preprocess(&text, &[], &[]).is_none());
        assert!(preprocessed(&text).is_none());
        assert!(candidates(&text, Interface::Whole).len() <= 2 << 20);
    }
    let meanings: String = (0..20_000).map(|n| format!("#define A {n}\n")).collect();
    let uses = "A ".repeat(20_000);
    let text = format!("#ifdef GL_x\n{meanings}#endif\n{uses}");
    assert!(preprocessed(&text).is_none());
    let text = format!("#define F(x) {}\n{}", "x ".repeat(20_000), "F() ".repeat(20_000));
    assert!(preprocessed(&text).is_none());
    let text = format!("#if 1 /*{}*/\na\n#endif", "\n".repeat(1 << 20));
    is(&text, Reading::Exact, "a");
    assert_eq!(preprocessed(&calls(100)).map(|tokens| tokens.len()), Some(1));
    for deep in ["(", "!", "-", "defined("] {
        is(&format!("#if {}\na\n#endif", deep.repeat(100_000)), Reading::Exact, "");
    }
}

/// Returns which of the lines `a` and `b` stay of a part of a text, which may be given a name.
fn kept_of(text: &str) -> String {
    let given = "GIVEN".to_owned();
    let kept = kept(text, [&given].into_iter());
    assert_eq!(kept.lines().count(), text.lines().count(), "{text}");
    kept.lines()
        .filter(|line| !line.trim_end_matches('\\').is_empty() && !line.starts_with('#'))
        .collect()
}

#[test]
fn lines_that_no_preprocessor_keeps_are_left_out() {
    for (text, wanted) in [
        ("#if 0\na\n#else\nb\n#endif\nc", "bc"),
        ("#ifdef HOST\na\n#else\nb\n#endif", "b"),
        ("#ifndef HOST\na\n#else\nb\n#endif", "a"),
        ("#if defined(HOST) && X > 1\na\n#endif", ""),
        ("#if defined HOST || 0\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
        ("#if !defined(HOST)\na\n#else\nb\n#endif", "a"),
        ("#ifdef HOST\n#define X\n#endif\n#ifdef X\na\n#endif", ""),
        ("#define X 1 + \\\n1\n#ifdef HOST\na\n#endif\nb", "1b"),
        ("#define LEVEL 2\n#if (LEVEL > 1)\na\n#elif LEVEL == 1\nb\n#endif", "a"),
        ("#define LEVEL(n) n > 1\n#if LEVEL(2)\na\n#else\nb\n#endif", "a"),
        ("#ifdef HOST // GIVEN\n#ifdef GIVEN\na\n#endif\nb\n#endif\nc", "c"),
        ("#define X\n#ifdef X\na\n#else\nb\n#endif", "a"),
        ("#define X\n#undef X\n#ifdef X\na\n#else\nb\n#endif", "b"),
        ("#if \\\n0\na\n#endif\nb", "b"),
    ] {
        assert_eq!(kept_of(text), wanted, "{text}");
    }
}

#[test]
fn lines_that_may_be_kept_are_kept() {
    for text in [
        "#ifdef GIVEN\na\n#else\nb\n#endif",
        "#ifdef GL_ES\na\n#else\nb\n#endif",
        "#version 120\n#if __VERSION__ < 130\na\n#else\nb\n#endif",
        "#if __VERSION__ < 130\na\n#elif X\nb\n#endif",
        "#ifdef GIVEN\n#define N 1\n#endif\n#if N == 1\na\n#else\nb\n#endif",
        "#define N 1\n#undef N\n#if N == 1\na\n#else\nb\n#endif",
        "#if (1) || (N)\na\n#endif\nb",
        "#if (N || 0) && 1\na\n#else\nb\n#endif",
        "#ifdef READ\na\n#else\nb\n#endif",
        "#ifdef texture2D\na\n#else\nb\n#endif",
        "#if defined(HOST) || X\na\n#else\nb\n#endif",
        "#define \\\nX\n#ifdef X\na\n#endif",
        "#define X\\\nY\n#ifdef XY\na\n#endif",
        "#def\\\nine X\n#ifdef X\na\n#endif",
        "#define X 1 + \\\n1\n#ifdef X\na\n#endif",
    ] {
        let wanted: String = text.lines().filter(|line| ["a", "b"].contains(line)).collect();
        let kept: String = kept_of(text).chars().filter(|c| ['a', 'b'].contains(c)).collect();
        assert_eq!(kept, wanted, "{text}");
    }
}
