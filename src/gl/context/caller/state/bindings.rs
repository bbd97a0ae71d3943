//! Bound objects, which draws and transfers use implicitly.

use glow::HasContext;

use crate::gl::{Error, Result};

use super::names;
use super::version::Version;

/// All bindings but those of textures.
pub(super) struct Bindings {
    pub(super) screen: Option<glow::Framebuffer>,
    read: Option<glow::Framebuffer>,
    vertex_array: Option<glow::VertexArray>,
    program: Option<glow::Program>,
    attribute: [f32; 4],
    /// The buffers bound to targets, each with its target.
    buffers: Vec<(u32, Option<glow::Buffer>)>,
    ranges: Vec<Range>,
    images: Vec<Image>,
}

/// A buffer bound at an index of a target.
pub(crate) struct Range {
    target: u32,
    index: u32,
    buffer: Option<glow::Buffer>,
    offset: i32,
    /// The size; `None` if the whole buffer is bound.
    size: Option<i32>,
}

struct Image {
    texture: Option<glow::Texture>,
    level: i32,
    layered: bool,
    layer: i32,
    access: u32,
    format: u32,
}

/// Each target, and the name that queries its binding.
const BUFFERS: [(u32, u32); 7] = [
    (glow::ARRAY_BUFFER, glow::ARRAY_BUFFER_BINDING),
    (glow::COPY_READ_BUFFER, glow::COPY_READ_BUFFER_BINDING),
    (glow::COPY_WRITE_BUFFER, glow::COPY_WRITE_BUFFER_BINDING),
    (glow::PIXEL_PACK_BUFFER, glow::PIXEL_PACK_BUFFER_BINDING),
    (glow::PIXEL_UNPACK_BUFFER, glow::PIXEL_UNPACK_BUFFER_BINDING),
    (glow::TRANSFORM_FEEDBACK_BUFFER, glow::TRANSFORM_FEEDBACK_BUFFER_BINDING),
    (glow::UNIFORM_BUFFER, glow::UNIFORM_BUFFER_BINDING),
];
const STORAGE: (u32, u32) = (glow::SHADER_STORAGE_BUFFER, glow::SHADER_STORAGE_BUFFER_BINDING);

impl Bindings {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context, version: Version) -> Result<Bindings> {
        let mut attribute = [0.0; 4];
        let mut targets = BUFFERS.to_vec();
        let mut indexed = vec![(glow::TRANSFORM_FEEDBACK_BUFFER, 0)];
        unsafe {
            gl.get_vertex_attrib_parameter_f32_slice(
                0,
                glow::CURRENT_VERTEX_ATTRIB,
                &mut attribute,
            );
            let mut images = 0;
            if version.has_storage() {
                targets.push(STORAGE);
                let most = gl.get_parameter_i32(glow::MAX_SHADER_STORAGE_BUFFER_BINDINGS) as u32;
                indexed.extend((0..most).map(|index| (glow::SHADER_STORAGE_BUFFER, index)));
                images = gl.get_parameter_i32(glow::MAX_IMAGE_UNITS) as u32;
            }
            let ranges = indexed.iter().map(|(target, index)| Range::save(gl, *target, *index));
            Ok(Bindings {
                screen: gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING),
                read: gl.get_parameter_framebuffer(glow::READ_FRAMEBUFFER_BINDING),
                vertex_array: gl.get_parameter_vertex_array(glow::VERTEX_ARRAY_BINDING),
                program: gl.get_parameter_program(glow::CURRENT_PROGRAM),
                attribute,
                buffers: targets
                    .iter()
                    .map(|(t, name)| (*t, gl.get_parameter_buffer(*name)))
                    .collect(),
                ranges: ranges.collect::<Result<_, _>>()?,
                images: (0..images).map(|unit| Image::save(gl, unit)).collect::<Result<_, _>>()?,
            })
        }
    }

    /// A bound pixel buffer redirects transfers of texels. All else is bound where it is used.
    ///
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        unsafe {
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        let [x, y, z, w] = self.attribute;
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, self.screen);
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, self.read);
            gl.bind_vertex_array(self.vertex_array);
            gl.use_program(self.program);
            gl.vertex_attrib_4_f32(0, x, y, z, w);
            for range in &self.ranges {
                range.restore(gl);
            }
            // After the ranges, which bind to the target itself too.
            for (target, buffer) in &self.buffers {
                gl.bind_buffer(*target, *buffer);
            }
            for (unit, image) in self.images.iter().enumerate() {
                image.restore(gl, unit as u32);
            }
        }
    }
}

