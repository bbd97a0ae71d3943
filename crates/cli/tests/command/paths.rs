//! Names of files as people give them, and files that were written on Windows.

use crate::runner::{Folder, Run, finish, npy, singles};
use quadrille::io::npy as arrays;

const HALVE: &str = "uniform sampler2D x;\r\nout float y;\r\n// a comment \\\r\n that goes on\r\n\
    void main() {\r\n    y = 0.5 * READ(x, TEXEL).r;\r\n}\r\n";

/// Runs the command with arguments that may have blanks in them.
fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command("");
    finish(command.args(arguments).spawn().unwrap())
}

/// A folder below the folder, whose name has blanks and letters beyond ASCII, with what `run` needs.
fn filled(folder: &Folder, below: &str) -> impl Fn(&str) -> String + use<> {
    std::fs::create_dir_all(folder.file(below)).unwrap();
    let below = below.to_owned();
    let at = move |name: &str| format!("{below}/{name}");
    folder.write(&at("halbe Größe.frag"), HALVE);
    folder.write(&at("zwei Zahlen.npy"), npy("<f4", false, "(1, 2)", &singles(&[3.0, -5.0])));
    at
}

/// Twice, so that the second replaces the file of the first.
fn halves(folder: &Folder, at: impl Fn(&str) -> String) {
    let (shader, output) = (at("halbe Größe.frag"), at("die Hälfte.npy"));
    let (from, to) = (format!("x={}", at("zwei Zahlen.npy")), format!("y={output}"));
    for _ in 0..2 {
        run(folder, &["run", &shader, "--input", &from, "--output", &to]).ended(0);
        let written = arrays::read(folder.file(&output)).unwrap();
        assert_eq!(written.data, [1.5, -2.5]);
    }
    let left = std::fs::read_dir(folder.file(&output).parent().unwrap()).unwrap();
    assert_eq!(left.count(), 3, "a temporary file was left");
}

#[test]
fn names_may_have_blanks_and_letters_beyond_ascii() {
    let folder = Folder::new();
    let at = filled(&folder, "Ordner mit Lücken und Ümläuten");
    halves(&folder, at);
}

/// Windows' own functions take 260 characters, unless they are asked otherwise.
#[test]
fn paths_may_be_long() {
    let folder = Folder::new();
    let at = filled(&folder, &["ein ziemlich langer Name eines Ordners, mit Lücken"; 8].join("/"));
    assert!(at("x").len() > 400);
    halves(&folder, at);
}

#[test]
fn every_text_may_have_lines_that_end_as_on_windows() {
    let folder = Folder::new();
    folder.write("halve.frag", HALVE);
    folder.write(
        "halve.run.toml",
        "input.x = \"ramp:3x1\"\r\n\r\n[pass.halve]\r\nshader = \"halve.frag\"\r\n",
    );
    folder.write(
        "halve.test.toml",
        "shader = \"halve.frag\"\r\ninput.x = \"ramp:3x1\"\r\n\r\n\
         [expect.y]\r\nvalues = [[0, 0.25, 0.5]]\r\nulp = 1\r\n",
    );
    folder.write("a.cnf", "c a comment\r\np cnf 2 2\r\n1 2 0\r\n-1 0\r\n");
    folder.run("solve --stencil fe9:6 --write-matrix unix.mtx").ended(0);
    let matrix = std::fs::read_to_string(folder.file("unix.mtx")).unwrap();
    folder.write("windows.mtx", matrix.replace('\n', "\r\n"));
    let solution = |system: &str| {
        folder.run(&format!("solve {system}.mtx --output {system}.npy")).ended(0);
        std::fs::read(folder.file(&format!("{system}.npy"))).unwrap()
    };
    assert_eq!(solution("windows"), solution("unix"));
    folder.run("sat a.cnf").ended(10);
    folder.run("test halve.test.toml --api gl").ended(0);
    folder.run("run halve.run.toml --output halve.y=y.npy").ended(0);
    assert_eq!(arrays::read(folder.file("y.npy")).unwrap().data, [0.0, 0.25, 0.5]);
}
