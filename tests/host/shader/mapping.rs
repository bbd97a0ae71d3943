//! Every line of an expanded text leads back to the line it came from.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use proptest::prelude::*;
use quadrille::internal::shader::{Language, expand};
use quadrille::shader::{Api, Reads, Source, Stage};

const LANGUAGE: Language =
    Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };

#[test]
fn a_mistake_two_includes_deep_is_reported_at_its_own_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("parts")).unwrap();
    std::fs::write(
        path("blur.frag"),
        "#version 330\nout vec4 o;\n#include \"parts/weights.glsl\"\nvoid main() {\n    o = weight();\n}\n",
    )
    .unwrap();
    std::fs::write(
        path("parts/weights.glsl"),
        "// weights\n\n\n#include \"kernel.glsl\"\nvec4 weight() { return kernel(); }\n",
    )
    .unwrap();
    std::fs::write(
        path("parts/kernel.glsl"),
        "/* the\n   kernel */\nvec4 kernel() {\n    vec4 sum = vec4(0.0);\n    sum += foo;\n    return sum;\n}\n",
    )
    .unwrap();
    let source = Source::read(Stage::Fragment, path("blur.frag")).unwrap().define("RADIUS", 3);
    let expanded = expand(&source, &LANGUAGE).unwrap();
    let line = expanded.text.lines().position(|line| line.contains("foo")).unwrap() + 1;
    let place = expanded.place(line);
    assert_eq!(place.file, path("parts/kernel.glsl").display().to_string());
    assert_eq!(place.line, Some(5));

    let shown = expanded.explain(&format!("0:{line}(9): error: `foo' undeclared\n")).to_string();
    let expected = format!(
        "{root}/parts/kernel.glsl:5:12: error: `foo' undeclared\n    5 |     sum += foo;\n      |            ^\n\
         included from {root}/parts/weights.glsl:4\nincluded from {root}/blur.frag:3",
        root = folder.path().display()
    );
    assert_eq!(shown, expected);
}

/// A file: each number is a line; some of them include a file with a higher number.
type Tree = Vec<Vec<Line>>;

#[derive(Clone, Debug)]
enum Line {
    Text,
    Version,
    Extension,
    Comment,
    Include(usize),
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let line = prop_oneof![
        6 => Just(Line::Text),
        1 => Just(Line::Version),
        1 => Just(Line::Extension),
        1 => Just(Line::Comment),
        3 => (1_usize..4).prop_map(Line::Include),
    ];
    prop::collection::vec(line, 0..8)
}

fn name(file: usize) -> String {
    format!("file{file}.glsl")
}

/// The text of a file; every line of text names its file and number. An include reaches `step`
/// files on, so that there is no circle, and past the last file is no include.
fn text(tree: &Tree, file: usize) -> String {
    let line = |(index, line): (usize, &Line)| match line {
        Line::Text => format!("float f{file}_{};", index + 1),
        Line::Version => "#version 450".to_owned(),
        Line::Extension => format!("#extension GL_f{file}_{} : enable", index + 1),
        Line::Comment => format!("// f{file}_{} #include \"none\"", index + 1),
        Line::Include(step) if file + step < tree.len() => {
            format!("#include \"{}\"", name(file + step))
        }
        Line::Include(_) => "float beyond;".to_owned(),
    };
    tree[file].iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn every_line_leads_back_to_the_line_with_the_same_text(
        tree in prop::collection::vec(lines(), 1..7),
        defines in 0_usize..4,
    ) {
        let mut source = Source::fragment(name(0), text(&tree, 0));
        for file in 1..tree.len() {
            source = source.file(name(file), text(&tree, file));
        }
        for define in 0..defines {
            source = source.define(format!("D{define}"), define);
        }
        let expanded = expand(&source, &LANGUAGE).unwrap();
        let mut seen = std::collections::HashMap::new();
        for (index, line) in expanded.text.lines().enumerate() {
            let place = expanded.place(index + 1);
            let Some(file) = (0..tree.len()).find(|&file| name(file) == place.file) else {
                continue;
            };
            let original = text(&tree, file);
            let original = original.lines().nth(place.line.unwrap() - 1).unwrap();
            if line.is_empty() {
                prop_assert!(original.starts_with('#'), "{original}");
            } else {
                prop_assert_eq!(line, original);
                let before = seen.insert(line.to_owned(), index);
                prop_assert!(before.is_none() || line.contains("beyond"), "twice: {}", line);
            }
        }
        // No line of the outermost file is lost.
        for line in text(&tree, 0).lines().filter(|line| line.starts_with("float")) {
            prop_assert!(expanded.text.lines().any(|other| other == line));
        }
    }

    #[test]
    fn any_text_is_expanded_or_refused_and_any_log_is_read(text in ".{0,80}(\n.{0,40}){0,6}", log in "[0-9:() a-zE'`\n\t]{0,120}") {
        if let Ok(expanded) = expand(&Source::fragment("a.frag", text.as_str()), &LANGUAGE) {
            let lines = log.lines().filter(|line| !line.trim().is_empty()).count();
            let diagnostics = expanded.explain(&log);
            prop_assert_eq!(diagnostics.items.len(), lines);
            let _ = diagnostics.to_string();
        }
    }

    #[test]
    fn declarations_are_read_from_any_tokens(words in prop::collection::vec(
        prop::sample::select(vec![
            "out", "in", "uniform", "buffer", "layout", "(", ")", "{", "}", "[", "]", ",", ";", "=",
            "vec4", "a", "7", "struct", "location", "\n#if 1\n", "\n#else\n", "\n#endif\n", "flat",
        ]), 0..40)) {
        let _ = expand(&Source::fragment("a.frag", words.join(" ")), &LANGUAGE);
    }
}