impl Range {
    /// # Safety
    /// The context is current.
    pub(crate) unsafe fn save(gl: &glow::Context, target: u32, index: u32) -> Result<Range> {
        let [binding, start, size] = match target {
            glow::TRANSFORM_FEEDBACK_BUFFER => [
                glow::TRANSFORM_FEEDBACK_BUFFER_BINDING,
                glow::TRANSFORM_FEEDBACK_BUFFER_START,
                glow::TRANSFORM_FEEDBACK_BUFFER_SIZE,
            ],
            glow::UNIFORM_BUFFER => [
                glow::UNIFORM_BUFFER_BINDING,
                glow::UNIFORM_BUFFER_START,
                glow::UNIFORM_BUFFER_SIZE,
            ],
            _ => [
                glow::SHADER_STORAGE_BUFFER_BINDING,
                glow::SHADER_STORAGE_BUFFER_START,
                glow::SHADER_STORAGE_BUFFER_SIZE,
            ],
        };
        let (buffer, offset, size) = unsafe {
            let buffer = gl.get_parameter_indexed_i32(binding, index);
            let Some(buffer) = names::buffer(buffer)? else {
                return Ok(Range { target, index, buffer: None, offset: 0, size: None });
            };
            let (start, size) = (
                gl.get_parameter_indexed_i64(start, index),
                gl.get_parameter_indexed_i64(size, index),
            );
            (buffer, i32::try_from(start), i32::try_from(size))
        };
        let (Ok(offset), Ok(size)) = (offset, size) else {
            return Err(Error::CallersContext {
                found: format!("the buffer range at index {index} reaches past 2 GiB"),
                remedy: "unbind it before the scope, and bind it again after".into(),
            });
        };
        Ok(Range { target, index, buffer: Some(buffer), offset, size: (size > 0).then_some(size) })
    }

    /// # Safety
    /// The context is current.
    pub(crate) unsafe fn restore(&self, gl: &glow::Context) {
        let Range { target, index, buffer, offset, .. } = *self;
        unsafe {
            match self.size {
                Some(size) => gl.bind_buffer_range(target, index, buffer, offset, size),
                None => gl.bind_buffer_base(target, index, buffer),
            }
        }
    }
}

impl Image {
    /// # Safety
    /// The context is current and has images.
    unsafe fn save(gl: &glow::Context, unit: u32) -> Result<Image> {
        let get = |name| unsafe { gl.get_parameter_indexed_i32(name, unit) };
        Ok(Image {
            texture: names::texture(get(glow::IMAGE_BINDING_NAME))?,
            level: get(glow::IMAGE_BINDING_LEVEL),
            layered: get(glow::IMAGE_BINDING_LAYERED) != 0,
            layer: get(glow::IMAGE_BINDING_LAYER),
            access: get(glow::IMAGE_BINDING_ACCESS) as u32,
            format: get(glow::IMAGE_BINDING_FORMAT) as u32,
        })
    }

    /// # Safety
    /// The context is current and has images.
    unsafe fn restore(&self, gl: &glow::Context, unit: u32) {
        let Image { texture, level, layered, layer, access, format } = *self;
        unsafe { gl.bind_image_texture(unit, texture, level, layered, layer, access, format) };
    }
}
