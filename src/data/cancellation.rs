//! Rows whose entries cancel: what rounding explains of their sum.

/// What the sums of rows and columns say of a matrix, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sums(pub(crate) u64);

/// A row's sum is positive, or negative, by more than adding its other entries up would round its diagonal by.
const POSITIVE: u64 = 2;
const NEGATIVE: u64 = 4;

/// The roundings of the entries of a row, each relative to the sum of their magnitudes: this, and two for each entry.
const ROUNDINGS: f64 = 16.0;

/// The sum of numbers, and what rounding may do to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Addition {
    sum: f64,
    /// What the additions have rounded away.
    lost: f64,
    magnitude: f64,
    count: f64,
    is_rounded: bool,
}

impl Addition {
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Addition {
        numbers.into_iter().fold(Addition::default(), Addition::with)
    }

    /// Adds a number (Knuth, "The Art of Computer Programming" 2, 4.2.2).
    pub(crate) fn with(self, number: f64) -> Addition {
        let sum = self.sum + number;
        let added = sum - self.sum;
        let error = (self.sum - (sum - added)) + (number - added);
        Addition {
            sum,
            lost: self.lost + error,
            magnitude: self.magnitude + number.abs(),
            count: self.count + 1.0,
            is_rounded: self.is_rounded || error != 0.0,
        }
    }

    fn total(self) -> f64 {
        self.sum + self.lost
    }

    /// Returns how far the rounded sum may be from the sum, whatever the order.
    fn rounding(self) -> f64 {
        if self.is_rounded { 0.5 * self.count * f64::EPSILON * self.magnitude } else { 0.0 }
    }

    /// Returns what these say as the entries of a row or of a column: whether rounding explains their sum.
    pub(crate) fn beyond(self) -> Sums {
        let roundings = (ROUNDINGS + 2.0 * self.count) * f64::EPSILON;
        let is_zero = self.total().abs() <= roundings * self.magnitude && self.magnitude > 0.0;
        if is_zero { Sums::NONE } else { Sums::BEYOND }
    }
}

impl Sums {
    /// What no rows say.
    pub(crate) const NONE: Sums = Sums(0);
    /// Rounding does not explain a sum, or there are no entries.
    pub(crate) const BEYOND: Sums = Sums(1);

    /// Returns what a row says, from its diagonal and its other entries.
    pub(crate) fn of_row(diagonal: f64, others: impl IntoIterator<Item = f64>) -> Sums {
        let others = Addition::of(others);
        let all = others.with(diagonal);
        let side = match all.total() {
            total if total > others.rounding() => Sums(POSITIVE),
            total if total < -others.rounding() => Sums(NEGATIVE),
            _ => Sums::NONE,
        };
        all.beyond().and(side)
    }

    #[must_use]
    pub(crate) fn and(self, other: Sums) -> Sums {
        // Beyond one such sum the others are not looked at.
        let all = Sums(self.0 | other.0);
        if all.is_beyond() { Sums::BEYOND } else { all }
    }

    /// Returns whether there is a sum that rounding does not explain, whatever other rows say.
    pub(crate) fn is_beyond(self) -> bool {
        self.0 & Sums::BEYOND.0 != 0
    }

    /// Returns whether all sums are zero to within rounding: where adding up would not round so far, some are too large
    /// and others too small. The same small number on the whole diagonal is no rounding.
    pub(crate) fn are_zero(self) -> bool {
        self == Sums::NONE || self == Sums(POSITIVE | NEGATIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(rows: &[(f64, &[f64])]) -> Sums {
        rows.iter().fold(Sums::NONE, |all, (diagonal, others)| {
            all.and(Sums::of_row(*diagonal, others.iter().copied()))
        })
    }

    #[test]
    fn a_shift_of_the_diagonal_is_no_rounding() {
        let laplacian: &[f64] = &[-1.0; 4];
        for shift in [1e-15, 1e-14, 1e-9, -1e-14, 1.0] {
            assert!(
                !all(&[(4.0 + shift, laplacian), (2.0 + shift, &[-1.0; 2])]).are_zero(),
                "{shift}"
            );
            let thirds = [-1.0 / 3.0; 8];
            assert!(
                shift.abs() < 5e-15 || !all(&[(8.0 / 3.0 + shift, &thirds)]).are_zero(),
                "{shift}"
            );
        }
        assert!(all(&[(4.0, laplacian), (2.0, &[-1.0; 2])]).are_zero());
    }

    #[test]
    fn what_adding_up_rounds_is_zero() {
        let weights =
            |seed: u32| -> Vec<f64> { (1..9).map(|at| -1.0 / f64::from(7 * at + seed)).collect() };
        for seed in 1..200 {
            let others = weights(seed);
            let (forth, back): (f64, f64) = (others.iter().sum(), others.iter().rev().sum());
            assert!(all(&[(-forth, &others), (-back, &others)]).are_zero(), "{seed}");
            // Assembled from parts, rows are off to both sides.
            let (up, down) = (-forth * (1.0 + 3e-15), -forth * (1.0 - 3e-15));
            assert!(all(&[(up, &others), (down, &others)]).are_zero(), "{seed}");
            assert!(!all(&[(up, &others)]).are_zero() && !all(&[(down, &others)]).are_zero());
        }
        assert!(!all(&[(0.0, &[])]).are_zero() && !all(&[(1.0, &[])]).are_zero());
    }
}
