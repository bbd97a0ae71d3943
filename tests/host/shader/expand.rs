//! The expanded text: what stands in it, in which order, and what is refused.

use crate::files::{root, shaders_below};
use quadrille::Kind;
use quadrille::internal::shader::{Expanded, Language, embedded, expand};
use quadrille::shader::{Api, Error, Reads, Source, Stage};

const LANGUAGE: Language =
    Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };
const ES: Language =
    Language { api: Api::Gles, version: 300, precise: false, reads: Reads::Sample };

fn good(source: &Source) -> Expanded {
    expand(source, &LANGUAGE).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn bad(source: &Source, shown: &str) -> Error {
    let error = expand(source, &LANGUAGE).expect_err("this source is wrong");
    assert_eq!(error.to_string(), shown);
    error
}

/// The lines that came from one file: number and text.
fn lines_of(expanded: &Expanded, file: &str) -> Vec<(usize, String)> {
    let numbered = expanded.text.lines().enumerate();
    let placed = numbered.map(|(index, line)| (expanded.place(index + 1), line.to_owned()));
    placed.filter(|(place, _)| place.file == file).map(|(p, l)| (p.line.unwrap(), l)).collect()
}

fn body(expanded: &Expanded, file: &str) -> Vec<String> {
    lines_of(expanded, file).into_iter().map(|(_, line)| line).collect()
}

#[test]
fn the_parts_stand_in_the_order_that_glsl_wants() {
    let source =
        Source::fragment("a.frag", "#version 300 es\n#extension GL_X : enable\nvoid main() {}\n")
            .define("N", 4)
            .define("M", "1.0")
            .define("N", 8);
    let expanded = good(&source);
    let at = |part: &str| expanded.text.find(part).unwrap_or_else(|| panic!("{part}"));
    assert_eq!(at("#version 330 core\n"), 0);
    assert_eq!(at("#extension GL_X : enable\n"), "#version 330 core\n".len());
    assert!(at("#extension") < at("#define READ("));
    assert!(at("#define READ(") < at("#define M 1.0\n"));
    assert!(at("#define M 1.0\n#define N 8\n") < at("void main()"));
    assert!(!expanded.text.contains("300 es"));
    assert!(!expanded.text.contains("#define N 4"));
    let own = [(2, "#extension GL_X : enable"), (1, ""), (2, ""), (3, "void main() {}")];
    assert_eq!(lines_of(&expanded, "a.frag"), own.map(|(n, l)| (n, l.to_owned())));
}

#[test]
fn the_language_decides_the_front() {
    let source = Source::fragment("a.frag", "void main() {}");
    let expanded = expand(&source, &ES).unwrap();
    assert!(
        expanded
            .text
            .starts_with("#version 300 es\n#define QUADRILLE_ES 1\n#define QUADRILLE_SAMPLE 1\n")
    );
    assert_eq!(expanded.place(1).to_string(), "(GLSL 300 es):1");
    let precise = Language { precise: true, ..LANGUAGE };
    let expanded = expand(&source, &precise).unwrap();
    let front =
        "#version 330 core\n#extension GL_ARB_gpu_shader5 : require\n#define QUADRILLE_PRECISE 1\n";
    assert!(expanded.text.starts_with(front));
    let expanded = expand(&source, &Language { version: 400, ..precise }).unwrap();
    assert!(expanded.text.starts_with("#version 400 core\n#define QUADRILLE_PRECISE 1\n"));
}

#[test]
fn line_and_version_lines_are_blanked_and_numbers_stay() {
    let text = "\u{feff}#version 450\r\n# line 70\r\nvoid main() {\r\n}";
    let expanded = good(&Source::fragment("a.frag", text));
    assert_eq!(body(&expanded, "a.frag"), ["", "", "void main() {", "}"]);
    assert!(!expanded.text.contains('\r'));
    assert!(!expanded.text.contains('\u{feff}'));
}

/// Keeps comments whole: without its end the text behind a comment would be within it, and without
/// its beginning what was within it would not be.
#[test]
fn comments_that_reach_over_a_line_that_is_not_sent_stay_whole() {
    let text = "#define K 1.0\n/* a\n*/ #line 3\n#undef K\n#define K 2.0\n/* b */\n\
        #include \"c.glsl\" /* d\n#undef K\n*/ #version 330 // e \\\n#undef K\n";
    let source = Source::fragment("a.frag", text).file("c.glsl", "float c;");
    let expanded = good(&source);
    let own = [
        "#define K 1.0",
        "/* a",
        "*/",
        "#undef K",
        "#define K 2.0",
        "/* b */",
        "",
        "/* d",
        "#undef K",
        "*/             // e \\",
        "#undef K",
    ];
    assert_eq!(
        body(&expanded, "a.frag").iter().map(|line| line.trim_start()).collect::<Vec<_>>(),
        own
    );
    let [c, d] = ["float c;", "/* d"].map(|part| expanded.text.find(part).unwrap());
    assert!(c < d, "{}", expanded.text);
    let source = Source::fragment("a.frag", "#extension GL_X : enable /* a\n*/ float f;\n");
    let extension = good(&source);
    assert_eq!(body(&extension, "a.frag")[0], "#extension GL_X : enable");
    assert!(extension.text.ends_with("/* a\n*/ float f;\n"), "{}", extension.text);
}

#[test]
fn a_line_that_the_text_does_not_have_is_the_file_as_a_whole() {
    let expanded = good(&Source::fragment("a.frag", ""));
    assert_eq!(expanded.place(0).to_string(), "a.frag");
    assert_eq!(expanded.place(10_000).to_string(), "a.frag");
}

#[test]
fn a_file_is_spliced_once_in_its_place() {
    let source = Source::fragment(
        "a.frag",
        "1\n#include \"x\"\n2\n  # include \"y\" // why\n#include \"x\"\n3",
    )
    .file("x", "x1\nx2")
    .file("y", "y1\n#include \"x\"\ny3\n");
    let expanded = good(&source);
    let all: Vec<&str> = expanded.text.lines().skip_while(|line| *line != "1").collect();
    assert_eq!(all, ["1", "", "x1", "x2", "2", "", "y1", "", "y3", "", "3"]);
    let count = expanded.text.lines().count();
    assert_eq!(expanded.place(count - 2).to_string(), "y:3");
    assert_eq!(expanded.place(count).to_string(), "a.frag:6");
    let trail: Vec<_> = expanded.included_from(count - 2).iter().map(ToString::to_string).collect();
    assert_eq!(trail, ["a.frag:4"]);
}

#[test]
fn includes_in_comments_are_no_includes() {
    let text =
        "// #include \"no\"\n/*\n#include \"no\"\n*/\n/* */ // #include <no>\nvoid main() {}";
    assert_eq!(body(&good(&Source::fragment("a.frag", text)), "a.frag").join("\n"), text);
}

#[test]
fn texts_given_come_before_files_on_disk_and_those_before_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("include/deep")).unwrap();
    std::fs::write(
        path("a.frag"),
        "#include \"one.h\"\n#include \"include/two.glsl\"\n#include \"include/prelude.glsl\"\n",
    )
    .unwrap();
    std::fs::write(path("one.h"), "one on disk").unwrap();
    let two = "#include \"deep/three.inc\"\n#include \"../one.h\"";
    std::fs::write(path("include/two.glsl"), two).unwrap();
    std::fs::write(path("include/deep/three.inc"), "three").unwrap();
    let source = Source::read(Stage::Fragment, path("a.frag")).unwrap();
    let expanded = good(&source);
    assert!(expanded.text.ends_with("\none on disk\n\n\nthree\n\n\n"), "{}", expanded.text);
    assert_eq!(expanded.text.matches("#define READ(").count(), 2);
    let given = good(&source.file("one.h", "one given"));
    assert!(given.text.contains("\none given\n") && given.text.contains("\none on disk\n"));
}

