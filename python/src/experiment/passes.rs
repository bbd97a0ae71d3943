//! The shaders of an experiment: one, or several passes by name.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use quadrille::Extent;
use quadrille::experiment::{Names, PassSetup, Scale};
use quadrille::shader::Source;

use super::arguments::text;
use super::sizes::{extent, groups};
use crate::arguments::source::Shader;
use crate::arguments::unknown::refuse;
use crate::error::{Failure, wrong};
use crate::worker::state::State;

/// One of several passes of an `Experiment`: its shader, what its samplers read, and its own uniforms and size.
///
/// `read` maps samplers to inputs of other names, or to "pass.output" of an earlier pass; a sampler that it does not name reads the
/// input of its own name. `uniforms` are for this pass alone, and `size` is `(width, height)` of its outputs, by default that of what it
/// reads; a str names it by another size, as in "image / 2": that of an input, of "pass.output", or `size` for that of the experiment.
/// `repeat` is how often the pass runs in a step, and `feedback` maps its outputs to the samplers that read them in the next
/// repetition; `uniform int repetition` counts from 0. `source`, `stage`, `groups`, `dialect`, `defines` and `include` are as for `Kernel`.
///
/// >>> import quadrille as q
/// >>> half = q.Pass("uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r / 2.0; }", read={"x": "a"})
/// >>> more = q.Pass("uniform sampler2D h; out float y; void main() { y = READ(h, TEXEL).r + 1.0; }", read={"h": "half.y"})
/// >>> q.Experiment({"half": half, "more": more}, a=[8.0, 4.0]).step()["more.y"]
/// array([5., 3.], dtype=float32)
#[pyclass(frozen, module = "quadrille")]
pub(crate) struct Pass {
    source: Source,
    reads: Vec<(String, String)>,
    uniforms: Option<Py<PyDict>>,
    size: Option<Size>,
    groups: Option<[u32; 3]>,
    repeat: Option<u32>,
    feedback: Vec<(String, String)>,
}

/// The size of a pass, or what it follows from.
enum Size {
    Extent(Extent),
    Scale(Scale),
}

impl Size {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Size> {
        let Ok(text) = given.extract::<String>() else { return extent(given).map(Size::Extent) };
        let scale = text.parse().map_err(|error: quadrille::experiment::Error| {
            Failure::from(error).into_exception(given.py())
        });
        scale.map(Size::Scale)
    }
}

#[pymethods]
impl Pass {
    #[new]
    #[pyo3(signature = (source, *, read=None, uniforms=None, size=None, repeat=None, feedback=None, stage=None, groups=None, dialect=None, defines=None, include=None, **unknown),
    text_signature = "(source, *, read=None, uniforms=None, size=None, repeat=None, feedback=None, stage=None, groups=None, dialect=None, defines=None, include=None)")]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn new(
        source: &Bound<'_, PyAny>,
        read: Option<&Bound<'_, PyMapping>>,
        uniforms: Option<Bound<'_, PyDict>>,
        size: Option<&Bound<'_, PyAny>>,
        repeat: Option<i64>,
        feedback: Option<&Bound<'_, PyMapping>>,
        stage: Option<&str>,
        groups: Option<&Bound<'_, PyAny>>,
        dialect: Option<&str>,
        defines: Option<&Bound<'_, PyDict>>,
        include: Option<Vec<PathBuf>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Pass> {
        let py = source.py();
        refuse(py, "Pass", unknown)?;
        Ok(Pass {
            source: Shader { source, stage, dialect, defines, include }.take()?,
            reads: pairs("read", read)?,
            uniforms: uniforms.map(Bound::unbind),
            size: size.map(Size::of).transpose()?,
            groups: groups.map(self::groups).transpose()?,
            repeat: repeat.map(|count| times(py, count)).transpose()?,
            feedback: pairs("feedback", feedback)?,
        })
    }

    fn __repr__(&self) -> String {
        format!("<quadrille.Pass {}>", self.source.name())
    }
}

/// The shaders, as the argument has them.
pub(crate) struct Passes<'py> {
    /// Whether they were given by name: then there may be several.
    named: bool,
    passes: Vec<(String, Bound<'py, Pass>)>,
}

