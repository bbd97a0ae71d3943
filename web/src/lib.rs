//! quadrille in a browser: what a page, or a worker, calls.
//!
//! The library runs in a worker, where a call may wait for the device; `web/worker.js` takes messages there, and answers them.

use js_sys::{Array, Float32Array, Float64Array, Object, Reflect};
use quadrille::data::AnyStencil;
use quadrille::linalg::solve::{Options, Solver};
use quadrille::shader::Source;
use quadrille::{Extent, Texture};
use wasm_bindgen::prelude::*;

/// The device that the browser has chosen.
#[wasm_bindgen]
pub struct Context {
    context: quadrille::Context,
}

fn said(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

#[wasm_bindgen]
impl Context {
    /// Makes a context.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Context, JsError> {
        Ok(Context { context: quadrille::Context::headless().map_err(said)? })
    }

    /// The device, as its driver names it.
    #[wasm_bindgen(getter)]
    pub fn renderer(&self) -> String {
        self.context.abilities().renderer.clone()
    }

    /// The most texels along a side.
    #[wasm_bindgen(getter, js_name = maxTextureSize)]
    pub fn max_texture_size(&self) -> u32 {
        self.context.abilities().max_texture_size
    }

    /// Runs a fragment shader over `width` by `height` texels, with inputs by name, each of four floats for each texel;
    /// returns as many.
    pub fn run(
        &self,
        text: &str,
        width: u32,
        height: u32,
        inputs: &Object,
    ) -> Result<Float32Array, JsError> {
        let extent = Extent::new(width, height);
        let kernel = self.context.kernel(Source::fragment("shader", text)).map_err(said)?;
        let mut textures: Vec<(String, Texture<[f32; 4]>)> = Vec::new();
        for entry in Object::entries(inputs).iter() {
            let pair = Array::from(&entry);
            let name = pair.get(0).as_string().unwrap_or_default();
            let numbers = Float32Array::from(pair.get(1)).to_vec();
            if numbers.len() != 4 * extent.texels() {
                let expected = 4 * extent.texels();
                let text = format!(
                    "input {name}: expected {expected} floats, four for each of {width} x {height} texels, got {}",
                    numbers.len()
                );
                return Err(JsError::new(&text));
            }
            let texels: Vec<[f32; 4]> =
                numbers.chunks_exact(4).map(|four| [four[0], four[1], four[2], four[3]]).collect();
            textures.push((name, self.context.texture(extent, &texels).map_err(said)?));
        }
        let mut target = self.context.uninit::<[f32; 4]>(extent).map_err(said)?;
        let pass =
            textures.iter().fold(kernel.pass(), |pass, (name, texture)| pass.input(name, texture));
        pass.draw(&mut target).map_err(said)?;
        let texels = target.read().map_err(said)?;
        Ok(Float32Array::from(texels.as_flattened()))
    }

    /// Solves the system of a stencil, as `quadrille solve --stencil`, for a right-hand side, or ones.
    pub fn solve(
        &self,
        stencil: &str,
        tolerance: f64,
        b: Option<Vec<f64>>,
    ) -> Result<Object, JsError> {
        let stencil: AnyStencil = stencil.parse().map_err(said)?;
        let matrix = stencil.system().map_err(said)?;
        let b = b.unwrap_or_else(|| vec![1.0; matrix.n()]);
        let options = Options::new().tolerance(tolerance);
        let mut solver = Solver::of(&self.context, &matrix, options).map_err(said)?;
        let solution = solver.solve(&b).map_err(said)?;
        let result = Object::new();
        let set = |name: &str, value: JsValue| Reflect::set(&result, &name.into(), &value);
        let numbers = Float64Array::from(solution.x.as_slice());
        for (name, value) in [
            ("x", numbers.into()),
            ("iterations", (solution.iterations as f64).into()),
            ("residual", solution.residual.into()),
            ("converged", solution.converged().into()),
        ] {
            set(name, value).map_err(|error| JsError::new(&format!("{error:?}")))?;
        }
        Ok(result)
    }
}
