//! Elements that the host reads while the device goes on.

use super::{Buffer, Element};
use crate::gl::Error;
use crate::gl::transfer::mapped::{Mapped, Use};

impl<T: Element> Buffer<T> {
    /// Starts to read one element and returns at once, where the context has mapped buffers: the host
    /// waits for it alone, not for what the device is given later.
    pub(crate) fn read_later(&self, index: usize) -> Result<Later<T>, Error> {
        let context = self.owned.context();
        if !context.abilities().mapped_buffers {
            let mut element = [T::zeroed()];
            self.read_at(index, &mut element)?;
            return Ok(Later { stage: None, element: element[0] });
        }
        let stage = Mapped::take(&context, size_of::<T>())?;
        let copied = self.copy_to(stage.name(), index * size_of::<T>(), size_of::<T>());
        stage.used(Use::Writes).and(copied)?;
        Ok(Later { stage: Some(stage), element: T::zeroed() })
    }
}

/// An element on its way to the host.
pub(crate) struct Later<T> {
    /// Where it arrives; none if it has.
    stage: Option<Mapped>,
    element: T,
}

impl<T: Element> Later<T> {
    /// Waits for the element and returns it.
    pub(crate) fn wait(&self) -> Result<T, Error> {
        match &self.stage {
            Some(stage) => Ok(bytemuck::pod_read_unaligned(stage.bytes()?)),
            None => Ok(self.element),
        }
    }
}
