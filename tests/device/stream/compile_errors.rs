//! The messages of a driver about a wrong shader, in the user's own files and lines: on a real
//! context, whatever its driver.

use quadrille::shader::{Severity, Source};
use quadrille::{Context, Kind};

fn error_of(context: &Context, source: Source) -> quadrille::stream::Error {
    context.kernel(source).err().unwrap_or_else(|| panic!("it compiled"))
}

#[test]
fn an_error_points_at_the_users_line_with_a_caret() {
    crate::common::each(|context| {
        let text = "uniform sampler2D image;\nout float result;\n\nvoid main() {\n    result = missing;\n}\n";
        let error = error_of(context, Source::fragment("blur.frag", text));
        assert_eq!(error.kind(), Kind::Compile);
        let place = error.place().unwrap();
        assert_eq!((place.file.as_str(), place.line), ("blur.frag", Some(5)));
        let shown = error.to_string();
        assert!(shown.starts_with("blur.frag does not compile\nblur.frag:5:"), "{shown}");
        assert!(shown.contains("\n    5 |     result = missing;\n"), "{shown}");
        assert!(shown.contains("\n      |              ^"), "{shown}");
    });
}

/// An editor gets the parts that it needs to mark the place, not the printed text.
#[test]
fn the_diagnostics_of_an_error_are_structured() {
    crate::common::each(|context| {
        let text = "out float result;\nvoid main() {\n    result = missing;\n}\n";
        let error = error_of(context, Source::fragment("edited.frag", text));
        let quadrille::stream::Error::Compile { kernel, diagnostics } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(kernel, "edited.frag");
        let first = diagnostics.items.iter().find(|item| item.severity == Severity::Error).unwrap();
        let place = first.place.as_ref().unwrap();
        assert_eq!(
            (place.file.as_str(), place.line, place.column),
            ("edited.frag", Some(3), Some(14))
        );
        assert!(first.message.contains("missing"), "{first:?}");
        assert_eq!(error.to_string(), format!("{kernel} does not compile\n{diagnostics}"));
    });
}

#[test]
fn an_error_in_an_included_file_is_told_there() {
    crate::common::each(|context| {
        let text = "out float result;\n#include \"twice.glsl\"\nvoid main() {\n    result = twice(1.0);\n}\n";
        let included = "// Twice a number.\nfloat twice(float x) {\n    return x * tow;\n}\n";
        let source = Source::fragment("main.frag", text).file("twice.glsl", included);
        let shown = error_of(context, source).to_string();
        assert!(shown.contains("twice.glsl:3:"), "{shown}");
        assert!(shown.contains("    return x * tow;"), "{shown}");
        assert!(shown.contains("included from main.frag:2"), "{shown}");
    });
}

#[test]
fn a_missing_name_is_told_once_and_not_all_that_follows() {
    crate::common::each(|context| {
        let text = "out vec4 colour;\nvoid main() {\n    vec3 a = 0.5 + 0.5 * cos(missing + vec3(1.0));\n    \
                    float b = mix(missing, 1.0, 0.5);\n    colour = vec4(a * missing, b);\n}\n";
        let shown = error_of(context, Source::fragment("cascade.frag", text)).to_string();
        assert!(shown.contains("cascade.frag:3:"), "{shown}");
        let renderer = context.abilities().renderer.to_lowercase();
        if renderer.contains("llvmpipe") || renderer.contains("softpipe") {
            assert_eq!(shown.matches(": error: ").count(), 1, "{shown}");
            assert!(shown.contains("which seem to follow from these"), "{shown}");
        }
    });
}

/// Some drivers notice when they compile, others when they link.
#[test]
fn a_function_that_is_nowhere_is_named() {
    crate::common::each(|context| {
        let text =
            "float nowhere(float x);\nout float result;\nvoid main() { result = nowhere(1.0); }\n";
        let error = error_of(context, Source::fragment("lost.frag", text));
        assert!(matches!(error.kind(), Kind::Compile | Kind::Link), "{error}");
        let shown = error.to_string();
        assert!(shown.starts_with("lost.frag does not "), "{shown}");
        assert!(shown.contains("nowhere"), "{shown}");
    });
}

/// Drivers point at the last line that is not the user's, or at none.
#[test]
fn a_shader_without_main_names_its_file_and_what_to_write() {
    crate::common::each(|context| {
        let wanted = "expected `void main() { ... }`, which computes an output, as in `out vec4 colour; void main() { \
                      colour = vec4(1.0); }`";
        for text in ["", "// nothing yet\n#define A 1\n"] {
            let shown = error_of(context, Source::fragment("empty.frag", text)).to_string();
            let expected = format!("empty.frag: error: this fragment shader is empty: {wanted}");
            assert_eq!(shown, expected);
        }
        let text = "out float y;\nfloat f() { return 1.0; }\n";
        let error = error_of(context, Source::fragment("lost.frag", text));
        let expected =
            format!("lost.frag: error: this fragment shader has no function `main`: {wanted}");
        assert_eq!((error.to_string(), error.kind()), (expected, Kind::Compile));
        let text = "#define ENTRY main\nout float y;\nvoid ENTRY() { y = 1.0; }\n";
        assert!(context.kernel(Source::fragment("renamed.frag", text)).is_ok());
    });
}
