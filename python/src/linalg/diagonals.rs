//! Matrices of SciPy that are kept by diagonals: what they have is taken as it is, without entries.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use quadrille::data::{Diagonal, NineBanded, SystemMatrix};

use crate::arrays::doubles::doubles;
use crate::error::Failure;

/// The diagonals of a square matrix on a grid.
pub(crate) struct Diagonals<'py> {
    pub(crate) n: usize,
    m: usize,
    offsets: Vec<isize>,
    /// One diagonal in each row, by columns.
    numbers: PyReadonlyArrayDyn<'py, f64>,
}

/// The same as work on a worker's thread borrows it.
#[derive(Clone, Copy)]
pub(crate) struct Borrowed<'a> {
    n: usize,
    m: usize,
    offsets: &'a [isize],
    numbers: &'a [f64],
    length: usize,
}

impl<'py> Diagonals<'py> {
    /// Takes a `dia_array` or `dia_matrix` whose diagonals are nine of a grid at most, and leave its width open no
    /// more; `None` for any other object.
    pub(crate) fn of(
        object: &Bound<'py, PyAny>,
        width: Option<usize>,
    ) -> PyResult<Option<Diagonals<'py>>> {
        let format = object.getattr("format").ok().and_then(|name| name.extract::<String>().ok());
        if format.as_deref() != Some("dia") {
            return Ok(None);
        }
        let (n, columns) = object.getattr("shape")?.extract::<(usize, usize)>()?;
        let offsets: Vec<isize> = object.getattr("offsets")?.call_method0("tolist")?.extract()?;
        let m = NineBanded::width_of_diagonals(offsets.iter().copied(), width);
        let Some(m) = m.filter(|_| n == columns && n > 0) else { return Ok(None) };
        let numbers = doubles("A", &object.getattr("data")?)?;
        let is_whole = matches!(*numbers.shape(), [count, _] if count == offsets.len());
        Ok(is_whole.then_some(Diagonals { n, m, offsets, numbers }))
    }

    pub(crate) fn borrowed(&self) -> PyResult<Borrowed<'_>> {
        let Diagonals { n, m, offsets, numbers } = self;
        let length = numbers.shape().get(1).copied().unwrap_or_default();
        Ok(Borrowed { n: *n, m: *m, offsets, numbers: numbers.as_slice()?, length })
    }
}

impl Borrowed<'_> {
    pub(crate) fn matrix(self) -> Result<SystemMatrix, Failure> {
        let rows = self.numbers.chunks(self.length.max(1));
        let diagonals = self.offsets.iter().zip(rows);
        let diagonals = diagonals.map(|(offset, entries)| Diagonal { offset: *offset, entries });
        let matrix =
            NineBanded::from_diagonals(self.n, self.m, &diagonals.collect::<Vec<Diagonal<'_>>>());
        let matrix = matrix.map_err(|error| Failure::new(error.kind(), format!("A: {error}")))?;
        Ok(matrix.in_least_form().into())
    }
}
