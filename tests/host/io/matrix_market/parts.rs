//! Blocks of matrices and of vectors, read from files without keeping the rest.

use std::fs;
use std::path::Path;

use quadrille::data::{Block, NineBanded, Stencil};
use quadrille::io::matrix_market::{
    Outline, outline, read_block, read_block_f64, read_nine_banded, write_nine_banded,
};
use quadrille::io::{npy, vector};

use super::{coordinate_text, random};

/// Four blocks, or two strips of whole rows.
fn blocks(n: usize, m: usize, strips: bool) -> Vec<Block> {
    let rows = n.div_ceil(m);
    let across = if strips { 0 } else { m / 2 };
    let of_rows = |rows: std::ops::Range<usize>| {
        [0..across, across..m].map(|columns| Block { columns, rows: rows.clone() })
    };
    let blocks = [0..rows / 3, rows / 3..rows].into_iter().flat_map(of_rows);
    blocks.filter(|block| block.len(n, m) > 0).collect()
}

fn assert_read_in_blocks(path: &Path, matrix: &NineBanded, across_ends: bool) {
    let (n, m) = (matrix.n(), matrix.m());
    let found = outline(path, None).unwrap();
    assert_eq!(found, Outline { n, m, couples_across_ends: across_ends });
    for block in blocks(n, m, false).into_iter().chain(blocks(n, m, true)) {
        let expected = match matrix.block(&block) {
            Ok(expected) => expected,
            Err(expected) => {
                assert!(across_ends && block.width() < m, "{expected}");
                let refused = read_block(path, &found, &block).unwrap_err().to_string();
                assert!(refused.contains("across the end of a row of"), "{refused}, {expected}");
                continue;
            }
        };
        assert!(read_block(path, &found, &block).unwrap() == expected, "{n} {m} {block:?}");
        let double = read_block_f64(path, &found, &block).unwrap();
        assert!(double == expected.widened().unwrap(), "{n} {m} {block:?}");
    }
}

#[test]
fn blocks_are_those_of_the_whole_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    for (n, m) in [(70, 10), (67, 10), (100, 7), (21, 6)] {
        let matrix = random(n, m, 4);
        for by_rows in [true, false] {
            fs::write(&path, coordinate_text(&matrix, by_rows)).unwrap();
            assert_read_in_blocks(&path, &matrix, true);
        }
    }
    for text in ["fe9:9x8", "convection:12x7", "jump:10x9:cell=2"] {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        write_nine_banded(&path, &matrix).unwrap();
        assert_read_in_blocks(&path, &matrix, false);
    }
}

#[test]
fn entries_that_come_twice_are_summed_in_their_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    let matrix = random(40, 8, 1);
    let text = coordinate_text(&matrix, true);
    let mut lines: Vec<String> = text.lines().skip(2).map(String::from).collect();
    lines.extend(lines.clone());
    let text = format!(
        "%%MatrixMarket matrix coordinate real general\n40 40 {}\n{}\n",
        lines.len(),
        lines.join("\n")
    );
    fs::write(&path, text).unwrap();
    assert_read_in_blocks(&path, &read_nine_banded(&path, None).unwrap(), true);
}

/// Whatever is wrong with a file is told as the reader of the whole tells it, whichever block is
/// read.
#[test]
fn bad_files_are_refused_for_each_block() {
    let mut refused = 0;
    for file in fs::read_dir("data/bad").unwrap() {
        let path = file.unwrap().path();
        // Of doubles these have too few to tell the width.
        let width = path.to_string_lossy().contains("overflow").then_some(3);
        let Err(expected) = read_nine_banded(&path, width) else { continue };
        if path.extension().is_none_or(|ending| ending != "mtx") {
            continue;
        }
        let read = outline(&path, width).and_then(|found| {
            let whole = Block::whole(found.n, found.m);
            read_block(&path, &found, &whole).map(drop)
        });
        assert_eq!(read.unwrap_err().to_string(), expected.to_string());
        refused += 1;
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_file_that_was_replaced_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mtx");
    write_nine_banded(&path, &random(40, 8, 1)).unwrap();
    let found = outline(&path, Some(8)).unwrap();
    let block = Block { columns: 0..8, rows: 1..3 };
    write_nine_banded(&path, &random(50, 8, 1)).unwrap();
    let refused = read_block(&path, &found, &block).unwrap_err().to_string();
    assert!(refused.ends_with("expected 40 rows, as it had before, got 50"), "{refused}");
    write_nine_banded(&path, &random(40, 5, 1)).unwrap();
    let refused = read_block(&path, &found, &block).unwrap_err().to_string();
    assert!(refused.contains("with the given width 8"), "{refused}");
    let refused = outline(folder.path(), None).unwrap_err().to_string();
    assert!(refused.contains("what is no regular file"), "{refused}");
}

#[test]
fn a_vector_is_read_in_blocks_from_either_format() {
    let folder = tempfile::tempdir().unwrap();
    let (n, m) = (67, 10);
    let numbers: Vec<f64> = (0..n).map(|at| f64::from(at as u32) / 3.0).collect();
    for name in ["b.npy", "b.mtx"] {
        let path = folder.path().join(name);
        vector::write_f64(&path, &[n], &numbers).unwrap();
        for block in blocks(n, m, false) {
            let indices = block.rows.clone().flat_map(|row| block.in_row(row, n, m));
            let expected: Vec<f64> = indices.map(|at| numbers[at]).collect();
            let (read, _) = vector::read_block_f64(&path, &block, n, m).unwrap();
            assert_eq!(read, expected, "{name} {block:?}");
            let (read, notes) = vector::read_block(&path, &block, n, m).unwrap();
            let single: Vec<f32> = expected.iter().map(|number| *number as f32).collect();
            assert_eq!((read, notes.rounded), (single, name == "b.npy"), "{name} {block:?}");
        }
        let refused = vector::read_block(&path, &Block::whole(66, m), 66, m).unwrap_err();
        assert!(refused.to_string().contains("expected "), "{refused}");
    }
    let path = folder.path().join("nan.npy");
    npy::write(&path, &[4, 3], &[[0.0_f32; 7].as_slice(), &[f32::NAN; 5]].concat()).unwrap();
    let block = |rows| Block { columns: 0..3, rows };
    assert!(vector::read_block(&path, &block(0..2), 12, 3).is_ok());
    let refused = vector::read_block(&path, &block(1..4), 12, 3).unwrap_err().to_string();
    assert!(
        refused.ends_with("expected finite numbers, got NaN at number 7 (from 0)"),
        "{refused}"
    );
}
