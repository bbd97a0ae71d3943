//! `Context`, `devices` and the choice of the context that a function works on.

pub(crate) mod device;

use std::sync::{Mutex, PoisonError};

use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use quadrille::gl;
use quadrille::shader::Api;

use crate::arguments::unknown_keywords::refuse;
use crate::error::wrong;
use crate::prelude::*;
use crate::worker::state::{Settings, State};
use crate::worker::{Watch, Worker, must_be_own_process};

/// The context of calls that name none.
static DEFAULT: Mutex<Option<Worker>> = Mutex::new(None);

/// The variable whose value in a thread or task is the innermost `with` block's context.
static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A connection to a device, on which arrays are computed; functions that name no context share one
/// on the best device.
///
/// `device` is an index in `devices()`, a part of a name, or a `Device`; by default it is what the
/// environment variable QUADRILLE_DEVICE says, else hardware before software. `api` is "gl" or
/// "gles"; by default "gl", or "gles" where the device has no desktop OpenGL 3.3. With
/// `tuned=True` it uses what the command `quadrille tune` stored for the device.
///
/// In a `with` block it is the context of all functions that name none, in this thread or task; it
/// is closed at the end of the block, with everything on it. A thread of its own does its work, so
/// any thread may call functions and objects of it.
///
/// Raises `DeviceError` where there is no such device, or no driver.
///
/// >>> import quadrille_gl as q
/// >>> with q.Context("llvmpipe", api="gles") as context:
/// ...     context.software, q.run("out float y; void main() { y = 2.5; }", size=(2, 1)).tolist()
/// (True, [[2.5, 2.5]])
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct Context {
    worker: Worker,
    /// The renderer's name, as the driver reports it.
    #[pyo3(get)]
    renderer: String,
    /// The vendor of the driver.
    #[pyo3(get)]
    vendor: String,
    /// The version of OpenGL or OpenGL ES, as the driver reports it.
    #[pyo3(get)]
    version: String,
    /// Whether it is a software renderer.
    #[pyo3(get)]
    software: bool,
    /// The greatest length of an axis of an array, in cells.
    #[pyo3(get)]
    max_texture_size: u32,
    /// The bytes of the device's own memory, where the driver reports them.
    #[pyo3(get)]
    memory: Option<u64>,
    /// The reason why software was chosen, where no hardware was found.
    #[pyo3(get)]
    notice: Option<String>,
    /// The tokens that end the effect of each `with`, innermost last.
    tokens: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl Context {
    #[new]
    #[pyo3(signature = (device=None, *, api=None, tuned=false, **unknown),
    text_signature = "(device=None, *, api=None, tuned=False)")]
    fn new(
        py: Python<'_>,
        device: Option<Object<'_>>,
        api: Option<&str>,
        tuned: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Context> {
        refuse(py, "Context", unknown)?;
        let device = device.map(|device| selector(&device)).transpose()?;
        let api = match api {
            None => None,
            Some("gl") => Some(Api::Gl),
            Some("gles") => Some(Api::Gles),
            Some(other) => {
                return Err(wrong(py, format!("api: expected \"gl\" or \"gles\", got {other:?}")));
            }
        };
        let worker = Worker::start(py, Settings { device, api, tuned })?;
        let keeper = worker.clone();
        worker.call(py, move |state, _| {
            let context = state.context()?;
            let abilities = context.abilities();
            Ok(Context {
                worker: keeper,
                renderer: abilities.renderer.clone(),
                vendor: abilities.vendor.clone(),
                version: abilities.version_text.clone(),
                software: abilities.software,
                max_texture_size: abilities.max_texture_size,
                memory: abilities.memory,
                notice: context.notice().map(str::to_owned),
                tokens: Mutex::default(),
            })
        })
    }

    /// Returns the numbers of textures, buffers and programs in use, their bytes, and the number of
    /// Python objects that are `kept` there.
    fn objects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (live, kept) =
            self.worker.call(py, |state, _| Ok((state.context()?.objects()?, state.len())))?;
        let dict = PyDict::new(py);
        dict.set_item("textures", live.textures)?;
        dict.set_item("buffers", live.buffers)?;
        dict.set_item("programs", live.programs)?;
        dict.set_item("bytes", live.bytes)?;
        dict.set_item("kept", kept)?;
        Ok(dict)
    }

    /// Ends the context with everything on it; later uses of it, or of objects on it, raise
    /// `DeviceError`.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.worker.close(py)
    }

    fn __enter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        let token = current(py)?.call_method1("set", (&slf,))?;
        lock(&slf.get().tokens).push(token.unbind());
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        let token = lock(&self.tokens).pop();
        if let Some(token) = token {
            current(py)?.call_method1("reset", (token,))?;
        }
        self.worker.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<quadrille_gl.Context on {}, {}>", self.renderer, self.version)
    }
}

