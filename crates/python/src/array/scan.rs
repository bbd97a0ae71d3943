//! Cumulative sums and products of device arrays.

use pyo3::prelude::*;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Operation, Scan};

use super::lazy::Element;
use super::whole::{Kept, Kind, Whole};
use crate::array::Array;

impl Array {
    /// Returns what an operation makes of all numbers up to each, as a flat array.
    pub(crate) fn scanned(&self, py: Python<'_>, operation: Operation) -> PyResult<Array> {
        // Floats would stop counting at 2^24.
        if self.boolean
            && let Some(numbers) = self.converted(py, Kind::Int32)?
        {
            return numbers.scanned(py, operation);
        }
        match self.node.whole() {
            Some(Whole::I32(x)) => self.scanned_of(py, &x, operation),
            Some(Whole::U32(x)) => self.scanned_of(py, &x, operation),
            None => self.scanned_of(py, &self.vector(py)?, operation),
        }
    }

    fn scanned_of<T: Element>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        operation: Operation,
    ) -> PyResult<Array> {
        let scanned = x.make(py, move |state, x| {
            let (context, scan) = (state.context()?, state.shared(Scan::<T>::new)?);
            let mut scanned = DeviceVector::uninit(&context, x.len())?;
            scan.of(x).operation(operation).run(&mut scanned)?;
            Ok(scanned)
        })?;
        let length = self.shape.iter().product();
        Ok(Array { shape: vec![length], ..self.with(T::node(scanned, length), false) })
    }
}
