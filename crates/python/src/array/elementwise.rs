//! Operations on device arrays, and the functions of several.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};

use super::lazy::Operand;
use super::operands::{operand, uploaded_as};
use super::tables::functions;
use crate::array::{Array, must_have_shape};
use crate::error::wrong;
use crate::prelude::*;

impl Array {
    pub(crate) fn unary<'py>(&self, py: Python<'py>, text: &str) -> Returned<'py> {
        Ok(Bound::new(py, self.operation(py, text, [], false)?)?.into_any())
    }

    pub(crate) fn binary<'py>(&self, text: &str, other: &Object<'py>) -> Returned<'py> {
        self.operated(text, other, false)
    }

    /// Applies an operator; where the other operand is nothing that operators take, Python tries
    /// the operand's own.
    pub(crate) fn operated<'py>(
        &self,
        text: &str,
        other: &Object<'py>,
        boolean: bool,
    ) -> Returned<'py> {
        let py = other.py();
        match operand(self, other)? {
            None => Ok(py.NotImplemented().into_bound(py)),
            Some(other) => {
                Ok(Bound::new(py, self.operation(py, text, [other], boolean)?)?.into_any())
            }
        }
    }
}

/// The array among the arguments, which says where the operation is done, and the other argument.
fn array_of<'a, 'py>(
    name: &str,
    x: &'a Object<'py>,
    y: &'a Object<'py>,
) -> PyResult<(&'a Array, &'a Object<'py>)> {
    for (array, other) in [(x, y), (y, x)] {
        if let Ok(array) = array.cast::<Array>() {
            return Ok((array.get(), other));
        }
    }
    let text = format!("{name}: expected a device array among the arguments; q.array makes one");
    Err(wrong(x.py(), text))
}

fn of_two<'py>(name: &str, x: &Object<'py>, y: &Object<'py>) -> Returned<'py> {
    let (py, (array, other)) = (x.py(), array_of(name, x, y)?);
    let other = taken(name, array, other)?;
    let text = format!("{name}_of({{0}}, {{1}})");
    Ok(Bound::new(py, array.operation(py, &text, [other], false)?)?.into_any())
}

/// An operand, or an error.
fn taken(name: &str, array: &Array, other: &Object<'_>) -> PyResult<Operand> {
    operand(array, other)?.ok_or_else(|| {
        let kind = other.get_type().to_string();
        wrong(
            other.py(),
            format!("{name}: expected a number, a device array or a NumPy array, got {kind}"),
        )
    })
}

functions! {
    #[pyo3(signature = (x, y, /))]
    fn(x: &Object<'py>, y: &Object<'py>) {
        /// The lesser number of each two, NaN if either is: of a device array and another, a number or a
        /// NumPy array.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> np.asarray(q.minimum(q.array(np.float32([1, 2, 3])), 2))
        /// array([1., 2., 2.], dtype=float32)
        minimum = of_two("minimum", x, y);

        /// The greater number of each two, NaN if either is: of a device array and another, a number or a
        /// NumPy array.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> np.asarray(q.maximum(0, q.array(np.float32([-1, 2]))))
        /// array([0., 2.], dtype=float32)
        maximum = of_two("maximum", x, y);
    }
}

/// Numbers of `x` where the condition is not 0, and of `y` elsewhere. The condition is a device
/// array, or a NumPy array, which is uploaded to where `x` or `y` is; these are device arrays,
/// numbers or NumPy arrays.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> v = q.array(np.float32([-1, 4]))
/// >>> np.asarray(q.where(v > 0, v, 0))
/// array([0., 4.], dtype=float32)
#[pyfunction]
#[pyo3(name = "where", signature = (condition, x, y, /))]
pub(crate) fn choose<'py>(
    condition: &Object<'py>,
    x: &Object<'py>,
    y: &Object<'py>,
) -> PyResult<Bound<'py, Array>> {
    let py = condition.py();
    let made;
    let array = match condition.cast::<Array>() {
        Ok(array) => array.get(),
        Err(_) => {
            let array = array_of("where", x, y)?.0;
            if let Ok(condition) = condition.cast::<PyUntypedArray>() {
                must_have_shape(py, &array.shape, condition.shape())?;
            }
            made = uploaded_as(condition, &array.node.worker, None)?;
            &made
        }
    };
    let others = [taken("where", array, x)?, taken("where", array, y)?];
    Bound::new(py, array.operation(py, "({0} != 0.0 ? {1} : {2})", others, false)?)
}
