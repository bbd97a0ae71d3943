//! Time as what arithmetic costs and what fetches cost, one after the other.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Milliseconds of a multiply-add of four numbers.
    pub mad_ms: f64,
    /// Milliseconds of a fetch of four numbers.
    pub fetch_ms: f64,
}

/// A product: its multiply-adds of four numbers, its fetches of four, and its milliseconds.
type Product = (f64, f64, f64);

impl Fit {
    /// Least squares of relative errors, through products of different intensity; none through
    /// fewer than two. Neither cost is negative.
    pub fn through(products: &[Product]) -> Option<Fit> {
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            let parts = products.iter().map(|(mads, fetches, ms)| of(mads / ms, fetches / ms));
            parts.sum()
        };
        let (mm, mf, ff) = (sum(&|m, _| m * m), sum(&|m, f| m * f), sum(&|_, f| f * f));
        let (m1, f1) = (sum(&|m, _| m), sum(&|_, f| f));
        let determinant = mm * ff - mf * mf;
        if products.len() < 2 || determinant.is_nan() || determinant <= 1e-9 * mm * ff {
            return None;
        }
        let (mad_ms, fetch_ms) =
            ((m1 * ff - f1 * mf) / determinant, (f1 * mm - m1 * mf) / determinant);
        Some(match (mad_ms < 0.0, fetch_ms < 0.0) {
            (true, _) => Fit { mad_ms: 0.0, fetch_ms: f1 / ff },
            (_, true) => Fit { mad_ms: m1 / mm, fetch_ms: 0.0 },
            _ => Fit { mad_ms, fetch_ms },
        })
    }

    pub fn ms(self, mads: f64, fetches: f64) -> f64 {
        self.mad_ms * mads + self.fetch_ms * fetches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_that_were_planted_are_found() {
        let products =
            [(100.0, 100.0), (100.0, 50.0), (100.0, 25.0)].map(|(m, f)| (m, f, 2.0 * m + 5.0 * f));
        let fit = Fit::through(&products).unwrap();
        assert!((fit.mad_ms - 2.0).abs() < 1e-9 && (fit.fetch_ms - 5.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.ms(10.0, 1.0) - 25.0).abs() < 1e-9);
    }

    #[test]
    fn no_cost_is_negative() {
        let fit = Fit::through(&[(100.0, 100.0, 100.0), (100.0, 50.0, 40.0)]).unwrap();
        assert!(fit.mad_ms == 0.0 && fit.fetch_ms > 0.0, "{fit:?}");
    }

    #[test]
    fn one_intensity_tells_nothing() {
        assert_eq!(Fit::through(&[(1.0, 1.0, 1.0), (2.0, 2.0, 2.0)]), None);
        assert_eq!(Fit::through(&[(1.0, 2.0, 1.0)]), None);
    }
}
