//! Cumulative sums and products of device arrays.

use std::sync::Arc;

use pyo3::prelude::*;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Number, Operation, Scan};

use super::lazy::{Node, vector};
use super::whole::{Kind, Whole};
use crate::array::Array;
use crate::worker::handle::Handle;

impl Array {
    /// Returns what an operation makes of all numbers up to each, as a flat array.
    pub(crate) fn scanned(&self, py: Python<'_>, operation: Operation) -> PyResult<Array> {
        // Floats would stop counting at 2^24.
        if self.boolean
            && let Some(numbers) = self.converted(py, Kind::Int32)?
        {
            return numbers.scanned(py, operation);
        }
        let length = self.shape.iter().product();
        let node = match self.node.whole() {
            Some(Whole::I32(x)) => {
                Node::whole_of(Whole::I32(self.scanned_of(py, &x, operation)?), length)
            }
            Some(Whole::U32(x)) => {
                Node::whole_of(Whole::U32(self.scanned_of(py, &x, operation)?), length)
            }
            None => {
                let x = vector(py, &self.worker, &self.node)?;
                Node::stored(self.scanned_of(py, &x, operation)?, length)
            }
        };
        Ok(Array { shape: vec![length], ..self.with(node, false) })
    }

    fn scanned_of<T: Number>(
        &self,
        py: Python<'_>,
        x: &Arc<Handle<DeviceVector<T>>>,
        operation: Operation,
    ) -> PyResult<Arc<Handle<DeviceVector<T>>>> {
        let (x, keeper) = (x.id(), self.worker.clone());
        self.worker.call(py, move |state, _| {
            let (context, scan) = (state.context()?, state.shared(Scan::<T>::new)?);
            let x = state.get(&x)?;
            let mut scanned = DeviceVector::uninit(&context, x.len())?;
            scan.of(&x).operation(operation).run(&mut scanned)?;
            Ok(keeper.keep(state, scanned))
        })
    }
}
