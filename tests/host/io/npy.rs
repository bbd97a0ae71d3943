//! `.npy` arrays: files that NumPy wrote, what is refused, and vectors by extension.

use std::path::Path;

use proptest::prelude::*;
use quadrille::Shape;
use quadrille::data::{Matrix, Number};
use quadrille::io::npy::{self, Array};
use quadrille::io::{Error, vector};

fn path(name: &str) -> String {
    format!("data/{name}")
}

fn read(name: &str) -> Array {
    npy::read(path(name)).unwrap()
}

fn refused(name: &str) -> String {
    npy::read(path(name)).unwrap_err().to_string()
}

#[test]
fn every_type_and_order_gives_the_same_row_major_numbers() {
    let halves = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5];
    for name in ["f4.npy", "f8_exact.npy", "f8_big_endian.npy", "f8_fortran.npy"] {
        let array = read(name);
        assert_eq!((&array.shape[..], &array.data[..]), (&[2, 3][..], &halves[..]), "{name}");
        assert!(!array.rounded, "{name}");
        assert_eq!(array.file, path(name));
    }
    for name in ["i4.npy", "i8.npy", "u1.npy"] {
        assert_eq!(read(name).data, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "{name}");
    }
    let cube = read("fortran_3d.npy");
    assert_eq!(cube.shape, [2, 3, 4]);
    assert_eq!(cube.data, (0..24).map(|i| i as f32).collect::<Vec<_>>());
}

#[test]
fn the_fortran_file_is_one() {
    // Its bytes differ from those of the C file, else the test above would show nothing.
    let bytes = |name| std::fs::read(path(name)).unwrap();
    assert_ne!(bytes("f8_fortran.npy")[128..], bytes("f8_exact.npy")[128..]);
}

#[test]
fn doubles_are_rounded_and_it_is_said() {
    let array = read("f8_rounded.npy");
    assert!(array.rounded);
    assert_eq!(array.data, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
}

#[test]
fn a_number_alone_and_no_number_are_arrays() {
    assert_eq!((read("scalar.npy").shape, read("scalar.npy").data), (vec![], vec![2.5]));
    assert_eq!((read("empty.npy").shape, read("empty.npy").data), (vec![0, 3], vec![]));
}

#[test]
fn what_is_not_finite_is_named_by_its_subscripts() {
    assert_eq!(
        read("nan.npy").finite().unwrap_err().to_string(),
        "data/nan.npy: expected finite numbers, got NaN at index [1, 0]"
    );
    assert!(read("f4.npy").finite().is_ok());
}

#[test]
fn refusals_say_where_and_what_to_do() {
    assert_eq!(
        refused("f8_fortran_overflow.npy"),
        "data/f8_fortran_overflow.npy: 1e39 at index [0, 2] does not fit single precision (largest \
         3.4028235e38): scale the data"
    );
    assert_eq!(
        refused("i8_inexact.npy"),
        "data/i8_inexact.npy: the integer 16777217 at index [1, 1] has no exact single-precision value: \
         store the array as f8 to have it rounded"
    );
    assert_eq!(
        refused("c8.npy"),
        "data/c8.npy: an array of '<c8' is not supported: expected f2, f4, f8, i1, i2, i4, i8 or u1 (in NumPy: \
         array.astype('f4'))"
    );
    assert_eq!(
        refused("truncated.npy"),
        "data/truncated.npy: expected 6 numbers, got 4 and the end of the file"
    );
    assert_eq!(
        refused("none.npy"),
        "data/none.npy: cannot read it: No such file or directory (os error 2)"
    );
    assert_eq!(refused(""), "data/: cannot read it: Is a directory (os error 21)");
    assert!(
        refused("README.md")
            .starts_with("data/README.md: expected the header of a .npy array, got ")
    );
}

#[test]
fn a_file_that_is_not_as_long_as_its_header_says_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.npy");
    let bytes = std::fs::read(path("f4.npy")).unwrap();
    let said = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let text = npy::read(&file).unwrap_err().to_string();
        text.rsplit_once("x.npy: ").unwrap().1.to_string()
    };
    assert_eq!(said(&bytes[..30]), "expected the header of a .npy array, got the end of the file");
    assert_eq!(said(&bytes[..148]), "expected 6 numbers, got 5 and the end of the file");
    assert_eq!(
        said(&[&bytes[..], &[0]].concat()),
        "expected the end of the file after its numbers: one array, got more data"
    );
    let mut huge = bytes.clone();
    let at = huge.windows(6).position(|window| window == b"(2, 3)").unwrap();
    // The header keeps its length: blanks after the shape give way.
    huge.splice(at..at + 6, *b"(99999999999, 9)");
    let end = huge.iter().position(|&byte| byte == b'\n').unwrap();
    huge.drain(end - 10..end);
    assert_eq!(
        said(&huge),
        "expected data for the shape [99999999999, 9] of its header, got a file of 152 bytes"
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(rows in 0_usize..9, cols in 0_usize..9, seed in any::<u32>()) {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<f32> = (0..rows * cols)
            .map(|i| f32::from_bits(seed.wrapping_mul(2654435761).wrapping_add(i as u32) & 0x7f7f_ffff))
            .collect();
        for name in ["a.npy", "a.mtx"] {
            let file = folder.path().join(name);
            vector::write(&file, &[rows * cols], &numbers).unwrap();
            let array = vector::read(&file).unwrap();
            prop_assert_eq!(&array.shape, &[rows * cols]);
            prop_assert_eq!(&array.data, &numbers, "{}", name);
        }
        let file = folder.path().join("b.npy");
        npy::write(&file, &[rows, cols], &numbers).unwrap();
        prop_assert_eq!(npy::read(&file).unwrap().shape, [rows, cols]);
        prop_assert_eq!(npy::read(&file).unwrap().data, numbers);
    }
}

