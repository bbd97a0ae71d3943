//! `Kernel` and `run`: a shader over arrays, once a call.

use std::cell::RefCell;

use pyo3::types::{PyDict, PyMapping};
use quadrille::shader::Source;
use quadrille_run::error::StateError;
use quadrille_run::{Error, Experiment, Names, Settings, Setup};

use super::arguments::{Arguments, texts, uniforms};
use super::run_file;
use super::settings::{Keywords, of_call, of_run};
use crate::arguments::source::source;
use crate::arguments::unknown_keywords::{self, refuse};
use crate::arrays::lent::LentValues;
use crate::arrays::outputs::{Out, Output, Slot, read, results};
use crate::context::{Context, chosen};
use crate::error::Failure;
use crate::prelude::*;
use crate::worker::Worker;
use crate::worker::handle::Handle;
use crate::worker::state::State;

/// A compiled fragment or compute shader, called with arrays for its inputs and numbers for its
/// uniforms.
///
/// `source` is the name of a file, or GLSL; errors call GLSL kernel.frag. `define` has macros that
/// are put in front of it, `include` names further folders that it may include from, and `common`
/// is a text, or the name of a file, that stands in front of it, as Shadertoy's Common does. No
/// `#version` is needed; `READ(image, position)` and `TEXEL` are there, `uniform ivec2 size` is the
/// size of the outputs, and y = 0 is row 0.
///
/// A call takes arrays and numbers by name, or from a mapping, and returns the array of the only
/// output, or a dict of arrays by name: float32, int32 or uint32, as the output is declared, of
/// shape `(height, width)` or `(height, width, channels)`; `(n,)` where all inputs are so. A
/// sampler takes an array of one axis, two, or three of which the last has a length of 1 to 4;
/// float64 is rounded with a `UserWarning`, and what does not convert exactly otherwise is refused.
/// A matrix `M` is given with `M[row, column]`. `size=(width, height)` is needed without an input.
/// `wrap` ("clamp", "repeat" or "mirror") and `filter` ("nearest", "linear" or "mipmap") say how `texture()`
/// samples all inputs, or in a dict each by name. `precision={"name": "half"}` holds an input in 16
/// bits on the device, rounded. Arrays larger than a texture are computed in panels: `halo` says
/// how far the shader reads from its own cell, by default 0, and a read beyond is an error. A
/// shader of Shadertoy, GLSL Sandbox, WebGL 1, GLSL 1.20 or ISF is recognised, unless `dialect`
/// ("auto", "plain", "shadertoy", "sandbox", "legacy" or "isf") sets what it is; its result is
/// `colour`. `flip` says whether y = 0 is the last row, by default as the dialect has it, and
/// `rate` the steps a second of its clock, 60. A keyword `flip`, `rate`, `halo` or `dialect` of a
/// call gives the uniform or input that the shader declares by that name, except a word for
/// `dialect`; with that in the mapping, as in `k({"rate": 0.3}, rate=30)`, the keyword is the
/// setting. `out` takes an array, or a dict of arrays, which results are written to.
///
/// A compute shader is a file NAME.comp, or GLSL with `stage="compute"`, which errors call
/// kernel.comp. Its samplers, storage blocks and images take arrays by their names, and those that
/// it writes are its outputs: of the shape of what is given under their name, which is also what
/// they hold at first, else 0 in the shape of what is read, or of `size`. One invocation runs for
/// each cell of the first output, or `groups=(x, y, z)` work groups. docs/run.md says which blocks
/// and images there are.
///
/// Raises `CompileError` with `diagnostics`; `InputError` for wrong names, types and shapes;
/// `LimitError` for what the device cannot do.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> scale = q.Kernel("uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }")
/// >>> scale(a=np.float32([1, 2, 3]), s=0.5)
/// array([0.5, 1. , 1.5], dtype=float32)
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct Kernel {
    handle: Handle<WorkerKernel>,
    name: String,
    names: Names,
}

