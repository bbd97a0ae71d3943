//! The context of the worker: what the browser computes on.

use js_sys::Object;
use quadrille::Kind;
use wasm_bindgen::prelude::*;

use crate::error::{Result, defect, set, unsupported};
use crate::primitives::PrimitiveCache;

/// A context, and all functions of the library that a page can call.
#[wasm_bindgen]
pub struct Context {
    pub(crate) context: quadrille::Context,
    pub(crate) kernels: PrimitiveCache,
}

#[wasm_bindgen]
impl Context {
    /// Makes a context. A defect of the library is thrown as an error with its message.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Context> {
        std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_val(defect(&panic.to_string()))));
        let context = quadrille::Context::headless().map_err(|error| match error.kind() {
            Kind::NoDevice => unsupported("this browser has no WebGL2, or has switched it off"),
            _ => error.into(),
        })?;
        if !context.abilities().float_targets {
            let lacks = "this browser cannot draw into textures of floats (EXT_color_buffer_float), which all computing here needs";
            return Err(unsupported(lacks));
        }
        Ok(Context { context, kernels: PrimitiveCache::default() })
    }

    /// Returns the device, as its driver names it.
    pub fn device(&self) -> Object {
        let abilities = self.context.abilities();
        let device = Object::new();
        set(&device, "renderer", &abilities.renderer);
        set(&device, "vendor", &abilities.vendor);
        set(&device, "version", &abilities.version_text);
        set(&device, "maxTextureSize", abilities.max_texture_size);
        set(&device, "software", abilities.software);
        device
    }

    /// Returns whether the browser has taken the context away.
    #[wasm_bindgen(js_name = isLost)]
    pub fn is_lost(&self) -> bool {
        self.context.flush().is_err_and(|error| error.kind() == Kind::ContextLost)
    }

    /// Waits until the device has done what it was given.
    pub fn finish(&self) -> Result<()> {
        Ok(self.context.finish()?)
    }
}
