//! The machine: an engine, and the device it runs on.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use crate::gl::Context;
use crate::stream::reduce::Reducer;

use super::find::Finder;
use super::fold::Adder;
use super::{Error, Memory};

/// Who does the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The vertex stage, one point for each quad of numbers: the document's way. Each point writes a
    /// texel.
    Vertex,
    /// The vertex stage, its results straight to memory (transform feedback), without any fragment:
    /// what the document wished for.
    Feedback,
    /// The fragment stage: the program is translated, and a quad drawn.
    Fragment,
    /// A compute shader, where the context has them (OpenGL 4.3, OpenGL ES 3.1).
    Compute,
    /// The host, strictly by the specification of the instruction set.
    Simulator,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 5] =
        [Engine::Vertex, Engine::Feedback, Engine::Fragment, Engine::Compute, Engine::Simulator];

    /// Those that a context can run.
    pub fn of(context: &Context) -> Vec<Engine> {
        let can =
            |engine: &Engine| *engine != Engine::Compute || context.abilities().compute.is_some();
        Engine::ALL.into_iter().filter(can).collect()
    }

    /// The one that is usually the fastest on a device: hardware gives compute shaders more of itself
    /// than fragments, a software renderer the reverse (docs/measured.md).
    pub fn usual(context: &Context) -> Engine {
        let abilities = context.abilities();
        match abilities.compute.is_some() && !abilities.software {
            true => Engine::Compute,
            false => Engine::Fragment,
        }
    }

    /// Its name in commands and reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Vertex => "vertex",
            Engine::Feedback => "feedback",
            Engine::Fragment => "fragment",
            Engine::Compute => "compute",
            Engine::Simulator => "simulator",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(text: &str) -> Result<Engine, Error> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
        found.ok_or_else(|| Error::UnknownEngine { name: text.to_owned() })
    }
}

/// Runs functions: an engine and, for all but the simulator, a device with its vectors' copies.
/// Cloning it gives another handle to the same.
#[derive(Clone)]
pub struct Machine {
    engine: Engine,
    pub(super) device: Option<Rc<Device>>,
}

/// What the machine keeps on a device.
pub(super) struct Device {
    pub(super) memory: Memory,
    pub(super) reducer: Reducer,
    pub(super) adder: Adder,
    pub(super) finder: Finder,
}

impl Machine {
    /// A machine on a device, with the engine that is usually the fastest there.
    pub fn new(context: &Context) -> Machine {
        let memory = Memory::new(context);
        let (reducer, adder) = (Reducer::new(context), Adder::new(context));
        let device = Device { memory, reducer, adder, finder: Finder::new(context) };
        Machine { engine: Engine::usual(context), device: Some(Rc::new(device)) }
    }

    /// A machine without any device.
    pub fn simulator() -> Machine {
        Machine { engine: Engine::Simulator, device: None }
    }

    /// The same device with another engine; vectors stay where they are.
    pub fn with(&self, engine: Engine) -> Result<Machine, Error> {
        if engine != Engine::Simulator && self.device.is_none() {
            return Err(Error::NoDevice { engine });
        }
        if let (Engine::Compute, Some(memory)) = (engine, self.memory()) {
            let abilities = memory.context().abilities();
            if abilities.compute.is_none() {
                return Err(Error::NoCompute { device: abilities.renderer.clone() });
            }
        }
        Ok(Machine { engine, device: self.device.clone() })
    }

    /// Who does the arithmetic.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The vectors' copies on the device, if there is one.
    pub fn memory(&self) -> Option<&Memory> {
        self.device.as_ref().map(|device| &device.memory)
    }

    pub(super) fn device(&self) -> Result<&Rc<Device>, Error> {
        self.device.as_ref().ok_or(Error::NoDevice { engine: self.engine })
    }
}
