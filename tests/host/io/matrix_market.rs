//! Matrix Market files: real ones, every sort that is read, and every one that is written.

mod parts;
mod refusals;

use std::fmt::Write;

use proptest::prelude::*;
use quadrille::Shape;
use quadrille::data::{Band, NineBanded, Stencil, random_couplings};
use quadrille::internal::reference::first_wrong;
use quadrille::io::Error;
use quadrille::io::matrix_market::{
    read_nine_banded, read_nine_banded_f64, read_vector, write_array, write_nine_banded,
    write_vector,
};
use quadrille::io::vector;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn read_text(text: &str, width: Option<usize>) -> Result<NineBanded, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    std::fs::write(&path, text).unwrap();
    read_nine_banded(path, width)
}

fn matrix(text: &str) -> NineBanded {
    read_text(text, None).unwrap()
}

fn random(n: usize, m: usize, seed: u64) -> NineBanded {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    random_couplings(n, m, || generator.random_range(-1.0..1.0)).unwrap()
}

/// The entries of the file in the order of their rows or, in the other order, of their columns.
fn coordinate_text(matrix: &NineBanded, by_rows: bool) -> String {
    let n = matrix.n();
    let places = (0..n * n).map(|k| if by_rows { (k / n, k % n) } else { (k % n, k / n) });
    let entries: Vec<_> = places.filter(|&(i, j)| matrix.entry(i, j) != 0.0).collect();
    let mut text =
        format!("%%MatrixMarket matrix coordinate real general\n{n} {n} {}\n", entries.len());
    for (i, j) in entries {
        writeln!(text, "{} {} {:e}", i + 1, j + 1, f64::from(matrix.entry(i, j))).unwrap();
    }
    text
}

#[test]
fn recirc_flow_is_nine_banded_and_not_dominant() {
    let matrix = read_nine_banded("data/recirc_flow.mtx", None).unwrap();
    assert_eq!((matrix.n(), matrix.m()), (225, 15));
    let entries = Band::ALL.iter().flat_map(|&band| matrix.band(band)).filter(|&&a| a != 0.0);
    assert_eq!(entries.count(), 1849);
    // The first two lines of the file's entries.
    assert_eq!(matrix.entry(0, 0), 6.169790924434307E-2_f64 as f32);
    assert_eq!(matrix.entry(0, 1), -4.3734196079103144E-2_f64 as f32);
    assert!(matrix.first_not_dominant_row().is_some());
    assert_eq!(matrix.first_zero_diagonal(), None);
}

#[test]
fn a_symmetric_finite_element_file_is_our_stencil() {
    let file = read_nine_banded("data/fe9_12x12.mtx", None).unwrap();
    let stencil: Stencil = "fe9:12:anisotropy=0.01:angle=30".parse().unwrap();
    let ours = stencil.matrix().unwrap();
    assert_eq!((file.n(), file.m()), (ours.n(), ours.m()));
    for band in Band::ALL {
        // Double precision differs in the last bits, so that rounding may fall to the other side.
        let expected = ours.band(band).iter().map(|entry| f64::from(*entry));
        let expected = expected.map(|entry| (entry, f64::from(f32::EPSILON) * entry.abs()));
        assert_eq!(first_wrong(file.band(band).iter().copied(), expected), None, "{band}");
    }
}

proptest! {
    #[test]
    fn a_written_matrix_is_read_back(n in 1_usize..50, m in 3_usize..12, seed in any::<u64>(), by_rows: bool) {
        let matrix = random(n, m, seed);
        let text = coordinate_text(&matrix, by_rows);
        prop_assert_eq!(read_text(&text, Some(m)).unwrap(), matrix.clone());
        // Without the width: the same entries, and the same width where the farthest diagonals
        // exist.
        match read_text(&text, None) {
            Ok(found) => {
                for i in 0..n {
                    for j in 0..n {
                        prop_assert_eq!(found.entry(i, j), matrix.entry(i, j));
                    }
                }
                prop_assert!(n <= m + 1 || found.m() == m);
            }
            Err(error) => prop_assert!(n < m && matches!(error, Error::WidthOpen { .. }), "{}", error),
        }
    }

    #[test]
    fn vectors_are_read_back(numbers in prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL, 0..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.mtx");
        write_vector(&path, &numbers).unwrap();
        prop_assert_eq!(read_vector(&path).unwrap(), numbers);
    }
}

