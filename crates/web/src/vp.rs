//! Vertex programs of 2002 over vectors: `quadrille vp`.

use std::collections::BTreeMap;

use js_sys::{Array, Float32Array};
use quadrille_vp::vector_machine::{
    AnyVector, DVector, Machine, Processor, Profile, Program, Semantics,
};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::context::Context;
use crate::error::{Result, wrong};
use crate::settings::{named, read};

/// `VertexProgramOptions` of `crates/web/package/index.d.ts`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Asked {
    constants: BTreeMap<String, Constant>,
    reduce: bool,
    engine: Option<String>,
    profile: Option<String>,
}

/// The value of a register.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Constant {
    One(f32),
    Four([f32; 4]),
}

#[wasm_bindgen]
impl Context {
    /// Runs a program over one to three vectors of one length; returns a vector, or a number where
    /// it is reduced.
    pub fn vp(&self, program: &str, vectors: &Array, options: JsValue) -> Result<JsValue> {
        let asked: Asked = read("vp", options, &["constants", "reduce", "engine", "profile"])?;
        let vectors = vectors.iter().enumerate().map(|(at, vector)| taken(at + 1, &vector));
        let vectors = vectors.collect::<Result<Vec<_>>>()?;
        let vectors: Vec<&dyn AnyVector> =
            vectors.iter().map(|vector| vector as &dyn AnyVector).collect();
        let semantics = Semantics::of(vectors.len(), asked.reduce).ok_or_else(|| {
            wrong(format!("vp: expected one to three vectors, got {}", vectors.len()))
        })?;
        let profile: Profile = named("profile", asked.profile.as_deref().unwrap_or("modern"))?;
        let program = Program::new("program.vp", program.to_owned(), false, profile)?;
        let mut function = program.function(&self.machine(asked.engine.as_deref())?, semantics)?;
        for (register, value) in &asked.constants {
            let register = register.parse().map_err(|_| {
                wrong(format!("constants: expected the number of a register, got {register}"))
            })?;
            let four = match *value {
                Constant::One(one) => [one; 4],
                Constant::Four(four) => four,
            };
            function.set_constant(register, four)?;
        }
        if asked.reduce {
            return Ok(function.total(&vectors)?.into());
        }
        let result = function.apply::<f32>(&vectors)?.into_vec()?;
        Ok(Float32Array::from(&result[..]).into())
    }
}

impl Context {
    fn machine(&self, engine: Option<&str>) -> Result<Machine> {
        let Some(name) = engine else { return Ok(Machine::new(&self.context)) };
        match named("engine", name)? {
            Processor::Simulator => Ok(Machine::simulator()),
            engine => Ok(Machine::new(&self.context).with(engine)?),
        }
    }
}

fn taken(number: usize, vector: &JsValue) -> Result<DVector<f32>> {
    match vector.dyn_ref::<Float32Array>() {
        Some(numbers) => Ok(DVector::from(numbers.to_vec())),
        None => Err(wrong(format!("vector {number}: expected a Float32Array"))),
    }
}
