//! Windows: contexts of the system's OpenGL by WGL, on a window that is never shown, and OpenGL ES
//! contexts of ANGLE by EGL, where its libraries are found. Both are made with glutin.

mod hidden_window;
mod libraries;
mod one_thread;
#[cfg(feature = "window")]
mod window;

use std::ffi::{CStr, c_void};
use std::fmt;
use std::num::NonZeroU32;

use glutin::config::{
    Api as ConfigApi, Config, ConfigSurfaceTypes, ConfigTemplate, ConfigTemplateBuilder,
};
use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, NotCurrentContext,
    PossiblyCurrentContext, Version,
};
use glutin::display::{Display, DisplayApiPreference, GetDisplayExtensions};
use glutin::prelude::*;
use glutin::surface::{PbufferSurface, Surface, SurfaceAttributesBuilder, WindowSurface};
use raw_window_handle::{RawDisplayHandle, RawWindowHandle, WindowsDisplayHandle};

use crate::gl::Result;
use crate::shader::Api;

use super::candidates::candidates;
use super::shared::{Attributes, Listed, count_switch};
use hidden_window::HiddenWindow;
use libraries::{ANGLE, OPENGL};
use one_thread::OneThread;

/// A way to OpenGL. Which GPU it leads to, Windows and its settings decide.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handle {
    /// The system's OpenGL.
    Wgl,
    /// OpenGL ES on Direct3D.
    Angle,
}

/// Why a context was not made.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<glutin::error::Error> for Failure {
    fn from(error: glutin::error::Error) -> Failure {
        Failure(error.to_string())
    }
}

/// A context and, dropped after it, what it is current with.
pub(crate) struct Native {
    context: PossiblyCurrentContext,
    surface: Under,
    _one_thread: Option<OneThread>,
    /// WGL makes contexts on windows alone, surfaceless ones too.
    _window: Option<HiddenWindow>,
}

enum Under {
    Nothing,
    Pbuffer(Surface<PbufferSurface>),
    HiddenWindow(Surface<WindowSurface>),
    #[cfg(feature = "window")]
    Window(window::OnWindow),
}

impl Native {
    /// Makes a context on a device and makes it current.
    pub(crate) fn new(device: &Handle, attributes: Attributes) -> Result<Native, Failure> {
        match device {
            Handle::Wgl => {
                let (window, raw) = hidden_window()?;
                let display = wgl_display(raw)?;
                refuse_old(&display)?;
                let candidates = candidates(attributes, Some(raw));
                Native::on_hidden_window(&display, attributes.api, window, &candidates)
            }
            // The last is the lowest version: Direct3D has OpenGL ES 3.1 in parts, whose compute
            // shaders do not compile where they share memory.
            Handle::Angle => {
                let lowest = candidates(attributes, None).pop();
                Native::of_angle(attributes.api, lowest.as_slice())
            }
        }
    }

    /// Makes a context of whatever version the device has, and makes it current: to name a device
    /// that has too little.
    pub(crate) fn of_any_version(device: &Handle, api: Api) -> Result<Native, Failure> {
        let lowest = Some(Version::new(2, 0));
        let context_api = match api {
            Api::Gl => ContextApi::OpenGl(lowest),
            Api::Gles => ContextApi::Gles(lowest),
        };
        let any = ContextAttributesBuilder::new().with_context_api(context_api);
        let any = any.with_profile(GlProfile::Compatibility);
        match device {
            Handle::Wgl => {
                let (window, raw) = hidden_window()?;
                let display = wgl_display(raw)?;
                Native::on_hidden_window(&display, api, window, &[any.build(Some(raw))])
            }
            Handle::Angle => Native::of_angle(api, &[any.build(None)]),
        }
    }

