//! Fourier transforms on the host, in double precision.

use std::f64::consts::TAU;

/// A complex number: its real and its imaginary part.
pub type Complex = [f64; 2];

/// The product.
pub fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn plus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a + c, b + d]
}

/// Returns e^(-2 pi i index / order).
fn root(index: usize, order: usize) -> Complex {
    let (sin, cos) = (TAU * (index % order) as f64 / order as f64).sin_cos();
    [cos, -sin]
}

/// The transform by its definition.
pub fn dft(x: &[Complex]) -> Vec<Complex> {
    let n = x.len();
    let term = |k: usize, j: usize| times(x[j], root((j * k) % n, n));
    (0..n).map(|k| (0..n).fold([0.0; 2], |sum, j| plus(sum, term(k, j)))).collect()
}

/// The transform.
pub fn fft(x: &[Complex]) -> Vec<Complex> {
    let (mut result, mut scratch) = (vec![[0.0; 2]; x.len()], vec![[0.0; 2]; x.len()]);
    of_every(1, x, &mut result, &mut scratch);
    result
}

/// The transform of every `step`-th number, from those of every p-th of them, where p is the smallest
/// prime factor of the length (Cooley and Tukey 1965).
fn of_every(step: usize, x: &[Complex], result: &mut [Complex], scratch: &mut [Complex]) {
    let n = result.len();
    let smallest = (2..n).take_while(|p| p * p <= n).find(|p| n.is_multiple_of(*p));
    let p = smallest.unwrap_or(n);
    let m = n / p.max(1);
    for r in 0..p {
        let part = r * m..(r + 1) * m;
        match m {
            1 => scratch[r] = x[r * step],
            _ => of_every(p * step, &x[r * step..], &mut scratch[part.clone()], &mut result[part]),
        }
    }
    let term = |k: usize, r: usize| times(scratch[r * m + k % m], root((r * k) % n, n));
    for (k, number) in result.iter_mut().enumerate() {
        *number = (0..p).fold([0.0; 2], |sum, r| plus(sum, term(k, r)));
    }
}

/// The inverse transform: the conjugate of the transform of the conjugates, over the length.
pub fn inverse(x: &[Complex]) -> Vec<Complex> {
    let conjugates: Vec<Complex> = x.iter().map(|[a, b]| [*a, -b]).collect();
    let over = 1.0 / x.len() as f64;
    fft(&conjugates).into_iter().map(|[a, b]| [a * over, -b * over]).collect()
}

/// The transform along an axis: `outer` blocks of `length` times `inner` numbers.
pub fn along(
    x: &[Complex],
    (outer, length, inner): (usize, usize, usize),
    transform: impl Fn(&[Complex]) -> Vec<Complex>,
) -> Vec<Complex> {
    let mut result = x.to_vec();
    for (block, at) in (0..outer).flat_map(|block| (0..inner).map(move |at| (block, at))) {
        let place = |index: usize| (block * length + index) * inner + at;
        let line: Vec<Complex> = (0..length).map(|index| x[place(index)]).collect();
        for (index, number) in transform(&line).into_iter().enumerate() {
            result[place(index)] = number;
        }
    }
    result
}

/// The root of the sum of the squares of the magnitudes.
pub fn norm(x: &[Complex]) -> f64 {
    x.iter().map(|[a, b]| a * a + b * b).sum::<f64>().sqrt()
}
