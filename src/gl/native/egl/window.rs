//! Contexts on a window of X11 or Wayland.

use std::num::NonZeroU32;
use std::rc::Rc;

use glutin::api::egl::config::Config;
use glutin::api::egl::display::Display;
use glutin::api::egl::surface::Surface;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::prelude::*;
use glutin::surface::{SurfaceAttributesBuilder, SwapInterval, WindowSurface};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawWindowHandle};

use crate::Extent;
use crate::shader::Api;

use super::super::candidates::candidates;
use super::super::shared::{Attributes, count_switch};
use super::{Failure, Native, Under};

/// A surface and, dropped after it, the window that it is on.
pub(super) struct OnWindow {
    pub(super) surface: Surface<WindowSurface>,
    pub(super) _window: Rc<dyn std::any::Any>,
}

impl Native {
    /// Makes a context on a window and makes it current. The error is for people.
    pub(crate) fn on_window<W>(
        attributes: Attributes,
        window: Rc<W>,
        extent: Extent,
    ) -> Result<Native, String>
    where
        W: HasWindowHandle + HasDisplayHandle + 'static,
    {
        let text = |error: &dyn std::error::Error| error.to_string();
        let on = window.display_handle().map_err(|error| text(&error))?.as_raw();
        let handle = window.window_handle().map_err(|error| text(&error))?.as_raw();
        // SAFETY: `OnWindow` keeps the window, and by it its display, for as long as the surface.
        unsafe {
            let display = Display::new(on).map_err(|error| text(&error))?;
            let config =
                find_config(&display, handle, attributes.api).map_err(|error| text(&error))?;
            let (width, height) = sides(extent);
            let builder = SurfaceAttributesBuilder::<WindowSurface>::new();
            let builder = builder.with_srgb(Some(false)).build(handle, width, height);
            let surface = display.create_window_surface(&config, &builder);
            let surface = surface.map_err(|error| text(&error))?;
            let window = OnWindow { surface, _window: window };
            let native = Native::on_surface(&display, &config, attributes, window);
            native.map_err(|error| text(&error))
        }
    }

    fn on_surface(
        display: &Display,
        config: &Config,
        attributes: Attributes,
        window: OnWindow,
    ) -> Result<Native, Failure> {
        let mut last = None;
        for attributes in candidates(attributes, None) {
            // SAFETY: config comes from this display, and no other handle is in the attributes.
            match unsafe { display.create_context(config, &attributes) } {
                Ok(context) => {
                    count_switch();
                    let context = context.make_current(&window.surface)?;
                    // Who shows frames paces them; a hidden window may never come to its turn.
                    // A system that cannot do without waits, which is no error.
                    let _ = window.surface.set_swap_interval(&context, SwapInterval::DontWait);
                    return Ok(Native { context, surface: Under::Window(window) });
                }
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| glutin::error::ErrorKind::BadConfig.into()))
    }

    /// Shows what was drawn, or nothing where there is no window.
    pub(crate) fn swap(&self) -> Result<(), Failure> {
        match &self.surface {
            Under::Window(window) => window.surface.swap_buffers(&self.context),
            _ => Ok(()),
        }
    }

    /// Tells the window's surface its new size, which some window systems do not do.
    pub(crate) fn resize(&self, extent: Extent) {
        if let Under::Window(window) = &self.surface {
            let (width, height) = sides(extent);
            window.surface.resize(&self.context, width, height);
        }
    }
}

/// Returns the size of the surface. A window that is closed to nothing has a surface of one pixel.
fn sides(extent: Extent) -> (NonZeroU32, NonZeroU32) {
    let side = |length| NonZeroU32::new(length).unwrap_or(NonZeroU32::MIN);
    (side(extent.width), side(extent.height))
}

/// # Safety
/// The window is alive.
unsafe fn find_config(
    display: &Display,
    window: RawWindowHandle,
    api: Api,
) -> Result<Config, Failure> {
    let api = match api {
        Api::Gl => ConfigApi::OPENGL,
        Api::Gles => ConfigApi::GLES3,
    };
    let template = ConfigTemplateBuilder::new()
        .with_surface_type(ConfigSurfaceTypes::WINDOW)
        .compatible_with_native_window(window)
        .with_api(api)
        .build();
    let configs = unsafe { display.find_configs(template) }?;
    // ES shows no texture where pixels have several samples.
    configs
        .min_by_key(Config::num_samples)
        .ok_or_else(|| glutin::error::ErrorKind::BadConfig.into())
}
