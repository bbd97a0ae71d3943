//! Parts of `.npy` arrays, read and written without the rest.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use quadrille::data::{Block, Matrix};
use quadrille::io::Error;
use quadrille::io::npy::{self, Parts, Reader, Unfinished};

/// Writes an array as NumPy would: `descr` tells how `bytes` encodes a number, `order` the numbers'
/// indices in row-major order.
fn numpy(
    path: &Path,
    (descr, fortran): (&str, bool),
    shape: &[usize],
    bytes: impl Fn(usize) -> Vec<u8>,
) {
    let axes: String = shape.iter().map(|axis| format!("{axis}, ")).collect();
    let order = if fortran { "True" } else { "False" };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({axes})}}");
    text += &" ".repeat(63 - (10 + text.len()) % 64);
    text.push('\n');
    let mut file = b"\x93NUMPY\x01\0".to_vec();
    file.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
    file.extend(text.as_bytes());
    match *shape {
        [rows, cols] if fortran => {
            let stored = (0..cols).flat_map(|col| (0..rows).map(move |row| row * cols + col));
            stored.for_each(|at| file.extend(bytes(at)));
        }
        _ => (0..shape.iter().product()).for_each(|at| file.extend(bytes(at))),
    }
    fs::write(path, file).unwrap();
}

/// A number at each index, that all types hold.
fn number(at: usize) -> u8 {
    (at * 37 % 127) as u8
}