#[test]
fn writing_replaces_whole_files_and_leaves_nothing_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.npy");
    npy::write(&file, &[1000], &[1.0; 1000]).unwrap();
    npy::write(&file, &[2], &[2.0; 2]).unwrap();
    assert_eq!(npy::read(&file).unwrap().data, [2.0, 2.0]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = npy::write(&file, &[3], &[2.0; 2]).unwrap_err();
    assert!(error.to_string().ends_with("expected 3 numbers for shape [3], got shape [2]"));
    assert_eq!(npy::read(&file).unwrap().data, [2.0, 2.0], "a refusal leaves the file");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_are_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("x.npy"), folder.path().join("link.npy"));
    npy::write(&file, &[1], &[1.0]).unwrap();
    symlink(&file, &link).unwrap();
    npy::write(&link, &[1], &[2.0]).unwrap();
    assert!(link.is_symlink());
    assert_eq!(npy::read(&file).unwrap().data, [2.0]);
    assert_ne!(file.metadata().unwrap().permissions().mode() & 0o044, 0, "others may read it");
    npy::write("/dev/null", &[1], &[1.0]).unwrap();
    assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
    let text = npy::write(folder.path(), &[1], &[1.0]).unwrap_err().to_string();
    assert!(text.ends_with("cannot write it: is a directory"), "{text}");
}

/// The product of the sizes overflows: where overflow is checked, the library's product would
/// panic.
#[test]
fn sizes_that_overflow_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.npy");
    npy::write(&file, &[1, 1], &[1.0]).unwrap();
    for shape in
        ["(9223372036854775807, 3)", "(4294967296, 4294967296)", "(4294967296, 4294967296, 0)"]
    {
        let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (text.len() as u16).to_le_bytes();
        std::fs::write(&file, [b"\x93NUMPY\x01\0", &length[..], text.as_bytes()].concat()).unwrap();
        let error = npy::read(&file).unwrap_err();
        assert!(matches!(error, Error::Syntax { .. }), "{error}");
        assert!(error.to_string().contains("expected sizes whose product fits 64 bits"), "{error}");
    }
    let error = npy::write(&file, &[usize::MAX, 3], &[1.0]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
}

