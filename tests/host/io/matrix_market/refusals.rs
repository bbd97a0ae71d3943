//! Matrix Market files that are refused, and the text of every refusal.

use std::path::Path;

use quadrille::io::matrix_market::{read_nine_banded, read_vector};
use quadrille::{Kind, Place};

/// File, what is said after its name, in the order of `tests/data/bad`.
const BAD: [(&str, &str); 24] = [
    ("bad_number", ":7: expected a number such as -1.5e3 for row 3, column 3, got `1.2.3`"),
    ("bad_sizes", ":2: expected the sizes `rows columns entries`, got `4 4`"),
    ("column_out_of_range", ":4: expected a column from 1 to 4, got `5`"),
    ("complex", ":1: `complex` is not supported: expected `real` or `integer`"),
    (
        "empty",
        ":1: expected the header `%%MatrixMarket matrix coordinate|array real|integer general|symmetric`, got an empty file",
    ),
    (
        "far_apart",
        ":5: not nine-banded, as operators on grids of 5 or 9 points are: the entry in row 1, column 21 is on diagonal +20, but the entries before it \
         leave only a width among [6, 7, 8], with diagonals +-(m-1), +-m, +-(m+1) beside the three in the middle",
    ),
    ("hermitian", ":1: `hermitian` is not supported: expected `general` or `symmetric`"),
    ("infinite", ":3: expected finite numbers, got -inf at row 3, column 3"),
    ("nan", ":4: expected finite numbers, got NaN at row 3, column 2"),
    (
        "no_header",
        ":1: expected the header `%%MatrixMarket matrix coordinate|array real|integer general|symmetric`, got `3 3 1`",
    ),
    ("no_sizes", ":2: expected the sizes `rows columns entries`, got the end of the file"),
    ("not_integer", ":3: expected an integer for row 1, column 1, got `1.5`"),
    (
        "not_nine_banded",
        ":7: not nine-banded, as operators on grids of 5 or 9 points are: the entry in row 20, column 25 is on diagonal +5, but the entries before it leave \
         only the width 7, where the diagonals are 0, +-1, +-6, +-7, +-8",
    ),
    ("not_square", ":2: expected a square matrix, got 4 rows and 5 columns"),
    (
        "overflow",
        ":3: 1e39 at row 3, column 3 does not fit single precision (largest 3.4028235e38): scale the data",
    ),
    ("pattern", ":1: `pattern` is not supported: expected `real` or `integer`"),
    ("row_zero", ":3: expected a row from 1 to 4, got `0`"),
    ("skew", ":1: `skew-symmetric` is not supported: expected `general` or `symmetric`"),
    (
        "sum_overflow",
        ":4: 6e38 at row 3, column 3 does not fit single precision (largest 3.4028235e38): scale the data",
    ),
    ("too_few", ":4: expected 3 entries, got 2 and the end of the file"),
    ("too_many", ":4: expected the end of the file after 1 entries, got `2 2 1.0`"),
    (
        "tridiagonal",
        ": the width of the grid is unknown, because the file has entries on the three middle diagonals alone: \
         give the width of the grid, at least 3 (each fits this matrix)",
    ),
    ("two_fields", ":3: expected `row column value`, got `1 1`"),
    ("zero_rows", ": expected a matrix of at least one row, got bands of length 0"),
];

#[test]
fn every_bad_file_is_refused_with_its_line() {
    for (name, said) in BAD {
        let path = format!("data/bad/{name}.mtx");
        let error = read_nine_banded(&path, None).unwrap_err();
        assert_eq!(error.to_string(), format!("{path}{said}"));
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(error.place().map(|place| place.file.as_str()), Some(path.as_str()));
    }
}

#[test]
fn every_bad_file_is_in_the_list() {
    let also = ["upper_in_symmetric", "two_columns"];
    for file in std::fs::read_dir("data/bad").unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let known = BAD.iter().any(|(known, _)| *known == name) || also.contains(&name.as_str());
        assert!(known, "{name} is tested nowhere");
    }
}

#[test]
fn an_entry_above_the_diagonal_of_a_symmetric_file_is_refused() {
    let path = "data/bad/upper_in_symmetric.mtx";
    let error = read_nine_banded(path, None).unwrap_err();
    assert_eq!(error.place(), Some(&Place::line(path, 4)));
    assert_eq!(
        error.to_string(),
        format!(
            "{path}:4: expected an entry of the lower triangle, which is all that a symmetric file stores, \
             got row 1, column 2"
        )
    );
}

