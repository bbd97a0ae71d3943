//! NumPy arrays of complex numbers, as their real and imaginary parts.

use numpy::{PyArrayDescrMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

use super::Array;
use super::doubles::as_type;
use crate::error::wrong;

/// Returns whether an array has complex numbers.
pub(crate) fn is_complex(array: &Bound<'_, PyUntypedArray>) -> bool {
    array.dtype().kind() == b'c'
}

/// Takes complex numbers in C order as 32-bit floats, of which two at a time are the parts of one: complex64 as it
/// is, complex128 rounded with a warning if that changes a number.
pub(crate) fn pairs<'py>(
    name: &str,
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let (whole, part) = match (array.dtype().kind(), array.dtype().itemsize()) {
        (b'c', 8) => ("complex64", "float32"),
        (b'c', 16) => ("complex128", "float64"),
        _ => return Err(no_complex(name, array)),
    };
    // A view has this machine's order of bytes, and so must the array.
    let native = as_type(array, whole)?;
    let mut shape = array.shape().to_vec();
    shape.push(2);
    let parts = native.call_method1("reshape", (-1_i32,))?.call_method1("view", (part,))?;
    match Array::take(name, &parts.call_method1("reshape", (shape,))?)? {
        Array::F32(parts) => Ok(parts),
        _ => Err(no_complex(name, array)),
    }
}

fn no_complex(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyErr {
    let dtype = array.dtype();
    wrong(array.py(), format!("{name}: expected complex64 or complex128, got dtype {dtype}"))
}
