//! The twins that tests compare with, against definitions and numbers by hand.

use quadrille::Extent;
use quadrille::data::{Band, NineBanded};

use crate::twins::fft::{Complex, dft, fft, inverse, norm};
use crate::twins::levels::{halved, levels};
use crate::twins::nine_banded::{magnitudes, product, residual};

#[test]
fn the_fast_transform_is_the_definition() {
    for n in [1, 2, 3, 4, 7, 12, 30, 49, 64, 66] {
        let x: Vec<Complex> = (0..n).map(|j| [(j as f64).sin(), (3.0 * j as f64).cos()]).collect();
        let (fast, slow) = (fft(&x), dft(&x));
        let off: Vec<Complex> =
            fast.iter().zip(&slow).map(|([a, b], [c, d])| [a - c, b - d]).collect();
        assert!(norm(&off) <= 1e-13 * norm(&slow), "{n}");
        let back: Vec<Complex> =
            inverse(&fast).iter().zip(&x).map(|([a, b], [c, d])| [a - c, b - d]).collect();
        assert!(norm(&back) <= 1e-13 * norm(&x), "{n}");
    }
}

#[test]
fn a_level_is_made_of_means_and_the_last_is_that_of_all() {
    let even = halved(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], Extent::new(4, 2));
    assert_eq!(even, (vec![3.5, 5.5], Extent::new(2, 1)));
    // Each of two covers two and a half of five.
    let odd = halved(&[1.0, 2.0, 3.0, 4.0, 5.0], Extent::new(5, 1));
    let wanted = [(1.0 + 2.0 + 1.5) / 2.5, (1.5 + 4.0 + 5.0) / 2.5];
    assert!(odd.0.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-15));
    for extent in [Extent::new(7, 13), Extent::new(1, 9), Extent::new(17, 3)] {
        let texels: Vec<f64> = (0..extent.texels()).map(|i| (i * i % 31) as f64).collect();
        let mean = texels.iter().sum::<f64>() / texels.len() as f64;
        let all = levels(&texels, extent);
        let sides = extent.width.max(extent.height);
        assert_eq!(all.len() as u32, sides.ilog2() + 1);
        assert!((all.last().map_or(0.0, |(last, _)| last[0]) - mean).abs() < 1e-12);
    }
}

#[test]
fn it_is_what_a_calculator_says() {
    let mut bands: [Vec<f32>; 9] = Default::default();
    bands.fill(vec![0.0; 5]);
    bands[Band::DD.index()] = vec![2.0; 5];
    bands[Band::DU.index()] = vec![-1.0, -1.0, 3.0, -1.0, 0.0];
    bands[Band::LD.index()] = vec![0.0, 0.0, 0.0, 5.0, 7.0];
    let matrix = NineBanded::new(3, bands).unwrap();
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(product(&matrix, &x), [0.0, 1.0, 18.0, 8.0, 24.0]);
    assert_eq!(residual(&matrix, &[1.0; 5], &x), [1.0, 0.0, -17.0, -7.0, -23.0]);
    assert_eq!(magnitudes(&matrix, &x), [2.0, 3.0, 18.0, 40.0, 66.0]);
}
