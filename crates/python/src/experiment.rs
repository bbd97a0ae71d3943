//! `Experiment`: shaders over arrays that stay on the device from step to step; and `Kernel` and
//! `run`, which compute once a call.

mod arguments;
pub(crate) mod kernel;
pub(crate) mod passes;
mod run_file;
mod settings;

use std::cell::RefCell;
use std::path::PathBuf;

use pyo3::types::{PyDict, PyMapping};
use quadrille::Progress;
use quadrille::data::{Field, ValuesRef};
use quadrille_run::{Array, Names, Origin};

use crate::arguments::progress::Telling;
use crate::arguments::unknown_keywords::{self, refuse};
use crate::arrays::outputs::{Out, read, read_one, results};
use crate::arrays::warn;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::handle::Handle;
use arguments::{Arguments, texts, uniforms};
use passes::names;
use run_file::Subject;
use settings::{Keywords, of_experiment};

/// Shaders over arrays, step by step: outputs become inputs of the next step by `feedback`, and
/// stay on the device.
///
/// `source`, `stage`, `groups`, `dialect`, `flip`, `rate`, `define`, `include` and `common` are as
/// for `Kernel`; several passes of a step are a dict of sources, or of `Pass`, by name, and their
/// outputs are called "pass.output". A file NAME.run.toml describes several passes and what is
/// given to them, before which goes what is given here; it may name files of the folder in which the
/// process was started, or if it is not below that, of its own, and with `allow_outside=True` any.
/// Arrays and numbers are given by name, or in
/// a mapping, as in a call of a `Kernel`; an array may also be the name of a .npy, .png or .jpg
/// file, of a sequence of them, "frame-%04d.png", of which each step reads the next,
/// "random:64x48", "zeros:64x48x4" or "ramp:64x48", width first, of which one generator of this
/// `seed` fills the random ones. `feedback` maps outputs to inputs. `size=(width, height)` of the
/// outputs is by default that of the inputs. `wrap` ("clamp", "repeat" or "mirror") and `filter`
/// ("nearest", "linear" or "mipmap") say how `texture()` samples all inputs, or in a dict each by name; READ
/// and texelFetch stay exact. `precision={"name": "half"}` holds an input in 16 bits on the device,
/// rounded. Arrays larger than a texture are computed in panels: `halo` says how far the shader
/// reads from its own cell, by default 0, and a read beyond is an error. `uniform int iteration`
/// counts the steps from `start`, 0 by default. `reads`, "fetch" or "sample", is how READ reads texels; it changes no
/// result.
///
/// `e["output"]` reads a new array of shape `(height, width)`, `(height, width, channels)` or
/// `(n,)`, of float32, int32 or uint32.
///
/// Raises `CompileError` with `diagnostics`; `InputError` for wrong names, types, shapes and
/// feedback; `LimitError` for what the device cannot do.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> text = "uniform sampler2D state; out float next; void main() { next = 0.5 * READ(state, TEXEL).r; }"
/// >>> e = q.Experiment(text, state=np.float32([8, 16]), feedback={"next": "state"})
/// >>> e.step(3)["next"]
/// array([1., 2.], dtype=float32)
/// >>> e.iteration
/// 3
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct Experiment {
    handle: Handle<RefCell<quadrille_run::Experiment>>,
    title: String,
    names: Names,
    /// The shapes of the arrays that were passed.
    shapes: Vec<(String, Vec<usize>)>,
    outputs: Vec<String>,
    /// The steps of a run: as many as its file says.
    iterate: u64,
}

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (source, mapping=None, /, *, stage=None, allow_outside=false, context=None, **given),
    text_signature = "(source, mapping=None, /, *, stage=None, allow_outside=False, context=None, include=None, define=None, common=None, dialect=None, wrap=None, filter=None, precision=None, seed=None, flip=None, rate=None, start=None, size=None, halo=None, groups=None, feedback=None, reads=None, **given)")]
    pub(crate) fn new<'py>(
        source: &Object<'py>,
        mapping: Option<&Bound<'py, PyMapping>>,
        stage: Option<&str>,
        allow_outside: bool,
        context: Option<&Context>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Experiment> {
        let py = source.py();
        let keywords = Keywords::new(py, mapping, given)?;
        let mut settings = keywords.of_text(true)?;
        let subject = Subject::take(source, stage, allow_outside, &settings)?;
        let (passes, title, is_file) = (subject.passes(py)?, subject.title(), subject.is_file());
        let worker = chosen(py, context)?;
        let all = worker.call(py, move |state, _| names(state, &passes));
        let all = all.map_err(|error| hinted(error, given, None))?;
        warn_of(py, &all)?;
        let names = subject.given(&all);
        keywords.settings(&names, of_experiment(), &mut settings)?;
        let given = Some(&keywords.rest);
        let hinted = |error: PyErr| hinted(error, given, Some(&names));
        let arguments = Arguments::take(&names, mapping, given).map_err(hinted)?;
        settings.inputs = origins(py, &arguments)?;
        settings.uniforms = texts(&arguments.uniforms);
        let run = subject.run(&all, settings)?;
        let made = worker.call(py, move |state, _| {
            let context = state.context()?;
            let arrays = run.arrays()?;
            let shape = |array: &Array| (array.name.clone(), array.shape());
            let shapes = arrays.iter().map(shape).collect();
            let iterate = if is_file { run.steps(&arrays)? } else { 1 };
            let made = run.experiment(&context, run.setup(arrays))?;
            let outputs = made.outputs().iter().map(|output| output.name().to_owned()).collect();
            Ok((state.keep(RefCell::new(made)), shapes, outputs, iterate))
        });
        let (object, shapes, outputs, iterate) = made.map_err(hinted)?;
        let handle = Handle::new(&worker, object);
        Ok(Experiment { handle, title, names, shapes, outputs, iterate })
    }

    /// Runs this many steps, and returns the experiment. Ctrl-C stops between steps, and keeps the
    /// state that was reached.
    ///
    /// `progress=True` shows a bar, by tqdm where it is installed; a callable gets `(done,
    /// expected, None)` some times a second.
    ///
    /// Raises `InputError` for several steps that would all compute the same, since nothing feeds
    /// back.
    #[pyo3(signature = (count=1, *, progress=None, **unknown),
    text_signature = "($self, count=1, *, progress=None)")]
    fn step<'py>(
        slf: Bound<'py, Self>,
        count: i64,
        progress: Option<Object<'py>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        refuse(py, "Experiment.step", unknown)?;
        let count = steps(py, count)?;
        let telling = Telling::of(py, progress, "steps")?;
        let handle = &slf.get().handle;
        let id = handle.id();
        let done = handle.worker.call_telling(py, Some(&telling), move |state, watch| {
            let experiment = state.get(&id)?;
            let mut experiment = experiment.borrow_mut();
            must_change(&experiment, count)?;
            Ok(experiment.advance(count, watch)?)
        });
        let last = done.as_ref().ok();
        let last = last.map(|done| Progress::new(*done, Some(count)));
        telling.end(last)?;
        done.map(|_| slf)
    }

    /// Reads an output: what the last step wrote, or before the first step the input that it
    /// becomes. `out` takes an array that it is written to. Raises `InputError` for an unknown
    /// name, and for an output that nothing has written yet.
    #[pyo3(signature = (output, *, out=None, **unknown),
    text_signature = "($self, output, *, out=None)")]
    fn read<'py>(
        &self,
        py: Python<'py>,
        output: &str,
        out: Option<Object<'py>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> Returned<'py> {
        refuse(py, "Experiment.read", unknown)?;
        let out = match out {
            Some(array) => Out::Only(array),
            None => Out::None,
        };
        let mut rooms = out.rooms()?;
        let slot = rooms.first_mut().map(|room| room.slot()).transpose()?;
        let output = output.to_owned();
        let read = self.handle.call(py, move |_, made| read_one(&made.borrow(), &output, slot))?;
        results(py, vec![read], false, rooms)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, output: &str) -> Returned<'py> {
        self.read(py, output, None, None)
    }

    /// Replaces arrays and numbers, by name or in a mapping: arrays of the shapes that they had.
    /// The number of steps stays. An array in place of a sequence of files ends that.
    ///
    /// >>> import quadrille_gl as q
    /// >>> text = "uniform sampler2D x; uniform float s; out float y; void main() { y = s * READ(x, TEXEL).r; }"
    /// >>> e = q.Experiment(text, x=[1.0, 2.0], s=10, feedback={"y": "x"})
    /// >>> e.step().set(s=0.5).step()["y"].tolist()
    /// [5.0, 10.0]
    #[pyo3(signature = (mapping=None, /, **given))]
    fn set<'py>(
        slf: Bound<'py, Self>,
        mapping: Option<&Bound<'py, PyMapping>>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        slf.get().must_have_shapes(mapping, given)?;
        let names = &slf.get().names;
        let hinted = |error| {
            unknown_keywords::hinted(&["Experiment.set", "Experiment"], given, Some(names), error)
        };
        let arguments = Arguments::take(names, mapping, given).map_err(hinted)?;
        arguments.must_be_arrays(py)?;
        for (name, array) in &arguments.arrays {
            slf.get().must_have_shape(py, name, array.shape())?;
        }
        let arrays = arguments.arrays.iter().map(|(name, array)| Ok((name.clone(), array.lent()?)));
        let (arrays, uniforms) = (arrays.collect::<PyResult<Vec<_>>>()?, arguments.uniforms);
        let set = slf.get().handle.call(py, move |_, made| {
            let mut experiment = made.borrow_mut();
            for (name, numbers) in &arrays {
                experiment.write(name, numbers.values())?;
            }
            for (name, text) in &uniforms {
                experiment.set(name, text)?;
            }
            Ok(())
        });
        set.map_err(hinted)?;
        Ok(slf)
    }

    /// Goes back to the arrays that outputs replaced, as they were given, and to step 0; returns
    /// the experiment. What `set` changed stays, but for arrays that outputs replace.
    fn restart(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().handle.call(slf.py(), |_, made| Ok(made.borrow_mut().restart()?))?;
        Ok(slf)
    }

    /// Writes the state to a file, whole or not at all: what the outputs hold and the number of the
    /// step. An experiment of the same shaders, arrays, numbers and sizes continues from it, in
    /// another process too: see `load`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.handle.call(py, |_, made| Ok(made.borrow().save(path)?))
    }

    /// Takes the state that `save` wrote, and returns the experiment: further steps give the same
    /// bits as without the break. Raises `InputError` for a file of another experiment, saying what
    /// differs, and for one that is damaged or cannot be read.
    ///
    /// >>> import numpy as np, quadrille_gl as q, tempfile
    /// >>> text = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }"
    /// >>> make = lambda: q.Experiment(text, x=np.float32([0, 1]), feedback={"y": "x"})
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     make().step(40).save(folder + "/state")
    /// ...     e = make().load(folder + "/state").step(2)
    /// >>> e.iteration, e["y"].tolist()
    /// (42, [42.0, 43.0])
    fn load(slf: Bound<'_, Self>, path: PathBuf) -> PyResult<Bound<'_, Self>> {
        slf.get().handle.call(slf.py(), |_, made| Ok(made.borrow_mut().load(path)?))?;
        Ok(slf)
    }

    /// The number of steps since the beginning or `restart`.
    #[getter]
    fn iteration(&self, py: Python<'_>) -> PyResult<u64> {
        self.handle.call(py, |_, made| Ok(made.borrow().iteration()))
    }

    /// The names of its inputs.
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
        self.outputs.iter().map(String::as_str).collect()
    }

    fn __repr__(&self) -> String {
        let (inputs, outputs) = (self.names.inputs.join(", "), self.outputs.join(", "));
        format!("<quadrille_gl.Experiment {}: {inputs} -> {outputs}>", self.title)
    }
}

