//! Inputs of the vertex stage that come from buffers.

use glow::HasContext;

use crate::gl::{BufferId, Format};

/// An input of the vertex stage: an element of a buffer for each vertex.
pub(crate) struct Attribute {
    pub(crate) location: u32,
    pub(crate) buffer: BufferId,
    pub(crate) format: Format,
    /// The element of the first vertex, and how many further on that of the next one is.
    pub(crate) first: usize,
    pub(crate) step: usize,
    /// The elements of the buffer.
    pub(crate) length: usize,
}

impl Attribute {
    /// # Safety
    /// The context is current, the buffer is alive, and holds an element for each vertex that is
    /// drawn.
    pub(super) unsafe fn enable(&self, gl: &glow::Context) {
        let Attribute { location, buffer, format, first, step, .. } = self;
        let (channels, bytes) = (format.channels as i32, format.bytes);
        let is_fraction = format.component != glow::FLOAT;
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.0));
            gl.enable_vertex_attrib_array(*location);
            gl.vertex_attrib_pointer_f32(
                *location,
                channels,
                format.component,
                is_fraction,
                (step * bytes) as i32,
                (first * bytes) as i32,
            );
            gl.vertex_attrib_divisor(*location, 0);
            gl.bind_buffer(glow::ARRAY_BUFFER, None);
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn disable(&self, gl: &glow::Context) {
        unsafe { gl.disable_vertex_attrib_array(self.location) };
    }
}
