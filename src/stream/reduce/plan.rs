//! Which stages a reduction takes: plain arithmetic, no GL.

use crate::Extent;

/// How many texels along each side a stage folds into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Named after their number.
pub enum Fold {
    By2,
    By4,
    By8,
    By16,
}

impl Fold {
    /// All of them, smallest first.
    pub const ALL: [Fold; 4] = [Fold::By2, Fold::By4, Fold::By8, Fold::By16];

    /// The number.
    pub fn side(self) -> u32 {
        match self {
            Fold::By2 => 2,
            Fold::By4 => 4,
            Fold::By8 => 8,
            Fold::By16 => 16,
        }
    }
}

/// The extents that the stages write, down to one texel. A texture of one texel still takes one
/// stage, since a stage also maps (squares, magnitudes, products).
pub fn stages(extent: Extent, fold: Fold) -> Vec<Extent> {
    let mut extents = Vec::new();
    let mut extent = extent;
    loop {
        extent =
            Extent::new(extent.width.div_ceil(fold.side()), extent.height.div_ceil(fold.side()));
        extents.push(extent);
        if extent.texels() <= 1 {
            return extents;
        }
    }
}

/// A bound on the error of a sum over a texture of this extent with up to four numbers a texel,
/// relative to the sum of the magnitudes: gamma_k = k u / (1 - k u) with u = 2^-24 and k the
/// longest chain of additions (Higham, Accuracy and Stability of Numerical Algorithms, section
/// 4.2). A product or square before the first addition is one rounding more, which k counts.
pub fn error_bound(extent: Extent, fold: Fold) -> f64 {
    // Along a row and then down the rows.
    let chain = 2 * (fold.side() - 1);
    // The channels of the last texel, and the product or square of the first stage.
    let additions = stages(extent, fold).len() as f64 * f64::from(chain) + 3.0 + 1.0;
    let unit = 0.5_f64.powi(24);
    additions * unit / (1.0 - additions * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_end_at_one_texel() {
        let sizes = |w, h, fold| -> Vec<(u32, u32)> {
            stages(Extent::new(w, h), fold).iter().map(|e| (e.width, e.height)).collect()
        };
        assert_eq!(sizes(1, 1, Fold::By2), [(1, 1)]);
        assert_eq!(sizes(5, 3, Fold::By2), [(3, 2), (2, 1), (1, 1)]);
        assert_eq!(sizes(1024, 1024, Fold::By4), [(256, 256), (64, 64), (16, 16), (4, 4), (1, 1)]);
        assert_eq!(sizes(17, 1, Fold::By16), [(2, 1), (1, 1)]);
    }

    #[test]
    fn the_bound_grows_with_the_stages() {
        let small = error_bound(Extent::new(4, 4), Fold::By4);
        let large = error_bound(Extent::new(4096, 4096), Fold::By4);
        assert!(small < large && large < 1e-5);
    }
}
