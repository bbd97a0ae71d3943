//! Options that the library specifies, as the properties of an object.

use js_sys::Object;
use quadrille::options::{Entry, FrontEnd, Specified};
use wasm_bindgen::prelude::*;

use crate::error::{Result, wrong};

/// A value of JavaScript.
struct Value(JsValue);

impl Entry for Value {
    fn flag(&self) -> Option<bool> {
        self.0.as_bool()
    }

    fn integer(&self) -> Option<u64> {
        let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..9e15).contains(number);
        self.0.as_f64().filter(is_whole).map(|number| number as u64)
    }

    fn number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn shown(&self) -> String {
        match (self.0.as_string(), self.0.as_f64(), self.0.as_bool()) {
            (Some(text), ..) => format!("`{text}`"),
            (_, Some(number), _) => number.to_string(),
            (.., Some(flag)) => flag.to_string(),
            _ => format!("{:?}", self.0),
        }
    }
}

/// Returns the options that an object sets; one that is undefined or null stays as it is.
pub(crate) fn options<T: Specified>(function: &str, object: &JsValue) -> Result<T> {
    let mut made = T::default();
    if object.is_undefined() || object.is_null() {
        return Ok(made);
    }
    let refused = |text: String| wrong(format!("{function}: {text}"));
    let Some(given) = object.dyn_ref::<Object>() else {
        let known: Vec<_> =
            T::of(FrontEnd::Browser).map(|known| FrontEnd::Browser.spelled(known.name)).collect();
        return Err(refused(format!("expected an object with any of {}", known.join(", "))));
    };
    let is_known = |key: &str| {
        T::of(FrontEnd::Browser).any(|option| FrontEnd::Browser.spelled(option.name) == key)
    };
    for key in Object::keys(given).iter().filter_map(|key| key.as_string()) {
        let value = js_sys::Reflect::get(given, &key.as_str().into()).unwrap_or_default();
        let is_absent = value.is_undefined() || value.is_null();
        // A name that no option has is refused, whatever its value.
        if !is_absent || !is_known(&key) {
            let set = made.set_spelled(FrontEnd::Browser, &key, &Value(value));
            set.map_err(|error| refused(error.to_string()))?;
        }
    }
    Ok(made)
}
