//! The matrix of a linear system, in whichever form it has.

use super::{
    BandError, ConstantOperator, Csr, Error, Form, GridMatrix, NineBanded, Result, Shape, Side,
    Stencil,
};

/// A square matrix by its nine diagonals where it has no others, as operators on grids have, else by
/// rows.
///
/// ```
/// use quadrille::data::SystemMatrix;
///
/// let grid = [(0, 0, 4.0), (0, 3, -1.0), (5, 5, 4.0)];
/// let any = [(0, 0, 4.0), (0, 5, -1.0), (0, 2, 1.0), (5, 5, 4.0)];
/// assert_eq!(SystemMatrix::from_entries(6, None, || grid)?.form(), "nine-banded");
/// assert_eq!(SystemMatrix::from_entries(6, None, || any)?.form(), "csr");
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SystemMatrix {
    /// Nine diagonals.
    NineBanded(NineBanded<f64>),
    /// Compressed rows.
    Csr(Csr<f64>),
    /// A constant operator on a grid with periodic sides.
    Periodic(ConstantOperator),
    /// A matrix on a grid of three dimensions.
    Grid(GridMatrix),
}

impl SystemMatrix {
    /// Returns the matrix of `n` rows of these entries, each with its row and its column, from 0.
    /// Entries at the same position are summed, and zeros are ignored. They are asked for once more
    /// where they have no nine diagonals.
    ///
    /// With a `width` m nothing but the nine diagonals at 0, +-1 and +-(m-1), +-m, +-(m+1) is taken.
    /// Without, a matrix whose entries leave it open, which are on the three middle diagonals alone,
    /// is one by rows. One whose coefficients are constant does not store them.
    ///
    /// # Errors
    /// Those of [`NineBanded::from_entries`] with a width, and of [`Csr::from_entries`].
    pub fn from_entries<I: IntoIterator<Item = (usize, usize, f64)>>(
        n: usize,
        width: Option<usize>,
        entries: impl Fn() -> I,
    ) -> Result<SystemMatrix> {
        match NineBanded::from_entries(n, width, entries()) {
            Err(Error::Bands(BandError::NotNineBanded { .. } | BandError::WidthOpen { .. }))
                if width.is_none() =>
            {
                Ok(SystemMatrix::Csr(Csr::from_entries(Shape::new(n, n), entries())?))
            }
            made => Ok(SystemMatrix::NineBanded(made?.in_least_form())),
        }
    }

    /// Returns the form in which a nine-banded matrix has its coefficients: `constant`, `field` or `stored`.
    pub fn coefficients(&self) -> Option<&'static str> {
        match self {
            SystemMatrix::NineBanded(matrix) => Some(matrix.form().name()),
            SystemMatrix::Csr(_) => None,
            SystemMatrix::Periodic(_) => Some(Form::Constant.name()),
            SystemMatrix::Grid(matrix) if matrix.is_stored() => Some(Form::Stored.name()),
            SystemMatrix::Grid(_) => Some(Form::Constant.name()),
        }
    }

    /// Returns the name of the form: `nine-banded`, `csr` or `periodic`; of three dimensions `7-point` or `27-point`.
    pub fn form(&self) -> &'static str {
        match self {
            SystemMatrix::NineBanded(_) => "nine-banded",
            SystemMatrix::Csr(_) => "csr",
            SystemMatrix::Periodic(_) => "periodic",
            SystemMatrix::Grid(matrix) if matrix.is_star() => "7-point",
            SystemMatrix::Grid(_) => "27-point",
        }
    }

    /// Returns the number of rows, and of columns.
    pub fn n(&self) -> usize {
        match self {
            SystemMatrix::NineBanded(matrix) => matrix.n(),
            SystemMatrix::Csr(matrix) => matrix.shape().rows,
            SystemMatrix::Periodic(matrix) => matrix.n(),
            SystemMatrix::Grid(matrix) => matrix.n(),
        }
    }

    /// Returns the width of the grid, of a matrix that has one.
    pub fn width(&self) -> Option<usize> {
        match self {
            SystemMatrix::NineBanded(matrix) => Some(matrix.m()),
            SystemMatrix::Csr(_) => None,
            SystemMatrix::Periodic(matrix) => Some(matrix.points().0),
            SystemMatrix::Grid(matrix) => Some(matrix.grid().points()[0]),
        }
    }

    /// Returns the shape of an array of the unknowns of a grid, (height, width) or (z, y, x); `None` where they are no
    /// grid, or its last row is shorter.
    pub fn grid_shape(&self) -> Option<Vec<usize>> {
        if let SystemMatrix::Grid(matrix) = self {
            return Some(matrix.grid().points().into_iter().rev().collect());
        }
        let (n, width) = (self.n(), self.width()?);
        n.is_multiple_of(width).then(|| vec![n / width, width])
    }

    /// Returns the number of entries that a matrix by rows stores.
    pub fn entries(&self) -> Option<usize> {
        match self {
            SystemMatrix::NineBanded(_) | SystemMatrix::Periodic(_) => None,
            SystemMatrix::Grid(_) => None,
            SystemMatrix::Csr(matrix) => Some(matrix.entries()),
        }
    }

    /// Adds A x to y.
    ///
    /// # Panics
    /// Where `x` or `y` is shorter than the matrix has rows.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        match self {
            SystemMatrix::NineBanded(matrix) => matrix.add_product(x, y),
            SystemMatrix::Csr(matrix) => matrix.add_product(x, y),
            SystemMatrix::Periodic(matrix) => matrix.add_product(x, y),
            SystemMatrix::Grid(matrix) => matrix.add_product(x, y),
        }
    }
}

impl Stencil {
    /// Returns the matrix of the system in double precision, in a form that holds its sides.
    ///
    /// ```
    /// use quadrille::data::Stencil;
    ///
    /// let ring = "poisson5:64:sides=periodic".parse::<Stencil>()?;
    /// assert_eq!(ring.system()?.form(), "periodic");
    /// assert!(ring.matrix().is_err());
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`matrix`](Stencil::matrix).
    pub fn system(&self) -> Result<SystemMatrix> {
        self.check()?;
        if self.sides().contains(&Side::Periodic)
            && let Some(constant) = self.constant()?
        {
            return Ok(SystemMatrix::Periodic(constant));
        }
        Ok(self.matrix_f64()?.into())
    }
}

from_variants!(SystemMatrix {
    NineBanded(NineBanded<f64>),
    Csr(Csr<f64>),
    Grid(GridMatrix),
    Periodic(ConstantOperator),
});

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_of_the_entries() {
        let chain = || (0..5_usize).flat_map(|i| [(i, i, 2.0), (i, (i + 1) % 5, -1.0)]);
        let open = SystemMatrix::from_entries(5, None, || chain().filter(|entry| entry.1 != 0));
        let open = open.unwrap();
        assert_eq!((open.form(), open.width(), open.entries()), ("csr", None, Some(8)));
        let ring = SystemMatrix::from_entries(5, None, chain).unwrap();
        assert_eq!((ring.form(), ring.width(), ring.n()), ("nine-banded", Some(4), 5));
        for matrix in [open, ring] {
            let mut y = vec![1.0; 5];
            matrix.add_product(&[1.0, 2.0, 3.0, 4.0, 5.0], &mut y);
            assert_eq!(y[1..4], [2.0, 3.0, 4.0]);
        }
        let far = || [(0, 4, 1.0), (0, 0, 1.0), (1, 3, 1.0)];
        let refused = SystemMatrix::from_entries(5, Some(4), far).unwrap_err();
        assert!(matches!(refused, Error::Bands(BandError::NotNineBanded { .. })));
    }
}
