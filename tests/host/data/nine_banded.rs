//! `NineBanded` against a dense matrix, over shapes, and what its constructor refuses.

use proptest::prelude::*;
use quadrille::Kind;
use quadrille::data::{Band, BandError, Error, NineBanded, random_couplings};
use quadrille::internal::reference::is_near;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn random(n: usize, m: usize, seed: u64) -> NineBanded {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    random_couplings(n, m, || generator.random_range(-1.0..1.0)).unwrap()
}

fn bands(n: usize) -> [Vec<f32>; 9] {
    Band::ALL.map(|band| vec![if band == Band::DD { 4.0 } else { 0.0 }; n])
}

fn refused(m: usize, bands: [Vec<f32>; 9]) -> String {
    let error = NineBanded::new(m, bands).unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    error.to_string()
}

/// The dense matrix, made without any band: entry by entry through Göddeke's nine terms.
fn dense(matrix: &NineBanded) -> Vec<Vec<f64>> {
    let (n, m) = (matrix.n() as i64, matrix.m() as i64);
    let terms = [
        (Band::DD, 0),
        (Band::DL, -1),
        (Band::DU, 1),
        (Band::LD, -m),
        (Band::LL, -m - 1),
        (Band::LU, -m + 1),
        (Band::UD, m),
        (Band::UL, m - 1),
        (Band::UU, m + 1),
    ];
    let mut rows = vec![vec![0.0; n as usize]; n as usize];
    for i in 0..n {
        for (band, offset) in terms {
            if (0..n).contains(&(i + offset)) {
                rows[i as usize][(i + offset) as usize] = f64::from(matrix.band(band)[i as usize]);
            }
        }
    }
    rows
}

proptest! {
    #[test]
    fn agrees_with_a_dense_matrix(n in 1_usize..60, m in 3_usize..14, seed in any::<u64>()) {
        let matrix = random(n, m, seed);
        let dense = dense(&matrix);
        for (i, row) in dense.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                prop_assert_eq!(f64::from(matrix.entry(i, j)), *entry);
            }
        }
        let mut generator = Pcg64Mcg::seed_from_u64(seed ^ 1);
        let x: Vec<f64> = (0..n).map(|_| generator.random_range(-1.0..1.0)).collect();
        let y = matrix.multiply_f64(&x);
        for i in 0..n {
            let terms = || dense[i].iter().zip(&x).map(|(a, x)| a * x);
            // Two sums of at most 9 products in different orders: 2 gamma_9 of the sum of
            // magnitudes.
            let tolerance = 2.0 * 9.0 * f64::EPSILON * terms().map(f64::abs).sum::<f64>();
            prop_assert!(is_near(y[i], terms().sum(), tolerance));
        }
        prop_assert!(matrix.is_strictly_dominant());
        prop_assert_eq!(matrix.first_not_dominant_row(), None);
        prop_assert_eq!(matrix.first_zero_diagonal(), None);
    }

    #[test]
    fn bands_and_offsets_are_inverse(m in 3_usize..1000) {
        for band in Band::ALL {
            prop_assert_eq!(Band::at_offset(band.offset(m), m), Some(band));
            prop_assert_eq!(Band::ALL[band.index()], band);
        }
        prop_assert_eq!(Band::at_offset(m as isize + 2, m), None);
    }

    #[test]
    fn every_entry_outside_the_matrix_is_refused(n in 1_usize..40, m in 3_usize..12) {
        for band in Band::ALL {
            for row in 0..n {
                let mut bands = bands(n);
                bands[band.index()][row] = 0.5;
                let inside = (0..n as isize).contains(&(row as isize + band.offset(m)));
                prop_assert_eq!(NineBanded::new(m, bands).is_ok(), inside, "{} row {}", band, row);
            }
        }
    }
}

#[test]
fn the_names_and_offsets_are_the_documents() {
    let offsets: Vec<_> = Band::ALL.map(|band| (band.to_string(), band.offset(10))).into();
    let expected = [
        ("DD", 0),
        ("DU", 1),
        ("DL", -1),
        ("UD", 10),
        ("UU", 11),
        ("UL", 9),
        ("LD", -10),
        ("LU", -9),
        ("LL", -11),
    ];
    assert_eq!(offsets, expected.map(|(name, offset)| (name.to_string(), offset)));
}

#[test]
fn the_comparison_notices_couplings_across_row_ends() {
    // If random matrices had none, no test on them could show a wrong wrap.
    let matrix = random(20, 5, 7);
    assert_ne!(matrix.entry(4, 5), 0.0);
    assert_ne!(matrix.entry(5, 4), 0.0);
}

#[test]
fn rows_that_jacobi_cannot_use_are_named() {
    let mut weak = bands(6);
    (weak[Band::DU.index()][2], weak[Band::DL.index()][2]) = (3.0, -1.0);
    let matrix = NineBanded::new(3, weak.clone()).unwrap();
    assert_eq!((matrix.first_not_dominant_row(), matrix.is_strictly_dominant()), (None, false));
    weak[Band::DL.index()][2] = -1.5;
    assert_eq!(NineBanded::new(3, weak).unwrap().first_not_dominant_row(), Some(2));
    let mut zero = bands(6);
    zero[Band::DD.index()][4] = -0.0;
    assert_eq!(NineBanded::new(3, zero).unwrap().first_zero_diagonal(), Some(4));
}