#[pymethods]
impl Kernel {
    #[new]
    #[pyo3(signature = (source, *, stage=None, context=None, **given),
    text_signature = "(source, *, stage=None, context=None, include=None, define=None, common=None, dialect=None)")]
    fn new(
        source: &Object<'_>,
        stage: Option<&str>,
        context: Option<&Context>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Kernel> {
        let py = source.py();
        let keywords = Keywords::new(py, None, given)?;
        let settings = keywords.of_text(false)?;
        refuse(py, "Kernel", Some(&keywords.rest))?;
        let worker = chosen(py, context)?;
        compiled(py, &worker, self::source(source, stage, &settings)?)
    }

    /// The name of the shader in errors.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The names of its samplers, and of a compute shader those of its storage blocks and images.
    #[getter]
    fn inputs(&self) -> Vec<&str> {
        self.names.inputs.iter().map(String::as_str).collect()
    }

    /// The names of its other uniforms, each with its GLSL type.
    #[getter]
    fn uniforms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        uniforms(py, &self.names)
    }

    /// The names of its outputs.
    #[getter]
    fn outputs(&self) -> Vec<&str> {
        self.names.outputs.iter().map(String::as_str).collect()
    }

    /// Computes the outputs, and returns the array of the only one, or a dict of arrays by name.
    ///
    #[doc = include_str!("call.md")]
    /// Raises `InputError` for wrong names, types and shapes; `LimitError` for what the device
    /// cannot do.
    #[pyo3(signature = (mapping=None, /, *, out=None, **given),
    text_signature = "($self, mapping=None, /, *, out=None, wrap=None, filter=None, precision=None, flip=None, rate=None, start=None, size=None, halo=None, groups=None, **given)")]
    fn _call<'py>(
        &self,
        py: Python<'py>,
        mapping: Option<&Bound<'py, PyMapping>>,
        out: Option<Object<'py>>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> Returned<'py> {
        let keywords = Keywords::new(py, mapping, given)?;
        let mut settings = Settings::default();
        keywords.settings(&self.names, of_call(), &mut settings)?;
        self.answer(&["Kernel.__call__", "Kernel"], &keywords, settings, &Out::of(out))
    }

    fn __repr__(&self) -> String {
        let outputs = self.names.outputs.join(", ");
        let mut given = self.names.inputs.clone();
        given.extend(self.names.uniforms.iter().map(|(name, _)| name.clone()));
        format!("<quadrille_gl.Kernel {}: {} -> {outputs}>", self.name, given.join(", "))
    }
}

impl Kernel {
    /// The outputs; `functions` are those whose keywords an error names.
    fn answer<'py>(
        &self,
        functions: &[&str],
        keywords: &Keywords<'_, 'py>,
        settings: Settings,
        out: &Out<'py>,
    ) -> Returned<'py> {
        let (py, given) = (keywords.rest.py(), Some(&keywords.rest));
        let hinted = |error| unknown_keywords::hinted(functions, given, Some(&self.names), error);
        let arguments = Arguments::take(&self.names, keywords.mapping, given).map_err(hinted)?;
        arguments.must_be_arrays(py)?;
        self.call(py, &arguments, settings, out).map_err(hinted)
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        arguments: &Arguments<'py>,
        settings: Settings,
        out: &Out<'py>,
    ) -> Returned<'py> {
        let mut rooms = out.rooms()?;
        let arrays = arguments.arrays.iter().map(|(name, array)| {
            let shape = array.shape().to_vec();
            Ok(Array { name: name.clone(), shape, values: array.lent()? })
        });
        let call = Call {
            arrays: arrays.collect::<PyResult<_>>()?,
            uniforms: arguments.uniforms.clone(),
            settings,
            slots: rooms.iter_mut().map(|room| room.slot()).collect::<PyResult<_>>()?,
        };
        let outputs = self.handle.call(py, |state, compiled| compiled.run(state, call))?;
        results(py, outputs, self.names.outputs.len() > 1, rooms)
    }
}

/// Computes the outputs of a shader once, and returns the array of the only one, or a dict of
/// arrays by name: float32, int32 or uint32, as the output is declared, of shape `(height, width)`,
/// `(height, width, channels)`, or `(n,)` where all inputs are so.
///
/// `source` is the name of a file, or GLSL. A file NAME.run.toml describes several passes; they run
/// as often as it says, and what is given goes before it, as in an `Experiment`. `Kernel` compiles
/// a shader for many calls, and says more of what shaders may be.
///
#[doc = include_str!("call.md")]
/// - `stage="compute"`: the text is a compute shader; a file is one by its name, NAME.comp.
/// - `dialect`: `"plain"`, `"shadertoy"`, `"sandbox"`, `"legacy"` or `"isf"`, what the shader was
///   written for; by default `"auto"`, which recognises it.
/// - `define={"N": 3}`: macros that are defined in front of the shader.
/// - `include=["folder"]`: further folders that it may include files from.
/// - `common="common.glsl"`: a text, or the name of a file, that stands in front of the shader, as
///   Shadertoy's tab Common.
/// - `allow_outside=True`: lets a file NAME.run.toml name files outside of the folder in which the
///   process was started, or of its own where it is not below that; by default they are refused
///   unopened.
/// - `context`: the `Context` to compute on; by default that of the innermost `with` block, else
///   the one that all calls share.
///
/// Raises `CompileError` with `diagnostics`; `InputError` for wrong names, types and shapes;
/// `LimitError` for what the device cannot do.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> text = "uniform isampler2D a; out ivec2 y; void main() { y = READ(a, TEXEL).r * ivec2(1, -1); }"
/// >>> q.run(text, a=[[1, 2]]).tolist()
/// [[[1, -1], [2, -2]]]
#[pyfunction]
#[pyo3(signature = (source, mapping=None, /, *, stage=None, out=None, allow_outside=false, context=None, **given),
text_signature = "(source, mapping=None, /, *, stage=None, out=None, allow_outside=False, context=None, include=None, define=None, common=None, dialect=None, wrap=None, filter=None, precision=None, flip=None, rate=None, start=None, size=None, halo=None, groups=None, **given)")]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn run<'py>(
    source: &Object<'py>,
    mapping: Option<&Bound<'py, PyMapping>>,
    stage: Option<&str>,
    out: Option<Object<'py>>,
    allow_outside: bool,
    context: Option<&Context>,
    given: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    use crate::experiment::Experiment;
    let (py, out) = (source.py(), Out::of(out));
    if run_file::named(source).is_some() {
        let experiment = Experiment::new(source, mapping, stage, allow_outside, context, given);
        return experiment?.finished(py, &out);
    }
    run_file::must_be_of_file(py, allow_outside)?;
    let keywords = Keywords::new(py, mapping, given)?;
    let mut settings = keywords.of_text(true)?;
    let worker = chosen(py, context)?;
    let kernel = self::source(source, stage, &settings)
        .and_then(|source| compiled(py, &worker, source))
        .map_err(|error| unknown_keywords::hinted(&["run"], given, None, error))?;
    keywords.settings(&kernel.names, of_run(), &mut settings)?;
    kernel.answer(&["run"], &keywords, settings, &out)
}

