//! Linux: EGL contexts made with glutin, on a device without a display or on a window.

mod display;
#[cfg(feature = "window")]
mod window;

use std::ffi::{CStr, c_void};
use std::num::NonZeroU32;

use glutin::api::egl::config::Config;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::display::Display;
use glutin::api::egl::surface::Surface;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Version,
};
use glutin::prelude::*;
use glutin::surface::{PbufferSurface, SurfaceAttributesBuilder};

use crate::gl::{Error, Result};
use crate::shader::Api;

use super::candidates::candidates;
use super::shared::{Attributes, Listed, count_switch};

pub(in crate::gl) use glutin::api::egl::device::Device as Handle;
pub(in crate::gl) use glutin::error::Error as Failure;

/// A context and the surface that it is current with.
pub(crate) struct Native {
    context: PossiblyCurrentContext,
    surface: Under,
}

enum Under {
    Nothing,
    Pbuffer(Surface<PbufferSurface>),
    #[cfg(feature = "window")]
    Window(window::OnWindow),
}

impl Native {
    /// Makes a context on a device and makes it current.
    pub(crate) fn new(device: &Handle, attributes: Attributes) -> Result<Native, Failure> {
        Native::first_of(device, attributes.api, &candidates(attributes, None))
    }

    /// Makes a context of whatever version the device has, and makes it current: to name a device
    /// that has too little.
    pub(crate) fn of_any_version(device: &Handle, api: Api) -> Result<Native, Failure> {
        let lowest = Some(Version::new(2, 0));
        let context_api = match api {
            Api::Gl => ContextApi::OpenGl(lowest),
            Api::Gles => ContextApi::Gles(lowest),
        };
        let profile = GlProfile::Compatibility;
        let any = ContextAttributesBuilder::new().with_context_api(context_api);
        Native::first_of(device, api, &[any.with_profile(profile).build(None)])
    }

    /// Makes the first of these contexts that there is.
    fn first_of(
        device: &Handle,
        api: Api,
        candidates: &[ContextAttributes],
    ) -> Result<Native, Failure> {
        let display = display::of(device)?;
        let mut last = None;
        for surfaceless in [true, false] {
            let Some(config) = find_config(&display, api, surfaceless) else { continue };
            for attributes in candidates {
                match Native::try_new(&display, &config, attributes, surfaceless) {
                    Ok(native) => return Ok(native),
                    Err(error) => last = Some(error),
                }
            }
        }
        Err(last.unwrap_or_else(|| glutin::error::ErrorKind::BadConfig.into()))
    }

    fn try_new(
        display: &Display,
        config: &Config,
        attributes: &ContextAttributes,
        surfaceless: bool,
    ) -> Result<Native, Failure> {
        // SAFETY: config comes from this display; no window handle is involved.
        let context = unsafe { display.create_context(config, attributes)? };
        count_switch();
        if surfaceless {
            let context = context.make_current_surfaceless()?;
            return Ok(Native { context, surface: Under::Nothing });
        }
        let one = NonZeroU32::MIN;
        let attributes = SurfaceAttributesBuilder::<PbufferSurface>::new().build(one, one);
        // SAFETY: as above.
        let surface = unsafe { display.create_pbuffer_surface(config, &attributes)? };
        let context = context.make_current(&surface)?;
        Ok(Native { context, surface: Under::Pbuffer(surface) })
    }

    /// Asks the window system whether the context is current; other code may have made another one
    /// current.
    pub(crate) fn is_current(&self) -> bool {
        self.context.is_current()
    }

    pub(crate) fn make_current(&self) -> Result<(), Failure> {
        count_switch();
        match &self.surface {
            Under::Nothing => self.context.make_current_surfaceless(),
            Under::Pbuffer(surface) => self.context.make_current(surface),
            #[cfg(feature = "window")]
            Under::Window(window) => self.context.make_current(&window.surface),
        }
    }

    /// Leaves no context current, before this one goes. A failure means that it is gone already.
    pub(crate) fn release(&self) {
        count_switch();
        let _ = self.context.make_not_current_in_place();
    }

    /// Returns whether the context has a 1 x 1 pbuffer because surfaceless ones do not work here.
    pub(crate) fn has_pbuffer(&self) -> bool {
        matches!(self.surface, Under::Pbuffer(_))
    }

    /// Returns whether it was made for a window.
    pub(crate) fn has_window(&self) -> bool {
        !matches!(self.surface, Under::Nothing | Under::Pbuffer(_))
    }

    /// Loads the functions of OpenGL. The context is current.
    pub(crate) fn load(&self) -> glow::Context {
        // SAFETY: the loader belongs to this context, which the caller made current.
        unsafe { glow::Context::from_loader_function_cstr(|name| self.address(name)) }
    }

    /// Returns the address of a function that glow does not know; null if there is none.
    pub(crate) fn address(&self, name: &CStr) -> *const c_void {
        glutin::display::GetGlDisplay::display(&self.context).get_proc_address(name)
    }
}

/// Lists the devices of this computer.
pub(crate) fn list() -> Result<Vec<Listed<Handle>>> {
    let listed = Handle::query_devices().map_err(|error| match error.error_kind() {
        glutin::error::ErrorKind::NotFound => Error::NoLibrary,
        _ => Error::NoDevices { detail: error.to_string() },
    })?;
    Ok(listed.map(describe).collect())
}

fn describe(handle: Handle) -> Listed<Handle> {
    let software = handle.extensions().contains("EGL_MESA_device_software");
    let node = handle.drm_render_device_node_path().or_else(|| handle.drm_device_node_path());
    let mut parts: Vec<String> = Vec::new();
    parts.extend(handle.vendor().map(str::to_owned));
    parts.extend(handle.name().map(str::to_owned));
    parts.extend(node.map(|path| path.display().to_string()));
    if software {
        parts.push("software".into());
    }
    if parts.is_empty() {
        parts.push("unnamed device".into());
    }
    Listed { label: parts.join(", "), software, handle }
}

fn find_config(display: &Display, api: Api, surfaceless: bool) -> Option<Config> {
    let surface =
        if surfaceless { ConfigSurfaceTypes::empty() } else { ConfigSurfaceTypes::PBUFFER };
    let api = match api {
        Api::Gl => ConfigApi::OPENGL,
        Api::Gles => ConfigApi::GLES3,
    };
    let template = ConfigTemplateBuilder::new().with_surface_type(surface).with_api(api).build();
    // SAFETY: the template names no native window.
    unsafe { display.find_configs(template) }.ok()?.next()
}
