//! A Fourier transform in two dimensions, in double precision: some results by its definition, and
//! the norm of all.

use std::f64::consts::TAU;

use quadrille::data::SplitMix64;
use quadrille::{Shape, memory};

use super::Comparison;
use crate::Result;

/// Random complex numbers, and what their transform is.
pub struct Spectrum {
    pub shape: Shape,
    pub numbers: Vec<f32>,
    results: Vec<(usize, [f64; 2])>,
    norm: f64,
}

/// The results that are compared by themselves.
const COMPARED: usize = 4;

impl Spectrum {
    pub fn random(shape: Shape) -> Result<Spectrum> {
        let n = shape.rows * shape.cols;
        let mut random = SplitMix64::new(n as u64);
        let numbers = memory::collected(2 * n, std::iter::repeat_with(|| random.symmetric()))?;
        // The norm of the result is that of the numbers, times the root of their count (Parseval).
        let norm = norm(&numbers) * (n as f64).sqrt();
        let places = (0..COMPARED).map(|i| i * (n / COMPARED) + i).filter(|place| *place < n);
        let results = places.map(|place| (place, result(shape, &numbers, place))).collect();
        Ok(Spectrum { shape, numbers, results, norm })
    }

    /// Compares a transform whose error in the norm is at most `bound` times the result's.
    pub fn compare(&self, transform: &[f32], bound: f64) -> Comparison {
        // The norm is rounded for the comparison.
        let bound = self.norm * (bound + f64::from(f32::EPSILON));
        let mut got = vec![norm(transform) as f32];
        let mut expected = vec![(self.norm, bound)];
        for (place, result) in &self.results {
            got.extend(&transform[2 * place..2 * place + 2]);
            expected.extend(result.map(|part| (part, bound)));
        }
        Comparison::of(got, expected)
    }
}

fn norm(numbers: &[f32]) -> f64 {
    numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// Returns a result by its definition.
fn result(shape: Shape, numbers: &[f32], place: usize) -> [f64; 2] {
    let Shape { rows, cols } = shape;
    let (row, column) = (place / cols, place % cols);
    let mut sum = [0.0; 2];
    for (at, x) in numbers.chunks_exact(2).enumerate() {
        let down = (row * (at / cols) % rows) as f64 / rows as f64;
        let along = (column * (at % cols) % cols) as f64 / cols as f64;
        let (sin, cos) = (TAU * (down + along)).sin_cos();
        let [re, im] = [x[0], x[1]].map(f64::from);
        sum = [sum[0] + re * cos + im * sin, sum[1] + im * cos - re * sin];
    }
    sum
}

#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "a test takes what it needs")]
#[path = "../../../../tests/common/twins/fft.rs"]
mod fft;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::fft::{along, fft};
    use super::*;

    #[test]
    fn the_transform_is_right_and_one_wrong_number_is_not() {
        for shape in [Shape::new(1, 1), Shape::new(1, 360), Shape::new(12, 13)] {
            let (spectrum, n) = (Spectrum::random(shape).unwrap(), shape.rows * shape.cols);
            let complex: Vec<[f64; 2]> = spectrum
                .numbers
                .chunks_exact(2)
                .map(|x| [f64::from(x[0]), f64::from(x[1])])
                .collect();
            let rows = along(&complex, (shape.rows, shape.cols, 1), fft);
            let all = along(&rows, (1, shape.rows, shape.cols), fft);
            let transform: Vec<f32> = all.as_flattened().iter().map(|x| *x as f32).collect();
            assert!(spectrum.compare(&transform, 1e-6).is_right(), "{shape:?}");
            for at in 0..2 * n {
                let wrong = transform[at] + 0.01 * spectrum.norm as f32;
                // Of those that are not compared alone the norm tells what is far off.
                let compared = spectrum.results.iter().any(|(place, _)| at / 2 == *place);
                let wrong = [wrong].into_iter().filter(|_| compared);
                for wrong in wrong.chain([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX]) {
                    let mut transform = transform.clone();
                    transform[at] = wrong;
                    assert!(!spectrum.compare(&transform, 1e-6).is_right(), "{shape:?}: {wrong}");
                }
            }
            let zeros = vec![0.0; transform.len()];
            assert!(!spectrum.compare(&zeros, 1e-6).is_right(), "{shape:?}");
        }
    }
}
