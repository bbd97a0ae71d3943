//! Operations on device arrays, and the functions of several.

use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use quadrille::data::Values;

use crate::array::Array;
use crate::arrays::new_array;
use crate::error::wrong;
use crate::lazy::{Node, Operand, engine, vector};
use crate::operands::{operand, uploaded};

impl Array {
    /// The name of its dtype.
    pub(crate) fn kind(&self) -> &'static str {
        if self.boolean { "bool" } else { "float32" }
    }

    /// An array of this shape.
    pub(crate) fn with(&self, node: Arc<Node>, boolean: bool) -> Array {
        Array { worker: self.worker.clone(), shape: self.shape.clone(), boolean, node }
    }

    /// The numbers of an array that operators take together with this one.
    pub(crate) fn fitting(&self, py: Python<'_>, other: &Array) -> PyResult<Arc<Node>> {
        if !self.worker.is(&other.worker) {
            let text = "the arrays belong to different contexts: q.array(v, context=...) copies one to the other's";
            return Err(wrong(py, text));
        }
        self.must_have_shape(py, &other.shape)?;
        Ok(other.node.clone())
    }

    /// Refuses an operand of another shape, before anything is made of it.
    pub(crate) fn must_have_shape(&self, py: Python<'_>, shape: &[usize]) -> PyResult<()> {
        match self.shape == shape {
            true => Ok(()),
            false => {
                let text = format!(
                    "the arrays have different shapes, {:?} and {shape:?}: device arrays broadcast numbers alone",
                    self.shape
                );
                Err(wrong(py, text))
            }
        }
    }

    /// An operation on this array, the first operand, and others.
    pub(crate) fn operation(
        &self,
        py: Python<'_>,
        text: &str,
        others: Vec<Operand>,
        boolean: bool,
    ) -> PyResult<Array> {
        let mut operands = vec![Operand::Node(self.node.clone())];
        operands.extend(others);
        let length = self.shape.iter().product();
        let node = Node::term(py, &self.worker, length, text, operands)?;
        Ok(self.with(node, boolean))
    }

    pub(crate) fn unary<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, self.operation(py, text, Vec::new(), false)?)?.into_any())
    }

    pub(crate) fn binary<'py>(
        &self,
        text: &str,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.operated(text, other, false)
    }

    /// An operator; Python goes on by itself where the other operand is nothing that operators take.
    pub(crate) fn operated<'py>(
        &self,
        text: &str,
        other: &Bound<'py, PyAny>,
        boolean: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match operand(self, other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(other) => {
                Ok(Bound::new(py, self.operation(py, text, vec![other], boolean)?)?.into_any())
            }
        }
    }

    /// Its numbers on the host, in C order.
    pub(crate) fn numbers(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        let x = vector(py, &self.worker, &self.node)?;
        self.worker.call(py, |state, _| Ok(state.get(&x)?.read()?))
    }

    /// A new array of NumPy.
    pub(crate) fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = new_array(py, &self.shape, Values::F32(self.numbers(py)?))?;
        if self.boolean { array.call_method1("astype", ("bool",)) } else { Ok(array) }
    }

    pub(crate) fn extreme(&self, py: Python<'_>, greatest: bool) -> PyResult<Option<f64>> {
        let x = vector(py, &self.worker, &self.node)?;
        self.worker.call(py, |state, _| {
            let (blas, x) = (engine(state)?, state.get(&x)?);
            Ok(if greatest { blas.blas.max(&x) } else { blas.blas.min(&x) }?)
        })
    }
}

/// The array among the arguments, which says where the operation is done, and the other argument.
fn array_of<'a, 'py>(
    name: &str,
    x: &'a Bound<'py, PyAny>,
    y: &'a Bound<'py, PyAny>,
) -> PyResult<(&'a Array, &'a Bound<'py, PyAny>)> {
    for (array, other) in [(x, y), (y, x)] {
        if let Ok(array) = array.cast::<Array>() {
            return Ok((array.get(), other));
        }
    }
    let text = format!("{name}: expected a device array among the arguments; q.array makes one");
    Err(wrong(x.py(), text))
}

fn of_two<'py>(
    name: &str,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Array>> {
    let (array, other) = array_of(name, x, y)?;
    let other = taken(name, array, other)?;
    Bound::new(
        x.py(),
        array.operation(x.py(), &format!("{name}_of({{0}}, {{1}})"), vec![other], false)?,
    )
}

/// An operand, or an error.
fn taken(name: &str, array: &Array, other: &Bound<'_, PyAny>) -> PyResult<Operand> {
    operand(array, other)?.ok_or_else(|| {
        let kind = other.get_type().to_string();
        wrong(
            other.py(),
            format!("{name}: expected a number, a device array or a NumPy array, got {kind}"),
        )
    })
}

/// The lesser number of each two, NaN if either is: of a device array and another, a number or a NumPy array.
///
/// >>> import numpy as np, quadrille as q
/// >>> np.asarray(q.minimum(q.array(np.float32([1, 2, 3])), 2))
/// array([1., 2., 2.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, y, /))]
pub(crate) fn minimum<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Array>> {
    of_two("minimum", x, y)
}

/// The greater number of each two, NaN if either is: of a device array and another, a number or a NumPy array.
///
/// >>> import numpy as np, quadrille as q
/// >>> np.asarray(q.maximum(0, q.array(np.float32([-1, 2]))))
/// array([0., 2.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (x, y, /))]
pub(crate) fn maximum<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Array>> {
    of_two("maximum", x, y)
}

/// Numbers of `x` where the condition is not 0, and of `y` elsewhere. The condition is a device array, or a NumPy array, which is
/// uploaded to where `x` or `y` is; these are device arrays, numbers or NumPy arrays.
///
/// >>> import numpy as np, quadrille as q
/// >>> v = q.array(np.float32([-1, 4]))
/// >>> np.asarray(q.where(v > 0, v, 0))
/// array([0., 4.], dtype=float32)
#[pyfunction]
#[pyo3(name = "where", signature = (condition, x, y, /))]
pub(crate) fn choose<'py>(
    condition: &Bound<'py, PyAny>,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Array>> {
    let py = condition.py();
    let made;
    let array = match condition.cast::<Array>() {
        Ok(array) => array.get(),
        Err(_) => {
            let array = array_of("where", x, y)?.0;
            if let Ok(condition) = condition.cast::<PyUntypedArray>() {
                array.must_have_shape(py, condition.shape())?;
            }
            made = uploaded(condition, &array.worker)?;
            &made
        }
    };
    let others = vec![taken("where", array, x)?, taken("where", array, y)?];
    Bound::new(py, array.operation(py, "({0} != 0.0 ? {1} : {2})", others, false)?)
}
