//! The part of a texture that is independent of the texel type.

use std::cell::{Cell, OnceCell};

use glow::HasContext;

use crate::{Extent, Rectangle};

use super::level_texture::Levels;
use super::sampling::Sampling;
use super::texel::Wide;
use crate::gl::calls::allocate;
use crate::gl::context::Shared;
use crate::gl::draw::framebuffer;
use crate::gl::object::owned::Owned;
use crate::gl::object::poison;
use crate::gl::object::pool::IdleTexture;
use crate::gl::{self, Class, Context, Error, Format, Result};

/// The part of a texture that is independent of the texel type.
pub(in crate::gl) struct Raw {
    pub(crate) owned: Owned<glow::Texture>,
    pub(crate) extent: Extent,
    pub(crate) format: Format,
    /// The number of layers of a texture array.
    pub(crate) layers: Option<u32>,
    /// The sampling that the caller requested, and the one that GL has now: a pass that reads by
    /// the prelude's words needs the default in any case.
    pub(crate) wanted: Cell<Sampling>,
    pub(crate) applied: Cell<Sampling>,
    /// Whether the channel that three are padded with may hold something else than 1, as after a
    /// draw: what a pass leaves in a channel that its output lacks is undefined.
    unsettled: Cell<bool>,
    /// Its levels, once a pass has read one.
    pub(super) levels: OnceCell<Box<Levels>>,
    framebuffer: OnceCell<Owned<glow::Framebuffer>>,
    /// The framebuffer that it had when it was idle, until it is needed.
    earlier: Cell<Option<glow::Framebuffer>>,
}

impl Raw {
    /// Creates an idle texture of the context, or a new one.
    pub(crate) fn new(context: &Context, extent: Extent, format: Format) -> Result<Raw> {
        must_fit(context, extent)?;
        context.shared.must_live()?;
        let idle = context.shared.textures.borrow_mut().take(extent, format);
        let raw = match idle {
            Some(idle) => Raw::adopt(context, &idle),
            None => context.with_room(|| Raw::make(context, extent, None, format))?,
        };
        if let Some(bytes) = poison::texels(context, format, extent.texels())? {
            let from = glow::PixelUnpackData::Slice(Some(&bytes));
            raw.upload(extent.rectangle(), from, None, bytes.len() as u64)?;
        }
        Ok(raw)
    }

    /// Creates a new texture array.
    pub(crate) fn layered(
        context: &Context,
        extent: Extent,
        layers: u32,
        format: Format,
    ) -> Result<Raw> {
        must_fit(context, extent)?;
        layers_must_fit(context, extent, layers)?;
        context.shared.must_live()?;
        let raw = context.with_room(|| Raw::make(context, extent, Some(layers), format))?;
        if let Some(bytes) = poison::texels(context, format, extent.texels() * layers as usize)? {
            raw.upload_layers(layers, &bytes)?;
        }
        Ok(raw)
    }

    /// Returns the target that OpenGL binds the texture to.
    pub(crate) fn target(&self) -> u32 {
        target(self.layers)
    }

    fn adopt(context: &Context, idle: &IdleTexture) -> Raw {
        let IdleTexture { texture, extent, format, applied, framebuffer } = *idle;
        let owned = Owned::adopt(context, texture);
        owned.takes((extent.texels() * format.bytes) as u64);
        let raw = Raw::of(owned, extent, None, format);
        raw.applied.set(applied);
        raw.earlier.set(framebuffer);
        raw
    }

    fn of(owned: Owned<glow::Texture>, extent: Extent, layers: Option<u32>, format: Format) -> Raw {
        let (wanted, applied, unsettled, earlier) = Default::default();
        let (levels, framebuffer) = Default::default();
        Raw {
            owned,
            extent,
            format,
            layers,
            wanted,
            applied,
            unsettled,
            levels,
            framebuffer,
            earlier,
        }
    }

