//! What most files of the module use.

pub(crate) use pyo3::prelude::*;

pub(crate) use crate::error::OrRaise;

/// Any object of Python's.
pub(crate) type Object<'py> = Bound<'py, PyAny>;

/// A function's result: an object, or an exception.
pub(crate) type Returned<'py> = PyResult<Object<'py>>;
