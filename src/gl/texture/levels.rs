//! Makes the levels of a texture where a shader asks for them.

use std::cell::Cell;

use glow::HasContext;

use crate::Extent;

use super::AnyTexture;
use super::level_texture::Levels;
use super::raw::{Raw, prepare};
use super::sampling::Filter;
use super::sealed::HasRaw;
use crate::gl::object::owned::Owned;
use crate::gl::{Context, Result};

/// A level on its way to the levels of a texture: it is drawn, and then stored there.
pub(crate) struct Level(Raw);

impl Level {
    /// Creates one of this extent in the format of a texture.
    pub(crate) fn new(of: &dyn AnyTexture, extent: Extent) -> Result<Level> {
        Raw::new(&of.raw().owned.context(), extent, of.format()).map(Level)
    }
}

impl HasRaw for Level {
    #[allow(private_interfaces)] // Sealed: no one else can name it.
    fn raw(&self) -> &Raw {
        &self.0
    }
}

impl AnyTexture for Level {}

/// Returns whether a shader reads the levels of a texture: it asks for them by name, or samples
/// with the filter that has them.
pub(crate) fn reads_levels(texture: &dyn AnyTexture, by_name: bool, samples: bool) -> bool {
    by_name || samples && texture.raw().wanted.get().filter == Filter::Mipmap
}

/// Returns whether the levels of a texture are those of what it holds.
pub(crate) fn has_current_levels(texture: &dyn AnyTexture) -> bool {
    texture.raw().levels.get().is_some_and(|levels| levels.are_current.get())
}

/// Notes that all levels were stored, unless draws only rehearse.
pub(crate) fn levels_are_current(texture: &dyn AnyTexture) {
    let raw = texture.raw();
    if let Some(levels) = raw.levels.get() {
        levels.are_current.set(!raw.shared().rehearses.get());
    }
}

/// Copies a texture of one layer to a level of another one, or to a layer of that.
pub(crate) fn store_level(
    texture: &dyn AnyTexture,
    level: u32,
    layer: u32,
    from: &dyn AnyTexture,
) -> Result<()> {
    let (raw, from) = (texture.raw(), from.raw());
    let to = raw.levels()?.owned.name();
    from.settle()?;
    let framebuffer = from.framebuffer()?;
    let gl = raw.shared().enter()?;
    let (target, level, layer) = (raw.target(), level as i32, layer as i32);
    let (width, height) = (from.extent.width as i32, from.extent.height as i32);
    // SAFETY: entered; the framebuffer is complete, and the level has the extent of what is copied.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(target, Some(to));
        match raw.layers {
            None => gl.copy_tex_sub_image_2d(target, level, 0, 0, 0, 0, width, height),
            Some(_) => {
                gl.copy_tex_sub_image_3d(target, level, 0, 0, layer, 0, 0, width, height);
            }
        }
    }
    raw.shared().check(|| "storing a level of a texture".into())
}

impl Raw {
    /// Notes that the texture is written, and its levels no longer are those of what it holds.
    pub(crate) fn outdate_levels(&self) {
        if let Some(levels) = self.levels.get() {
            levels.are_current.set(false);
        }
    }

    /// Returns the levels, made now if there are none.
    fn levels(&self) -> Result<&Levels> {
        if let Some(levels) = self.levels.get() {
            return Ok(levels);
        }
        let context = self.owned.context();
        let made = context.with_room(|| self.make_levels(&context))?;
        Ok(self.levels.get_or_init(|| Box::new(made)))
    }

    fn make_levels(&self, context: &Context) -> Result<Levels> {
        let count = self.extent.levels();
        // SAFETY: `make` enters the context.
        let owned = Owned::make(context, |gl| unsafe { gl.create_texture() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; the texture is alive.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(self.target(), Some(owned.name()));
            prepare(&gl, context, self.format, self.extent, self.layers, count);
        }
        let texels: usize = (0..count).map(|level| self.extent.level(level).texels()).sum();
        let layers = u64::from(self.layers.unwrap_or(1));
        let bytes = texels as u64 * layers * self.format.bytes as u64;
        let what =
            format!("{count} levels of a texture of {} texels ({})", self.extent, self.format.name);
        context.shared.check_allocation(&what, bytes)?;
        owned.takes(bytes);
        Ok(Levels { owned, applied: Cell::default(), are_current: Cell::new(false) })
    }
}
