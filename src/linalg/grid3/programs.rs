//! The programs: what each computes, and its text.

use crate::linalg::multigrid::relaxation::{Of, Relaxation};
use crate::linalg::nine_banded::Result;
use crate::shader::Source;
use crate::stream::Engine;
use crate::stream::group::{Group, Setup};

/// The work groups of compute shaders.
const GROUP: Group = Group::new(16, 16);

/// Returns an engine with its work groups.
pub(super) fn setup(engine: Engine) -> Setup {
    Setup::new(engine, GROUP)
}

/// What a program computes, and how it finds numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    component: Component,
    access: StencilAccess,
}

impl Variant {
    /// Leaves out what does not change the text of an engine.
    pub(super) fn new(component: Component, access: StencilAccess, engine: Engine) -> Variant {
        Variant { component, access: access.of(component, engine) }
    }

    /// Returns the text.
    pub(super) fn source(&self, setup: Setup) -> Result<Source> {
        self.component.source(self.access, setup)
    }
}

/// What a program computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Component {
    Relaxation(Relaxation),
    Rows,
    Weights { along_x: bool, of: Of },
    Galerkin { along_x: bool },
    Restriction { axis: usize },
    Prolongation { axis: usize, adds: bool },
    Direct,
}

/// How a kernel finds numbers, by which it is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct StencilAccess {
    /// Couplings depend on the kind of a point alone.
    pub(super) kinds: bool,
    /// Points are coupled along the axes alone.
    pub(super) star: bool,
    /// A grid may be in several stacks.
    pub(super) stacks: bool,
    /// Whether the ends of axes are neighbours.
    pub(super) wraps: [bool; 3],
    /// Every line of the target is inside, of which the numbers are uniforms.
    pub(super) inner: bool,
    /// There are several kinds at each end of an axis.
    pub(super) wide: bool,
}

impl StencilAccess {
    /// Leaves out what does not change a component's text.
    fn of(self, component: Component, engine: Engine) -> StencilAccess {
        let drawn = engine == Engine::Fragment;
        let (inner, wide) = (self.inner && drawn, self.wide && drawn && !self.inner);
        // Hardware takes no longer for several stacks than a driver for another program.
        let stacks = self.stacks || !drawn;
        match component {
            Component::Direct => StencilAccess::default(),
            Component::Weights { .. } | Component::Galerkin { .. } => {
                StencilAccess { star: false, stacks, inner, wide, ..self }
            }
            Component::Restriction { .. } | Component::Prolongation { .. } => {
                StencilAccess { star: false, stacks, inner, wide, ..self }
            }
            _ => StencilAccess { stacks, inner, wide, ..self },
        }
    }
}

impl Component {
    fn source(self, access: StencilAccess, setup: Setup) -> Result<Source> {
        let path = match self {
            Component::Relaxation(_) => "grid3/relaxation.frag",
            Component::Rows => "grid3/rows.frag",
            Component::Weights { .. } => "grid3/weights.frag",
            Component::Galerkin { .. } => "grid3/galerkin.frag",
            Component::Restriction { .. } => "grid3/restriction.frag",
            Component::Prolongation { .. } => "grid3/prolongation.frag",
            Component::Direct => "multigrid/direct.frag",
        };
        let mut source = setup.library(path)?;
        let dispatched = setup.engine() == Engine::Compute;
        if dispatched && matches!(self, Component::Weights { .. } | Component::Galerkin { .. }) {
            source = source.define("PART", 1);
        }
        let [x, y, z] = access.wraps;
        let names = [
            (access.kinds, "KINDS"),
            (access.star, "STAR"),
            (access.stacks, "STACKS"),
            (x, "WRAPS_X"),
            (y, "WRAPS_Y"),
            (z, "WRAPS_Z"),
            (access.inner, "INNER"),
            (access.wide, "WIDE"),
        ];
        for (_, name) in names.into_iter().filter(|(is_set, _)| *is_set) {
            source = source.define(name, 1);
        }
        let with = |source: Source, name: Option<&str>| match name {
            Some(name) => source.define(name, 1),
            None => source,
        };
        Ok(match self {
            Component::Rows | Component::Direct => source,
            Component::Relaxation(relaxation) => with(source, relaxation.define()),
            Component::Weights { along_x, of } => {
                with(with(source, along_x.then_some("ALONG_X")), of.define())
            }
            Component::Galerkin { along_x } => with(source, along_x.then_some("ALONG_X")),
            Component::Restriction { axis } => source.define("AXIS", axis),
            Component::Prolongation { axis, adds } => {
                with(source.define("AXIS", axis), adds.then_some("ADDS"))
            }
        })
    }
}

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut of_kinds = Relaxation::ALL.map(Component::Relaxation).to_vec();
    let mut stored = vec![Component::Rows];
    for axis in 0..3 {
        of_kinds.push(Component::Restriction { axis });
        of_kinds.extend([false, true].map(|adds| Component::Prolongation { axis, adds }));
    }
    for along_x in [false, true] {
        stored.extend(Of::ALL.map(|of| Component::Weights { along_x, of }));
        stored.push(Component::Galerkin { along_x });
    }
    stored.extend(&of_kinds);
    let mut sources = Vec::new();
    for star in [false, true] {
        // Stacks and rings change different lines of a text.
        for both in [false, true] {
            let (stacks, wraps) = (both, [both; 3]);
            let access_of =
                |kinds, inner, wide| StencilAccess { kinds, star, stacks, wraps, inner, wide };
            for component in &stored {
                for engine in Engine::ALL {
                    sources.push(component.source(access_of(false, false, false), setup(engine))?);
                }
            }
            for component in &of_kinds {
                sources
                    .push(component.source(access_of(true, false, false), setup(Engine::Compute))?);
                for (inner, wide) in [(true, false), (false, false), (false, true)] {
                    sources.push(component.source(access_of(true, inner, wide), Setup::Fragment)?);
                }
            }
        }
    }
    Ok(sources)
}
