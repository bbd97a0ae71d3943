//! What a level computes alike in two and in three dimensions: the forms of a relaxation, with the names that shaders know them by,
//! and the sweeps by points of a half of a cycle.

use crate::linalg::nine_banded::Result;

use super::Grid;

/// Returns what sweeps multiply by at a point: the reciprocal of the sum of magnitudes of its row, 0 where a device may take either
/// for zero.
pub(crate) fn reciprocal(row: &[f64]) -> f32 {
    let sum = row.iter().map(|coupling| coupling.abs()).sum::<f64>();
    let reciprocal = (1.0 / sum) as f32;
    if (sum as f32).is_normal() && reciprocal.is_normal() { reciprocal } else { 0.0 }
}

/// A product with a level's matrix, and what is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Relaxation {
    /// A x.
    Product,
    /// b - A x.
    Residual,
    /// x + w s (b - A x), where s has the reciprocals of sums of rows.
    Sweep,
    /// The same where x is zero: w s b.
    FromZero,
}

impl Relaxation {
    pub(crate) const ALL: [Relaxation; 4] =
        [Relaxation::Product, Relaxation::Residual, Relaxation::Sweep, Relaxation::FromZero];

    pub(crate) fn define(self) -> Option<&'static str> {
        match self {
            Relaxation::Product => None,
            Relaxation::Residual => Some("RESIDUAL"),
            Relaxation::Sweep => Some("SWEEP"),
            Relaxation::FromZero => Some("FROM_ZERO"),
        }
    }
}

/// The matrix that weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Matrix,
    SymmetricPart,
    Transpose,
}

impl Of {
    pub(crate) const ALL: [Of; 3] = [Of::Matrix, Of::SymmetricPart, Of::Transpose];

    pub(crate) fn define(self) -> Option<&'static str> {
        match self {
            Of::Matrix => None,
            Of::SymmetricPart => Some("SYMMETRIC_PART"),
            Of::Transpose => Some("TRANSPOSED"),
        }
    }
}

/// Runs a sweep with each factor w, from x = 0 if `from_zero`, where x is not read: `relax` is given the form, w, x unless it
/// is zero, and the target, which becomes x.
pub(crate) fn sweeps(
    factors: &[f32],
    from_zero: bool,
    (x, spare): (&mut Grid, &mut Grid),
    mut relax: impl FnMut(Relaxation, f32, Option<&Grid>, &mut Grid) -> Result<()>,
) -> Result<()> {
    for (index, factor) in factors.iter().enumerate() {
        if from_zero && index == 0 {
            relax(Relaxation::FromZero, *factor, None, x)?;
        } else {
            relax(Relaxation::Sweep, *factor, Some(x), spare)?;
            std::mem::swap(x, spare);
        }
    }
    Ok(())
}