impl<'py> Passes<'py> {
    pub(crate) fn take(given: Shader<'_, 'py>) -> PyResult<Passes<'py>> {
        let Shader { source: given, stage, dialect, defines, include } = given;
        let py = given.py();
        let plain = |source: &Bound<'py, PyAny>| {
            let source =
                Shader { source, stage, dialect, defines, include: include.clone() }.take()?;
            let (reads, feedback) = (Vec::new(), Vec::new());
            let (uniforms, size, groups, repeat) = (None, None, None, None);
            let pass = Pass { source, reads, uniforms, size, groups, repeat, feedback };
            Bound::new(py, pass)
        };
        let Ok(mapping) = given.cast::<PyMapping>() else {
            return Ok(Passes { named: false, passes: vec![(String::new(), plain(given)?)] });
        };
        let mut passes = Vec::new();
        for item in mapping.items()?.iter() {
            let (name, value): (String, Bound<'py, PyAny>) = item.extract()?;
            let pass = match value.cast_into::<Pass>() {
                Ok(pass) => pass,
                Err(other) => plain(&other.into_inner())?,
            };
            passes.push((name, pass));
        }
        match passes.is_empty() {
            true => Err(wrong(py, "expected at least one pass, got an empty mapping")),
            false => Ok(Passes { named: true, passes }),
        }
    }

    /// The shaders, in order.
    pub(crate) fn sources(&self) -> Vec<Source> {
        self.passes.iter().map(|(_, pass)| pass.get().source.clone()).collect()
    }

    /// What an experiment is called: the names of its shaders.
    pub(crate) fn title(&self) -> String {
        let names = self.passes.iter().map(|(_, pass)| pass.get().source.name());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The passes as the library has them; none for one shader without a name. `names` has those of each.
    pub(crate) fn setups(&self, names: &[Names]) -> PyResult<Option<Vec<PassSetup>>> {
        let setup = |((name, pass), names): (&(String, Bound<'py, Pass>), &Names)| {
            pass.get().setup(pass.py(), name, names)
        };
        let setups = self.passes.iter().zip(names).map(setup);
        self.named.then(|| setups.collect()).transpose()
    }

    /// What is given to all passes: the inputs that samplers read, and the uniforms.
    pub(crate) fn given(&self, names: &[Names]) -> Names {
        let mut given = Names::default();
        for ((_, pass), names) in self.passes.iter().zip(names) {
            let input = |sampler: &String| {
                let mut reads = pass.get().reads.iter();
                let renamed = reads.find(|(known, _)| known == sampler);
                renamed.map_or(sampler, |(_, from)| from).clone()
            };
            // An output of an earlier pass is not given.
            let inputs = names.inputs.iter().map(input).filter(|name| !name.contains('.'));
            given.inputs.extend(inputs);
            given.uniforms.extend(names.uniforms.iter().cloned());
        }
        given.inputs.sort();
        given.inputs.dedup();
        given
    }
}

impl Pass {
    fn setup(&self, py: Python<'_>, name: &str, names: &Names) -> PyResult<PassSetup> {
        let mut setup = PassSetup::new(name, self.source.clone());
        for (sampler, from) in &self.reads {
            setup = setup.read(sampler, from);
        }
        for (key, value) in self.uniforms.iter().flat_map(|uniforms| uniforms.bind(py)) {
            let key: String = key.extract()?;
            let value = text(&key, names.type_of(&key), &value)?;
            setup = setup.uniform(key, value);
        }
        for (output, sampler) in &self.feedback {
            setup = setup.feedback(output, sampler);
        }
        if let Some(groups) = self.groups {
            setup = setup.groups(groups);
        }
        if let Some(count) = self.repeat {
            setup = setup.repeat(count);
        }
        Ok(match &self.size {
            Some(Size::Extent(size)) => setup.extent(*size),
            Some(Size::Scale(scale)) => setup.scale(scale.clone()),
            None => setup,
        })
    }
}

/// The argument `repeat`.
fn times(py: Python<'_>, count: i64) -> PyResult<u32> {
    let times = u32::try_from(count).ok().filter(|count| *count > 0);
    times.ok_or_else(|| {
        wrong(py, format!("repeat: expected a number of repetitions from 1 on, got {count}"))
    })
}

/// The names that each shader has.
pub(crate) fn names(state: &mut State, sources: &[Source]) -> Result<Vec<Names>, Failure> {
    let context = state.context()?;
    let names = |source: &Source| Ok(Names::of(&context, source)?);
    sources.iter().map(names).collect()
}

/// A mapping of texts to texts.
pub(crate) fn pairs(
    argument: &str,
    mapping: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Vec<(String, String)>> {
    let Some(mapping) = mapping else { return Ok(Vec::new()) };
    let pair = |item: Bound<'_, PyAny>| {
        item.extract::<(String, String)>().map_err(|_| {
            wrong(mapping.py(), format!("{argument}: expected a mapping of names to names"))
        })
    };
    mapping.items()?.iter().map(pair).collect()
}
