//! A context of EGL that a test loses when it wants.
//!
//! No software renderer loses a context, and none can be made to: so the driver's answer is
//! replaced. From a moment on `glGetError` says `GL_CONTEXT_LOST`, as drivers do for ever after a
//! loss; all else is the driver's own.
#![allow(
    dead_code,
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "the caller's side of an unsafe interface; a test fails by panicking"
)]

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{Api, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::prelude::*;
use quadrille::Context;
use quadrille::gl::Error;

type GetError = unsafe extern "system" fn() -> u32;

thread_local! {
    /// The number of calls of the driver, and the call from which on it says that the context is
    /// lost.
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static LOST_FROM: Cell<u64> = const { Cell::new(u64::MAX) };
    static DRIVERS: Cell<Option<GetError>> = const { Cell::new(None) };
}

unsafe extern "system" fn get_error() -> u32 {
    const CONTEXT_LOST: u32 = 0x0507;
    CALLS.set(CALLS.get() + 1);
    match DRIVERS.get() {
        // SAFETY: the function of the context that this thread made, and has current.
        Some(of_driver) if CALLS.get() < LOST_FROM.get() => unsafe { of_driver() },
        _ => CONTEXT_LOST,
    }
}

/// Loses the context that this thread made last.
pub fn lose() {
    lose_after(0);
}

/// Loses it when the driver was asked so often after now.
pub fn lose_after(calls: u64) {
    LOST_FROM.set(CALLS.get() + calls);
}

/// The number of times that the driver was asked for errors since the context was made.
pub fn calls() -> u64 {
    CALLS.get()
}

/// A context that is current on this thread, and can be lost.
pub struct Losable {
    gl: Arc<glow::Context>,
    // Held: it ends with this.
    _context: PossiblyCurrentContext,
}

impl Losable {
    /// Makes a context on the first software renderer, or where there is none on the first device.
    pub fn new(es: bool) -> Losable {
        let devices: Vec<Device> = Device::query_devices().unwrap().collect();
        let software = |device: &&Device| device.extensions().contains("EGL_MESA_device_software");
        let device = devices.iter().find(software).or(devices.first()).expect("an EGL device");
        let (wish, api) = match es {
            true => (ContextApi::Gles(Some(Version::new(3, 0))), Api::GLES3),
            false => (ContextApi::OpenGl(Some(Version::new(3, 3))), Api::OPENGL),
        };
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .with_api(api);
        let attributes = ContextAttributesBuilder::new().with_context_api(wish).build(None);
        // SAFETY: no raw handle is involved; the functions are the context's own, but for one of
        // the same signature.
        unsafe {
            let display = Display::with_device(device, None).unwrap();
            let config = display.find_configs(template.build()).unwrap().next().unwrap();
            let context = display.create_context(&config, &attributes).unwrap();
            let context = context.make_current_surfaceless().unwrap();
            let load = |name: &CStr| {
                let address = display.get_proc_address(name);
                if name != c"glGetError" {
                    return address;
                }
                DRIVERS.set(Some(std::mem::transmute::<*const c_void, GetError>(address)));
                CALLS.set(0);
                LOST_FROM.set(u64::MAX);
                get_error as GetError as *const c_void
            };
            let gl = Arc::new(glow::Context::from_loader_function_cstr(load));
            Losable { gl, _context: context }
        }
    }

    /// Does work with a context around it, in one scope.
    pub fn within<R>(&self, work: impl FnOnce(&Context) -> R) -> Result<R, Error> {
        // SAFETY: it is current since it was made, and the work leaves it so.
        unsafe {
            let context = Context::around(Arc::clone(&self.gl))?;
            context.within(|| work(&context))
        }
    }
}