#[test]
fn a_missing_file_says_where_it_was_looked_for() {
    let source = Source::fragment("blur.frag", "\n\n#include \"mask.glsl\"\n").file("a.glsl", "");
    let shared: Vec<_> =
        embedded::files().map(|(name, _)| name).filter(|name| name.ends_with(".glsl")).collect();
    let error = bad(
        &source,
        &format!(
            "blur.frag:3:10: error: there is no file \"mask.glsl\" to include\n    \
             3 | #include \"mask.glsl\"\n      |          ^\n\
             searched the files given with the source: a.glsl\n\
             then the library's own glsl/: {}",
            shared.join(", ")
        ),
    );
    assert_eq!(error.kind(), Kind::Compile);
    assert_eq!(error.place().unwrap().to_string(), "blur.frag:3:10");
}

#[test]
fn a_missing_file_beside_a_file_on_disk_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.frag");
    std::fs::write(&path, "#include \"sub/b.glsl\"").unwrap();
    let error = expand(&Source::read(Stage::Fragment, &path).unwrap(), &LANGUAGE).unwrap_err();
    let folder = folder.path().display();
    assert!(error.to_string().contains(&format!("\nthen in the folder {folder}\n")), "{error}");
}

#[test]
fn a_circle_is_shown_whole() {
    let source = Source::fragment("a.frag", "#include \"x\"")
        .file("x", "\n#include \"y\"")
        .file("y", " #include \"x\"");
    bad(
        &source,
        "y:1:11: error: x includes itself\n    1 |  #include \"x\"\n      |           ^\n\
         the circle: x:2 -> y:1:11 -> x\nmove what both need into a third file",
    );
    let source = Source::fragment("a.frag", "#include \"a.frag\"");
    let source = source.clone().file("a.frag", "#include \"a.frag\"");
    let shown = expand(&source, &LANGUAGE).unwrap_err().to_string();
    assert!(shown.starts_with("a.frag:1:10: error: a.frag includes itself"), "{shown}");
}

