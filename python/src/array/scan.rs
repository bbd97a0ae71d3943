//! Cumulative sums and products of device arrays.

use std::sync::Arc;

use pyo3::prelude::*;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Operation, Scan};

use super::lazy::{Node, vector};
use crate::array::Array;
use crate::worker::handle::Handle;

impl Array {
    /// Returns what an operation makes of all numbers up to each, as a flat array.
    pub(crate) fn scanned(&self, py: Python<'_>, operation: Operation) -> PyResult<Array> {
        let x = vector(py, &self.worker, &self.node)?;
        let scanned = self.worker.call(py, |state, _| {
            let (context, scan) = (state.context()?, state.shared(Scan::<f32>::new)?);
            let x = state.get(&x)?;
            let mut scanned = DeviceVector::uninit(&context, x.len())?;
            scan.of(&x).operation(operation).run(&mut scanned)?;
            Ok(Arc::new(Handle::new(&self.worker, state.keep(scanned))))
        })?;
        let length = self.shape.iter().product();
        let node = Node::stored(scanned, length);
        Ok(Array { shape: vec![length], ..self.with(node, false) })
    }
}
