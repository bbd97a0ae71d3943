//! NumPy's universal functions over device arrays: its operators work on the device, and other
//! functions are refused with what to write.

use pyo3::exceptions::PyTypeError;
use pyo3::types::{PyDict, PyTuple};

use crate::array::Array;
use crate::prelude::*;

/// The methods of device arrays that NumPy's operators are left to where the device array comes
/// second.
const REFLECTED: [(&str, &str); 13] = [
    ("add", "__radd__"),
    ("subtract", "__rsub__"),
    ("multiply", "__rmul__"),
    ("divide", "__rtruediv__"),
    ("true_divide", "__rtruediv__"),
    ("power", "__rpow__"),
    ("matmul", "__rmatmul__"),
    ("less", "__gt__"),
    ("less_equal", "__ge__"),
    ("greater", "__lt__"),
    ("greater_equal", "__le__"),
    ("equal", "__eq__"),
    ("not_equal", "__ne__"),
];

/// The expressions to use instead of functions that have an operator or a method.
const INSTEAD: [(&str, &str); 31] = [
    ("sqrt", "v.sqrt()"),
    ("exp", "v.exp()"),
    ("log", "v.log()"),
    ("sin", "v.sin()"),
    ("cos", "v.cos()"),
    ("tanh", "v.tanh()"),
    ("absolute", "abs(v)"),
    ("fabs", "abs(v)"),
    ("negative", "-v"),
    ("positive", "+v"),
    ("square", "v * v"),
    ("reciprocal", "1 / v"),
    ("maximum", "q.maximum(v, w)"),
    ("minimum", "q.minimum(v, w)"),
    ("add", "v + w"),
    ("subtract", "v - w"),
    ("multiply", "v * w"),
    ("divide", "v / w"),
    ("true_divide", "v / w"),
    ("power", "v ** w"),
    ("float_power", "v ** w"),
    ("matmul", "v @ w"),
    ("less", "v < w"),
    ("less_equal", "v <= w"),
    ("greater", "v > w"),
    ("greater_equal", "v >= w"),
    ("equal", "v == w"),
    ("not_equal", "v != w"),
    ("add.reduce", "v.sum()"),
    ("maximum.reduce", "v.max()"),
    ("minimum.reduce", "v.min()"),
];

/// Applies a universal function of NumPy that has a device array among its operands; NumPy's own
/// operators call it too.
pub(crate) fn applied<'py>(
    function: &Object<'py>,
    method: &str,
    inputs: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let mut name: String = function.getattr("__name__")?.extract()?;
    let plain = method == "__call__" && options.is_none_or(|options| options.is_empty());
    if let (true, Ok((x, y))) = (plain, inputs.extract::<(Object<'py>, Object<'py>)>())
        && !x.is_instance_of::<Array>()
        && let Some(reflected) = found(&REFLECTED, &name)
    {
        return y.call_method1(reflected, (x,));
    }
    if method != "__call__" {
        name += &format!(".{method}");
    }
    let text = match found(&INSTEAD, &name) {
        Some(instead) => format!(
            "np.{name} takes no device array: write {instead}, which is computed on the device, or read it back by np.asarray(v)"
        ),
        None => format!(
            "np.{name} takes no device array, and device arrays have no method for it: read it back by np.asarray(v)"
        ),
    };
    Err(PyTypeError::new_err(text))
}

fn found(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, found)| *found)
}
