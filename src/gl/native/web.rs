//! Browsers: WebGL2 on a canvas that nothing shows, in a page or in a worker.
//!
//! A worker is where it belongs: reading waits for the device, which a page must not. There are no other contexts to
//! make current, and nothing is loaded by its address.

use std::ffi::{CStr, c_void};
use std::fmt;

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{OffscreenCanvas, WebGl2RenderingContext, WebGlProgram, WebglLoseContext};

use crate::gl::Result;
use crate::shader::Api;

use super::shared::{Attributes, Listed};

/// The browser, which chooses a device by itself.
#[derive(Clone, Debug)]
pub(crate) struct Handle;

/// Why the browser gives no context.
pub(crate) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A context of the browser.
pub(crate) struct Native {
    context: WebGl2RenderingContext,
}

pub(crate) fn list() -> Result<Vec<Listed<Handle>>> {
    Ok(vec![Listed { label: "WebGL2 of this browser".into(), software: false, handle: Handle }])
}

impl Native {
    pub(crate) fn new(_: &Handle, attributes: Attributes) -> Result<Native, Failure> {
        if attributes.api == Api::Gl {
            return Err(Failure("a browser has OpenGL ES alone, as WebGL2".into()));
        }
        let said = |error: JsValue| Failure(format!("{error:?}"));
        let canvas = OffscreenCanvas::new(1, 1).map_err(said)?;
        let options = options().map_err(said)?;
        let context = canvas.get_context_with_context_options("webgl2", &options).map_err(said)?;
        let none = || Failure("this browser has no WebGL2, or has switched it off".into());
        let context = context.ok_or_else(none)?.dyn_into().map_err(|_| none())?;
        Ok(Native { context })
    }

    pub(crate) fn of_any_version(device: &Handle, api: Api) -> Result<Native, Failure> {
        Native::new(device, Attributes { api, debug: false })
    }

    pub(crate) fn is_current(&self) -> bool {
        true
    }

    pub(crate) fn make_current(&self) -> Result<(), Failure> {
        Ok(())
    }

    pub(crate) fn release(&self) {}

    pub(crate) fn has_pbuffer(&self) -> bool {
        false
    }

    pub(crate) fn has_window(&self) -> bool {
        false
    }

    pub(crate) fn load(&self) -> glow::Context {
        glow::Context::from_webgl2_context(self.context.clone())
    }

    pub(crate) fn address(&self, _: &CStr) -> *const c_void {
        std::ptr::null()
    }

    /// Returns a property of uniforms of the program in use, `false` and `true` as 0 and 1.
    pub(crate) fn active_uniforms(&self, uniforms: &[u32], what: u32) -> Option<Vec<i32>> {
        let program = self.context.get_parameter(WebGl2RenderingContext::CURRENT_PROGRAM).ok()?;
        let program: WebGlProgram = program.dyn_into().ok()?;
        let indices: Array = uniforms.iter().map(|index| JsValue::from(*index)).collect();
        let answer = self.context.get_active_uniforms(&program, &indices, what);
        let number = |value: JsValue| {
            let number = value.as_f64().map(|number| number as i32);
            number.or(value.as_bool().map(i32::from))
        };
        answer.dyn_into::<Array>().ok()?.iter().map(number).collect()
    }

    /// Returns whether the browser has taken the context away.
    pub(crate) fn is_lost(&self) -> bool {
        self.context.is_context_lost()
    }
}

/// A browser keeps a dozen contexts, and takes the oldest away for another one; without this a dropped one counts until its garbage is
/// collected.
impl Drop for Native {
    fn drop(&mut self) {
        let extension = self.context.get_extension("WEBGL_lose_context").ok().flatten();
        if let Some(extension) = extension {
            extension.unchecked_into::<WebglLoseContext>().lose_context();
        }
    }
}

/// A canvas of results alone: no depth, no smoothing of edges.
fn options() -> Result<Object, JsValue> {
    let options = Object::new();
    for name in ["antialias", "depth", "stencil"] {
        Reflect::set(&options, &name.into(), &false.into())?;
    }
    Reflect::set(&options, &"powerPreference".into(), &"high-performance".into())?;
    Ok(options)
}