/// Writes the same array in a file of each type and order.
fn of_every_type(folder: &Path, shape: &[usize]) -> Vec<std::path::PathBuf> {
    type Encode = fn(u8) -> Vec<u8>;
    let types: [(&str, Encode); 7] = [
        ("<f4", |x| f32::from(x).to_le_bytes().to_vec()),
        (">f4", |x| f32::from(x).to_be_bytes().to_vec()),
        ("<f8", |x| f64::from(x).to_le_bytes().to_vec()),
        (">i2", |x| i16::from(x).to_be_bytes().to_vec()),
        ("<i4", |x| i32::from(x).to_le_bytes().to_vec()),
        ("<i8", |x| i64::from(x).to_le_bytes().to_vec()),
        ("|u1", |x| vec![x]),
    ];
    let write = |(which, ((descr, encode), fortran)): (usize, ((&str, Encode), bool))| {
        let path = folder.join(format!("{which}.npy"));
        numpy(&path, (descr, fortran), shape, |at| encode(number(at)));
        path
    };
    let orders = types.into_iter().flat_map(|kind| [(kind, false), (kind, true)]);
    orders.enumerate().map(write).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_rectangle_is_that_of_the_whole(
        height in 1_usize..20, width in 1_usize..20, ends in any::<[u8; 4]>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let between = |a: u8, b: u8, most: usize| {
            let (a, b) = (usize::from(a) % (most + 1), usize::from(b) % (most + 1));
            a.min(b)..a.max(b)
        };
        let (rows, cols) = (between(ends[0], ends[1], height), between(ends[2], ends[3], width));
        let expected: Vec<f32> = rows
            .clone()
            .flat_map(|row| cols.clone().map(move |col| number(row * width + col).into()))
            .collect();
        for path in of_every_type(folder.path(), &[height, width]) {
            let mut reader = Reader::open(&path).unwrap();
            let (part, notes) = reader.rectangle::<f32>(rows.clone(), cols.clone()).unwrap();
            prop_assert_eq!(part.elements(), &expected[..], "{:?}", path);
            prop_assert!(!notes.rounded);
            let (all, _) = reader.rectangle::<f32>(0..height, 0..width).unwrap();
            prop_assert!(all == npy::read_matrix::<f32>(&path).unwrap().0);
        }
    }

    #[test]
    fn a_block_is_that_of_the_grid(n in 1_usize..90, m in 3_usize..12, ends in any::<[u8; 4]>()) {
        let folder = tempfile::tempdir().unwrap();
        let within = |a: u8, b: u8, most: usize| {
            let (a, b) = (usize::from(a) % most, usize::from(b) % most);
            a.min(b)..a.max(b) + 1
        };
        let rows = n.div_ceil(m);
        let block =
            Block { columns: within(ends[0], ends[1], m), rows: within(ends[2], ends[3], rows) };
        let expected: Vec<f64> = block
            .rows
            .clone()
            .flat_map(|row| block.in_row(row, n, m))
            .map(|at| number(at).into())
            .collect();
        let grid = (n % m == 0).then(|| vec![rows, m]);
        for shape in [vec![n], vec![n, 1], vec![1, n]].into_iter().chain(grid) {
            for path in of_every_type(folder.path(), &shape) {
                let (part, _) = Reader::open(&path).unwrap().block_f64(&block, n, m).unwrap();
                prop_assert_eq!(&part, &expected, "{:?} {:?}", path, shape);
            }
        }
    }

    #[test]
    fn parts_make_a_whole(n in 1_usize..90, m in 3_usize..12, cut in any::<[u8; 2]>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let rows = n.div_ceil(m);
        let (left, above) = (usize::from(cut[0]) % m, usize::from(cut[1]) % rows);
        let blocks = [above..rows, 0..above].into_iter().flat_map(|rows| {
            [left..m, 0..left].map(|columns| Block { columns, rows: rows.clone() })
        });
        let blocks: Vec<Block> =
            blocks.filter(|block| !block.columns.is_empty() && !block.rows.is_empty()).collect();
        let whole: Vec<f64> = (0..n).map(|at| at as f64 + 0.1).collect();
        let grid = (n % m == 0).then(|| vec![rows, m]);
        for shape in [vec![n]].into_iter().chain(grid) {
            for missing in [None, Some(0)] {
                let file = Unfinished::create::<f64>(&path, &shape).unwrap();
                for (_, block) in blocks.iter().enumerate().filter(|(at, _)| Some(*at) != missing) {
                    let indices = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
                    let numbers: Vec<f64> = indices.map(|at| whole[at]).collect();
                    let mut parts = Parts::open(file.temporary(), &path).unwrap();
                    parts.write_block(block, n, m, &numbers).unwrap();
                    parts.finish().unwrap();
                }
                file.finish().unwrap();
                let read = npy::read_f64(&path).unwrap();
                prop_assert_eq!(&read.shape, &shape);
                let lost = missing.map(|at: usize| blocks[at].len(n, m));
                // A part that is not written is noticed.
                prop_assert_eq!(read.data == whole, lost.unwrap_or(0) == 0);
            }
        }
    }
}

#[test]
fn rectangles_of_a_product_make_a_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.npy");
    let matrix = Matrix::<i32>::random(quadrille::Shape::new(5, 7), 1).unwrap();
    let file = Unfinished::create::<i32>(&path, &[5, 7]).unwrap();
    for (rows, cols) in [(0..5, 3..7), (0..2, 0..3), (2..5, 0..3)] {
        let of_row = |row: usize| &matrix.elements()[row * 7..][cols.clone()];
        let part: Vec<i32> = rows.clone().flat_map(of_row).copied().collect();
        let mut parts = Parts::open(file.temporary(), &path).unwrap();
        parts.write_rectangle(rows, cols, &part).unwrap();
    }
    file.finish().unwrap();
    assert!(npy::read_matrix::<i32>(&path).unwrap().0 == matrix);
}