#[test]
fn a_circle_on_disk_is_found_through_other_spellings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.frag");
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(&path, "#include \"sub/../a.frag\"").unwrap();
    let error = expand(&Source::read(Stage::Fragment, &path).unwrap(), &LANGUAGE).unwrap_err();
    assert!(matches!(error, Error::IncludeCycle { .. }), "{error}");
}

#[test]
fn malformed_includes_say_what_is_expected_and_where() {
    bad(
        &Source::fragment("a.frag", "  #include x"),
        "a.frag:1:12: error: expected a file name in double quotes: #include \"name.glsl\"\n    \
         1 |   #include x\n      |            ^",
    );
    let source = Source::fragment("a.frag", "#include \"b\"").file("b", "\n#include \"x\" y");
    bad(
        &source,
        "b:2:14: error: expected nothing behind the file name\n    2 | #include \"x\" y\n      |              ^",
    );
}

#[test]
fn an_open_comment_is_refused_in_the_file_that_opens_it() {
    let source = Source::fragment("a.frag", "#include \"b\"\nvoid main() {}").file("b", "x; /* y");
    bad(
        &source,
        "b:1:4: error: this comment is never closed: expected */ before the end of the file\n    \
         1 | x; /* y\n      |    ^",
    );
}

#[test]
fn an_include_that_no_compiler_would_see_is_none() {
    let text = "#if 0\n#include \"no\"\n#ifdef A\n#include \"no\"\n#else\n#include \"no\"\n#endif\n#else\n\
                #include \"x\"\n#endif\n#define A 1 \\\n#include \"no\"\n#include \"y\"";
    let source = Source::fragment("a.frag", text).file("x", "x1").file("y", "y1");
    let expanded = good(&source);
    assert_eq!(body(&expanded, "x"), ["x1"]);
    assert_eq!(body(&expanded, "y"), ["y1"]);
    for text in ["#if 1\n#include \"no\"\n#endif", "#if 0\n#elif 1\n#include \"no\"\n#endif"] {
        let error = expand(&Source::fragment("a.frag", text), &LANGUAGE).unwrap_err();
        assert!(matches!(error, Error::MissingInclude { .. }), "{error}");
    }
}

/// Authors keep in it what another host needs.
#[test]
fn an_include_behind_a_name_that_nothing_defines_is_none() {
    let text = "#ifdef HOST\n#include <no.glsl>\n#else\n#include <x>\n#endif\n#if defined(HOST) && 1\n#include \"no\"\n#endif\n\
                #include \"y\"\n#ifdef FROM_Y\n#include \"z\"\n#endif";
    let source = Source::fragment("a.frag", text).file("x", "x1");
    let source = source.file("y", "#define FROM_Y").file("z", "z1");
    let expanded = good(&source);
    assert_eq!(body(&expanded, "x"), ["x1"]);
    assert_eq!(body(&expanded, "z"), ["z1"]);
    for (name, text) in [("HOST", text), ("A", "#ifdef GL_ES\n#include <no.glsl>\n#endif")] {
        let source = Source::fragment("a.frag", text).define(name, 1);
        let error = expand(&source, &LANGUAGE).unwrap_err();
        assert!(matches!(error, Error::MissingInclude { .. }), "{error}");
    }
}

#[test]
fn a_second_include_of_a_file_first_included_conditionally_is_refused() {
    let text = "#if A\n#include \"x\"\n#endif\n#include \"x\"";
    let error = bad(
        &Source::fragment("a.frag", text).file("x", ""),
        "a.frag:4:10: error: x is included again, and its first include at a.frag:2 stands inside #if\n    \
         4 | #include \"x\"\n      |          ^\n\
         a file is spliced once, where it is first included: include it before the #if. \
         Include guards are not needed",
    );
    assert_eq!(error.kind(), Kind::Compile);
    let text = "#include \"x\"\n#ifdef A\n#include \"x\"\n#endif\n#ifdef B\n#include \"y\"\n#endif";
    good(&Source::fragment("a.frag", text).file("x", "").file("y", "#include \"x\""));
}

#[test]
fn a_condition_reaches_into_the_files_included_under_it() {
    let source = Source::fragment("a.frag", "#if 1\n#include \"y\"\n#endif\n#include \"x\"")
        .file("y", "#include \"x\"")
        .file("x", "");
    let error = expand(&source, &LANGUAGE).unwrap_err();
    assert!(matches!(error, Error::ConditionalInclude { .. }), "{error}");
}

