use super::*;

#[track_caller]
fn is(text: &str, wanted: &str) {
    let pieces = preprocess(text, &[("GIVEN", 3)], &["left"]).unwrap();
    let words: Vec<&str> = pieces.iter().map(|piece| &*piece.text).collect();
    assert_eq!(words.join(" "), wanted, "{text}");
}

#[test]
fn macros_are_replaced_as_the_language_says() {
    for (text, wanted) in [
        ("a b/* c */+=1.5e-3 // d", "a b += 1.5e-3"),
        ("#define T vec3\nT c;", "vec3 c ;"),
        ("#define D(t, n) t n = t(0)\nD(float, x);", "float x = float ( 0 ) ;"),
        ("#define D(t, n) t n\nD(float, f(a, b));", "float f ( a , b ) ;"),
        ("#define D(n) a \\\n b n\nD(x) D", "a b x D"),
        ("#define CAT(a, b) a##b\nCAT(x, GIVEN) CAT(GIVEN, 1)", "xGIVEN GIVEN1"),
        ("#define a b\n#define b a\na b", "a b"),
        ("#define f(x) f(x + 1)\nf(f(2))", "f ( f ( 2 + 1 ) + 1 )"),
        ("#define F G\n#define G(x) [x]\nF(1)", "[ 1 ]"),
        ("#define N() 7\nN() N", "7 N"),
        ("#define x 1\n#undef x\nx", "x"),
        ("#define left right\nleft", "left"),
        ("#define M(a) a\nM(1, 2) M((1, 2)) M(\n3)", "M ( 1 , 2 ) ( 1 , 2 ) 3"),
        ("GIVEN a\\\nb", "3 a b"),
    ] {
        is(text, wanted);
    }
}

#[test]
fn branches_are_kept_as_their_conditions_say() {
    for (text, wanted) in [
        ("#if GIVEN == 3 && !defined(X)\na\n#else\nb\n#endif", "a"),
        ("#if GIVEN - 1 > 4 / 2\na\n#elif defined GIVEN\nb\n#else\nc\n#endif", "b"),
        ("#ifdef X\n#if 1\na\n#endif\n#elif (1 + 2) * 3 == 0x9\nb\n#else\nc\n#endif", "b"),
        ("#ifndef X\n#define X\na\n#endif\n#ifndef X\nb\n#endif", "a"),
        ("#if 010 == 8\na\n#else\nb\n#endif", "a"),
        ("#if X\na\n#else\nb\n#endif", "b"),
        ("#if 1 / 0\na\n#else\nb\n#endif", "b"),
        ("#if 0\n#define GIVEN 4\n#endif\nGIVEN", "3"),
        ("#if 1 \\\n && 0\na\n#endif\nb", "b"),
    ] {
        is(text, wanted);
    }
}

#[test]
fn tokens_know_their_part_of_the_text() {
    let text = "#define F(x) x G\n#define G(y) (y)\na  F(1,\n) F(2)(3) b";
    let pieces = preprocess(text, &[], &[]).unwrap();
    let span = |text: &str| pieces.iter().find(|piece| &*piece.text == text).unwrap().from;
    assert_eq!(span("a"), Span { start: (3, 0), end: (3, 1), is_macro: false });
    assert_eq!(span("2"), Span { start: (4, 2), end: (4, 9), is_macro: true });
    assert_eq!((span("3"), span("b").start), (span("2"), (4, 10)));
}

#[test]
fn a_text_that_grows_beyond_measure_is_given_up() {
    let mut text = "#define A0 x x\n".to_owned();
    (1..40).for_each(|n| text += &format!("#define A{n} A{0} A{0}\n", n - 1));
    assert_eq!(preprocess(&format!("{text}A39"), &[], &[]), None);
    let deep = format!("#define f(x) x\n{}1{}", "f(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(preprocess(&deep, &[], &[]), None);
}
