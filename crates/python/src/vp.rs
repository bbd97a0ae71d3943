//! `vp`: vertex programs of 2002 over vectors.

use numpy::{PyArrayDescrMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::types::{PyDict, PyTuple};
use quadrille::NoMemory;
use quadrille::memory;
use quadrille::options::Contents;
use quadrille_vp::vector_machine::{AnyVector, DFunction, DVector, Number, Options, Program};

use crate::arguments::source::contents;
use crate::arguments::specified;
use crate::array::operands::{floats, number};
use crate::arrays::doubles::as_type;
use crate::arrays::lent::Lent;
use crate::arrays::outputs::{must_fit, placed};
use crate::arrays::{Array, as_array, shaped};
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::state::State;

/// Runs a program in the vertex programs' assembly of 2002, or in GLSL, over one to three vectors.
///
/// `program` is the name of a file, or a text: assembly, or, where a file's name ends in .glsl or
/// .frag or `glsl=True`, GLSL that defines `void program()`. An invocation finds four numbers of
/// each vector in v[1], v[2], v[3] and writes those of the result to o[1]. Vectors have the shape
/// (n,), all of one length; they are float32, or uint8, which stay bytes on the device; others are
/// converted where float32 holds them. `constants` sets registers: one number for all four
/// components, or four. The result is float32 of shape (n,), or with `bytes=True` uint8, rounded
/// and clamped. `out` takes an array of that, which it is written to; it may overlap a vector.
///
/// With `reduce=True` an invocation finds as many fours as 15 inputs hold, and the result is a
/// float: the sum of the x of its o[1], where `fold` ("device", "host" or "blending") says who adds
/// and `padding` stands for the numbers that the last invocation lacks.
///
/// `engine` is "attributes", the vertex stage as it was fed in 2002, "vertex", which fetches its
/// inputs, "feedback", "fragment", "compute" or "simulator", the host strictly by the
/// specification; by default compute on hardware that has it, else fragment. `profile` is "modern"
/// or "period", a GeForce4's limits and precision.
///
/// Raises `CompileError` or `InputError` with the line of a wrong instruction, and `InputError` for
/// vectors of different lengths.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> scale = "!!VP1.0\nMUL o[COL0], v[1], c[11];\nEND"
/// >>> q.vp(scale, np.float32([1, 2, 3, 4, 5]), constants={11: 2.0})
/// array([ 2.,  4.,  6.,  8., 10.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (program, *vectors, constants=None, out=None, context=None, **options),
    text_signature = "(program, *vectors, constants=None, glsl=False, engine=None, profile=\"modern\", reduce=False, fold=None, padding=None, bytes=False, out=None, context=None)")]
#[allow(clippy::too_many_arguments, reason = "they are Python's arguments")]
pub(crate) fn vp<'py>(
    py: Python<'py>,
    program: &Object<'py>,
    vectors: &Bound<'py, PyTuple>,
    constants: Option<&Bound<'py, PyDict>>,
    out: Option<Object<'py>>,
    context: Option<&Context>,
    options: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    let options: Options = specified::options(py, "vp", options)?;
    let Options { reduce, bytes, .. } = options;
    options.semantics(vectors.len()).or_raise(py)?;
    if out.is_some() && reduce {
        return Err(wrong(py, "out: a sum is a float; leave out out= or reduce=True"));
    }
    let spec = FunctionSpec {
        text: contents("a vertex program", program)?,
        options,
        constants: settings(constants)?,
    };
    let vectors =
        vectors.iter().enumerate().map(|(at, vector)| VectorArgument::of(at + 1, &vector));
    let vectors = vectors.collect::<PyResult<Vec<_>>>()?;
    let (shape, out) = (shape_of(py, &vectors)?, out.as_ref());
    let dtype = if bytes { numpy::dtype::<u8>(py) } else { numpy::dtype::<f32>(py) };
    must_fit(out, &dtype, &shape)?;
    let taken = vectors.iter().map(Converted::take).collect::<PyResult<Vec<_>>>()?;
    let numbers = taken.iter().map(|taken| taken.numbers(py)).collect::<PyResult<Vec<_>>>()?;
    let worker = chosen(py, context)?;
    match (reduce, bytes) {
        (true, _) => {
            let sum = worker.call(py, move |state, _| spec.total(state, numbers))?;
            Ok(sum.into_pyobject(py)?.into_any())
        }
        (false, true) => {
            let bytes = worker.call(py, move |state, _| spec.map::<u8>(state, numbers))?;
            placed(out, shaped(py, &shape, bytes)?)
        }
        (false, false) => {
            let numbers = worker.call(py, move |state, _| spec.map::<f32>(state, numbers))?;
            placed(out, shaped(py, &shape, numbers)?)
        }
    }
}

struct FunctionSpec {
    text: Contents,
    options: Options,
    constants: Vec<(usize, [f32; 4])>,
}

/// A vector of the host as it is given.
struct VectorArgument<'py> {
    /// The name in error messages.
    name: String,
    array: Bound<'py, PyUntypedArray>,
}