    fn make(context: &Context, extent: Extent, layers: Option<u32>, format: Format) -> Result<Raw> {
        let target = target(layers);
        // SAFETY: `make` enters the context.
        let owned = Owned::make(context, |gl| unsafe { gl.create_texture() })?;
        let gl = context.shared.enter()?;
        // SAFETY: entered; the texture is alive.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(target, Some(owned.name()));
            prepare(&gl, context, format, extent, layers, 1);
        }
        let bytes = extent.texels() as u64 * u64::from(layers.unwrap_or(1)) * format.bytes as u64;
        let what = match layers {
            None => format!("a texture of {extent} texels ({})", format.name),
            Some(layers) => format!("{layers} layers of {extent} texels ({})", format.name),
        };
        context.shared.check_allocation(&what, bytes)?;
        owned.takes(bytes);
        Ok(Raw::of(owned, extent, layers, format))
    }

    pub(crate) fn shared(&self) -> &Shared {
        self.owned.shared()
    }

    pub(crate) fn must_contain(&self, what: &str, place: Rectangle, got: usize) -> Result<()> {
        if !place.fits(self.extent) {
            let (what, extent) = (what.to_owned(), self.extent);
            return Err(Error::Outside { what, rectangle: place, extent });
        }
        gl::must_be(place.texels(), got, format_args!("{what} ({place})"))
    }

    /// Uploads a rectangle from a slice, or from a buffer if there is one.
    pub(crate) fn upload(
        &self,
        place: Rectangle,
        from: glow::PixelUnpackData<'_>,
        buffer: Option<glow::Buffer>,
        bytes: u64,
    ) -> Result<()> {
        if place.texels() == 0 {
            return Ok(());
        }
        self.outdate_levels();
        match buffer {
            None => self.shared().before_upload()?,
            Some(_) => self.shared().before_target()?,
        }
        let gl = self.shared().enter()?;
        // SAFETY: entered; the source holds the rectangle, which is inside the texture.
        unsafe {
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, buffer);
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.owned.name()));
            gl.tex_sub_image_2d(
                glow::TEXTURE_2D,
                0,
                place.x as i32,
                place.y as i32,
                place.width as i32,
                place.height as i32,
                self.format.layout,
                self.format.component,
                from,
            );
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
        }
        self.shared().check_allocation("an upload", bytes)
    }

    /// Uploads all layers of a texture array, one after the other.
    pub(super) fn upload_layers(&self, layers: u32, bytes: &[u8]) -> Result<()> {
        self.outdate_levels();
        self.shared().before_upload()?;
        let gl = self.shared().enter()?;
        let (width, height) = (self.extent.width as i32, self.extent.height as i32);
        // SAFETY: entered; the caller checked that the slice holds all texels.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(self.owned.name()));
            gl.tex_sub_image_3d(
                glow::TEXTURE_2D_ARRAY,
                0,
                0,
                0,
                0,
                width,
                height,
                layers as i32,
                self.format.layout,
                self.format.component,
                glow::PixelUnpackData::Slice(Some(bytes)),
            );
        }
        self.shared().check_allocation("an upload", bytes.len() as u64)
    }

    pub(crate) fn fill(&self, value: Wide) -> Result<()> {
        self.outdate_levels();
        let framebuffer = self.framebuffer()?;
        let gl = self.shared().enter()?;
        // SAFETY: entered; the framebuffer is complete.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            match value {
                Wide::Float(value) => gl.clear_buffer_f32_slice(glow::COLOR, 0, &value),
                Wide::Int(value) => gl.clear_buffer_i32_slice(glow::COLOR, 0, &value),
                Wide::Uint(value) => gl.clear_buffer_u32_slice(glow::COLOR, 0, &value),
            }
        }
        self.shared().check(|| "filling a texture".into())
    }

    /// Copies a rectangle of another texture to this place. The caller has checked that both are
    /// inside. Copies a rectangle of another texture to one of the same size.
    pub(crate) fn copy_part(
        &self,
        target: Rectangle,
        other: &Raw,
        source: Rectangle,
    ) -> Result<()> {
        let what = "copying between textures";
        self.must_contain(what, target, source.texels())?;
        other.must_contain(what, source, source.texels())?;
        other.owned.must_live_in(&self.owned.context(), "the texture to copy")?;
        self.copy_from((target.x, target.y), other, source)
    }

    pub(crate) fn copy_from(
        &self,
        (x, y): (u32, u32),
        other: &Raw,
        source: Rectangle,
    ) -> Result<()> {
        let framebuffer = other.framebuffer()?;
        self.outdate_levels();
        self.unsettled.set(self.unsettled.get() || other.unsettled.get());
        let gl = self.shared().enter()?;
        let [x, y, from_x, from_y, width, height] =
            [x, y, source.x, source.y, source.width, source.height].map(|side| side as i32);
        // SAFETY: entered; the framebuffer is complete, and both rectangles are inside of their
        // textures.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.owned.name()));
            gl.copy_tex_sub_image_2d(glow::TEXTURE_2D, 0, x, y, from_x, from_y, width, height);
        }
        self.shared().check(|| "copying a texture".into())
    }

    /// Notes that a pass may write any channel.
    pub(crate) fn may_be_written(&self) {
        self.outdate_levels();
        self.unsettled.set(self.format.is_padded());
    }

    /// Sets the channel that three are padded with to 1 where a pass may have left something else:
    /// for readers that no swizzle serves.
    pub(crate) fn settle(&self) -> Result<()> {
        if !self.unsettled.get() {
            return Ok(());
        }
        let framebuffer = self.framebuffer()?;
        let gl = self.shared().enter()?;
        // SAFETY: entered; the framebuffer is complete. The mask is what draws expect it to be
        // again.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.color_mask(false, false, false, true);
            match self.format.class {
                Class::Float => gl.clear_buffer_f32_slice(glow::COLOR, 0, &[1.0; 4]),
                Class::Int => gl.clear_buffer_i32_slice(glow::COLOR, 0, &[1; 4]),
                Class::Uint => gl.clear_buffer_u32_slice(glow::COLOR, 0, &[1; 4]),
            }
            gl.color_mask(true, true, true, true);
        }
        self.unsettled.set(false);
        self.shared().check(|| "setting the channel that three are padded with".into())
    }

    /// Returns the framebuffer of this texture alone, to be bound; made now if it has none.
    pub(crate) fn framebuffer(&self) -> Result<glow::Framebuffer> {
        self.shared().before_target()?;
        if let Some(owned) = self.framebuffer.get() {
            return Ok(owned.name());
        }
        self.must_be_drawable()?;
        let context = self.owned.context();
        let own = match self.earlier.take() {
            Some(earlier) => Owned::adopt(&context, earlier),
            None => framebuffer::single(&context, self.owned.name())?,
        };
        Ok(self.framebuffer.get_or_init(|| own).name())
    }

    pub(crate) fn must_be_drawable(&self) -> Result<()> {
        let bits = match (self.format.is_float(), self.format.is_half()) {
            (true, _) => 32,
            (_, true) => 16,
            _ => return Ok(()),
        };
        let abilities = self.shared().abilities();
        if abilities.float_targets {
            return Ok(());
        }
        let lacks =
            "float render targets (core in OpenGL 3.3; GL_EXT_color_buffer_float in ES 3.0)";
        let remedy = "choose another device; Mesa's llvmpipe has them";
        Err(abilities.lack(format!("computing in {bits}-bit floats"), lacks, remedy))
    }
}

