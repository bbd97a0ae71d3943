//! NumPy arrays as numbers in double precision, for what computes in it.

use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::types::IntoPyDict;

use crate::arrays::as_array;
use crate::error::wrong;
use crate::prelude::*;

/// Returns the numbers of any array-like object as float64 in C order; what float64 does not hold
/// exactly is refused.
pub(crate) fn doubles<'py>(
    name: &str,
    object: &Object<'py>,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    let array = as_array(name, object)?;
    let dtype = array.dtype();
    let (kind, size) = (char::from(dtype.kind()), dtype.itemsize());
    if !matches!((kind, size), ('f', 2 | 4 | 8) | ('i' | 'u' | 'b', _)) {
        let text = format!(
            "{name}: expected an array of float16, float32, float64, bool or integers; got dtype {}",
            dtype.str()?
        );
        return Err(wrong(array.py(), text));
    }
    let converted = as_type(&array, "float64")?;
    if matches!((kind, size), ('i' | 'u', 8)) {
        must_be_exact(name, &array, &converted)?;
    }
    typed(converted)
}

/// Returns integers that are indices, as int64 in C order.
pub(crate) fn indices<'py>(
    name: &str,
    object: &Object<'py>,
) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let array = as_array(name, object)?;
    if !b"iu".contains(&array.dtype().kind()) {
        let text = format!("{name}: expected integers as indices, got dtype {}", array.dtype());
        return Err(wrong(array.py(), text));
    }
    typed(as_type(&array, "int64")?)
}

/// Converts an array to C order and aligned memory; returns the array itself if it is so.
pub(crate) fn as_type<'py>(array: &Object<'py>, dtype: &str) -> Returned<'py> {
    let numpy = array.py().import("numpy")?;
    let options = [("dtype", dtype)].into_py_dict(array.py())?;
    options.set_item("requirements", "CA")?;
    numpy.call_method("require", (array,), Some(&options))
}

/// Borrows an array of this type.
pub(crate) fn typed<'py, T: Element>(array: Object<'py>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    Ok(array.cast_into::<PyArrayDyn<T>>()?.try_readonly()?)
}

/// Refuses integers that a double rounds.
fn must_be_exact(
    name: &str,
    array: &Bound<'_, PyUntypedArray>,
    converted: &Object<'_>,
) -> PyResult<()> {
    let py = array.py();
    let limit = 1_i64 << 53;
    let most = converted.call_method0("__abs__")?;
    let beyond = most.call_method1("__ge__", (limit as f64,))?;
    if beyond.call_method0("any")?.is_truthy()? {
        let text = format!(
            "{name}: expected integers that float64 holds exactly, below 2^53 = {limit} in size"
        );
        return Err(wrong(py, text));
    }
    Ok(())
}