#[test]
fn a_vector_is_one_axis_whatever_its_format() {
    assert_eq!(
        vector::read(path("f4.npy")).unwrap_err().to_string(),
        "data/f4.npy: expected a vector: one axis, or two of which one has length 1, got shape [2, 3]"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("column.npy");
    npy::write(&file, &[3, 1], &[1.0, f32::NAN, 3.0]).unwrap();
    let text = vector::read(&file).unwrap_err().to_string();
    assert!(text.ends_with("expected finite numbers, got NaN at index [1, 0]"), "{text}");
}

fn matrix<T: Number>(name: &str) -> Matrix<T> {
    npy::read_matrix(path(name)).unwrap().0
}

fn no_matrix<T: Number>(name: &str) -> String {
    npy::read_matrix::<T>(path(name)).unwrap_err().to_string()
}

#[test]
fn a_matrix_is_read_in_every_type_that_holds_its_numbers() {
    let halves = Matrix::from_slices(&[&[0.0, 0.5, 1.0], &[1.5, 2.0, 2.5]]).unwrap();
    for name in ["f4.npy", "f8_exact.npy", "f8_big_endian.npy", "f8_fortran.npy"] {
        assert_eq!(
            npy::read_matrix::<f32>(path(name)).unwrap(),
            (halves.clone(), Default::default())
        );
    }
    for name in ["i4.npy", "i8.npy", "u1.npy"] {
        assert_eq!(
            matrix(name),
            Matrix::from_slices(&[&[0.0, 1.0, 2.0], &[3.0, 4.0, 5.0]]).unwrap()
        );
        assert_eq!(matrix(name), Matrix::from_slices(&[&[0_i16, 1, 2], &[3, 4, 5]]).unwrap());
        assert_eq!(matrix(name), Matrix::from_slices(&[&[0_i32, 1, 2], &[3, 4, 5]]).unwrap());
    }
    assert_eq!(
        matrix::<i16>("i2_fortran.npy"),
        Matrix::from_slices(&[&[1, -2, 3], &[4, -5, 6]]).unwrap()
    );
    assert!(npy::read_matrix::<f32>(path("f8_rounded.npy")).unwrap().1.rounded);
    assert_eq!(matrix::<f32>("empty.npy").shape(), Shape::new(0, 3));
}

#[test]
fn what_is_no_matrix_of_a_type_is_refused_and_told_why() {
    assert_eq!(
        no_matrix::<f32>("fortran_3d.npy"),
        "data/fortran_3d.npy: expected a matrix: two axes, got shape [2, 3, 4]"
    );
    assert!(no_matrix::<f32>("scalar.npy").ends_with("expected a matrix: two axes, got shape []"));
    assert_eq!(
        no_matrix::<i16>("i8_inexact.npy"),
        "data/i8_inexact.npy: the integer 16777217 at index [1, 1] does not fit 16 bits: take a wider type, or \
         scale the data"
    );
    assert!(matrix::<i32>("i8_inexact.npy").elements().contains(&16777217));
    assert!(
        no_matrix::<i32>("i8_fortran_wide.npy").contains("the integer -2147483649 at index [0, 2]")
    );
    for (said, width) in [(no_matrix::<i16>("f4.npy"), 2), (no_matrix::<i32>("f4.npy"), 4)] {
        assert_eq!(
            said,
            format!(
                "data/f4.npy: an array of '<f4' is not supported: expected i1, i2, i4, i8 or u1 (in NumPy: \
                 array.astype('i{width}'))"
            )
        );
    }
}

#[test]
fn a_matrix_that_is_written_is_read_back_in_its_type() {
    fn returns<T: Number>(descr: &str) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.npy");
        for (rows, cols) in [(0, 0), (0, 3), (3, 0), (1, 1), (17, 257)] {
            let matrix = Matrix::<T>::random(Shape::new(rows, cols), 1).unwrap();
            npy::write_matrix(&file, &matrix).unwrap();
            assert_eq!(npy::read_matrix(&file).unwrap(), (matrix, Default::default()));
            let header = std::fs::read(&file).unwrap();
            assert!(String::from_utf8_lossy(&header[..128]).contains(descr), "{descr}");
        }
    }
    returns::<f32>("'<f4'");
    returns::<i16>("'<i2'");
    returns::<i32>("'<i4'");
}

#[test]
fn an_extension_that_is_not_known_lists_both() {
    for (name, got) in [("x.csv", ".csv"), ("x", "none")] {
        let expected = format!("{name}: expected a name ending in .npy or .mtx, got {got}");
        assert_eq!(vector::read(name).unwrap_err().to_string(), expected);
        assert_eq!(vector::write(name, &[0], &[]).unwrap_err().to_string(), expected);
        assert!(matches!(vector::check_name(name), Err(Error::Extension { .. })));
    }
    assert!(vector::check_name("folder.d/X.NPY").is_ok());
}

#[test]
fn four_systems_fit_either_format() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.mtx");
    vector::write(&file, &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "%%MatrixMarket matrix array real general\n2 3\n1e0\n4e0\n2e0\n5e0\n3e0\n6e0\n"
    );
    let text = vector::write(&file, &[1, 1, 1], &[1.0]).unwrap_err().to_string();
    assert!(text.ends_with(
        "expected one or two axes, which is what a .mtx file holds, got shape [1, 1, 1]"
    ));
}

#[test]
fn vectors_of_bytes_stay_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bytes.npy");
    npy::write_bytes(&file, &[0, 7, 255]).unwrap();
    let array = npy::read_vector(&file).unwrap();
    assert_eq!((array.shape, array.data, array.bytes), (vec![3], vec![0.0, 7.0, 255.0], true));
    npy::write(&file, &[2], &[f32::NAN, 1.0]).unwrap();
    let array = npy::read_vector(&file).unwrap();
    assert!(array.data[0].is_nan() && !array.bytes);
    npy::write(&file, &[2, 2], &[1.0; 4]).unwrap();
    assert!(npy::read_vector(&file).unwrap_err().to_string().contains("got shape [2, 2]"));
}

/// Half precision in both orders of bytes: 1, -2, the largest and the smallest number, an infinity
/// and NaN.
#[test]
fn halves_are_read_exactly_in_either_order_of_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("h.npy");
    let bits = [0x3c00_u16, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x7e00];
    let wanted = [1.0, -2.0, 65504.0, 2.0_f32.powi(-24), f32::INFINITY];
    let little: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let big: Vec<u8> = bits.iter().flat_map(|bits| bits.to_be_bytes()).collect();
    for (descr, bytes) in [("<f2", little), (">f2", big)] {
        std::fs::write(&file, crate::files::npy(descr, false, "(6,)", &bytes)).unwrap();
        let array = npy::read(&file).unwrap();
        assert_eq!((&array.data[..5], array.half, array.rounded), (&wanted[..], true, false));
        assert!(array.data[5].is_nan());
        assert_eq!(npy::read_f64(&file).unwrap().data[2], 65504.0);
        let (field, _) = quadrille_run::io::field::read(&file).unwrap();
        assert!(field.is_half() && field.shape() == [6]);
    }
    assert!(!npy::read(path("f4.npy")).unwrap().half);
}
