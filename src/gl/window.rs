//! Contexts on windows that the user's window library opened.

use std::num::NonZeroU32;
use std::rc::Rc;

use glutin::api::egl::config::Config;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder, GlConfig};
use glutin::display::GlDisplay;
use glutin::surface::{SurfaceAttributesBuilder, WindowSurface};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle, RawWindowHandle};

use crate::Extent;
use crate::shader::Api;

use super::builder::Builder;
use super::egl::{Attributes, Native, OnWindow};
use super::native::Native as Whose;
use super::turn::Turn;
use super::{Context, Error};

impl Builder {
    /// Makes the context on a window, whose pixels are of this extent now. The device is the one
    /// that the window's display uses: [`device`](Builder::device) and `QUADRILLE_DEVICE` have no
    /// say. The context keeps the window.
    pub fn on_window<W>(self, window: Rc<W>, extent: Extent) -> Result<Context, Error>
    where
        W: HasWindowHandle + HasDisplayHandle + 'static,
    {
        let _turn = Turn::take();
        let native = self.native_on(window, extent).map_err(|reason| Error::NoContext {
            wish: format!("{} in a window", self.describe()),
            tried: vec![format!("the window's display: {reason}")],
        })?;
        self.finish(native, None, None)
    }

    fn native_on<W>(&self, window: Rc<W>, extent: Extent) -> Result<Native, String>
    where
        W: HasWindowHandle + HasDisplayHandle + 'static,
    {
        let text = |error: &dyn std::error::Error| error.to_string();
        let on = window.display_handle().map_err(|error| text(&error))?.as_raw();
        let handle = window.window_handle().map_err(|error| text(&error))?.as_raw();
        // SAFETY: `OnWindow` keeps the window, and by it its display, for as long as the surface.
        unsafe {
            let display = Display::new(on).map_err(|error| text(&error))?;
            let config = find_config(&display, handle, self.api).map_err(|error| text(&error))?;
            let (width, height) = sides(extent);
            let attributes = SurfaceAttributesBuilder::<WindowSurface>::new();
            let attributes = attributes.with_srgb(Some(false)).build(handle, width, height);
            let surface = display.create_window_surface(&config, &attributes);
            let surface = surface.map_err(|error| text(&error))?;
            let wish = Attributes { api: self.api, debug: self.debug };
            let window = OnWindow { surface, _window: window };
            let native = Native::on_window(&display, &config, wish, window);
            native.map_err(|error| text(&error))
        }
    }
}

impl Context {
    /// Shows what was [presented](Context::present), in a context that was made
    /// [on a window](Builder::on_window); elsewhere nothing.
    pub fn swap(&self) -> Result<(), Error> {
        let _entered = self.shared.enter()?;
        match &self.shared.native {
            Whose::Own(native) => native
                .swap()
                .map_err(|error| self.shared.failure("swapping buffers", &error.to_string())),
            Whose::Around(_) => Ok(()),
        }
    }

    /// Follows a window whose pixels are of another extent now.
    pub fn resize(&self, extent: Extent) -> Result<(), Error> {
        let _entered = self.shared.enter()?;
        if let Whose::Own(native) = &self.shared.native {
            let (width, height) = sides(extent);
            native.resize(width, height);
        }
        Ok(())
    }
}

/// A window that is closed to nothing has a surface of one pixel.
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
) -> Result<Config, glutin::error::Error> {
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
