//! Text files whose lines end as on Windows: each says what it says with ends of Unix.

use std::path::{Path, PathBuf};

use crate::files::{data, files_below, root};
use quadrille::internal::shader::{Language, expand};
use quadrille::io::matrix_market::{read_nine_banded, read_vector_from};
use quadrille::shader::{Api, Reads, Source};
use quadrille_run::RunFile;
use quadrille_run::testing::TestFile;
use quadrille_vp::cnf::dimacs;
use quadrille_vp::vector_machine::DProgram;

/// The text of a file as Windows' editors and `git` write it there.
fn windows(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// The files below a folder with such an end of their names, and their texts.
fn texts(folder: &str, end: &str) -> Vec<(PathBuf, String)> {
    let files = files_below(&root().join(folder)).into_iter();
    let named = files.filter(|file| file.to_string_lossy().ends_with(end));
    let texts: Vec<_> =
        named.map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect();
    assert!(!texts.is_empty(), "{folder} has no {end}");
    texts
}

#[test]
fn matrices_and_vectors_are_the_same() {
    for name in ["fe9_12x12.mtx", "recirc_flow.mtx"] {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("a.mtx");
        let text = std::fs::read_to_string(data(name)).unwrap();
        std::fs::write(&there, windows(&text)).unwrap();
        let read = |path: &Path| read_nine_banded(path, None).unwrap();
        assert!(read(&there) == read(Path::new(&data(name))), "{name}");
    }
    let vector = "%%MatrixMarket matrix array real general\n% comment\n2 1\n1.5\n\n-2\n";
    let read = |text: &str| read_vector_from::<f64>(text.as_bytes(), "v.mtx").unwrap();
    assert_eq!(read(&windows(vector)), [1.5, -2.0]);
}

#[test]
fn formulas_are_the_same() {
    let texts = texts("tests/data/sat", ".cnf");
    let with_end = ("a.cnf".into(), "c x\np cnf 2 1\n1 -2 0\n%\n0\n\n".to_owned());
    for (file, text) in texts.into_iter().chain([with_end]) {
        let parse = |text: &str| dimacs::parse("a.cnf", text.as_bytes()).unwrap();
        assert!(parse(&windows(&text)) == parse(&text), "{}", file.display());
    }
}

#[test]
fn vertex_programs_are_the_same() {
    for (file, text) in texts("crates/vector-machine/programs", ".vp") {
        let parse = |text: &str| {
            let name = file.file_name().unwrap().to_str().unwrap();
            let program = DProgram::parse(name, text, Default::default()).unwrap();
            format!("{:?}", program.instructions())
        };
        assert_eq!(parse(&windows(&text)), parse(&text), "{}", file.display());
    }
}

#[test]
fn run_files_and_tests_are_the_same() {
    for (file, text) in texts("crates/run/gallery", ".run.toml") {
        let parse = |text: &str| format!("{:?}", RunFile::parse(&file, text).unwrap());
        assert_eq!(parse(&windows(&text)), parse(&text), "{}", file.display());
    }
    for (file, text) in texts("crates/run/gallery/tests", ".test.toml") {
        let parse = |text: &str| format!("{:?}", TestFile::parse(&file, text).unwrap());
        assert_eq!(parse(&windows(&text)), parse(&text), "{}", file.display());
    }
}

/// Comments and definitions that go on in the next line, a quoted include, and every shader of the
/// gallery: what the driver gets has no carriage return, and the lines of before.
#[test]
fn shaders_are_the_same() {
    const LANGUAGE: Language =
        Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };
    let own = "#version 330\n// goes on \\\n in code\n#define SUM(a, b) \\\n    ((a) + \\\n     (b))\n\
        /* a\n   b */ uniform float x; /* c\n*/ out float y;\nvoid main() {\n    y = SUM(x, 1.0);\n}";
    let own = (PathBuf::from("own.frag"), own.to_owned());
    for (file, text) in texts("crates/run/gallery", ".frag").into_iter().chain([own]) {
        let expanded = |text: &str| {
            let source = Source::fragment(file.to_string_lossy(), text);
            expand(&source, &LANGUAGE).map(|expanded| expanded.text).map_err(|e| e.to_string())
        };
        let got = expanded(&windows(&text));
        assert!(!got.as_deref().unwrap_or_default().contains('\r'), "{}", file.display());
        assert_eq!(got, expanded(&text), "{}", file.display());
    }
}
