//! Options that the library specifies, as the properties of an object.

use std::path::PathBuf;

use js_sys::{Array, Object, Reflect};
use quadrille::options::{Contents, Entry, Error, FrontEnd, Many, OptionSpec, Specified};
use wasm_bindgen::prelude::*;

use crate::error::{Result, wrong};

/// A value of JavaScript, with the name that it is for.
struct Value {
    of: Option<String>,
    value: JsValue,
}

impl Entry for Value {
    fn of(&self) -> Option<&str> {
        self.of.as_deref()
    }

    fn flag(&self) -> Option<bool> {
        self.value.as_bool()
    }

    fn integer(&self) -> Option<u64> {
        let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..9e15).contains(number);
        self.value.as_f64().filter(is_whole).map(|number| number as u64)
    }

    fn number(&self) -> Option<f64> {
        self.value.as_f64()
    }

    fn text(&self) -> Option<String> {
        self.value.as_string()
    }

    fn literal(&self) -> Option<String> {
        let number = || self.number().map(|number| number.to_string());
        self.text().or_else(number).or_else(|| self.flag().map(|flag| flag.to_string()))
    }

    /// A page has no folders.
    fn path(&self) -> Option<PathBuf> {
        None
    }

    fn contents(&self) -> Option<Contents> {
        self.text().map(Contents::Text)
    }

    fn sides(&self) -> Option<Vec<u32>> {
        let side = |side: JsValue| {
            let side = Value { of: None, value: side }.integer()?;
            u32::try_from(side).ok()
        };
        self.value.dyn_ref::<Array>()?.iter().map(side).collect()
    }

    fn shown(&self) -> String {
        let text = self.text().map(|text| format!("`{text}`"));
        text.or_else(|| self.literal()).unwrap_or_else(|| format!("{:?}", self.value))
    }

    fn written(&self, sides: &[u32]) -> String {
        format!("{sides:?}")
    }
}

/// Returns the options that an object sets; one that is undefined or null stays as it is.
pub(crate) fn options<T: Specified>(function: &str, object: &JsValue) -> Result<T> {
    options_beside(function, object, &[])
}

/// Returns the options that an object sets beside properties that are no options.
pub(crate) fn options_beside<T: Specified>(
    function: &str,
    object: &JsValue,
    others: &[&str],
) -> Result<T> {
    let mut made = T::default();
    let refused = |text: String| wrong(format!("{function}: {text}"));
    for (key, value) in properties(function, object)? {
        if others.contains(&key.as_str()) {
            continue;
        }
        let set = match T::of(FrontEnd::Browser)
            .find(|option| option.is_named(FrontEnd::Browser, &key))
        {
            Some(_) if value.is_undefined() || value.is_null() => Ok(()),
            Some(option) => set(&mut made, option, value),
            // A name that no option has is refused, whatever its value.
            None => made.set_spelled(FrontEnd::Browser, &key, &Value { of: None, value }),
        };
        set.map_err(|error| refused(error.to_string()))?;
    }
    Ok(made)
}

/// Sets an option: an object has a value for each name, an array several.
fn set<T: Specified>(
    made: &mut T,
    option: &OptionSpec,
    value: JsValue,
) -> std::result::Result<(), Error> {
    let is_object = value.is_object() && !Array::is_array(&value);
    let values = match option.many {
        Many::ByName(_) | Many::ByNameOrAll if is_object => {
            let named = properties(option.name, &value).unwrap_or_default();
            named.into_iter().map(|(of, value)| (Some(of), value)).collect()
        }
        Many::ByName(form) => {
            let (name, expected) =
                (FrontEnd::Browser.spelled(option.name), format!("an object, as {form}"));
            return Err(Error::Value { name, expected, got: Value { of: None, value }.shown() });
        }
        _ => vec![(None, value)],
    };
    values
        .into_iter()
        .try_for_each(|(of, value)| made.set_in(FrontEnd::Browser, option, &Value { of, value }))
}

/// Returns a number, a truth value or a text as its text.
pub(crate) fn literal(value: JsValue) -> Option<String> {
    Value { of: None, value }.literal()
}

/// Returns the properties of an object that may be missing.
pub(crate) fn properties(what: &str, object: &JsValue) -> Result<Vec<(String, JsValue)>> {
    if object.is_undefined() || object.is_null() {
        return Ok(Vec::new());
    }
    let Some(object) = object.dyn_ref::<Object>() else {
        return Err(wrong(format!("{what}: expected an object with a property for each name")));
    };
    let pair = |key: JsValue| {
        let value = Reflect::get(object, &key).unwrap_or_default();
        Some((key.as_string()?, value))
    };
    Ok(Object::keys(object).iter().filter_map(pair).collect())
}
