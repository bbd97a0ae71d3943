//! The machine: an engine, the device it runs on, and the memory there that vectors share.

pub(super) mod device;
pub(super) mod find;
pub(super) mod memory;
pub(super) mod pixels;
pub(super) mod processor;

use std::rc::Rc;

use quadrille::gl::Context;
use quadrille::internal::group::{Group, Setup};

use super::vector::sealed::Input;
use super::{DVector, Error, Memory, Number, Processor, Result};
use device::Device;
use find::Haystack;

/// The name of functions among the tuned choices.
const OPERATION: &str = "vector";

/// A machine that runs functions: an engine and, for all but the simulator, a device with its
/// vectors' copies. Cloning it gives another handle to the same.
#[derive(Clone)]
pub struct Machine {
    engine: Processor,
    /// The work group of compute shaders.
    pub(super) group: Group,
    pub(super) device: Option<Rc<Device>>,
}

impl Machine {
    /// Usual work groups.
    pub(super) const GROUP: Group = Group::new(16, 8);

    /// Makes a machine on a device, with the engine that was tuned for it
    /// ([`choice`](quadrille::stream::choice)), else the one that is usually the fastest there.
    pub fn new(context: &Context) -> Machine {
        let (engine, group) = match Setup::tuned(context, OPERATION) {
            Some(Setup::Fragment) => (Processor::Fragment, Machine::GROUP),
            Some(Setup::Compute(group)) => (Processor::Compute, group),
            None => (Processor::default_for(context), Machine::GROUP),
        };
        Machine { engine, group, device: Some(Rc::new(Device::new(context))) }
    }

    /// Makes a machine without any device.
    pub fn simulator() -> Machine {
        Machine { engine: Processor::Simulator, group: Machine::GROUP, device: None }
    }

    /// Returns how functions run, as the text of a tuned choice.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        match self.engine {
            Processor::Compute => Setup::Compute(self.group).to_string(),
            engine => engine.to_string(),
        }
    }

    /// Returns the texts of tuned choices that this context can run. The other engines hold fewer
    /// constants.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        Setup::all(context).iter().map(ToString::to_string).collect()
    }

    /// Makes a machine on the same device with another engine; vectors stay on it.
    ///
    /// # Errors
    /// [`Error::NoDevice`] if the engine needs a device and there is none, [`Error::NoCompute`]
    /// without compute shaders.
    pub fn with(&self, engine: Processor) -> Result<Machine> {
        if engine != Processor::Simulator && self.device.is_none() {
            return Err(Error::NoDevice { engine });
        }
        if let (Processor::Compute, Some(memory)) = (engine, self.memory()) {
            let abilities = memory.context().abilities();
            if abilities.compute.is_none() {
                return Err(Error::NoCompute { device: abilities.renderer.clone() });
            }
        }
        Ok(Machine { engine, group: self.group, device: self.device.clone() })
    }

    /// Returns the engine.
    pub fn engine(&self) -> Processor {
        self.engine
    }

    /// Returns the copies of vectors on the device, if there is one.
    pub fn memory(&self) -> Option<&Memory> {
        self.device.as_ref().map(|device| &device.memory)
    }

    pub(super) fn device(&self) -> Result<&Rc<Device>> {
        self.device.as_ref().ok_or(Error::NoDevice { engine: self.engine })
    }

    /// Finds the index of the first element that is equal to a number; NaN is equal to none. The
    /// device searches, and one position is read back. A machine of the simulator searches on the
    /// host.
    ///
    /// # Errors
    /// [`Error::TooLong`] for more numbers than fit in one texture, [`Error::NoDevice`] on a
    /// machine without a device, and errors of the device.
    ///
    /// ```
    /// use quadrille_vp::vector_machine::{DVector, Machine};
    /// let machine = Machine::new(&quadrille::Context::headless()?);
    /// let vector = DVector::from_slice(&[6.0_f32, 7.0, 42.0, 42.0]);
    /// assert_eq!(machine.find(&vector, 42.0)?, Some(2));
    /// assert_eq!(machine.find(&vector, 43.0)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find<T: Number>(&self, vector: &DVector<T>, number: T) -> Result<Option<usize>> {
        if self.engine() == Processor::Simulator {
            return Ok(vector.read()?.iter().position(|element| *element == number));
        }
        if vector.is_empty() || number.to_f32().is_nan() {
            return Ok(None);
        }
        let (device, length) = (self.device()?, vector.len());
        device.memory.must_hold(length)?;
        let since = device.memory.tick();
        let vector = vector.on_device(&device.memory, since)?;
        let Some(numbers) = vector.texture() else { return Ok(None) };
        let among = Haystack { numbers, is_byte: T::IS_BYTE, length: length as i32 };
        device.finder.find(&device.memory, since, &among, number.to_f32())
    }
}
