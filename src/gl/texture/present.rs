//! Showing a texture to a person.

use glow::HasContext;

use crate::{Extent, Rectangle};

use super::sealed::HasRaw;
use crate::gl::context::origin::Origin;
use crate::gl::{Context, Error, Result, Texture, Unorm8};

impl Context {
    /// Shows a texture in a rectangle of the window, counted from its top left corner: row 0 is on
    /// top, and texels are repeated or skipped where the sizes differ. In a context around a
    /// caller's own the window is the draw framebuffer at the entry of the scope; it
    /// must have one sample per pixel on OpenGL ES. The caller swaps.
    ///
    /// # Errors
    /// [`Error::Outside`] if the rectangle exceeds the window, [`Error::Unsupported`] without a
    /// window, [`Error::Foreign`] for a texture of another context.
    pub fn present(
        &self,
        texture: &Texture<[Unorm8; 4]>,
        place: Rectangle,
        window: Extent,
    ) -> Result<()> {
        let raw = texture.raw();
        raw.owned.must_live_in(self, "the texture to show")?;
        if !place.fits(window) {
            let what = "showing a texture".into();
            return Err(Error::Outside { what, rectangle: place, extent: window });
        }
        let screen = self.screen()?;
        let framebuffer = raw.framebuffer()?;
        let gl = self.shared.enter()?;
        let (width, height) = (raw.extent.width as i32, raw.extent.height as i32);
        let (left, right) = (place.x as i32, (place.x + place.width) as i32);
        // GL counts rows from the bottom.
        let (top, bottom) =
            ((window.height - place.y) as i32, (window.height - place.y - place.height) as i32);
        // SAFETY: entered; both framebuffers are alive.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffer));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, screen);
            let (colour, nearest) = (glow::COLOR_BUFFER_BIT, glow::NEAREST);
            gl.blit_framebuffer(0, 0, width, height, left, top, right, bottom, colour, nearest);
        }
        self.shared.check(|| format!("showing a texture of {} texels", raw.extent))
    }

    /// Returns the framebuffer that a person sees: `None` within is GL's number 0, the window's
    /// own.
    fn screen(&self) -> Result<Option<glow::Framebuffer>> {
        match &self.shared.origin {
            Origin::Caller(caller) => caller.screen(),
            Origin::Own(native) if native.has_window() => Ok(None),
            Origin::Own(_) => {
                let remedy = "bring the context around one of your window's with `Context::around`";
                Err(self.abilities().lack("showing a texture", "a window", remedy))
            }
        }
    }
}
