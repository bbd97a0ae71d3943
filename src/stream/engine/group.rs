//! Work groups, and the engine that has them.

use std::fmt;
use std::str::FromStr;

use crate::Extent;
use crate::error::UnknownName;
use crate::gl::{Abilities, Context};
use crate::shader::{self, Source, Stage};

use crate::stream::Engine;

/// The invocations of a work group along x and y; as text `16x8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The size along x.
    pub x: u32,
    /// The size along y.
    pub y: u32,
}

impl Group {
    /// Creates a work group of `x` by `y` invocations.
    pub const fn new(x: u32, y: u32) -> Group {
        Group { x, y }
    }

    /// Returns whether a context has compute shaders with such groups.
    pub fn fits(self, abilities: &Abilities) -> bool {
        abilities.compute.is_some_and(|limits| {
            let [most_x, most_y, _] = limits.max_group_size;
            let all = self.x.saturating_mul(self.y);
            (1..=limits.max_invocations).contains(&all) && self.x <= most_x && self.y <= most_y
        })
    }

    /// Returns the number of groups that cover an extent with one invocation for each texel.
    pub fn cover(self, extent: Extent) -> [u32; 3] {
        [extent.width.div_ceil(self.x), extent.height.div_ceil(self.y), 1]
    }

    /// Defines the size of a compute shader's work groups.
    pub fn define(self, source: Source) -> Source {
        source.define("GROUP_X", self.x).define("GROUP_Y", self.y)
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.x, self.y)
    }
}

impl FromStr for Group {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Group, UnknownName> {
        let numbers = text.split_once('x').map(|(x, y)| (x.parse(), y.parse()));
        match numbers {
            Some((Ok(x), Ok(y))) if x > 0 && y > 0 => Ok(Group { x, y }),
            _ => Err(UnknownName::new("work group", text, ["16x16", "32x4"])),
        }
    }
}

/// An engine with its work groups, as element-wise operations have it; as text `fragment` or
/// `compute 16x16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The fragment stage.
    Fragment,
    /// Compute shaders with these work groups.
    Compute(Group),
}

/// Work groups that may be faster than the usual ones.
const GROUPS: [Group; 6] = [
    Group::new(16, 16),
    Group::new(8, 8),
    Group::new(16, 8),
    Group::new(32, 8),
    Group::new(32, 32),
    Group::new(64, 4),
];

impl Setup {
    /// Creates an engine, with these work groups where it is compute.
    pub fn new(engine: Engine, group: Group) -> Setup {
        match engine {
            Engine::Fragment => Setup::Fragment,
            Engine::Compute => Setup::Compute(group),
        }
    }

    /// Returns a text of the library for the stage of this engine, with the size of its work groups.
    pub(crate) fn library(self, path: &str) -> Result<Source, shader::Error> {
        match self {
            Setup::Fragment => Source::library(Stage::Fragment, path),
            Setup::Compute(group) => Ok(group.define(Source::library(Stage::Compute, path)?)),
        }
    }

    /// Returns the engine.
    pub fn engine(self) -> Engine {
        match self {
            Setup::Fragment => Engine::Fragment,
            Setup::Compute(_) => Engine::Compute,
        }
    }

    /// Returns the tuned setup of an operation, if there is one that the context can run.
    pub fn tuned(context: &Context, operation: &str) -> Option<Setup> {
        let choice = context.tuned(operation, usize::MAX)?.choice;
        let setup = match choice.split_whitespace().collect::<Vec<_>>()[..] {
            ["fragment"] => Setup::Fragment,
            ["compute", group] => Setup::Compute(group.parse().ok()?),
            _ => return None,
        };
        setup.fits(context.abilities()).then_some(setup)
    }

    /// Returns all that a context can run.
    pub fn all(context: &Context) -> Vec<Setup> {
        let all = GROUPS.map(Setup::Compute).into_iter().chain([Setup::Fragment]);
        all.filter(|setup| setup.fits(context.abilities())).collect()
    }

    fn fits(self, abilities: &Abilities) -> bool {
        match self {
            Setup::Fragment => true,
            Setup::Compute(group) => group.fits(abilities),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setup::Fragment => f.write_str("fragment"),
            Setup::Compute(group) => write!(f, "compute {group}"),
        }
    }
}