#[test]
fn defines_that_glsl_cannot_take_are_refused() {
    let source = || Source::fragment("a.frag", "");
    for (name, value) in [
        ("", "1"),
        ("2x", "1"),
        ("SQ(x)", "x"),
        ("a b", "1"),
        ("GL_X", "1"),
        ("a__b", "1"),
        ("é", "1"),
        ("A", "1\n2"),
        ("A", "1 \\"),
        ("A", "1 // x"),
        ("A", "/* x"),
        ("A", "1 /* x */"),
    ] {
        let error = expand(&source().define(name, value), &LANGUAGE).unwrap_err();
        assert!(matches!(error, Error::BadDefine { .. }), "{name} = {value}: {error}");
        assert_eq!(error.kind(), Kind::Input);
    }
    bad(
        &source().define("GL_X", 1),
        "a.frag: invalid define \"GL_X\" = \"1\": GLSL keeps names that start with GL_ or hold __ for itself",
    );
    good(&source().define("EMPTY", "").define("A_1", "(3 / 2)"));
}

#[test]
fn versions_and_stages_that_do_not_exist_are_refused() {
    let es_330 = Language { version: 330, ..ES };
    let fragment = Source::fragment("a.frag", "");
    let error = expand(&fragment, &es_330).unwrap_err();
    assert_eq!(
        error.to_string(),
        "GLSL 330 es is not supported: expected 330, 400 to 460, or 300, 310, 320 es"
    );
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(expand(&fragment, &Language { version: 120, ..LANGUAGE }).is_err());
    let compute = Source::compute("a.comp", "");
    for language in [LANGUAGE, ES, Language { version: 420, ..LANGUAGE }] {
        let error = expand(&compute, &language).unwrap_err();
        assert!(matches!(error, Error::NoCompute { .. }), "{error}");
    }
    assert!(expand(&compute, &Language { version: 430, ..LANGUAGE }).is_ok());
    assert!(expand(&compute, &Language { version: 310, ..ES }).is_ok());
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.frag");
    let error = Source::read(Stage::Fragment, &missing).unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
    assert!(error.to_string().starts_with(&format!("cannot read {}: ", missing.display())));
}

#[test]
fn an_unknown_library_file_lists_those_there_are() {
    let error = Source::library(Stage::Fragment, "jacobi/none.frag").unwrap_err();
    let shown = error.to_string();
    assert!(shown.starts_with("glsl/ has no file \"jacobi/none.frag\"; it has: "), "{shown}");
    assert!(shown.contains("include/prelude.glsl"), "{shown}");
    assert_eq!(error.kind(), Kind::Input);
}

#[test]
fn reads_are_spelled_as_the_command_spells_them() {
    for reads in [Reads::Fetch, Reads::Sample] {
        assert_eq!(reads.to_string().parse::<Reads>().unwrap(), reads);
    }
    let error = "texture".parse::<Reads>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown way to read texels \"texture\": expected fetch or sample"
    );
}

#[test]
fn the_embedded_table_and_the_folder_are_the_same() {
    let on_disk = shaders_below(&root().join("glsl"));
    let mut table: Vec<_> = embedded::files().map(|(name, _)| name.to_owned()).collect();
    table.sort();
    assert_eq!(
        table, on_disk,
        "src/shader/source/embedded.rs lists the left, glsl/ holds the right"
    );
}

#[test]
fn every_embedded_file_is_in_the_readme() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../glsl/README.md")).unwrap();
    for (name, _) in embedded::files() {
        assert!(readme.contains(&format!("`{name}`")), "glsl/README.md does not describe {name}");
    }
}

#[test]
fn shared_files_have_no_main_and_shaders_have_one() {
    let has_main = |text: &str| text.split_whitespace().collect::<String>().contains("voidmain(");
    for (name, text) in embedded::files() {
        assert_eq!(has_main(text), !name.starts_with("include/"), "{name}");
        assert_eq!(name.starts_with("include/"), name.ends_with(".glsl"), "{name}");
    }
    assert!(has_main("void\n  main ()"));
}

#[test]
fn a_backslash_at_the_end_of_a_file_swallows_no_line_of_another() {
    for (included, end) in
        [("#define A 1 \\", ""), ("// a comment \\", "\n"), ("float a; \\", "\r\n")]
    {
        let source =
            Source::fragment("a.frag", "#include \"b.glsl\"\nout vec4 kept;\nvoid main() {}\n")
                .file("b.glsl", format!("{included}{end}"));
        let expanded = good(&source);
        let outputs = &expanded.declarations().outputs;
        assert_eq!(outputs.len(), 1, "{included}");
        assert_eq!(outputs[0].place.to_string(), "a.frag:2");
        assert_eq!(body(&expanded, "b.glsl"), [included, ""]);
    }
}