#[test]
fn the_width_is_found_from_the_diagonals_present() {
    let with = |columns: &[usize]| {
        let mut text =
            format!("%%MatrixMarket matrix coordinate real general\n40 40 {}\n", columns.len());
        columns.iter().for_each(|column| writeln!(text, "1 {column} 1").unwrap());
        matrix(&text).m()
    };
    assert_eq!(with(&[1, 11]), 10, "the largest offset itself");
    assert_eq!(with(&[1, 11, 12, 10]), 10, "one less than the largest");
    assert_eq!(with(&[1, 10, 12]), 10, "also where the middle one is missing");
    assert_eq!(with(&[10, 11]), 10, "UL and UD rather than UD and UU");
    assert_eq!(with(&[1, 3]), 3, "offset 2 is one less than the narrowest width");
    assert_eq!(with(&[1, 4]), 3);
}

#[test]
fn every_sort_of_file_gives_the_matrix_it_says() {
    let comments = "%%matrixmarket MATRIX Coordinate Integer General\r\n% a comment\r\n\r\n 5 5 6\r\n\
        1 1 2\r\n2 2 2\r\n% between\r\n3 3 2\r\n\r\n4 4 2\r\n5 5 2\r\n5 1 -1\r\n\r\n% end\r\n";
    let general = matrix(comments);
    assert_eq!((general.m(), general.entry(4, 0), general.entry(0, 4)), (4, -1.0, 0.0));
    let symmetric = matrix(&comments.replace("General", "Symmetric"));
    assert_eq!((symmetric.entry(4, 0), symmetric.entry(0, 4)), (-1.0, -1.0));
    let array = "%%MatrixMarket matrix array real general\n4 4\n\
        2\n0\n0\n-1\n 0\n2\n0\n0\n 0\n0\n2\n0\n -3\n0\n0\n2\n";
    let dense = matrix(array);
    assert_eq!((dense.m(), dense.entry(3, 0), dense.entry(0, 3)), (3, -1.0, -3.0));
    let half = "%%MatrixMarket matrix array real symmetric\n4 4\n2\n0\n0\n-1\n3\n0\n0\n4\n0\n5\n";
    let half = matrix(half);
    assert_eq!((half.entry(3, 0), half.entry(0, 3)), (-1.0, -1.0));
    assert_eq!(half.band(Band::DD), [2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn duplicates_are_summed_in_double_precision_and_zeros_count_for_nothing() {
    let text = "%%MatrixMarket matrix coordinate real general\n9 9 6\n\
        1 1 1e8\n1 1 1\n1 1 -1e8\n1 4 2\n1 9 0\n9 1 0.0\n";
    let matrix = matrix(text);
    assert_eq!((matrix.m(), matrix.entry(0, 0), matrix.entry(0, 3)), (3, 1.0, 2.0));
}

#[test]
fn an_open_width_can_be_given() {
    let path = "data/bad/tridiagonal.mtx";
    let matrix = read_nine_banded(path, Some(4)).unwrap();
    assert_eq!((matrix.m(), matrix.entry(0, 1), matrix.entry(0, 0)), (4, -1.0, 2.0));
}

/// Files of the shortest lines there are, without the end of the last.
#[test]
fn the_shortest_lines_there_are_are_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.mtx");
    let read = |text: String| {
        std::fs::write(&path, text).unwrap();
        read_vector(&path)
    };
    // The header is shorter than the entries: only these are many.
    let many = ["1"; 1000];
    let array = format!("%%MatrixMarket matrix array real general\n1000 1\n{}", many.join("\n"));
    assert_eq!(read(array).unwrap(), [1.0; 1000]);
    let entries = ["1 1 1"; 1000].join("\n");
    let coordinate = format!("%%MatrixMarket matrix coordinate real general\n2 1 1000\n{entries}");
    assert_eq!(read(coordinate).unwrap(), [1000.0, 0.0]);
}

#[test]
fn a_matrix_of_another_size_than_its_numbers_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    let text = write_array(&path, Shape::new(2, 2), &[1.0; 3]).unwrap_err().to_string();
    assert!(text.ends_with("expected 4 numbers for a 2 x 2 matrix, got shape [3]"), "{text}");
    assert!(!path.exists());
}

/// A matrix whose entries need all digits, symmetric or not.
fn doubles(n: usize, m: usize, seed: u64, symmetric: bool) -> NineBanded<f64> {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    let mut bands = Band::ALL.map(|_| vec![0.0; n]);
    for row in 0..n {
        for col in 0..n {
            let Some(band) = Band::at_offset(col as isize - row as isize, m) else { continue };
            let scale = 10.0_f64.powi(generator.random_range(-300..300));
            let mirrored = Band::at_offset(row as isize - col as isize, m).unwrap();
            bands[band.index()][row] = match symmetric && col < row {
                true => bands[mirrored.index()][col],
                false => scale * generator.random_range(-1.0..1.0),
            };
        }
    }
    NineBanded::new(m, bands).unwrap()
}

#[test]
fn a_matrix_is_written_to_the_last_digit_and_half_of_a_symmetric_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    for (n, m) in [(1, 3), (2, 5), (9, 3), (23, 5), (40, 9), (17, 30)] {
        for symmetric in [false, true] {
            let matrix = doubles(n, m, 7, symmetric);
            write_nine_banded(&path, &matrix).unwrap();
            let header = std::fs::read_to_string(&path).unwrap();
            // One unknown is symmetric in any case.
            let word = if symmetric || n == 1 { "symmetric" } else { "general" };
            assert!(header.lines().next().unwrap().ends_with(word), "{n} in rows of {m}");
            let again = read_nine_banded_f64(&path, Some(m)).unwrap();
            assert!(again == matrix, "{n} in rows of {m}, symmetric: {symmetric}");
            if n > m + 1 {
                assert!(read_nine_banded_f64(&path, None).unwrap() == matrix);
            }
        }
    }
}