impl Drop for Raw {
    /// Leaves the texture to the next one of this extent and format, also while the device still
    /// uses it: commands run in order.
    fn drop(&mut self) {
        if self.layers.is_some() {
            return;
        }
        let framebuffer = self.framebuffer.get().map(Owned::give_up).or(self.earlier.take());
        let (texture, applied) = (self.owned.give_up(), self.applied.get());
        let Raw { extent, format, .. } = *self;
        let idle = IdleTexture { texture, extent, format, applied, framebuffer };
        self.shared().keep_texture(idle);
    }
}

const PARAMETERS: [(u32, u32); 5] = [
    (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
    (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
    (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
    (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
    // The default needs levels that do not exist, and an incomplete texture reads as zeros.
    (glow::TEXTURE_MAX_LEVEL, 0),
];

/// Sets the parameters of a new texture, and allocates this number of levels.
///
/// # Safety
/// The context is current, and the texture is bound.
pub(super) unsafe fn prepare(
    gl: &glow::Context,
    context: &Context,
    format: Format,
    extent: Extent,
    layers: Option<u32>,
    levels: u32,
) {
    let target = target(layers);
    unsafe {
        for (name, value) in PARAMETERS {
            gl.tex_parameter_i32(target, name, value as i32);
        }
        if levels > 1 {
            let nearest = glow::NEAREST_MIPMAP_NEAREST as i32;
            gl.tex_parameter_i32(target, glow::TEXTURE_MIN_FILTER, nearest);
            gl.tex_parameter_i32(target, glow::TEXTURE_MAX_LEVEL, levels as i32 - 1);
        }
        if format.is_padded() && context.abilities().swizzles {
            // It reads as 1 whatever a pass writes there. Images ignore this: `settle`.
            gl.tex_parameter_i32(target, glow::TEXTURE_SWIZZLE_A, glow::ONE as i32);
        }
        allocate(gl, format, extent, layers, levels);
    }
}

fn target(layers: Option<u32>) -> u32 {
    if layers.is_some() { glow::TEXTURE_2D_ARRAY } else { glow::TEXTURE_2D }
}

fn layers_must_fit(context: &Context, extent: Extent, layers: u32) -> Result<()> {
    let limit = context.abilities().max_layers;
    if layers == 0 {
        return Err(Error::Empty { what: "a texture array without layers".into(), extent });
    }
    let remedy = format!("up to {limit} layers fit");
    gl::must_fit("a texture array", (layers as usize, "layers"), limit as usize, &remedy)
}

fn must_fit(context: &Context, extent: Extent) -> Result<()> {
    if extent.width == 0 || extent.height == 0 {
        return Err(Error::Empty { what: "a texture".into(), extent });
    }
    let limit = context.abilities().max_texture_size;
    if extent.width <= limit && extent.height <= limit {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "a texture".into(),
        request: format!("{extent} texels"),
        limit: limit.into(),
        remedy: format!("up to {limit} x {limit} texels fit"),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::texture::sealed::HasRaw;
    use crate::gl::{Filter, Objects, Texture, Wrap};
    use crate::shader::Source;

    fn name(texture: &Texture<f32>) -> glow::Texture {
        texture.raw().owned.name()
    }

    #[test]
    fn a_dropped_texture_is_used_again_without_what_was_set() {
        let context = Context::headless().unwrap();
        let text = "uniform sampler2D image; out float o;
            void main() { o = texture(image, vec2(0.5, 0.5)).r; }";
        let kernel = context.kernel(Source::fragment("middle.frag", text)).unwrap();
        let middle = |image: &Texture<f32>| {
            let mut to = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
            kernel.pass().input("image", image).draw(&mut to).unwrap();
            to.read().unwrap()[0]
        };
        let new = || context.texture(Extent::new(2, 1), &[1.0_f32, 3.0]).unwrap();
        let first = new().with_filter(Filter::Linear).unwrap().with_wrap(Wrap::Repeat);
        assert_eq!(middle(&first), 2.0);
        first.read().unwrap();
        let (known, objects) = (name(&first), context.objects().unwrap());
        assert_eq!((objects.textures, objects.framebuffers, objects.bytes), (1, 1, 8));
        drop(first);
        let idle = Objects { programs: 1, ..Objects::default() };
        assert_eq!(context.objects().unwrap(), idle, "what is idle does not count");
        let made = context.objects_made();
        let again = new();
        assert_eq!((name(&again), context.objects_made()), (known, made));
        assert_ne!(middle(&again), 2.0, "sampled by default again");
        again.read().unwrap();
        assert_eq!((context.objects().unwrap(), context.objects_made()), (objects, made));
        assert_ne!(name(&new()), known, "one texture has one user");
        context.check().unwrap();
    }

    #[test]
    fn textures_that_wait_make_room_once() {
        let context = Context::headless().unwrap();
        let full = || Error::OutOfMemory { what: "a test".into(), bytes: 1, messages: vec![] };
        let attempts = Cell::new(0);
        let attempt = || {
            attempts.set(attempts.get() + 1);
            if attempts.get() % 2 == 1 { Err(full()) } else { Ok(()) }
        };
        drop(context.uninit::<f32>(Extent::new(2, 1)).unwrap());
        context.with_room(attempt).unwrap();
        assert_eq!(attempts.get(), 2);
        assert!(context.with_room(attempt).is_err(), "nothing was left to delete");
        assert_eq!((attempts.get(), context.objects().unwrap()), (3, Objects::default()));
    }
}
