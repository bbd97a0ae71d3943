//! The shaders of an experiment: one, or several passes by name.

use pyo3::types::{PyDict, PyMapping};
use quadrille_run::{Names, PassSetup, Scale, Settings};

use super::arguments::text;
use super::settings::{Keywords, of_experiment, pairs, set};
use crate::arguments::source::source;
use crate::arguments::unknown_keywords::refuse;
use crate::error::{Failure, wrong};
use crate::prelude::*;
use crate::worker::state::State;

/// A pass of an `Experiment`: its shader, what its samplers read, and its own uniforms and size.
///
/// `read` maps samplers to inputs of other names, or to "pass.output" of an earlier pass; a sampler
/// that it does not name reads the input of its own name. `uniforms` are for this pass alone, and
/// `size` is `(width, height)` of its outputs, by default that of what it reads; a str names it by
/// another size, as in "image / 2": that of an input, of "pass.output", or `size` for that of the
/// experiment. `repeat` is how often the pass runs in a step, and `feedback` maps its outputs to
/// the samplers that read them in the next repetition; `uniform int repetition` counts from 0.
/// `source`, `stage`, `groups`, `dialect`, `define`, `include` and `common` are as for `Kernel`.
///
/// >>> import quadrille_gl as q
/// >>> half = q.Pass("uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r / 2.0; }", read={"x": "a"})
/// >>> more = q.Pass("uniform sampler2D h; out float y; void main() { y = READ(h, TEXEL).r + 1.0; }", read={"h": "half.y"})
/// >>> q.Experiment({"half": half, "more": more}, a=[8.0, 4.0]).step()["more.y"]
/// array([5., 3.], dtype=float32)
#[pyclass(frozen, module = "quadrille_gl")]
pub(crate) struct Pass {
    /// The setup of the pass, but for its name and its uniforms.
    setup: PassSetup,
    uniforms: Option<Py<PyDict>>,
}

#[pymethods]
impl Pass {
    #[new]
    #[pyo3(signature = (source, *, read=None, uniforms=None, size=None, repeat=None, feedback=None, stage=None, groups=None, **given),
    text_signature = "(source, *, read=None, uniforms=None, size=None, repeat=None, feedback=None, stage=None, groups=None, include=None, define=None, common=None, dialect=None)")]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn new(
        source: &Object<'_>,
        read: Option<&Bound<'_, PyMapping>>,
        uniforms: Option<Bound<'_, PyDict>>,
        size: Option<&Object<'_>>,
        repeat: Option<i64>,
        feedback: Option<&Bound<'_, PyMapping>>,
        stage: Option<&str>,
        groups: Option<&Object<'_>>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Pass> {
        let py = source.py();
        let keywords = Keywords::new(py, None, given)?;
        let mut settings = keywords.of_text(false)?;
        refuse(py, "Pass", Some(&keywords.rest))?;
        let mut setup = PassSetup::new("", self::source(source, stage, &settings)?);
        for (sampler, from) in pairs("read", read)? {
            setup = setup.read(sampler, from);
        }
        for (output, sampler) in pairs("feedback", feedback)? {
            setup = setup.feedback(output, sampler);
        }
        let scale = size.and_then(|size| size.extract::<String>().ok());
        let size = size.filter(|_| scale.is_none());
        for option in of_experiment() {
            let given = match option.name {
                "size" => size,
                "groups" => groups,
                _ => None,
            };
            given.map_or(Ok(()), |value| set(&mut settings, option, value))?;
        }
        if let Some(scale) = scale {
            setup = setup.scale(scale.parse::<Scale>().or_raise(py)?);
        }
        if let Some(size) = settings.size {
            setup = setup.extent(size);
        }
        if let Some(groups) = settings.groups {
            setup = setup.groups(groups);
        }
        if let Some(count) = repeat {
            setup = setup.repeat(times(py, count)?);
        }
        Ok(Pass { setup, uniforms: uniforms.map(Bound::unbind) })
    }

    fn __repr__(&self) -> String {
        format!("<quadrille_gl.Pass {}>", self.setup.program().name())
    }
}

/// The shaders, as the argument has them: by name, or one without a name.
pub(crate) struct Passes<'py>(Vec<(String, Bound<'py, Pass>)>);

impl<'py> Passes<'py> {
    /// `settings` are those of the texts of all.
    pub(crate) fn take(
        given: &Object<'py>,
        stage: Option<&str>,
        settings: &Settings,
    ) -> PyResult<Passes<'py>> {
        let py = given.py();
        let plain = |source: &Object<'py>| {
            let setup = PassSetup::new("", self::source(source, stage, settings)?);
            Bound::new(py, Pass { setup, uniforms: None })
        };
        let Ok(mapping) = given.cast::<PyMapping>() else {
            return Ok(Passes(vec![(String::new(), plain(given)?)]));
        };
        let mut passes = Vec::new();
        for item in mapping.items()?.iter() {
            let (name, value): (String, Object<'py>) = item.extract()?;
            let pass = match value.cast_into::<Pass>() {
                Ok(pass) => pass,
                Err(other) => plain(&other.into_inner())?,
            };
            passes.push((name, pass));
        }
        match passes.iter().find(|(name, _)| name.is_empty()) {
            _ if passes.is_empty() => {
                Err(wrong(py, "expected at least one pass, got an empty mapping"))
            }
            Some(_) => {
                let error = quadrille_run::error::PassError::PassName { name: String::new() };
                Err(Failure::from(error).into_exception(py))
            }
            None => Ok(Passes(passes)),
        }
    }

    /// Returns the title of an experiment: the names of its shaders.
    pub(crate) fn title(&self) -> String {
        let names = self.0.iter().map(|(_, pass)| pass.get().setup.program().name());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns the passes without uniforms of their own.
    pub(crate) fn plain(&self) -> Vec<PassSetup> {
        self.0.iter().map(|(name, pass)| pass.get().setup.clone().named(name)).collect()
    }

    /// Returns the passes with their own uniforms, whose types are those in the names of each.
    pub(crate) fn setups(&self, names: &[Names]) -> PyResult<Vec<PassSetup>> {
        let setup = |((name, pass), names): (&(String, Bound<'py, Pass>), &Names)| {
            pass.get().setup(pass.py(), name, names)
        };
        self.0.iter().zip(names).map(setup).collect()
    }
}

impl Pass {
    fn setup(&self, py: Python<'_>, name: &str, names: &Names) -> PyResult<PassSetup> {
        let mut setup = self.setup.clone().named(name);
        for (key, value) in self.uniforms.iter().flat_map(|uniforms| uniforms.bind(py)) {
            let key: String = key.extract()?;
            let value = text(&key, names.type_of(&key), &value)?;
            setup = setup.uniform(key, value);
        }
        Ok(setup)
    }
}

/// The argument `repeat`.
fn times(py: Python<'_>, count: i64) -> PyResult<u32> {
    let times = u32::try_from(count).ok().filter(|count| *count > 0);
    times.ok_or_else(|| {
        wrong(py, format!("repeat: expected a number of repetitions from 1 on, got {count}"))
    })
}

/// Returns the names that each pass has.
pub(crate) fn names(state: &mut State, passes: &[PassSetup]) -> Result<Vec<Names>, Failure> {
    let context = state.context()?;
    let names = |pass: &PassSetup| Ok(Names::of_pass(&context, pass)?);
    passes.iter().map(names).collect()
}
