//! Matrices of SciPy that are kept by diagonals: what they have is taken as it is, without entries.

use numpy::PyUntypedArrayMethods;
use quadrille::data::{Diagonal, NineBanded, SystemMatrix};

use crate::arrays::doubles::doubles;
use crate::arrays::lent::Lent;
use crate::error::Failure;
use crate::prelude::*;

/// The diagonals of a square matrix on a grid.
pub(crate) struct Diagonals {
    pub(crate) n: usize,
    m: usize,
    offsets: Vec<isize>,
    /// One diagonal in each row, by columns.
    numbers: Lent<f64>,
    length: usize,
}

impl Diagonals {
    /// Takes a `dia_array` or `dia_matrix` whose diagonals are nine of a grid at most, and leave its width open no
    /// more; `None` for any other object.
    pub(crate) fn of(object: &Object<'_>, width: Option<usize>) -> PyResult<Option<Diagonals>> {
        let format = object.getattr("format").ok().and_then(|name| name.extract::<String>().ok());
        if format.as_deref() != Some("dia") {
            return Ok(None);
        }
        let (n, columns) = object.getattr("shape")?.extract::<(usize, usize)>()?;
        let offsets: Vec<isize> = object.getattr("offsets")?.call_method0("tolist")?.extract()?;
        let m = NineBanded::width_of_diagonals(offsets.iter().copied(), width);
        let Some(m) = m.filter(|_| n == columns && n > 0) else { return Ok(None) };
        let numbers = doubles("A", &object.getattr("data")?)?;
        match *numbers.shape() {
            [count, length] if count == offsets.len() => {
                Ok(Some(Diagonals { n, m, offsets, numbers: Lent::of(&numbers)?, length }))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn matrix(&self) -> Result<SystemMatrix, Failure> {
        let rows = self.numbers.chunks(self.length.max(1));
        let diagonals = self.offsets.iter().zip(rows);
        let diagonals = diagonals.map(|(offset, entries)| Diagonal { offset: *offset, entries });
        let matrix =
            NineBanded::from_diagonals(self.n, self.m, &diagonals.collect::<Vec<Diagonal<'_>>>());
        let matrix = matrix.map_err(|error| Failure::of_argument("A", error))?;
        Ok(matrix.in_least_form().into())
    }
}
