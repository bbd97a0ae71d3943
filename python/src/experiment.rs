//! `Experiment`: shaders over arrays that stay on the device from step to step; and `Kernel` and `run`, which compute once a call.

mod arguments;
pub(crate) mod kernel;
mod keywords;
pub(crate) mod passes;
mod run_file;
mod sampling;
mod sizes;

use std::cell::RefCell;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use quadrille::data::{Field, ValuesRef};
use quadrille::experiment::{self, Array, Names, Origin, PassSetup, Settings, Setup};
use quadrille::shader::{Reads, Source};
use quadrille::{Extent, Progress};

use crate::arguments::progress::Telling;
use crate::arguments::source::Shader;
use crate::arguments::unknown;
use crate::arguments::unknown::refuse;
use crate::arrays::outputs::{Out, read, read_one, results};
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::worker::handle::Handle;
use crate::worker::state::State;
use arguments::{Arguments, uniforms};
use keywords::{Keywords, told};
use passes::{names, pairs};
use run_file::{Prepared, Subject};
use sampling::Held;
use sizes::{extent, groups};

/// Shaders over arrays, step by step: outputs become inputs of the next step by `feedback`, and stay on the device.
///
/// `source`, `stage`, `groups`, `dialect`, `flip`, `rate`, `defines` and `include` are as for `Kernel`; several passes of a step are a dict of sources, or of `Pass`, by
/// name, and their outputs are called "pass.output". A file NAME.run.toml describes several passes and what is given to them, before which
/// goes what is given here. Arrays and numbers are given by name, or in a mapping, as in a call of a `Kernel`; an array may also
/// be the name of a .npy, .png or .jpg file, of a sequence of them, "frame-%04d.png", of which each step reads the next, "random:64x48", "zeros:64x48x4" or "ramp:64x48", width first, of which one generator of
/// this `seed` fills the random ones. `feedback` maps outputs to inputs. `size=(width, height)` of the outputs is by default that of the
/// inputs. `wrap` ("clamp", "repeat" or "mirror") and `filter` ("nearest" or "linear") say how `texture()` samples all inputs, or in a dict
/// each by name; READ and texelFetch stay exact. `precision={"name": "half"}` holds an input in 16 bits on the device, rounded. Arrays
/// larger than a texture are computed in panels: `halo` says how far the shader reads from its own cell, 0 unless told, and a read beyond is
/// an error. `uniform int iteration` counts the steps from 0. `reads`, "fetch" or "sample", is how READ reads texels; it changes no result.
///
/// `e["output"]` reads a new array of shape `(height, width)`, `(height, width, channels)` or `(n,)`, of float32, int32 or uint32.
///
/// Raises `CompileError` with `diagnostics`; `InputError` for wrong names, types, shapes and feedback; `LimitError` for what the device
/// cannot do.
///
/// >>> import numpy as np, quadrille as q
/// >>> text = "uniform sampler2D state; out float next; void main() { next = 0.5 * READ(state, TEXEL).r; }"
/// >>> e = q.Experiment(text, state=np.float32([8, 16]), feedback={"next": "state"})
/// >>> e.step(3)["next"]
/// array([1., 2.], dtype=float32)
/// >>> e.iteration
/// 3
#[pyclass(frozen, module = "quadrille")]
pub(crate) struct Experiment {
    handle: Handle<RefCell<experiment::Experiment>>,
    title: String,
    names: Names,
    /// Of the arrays that it was given.
    shapes: Vec<(String, Vec<usize>)>,
    outputs: Vec<String>,
    /// The steps of a run: as many as its file says.
    iterate: u64,
}

/// The arguments that are no names of the shader.
struct Options {
    feedback: Vec<(String, String)>,
    size: Option<Extent>,
    groups: Option<[u32; 3]>,
    held: Held,
    flip: Option<bool>,
    rate: Option<f64>,
    reads: Option<Reads>,
    seed: Option<u64>,
}

