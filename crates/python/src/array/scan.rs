//! Cumulative sums and products of device arrays.

use std::sync::Arc;

use pyo3::prelude::*;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Operation, Scan};

use super::lazy::{Element, Node};
use super::whole::{Kept, Kind, Whole, of_any_type};
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
        let scanned = of_any_type!(self, py, |x| self.scanned_of(py, &x, operation)?);
        Ok(Array::flat(scanned, false))
    }

    fn scanned_of<T: Element>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        operation: Operation,
    ) -> PyResult<Arc<Node>> {
        let scanned = x.make(py, move |state, x| {
            let (context, scan) = (state.context()?, state.shared(Scan::<T>::new)?);
            let mut scanned = DeviceVector::uninit(&context, x.len())?;
            scan.of(x).operation(operation).run(&mut scanned)?;
            Ok(scanned)
        })?;
        Ok(Node::stored(scanned, self.node.length()))
    }
}
