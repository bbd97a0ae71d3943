//! The window system's side of a context: EGL through glutin, without a display.

use std::cell::Cell;
use std::num::NonZeroU32;

use glutin::api::egl::config::Config;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device as EglDevice;
use glutin::api::egl::display::Display;
use glutin::api::egl::surface::Surface;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Robustness, Version,
};
use glutin::prelude::*;
#[cfg(feature = "window")]
use glutin::surface::SwapInterval;
use glutin::surface::{PbufferSurface, SurfaceAttributesBuilder};

use crate::shader::Api;

/// A surface and, dropped after it, the window that it is on.
#[cfg(feature = "window")]
pub(super) struct OnWindow {
    pub(super) surface: Surface<glutin::surface::WindowSurface>,
    pub(super) _window: std::rc::Rc<dyn std::any::Any>,
}

/// A context and the little surface that some drivers want under it.
pub(super) struct Native {
    context: PossiblyCurrentContext,
    surface: Under,
}

/// What a context stands on.
enum Under {
    Nothing,
    Pbuffer(Surface<PbufferSurface>),
    #[cfg(feature = "window")]
    Window(OnWindow),
}

thread_local! {
    /// How often quadrille made a context of its own current on this thread, or none.
    static SWITCHES: Cell<u64> = const { Cell::new(0) };
}

/// How often quadrille changed what is current on this thread: who found a context current knows by
/// it whether it still is.
pub(super) fn switches() -> u64 {
    SWITCHES.get()
}

fn count_switch() {
    SWITCHES.set(SWITCHES.get() + 1);
}

/// What a context should be.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    pub(super) api: Api,
    pub(super) debug: bool,
}

/// Highest first. A driver refuses what it does not have; most give their highest for any of them.
const GL_VERSIONS: [(u8, u8); 5] = [(4, 6), (4, 5), (4, 3), (4, 0), (3, 3)];
const GLES_VERSIONS: [(u8, u8); 3] = [(3, 2), (3, 1), (3, 0)];

impl Native {
    /// Makes a context on a device and makes it current.
    pub(super) fn new(
        device: &EglDevice,
        wish: Attributes,
    ) -> Result<Native, glutin::error::Error> {
        Native::first_of(device, wish.api, &candidates(wish))
    }

    /// Makes a context of the version that the device has where nothing is asked of it, and makes it current: to
    /// name a device that has too little.
    pub(super) fn of_any_version(
        device: &EglDevice,
        api: Api,
    ) -> Result<Native, glutin::error::Error> {
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
        device: &EglDevice,
        api: Api,
        candidates: &[ContextAttributes],
    ) -> Result<Native, glutin::error::Error> {
        // SAFETY: no raw display handle is passed, which is the only thing that could be invalid.
        let display = unsafe { Display::with_device(device, None)? };
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
    ) -> Result<Native, glutin::error::Error> {
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

    /// What the window system says now; other code may have made another context current.
    pub(super) fn is_current(&self) -> bool {
        self.context.is_current()
    }

    pub(super) fn make_current(&self) -> Result<(), glutin::error::Error> {
        count_switch();
        match &self.surface {
            Under::Nothing => self.context.make_current_surfaceless(),
            Under::Pbuffer(surface) => self.context.make_current(surface),
            #[cfg(feature = "window")]
            Under::Window(window) => self.context.make_current(&window.surface),
        }
    }

    /// Leaves no context current, before this one goes. A failure means that it is gone already.
    pub(super) fn release(&self) {
        count_switch();
        let _ = self.context.make_not_current_in_place();
    }

    /// Whether a 1 x 1 pbuffer stands under the context because surfaceless ones do not work here.
    pub(super) fn has_pbuffer(&self) -> bool {
        matches!(self.surface, Under::Pbuffer(_))
    }

    /// Whether it was made for a window.
    pub(super) fn has_window(&self) -> bool {
        !matches!(self.surface, Under::Nothing | Under::Pbuffer(_))
    }

    /// Makes a context on a window and makes it current.
    #[cfg(feature = "window")]
    pub(super) fn on_window(
        display: &Display,
        config: &Config,
        wish: Attributes,
        window: OnWindow,
    ) -> Result<Native, glutin::error::Error> {
        let mut last = None;
        for attributes in candidates(wish) {
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
    #[cfg(feature = "window")]
    pub(super) fn swap(&self) -> Result<(), glutin::error::Error> {
        match &self.surface {
            Under::Window(window) => window.surface.swap_buffers(&self.context),
            _ => Ok(()),
        }
    }

    /// Tells the window's surface its new size, which some window systems do not do.
    #[cfg(feature = "window")]
    pub(super) fn resize(&self, width: NonZeroU32, height: NonZeroU32) {
        if let Under::Window(window) = &self.surface {
            window.surface.resize(&self.context, width, height);
        }
    }

    pub(super) fn address(&self, name: &std::ffi::CStr) -> *const std::ffi::c_void {
        glutin::display::GetGlDisplay::display(&self.context).get_proc_address(name)
    }
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

/// From the most to the least: robust contexts report a reset instead of hanging, but some drivers
/// refuse to make them (and all refuse GLES with that attribute), so each is asked for both ways.
fn candidates(wish: Attributes) -> Vec<ContextAttributes> {
    let mut list = Vec::new();
    match wish.api {
        Api::Gl => {
            for robustness in [Robustness::RobustLoseContextOnReset, Robustness::NotRobust] {
                for (major, minor) in GL_VERSIONS {
                    let api = ContextApi::OpenGl(Some(Version::new(major, minor)));
                    list.push(attributes(api, robustness, wish.debug));
                }
            }
        }
        Api::Gles => {
            for (major, minor) in GLES_VERSIONS {
                let api = ContextApi::Gles(Some(Version::new(major, minor)));
                list.push(attributes(api, Robustness::NotRobust, wish.debug));
            }
        }
    }
    list
}

fn attributes(api: ContextApi, robustness: Robustness, debug: bool) -> ContextAttributes {
    ContextAttributesBuilder::new()
        .with_context_api(api)
        .with_profile(GlProfile::Core)
        .with_robustness(robustness)
        .with_debug(debug)
        .build(None)
}
