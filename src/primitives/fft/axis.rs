//! The axis of an array along which a transform goes.

/// An axis of an array of complex numbers in C order: `outer` blocks of `length` times `inner`
/// numbers. A transform goes over the `length` numbers that are `inner` apart.
///
/// ```
/// use quadrille::primitives::Axis;
/// assert_eq!(Axis::rows(3, 8), Axis { outer: 3, length: 8, inner: 1 });
/// assert_eq!(Axis::columns(3, 8), Axis { outer: 1, length: 3, inner: 8 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    /// The blocks, each of which has all numbers of the axis.
    pub outer: usize,
    /// The numbers of one transform.
    pub length: usize,
    /// The distance between two of them.
    pub inner: usize,
}

impl Axis {
    /// Returns the axis of this many rows of this length, each transformed by itself.
    pub fn rows(rows: usize, length: usize) -> Axis {
        Axis { outer: rows, length, inner: 1 }
    }

    /// Returns the axis of the columns of this length, of which there are this many.
    pub fn columns(length: usize, columns: usize) -> Axis {
        Axis { outer: 1, length, inner: columns }
    }

    /// Returns the complex numbers of the whole array; it saturates.
    pub fn total(self) -> usize {
        self.outer.saturating_mul(self.length).saturating_mul(self.inner)
    }
}
