//! A mistake in a pasted text is told once, in the person's own words, at its own line and column.

use super::pasted;
use crate::common::each;
use quadrille::shader::Source;
use quadrille::stream::Error;
use quadrille::{Context, Kind};
use quadrille_run::Dialects;

/// The messages about a text; the drivers that give columns give the right ones.
#[track_caller]
fn told(context: &Context, text: &str, at: (usize, usize), parts: &[&str]) {
    let error = match context.kernel(pasted(text)) {
        Ok(_) => panic!("compiles: {text}"),
        Err(error) => error,
    };
    let shown = error.to_string();
    assert_eq!(error.kind(), Kind::Compile, "{shown}");
    let place = error.place().unwrap_or_else(|| panic!("no place: {shown}"));
    assert_eq!((place.file.as_str(), place.line), ("pasted.frag", Some(at.0)), "{shown}");
    if let Some(column) = place.column {
        assert_eq!(column, at.1, "{shown}");
    }
    assert!(place.column.is_some() || !context.abilities().software, "{shown}");
    for part in parts {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!shown.contains("quadrille"), "{shown}");
    let Error::Compile { diagnostics, .. } = &error else { return };
    // Others only follow.
    let errors = shown.matches(": error: ").count();
    assert!(errors <= 2, "{errors} of {}: {shown}", diagnostics.items.len());
}

#[test]
fn a_name_with_a_typo_stands_where_it_stands() {
    each(|context| {
        for (text, at) in [
            (
                "void mainImage(out vec4 o, in vec2 p) {\n    vec2 uv = p / iResolutoin.xy;\n    o = vec4(uv, 0.0, 1.0);\n}",
                (2, 19),
            ),
            (
                "void mainImage(out vec4 o, in vec2 p) {\n  o = texture2D(iChannel0, p) + foo;\n}",
                (2, 33),
            ),
            (
                "#ifdef GL_ES\nprecision mediump float;\n#endif\nuniform vec2 resolution;\nvoid main(void) {\n\
                 \tvec2 q = gl_FragCoord.xy / resoluton;\n\tgl_FragColor = vec4(q, q);\n}",
                (6, 29),
            ),
            (
                "#version 120\nvarying vec2 v;\nuniform sampler2D t;\nvoid main() {\n    \
                 gl_FragColor = texture2D(t, v) * texture2D(t, v + ofset);\n}",
                (5, 55),
            ),
            (
                "uniform sampler2DRect t;\nvoid main() { gl_FragColor = texture2DRect(t, gl_TexCoord[0].st + ofset); }",
                (2, 67),
            ),
            ("void main() { gl_FragData[0] = vec4(1.0); gl_FragData[1] = vec4(lost); }", (1, 65)),
        ] {
            let name = text.lines().nth(at.0 - 1).unwrap();
            let name: String =
                name.chars().skip(at.1 - 1).take_while(|c| c.is_alphanumeric()).collect();
            told(context, text, at, &[&name]);
        }
    });
}

#[test]
fn a_typo_behind_a_header_keeps_its_line() {
    let text = "/*{\n  \"INPUTS\": [\n    { \"NAME\": \"inputImage\", \"TYPE\": \"image\" }\n  ]\n}*/\n\
                void main() {\n    gl_FragColor = IMG_THIS_PIXEL(inputImage) * amuont;\n}";
    each(|context| told(context, text, (7, 49), &["amuont"]));
}

/// Messages that quote nothing, so that the column is the driver's own, counted behind macros.
#[test]
fn types_that_do_not_fit_are_told_at_their_column() {
    each(|context| {
        for (text, at) in [
            ("void main() {\n    gl_FragColor = vec3(1.0);\n}", (2, 5)),
            (
                "varying vec2 v;\nuniform sampler2D t;\nvoid main() {\n    vec2 a = texture2D(t, v);\n    gl_FragColor = a.xyxy;\n}",
                (4, 14),
            ),
            ("void mainImage(out vec4 o, in vec2 p) {\n    o = p;\n}", (2, 5)),
        ] {
            let error = context.kernel(pasted(text)).err().unwrap();
            let place = error.place().cloned().unwrap_or_else(|| panic!("{error}"));
            assert_eq!((place.file.as_str(), place.line), ("pasted.frag", Some(at.0)), "{error}");
            // Drivers differ in which token of a statement they point at.
            let line = text.lines().nth(at.0 - 1).unwrap();
            assert!(place.column.is_none_or(|column| column <= line.len()), "{error}");
        }
    });
}

#[test]
fn calls_that_do_not_fit_are_told_in_the_words_of_the_text() {
    each(|context| {
        for (text, line, word) in [
            (
                "varying vec2 v;\nuniform sampler2D t;\nvoid main() {\n    gl_FragColor = texture2D(t);\n}",
                4,
                "texture2D",
            ),
            (
                "uniform sampler2DRect t;\nvoid main() {\n    gl_FragColor = texture2DRect(t, 1.0);\n}",
                3,
                "texture2DRect",
            ),
        ] {
            let error = context.kernel(pasted(text)).err().unwrap();
            let shown = error.to_string();
            assert_eq!(error.place().unwrap().line, Some(line), "{shown}");
            assert!(shown.contains(word) && !shown.contains("quadrille"), "{shown}");
        }
    });
}

#[test]
fn a_shader_without_its_function_is_told_what_to_write() {
    each(|context| {
        for (text, parts) in [
            (
                "varying vec2 v;\nvec4 f() { return vec4(v, 0.0, 1.0); }",
                &["no function `main`", "void main()"][..],
            ),
            (
                "out vec4 c;",
                &["no function `main`", "out vec4 colour; void main() { colour = vec4(1.0); }"],
            ),
            ("", &["is empty", "void main()"]),
        ] {
            let error = context.kernel(pasted(text)).err().unwrap();
            let shown = error.to_string();
            assert_eq!(error.kind(), Kind::Compile, "{shown}");
            for part in parts {
                assert!(
                    shown.starts_with("pasted.frag: error: ") && shown.contains(part),
                    "{part} in {shown}"
                );
            }
        }
        let source = Source::fragment("pasted.frag", "void main() {}")
            .dialect(quadrille_run::Dialect::Shadertoy);
        let error = context.kernel(source).err().unwrap().to_string();
        for part in ["pasted.frag: error: ", "mainImage", "Shadertoy", "out vec4 fragColor"] {
            assert!(error.contains(part), "{part} in {error}");
        }
    });
}

/// A wrong coordinate is as it was for plain shaders.
#[test]
fn a_varying_that_nothing_feeds_is_refused() {
    each(|context| {
        let text = "varying vec2 a;\nvarying vec3 normal;\nvoid main() { gl_FragColor = vec4(normal, a.x); }";
        let error = context.kernel(pasted(text)).err().unwrap().to_string();
        assert!(error.starts_with("pasted.frag:2") && error.contains("vec3 normal"), "{error}");
    });
}
