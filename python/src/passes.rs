//! The shaders of an experiment: one, or several passes by name.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use quadrille::Extent;
use quadrille::experiment::{Names, PassSetup};
use quadrille::shader::Source;

use crate::arguments::text;
use crate::error::{Failure, wrong};
use crate::kernel::{extent, groups};
use crate::source::Shader;
use crate::state::State;

/// One of several passes of an `Experiment`: its shader, what its samplers read, and its own uniforms and size.
///
/// `read` maps samplers to inputs of other names, or to "pass.output" of an earlier pass; a sampler that it does not name reads the
/// input of its own name. `uniforms` are for this pass alone, and `size` is `(width, height)` of its outputs, by default that of what it
/// reads. `source`, `stage`, `groups`, `defines` and `include` are as for `Kernel`.
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
    size: Option<Extent>,
    groups: Option<[u32; 3]>,
}

#[pymethods]
impl Pass {
    #[new]
    #[pyo3(signature = (source, *, read=None, uniforms=None, size=None, stage=None, groups=None, defines=None, include=None))]
    #[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
    fn new(
        source: &Bound<'_, PyAny>,
        read: Option<&Bound<'_, PyMapping>>,
        uniforms: Option<Bound<'_, PyDict>>,
        size: Option<&Bound<'_, PyAny>>,
        stage: Option<&str>,
        groups: Option<&Bound<'_, PyAny>>,
        defines: Option<&Bound<'_, PyDict>>,
        include: Option<Vec<PathBuf>>,
    ) -> PyResult<Pass> {
        Ok(Pass {
            source: Shader { source, stage, defines, include }.take()?,
            reads: pairs("read", read)?,
            uniforms: uniforms.map(Bound::unbind),
            size: size.map(extent).transpose()?,
            groups: groups.map(self::groups).transpose()?,
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
        let Shader { source: given, stage, defines, include } = given;
        let py = given.py();
        let plain = |source: &Bound<'py, PyAny>| {
            let source = Shader { source, stage, defines, include: include.clone() }.take()?;
            let pass = Pass { source, reads: Vec::new(), uniforms: None, size: None, groups: None };
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
        if let Some(size) = self.size {
            setup = setup.extent(size);
        }
        if let Some(groups) = self.groups {
            setup = setup.groups(groups);
        }
        Ok(setup)
    }
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
