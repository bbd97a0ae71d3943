//! A vector's numbers on the device, in the forms in which engines read them.

use std::cell::{Cell, OnceCell};

use quadrille::gl::{AnyTexture, Buffer};
use quadrille::grid::DeviceVector;
use quadrille::internal::stream::Launch;

use crate::vector_machine::machine::memory::Memory;
use crate::vector_machine::{Number, Result};

/// A vector on the device, and a buffer for the same numbers once an engine has read them as
/// attributes.
pub(crate) struct OnDevice<T: Number> {
    pub(crate) vector: DeviceVector<T>,
    attributes: OnceCell<Buffer<T::Quad>>,
    /// Whether the buffer has the numbers of now.
    same: Cell<bool>,
}

/// A vector of either type on the device.
pub(crate) trait Stored {
    /// Returns its texture: functions take vectors of one panel. An empty vector has none.
    fn texture(&self) -> Option<&dyn AnyTexture>;

    /// Makes a buffer of attributes and fills it, unless that was done before.
    fn need_attributes(&self, memory: &Memory, since: u64) -> Result<()>;

    /// Feeds the attribute of this number: the first point gets quad `first`, and each further
    /// point the one that is `step` quads on.
    fn feed<'a>(&'a self, launch: Launch<'a>, attribute: u32, places: [usize; 2]) -> Launch<'a>;
}

impl<T: Number> OnDevice<T> {
    pub(super) fn new(vector: DeviceVector<T>) -> OnDevice<T> {
        OnDevice { vector, attributes: OnceCell::new(), same: Cell::new(false) }
    }

    /// The same room for new numbers.
    pub(super) fn emptied(self) -> OnDevice<T> {
        OnDevice { same: Cell::new(false), ..self }
    }

    pub(super) fn bytes(&self) -> u64 {
        let attributes = self.attributes.get().map_or(0, Buffer::len) * size_of::<T::Quad>();
        self.vector.bytes() + attributes as u64
    }
}

impl<T: Number> Stored for OnDevice<T> {
    fn texture(&self) -> Option<&dyn AnyTexture> {
        self.vector.panels().next().map(|(panel, _)| panel as &dyn AnyTexture)
    }

    fn need_attributes(&self, memory: &Memory, since: u64) -> Result<()> {
        let buffer = match self.attributes.get() {
            Some(buffer) => buffer,
            None => {
                let made = memory.attributes(&self.vector, since)?;
                self.attributes.get_or_init(|| made)
            }
        };
        if !self.same.get() {
            self.vector.copy_to_buffer(buffer)?;
            self.same.set(true);
        }
        Ok(())
    }

    fn feed<'a>(&'a self, launch: Launch<'a>, attribute: u32, places: [usize; 2]) -> Launch<'a> {
        match self.attributes.get() {
            Some(buffer) => launch.attribute(attribute, buffer, places),
            None => launch,
        }
    }
}