#[pymethods]
impl Experiment {
    #[new]
    #[pyo3(signature = (source, mapping=None, /, *, feedback=None, size=None, stage=None, groups=None, wrap=None, filter=None, precision=None, halo=None, flip=None, rate=None, reads=None, seed=None, dialect=None, defines=None, include=None, context=None, **given))]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    pub(crate) fn new<'py>(
        source: &Bound<'py, PyAny>,
        mapping: Option<&Bound<'py, PyMapping>>,
        feedback: Option<&Bound<'_, PyMapping>>,
        size: Option<&Bound<'_, PyAny>>,
        stage: Option<&str>,
        groups: Option<&Bound<'_, PyAny>>,
        wrap: Option<&Bound<'_, PyAny>>,
        filter: Option<&Bound<'_, PyAny>>,
        precision: Option<&Bound<'_, PyMapping>>,
        halo: Option<Bound<'py, PyAny>>,
        flip: Option<Bound<'py, PyAny>>,
        rate: Option<Bound<'py, PyAny>>,
        reads: Option<&str>,
        seed: Option<u64>,
        dialect: Option<Bound<'py, PyAny>>,
        defines: Option<&Bound<'_, PyDict>>,
        include: Option<Vec<PathBuf>>,
        context: Option<&Context>,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Experiment> {
        let py = source.py();
        let reads = reads.map(str::parse::<Reads>).transpose();
        let mut options = Options {
            feedback: pairs("feedback", feedback)?,
            size: size.map(extent).transpose()?,
            groups: groups.map(self::groups).transpose()?,
            held: Held::take(wrap, filter, precision)?,
            flip: None,
            rate: None,
            reads: reads.map_err(|error| Failure::from(error).into_exception(py))?,
            seed,
        };
        let (told, other) = told(dialect);
        let dialect = told.as_deref();
        let subject = Subject::take(Shader { source, stage, dialect, defines, include })?;
        let (sources, title) = (subject.sources(py)?, subject.title());
        let worker = chosen(py, context)?;
        let all = worker.call(py, |state, _| names(state, &sources));
        let all = all.map_err(|error| hinted(error, given, None))?;
        let names = subject.given(&all);
        let prepared = subject.prepared(&all, sources)?;
        let keywords = Keywords::new(py, &names, mapping, given);
        keywords.dialect(other)?;
        options.flip = keywords.flip(flip)?;
        options.rate = keywords.rate(rate)?;
        options.held.halo = keywords.halo(halo)?;
        let told = Some(&keywords.given);
        let hinted = |error: PyErr| hinted(error, told, Some(&names));
        let arguments = Arguments::take(&names, mapping, told).map_err(hinted)?;
        let given = Given::of(&arguments, py)?;
        let made = worker.call(py, |state, _| {
            let context = state.context()?;
            let (made, shapes, iterate) = match prepared {
                Prepared::Run(run) => {
                    let run = run.with(settings(given, arguments.uniforms, &options));
                    let arrays = run.arrays()?;
                    let shape = |array: &Array| (array.name.clone(), array.field.shape());
                    let shapes = arrays.iter().map(shape).collect();
                    let steps = run.steps(&arrays)?;
                    let setup = reading(run.setup(arrays), options.reads);
                    (run.experiment(&context, setup)?, shapes, steps)
                }
                Prepared::Passes(sources, passes) => {
                    let seed = options.seed.unwrap_or(1);
                    let origins = given.origins.iter().map(|(name, from)| (name.as_str(), from));
                    let read = experiment::arrays(origins, seed)?;
                    let of_read = read.iter().map(|read| (read.name.clone(), read.field.shape()));
                    let shape = |(name, field): &(String, Field)| (name.clone(), field.shape());
                    let shapes = given.arrays.iter().map(shape).chain(of_read).collect();
                    let setup = setup(given.arrays, read, &arguments.uniforms, options);
                    (experiment(state, sources, passes, setup)?, shapes, 1)
                }
            };
            let outputs = made.outputs().iter().map(|output| output.name().to_owned()).collect();
            Ok((state.keep(RefCell::new(made)), shapes, outputs, iterate))
        });
        let (object, shapes, outputs, iterate) = made.map_err(hinted)?;
        let handle = Handle::new(&worker, object);
        Ok(Experiment { handle, title, names, shapes, outputs, iterate })
    }

