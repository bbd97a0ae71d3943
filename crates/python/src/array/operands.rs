//! The operands of device arrays' operators: another device array, a number, or whatever NumPy
//! makes an array of.

use std::sync::Arc;

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use quadrille::data::ValuesRef;
use quadrille::grid::{DeviceVector, Lane};
use quadrille::primitives::{Convert, Number};

use super::lazy::{Element, Node, Operand};
use super::whole::{Kept, Kind, Whole};
use crate::array::{Array, must_have_shape};
use crate::arrays::lent::Lent;
use crate::arrays::{self, as_array, place, room};
use crate::error::wrong;
use crate::prelude::*;
use crate::worker::Worker;

/// Copies an array of the host to a device as numbers of this type; what that does not hold is an
/// error.
pub(crate) fn uploaded_as(
    object: &Object<'_>,
    worker: &Worker,
    kind: Option<Kind>,
) -> PyResult<Array> {
    let py = object.py();
    let given = as_array("array", object)?;
    must_have_axes(&given)?;
    let kind = match kind {
        Some(kind) => kind,
        None if given.dtype().kind() == b'b' => Kind::Bool,
        None => Kind::Float32,
    };
    let array = arrays::Array::take("array", &given)?;
    let shape = array.shape().to_vec();
    let length = shape.iter().product();
    let node = match kind {
        Kind::Float32 | Kind::Bool => {
            let numbers = Lent::of_cow(floats(py, "array", &array)?, array.object());
            if kind == Kind::Bool {
                must_be_bool(py, &numbers, &shape)?;
            }
            Node::stored(sent(py, worker, numbers)?, length)
        }
        Kind::Int32 => {
            Node::stored(sent::<i32>(py, worker, whole(py, &array, kind)?.into())?, length)
        }
        Kind::Uint32 => {
            Node::stored(sent::<u32>(py, worker, whole(py, &array, kind)?.into())?, length)
        }
    };
    Ok(Array { shape, boolean: kind == Kind::Bool, node })
}

/// Returns a device array as it is, and a copy of anything else on a device.
pub(crate) fn on_device<'py>(
    object: &Object<'py>,
    worker: &Worker,
    kind: Option<Kind>,
) -> PyResult<Bound<'py, Array>> {
    match object.cast::<Array>() {
        Ok(array) => Ok(array.clone()),
        Err(_) => Bound::new(object.py(), uploaded_as(object, worker, kind)?),
    }
}

/// Refuses a number, which has no axes.
pub(crate) fn must_have_axes(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    match array.ndim() {
        0 => {
            let text = "array: expected an array of one axis or more, got a number: operators take numbers as they are";
            Err(wrong(array.py(), text))
        }
        _ => Ok(()),
    }
}

impl Array {
    /// Returns the numbers in another type, if the device finds that it holds them all.
    pub(crate) fn converted(&self, py: Python<'_>, kind: Kind) -> PyResult<Option<Array>> {
        let node = match (self.node.whole(), kind) {
            (Some(Whole::I32(x)), Kind::Uint32) => self.cast::<_, u32>(py, &x)?,
            (Some(Whole::U32(x)), Kind::Int32) => self.cast::<_, i32>(py, &x)?,
            (Some(Whole::I32(x)), Kind::Float32) => self.cast::<_, f32>(py, &x)?,
            (Some(Whole::U32(x)), Kind::Float32) => self.cast::<_, f32>(py, &x)?,
            (None, Kind::Int32) => self.cast::<_, i32>(py, &self.node.vector(py)?)?,
            (None, Kind::Uint32) => self.cast::<_, u32>(py, &self.node.vector(py)?)?,
            // Booleans are floats.
            (None, Kind::Float32) => Some(self.node.clone()),
            _ => None,
        };
        Ok(node.map(|node| self.with(node, false)))
    }

    fn cast<T: Number, U: Element>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
    ) -> PyResult<Option<Arc<Node>>> {
        let keeper = self.node.worker.clone();
        let made = x.call(py, move |state, x| match state.shared(Convert::<T, U>::new)?.of(x) {
            Ok(made) => Ok(Some(keeper.keep(state, made))),
            Err(error) if error.kind() == quadrille::Kind::Input => Ok(None),
            Err(error) => Err(error.into()),
        })?;
        Ok(made.map(|made| Node::stored(made, self.node.length())))
    }
}

pub(crate) fn sent<T: Lane + Send + Sync>(
    py: Python<'_>,
    worker: &Worker,
    numbers: Lent<T>,
) -> PyResult<Kept<T>> {
    worker.make(py, move |state| Ok(DeviceVector::from_host(&state.context()?, &numbers)?))
}

fn must_be_bool(py: Python<'_>, numbers: &[f32], shape: &[usize]) -> PyResult<()> {
    match numbers.iter().position(|number| *number != 0.0 && *number != 1.0) {
        None => Ok(()),
        Some(at) => {
            let text = format!(
                "array: {} at {} is neither 0 nor 1, and so no bool; v != 0 says which are not 0",
                numbers[at],
                place(py, at, shape)
            );
            Err(wrong(py, text))
        }
    }
}

/// Whole numbers of this type, if each is one.
fn whole<T: TryFrom<i64> + Copy>(
    py: Python<'_>,
    array: &arrays::Array<'_>,
    kind: Kind,
) -> PyResult<Vec<T>> {
    let values: ValuesRef<'_> = array.values()?;
    let mut numbers = room(py, values.len())?;
    for (at, number) in values.doubles().enumerate() {
        // All numbers of 32 bits are doubles.
        let exact = (number.fract() == 0.0).then_some(number as i64);
        let Some(number) = exact.and_then(|number| T::try_from(number).ok()) else {
            let place = place(py, at, array.shape());
            return Err(wrong(py, format!("array: {number} at {place} is no {}", kind.name())));
        };
        numbers.push(number);
    }
    Ok(numbers)
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
pub(crate) fn operand(array: &Array, other: &Object<'_>) -> PyResult<Option<Operand>> {
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
    must_have_shape(py, &array.shape, other.cast::<PyUntypedArray>()?.shape())?;
    let other = uploaded_as(other, &array.node.worker, None)?;
    array.fitting(py, &other).map(|node| Some(Operand::Node(node)))
}

/// Returns a number of Python or NumPy, rounded to float32 as NumPy rounds one that meets a float32
/// array.
pub(crate) fn number(object: &Object<'_>) -> PyResult<Option<f32>> {
    let py = object.py();
    let is_number = object.is_instance(&py.import("numbers")?.getattr("Real")?)?
        || object.is_instance(&py.import("numpy")?.getattr("bool_")?)?
        || object
            .cast::<PyUntypedArray>()
            .is_ok_and(|array| array.ndim() == 0 && b"biuf".contains(&array.dtype().kind()));
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