#[test]
fn a_given_width_decides_what_is_refused() {
    let path = "data/recirc_flow.mtx";
    assert_eq!(
        read_nine_banded(path, Some(14)).unwrap_err().to_string(),
        format!(
            "{path}:7: not nine-banded, as operators on grids of 5 or 9 points are: the entry in row 1, column 17 is on diagonal +16, but with the given \
             width 14 the diagonals are 0, +-1, +-13, +-14, +-15"
        )
    );
    assert!(read_nine_banded(path, Some(15)).is_ok());
    assert!(
        read_nine_banded(path, Some(2))
            .unwrap_err()
            .to_string()
            .starts_with(&format!("{path}: expected a width m of at least 3, got 2"))
    );
}

#[test]
fn a_missing_file_says_so() {
    let error = read_nine_banded("none.mtx", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "none.mtx: cannot read it: No such file or directory (os error 2)"
    );
    assert_eq!(error.kind(), Kind::Io);
    let error = read_nine_banded(Path::new("data"), None).unwrap_err();
    assert_eq!(error.to_string(), "data: cannot read it: Is a directory (os error 21)");
}

#[test]
fn bytes_that_are_no_text_are_refused_and_not_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binary.mtx");
    let said = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let text = read_nine_banded(&path, None).unwrap_err().to_string();
        text.rsplit_once("binary.mtx").unwrap().1.to_string()
    };
    assert_eq!(
        said(&vec![b'x'; 1 << 20]),
        ":1: expected lines of text, shorter than 65536 bytes, got a longer one"
    );
    assert_eq!(said(b"\xff\xfe\n"), ":1: expected plain text, got bytes that are not UTF-8");
    let huge = "%%MatrixMarket matrix coordinate real general\n18446744073709551615 18446744073709551615 1\n1 1 1\n";
    assert!(said(huge.as_bytes()).starts_with(": the number of unknowns is 18446744073709551615"));
}

#[test]
fn a_vector_file_is_one_column() {
    let path = "data/bad/two_columns.mtx";
    assert_eq!(
        read_vector(path).unwrap_err().to_string(),
        format!(
            "{path}:2: expected one column of at most 1073741824 rows, got 2 rows and 2 columns"
        )
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.mtx");
    std::fs::write(
        &path,
        "%%MatrixMarket matrix coordinate real general\n4 1 3\n2 1 1.5\n4 1 1\n4 1 2\n",
    )
    .unwrap();
    assert_eq!(read_vector(&path).unwrap(), [0.0, 1.5, 0.0, 3.0]);
    std::fs::write(&path, "%%MatrixMarket matrix array real general\n2 1\n1\nnan\n").unwrap();
    let text = read_vector(&path).unwrap_err().to_string();
    assert!(
        text.ends_with("v.mtx:4: expected finite numbers, got NaN at row 2, column 1"),
        "{text}"
    );
}

/// A claim of 8 GiB in a few bytes: it is refused before room for it is asked for.
#[test]
fn more_entries_than_the_file_has_room_for_are_refused_at_its_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.mtx");
    let refused = |format: &str, sizes: &str, wanted: &str| {
        let text = format!("%%MatrixMarket matrix {format} real general\n{sizes}\n1\n");
        std::fs::write(&path, &text).unwrap();
        let mut said = Vec::new();
        let spent = allocation_counter::measure(|| {
            said.extend(read_vector(&path).err().map(|error| error.to_string()));
            said.extend(read_nine_banded(&path, Some(3)).err().map(|error| error.to_string()));
        });
        assert!(spent.bytes_max < 1 << 18, "{} bytes", spent.bytes_max);
        let bytes = text.len();
        let expected = format!(
            "v.mtx:2: expected {wanted} entries, got a file of {bytes} bytes, which holds fewer"
        );
        assert!(said.len() == 2 && said.iter().all(|said| said.ends_with(&expected)), "{said:?}");
    };
    refused("array", "1073741824 1", "1073741824");
    refused("array", "1073741824 1073741824", "1152921504606846976");
    refused("array", "18446744073709551615 2", "18446744073709551615");
    refused("coordinate", "3 1 1000", "1000");
    refused("coordinate", "3 1 18446744073709551615", "18446744073709551615");
}