impl Experiment {
    /// Runs as many steps as the file says, and returns the outputs: an array if there is one, else
    /// a dict of arrays by name.
    pub(crate) fn finished<'py>(&self, py: Python<'py>, out: &Out<'py>) -> Returned<'py> {
        let mut rooms = out.rooms()?;
        let slots = rooms.iter_mut().map(|room| room.slot()).collect::<PyResult<_>>()?;
        let (id, iterate) = (self.handle.id(), self.iterate);
        let outputs = self.handle.worker.call(py, move |state, watch| {
            let experiment = state.get(&id)?;
            let mut experiment = experiment.borrow_mut();
            must_change(&experiment, iterate)?;
            let done = experiment.advance(iterate, watch)?;
            match done == iterate {
                true => read(&experiment, slots),
                false => Err(Failure::new(quadrille::Kind::Cancelled, "stopped")),
            }
        })?;
        results(py, outputs, self.outputs.len() > 1, rooms)
    }

    /// Refuses an object whose shape is another, before it is converted.
    fn must_have_shapes(
        &self,
        mapping: Option<&Bound<'_, PyMapping>>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let items = mapping.map(|mapping| mapping.items()).transpose()?;
        let given = given.map(|given| given.items());
        for item in items.iter().chain(&given).flatten() {
            let (name, value): (String, Object<'_>) = item.extract()?;
            let shape = value.getattr_opt("shape")?;
            if let Some(Ok(shape)) = shape.map(|shape| shape.extract::<Vec<usize>>()) {
                self.must_have_shape(item.py(), &name, &shape)?;
            }
        }
        Ok(())
    }

    /// The library counts numbers alone, so a transposed array would pass.
    fn must_have_shape(&self, py: Python<'_>, name: &str, shape: &[usize]) -> PyResult<()> {
        let plain = match shape {
            [height, width, 1] => vec![*height, *width],
            shape => shape.to_vec(),
        };
        match self.shapes.iter().find(|(known, _)| known == name) {
            Some((_, known)) if *known != plain => {
                let text = format!("{name}: expected an array of shape {known:?}, got {shape:?}");
                Err(wrong(py, text))
            }
            _ => Ok(()),
        }
    }
}

/// Warns of what shaders leave to chance, once of each.
fn warn_of(py: Python<'_>, names: &[Names]) -> PyResult<()> {
    let mut told: Vec<String> = Vec::new();
    for text in names.iter().flat_map(|names| &names.notes).map(ToString::to_string) {
        if !told.contains(&text) {
            warn(py, &text)?;
            told.push(text);
        }
    }
    Ok(())
}

/// The error of a new experiment, with a hint on its keywords.
fn hinted(error: PyErr, given: Option<&Bound<'_, PyDict>>, names: Option<&Names>) -> PyErr {
    unknown_keywords::hinted(&["Experiment"], given, names, error)
}

/// The origins of the inputs' numbers: arrays, which are copied, then files and rules.
fn origins(py: Python<'_>, arguments: &Arguments<'_>) -> PyResult<Vec<(String, Origin)>> {
    let failed = |failure: Failure| failure.into_exception(py);
    let array = |(name, shape, values): (&str, &[usize], ValuesRef<'_>)| {
        let called = |error| failed(Failure::of_argument(name, error));
        let field = Field::copied(shape, values).map_err(called)?;
        Ok((name.to_owned(), Origin::from(field)))
    };
    let origin = |(name, text): &(String, String)| {
        Ok((name.clone(), text.parse::<Origin>().map_err(|error| failed(error.into()))?))
    };
    let arrays = values(arguments)?.into_iter().map(array);
    arrays.chain(arguments.origins.iter().map(origin)).collect()
}

/// The arrays that were given: their names, shapes and numbers.
fn values<'a>(
    arguments: &'a Arguments<'_>,
) -> PyResult<Vec<(&'a str, &'a [usize], ValuesRef<'a>)>> {
    let arrays = arguments.arrays.iter();
    arrays.map(|(name, array)| Ok((name.as_str(), array.shape(), array.values()?))).collect()
}

/// Refuses steps that would all compute the same: feedback was forgotten.
fn must_change(experiment: &quadrille_run::Experiment, count: u64) -> Result<(), Failure> {
    if count <= 1 || experiment.changes() {
        return Ok(());
    }
    let text = format!(
        "step({count}) would compute the same each time: no output feeds back, and the shader does not use a `uniform int iteration`; \
         make the Experiment with feedback={{\"output\": \"input\"}}"
    );
    Err(Failure::new(quadrille::Kind::Input, text))
}

/// The argument `count`.
fn steps(py: Python<'_>, count: i64) -> PyResult<u64> {
    count
        .try_into()
        .map_err(|_| wrong(py, format!("count: expected a number of steps from 0 on, got {count}")))
}