#[test]
fn doubles_keep_what_single_precision_refuses_or_rounds() {
    let text =
        "%%MatrixMarket matrix coordinate real general\n9 9 3\n1 1 1e39\n2 2 0.1\n1 4 1e-60\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_nine_banded_f64(&path, None)
    };
    let matrix = read(text).unwrap();
    assert_eq!((matrix.entry(0, 0), matrix.entry(1, 1), matrix.entry(0, 3)), (1e39, 0.1, 1e-60));
    let said = read(&text.replace("1e39", "1e309")).unwrap_err().to_string();
    let expected = "a.mtx:3: 1e309 at row 1, column 1 does not fit double precision \
                    (largest 1.7976931348623157e308): scale the data";
    assert!(said.ends_with(expected), "{said}");
}

#[test]
fn vectors_of_doubles_are_read_and_written_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = [0.1, -1e300, 5e-324, 1.0 / 3.0, 0.0];
    for name in ["x.npy", "x.mtx"] {
        let path = folder.path().join(name);
        vector::write_f64(&path, &[5], &numbers).unwrap();
        let array = vector::read_f64(&path).unwrap();
        assert_eq!((&array.data[..], array.rounded), (&numbers[..], false), "{name}");
        assert!(vector::read(&path).is_err(), "{name}: 1e300 fits no single-precision number");
        vector::write_f64(&path, &[1], &[f64::NAN]).unwrap();
        assert!(vector::read_f64(&path).is_err(), "{name}");
        vector::write(&path, &[2], &[0.1, 3.0]).unwrap();
        assert_eq!(vector::read_f64(&path).unwrap().data, [f64::from(0.1_f32), 3.0], "{name}");
    }
}
