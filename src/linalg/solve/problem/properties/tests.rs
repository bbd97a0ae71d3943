//! Properties of parts, combined, are those of the whole.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::data::{SplitMix64, Stencil, random_couplings};

/// Returns the matrix with one entry changed, and optionally its mirror image.
fn changed(
    matrix: &NineBanded,
    (band, row): (Band, usize),
    change: impl Fn(f32) -> f32,
) -> NineBanded {
    let bands = Band::ALL.map(|other| {
        let mut entries = matrix.band(other).to_vec();
        if other == band {
            entries[row] = change(entries[row]);
        }
        entries
    });
    NineBanded::new(matrix.m(), bands).unwrap()
}

/// Strips, or columns and rows, of sizes that vary.
fn owned(n: usize, m: usize, strips: bool) -> Vec<Block> {
    let rows = n.div_ceil(m);
    let middle = if strips { 0 } else { m / 2 };
    let cut = |columns: Range<usize>| {
        [0..rows / 3, rows / 3..rows].map(|rows| Block { columns: columns.clone(), rows })
    };
    [0..middle, middle..m].into_iter().flat_map(cut).filter(|block| block.len(n, m) > 0).collect()
}

fn of_parts(matrix: &NineBanded, strips: bool) -> Properties {
    let (n, m) = (matrix.n(), matrix.m());
    let parts = owned(n, m, strips).into_iter().rev().map(|owned| {
        let stored = owned.grown(if strips { 2 } else { 1 }, n, m);
        Properties::of_part(&matrix.block(&stored).unwrap(), &stored, &owned, n, m)
    });
    parts.fold(Properties::NONE, Properties::combined)
}

/// Checks properties against the matrix itself, entry by entry.
fn assert_are_of(found: &Properties, matrix: &NineBanded) {
    let (n, m) = (matrix.n(), matrix.m());
    let double = |row, column| f64::from(matrix.entry(row, column));
    let rows = || (0..n).map(|row| (0..n).map(|col| double(row, col).abs()).sum::<f64>());
    assert_eq!(found.unknowns(), n);
    let offsets = [1, m - 1, m, m + 1];
    let pairs = offsets.iter().flat_map(|offset| (0..n).map(move |row| (row, row + offset)));
    let differ = |(row, column): &(usize, usize)| {
        *column < n && double(*row, *column) != double(*column, *row)
    };
    assert_eq!(found.first_asymmetric(), { pairs }.find(differ));
    let not_positive = (0..n).find(|&row| double(row, row) <= 0.0);
    assert_eq!(found.first_not_positive().map(|(row, _)| row), not_positive);
    assert_eq!(found.first_zero_diagonal(), matrix.first_zero_diagonal());
    assert_eq!(found.first_not_dominant_row(), matrix.first_not_dominant_row());
    assert_eq!(found.couples_across_ends(), matrix.couples_across_ends());
    let quotients = rows().enumerate().map(|(row, sum)| sum / double(row, row).abs());
    let most = quotients.fold(0.0, f64::max);
    assert!((found.gershgorin() - most).abs() <= 1e-14 * most || most.is_infinite());
    let largest = (0..n).flat_map(|row| (0..n).map(move |col| double(row, col).abs()));
    assert_eq!(found.largest(), largest.fold(0.0, f64::max));
}

#[test]
fn those_of_parts_make_those_of_the_whole() {
    let mut generator = SplitMix64::new(3);
    let mut next = move || (generator.next() >> 40) as f32 / 8388608.0 - 1.0;
    for (n, m) in [(1, 3), (7, 3), (60, 10), (57, 10), (52, 13)] {
        let matrix = random_couplings(n, m, &mut next).unwrap();
        let whole = Properties::of(&matrix);
        assert_are_of(&whole, &matrix);
        assert_eq!(of_parts(&matrix, true), whole, "{n} {m}");
    }
    for text in ["poisson5:12x9", "fe9:12x9:angle=20", "neumann5:12x9", "random:12x9"] {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        let places = Band::ALL.map(|band| (band, 41)).into_iter();
        let matrices = places.map(|place| changed(&matrix, place, |entry| entry - 0.5));
        let zero = changed(&matrix, (Band::DD, 77), |_| 0.0);
        for matrix in matrices.chain([matrix.clone(), zero]) {
            let whole = Properties::of(&matrix);
            assert_are_of(&whole, &matrix);
            assert_eq!(of_parts(&matrix, false), whole, "{text}");
        }
    }
}

/// Of a constant matrix and of diffusion by a field they are found without bands.
#[test]
fn those_of_every_form_are_those_of_stored_bands() {
    for text in
        ["poisson5:3x1", "fe9:12x9:angle=20", "neumann5:12x9", "convection:4x2", "convection:30x3"]
    {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        let stored = matrix.stored().unwrap();
        assert_eq!(Properties::of(&matrix), Properties::of(&stored), "{text}");
        if matrix.m() > 9 {
            assert_eq!(of_parts(&matrix, false), Properties::of(&stored), "{text}");
        }
    }
    let mut generator = SplitMix64::new(3);
    for (width, height) in [(3, 1), (12, 9), (300, 7)] {
        let k: Vec<f64> = (0..width * height)
            .map(|_| 10_f64.powf(3.0 * f64::from(generator.symmetric())))
            .collect();
        let field = crate::data::diffusion(crate::Shape::new(height, width), &k).unwrap();
        assert_eq!(field.form(), crate::data::Form::Field);
        assert_eq!(Properties::of(&field), Properties::of(&field.stored().unwrap()), "{width}");
    }
}

#[test]
fn constants_are_a_null_space_where_all_rows_and_columns_have_no_sum() {
    let matrix = "neumann5:12x9".parse::<Stencil>().unwrap().matrix().unwrap();
    for strips in [true, false] {
        assert!(of_parts(&matrix, strips).has_constant_null_space());
        // Each entry changes the sum of one row and of one column; two in a row, that of two
        // columns alone.
        for row in [0, 41, 107] {
            let mut other = changed(&matrix, (Band::DD, row), |entry| entry + 0.25);
            assert!(!of_parts(&other, strips).has_constant_null_space());
            if row == 41 {
                other = changed(&other, (Band::DU, row), |entry| entry - 0.25);
                assert!(!of_parts(&other, strips).has_constant_null_space());
            }
        }
    }
    assert!(
        !Properties::of(&"poisson5:9".parse::<Stencil>().unwrap().matrix().unwrap())
            .has_constant_null_space()
    );
}

/// Pieces of a large matrix, on several threads.
#[test]
fn each_row_is_looked_at_once() {
    let (n, m) = (3 * ROWS * 8 + 17, 700);
    let whole = Block::whole(n, m);
    let mut next = 0;
    for piece in pieces(&whole, &whole, n, m) {
        assert_eq!((piece.rows.start, piece.whole), (next, next));
        next = piece.rows.end;
    }
    assert_eq!(next, n);
    let bands = Band::ALL.map(|band| vec![if band == Band::DD { 1.0_f32 } else { 0.0 }; n]);
    let matrix = NineBanded::new(m, bands).unwrap();
    for row in [0, n / 2, n - 1] {
        let found = Properties::of(&changed(&matrix, (Band::DD, row), |_| 0.0));
        assert_eq!((found.unknowns(), found.first_zero_diagonal()), (n, Some(row)));
    }
}
