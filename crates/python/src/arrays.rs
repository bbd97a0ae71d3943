//! NumPy arrays as numbers of the host, and back.
//!
//! [`Array::take`] makes of any array-like object one that is borrowed where it can be and
//! converted where it must: C order, 32 bits. What is [`lent`](Array::lent) of it is given to work on a
//! worker's thread, which copies it to the device without a copy in between. [`new_array`]
//! makes an array of a result without copying it. Results that go into an array of the caller are
//! in [`self::outputs`]. What needs double precision takes arrays by [`self::doubles`], and complex numbers come by
//! [`self::pairs`]; nothing outside of this module converts what it is given, or looks at its bytes.
//!
//! float32 stays; float16 is exact; float64 is rounded, with a `UserWarning` if any number changed,
//! and refused where float32 overflows. Integers become 32-bit integers, signed or not as they
//! were, and bool unsigned ones; what 32 bits do not hold is refused.

pub(crate) mod doubles;
pub(crate) mod lent;
pub(crate) mod outputs;
pub(crate) mod pairs;

use std::ffi::CString;

use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyUserWarning;
use pyo3::types::PyString;
use quadrille::data::{Values, ValuesRef};
use quadrille::{memory, visible};

use crate::arrays::lent::{Lent, LentValues};
use crate::error::wrong;
use crate::prelude::*;

/// An array in C order of one of the types that samplers read.
pub(crate) enum Array<'py> {
    F32(PyReadonlyArrayDyn<'py, f32>),
    I32(PyReadonlyArrayDyn<'py, i32>),
    U32(PyReadonlyArrayDyn<'py, u32>),
}

impl<'py> Array<'py> {
    /// Converts whatever NumPy makes an array of; `name` is what errors and warnings call it.
    pub(crate) fn take(name: &str, object: &Object<'py>) -> PyResult<Array<'py>> {
        if let Some(array) = Array::borrowed(object) {
            return Ok(array);
        }
        let array = as_array(name, object)?;
        let dtype = array.dtype();
        let converted = match (char::from(dtype.kind()), dtype.itemsize()) {
            ('f', 2 | 4) => native(&array, "float32")?,
            ('f', 8) => rounded(name, &array)?,
            ('i', 1 | 2 | 4) => native(&array, "int32")?,
            ('i', 8) => narrowed::<i64, i32>(name, &array)?,
            ('b', _) | ('u', 1 | 2 | 4) => native(&array, "uint32")?,
            ('u', 8) => narrowed::<u64, u32>(name, &array)?,
            _ => return Err(no_numbers(name, &array)),
        };
        Array::borrowed(&converted).ok_or_else(|| no_numbers(name, &array))
    }

    /// An array that needs no conversion.
    fn borrowed(object: &Object<'py>) -> Option<Array<'py>> {
        None.or_else(|| in_order::<f32>(object).map(Array::F32))
            .or_else(|| in_order::<i32>(object).map(Array::I32))
            .or_else(|| in_order::<u32>(object).map(Array::U32))
    }

    fn untyped(&self) -> &Bound<'py, PyUntypedArray> {
        match self {
            Array::F32(array) => array.as_untyped(),
            Array::I32(array) => array.as_untyped(),
            Array::U32(array) => array.as_untyped(),
        }
    }

    /// Returns the shape, as NumPy defines it.
    pub(crate) fn shape(&self) -> &[usize] {
        self.untyped().shape()
    }

    /// Returns the numbers, row by row.
    pub(crate) fn values(&self) -> PyResult<ValuesRef<'_>> {
        Ok(match self {
            Array::F32(array) => ValuesRef::F32(array.as_slice()?),
            Array::I32(array) => ValuesRef::I32(array.as_slice()?),
            Array::U32(array) => ValuesRef::U32(array.as_slice()?),
        })
    }
}

impl Array<'_> {
    /// Returns the numbers for work on a worker's thread.
    pub(crate) fn lent(&self) -> PyResult<LentValues> {
        Ok(match self {
            Array::F32(array) => LentValues::F32(Lent::of(array)?),
            Array::I32(array) => LentValues::I32(Lent::of(array)?),
            Array::U32(array) => LentValues::U32(Lent::of(array)?),
        })
    }

    /// Returns the object of Python, which holds the numbers.
    pub(crate) fn object(&self) -> Py<PyAny> {
        self.untyped().as_any().clone().unbind()
    }
}

/// Creates a new array of this shape that owns these numbers.
pub(crate) fn new_array<'py>(py: Python<'py>, shape: &[usize], values: Values) -> Returned<'py> {
    match values {
        Values::F32(values) => shaped(py, shape, values),
        Values::I32(values) => shaped(py, shape, values),
        Values::U32(values) => shaped(py, shape, values),
    }
}

/// Creates a new array of this shape that owns numbers of any type.
pub(crate) fn shaped<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    numbers: Vec<T>,
) -> Returned<'py> {
    let array = PyArray1::from_vec(py, numbers);
    match shape.len() {
        1 => Ok(array.into_any()),
        _ => Ok(array.reshape(shape.to_vec())?.into_any()),
    }
}

