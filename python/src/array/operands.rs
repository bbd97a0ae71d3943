//! The operands of device arrays' operators: another device array, a number, or whatever NumPy
//! makes an array of.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use quadrille::data::ValuesRef;
use quadrille::grid::DeviceVector;

use super::lazy::{Node, Operand};
use crate::array::Array;
use crate::arrays::{self, as_array, place, room};
use crate::error::wrong;
use crate::worker::Worker;
use crate::worker::handle::Handle;
use std::sync::Arc;

/// Returns the numbers of an array of the host on a worker's device.
pub(crate) fn uploaded(object: &Bound<'_, PyAny>, worker: &Worker) -> PyResult<Array> {
    let py = object.py();
    let array = as_array("array", object)?;
    let boolean = array.dtype().kind() == b'b';
    if array.ndim() == 0 {
        return Err(wrong(
            py,
            "array: expected an array of one axis or more, got a number: operators take numbers as they are",
        ));
    }
    let array = arrays::Array::take("array", &array)?;
    let numbers = floats(py, "array", &array)?;
    let numbers = &*numbers;
    let vector = worker.call(py, |state, _| {
        let vector = DeviceVector::from_host(&state.context()?, numbers)?;
        Ok(Arc::new(Handle::new(worker, state.keep(vector))))
    })?;
    let node = Node::stored(vector, numbers.len());
    Ok(Array { worker: worker.clone(), shape: array.shape().to_vec(), boolean, node })
}

/// Numbers as floats; integers only if each is one.
pub(crate) fn floats<'a>(
    py: Python<'_>,
    name: &str,
    array: &'a arrays::Array<'_>,
) -> PyResult<std::borrow::Cow<'a, [f32]>> {
    let values = match array.values()? {
        ValuesRef::F32(values) => return Ok(values.into()),
        values => values,
    };
    let exact = |(at, number): (usize, f64)| {
        let single = number as f32;
        (f64::from(single) == number).then_some(single).ok_or_else(|| {
            let place = place(py, at, array.shape());
            let text = format!(
                "{name}: {number} at {place} is no float32, which holds all integers up to 2**24; say x.astype(\"float32\") to round"
            );
            wrong(py, text)
        })
    };
    let mut singles = room(py, values.len())?;
    for number in values.doubles().enumerate() {
        singles.push(exact(number)?);
    }
    Ok(singles.into())
}

/// Returns the operand of an operator on arrays of this shape and worker; `None` for what no
/// operator takes.
pub(crate) fn operand(array: &Array, other: &Bound<'_, PyAny>) -> PyResult<Option<Operand>> {
    if let Ok(other) = other.cast::<Array>() {
        return array.fitting(other.py(), other.get()).map(|node| Some(Operand::Node(node)));
    }
    if let Some(number) = number(other)? {
        return Ok(Some(Operand::Number(number)));
    }
    let py = other.py();
    if !other.is_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    array.must_have_shape(py, other.cast::<PyUntypedArray>()?.shape())?;
    let other = uploaded(other, &array.worker)?;
    array.fitting(py, &other).map(|node| Some(Operand::Node(node)))
}

/// Returns a number of Python or NumPy, rounded to float32 as NumPy rounds one that meets a float32
/// array.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<f32>> {
    let py = object.py();
    let is_number = object.is_instance(&py.import("numbers")?.getattr("Real")?)?
        || object.is_instance(&py.import("numpy")?.getattr("bool_")?)?
        || object.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() == 0);
    if !is_number {
        return Ok(None);
    }
    let double: f64 = object.call_method0("__float__")?.extract()?;
    let single = double as f32;
    if single.is_infinite() && double.is_finite() {
        let text = format!("{double:e} does not fit float32 (largest 3.4028235e38)");
        return Err(wrong(py, text));
    }
    Ok(Some(single))
}