/// The vector in a type that there are programs for.
enum Converted<'py> {
    Bytes(PyReadonlyArray1<'py, u8>),
    /// Another type, with the name in error messages.
    Other(String, Array<'py>),
}

/// The numbers of the vector.
enum VectorValues {
    Bytes(Lent<u8>),
    Floats(Lent<f32>),
}

impl FunctionSpec {
    fn function(&self, state: &mut State, vectors: usize) -> Result<DFunction, Failure> {
        let options = &self.options;
        let machine = options.machine(|| state.context())?;
        let program = match &self.text {
            Contents::File(path) => Program::read(path, options.glsl, options.profile)?,
            Contents::Text(text) => {
                Program::new("program.vp", text.clone(), options.glsl, options.profile)?
            }
        };
        let mut function = options.function(&program, &machine, vectors)?;
        for (register, quad) in &self.constants {
            function.set_constant(*register, *quad)?;
        }
        Ok(function)
    }

    fn map<T: Number>(
        &self,
        state: &mut State,
        numbers: Vec<VectorValues>,
    ) -> Result<Vec<T>, Failure> {
        let function = self.function(state, numbers.len())?;
        let vectors = vectors(numbers)?;
        Ok(function.apply::<T>(&inputs(&vectors))?.into_vec()?)
    }

    fn total(&self, state: &mut State, numbers: Vec<VectorValues>) -> Result<f32, Failure> {
        let function = self.function(state, numbers.len())?;
        Ok(function.total(&inputs(&vectors(numbers)?))?)
    }
}

/// The numbers as vectors of the library.
fn vectors(numbers: Vec<VectorValues>) -> Result<Vec<Box<dyn AnyVector>>, Failure> {
    numbers.into_iter().map(|numbers| Ok(numbers.vector()?)).collect()
}

fn inputs(vectors: &[Box<dyn AnyVector>]) -> Vec<&dyn AnyVector> {
    vectors.iter().map(|vector| &**vector).collect()
}

impl<'py> VectorArgument<'py> {
    fn of(number: usize, object: &Object<'py>) -> PyResult<VectorArgument<'py>> {
        let name = format!("vector {number}");
        let array = as_array(&name, object)?;
        match array.ndim() {
            1 => Ok(VectorArgument { name, array }),
            _ => {
                let text = format!("{name}: expected the shape (n,), got {:?}", array.shape());
                Err(wrong(object.py(), text))
            }
        }
    }
}

impl<'py> Converted<'py> {
    fn take(VectorArgument { name, array }: &VectorArgument<'py>) -> PyResult<Converted<'py>> {
        let dtype = array.dtype();
        if (dtype.kind(), dtype.itemsize()) == (b'u', 1) {
            return Ok(Converted::Bytes(as_type(array, "uint8")?.extract()?));
        }
        Ok(Converted::Other(name.clone(), Array::take(name, array)?))
    }

    fn numbers(&self, py: Python<'_>) -> PyResult<VectorValues> {
        match self {
            Converted::Bytes(bytes) => Ok(VectorValues::Bytes(Lent::of(bytes)?)),
            Converted::Other(name, array) => {
                Ok(VectorValues::Floats(Lent::of_cow(floats(py, name, array)?, array.object())))
            }
        }
    }
}

impl VectorValues {
    fn vector(self) -> Result<Box<dyn AnyVector>, NoMemory> {
        Ok(match self {
            VectorValues::Bytes(bytes) => Box::new(DVector::from(memory::copied(&bytes)?)),
            VectorValues::Floats(Lent::Own(floats)) => Box::new(DVector::from(floats)),
            VectorValues::Floats(floats) => Box::new(DVector::from(memory::copied(&floats)?)),
        })
    }
}

/// The shape that all vectors have.
fn shape_of(py: Python<'_>, vectors: &[VectorArgument<'_>]) -> PyResult<Vec<usize>> {
    let lengths: Vec<usize> = vectors.iter().map(|given| given.array.len()).collect();
    match lengths.iter().all(|length| Some(length) == lengths.first()) {
        true => Ok(lengths.into_iter().take(1).collect()),
        false => Err(wrong(py, format!("expected vectors of one length, got {lengths:?}"))),
    }
}

fn settings(constants: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(usize, [f32; 4])>> {
    let setting = |(register, value): (Object<'_>, Object<'_>)| {
        let misfit = || {
            let text = format!(
                "constants: expected {{register: number or four numbers}}, as in {{11: 2.0, 12: (1, 0, 0, 1)}}; got {register}: {value}"
            );
            wrong(value.py(), text)
        };
        let at = register.extract::<usize>().map_err(|_| misfit())?;
        if let Some(one) = number(&value)? {
            return Ok((at, [one; 4]));
        }
        let four = value.try_iter().map_err(|_| misfit())?;
        let four =
            four.map(|one| number(&one?)?.ok_or_else(misfit)).collect::<PyResult<Vec<_>>>()?;
        Ok((at, four.try_into().map_err(|_| misfit())?))
    };
    constants.into_iter().flatten().map(setting).collect()
}