/// Returns whether an object is an array with axes, as opposed to a number.
pub(crate) fn has_axes(object: &Object<'_>) -> bool {
    object.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() > 0)
}

/// An aligned array of this type in C order, borrowed; `None` for another.
fn in_order<'py, T: Element>(object: &Object<'py>) -> Option<PyReadonlyArrayDyn<'py, T>> {
    let array = object.cast::<PyArrayDyn<T>>().ok()?;
    let aligned = array.data().cast::<T>().is_aligned();
    match aligned && array.is_c_contiguous() {
        true => array.try_readonly().ok(),
        false => None,
    }
}

/// Converts an object to an array by NumPy.
pub(crate) fn as_array<'py>(
    name: &str,
    object: &Object<'py>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    if object.hasattr("mask")? && object.hasattr("filled")? {
        return Err(wrong(
            py,
            format!(
                "{name}: expected numbers in all places, got a masked array: fill it, as in x.filled(0)"
            ),
        ));
    }
    let array = py.import("numpy")?.call_method1("asarray", (object,))?;
    let array: Bound<'py, PyUntypedArray> = array.cast_into()?;
    // What NumPy makes no array of becomes one without axes that holds the object itself.
    if array.ndim() == 0 && !b"biufc".contains(&array.dtype().kind()) {
        let kind = object.get_type();
        return Err(wrong(
            py,
            format!("{name}: expected an array of numbers, or numbers; got {kind}"),
        ));
    }
    Ok(array)
}

/// A new array in C order of another type, which holds every number.
fn native<'py>(array: &Bound<'py, PyUntypedArray>, dtype: &str) -> Returned<'py> {
    let options = [("order", "C")];
    let options = pyo3::types::IntoPyDict::into_py_dict(options, array.py())?;
    array.call_method("astype", (dtype,), Some(&options))
}

/// Rounds float64 to float32, and warns if that changed a number.
fn rounded<'py>(name: &str, array: &Bound<'py, PyUntypedArray>) -> Returned<'py> {
    let py = array.py();
    let doubles = native(array, "float64")?;
    let doubles = doubles.cast::<PyArrayDyn<f64>>()?.try_readonly()?;
    let doubles = doubles.as_slice()?;
    let mut changed = false;
    let mut singles = room(py, doubles.len())?;
    for (at, &double) in doubles.iter().enumerate() {
        let single = double as f32;
        if single.is_infinite() && double.is_finite() {
            let place = place(py, at, array.shape());
            return Err(wrong(
                py,
                format!(
                    "{name}: {double:e} at {place} does not fit float32 (largest 3.4028235e38): scale the numbers"
                ),
            ));
        }
        changed |= f64::from(single) != double && !double.is_nan();
        singles.push(single);
    }
    if changed {
        warn(
            py,
            &format!(
                "{name}: float64 numbers were rounded to float32; convert by x.astype(\"float32\") to say so"
            ),
        )?;
    }
    shaped(py, array.shape(), singles)
}

/// Takes 64-bit integers where 32 bits hold them.
fn narrowed<'py, From: Element + Copy + std::fmt::Display, To: Element + TryFrom<From>>(
    name: &str,
    array: &Bound<'py, PyUntypedArray>,
) -> Returned<'py> {
    let py = array.py();
    let dtype = numpy::dtype::<From>(py);
    let wide = array.call_method1("astype", (dtype, "C"))?;
    let wide = wide.cast::<PyArrayDyn<From>>()?.try_readonly()?;
    let wide = wide.as_slice()?;
    let mut narrow = room(py, wide.len())?;
    for (at, &number) in wide.iter().enumerate() {
        let Ok(number) = To::try_from(number) else {
            let place = place(py, at, array.shape());
            return Err(wrong(
                py,
                format!(
                    "{name}: {number} at {place} does not fit an integer of 32 bits; where floats will do, say x.astype(\"float32\")"
                ),
            ));
        };
        narrow.push(number);
    }
    shaped(py, array.shape(), narrow)
}

/// Warns at the line that called into this module.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    // Names in it may come from files, and Python prints it as it is.
    let text = CString::new(&*visible(text)).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Returns the subscripts of a number, as NumPy writes them.
pub(crate) fn place(py: Python<'_>, at: usize, shape: &[usize]) -> String {
    let index = || {
        let index = py.import("numpy")?.call_method1("unravel_index", (at, shape.to_vec()))?;
        let index: Vec<usize> = index.extract()?;
        PyResult::Ok(format!("{index:?}"))
    };
    index().unwrap_or_else(|_| format!("number {at}"))
}

/// Creates an empty vector of this capacity.
pub(crate) fn room<T>(py: Python<'_>, count: usize) -> PyResult<Vec<T>> {
    memory::with_room(count).or_raise(py)
}

fn no_numbers(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyErr {
    let dtype = array
        .dtype()
        .str()
        .map_or_else(|_| "?".into(), |text: Bound<'_, PyString>| text.to_string());
    let text = format!(
        "{name}: expected an array of float16, float32, float64, bool, or integers of 8 to 64 bits; got dtype {dtype}"
    );
    wrong(array.py(), text)
}
