//! Bytes in memory are read as files are: the same numbers, and the same words for what is refused.

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};

use quadrille::Extent;
use quadrille::data::{Field, Matrix, NineBanded, Stencil};
use quadrille::io::{matrix_market, npy};
use quadrille_run::io::field::{self, PictureOptions};
use quadrille_vp::cnf::dimacs;

use crate::files::{Folder, files_below, root};

/// The files of the repository's data with an ending.
fn files(ending: &str) -> Vec<PathBuf> {
    let folders = ["tests/data", "examples/data", "fuzz/corpus"];
    let all = folders.iter().flat_map(|folder| files_below(&root().join(folder)));
    all.filter(|file| file.extension().is_some_and(|found| found == ending)).collect()
}

/// What was read, or why it was not.
fn outcome<T: Debug, E: Display>(read: Result<T, E>) -> Result<String, String> {
    read.map(|value| format!("{value:?}")).map_err(|error| error.to_string())
}

/// Reads each file by its path and from its bytes. At least this number must be read, and refused.
fn compare<A: Debug, B: Debug, E: Display>(
    ending: &str,
    from_path: impl Fn(&Path) -> Result<A, E>,
    from_bytes: impl Fn(&[u8], &Path) -> Result<B, E>,
    least: [usize; 2],
) {
    let mut counts = [0, 0];
    for file in files(ending) {
        let bytes = std::fs::read(&file).unwrap();
        let expected = outcome(from_path(&file));
        // The size of a file is known before it is read, that of a stream at its end.
        if expected.as_ref().is_err_and(|text| text.contains("a file of ")) {
            continue;
        }
        counts[usize::from(expected.is_err())] += 1;
        assert_eq!(outcome(from_bytes(&bytes, &file)), expected, "{}", file.display());
    }
    assert!(counts[0] >= least[0] && counts[1] >= least[1], "{ending}: {counts:?}");
}

/// All that a matrix has, where it shows itself by its sizes alone.
fn numbers((matrix, notes): (Matrix<i32>, npy::Notes)) -> impl Debug {
    (matrix.shape(), matrix.elements().to_vec(), notes)
}

fn entries(matrix: NineBanded) -> String {
    let mut text = Vec::new();
    matrix_market::write_nine_banded_to(&mut text, &matrix).unwrap();
    format!("{matrix:?} {}", String::from_utf8(text).unwrap())
}

#[test]
fn arrays_are_read_from_bytes_as_from_files() {
    compare("npy", |path| npy::read(path), |bytes, name| npy::read_from(bytes, name), [10, 3]);
    compare(
        "npy",
        |path| npy::read_f64(path),
        |bytes, name| npy::read_f64_from(bytes, name),
        [10, 2],
    );
    compare(
        "npy",
        |path| npy::read_matrix::<i32>(path).map(numbers),
        |bytes, name| npy::read_matrix_from::<i32>(bytes, name).map(numbers),
        [2, 5],
    );
    compare("npy", |path| field::read(path), |bytes, name| field::read_from(bytes, name), [10, 3]);
}

#[test]
fn matrices_are_read_from_bytes_as_from_files() {
    compare(
        "mtx",
        |path| matrix_market::read_nine_banded(path, None).map(entries),
        |bytes, name| matrix_market::read_nine_banded_from(bytes, name, None).map(entries),
        [3, 20],
    );
    compare(
        "mtx",
        |path| matrix_market::read_vector(path),
        |bytes, name| matrix_market::read_vector_from::<f32>(bytes, name),
        [0, 20],
    );
}

#[test]
fn formulas_are_read_from_bytes_as_from_files() {
    compare("cnf", |path| dimacs::read(path), |bytes, name| dimacs::read_from(bytes, name), [3, 0]);
}

#[test]
fn pictures_are_read_from_bytes_as_from_files() {
    compare("png", |path| field::read(path), |bytes, name| field::decode(bytes, name), [3, 0]);
    let jpeg = field::jpeg(&colours(), PictureOptions::plain()).unwrap();
    let folder = Folder::new();
    folder.write("a.jpg", &jpeg);
    let (path, cut) = (folder.file("a.jpg"), &jpeg[..jpeg.len() / 8]);
    let expected = outcome(field::read(&path));
    assert!(expected.is_ok(), "{expected:?}");
    assert_eq!(outcome(field::decode(&jpeg, &path)), expected);
    // Whatever the bytes are called.
    assert_eq!(outcome(field::decode(&jpeg, "a.png")), expected);
    folder.write("a.jpg", cut);
    let expected = outcome(field::read(&path));
    assert!(expected.is_err(), "{expected:?}");
    assert_eq!(outcome(field::decode(cut, &path)), expected);
}

fn colours() -> Field {
    let numbers = (0..48).map(|number| number as f32 / 48.0).collect::<Vec<_>>();
    Field::new(Extent::new(4, 4), 3, numbers).unwrap()
}

#[test]
fn bytes_are_written_as_files_are() {
    let folder = Folder::new();
    let there = |name: &str| std::fs::read(folder.file(name)).unwrap();
    let mut bytes = Vec::new();

    let matrix: NineBanded = "fe9:12".parse::<Stencil>().unwrap().matrix().unwrap();
    matrix_market::write_nine_banded(folder.file("a.mtx"), &matrix).unwrap();
    matrix_market::write_nine_banded_to(&mut bytes, &matrix).unwrap();
    assert_eq!(std::mem::take(&mut bytes), there("a.mtx"));

    matrix_market::write_vector(folder.file("b.mtx"), &[0.1, -2.0]).unwrap();
    matrix_market::write_vector_to(&mut bytes, &[0.1_f32, -2.0]).unwrap();
    assert_eq!(std::mem::take(&mut bytes), there("b.mtx"));

    npy::write(folder.file("c.npy"), &[2, 1], &[0.1, -2.0]).unwrap();
    npy::write_to(&mut bytes, &[2, 1], [0.1_f32, -2.0]).unwrap();
    assert_eq!(std::mem::take(&mut bytes), there("c.npy"));

    let options = PictureOptions::plain();
    field::write(folder.file("d.npy"), &colours(), options).unwrap();
    field::write_to(&mut bytes, &colours()).unwrap();
    assert_eq!(std::mem::take(&mut bytes), there("d.npy"));
    for (name, encode) in [("e.png", field::png as fn(&_, _) -> _), ("e.jpg", field::jpeg)] {
        field::write(folder.file(name), &colours(), options).unwrap();
        assert_eq!(encode(&colours(), options).unwrap(), there(name));
    }
}