#[test]
fn a_file_that_is_not_finished_leaves_the_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    npy::write(&path, &[2], &[1.0, 2.0]).unwrap();
    drop(Unfinished::create::<f32>(&path, &[3]).unwrap());
    assert_eq!(npy::read(&path).unwrap().data, [1.0, 2.0]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        Unfinished::create::<f32>(&path, &[3]).unwrap().finish().unwrap();
        assert_eq!(npy::read(&path).unwrap().data, [0.0; 3]);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let name = path.display().to_string();
    let says = |error: Error| error.to_string().replace(&name, "a.npy");
    npy::write(&path, &[2, 3], &[1.0, f32::NAN, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    let refused = reader.rectangle::<f32>(1..3, 0..3).unwrap_err();
    assert_eq!(
        says(refused),
        "a.npy: expected a matrix with rows 1..3 and columns 0..3 in it, got shape [2, 3]"
    );
    let whole = |n, m| Block::whole(n, m);
    let refused = reader.block(&whole(6, 4), 6, 4).unwrap_err();
    assert_eq!(says(refused), "a.npy: expected 6 numbers, got shape [2, 3]");
    let refused = reader.block(&whole(9, 3), 9, 3).unwrap_err();
    assert_eq!(says(refused), "a.npy: expected 9 numbers, or 3 rows of 3, got shape [2, 3]");
    let refused = reader.block(&whole(9, 3), 6, 3).unwrap_err();
    assert!(says(refused).starts_with("a.npy: expected a block of columns in 0..3"));
    let refused = reader.rectangle::<i32>(0..1, 0..1).unwrap_err();
    assert!(says(refused).starts_with("a.npy: an array of '<f4' is not supported"));

    numpy(&path, ("<f8", true), &[2, 3], |at| 1e39_f64.powi((at == 5).into()).to_le_bytes().into());
    let mut reader = Reader::open(&path).unwrap();
    assert!(reader.rectangle::<f32>(0..2, 0..2).is_ok());
    let refused = says(reader.rectangle::<f32>(1..2, 2..3).unwrap_err());
    assert!(refused.starts_with("a.npy: 1e39 at index [1, 2] does not fit"), "{refused}");

    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let refused = says(Reader::open(&path).unwrap_err());
    assert!(refused.contains("expected") && refused.contains("a file of"), "{refused}");
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let refused = says(Reader::open(&path).unwrap_err());
    let (expected, got) = (bytes.len(), bytes.len() + 1);
    assert_eq!(
        refused,
        format!(
            "a.npy: expected {expected} bytes for the shape [2, 3] of its header, got a file of {got} bytes"
        )
    );
    let refused = Reader::open(folder.path()).unwrap_err().to_string();
    assert!(refused.contains("what is no regular file"), "{refused}");
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let name = path.display().to_string();
    let says = |error: Error| error.to_string().replace(&name, "a.npy");
    let file = Unfinished::create::<f32>(&path, &[2, 3]).unwrap();
    let mut parts = Parts::open(file.temporary(), &path).unwrap();
    let refused = parts.write_rectangle(0..2, 2..4, &[0.0_f32; 4]).unwrap_err();
    assert_eq!(
        says(refused),
        "a.npy: expected a matrix with rows 0..2 and columns 2..4 in it, got shape [2, 3]"
    );
    let refused = parts.write_rectangle(0..2, 2..3, &[0.0_f32; 4]).unwrap_err();
    assert_eq!(says(refused), "a.npy: expected 2 numbers for this part, got shape [4]");
    let refused = parts.write_rectangle(0..2, 2..3, &[0.0_f64; 2]).unwrap_err();
    assert_eq!(says(refused), "a.npy: expected an array of '<f8', as its part is, got '<f4'");
    let refused = parts.write_block(&Block::whole(6, 4), 6, 4, &[0.0_f32; 6]).unwrap_err();
    assert_eq!(
        says(refused),
        "a.npy: expected 6 numbers, or as many in rows of 4, got shape [2, 3]"
    );
    let refused = Unfinished::create::<f32>(folder.path(), &[1]).map(drop).unwrap_err();
    assert!(refused.to_string().contains("what is no regular file"), "{refused}");
    let refused = Unfinished::create::<f32>(&path, &[1 << 62, 1 << 62]).map(drop).unwrap_err();
    assert!(says(refused).starts_with("a.npy: expected less than 2^62 bytes of numbers"));
    drop((file, parts));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
