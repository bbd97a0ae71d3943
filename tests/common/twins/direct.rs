//! The direct solution of a constant operator, in plain loops: sums over all modes.

use std::f64::consts::PI;

use quadrille::data::{ConstantOperator, Side};

/// Returns the modes of this number of points between sides, each of the norm 1, and the cosines of
/// their angles.
pub fn modes(side: Side, points: usize) -> Vec<(f64, Vec<f64>)> {
    let n = points as f64;
    let mode = |k: usize| {
        let at = |j: usize| {
            let (j, k) = (j as f64, k as f64);
            match side {
                Side::Dirichlet => {
                    (2.0 / (n + 1.0)).sqrt() * (PI * (j + 1.0) * (k + 1.0) / (n + 1.0)).sin()
                }
                Side::Neumann if k == 0.0 => n.recip().sqrt(),
                Side::Neumann => (2.0 / n).sqrt() * (PI * k * (j + 0.5) / n).cos(),
                Side::Periodic => {
                    let angle = 2.0 * PI * (j * k % n) / n;
                    n.recip().sqrt() * (angle.cos() + angle.sin())
                }
            }
        };
        let angle = match side {
            Side::Dirichlet => PI * (k + 1) as f64 / (n + 1.0),
            Side::Neumann => PI * k as f64 / n,
            Side::Periodic => 2.0 * PI * k as f64 / n,
        };
        (angle.cos(), (0..points).map(at).collect())
    };
    (0..points).map(mode).collect()
}

/// Returns the eigenvalue of a mode by the cosines of its angles.
pub fn eigenvalue(operator: &ConstantOperator, cos_x: f64, cos_y: f64) -> f64 {
    let [middle, along_x, along_y, corner] = operator.couplings();
    middle + 2.0 * along_x * cos_x + 2.0 * along_y * cos_y + 4.0 * corner * cos_x * cos_y
}

/// Solves A x = b, without the parts of modes whose eigenvalue is zero; `changed` returns what
/// stands for the eigenvalue of a mode.
pub fn solve(
    operator: &ConstantOperator,
    b: &[f64],
    changed: impl Fn([usize; 2], f64) -> f64,
) -> Vec<f64> {
    let ((width, height), [side_x, side_y]) = (operator.points(), operator.sides());
    let (of_x, of_y) = (modes(side_x, width), modes(side_y, height));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x = vec![0.0; width * height];
    for (k, (cos_x, mode_x)) in of_x.iter().enumerate() {
        let along_x: Vec<f64> = b.chunks(width).map(|row| dot(row, mode_x)).collect();
        let mut column = vec![0.0; height];
        for (l, (cos_y, mode_y)) in of_y.iter().enumerate() {
            let eigenvalue = changed([k, l], eigenvalue(operator, *cos_x, *cos_y));
            if eigenvalue.abs() > 1e-13 {
                let part = dot(&along_x, mode_y) / eigenvalue;
                column.iter_mut().zip(mode_y).for_each(|(sum, mode)| *sum += part * mode);
            }
        }
        for (row, part) in x.chunks_mut(width).zip(&column) {
            row.iter_mut().zip(mode_x).for_each(|(sum, mode)| *sum += part * mode);
        }
    }
    x
}
