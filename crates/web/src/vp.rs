//! Vertex programs of 2002 over vectors: `quadrille vp`.

use js_sys::{Array, Float32Array, Reflect};
use quadrille_vp::vector_machine::{AnyVector, DVector, Error, Options, Program};
use wasm_bindgen::prelude::*;

use crate::context::Context;
use crate::error::{Result, wrong};
use crate::specified::{options_beside, properties};

#[wasm_bindgen]
impl Context {
    /// Runs a program over one to three vectors of one length; returns a vector, or a number where
    /// it is reduced.
    pub fn vp(&self, program: &str, vectors: &Array, options: JsValue) -> Result<JsValue> {
        let asked: Options = options_beside("vp", &options, &["constants"])?;
        let vectors = vectors.iter().enumerate().map(|(at, vector)| taken(at + 1, &vector));
        let vectors = vectors.collect::<Result<Vec<_>>>()?;
        let vectors: Vec<&dyn AnyVector> =
            vectors.iter().map(|vector| vector as &dyn AnyVector).collect();
        let program = Program::new("program.vp", program.to_owned(), false, asked.profile)?;
        let machine = asked.machine(|| Ok::<_, Error>(self.context.clone()))?;
        let mut function = asked.function(&program, &machine, vectors.len())?;
        let constants = Reflect::get(&options, &"constants".into()).unwrap_or_default();
        for (register, value) in properties("constants", &constants)? {
            let refused = || {
                let form = "expected the number of a register, with a number or four";
                wrong(format!("vp: constants: {form}; got {register} with {value:?}"))
            };
            let four = four(&value).ok_or_else(refused)?;
            function.set_constant(register.parse().map_err(|_| refused())?, four)?;
        }
        if asked.reduce {
            return Ok(function.total(&vectors)?.into());
        }
        if asked.bytes {
            let result = function.apply::<u8>(&vectors)?.into_vec()?;
            return Ok(js_sys::Uint8Array::from(&result[..]).into());
        }
        let result = function.apply::<f32>(&vectors)?.into_vec()?;
        Ok(Float32Array::from(&result[..]).into())
    }
}

/// Returns the four components of a register: one number for all, or each.
fn four(value: &JsValue) -> Option<[f32; 4]> {
    let number = |value: JsValue| value.as_f64().map(|number| number as f32);
    match value.dyn_ref::<Array>() {
        None => Some([number(value.clone())?; 4]),
        Some(four) => four.iter().map(number).collect::<Option<Vec<_>>>()?.try_into().ok(),
    }
}

fn taken(number: usize, vector: &JsValue) -> Result<DVector<f32>> {
    match vector.dyn_ref::<Float32Array>() {
        Some(numbers) => Ok(DVector::from(numbers.to_vec())),
        None => Err(wrong(format!("vector {number}: expected a Float32Array"))),
    }
}
