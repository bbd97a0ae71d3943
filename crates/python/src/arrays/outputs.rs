//! The targets of results: new arrays, or arrays of the caller.

use numpy::{
    Element, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::types::PyDict;
use quadrille::Kind;
use quadrille::data::{Values, ValuesRef};
use quadrille::gl::Class;
use quadrille_run::Experiment;

use crate::arrays::lent::{LentMut, LentValuesMut};
use crate::arrays::{new_array, warn};
use crate::error::{Failure, wrong};
use crate::prelude::*;

/// The argument `out`: an array for the only output, or a dict of arrays by name.
pub(crate) enum Out<'py> {
    None,
    Only(Object<'py>),
    Named(Bound<'py, PyDict>),
}

impl<'py> Out<'py> {
    pub(crate) fn of(out: Option<Object<'py>>) -> Out<'py> {
        match out {
            None => Out::None,
            Some(out) => match out.cast_into::<PyDict>() {
                Ok(named) => Out::Named(named),
                Err(other) => Out::Only(other.into_inner()),
            },
        }
    }

    /// Returns the arrays, by the names of the outputs; the only output has none here.
    pub(crate) fn rooms(&self) -> PyResult<Vec<Room<'py>>> {
        match self {
            Out::None => Ok(Vec::new()),
            Out::Only(array) => Ok(vec![Room::of(None, array)?]),
            Out::Named(named) => {
                named.iter().map(|(name, array)| Room::of(Some(name.extract()?), &array)).collect()
            }
        }
    }
}

/// An array of the caller that results go into.
pub(crate) struct Room<'py> {
    name: Option<String>,
    shape: Vec<usize>,
    array: Object<'py>,
    buffer: OutBuffer<'py>,
}

enum OutBuffer<'py> {
    F32(PyReadwriteArrayDyn<'py, f32>),
    I32(PyReadwriteArrayDyn<'py, i32>),
    U32(PyReadwriteArrayDyn<'py, u32>),
    /// An array that is not in C order, or also an input: the result is computed first and then
    /// copied.
    Copied(&'static str),
}

impl<'py> Room<'py> {
    fn of(name: Option<String>, array: &Object<'py>) -> PyResult<Room<'py>> {
        let found = None
            .or_else(|| Room::typed::<f32>(array, "float32", OutBuffer::F32))
            .or_else(|| Room::typed::<i32>(array, "int32", OutBuffer::I32))
            .or_else(|| Room::typed::<u32>(array, "uint32", OutBuffer::U32));
        let Some((shape, buffer)) = found.transpose()? else {
            let got = match array.cast::<PyUntypedArray>() {
                Ok(array) => array.dtype().to_string(),
                Err(_) => array.get_type().to_string(),
            };
            return Err(wrong(
                array.py(),
                format!("out: expected an array of float32, int32 or uint32, got {got}"),
            ));
        };
        Ok(Room { name, shape, array: array.clone(), buffer })
    }

    fn typed<T: Element>(
        array: &Object<'py>,
        kind: &'static str,
        make: impl FnOnce(PyReadwriteArrayDyn<'py, T>) -> OutBuffer<'py>,
    ) -> Option<PyResult<(Vec<usize>, OutBuffer<'py>)>> {
        let typed = array.cast::<PyArrayDyn<T>>().ok()?;
        if let Err(error) = must_be_writable(typed.as_untyped()) {
            return Some(Err(error));
        }
        let direct = typed.is_c_contiguous() && typed.data().cast::<T>().is_aligned();
        let buffer = match direct.then(|| typed.try_readwrite()) {
            Some(Ok(numbers)) => make(numbers),
            _ => OutBuffer::Copied(kind),
        };
        Some(Ok((typed.shape().to_vec(), buffer)))
    }

    /// Returns the slot that the worker fills.
    pub(crate) fn slot(&mut self) -> PyResult<Slot> {
        let (values, kind) = match &mut self.buffer {
            OutBuffer::F32(array) => (Some(LentValuesMut::F32(LentMut::of(array)?)), "float32"),
            OutBuffer::I32(array) => (Some(LentValuesMut::I32(LentMut::of(array)?)), "int32"),
            OutBuffer::U32(array) => (Some(LentValuesMut::U32(LentMut::of(array)?)), "uint32"),
            OutBuffer::Copied(kind) => (None, *kind),
        };
        Ok(Slot { name: self.name.clone(), shape: self.shape.clone(), kind, values })
    }
}

/// An array of the caller, as the worker sees it.
pub(crate) struct Slot {
    name: Option<String>,
    shape: Vec<usize>,
    kind: &'static str,
    /// The array to write to; `None` where the result is copied later.
    values: Option<LentValuesMut>,
}

/// A result: its numbers, unless they are already where they belong.
pub(crate) struct Output {
    name: String,
    shape: Vec<usize>,
    values: Option<Values>,
    /// The numbers at the ends of half precision.
    saturated: usize,
}

/// Reads all outputs, or those that there are arrays for.
pub(crate) fn read(experiment: &Experiment, mut slots: Vec<Slot>) -> Result<Vec<Output>, Failure> {
    let names: Vec<&str> = experiment.outputs().iter().map(|output| output.name()).collect();
    check(&names, &slots)?;
    let some = !slots.is_empty();
    let mut results = Vec::new();
    for output in experiment.outputs() {
        let name = output.name();
        let slot =
            slots.iter_mut().find(|slot| slot.name.as_ref().is_none_or(|wanted| *wanted == name));
        match slot {
            None if some => {}
            None => results.push(new_output(experiment, name)?),
            Some(slot) => results.push(into_slot(experiment, output, slot)?),
        }
    }
    Ok(results)
}

/// Reads one output, into an array if there is one for it.
pub(crate) fn read_one(
    experiment: &Experiment,
    name: &str,
    slot: Option<Slot>,
) -> Result<Output, Failure> {
    let output = experiment.outputs().iter().find(|output| output.name() == name);
    match (output, slot) {
        (Some(output), Some(mut slot)) => into_slot(experiment, output, &mut slot),
        _ => new_output(experiment, name),
    }
}

/// Refuses arrays for outputs that there are not.
fn check(names: &[&str], slots: &[Slot]) -> Result<(), Failure> {
    for slot in slots {
        match slot.name.as_deref() {
            Some(name) if !names.contains(&name) => {
                let text =
                    format!("out: there is no output `{name}`; there are: {}", names.join(", "));
                return Err(Failure::new(Kind::Input, text));
            }
            None if names.len() > 1 => {
                let text = format!(
                    "out: expected a dict of arrays by name, since there are several outputs: {}",
                    names.join(", ")
                );
                return Err(Failure::new(Kind::Input, text));
            }
            _ => {}
        }
    }
    Ok(())
}

fn new_output(experiment: &Experiment, name: &str) -> Result<Output, Failure> {
    let field = experiment.read(name)?;
    let output = experiment.outputs().iter().find(|output| output.name() == name);
    let saturated =
        output.map_or(0, |output| output.precision().saturated(field.values().as_ref()));
    let shape = field.shape();
    Ok(Output { name: name.to_owned(), shape, values: Some(field.into_values()), saturated })
}

fn into_slot(
    experiment: &Experiment,
    output: &quadrille_run::Output,
    slot: &mut Slot,
) -> Result<Output, Failure> {
    let (name, shape) = (output.name(), output.shape());
    let kind = match output.class() {
        Class::Float => "float32",
        Class::Int => "int32",
        Class::Uint => "uint32",
    };
    if slot.shape != shape || slot.kind != kind {
        let text = format!(
            "out: output `{name}` is an array of {kind} of shape {shape:?}, and the array given is of {} of shape {:?}",
            slot.kind, slot.shape
        );
        return Err(Failure::new(Kind::Input, text));
    }
    let Some(mut lent) = slot.values.take() else { return new_output(experiment, name) };
    experiment.read_into(name, lent.values())?;
    let saturated = match &lent {
        LentValuesMut::F32(numbers) => output.precision().saturated(ValuesRef::F32(numbers)),
        _ => 0,
    };
    Ok(Output { name: name.to_owned(), shape, values: None, saturated })
}

/// Returns the results of a call: the array of the only output, else a dict of arrays by name.
pub(crate) fn results<'py>(
    py: Python<'py>,
    outputs: Vec<Output>,
    several: bool,
    rooms: Vec<Room<'py>>,
) -> Returned<'py> {
    let dict = PyDict::new(py);
    for Output { name, shape, values, saturated } in outputs {
        if saturated > 0 {
            let text = format!(
                "{name}: {saturated} values are 65504, -65504 or infinite, which half precision has for all beyond too"
            );
            warn(py, &text)?;
        }
        let room = rooms.iter().find(|room| room.name.as_ref().is_none_or(|known| *known == name));
        let array = match (room, values) {
            (None, Some(values)) => new_array(py, &shape, values)?,
            (Some(room), None) => room.array.clone(),
            (Some(room), Some(values)) => {
                placed(Some(&room.array), new_array(py, &shape, values)?)?
            }
            (None, None) => continue,
        };
        if !several {
            return Ok(array);
        }
        dict.set_item(name, array)?;
    }
    Ok(dict.into_any())
}

/// Refuses an array of the caller that a result of this type and shape cannot be written to.
pub(crate) fn must_fit(
    out: Option<&Object<'_>>,
    dtype: &Bound<'_, PyArrayDescr>,
    shape: &[usize],
) -> PyResult<()> {
    let Some(out) = out else { return Ok(()) };
    let got = match out.cast::<PyUntypedArray>() {
        Ok(array) if array.dtype().is_equiv_to(dtype) && array.shape() == shape => {
            return must_be_writable(array);
        }
        Ok(array) => format!("one of {} of shape {:?}", array.dtype(), array.shape()),
        Err(_) => out.get_type().to_string(),
    };
    let text = format!("out: expected an array of {dtype} of shape {shape:?}, got {got}");
    Err(wrong(out.py(), text))
}

/// Returns the result, or the array of the caller that it is written to. It may overlap what the
/// result was computed from.
pub(crate) fn placed<'py>(out: Option<&Object<'py>>, result: Object<'py>) -> Returned<'py> {
    let Some(out) = out else { return Ok(result) };
    out.py().import("numpy")?.call_method1("copyto", (out, result))?;
    Ok(out.clone())
}

fn must_be_writable(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let shared =
        array.shape().iter().zip(array.strides()).any(|(axis, stride)| *axis > 1 && *stride == 0);
    let text = match array.getattr("flags")?.getattr("writeable")?.is_truthy()? {
        false => "out: expected an array that can be written, got one that is read-only",
        true if shared => {
            "out: expected an array whose elements are all apart, got one that repeats some of them"
        }
        true => return Ok(()),
    };
    Err(wrong(array.py(), text))
}
