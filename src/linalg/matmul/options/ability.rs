//! The methods that a context can run, and the options that a method has.

use crate::data::Number;
use crate::gl::Abilities;
use crate::stream::Engine;

use super::MAX_UNROLL;
use crate::linalg::matmul::{Cell, Error, Method, OperandReads, Options, Requirement, Result};

impl Method {
    /// Returns the rows and columns of C that a fragment computes; `None` for methods without
    /// fragments.
    pub fn block(self) -> Option<(usize, usize)> {
        match self {
            Method::Element => Some((1, 1)),
            Method::Cp => Some((4, 1)),
            Method::Sp => Some((2, 2)),
            Method::Block4x4 => Some((4, 4)),
            Method::Block8x4 => Some((8, 4)),
            Method::Block8x8 => Some((8, 8)),
            Method::Block16x8 => Some((16, 8)),
            _ => None,
        }
    }

    /// Returns whether its fragments store to a buffer instead of render targets.
    pub(in crate::linalg::matmul) fn stores(self) -> bool {
        matches!(self, Method::Block8x8 | Method::Block16x8)
    }

    /// Returns the first requirement of the method for floats that the context does not meet;
    /// `None` if it can run.
    pub fn lacks(self, abilities: &Abilities) -> Option<Requirement> {
        let targets = match self {
            Method::Block4x4 => 4,
            Method::Block8x4 => 8,
            _ => 1,
        };
        match self.engine() {
            None => None,
            Some(Engine::Compute) => abilities.compute.is_none().then_some(Requirement::Compute),
            Some(Engine::Fragment) if self.stores() => {
                let has = abilities.compute.map_or(0, |limits| limits.max_fragment_buffers);
                (has < 3).then_some(Requirement::FragmentBuffers { needs: 3, has })
            }
            Some(Engine::Fragment) if !abilities.float_targets => Some(Requirement::FloatTargets),
            Some(Engine::Fragment) => {
                let has = abilities.max_targets;
                (has < targets).then_some(Requirement::Targets { needs: targets, has })
            }
        }
    }

    /// Fails if a context cannot run it for this type, with the methods that it can run.
    pub(in crate::linalg::matmul) fn must_run_on<T: Number>(
        self,
        abilities: &Abilities,
    ) -> Result<()> {
        let lacks = |method: Method| match method.engine() {
            // Textures of integers can be drawn into everywhere.
            Some(Engine::Fragment) if !T::IS_FLOAT => None,
            _ => method.lacks(abilities),
        };
        let Some(missing) = lacks(self) else { return Ok(()) };
        let multiplies = |method: &Method| T::IS_FLOAT || method.takes_integers();
        let can = methods(|method| multiplies(method) && lacks(*method).is_none());
        let device = abilities.renderer.clone();
        Err(Error::Unsupported { method: self, lacks: missing, device, can })
    }

    fn has_tiles(self) -> bool {
        !matches!(self, Method::Serial | Method::ComputeSimple)
    }

    fn is_drawn(self) -> bool {
        self.engine() == Some(Engine::Fragment)
    }

    /// Returns whether a pass can add to the sums of the one before.
    pub(in crate::linalg::matmul) fn has_passes(self) -> bool {
        matches!(self, Method::Element | Method::Cp | Method::Sp) || self.stores()
    }

    fn is_split(self) -> bool {
        self == Method::ComputeBlocked
    }

    fn has_cells(self) -> bool {
        matches!(self, Method::Element | Method::Block4x4)
    }
}

fn methods(which: impl Fn(&Method) -> bool) -> Vec<Method> {
    Method::ALL.into_iter().filter(which).collect()
}

/// An option: its name, whether it is set, and which methods have it.
struct Choice {
    name: &'static str,
    is_set: fn(&Options) -> bool,
    has: fn(Method) -> bool,
}

#[rustfmt::skip] // A table.
const CHOICES: [Choice; 10] = [
    Choice { name: "unroll", is_set: |options| options.unroll.is_some(), has: Method::is_drawn },
    Choice { name: "passes", is_set: |options| options.passes.is_some(), has: Method::has_passes },
    Choice { name: "split", is_set: |options| options.split.is_some(), has: Method::is_split },
    Choice { name: "tile", is_set: |options| options.tile.is_some(), has: Method::has_tiles },
    Choice { name: "order", is_set: |options| options.order.is_some(), has: Method::is_drawn },
    Choice { name: "cover", is_set: |options| options.cover.is_some(), has: Method::is_drawn },
    Choice { name: "transpose or padding", is_set: |options| options.mapping.is_some(), has: Method::is_drawn },
    Choice { name: "cell", is_set: |options| options.cell.is_some(), has: Method::has_cells },
    Choice { name: "reads", is_set: |options| options.reads.is_some(), has: Method::is_drawn },
    Choice {
        name: "reads from buffers",
        is_set: |options| options.reads == Some(OperandReads::Buffer),
        has: Method::stores,
    },
];

impl Method {
    /// Returns the names of its options.
    pub fn options(self) -> Vec<&'static str> {
        CHOICES.iter().filter(|choice| (choice.has)(self)).map(|choice| choice.name).collect()
    }
}

impl Options {
    /// Refuses an option that the method does not have.
    pub(in crate::linalg::matmul) fn must_suit(&self, method: Method) -> Result<()> {
        for Choice { name, is_set, has } in &CHOICES {
            if is_set(self) && !has(method) {
                let those = methods(|other| has(*other));
                return Err(Error::Option { method, option: name, those });
            }
        }
        self.must_be_whole(method)
    }

    /// Refuses options that contradict each other.
    fn must_be_whole(&self, method: Method) -> Result<()> {
        let wrong = |cell, expected| Err(Error::Cell { method, cell, expected });
        match (method, self.cell) {
            (Method::Element, Some(cell @ Cell::Square)) => {
                return wrong(cell, "1 or 4 elements (2x2 is the method sp)");
            }
            (Method::Block4x4, Some(cell @ Cell::One)) => {
                return wrong(cell, "4 or 2x2 elements");
            }
            _ => {}
        }
        if self.order.is_some() && self.tile.is_none() {
            return Err(Error::OrderWithoutTile { method });
        }
        if self.cover.is_some() && self.tile.is_some() {
            return Err(Error::CoverAndTile { method });
        }
        if let Some(got) = self.unroll.filter(|unroll| !(1..=MAX_UNROLL).contains(unroll)) {
            return Err(Error::Unroll { method, got });
        }
        if self.passes == Some(0) {
            return Err(Error::NoPasses { method });
        }
        if self.split == Some(0) {
            return Err(Error::NoParts { method });
        }
        Ok(())
    }
}