    /// Runs this many steps, and returns the experiment. Ctrl-C stops between steps, and keeps the state that was reached.
    ///
    /// `progress=True` shows a bar, by tqdm where it is installed; a callable gets `(done, expected, None)` some times a second.
    ///
    /// Raises `InputError` for several steps that would all compute the same, since nothing feeds back.
    #[pyo3(signature = (count=1, *, progress=None, **unknown),
    text_signature = "($self, count=1, *, progress=None)")]
    fn step<'py>(
        slf: Bound<'py, Self>,
        count: i64,
        progress: Option<Bound<'py, PyAny>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        refuse(py, "Experiment.step", unknown)?;
        let count = steps(py, count)?;
        let telling = Telling::of(py, progress, "steps")?;
        let handle = &slf.get().handle;
        let done = handle.worker.call_telling(py, telling.tell(), |state, watch| {
            let experiment = state.get(handle)?;
            let mut experiment = experiment.borrow_mut();
            must_change(&experiment, count)?;
            Ok(experiment.advance(count, watch)?)
        });
        let last = done.as_ref().ok();
        let last = last.map(|done| Progress { done: *done, expected: Some(count), residual: None });
        telling.end(last)?;
        done.map(|_| slf)
    }

    /// Reads an output: what the last step wrote, or before the first step the input that it becomes. `out` takes an array that it is
    /// written to. Raises `InputError` for an unknown name, and for an output that nothing has written yet.
    #[pyo3(signature = (output, *, out=None, **unknown),
    text_signature = "($self, output, *, out=None)")]
    fn read<'py>(
        &self,
        py: Python<'py>,
        output: &str,
        out: Option<Bound<'py, PyAny>>,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        refuse(py, "Experiment.read", unknown)?;
        let out = match out {
            Some(array) => Out::Only(array),
            None => Out::None,
        };
        let mut rooms = out.rooms()?;
        let slot = rooms.first_mut().map(|room| room.slot()).transpose()?;
        let handle = &self.handle;
        let read = handle.worker.call(py, |state, _| {
            let experiment = state.get(handle)?;
            let experiment = experiment.borrow();
            read_one(&experiment, output, slot)
        })?;
        results(py, vec![read], false, rooms)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, output: &str) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, output, None, None)
    }

    /// Replaces arrays and numbers, by name or in a mapping: arrays of the shapes that they had. The number of steps stays. An array in
    /// place of a sequence of files ends that.
    ///
    /// >>> import quadrille as q
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
        let hinted =
            |error| unknown::hinted(&["Experiment.set", "Experiment"], given, Some(names), error);
        let arguments = Arguments::take(names, mapping, given).map_err(hinted)?;
        arguments.must_be_arrays(py)?;
        let arrays = values(&arguments)?;
        for (name, shape, _) in &arrays {
            slf.get().must_have_shape(py, name, shape)?;
        }
        let handle = &slf.get().handle;
        handle
            .worker
            .call(py, |state, _| {
                let experiment = state.get(handle)?;
                let mut experiment = experiment.borrow_mut();
                for (name, _, values) in arrays {
                    experiment.write(name, values)?;
                }
                for (name, text) in &arguments.uniforms {
                    experiment.set(name, text)?;
                }
                Ok(())
            })
            .map_err(hinted)?;
        Ok(slf)
    }

    /// Goes back to the arrays that outputs replaced, as they were given, and to step 0; returns the experiment. What `set` changed stays,
    /// but for arrays that outputs replace.
    fn restart(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let handle = &slf.get().handle;
        handle
            .worker
            .call(slf.py(), |state, _| Ok(state.get(handle)?.borrow_mut().restart()?))?;
        Ok(slf)
    }

    /// Writes the state to a file, whole or not at all: what the outputs hold and the number of the step. An experiment of the same shaders,
    /// arrays, numbers and sizes goes on from it, in another process too: see `load`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let handle = &self.handle;
        handle.worker.call(py, |state, _| Ok(state.get(handle)?.borrow().save(path)?))
    }

    /// Takes the state that `save` wrote, and returns the experiment: further steps give the same bits as without the break. Raises
    /// `InputError` for a file of another experiment, saying what differs, and for one that is damaged or cannot be read.
    ///
    /// >>> import numpy as np, quadrille as q, tempfile
    /// >>> text = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }"
    /// >>> make = lambda: q.Experiment(text, x=np.float32([0, 1]), feedback={"y": "x"})
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     make().step(40).save(folder + "/state")
    /// ...     e = make().load(folder + "/state").step(2)
    /// >>> e.iteration, e["y"].tolist()
    /// (42, [42.0, 43.0])
    fn load(slf: Bound<'_, Self>, path: PathBuf) -> PyResult<Bound<'_, Self>> {
        let handle = &slf.get().handle;
        handle
            .worker
            .call(slf.py(), |state, _| Ok(state.get(handle)?.borrow_mut().load(path)?))?;
        Ok(slf)
    }

    /// The number of steps since the beginning or `restart`.
    #[getter]
    fn iteration(&self, py: Python<'_>) -> PyResult<u64> {
        let handle = &self.handle;
        handle.worker.call(py, |state, _| Ok(state.get(handle)?.borrow().iteration()))
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
        format!("<quadrille.Experiment {}: {inputs} -> {outputs}>", self.title)
    }
}