#[test]
fn what_lies_outside_reads_as_zero() {
    let matrix = NineBanded::new(3, bands(4)).unwrap();
    assert_eq!((matrix.entry(3, 3), matrix.entry(4, 4), matrix.entry(0, 9)), (4.0, 0.0, 0.0));
}

#[test]
fn errors_say_what_was_expected_and_what_came() {
    assert_eq!(
        refused(2, bands(4)),
        "expected a width m of at least 3, got 2: below 3 some of the nine bands (offsets 0, +-1, \
         +-(m-1), +-m, +-(m+1)) are the same diagonal"
    );
    assert_eq!(
        refused(3, bands(0)),
        "expected a matrix of at least one row, got bands of length 0"
    );
    let mut short = bands(5);
    short[Band::UL.index()].pop();
    assert_eq!(
        refused(3, short),
        "expected all nine bands to have the length 5 of band DD, got 4 in band UL"
    );
    let mut nan = bands(5);
    nan[Band::LD.index()][4] = f32::NAN;
    assert_eq!(
        refused(3, nan),
        "expected finite numbers, got NaN in band LD at row 4 (rows count from 0)"
    );
    let mut outside = bands(5);
    outside[Band::LL.index()][3] = 1.5;
    assert_eq!(
        refused(3, outside),
        "band LL has 1.5 at row 3, which would be column -1 of a matrix with columns 0 to 4: entries \
         outside the matrix must be 0"
    );
}

#[test]
fn sizes_beyond_every_texture_are_refused_before_they_are_allocated() {
    let error = random_couplings(usize::MAX, 3, || 0.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number of unknowns is 18446744073709551615, the most is 1073741824 (2^30), far above what one texture \
         holds: use a smaller system, or parts of it"
    );
    assert!(matches!(
        random_couplings(3, usize::MAX, || 0.0),
        Err(Error::TooLarge { what: "the width m", .. })
    ));
}

#[test]
fn random_numbers_that_are_not_finite_are_refused() {
    let error = random_couplings(3, 3, || f32::NAN).unwrap_err();
    assert!(matches!(error, Error::Bands(BandError::NotFinite { .. })), "{error}");
}

#[test]
fn doubles_are_rounded_once_and_told() {
    let exact = NineBanded::new(3, bands(5)).unwrap();
    let (rounded, unchanged) = exact.widened().unwrap().rounded().unwrap();
    assert!(unchanged && rounded == exact);
    let third = |band, row| {
        let mut bands: [Vec<f64>; 9] = exact_bands(5);
        bands[usize::from(band != Band::DD)][row] = 1.0 / 3.0;
        NineBanded::new(3, bands).unwrap()
    };
    for matrix in [third(Band::DD, 4), third(Band::DU, 0)] {
        let (rounded, unchanged) = matrix.rounded().unwrap();
        assert!(!unchanged);
        assert!((0..5).all(|row| rounded.entry(row, row) == matrix.entry(row, row) as f32));
    }
}

fn exact_bands(n: usize) -> [Vec<f64>; 9] {
    bands(n).map(|band| band.into_iter().map(f64::from).collect())
}

#[test]
fn what_single_precision_does_not_hold_is_refused_with_its_row() {
    let with = |band: Band, row: usize, value: f64| {
        let mut bands = exact_bands(6);
        bands[band.index()][row] = value;
        NineBanded::new(3, bands).unwrap().rounded()
    };
    let overflow = with(Band::UD, 2, -4e38).unwrap_err();
    assert_eq!(
        (&overflow, overflow.kind()),
        (&BandError::Overflow { band: Band::UD, row: 2, value: -4e38 }.into(), Kind::Input)
    );
    for small in [1e-50, -1e-39, 1.17e-38] {
        let error = with(Band::DD, 3, small).unwrap_err();
        assert_eq!(error, BandError::SmallDiagonal { row: 3, value: small }.into());
        assert!(!with(Band::DU, 3, small).unwrap().1, "{small} off the diagonal may become zero");
    }
    // Zero is zero in both precisions: who divides by it refuses it.
    assert!(with(Band::DD, 3, 0.0).unwrap().1);
    assert!(!with(Band::DD, 3, 1.18e-38).unwrap().1);
}

#[test]
fn an_asymmetric_entry_is_found_in_every_band() {
    let symmetric = {
        let mut bands = bands(20);
        for (above, below, value) in [
            (Band::DU, Band::DL, 1.0),
            (Band::UL, Band::LU, 2.0),
            (Band::UD, Band::LD, 3.0),
            (Band::UU, Band::LL, 5.0),
        ] {
            above.rows(20, 5).for_each(|row| bands[above.index()][row] = value);
            below.rows(20, 5).for_each(|row| bands[below.index()][row] = value);
        }
        bands
    };
    assert_eq!(NineBanded::new(5, symmetric.clone()).unwrap().first_asymmetric_entry(), None);
    for band in &Band::ALL[1..] {
        for row in band.rows(20, 5) {
            let mut bands = symmetric.clone();
            bands[band.index()][row] += 0.5;
            let column = row.wrapping_add_signed(band.offset(5));
            let found = NineBanded::new(5, bands).unwrap().first_asymmetric_entry();
            assert_eq!(found, Some((row.min(column), row.max(column))), "{band}");
        }
    }
}
