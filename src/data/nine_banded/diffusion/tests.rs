//! The form of diffusion against stored bands that are built point by point.

use crate::data::{Band, Block, Form, NineBanded, SplitMix64, diffusion, diffusion_block};
use crate::{Shape, memory};

/// Coefficients of 10^-3 to 10^3.
fn coefficients(n: usize, seed: u64) -> Vec<f64> {
    let mut generator = SplitMix64::new(seed);
    memory::collected(
        n,
        std::iter::repeat_with(|| 10_f64.powf(3.0 * f64::from(generator.symmetric()))),
    )
    .unwrap()
}

const SIZES: [(usize, usize); 7] = [(3, 1), (3, 2), (4, 3), (17, 1), (9, 7), (600, 3), (257, 4)];

/// The same matrix by the function of blocks, which stores bands.
fn stored((width, height): (usize, usize), k: &[f64]) -> NineBanded<f64> {
    let whole = Block { columns: 0..width, rows: 0..height };
    let matrix = diffusion_block(Shape::new(height, width), &whole, k).unwrap();
    assert_eq!(matrix.form(), Form::Stored);
    matrix
}

#[test]
fn every_number_has_the_bits_of_stored_bands() {
    for (width, height) in SIZES {
        let k = coefficients(width * height, 5);
        let field = diffusion(Shape::new(height, width), &k).unwrap();
        assert_eq!((field.form(), field.n(), field.m()), (Form::Field, k.len(), width));
        let expected = stored((width, height), &k);
        let number =
            |band: Band| (0..k.len()).map(|row| field.number(band, row)).collect::<Vec<_>>();
        for band in Band::ALL {
            assert_eq!(number(band), expected.band(band), "{width}x{height} {band}");
        }
        assert!(field == expected && field.stored().unwrap() == expected);
        let (single, exact) = field.rounded().unwrap();
        assert!(single == expected.rounded().unwrap().0 && !exact);
        assert_eq!(single.form(), Form::Field);
        let scaled = field.scaled_to_single(2.0_f64.powi(-40)).unwrap();
        assert!(scaled == expected.scaled_to_single(2.0_f64.powi(-40)).unwrap());
    }
}

#[test]
fn products_have_the_bits_of_stored_bands_in_any_part() {
    for (width, height) in SIZES {
        let k = coefficients(width * height, 9);
        let field = diffusion(Shape::new(height, width), &k).unwrap();
        let x: Vec<f64> = (0..k.len()).map(|i| (i as f64 * 0.7).sin()).collect();
        let expected = stored((width, height), &k).multiply_f64(&x);
        assert_eq!(field.multiply_f64(&x), expected, "{width}x{height}");
        for first in [1, k.len() / 2, k.len() - 1] {
            let mut y = vec![0.0; k.len() - first];
            field.add_product_of_rows(1.0, &x, first, &mut y);
            assert_eq!(y, expected[first..], "{width}x{height} from {first}");
        }
    }
}

/// With another coefficient at one point, every product around it is another.
#[test]
fn one_other_coefficient_is_seen() {
    let mut k = coefficients(63, 2);
    let x: Vec<f64> = (0..63).map(|i| f64::from(i % 5)).collect();
    let before = diffusion(Shape::new(7, 9), &k).unwrap().multiply_f64(&x);
    for at in [0, 4, 8, 27, 31, 62] {
        k[at] *= 1.5;
        let after = diffusion(Shape::new(7, 9), &k).unwrap().multiply_f64(&x);
        k[at] /= 1.5;
        assert!(before[at] != after[at], "{at}");
    }
}

#[test]
fn bad_coefficients_are_named_with_their_place() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut k = coefficients(20, 1);
        k[13] = bad;
        let error = diffusion(Shape::new(4, 5), &k).unwrap_err().to_string();
        assert!(error.contains("column 3") && error.contains("row 2"), "{error}");
    }
    let error = diffusion(Shape::new(4, 5), &[1e308; 20]).unwrap_err();
    assert!(
        matches!(error, crate::data::Error::NotFinite { band: Band::DD, row: 0, .. }),
        "{error}"
    );
}