impl Experiment {
    /// Runs as many steps as the file says, and returns the outputs: an array if there is one, else a dict of arrays by name.
    pub(crate) fn finished<'py>(
        &self,
        py: Python<'py>,
        out: &Out<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut rooms = out.rooms()?;
        let slots = rooms.iter_mut().map(|room| room.slot()).collect::<PyResult<_>>()?;
        let handle = &self.handle;
        let outputs = handle.worker.call(py, |state, watch| {
            let experiment = state.get(handle)?;
            let mut experiment = experiment.borrow_mut();
            must_change(&experiment, self.iterate)?;
            let done = experiment.advance(self.iterate, watch)?;
            match done == self.iterate {
                true => read(&experiment, slots),
                false => Err(Failure::new(quadrille::Kind::Cancelled, "stopped")),
            }
        })?;
        results(py, outputs, self.outputs.len() > 1, rooms)
    }

    /// Refuses what tells that it has another shape, before it is converted.
    fn must_have_shapes(
        &self,
        mapping: Option<&Bound<'_, PyMapping>>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let items = mapping.map(|mapping| mapping.items()).transpose()?;
        let given = given.map(|given| given.items());
        for item in items.iter().chain(&given).flatten() {
            let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
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

/// The error of a new experiment, with a hint on its keywords.
fn hinted(error: PyErr, given: Option<&Bound<'_, PyDict>>, names: Option<&Names>) -> PyErr {
    unknown::hinted(&["Experiment"], given, names, error)
}

/// The inputs of an experiment.
struct Given {
    arrays: Vec<(String, Field)>,
    origins: Vec<(String, Origin)>,
}

impl Given {
    fn of(arguments: &Arguments<'_>, py: Python<'_>) -> PyResult<Given> {
        let failed = |failure: Failure| failure.into_exception(py);
        let field = |(name, shape, values): (&str, &[usize], ValuesRef<'_>)| {
            let field = Field::copied(shape, values);
            let called = |error: quadrille::data::Error| {
                Failure::new(error.kind(), format!("{name}: {error}"))
            };
            Ok((name.to_owned(), field.map_err(|error| failed(called(error)))?))
        };
        let arrays = values(arguments)?.into_iter().map(field);
        let origin = |(name, text): &(String, String)| {
            Ok((name.clone(), text.parse::<Origin>().map_err(|error| failed(error.into()))?))
        };
        Ok(Given {
            arrays: arrays.collect::<PyResult<_>>()?,
            origins: arguments.origins.iter().map(origin).collect::<PyResult<_>>()?,
        })
    }
}

/// What is set beside a file, and goes before what it sets.
fn settings(given: Given, uniforms: Vec<(String, String)>, options: &Options) -> Settings {
    let mut settings = Settings::default();
    let arrays = given.arrays.into_iter().map(|(name, field)| (name, Origin::from(field)));
    settings.inputs = arrays.chain(given.origins).collect();
    settings.uniforms = uniforms;
    settings.samplings = options.held.samplings.clone();
    settings.precisions.clone_from(&options.held.precisions);
    settings.halo = options.held.halo;
    settings.flip = options.flip;
    settings.rate = options.rate;
    settings.size = options.size;
    settings.groups = options.groups;
    settings.feedback.clone_from(&options.feedback);
    settings.seed = options.seed;
    settings
}

fn reading(setup: Setup, reads: Option<Reads>) -> Setup {
    match reads {
        Some(reads) => setup.reads(reads),
        None => setup,
    }
}

fn setup(
    arrays: Vec<(String, Field)>,
    read: Vec<Array>,
    uniforms: &[(String, String)],
    options: Options,
) -> Setup {
    let setup =
        arrays.into_iter().fold(Setup::new(), |setup, (name, field)| setup.input(name, field));
    let mut setup = read.into_iter().fold(setup, Setup::array);
    for (name, text) in uniforms {
        setup = setup.uniform(name, text);
    }
    for (output, input) in options.feedback {
        setup = setup.feedback(output, input);
    }
    if let Some(size) = options.size {
        setup = setup.extent(size);
    }
    if let Some(groups) = options.groups {
        setup = setup.groups(groups);
    }
    setup = options.held.set(setup);
    if let Some(flip) = options.flip {
        setup = setup.flip(flip);
    }
    if let Some(rate) = options.rate {
        setup = setup.rate(rate);
    }
    reading(setup, options.reads)
}

fn experiment(
    state: &mut State,
    sources: Vec<Source>,
    passes: Option<Vec<PassSetup>>,
    setup: Setup,
) -> Result<experiment::Experiment, Failure> {
    let context = state.context()?;
    Ok(match (passes, &sources[..]) {
        (None, [source]) => experiment::Experiment::new(&context, source, setup)?,
        (passes, _) => {
            experiment::Experiment::from_passes(&context, passes.unwrap_or_default(), setup)?
        }
    })
}

/// The arrays that were given: their names, shapes and numbers.
fn values<'a>(
    arguments: &'a Arguments<'_>,
) -> PyResult<Vec<(&'a str, &'a [usize], ValuesRef<'a>)>> {
    let arrays = arguments.arrays.iter();
    arrays.map(|(name, array)| Ok((name.as_str(), array.shape(), array.values()?))).collect()
}

/// Refuses steps that would all compute the same: feedback was forgotten.
fn must_change(experiment: &experiment::Experiment, count: u64) -> Result<(), Failure> {
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