/// Calls the method that computes by its name in Python. A method that PyO3 knows as `__call__` has
/// no docstring and no signature.
pub(crate) fn attach(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let kernel = module.py().get_type::<Kernel>();
    kernel.setattr("__call__", kernel.getattr("_call")?)
}

/// A kernel on its worker.
struct WorkerKernel {
    source: Source,
    /// The experiment of the last call, for calls with the same names, shapes and size.
    last: RefCell<Option<(Signature, Experiment)>>,
}

/// The signature of a call, for which an experiment is made.
#[derive(PartialEq)]
struct Signature {
    arrays: Vec<(String, Vec<usize>)>,
    uniforms: Vec<String>,
    settings: Settings,
}

/// The arguments that a call brings to the worker.
struct Call {
    arrays: Vec<Array>,
    uniforms: Vec<(String, String)>,
    settings: Settings,
    slots: Vec<Slot>,
}

/// An array for an input.
struct Array {
    name: String,
    shape: Vec<usize>,
    values: LentValues,
}

impl Signature {
    fn of(call: &Call) -> Signature {
        let array = |given: &Array| (given.name.clone(), given.shape.clone());
        Signature {
            arrays: call.arrays.iter().map(array).collect(),
            uniforms: call.uniforms.iter().map(|(name, _)| name.clone()).collect(),
            settings: call.settings.clone(),
        }
    }
}

impl WorkerKernel {
    fn run(&self, state: &mut State, call: Call) -> Result<Vec<Output>, Failure> {
        let signature = Signature::of(&call);
        let mut last = self.last.borrow_mut();
        // Taken out, so that an error leaves none that is half set.
        let mut experiment = match last.take() {
            Some((known, mut experiment)) if known == signature => {
                let set = |(name, text): &(String, String)| experiment.set(name, text);
                match call.uniforms.iter().try_for_each(set) {
                    Ok(()) => {
                        experiment.restart()?;
                        experiment
                    }
                    // Of other sizes.
                    Err(Error::State(StateError::Sizes { .. })) => self.experiment(state, &call)?,
                    Err(error) => return Err(error.into()),
                }
            }
            _ => self.experiment(state, &call)?,
        };
        for given in &call.arrays {
            experiment.write(&given.name, given.values.values())?;
        }
        experiment.step()?;
        let outputs = read(&experiment, call.slots)?;
        *last = Some((signature, experiment));
        Ok(outputs)
    }

    fn experiment(&self, state: &mut State, call: &Call) -> Result<Experiment, Failure> {
        let array = |given: &Array| {
            let shaped = quadrille_run::Array::shaped(&given.name, &given.shape);
            shaped.map_err(|error| Failure::of_argument(&given.name, error))
        };
        let arrays = call.arrays.iter().map(array).collect::<Result<_, _>>()?;
        let mut settings = call.settings.clone();
        settings.uniforms = texts(&call.uniforms);
        let setup = Setup::of(settings, arrays);
        Ok(Experiment::new(&state.context()?, &self.source, setup)?)
    }
}

fn compiled(py: Python<'_>, worker: &Worker, source: Source) -> PyResult<Kernel> {
    let name = source.name().to_owned();
    let (object, names) = worker.call(py, move |state, _| {
        let names = Names::of(&state.context()?, &source)?;
        Ok((state.keep(WorkerKernel { source, last: RefCell::new(None) }), names))
    })?;
    super::warn_of(py, std::slice::from_ref(&names))?;
    Ok(Kernel { handle: Handle::new(worker, object), name, names })
}
