//! Contexts on a window that the program shows.

use std::num::NonZeroU32;
use std::rc::Rc;

use glutin::config::ConfigSurfaceTypes;
use glutin::prelude::*;
use glutin::surface::{Surface, SurfaceAttributesBuilder, SwapInterval, WindowSurface};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawWindowHandle};

use crate::Extent;

use super::super::candidates::candidates;
use super::super::shared::{Attributes, count_switch};
use super::{Failure, Native, Under, first_config, first_context, refuse_old, template};

/// A surface and, dropped after it, the window that it is on.
pub(super) struct OnWindow {
    pub(super) surface: Surface<WindowSurface>,
    _window: Rc<dyn std::any::Any>,
}

impl Native {
    /// Makes a context on a window and makes it current. The error is for people.
    pub(crate) fn on_window<W>(
        attributes: Attributes,
        window: Rc<W>,
        _: Extent,
    ) -> Result<Native, String>
    where
        W: HasWindowHandle + HasDisplayHandle + 'static,
    {
        let raw = window.window_handle().map_err(|error| error.to_string())?.as_raw();
        Native::on_raw_window(attributes, raw, window).map_err(|Failure(text)| text)
    }

    fn on_raw_window(
        attributes: Attributes,
        raw: RawWindowHandle,
        window: Rc<dyn std::any::Any>,
    ) -> Result<Native, Failure> {
        let display = super::wgl_display(raw)?;
        refuse_old(&display)?;
        let template = template(ConfigSurfaceTypes::WINDOW, attributes.api);
        let template = template.compatible_with_native_window(raw).build();
        let config = first_config(&display, template)?;
        let context = first_context(&display, &config, &candidates(attributes, Some(raw)))?;
        count_switch();
        // The surface has the window's size; these are not looked at.
        let (width, height) = (NonZeroU32::MIN, NonZeroU32::MIN);
        let builder = SurfaceAttributesBuilder::<WindowSurface>::new();
        // SAFETY: `OnWindow` keeps the window for as long as the surface.
        let surface =
            unsafe { display.create_window_surface(&config, &builder.build(raw, width, height))? };
        let context = context.make_current(&surface)?;
        // Who shows frames paces them. A system that cannot do without waits, which is no error.
        let _ = surface.set_swap_interval(&context, SwapInterval::DontWait);
        let on = OnWindow { surface, _window: window };
        Ok(Native { context, surface: Under::Window(on), _one_thread: None, _window: None })
    }

    /// Shows what was drawn, or nothing where there is no window.
    pub(crate) fn swap(&self) -> Result<(), Failure> {
        match &self.surface {
            Under::Window(window) => Ok(window.surface.swap_buffers(&self.context)?),
            _ => Ok(()),
        }
    }

    /// Tells the window's surface its new size; WGL's follows the window by itself.
    pub(crate) fn resize(&self, _: Extent) {}
}
