//! The files that a shader may include, and the messages about those that it may not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

use std::fs;
use std::path::Path;

use quadrille::Kind;
use quadrille::internal::shader::{Language, expand};
use quadrille::shader::{Api, Error, Reads, Source, Stage};

const LANGUAGE: Language =
    Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };

/// A folder `shaders` for a shader, and beside it a folder `common`, a text and a shader outside of
/// it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir_all(path.join("shaders/sub")).unwrap();
    fs::create_dir(path.join("common")).unwrap();
    fs::write(path.join("common/noise.glsl"), "float noise;").unwrap();
    fs::write(path.join("outside.glsl"), "root:*:20228").unwrap();
    fs::write(path.join("shaders/near.glsl"), "float near;").unwrap();
    fs::write(path.join("shaders/passwords.txt"), "root:*:20228").unwrap();
    folder
}

/// The shader of a folder with one include.
fn source(folder: &Path, wanted: &str) -> Source {
    let path = folder.join("shaders/a.frag");
    fs::write(&path, format!("\n#include \"{wanted}\"\n")).unwrap();
    Source::read(Stage::Fragment, path).unwrap()
}

#[track_caller]
fn refused(source: &Source) -> Error {
    let error = expand(source, &LANGUAGE).unwrap_err();
    assert_eq!(error.kind(), Kind::Compile);
    assert_eq!(error.place().unwrap().line, Some(2));
    assert!(!error.to_string().contains("root:"), "{error}");
    error
}

#[track_caller]
fn outside(source: &Source) -> String {
    let error = refused(source);
    assert!(matches!(error, Error::OutsideInclude { .. }), "{error}");
    error.to_string()
}

#[test]
fn an_include_stays_inside_the_shaders_folder() {
    let folder = folder();
    let path = folder.path();
    let absolute = path.join("outside.glsl").display().to_string();
    let wanted = ["../outside.glsl", "../nothing.glsl", "sub/../../outside.glsl", &absolute];
    for wanted in wanted {
        let shown = outside(&source(path, wanted));
        let shaders = path.join("shaders").display().to_string();
        assert!(shown.contains(&format!("expected a relative path that stays inside {shaders}\n")));
    }
    // What is there and what is not are refused in the same words.
    let there = outside(&source(path, "../outside.glsl"));
    assert_eq!(
        outside(&source(path, "../absent.glsl")),
        there.replace("outside.glsl", "absent.glsl")
    );
    let expanded = expand(&source(path, "sub/../../shaders/./near.glsl"), &LANGUAGE).unwrap();
    assert!(expanded.text.contains("float near;"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_refused() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let path = folder.path();
    symlink(path.join("outside.glsl"), path.join("shaders/link.glsl")).unwrap();
    symlink(path.join("common"), path.join("shaders/linked")).unwrap();
    symlink("near.glsl", path.join("shaders/alias.glsl")).unwrap();
    symlink("passwords.txt", path.join("shaders/disguise.glsl")).unwrap();
    outside(&source(path, "link.glsl"));
    outside(&source(path, "linked/noise.glsl"));
    outside(&source(path, "linked/../outside.glsl"));
    assert!(matches!(refused(&source(path, "disguise.glsl")), Error::NotShader { .. }));
    assert!(expand(&source(path, "alias.glsl"), &LANGUAGE).is_ok());
}

#[test]
fn another_folder_is_allowed_and_searched() {
    let folder = folder();
    let path = folder.path();
    let allowed = |wanted| source(path, wanted).include_dir(path.join("common"));
    for wanted in ["noise.glsl", "../common/noise.glsl"] {
        let expanded = expand(&allowed(wanted).unwrap(), &LANGUAGE).unwrap();
        assert!(expanded.text.contains("float noise;"), "{wanted}");
    }
    let shown = outside(&allowed("../outside.glsl").unwrap());
    assert!(shown.contains(&format!("shaders, {}\n", path.join("common").display())), "{shown}");
    let text = Source::fragment("a.frag", "#include \"noise.glsl\"");
    assert!(matches!(expand(&text, &LANGUAGE), Err(Error::MissingInclude { .. })));
    assert!(expand(&text.include_dir(path.join("common")).unwrap(), &LANGUAGE).is_ok());
    for no_folder in ["nowhere", "outside.glsl"] {
        let error = source(path, "x.glsl").include_dir(path.join(no_folder)).unwrap_err();
        assert!(matches!(error, Error::Read { .. }), "{error}");
    }
}

#[test]
fn only_regular_files_with_a_shaders_name_are_included() {
    let folder = folder();
    let path = folder.path();
    let shown = refused(&source(path, "passwords.txt")).to_string();
    assert!(shown.contains("\"passwords.txt\" may not be included: expected a shader's file"));
    assert!(shown.contains(".glsl, .vert, .frag, .comp, .inc or .h\n    2 | #include"), "{shown}");
    let shown = refused(&source(path, "sub")).to_string();
    assert!(shown.contains("expected a regular file\n"), "{shown}");
}

/// Refuses a pipe: opening one without a writer would wait for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_and_a_device_are_not_opened() {
    let folder = folder();
    let path = folder.path();
    let pipe = path.join("shaders/pipe.glsl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(refused(&source(path, "pipe.glsl")), Error::NotShader { .. }));
    let device = source(path, "zero").include_dir("/dev").unwrap();
    assert!(matches!(refused(&device), Error::NotShader { .. }));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_an_end_is_an_error() {
    let error = Source::read(Stage::Fragment, "/dev/zero").unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    let expected = "/dev/zero has more than 16 MiB: expected the text of a shader";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn includes_within_each_other_have_a_limit() {
    let chain = |length: usize| {
        let source = Source::fragment("f0", "\n#include \"f1\"\n");
        (1..length).fold(source, |source, i| {
            let next =
                if i + 1 < length { format!("\n#include \"f{}\"\n", i + 1) } else { "".into() };
            source.file(format!("f{i}"), next)
        })
    };
    assert!(expand(&chain(200), &LANGUAGE).is_ok());
    let error = expand(&chain(10_000), &LANGUAGE).unwrap_err();
    assert!(matches!(error, Error::IncludeDepth { most: 200, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "f199:2:10: error: files include each other more than 200 deep, which is the limit\n    \
         2 | #include \"f200\"\n      |          ^\ninclude some of them from the first file instead"
    );
}

#[test]
fn a_byte_that_is_not_utf8_is_placed() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("shaders/latin1.glsl"), b"float x;\n// caf\xe9\n").unwrap();
    let error = expand(&source(path, "latin1.glsl"), &LANGUAGE).unwrap_err();
    let shaders = path.join("shaders");
    assert_eq!(
        error.to_string(),
        format!(
            "{0}/latin1.glsl:2:7: error: expected UTF-8 text, got the byte 0xe9: save the file as UTF-8\n\
             included from {0}/a.frag:2:10",
            shaders.display()
        )
    );
    let error = Source::read(Stage::Fragment, shaders.join("latin1.glsl")).unwrap_err();
    assert_eq!((error.kind(), error.place().unwrap().line), (Kind::Input, Some(2)));
}