    /// Makes the first of these contexts that there is, by WGL.
    fn on_hidden_window(
        display: &Display,
        api: Api,
        window: HiddenWindow,
        candidates: &[ContextAttributes],
    ) -> Result<Native, Failure> {
        let raw = window.handle().ok_or_else(no_config)?;
        let template = template(ConfigSurfaceTypes::WINDOW, api);
        let template = template.compatible_with_native_window(raw).build();
        let config = first_config(display, template)?;
        let context = first_context(display, &config, candidates)?.treat_as_possibly_current();
        count_switch();
        let surface = if surfaceless(&context).is_ok() {
            Under::Nothing
        } else {
            let one = NonZeroU32::MIN;
            let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(raw, one, one);
            // SAFETY: `Native` keeps the window for as long as the surface.
            let surface = unsafe { display.create_window_surface(&config, &attributes)? };
            context.make_current(&surface)?;
            Under::HiddenWindow(surface)
        };
        Ok(Native { context, surface, _one_thread: None, _window: Some(window) })
    }

    /// Makes the first of these contexts that there is, by EGL.
    fn of_angle(api: Api, candidates: &[ContextAttributes]) -> Result<Native, Failure> {
        if api == Api::Gl {
            return Err(Failure("ANGLE has OpenGL ES alone".into()));
        }
        ANGLE.find().map_err(Failure)?;
        let one_thread = OneThread::enter().map_err(|text| Failure(text.into()))?;
        // SAFETY: the handle refers to nothing.
        let display = unsafe { Display::new(display_handle(), DisplayApiPreference::Egl)? };
        let mut last = no_config();
        for surface in [ConfigSurfaceTypes::empty(), ConfigSurfaceTypes::PBUFFER] {
            let made = first_config(&display, template(surface, api).build())
                .and_then(|config| Native::without_window(&display, &config, surface, candidates));
            match made {
                Ok(native) => return Ok(Native { _one_thread: Some(one_thread), ..native }),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn without_window(
        display: &Display,
        config: &Config,
        surface: ConfigSurfaceTypes,
        candidates: &[ContextAttributes],
    ) -> Result<Native, Failure> {
        let context = first_context(display, config, candidates)?.treat_as_possibly_current();
        count_switch();
        if surface.is_empty() {
            surfaceless(&context)?;
            return Ok(Native {
                context,
                surface: Under::Nothing,
                _one_thread: None,
                _window: None,
            });
        }
        let one = NonZeroU32::MIN;
        let attributes = SurfaceAttributesBuilder::<PbufferSurface>::new().build(one, one);
        // SAFETY: config comes from this display; no window handle is involved.
        let surface = unsafe { display.create_pbuffer_surface(config, &attributes)? };
        context.make_current(&surface)?;
        Ok(Native { context, surface: Under::Pbuffer(surface), _one_thread: None, _window: None })
    }

    /// Asks the window system whether the context is current; other code may have made another one
    /// current.
    pub(crate) fn is_current(&self) -> bool {
        self.context.is_current()
    }

    pub(crate) fn make_current(&self) -> Result<(), Failure> {
        count_switch();
        match &self.surface {
            Under::Nothing => surfaceless(&self.context)?,
            Under::Pbuffer(surface) => self.context.make_current(surface)?,
            Under::HiddenWindow(surface) => self.context.make_current(surface)?,
            #[cfg(feature = "window")]
            Under::Window(window) => self.context.make_current(&window.surface)?,
        }
        Ok(())
    }

    /// Leaves no context current, before this one goes. A failure means that it is gone already.
    pub(crate) fn release(&self) {
        count_switch();
        let _ = self.context.make_not_current_in_place();
    }

    /// Returns whether the context has a surface of its own, which nothing draws on, because
    /// surfaceless ones do not work here.
    pub(crate) fn has_pbuffer(&self) -> bool {
        matches!(self.surface, Under::Pbuffer(_) | Under::HiddenWindow(_))
    }

    /// Returns whether it was made for a window of the program.
    pub(crate) fn has_window(&self) -> bool {
        !matches!(self.surface, Under::Nothing | Under::Pbuffer(_) | Under::HiddenWindow(_))
    }

    /// Loads the functions of OpenGL. The context is current.
    pub(crate) fn load(&self) -> glow::Context {
        // SAFETY: the loader belongs to this context, which the caller made current.
        unsafe { glow::Context::from_loader_function_cstr(|name| self.address(name)) }
    }

    /// Returns the address of a function; null if there is none.
    pub(crate) fn address(&self, name: &CStr) -> *const c_void {
        let address = glutin::display::GetGlDisplay::display(&self.context).get_proc_address(name);
        // WGL gives extensions; some drivers answer for what is no extension with a small number.
        match (&self.context, address as isize) {
            (PossiblyCurrentContext::Wgl(_), -1..=3) => OPENGL.address(name),
            _ => address,
        }
    }
}

/// Lists the ways to OpenGL: the system's, which Windows always has, and ANGLE, which is listed
/// where it is not found as well, so that a person learns what it lacks.
pub(crate) fn list() -> Result<Vec<Listed<Handle>>> {
    let describe = |name: &str, library: &libraries::Library, handle| {
        let found = library.find().unwrap_or_else(|_| format!("without {}", library.name()));
        Listed { label: format!("{name}, {found}"), software: false, handle }
    };
    Ok(vec![
        describe("WGL", &OPENGL, Handle::Wgl),
        describe("ANGLE, OpenGL ES on Direct3D", &ANGLE, Handle::Angle),
    ])
}

/// Windows has one display, which is no handle to something.
fn display_handle() -> RawDisplayHandle {
    RawDisplayHandle::Windows(WindowsDisplayHandle::new())
}

fn hidden_window() -> Result<(HiddenWindow, RawWindowHandle), Failure> {
    let failed = |error| Failure(format!("no window can be made for the context: {error}"));
    let window = HiddenWindow::new().map_err(failed)?;
    let raw = window.handle().ok_or_else(no_config)?;
    Ok((window, raw))
}

fn wgl_display(window: RawWindowHandle) -> Result<Display, Failure> {
    // SAFETY: the caller keeps the window, which is of this process.
    Ok(unsafe { Display::new(display_handle(), DisplayApiPreference::Wgl(Some(window)))? })
}

/// Without this extension glutin would give a context of whatever version, and there is none of
/// OpenGL 3.3 either.
fn refuse_old(display: &Display) -> Result<(), Failure> {
    match display {
        Display::Wgl(display) if !display.extensions().contains("WGL_ARB_create_context") => {
            Err(Failure("the driver has no WGL_ARB_create_context".into()))
        }
        _ => Ok(()),
    }
}

fn template(surface: ConfigSurfaceTypes, api: Api) -> ConfigTemplateBuilder {
    let api = match api {
        Api::Gl => ConfigApi::OPENGL,
        Api::Gles => ConfigApi::GLES3,
    };
    ConfigTemplateBuilder::new().with_surface_type(surface).with_api(api)
}

fn first_config(display: &Display, template: ConfigTemplate) -> Result<Config, Failure> {
    // SAFETY: a window that the template names is alive.
    unsafe { display.find_configs(template)? }.next().ok_or_else(no_config)
}

fn no_config() -> Failure {
    glutin::error::Error::from(glutin::error::ErrorKind::BadConfig).into()
}

fn first_context(
    display: &Display,
    config: &Config,
    candidates: &[ContextAttributes],
) -> Result<NotCurrentContext, Failure> {
    let mut last = no_config();
    for attributes in candidates {
        // SAFETY: config comes from this display, and a window in the attributes is alive.
        match unsafe { display.create_context(config, attributes) } {
            Ok(context) => return Ok(context),
            Err(error) => last = error.into(),
        }
    }
    Err(last)
}

fn surfaceless(context: &PossiblyCurrentContext) -> Result<(), Failure> {
    match context {
        PossiblyCurrentContext::Egl(context) => context.make_current_surfaceless()?,
        PossiblyCurrentContext::Wgl(context) => context.make_current_surfaceless()?,
    }
    Ok(())
}
