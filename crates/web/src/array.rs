//! Arrays of JavaScript: typed arrays with shapes.

use js_sys::{Array, Float32Array, Int32Array, Object, Reflect, Uint32Array};
use quadrille::data::{Field, Values};
use quadrille::internal::data::Layout;
use wasm_bindgen::prelude::*;

use crate::error::{Result, set, wrong};

/// Numbers and their shape, as NumPy has them.
pub(crate) struct NdArray {
    pub(crate) values: Values,
    pub(crate) shape: Vec<usize>,
}

impl NdArray {
    /// Takes an object with `data` and `shape`; errors call it by `name`.
    pub(crate) fn take(name: &str, object: &JsValue) -> Result<NdArray> {
        let part = |key: &str| Reflect::get(object, &key.into()).unwrap_or(JsValue::UNDEFINED);
        let values = values(name, &part("data"))?;
        let shape = shape(name, &part("shape"))?;
        let expected = shape.iter().try_fold(1_usize, |all, one| all.checked_mul(*one));
        if expected != Some(values.len()) {
            let got = values.len();
            return Err(wrong(format!(
                "{name}: expected as many numbers as its shape {shape:?} has cells, got {got}"
            )));
        }
        Ok(NdArray { values, shape })
    }

    /// Takes an array of floats.
    pub(crate) fn floats(name: &str, object: &JsValue) -> Result<(Vec<f32>, Vec<usize>)> {
        let NdArray { values, shape } = NdArray::take(name, object)?;
        match values {
            Values::F32(numbers) => Ok((numbers, shape)),
            Values::I32(_) | Values::U32(_) => {
                Err(wrong(format!("{name}: expected a Float32Array, got integers")))
            }
        }
    }

    /// Returns it as a field for a sampler.
    pub(crate) fn field(self) -> Result<Field> {
        let layout = Layout::of_any_shape(&self.shape)?;
        Ok(Field::of_layout(layout, self.values)?)
    }

    pub(crate) fn object(&self) -> Object {
        object(data(&self.values), &self.shape)
    }
}

/// Returns a field as an array.
pub(crate) fn of_field(field: Field) -> Object {
    let shape = field.shape();
    NdArray { values: field.into_values(), shape }.object()
}

pub(crate) fn object(data: JsValue, shape: &[usize]) -> Object {
    let object = Object::new();
    set(&object, "data", data);
    set(&object, "shape", numbers(shape));
    object
}

/// Returns whole numbers as an array of JavaScript.
pub(crate) fn numbers(numbers: &[usize]) -> Array {
    numbers.iter().map(|number| JsValue::from(*number as f64)).collect()
}

fn data(values: &Values) -> JsValue {
    match values {
        Values::F32(numbers) => Float32Array::from(&numbers[..]).into(),
        Values::I32(numbers) => Int32Array::from(&numbers[..]).into(),
        Values::U32(numbers) => Uint32Array::from(&numbers[..]).into(),
    }
}

fn values(name: &str, data: &JsValue) -> Result<Values> {
    if let Some(numbers) = data.dyn_ref::<Float32Array>() {
        return Ok(Values::F32(numbers.to_vec()));
    }
    if let Some(numbers) = data.dyn_ref::<Int32Array>() {
        return Ok(Values::I32(numbers.to_vec()));
    }
    if let Some(numbers) = data.dyn_ref::<Uint32Array>() {
        return Ok(Values::U32(numbers.to_vec()));
    }
    // The name of its class, where it has one.
    let class = Object::try_from(data).map(|object| String::from(object.constructor().name()));
    let got = class.unwrap_or_else(|| data.js_typeof().as_string().unwrap_or_default());
    Err(wrong(format!(
        "{name}: expected {{ data, shape }} with a Float32Array, Int32Array or Uint32Array as data, got {got} as data"
    )))
}

fn shape(name: &str, shape: &JsValue) -> Result<Vec<usize>> {
    let misfit = || {
        wrong(format!(
            "{name}: expected a shape, one to three whole numbers from 1 on, as in [480, 640]"
        ))
    };
    let sides = shape.dyn_ref::<Array>().ok_or_else(misfit)?;
    let side = |side: JsValue| {
        let number = side.as_f64().filter(|number| number.fract() == 0.0 && *number >= 1.0);
        number.map(|number| number as usize).ok_or_else(misfit)
    };
    let sides = sides.iter().map(side).collect::<Result<Vec<_>>>()?;
    if sides.is_empty() { Err(misfit()) } else { Ok(sides) }
}
