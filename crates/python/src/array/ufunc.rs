//! NumPy's universal functions over device arrays: its operators work on the device, and other
//! functions are refused with what to write.

use pyo3::exceptions::PyTypeError;
use pyo3::types::{PyDict, PyTuple};

use crate::array::Array;
use crate::prelude::*;

/// NumPy's functions that are operators of device arrays: the operator, and the method that it is left
/// to where the device array comes second.
const OPERATORS: [(&str, &str, &str); 13] = [
    ("add", "+", "__radd__"),
    ("subtract", "-", "__rsub__"),
    ("multiply", "*", "__rmul__"),
    ("divide", "/", "__rtruediv__"),
    ("true_divide", "/", "__rtruediv__"),
    ("power", "**", "__rpow__"),
    ("matmul", "@", "__rmatmul__"),
    ("less", "<", "__gt__"),
    ("less_equal", "<=", "__ge__"),
    ("greater", ">", "__lt__"),
    ("greater_equal", ">=", "__le__"),
    ("equal", "==", "__eq__"),
    ("not_equal", "!=", "__ne__"),
];

/// The functions that are methods of device arrays.
const METHODS: [&str; 6] = ["sqrt", "exp", "log", "sin", "cos", "tanh"];

/// The expressions to use instead of other functions.
const INSTEAD: [(&str, &str); 12] = [
    ("absolute", "abs(v)"),
    ("fabs", "abs(v)"),
    ("negative", "-v"),
    ("positive", "+v"),
    ("square", "v * v"),
    ("reciprocal", "1 / v"),
    ("maximum", "q.maximum(v, w)"),
    ("minimum", "q.minimum(v, w)"),
    ("float_power", "v ** w"),
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
    let operator = OPERATORS.iter().find(|(known, ..)| *known == name);
    let plain = method == "__call__" && options.is_none_or(|options| options.is_empty());
    if let (true, Ok((x, y))) = (plain, inputs.extract::<(Object<'py>, Object<'py>)>())
        && !x.is_instance_of::<Array>()
        && let Some((.., reflected)) = operator
    {
        return y.call_method1(*reflected, (x,));
    }
    if method != "__call__" {
        name += &format!(".{method}");
    }
    let text = match instead_of(&name) {
        Some(instead) => format!(
            "np.{name} takes no device array: write {instead}, which is computed on the device, or read it back by np.asarray(v)"
        ),
        None => format!(
            "np.{name} takes no device array, and device arrays have no method for it: read it back by np.asarray(v)"
        ),
    };
    Err(PyTypeError::new_err(text))
}

/// Returns the expression to use instead of a function.
fn instead_of(name: &str) -> Option<String> {
    if let Some((_, operator, _)) = OPERATORS.iter().find(|(known, ..)| *known == name) {
        return Some(format!("v {operator} w"));
    }
    if METHODS.contains(&name) {
        return Some(format!("v.{name}()"));
    }
    let instead = INSTEAD.iter().find(|(known, _)| *known == name);
    instead.map(|(_, instead)| (*instead).to_owned())
}
