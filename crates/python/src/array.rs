//! `Array`: numbers that stay on the device, with operators that are fused.

mod cache;
pub(crate) mod complex;
pub(crate) mod convolution;
pub(crate) mod elementwise;
pub(crate) mod fourier;
pub(crate) mod lazy;
pub(crate) mod methods;
pub(crate) mod operands;
mod picture;
mod scan;
pub(crate) mod sorted;
mod tables;
mod ufunc;
pub(crate) mod whole;

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use quadrille::data::Values;

use crate::arrays::new_array;
use crate::error::wrong;
use crate::prelude::*;
use lazy::{Node, Operand, engine};
use whole::no_floats;

/// An array of float32 on the device; `quadrille_gl.array` makes one. It does not change. With
/// `dtype` it has int32 or uint32, which are sorted, counted and summed exactly; all else takes
/// float32, which `astype` makes of them.
///
/// Operators and methods that give an array, `+ - * / **`, comparisons, `abs`, `sqrt`, `exp`,
/// `log`, `sin`, `cos`, `tanh` and the functions `minimum`, `maximum` and `where`, compute nothing
/// yet: they are fused into one pass over the device's memory when numbers are needed. The other
/// operand is an array of the same shape and context, a number, or a NumPy array, which is
/// uploaded. Comparisons give arrays of dtype bool. There is no broadcasting besides numbers.
///
/// `sum`, `mean`, `min`, `max`, `dot` and `norm` give a float of double precision. `np.asarray(v)`
/// and `to_numpy` read an array back; NumPy's universal functions refuse it until then: `v.sin()`
/// is computed on the device. Indexing is NumPy's too: `np.asarray(v)[...]`.
///
/// Each operation rounds to float32; zeros, infinities and NaN are treated as NumPy does, except
/// that denormals may count as 0. docs/python.md has the bounds of the functions.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> v = q.array(np.float32([1, 2, 3]))
/// >>> w = (2.0 * v + v * v + 1).sqrt()
/// >>> w.sum(), np.asarray(w)
/// (9.0, array([2., 3., 4.], dtype=float32))
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    /// Whether its numbers are 0 and 1, for False and True.
    pub(crate) boolean: bool,
    pub(crate) node: Arc<Node>,
}

impl Array {
    /// Returns the name of its dtype.
    pub(crate) fn kind(&self) -> &'static str {
        match self.node.whole() {
            Some(whole) => whole.kind().name(),
            None if self.boolean => "bool",
            None => "float32",
        }
    }

    /// Refuses whole numbers, before anything is made of them.
    fn must_have_floats(&self, py: Python<'_>) -> PyResult<()> {
        match self.node.whole() {
            Some(whole) => Err(no_floats(py, &whole)),
            None => Ok(()),
        }
    }

    /// Returns the floats of a node in this shape.
    pub(crate) fn floats(shape: &[usize], node: Arc<Node>) -> Array {
        Array { shape: shape.to_vec(), boolean: false, node }
    }

    /// Returns all numbers of a node, as an array of one axis.
    pub(crate) fn flat(node: Arc<Node>, boolean: bool) -> Array {
        Array { shape: vec![node.length()], boolean, node }
    }

    /// Returns an array of this shape.
    pub(crate) fn with(&self, node: Arc<Node>, boolean: bool) -> Array {
        Array { shape: self.shape.clone(), boolean, node }
    }

    /// Returns the numbers of an array that operators take together with this one.
    pub(crate) fn fitting(&self, py: Python<'_>, other: &Array) -> PyResult<Arc<Node>> {
        if !self.node.worker.is(&other.node.worker) {
            let text = "the arrays belong to different contexts: q.array(v, context=...) copies one to the other's";
            return Err(wrong(py, text));
        }
        must_have_shape(py, &self.shape, &other.shape)?;
        other.must_have_floats(py)?;
        Ok(other.node.clone())
    }

    /// Returns an operation on this array, the first operand, and others.
    pub(crate) fn operation(
        &self,
        py: Python<'_>,
        text: &str,
        others: impl IntoIterator<Item = Operand>,
        boolean: bool,
    ) -> PyResult<Array> {
        self.must_have_floats(py)?;
        Ok(self.with(self.node.operation(py, text, others)?, boolean))
    }

    /// Reads the numbers to the host, in C order.
    pub(crate) fn numbers(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        self.node.vector(py)?.call(py, |_, x| Ok(x.read()?))
    }

    /// Returns a new array of NumPy.
    pub(crate) fn read<'py>(&self, py: Python<'py>) -> Returned<'py> {
        let numbers = match self.node.whole() {
            Some(whole) => whole.read(py)?,
            None => Values::F32(self.numbers(py)?),
        };
        let array = new_array(py, &self.shape, numbers)?;
        if self.boolean { array.call_method1("astype", ("bool",)) } else { Ok(array) }
    }

    pub(crate) fn extreme(&self, py: Python<'_>, greatest: bool) -> PyResult<Option<f64>> {
        self.node.vector(py)?.call(py, move |state, x| {
            let engine = engine(state)?;
            Ok(if greatest { engine.blas.max(x) } else { engine.blas.min(x) }?)
        })
    }
}

/// Refuses an operand of another shape, before anything is made of it.
pub(crate) fn must_have_shape(py: Python<'_>, shape: &[usize], other: &[usize]) -> PyResult<()> {
    match shape == other {
        true => Ok(()),
        false => {
            let text = format!(
                "the arrays have different shapes, {shape:?} and {other:?}: device arrays broadcast numbers alone"
            );
            Err(wrong(py, text))
        }
    }
}

/// What `__array__` returns of an array that is read to the host, by a name for it.
pub(crate) fn on_host<'py>(
    name: &str,
    dtype: Option<Object<'py>>,
    copy: Option<bool>,
    read: impl FnOnce() -> Returned<'py>,
) -> Returned<'py> {
    if copy == Some(false) {
        let text = format!(
            "a device array has no numbers on the host without a copy: use np.asarray({name})"
        );
        return Err(PyValueError::new_err(text));
    }
    match dtype {
        None => read(),
        Some(dtype) => read()?.call_method1("astype", (dtype,)),
    }
}