impl Context {
    pub(crate) fn worker(&self) -> &Worker {
        &self.worker
    }
}

/// Returns the worker of a function's argument `context`, else of the innermost `with` block, else
/// of all calls that name none: that one is made again where its context was lost, and objects on
/// the lost one raise `DeviceError`.
pub(crate) fn chosen(py: Python<'_>, context: Option<&Context>) -> PyResult<Worker> {
    if let Some(context) = context {
        return Ok(context.worker.clone());
    }
    if let Ok(entered) = current(py)?.call_method1("get", (py.None(),))?.cast::<Context>() {
        return Ok(entered.get().worker.clone());
    }
    let mut default = lock(&DEFAULT);
    match &*default {
        Some(worker) if !worker.is_lost() => Ok(worker.clone()),
        _ => Ok(default.insert(Worker::start(py, Settings::default())?).clone()),
    }
}

/// Fails as a call does whose context was lost, which tests cannot bring about.
#[pyfunction]
#[pyo3(signature = (context=None))]
pub(crate) fn lose(py: Python<'_>, context: Option<&Context>) -> PyResult<()> {
    let lost = |_: &mut State, _: &mut Watch| {
        Err(quadrille::gl::Error::ContextLost { status: "a test says so" }.into())
    };
    chosen(py, context)?.call(py, lost)
}

fn current(py: Python<'_>) -> PyResult<&Object<'_>> {
    let made = CURRENT.get_or_try_init(py, || {
        let variable = py.import("contextvars")?.getattr("ContextVar")?;
        PyResult::Ok(variable.call1(("quadrille_gl.context",))?.unbind())
    })?;
    Ok(made.bind(py))
}

/// A device by its index in `devices()`, or by a part of its name.
fn selector(device: &Object<'_>) -> PyResult<String> {
    if let Ok(device) = device.cast::<Device>() {
        return Ok(device.get().index.to_string());
    }
    if let Ok(index) = device.extract::<usize>() {
        return Ok(index.to_string());
    }
    device.extract::<String>().map_err(|_| {
        let got = device.repr().map_or_else(|_| "something else".into(), |text| text.to_string());
        wrong(
            device.py(),
            format!("device: expected an index, a part of a name or a Device, got {got}"),
        )
    })
}

/// A device of this computer: its `index`, by which `Context` takes it, its `label`, and whether it
/// is `software`.
#[pyclass(frozen, eq, hash, module = "quadrille_gl")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Device {
    /// The index, by which `Context` takes it.
    #[pyo3(get)]
    index: usize,
    /// The label that EGL gives it.
    #[pyo3(get)]
    label: String,
    /// Whether EGL marks it as a software renderer.
    #[pyo3(get)]
    software: bool,
}

#[pymethods]
impl Device {
    fn __repr__(&self) -> String {
        let kind = if self.software { "software" } else { "hardware" };
        format!("<quadrille_gl.Device {}: {}, {kind}>", self.index, self.label)
    }
}

/// Lists the devices of this computer. Raises `DeviceError` without a driver, and says what to
/// install.
///
/// >>> import quadrille_gl as q
/// >>> [device.index for device in q.devices()][:1]
/// [0]
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Vec<Device>> {
    must_be_own_process(py)?;
    let found = py.detach(gl::devices).or_raise(py)?;
    let device = |found: gl::Device| Device {
        index: found.index,
        label: found.label,
        software: found.software,
    };
    Ok(found.into_iter().map(device).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
