//! Whether the outputs of vertex shaders arrive in buffers.
//!
//! ANGLE on Direct3D 11 of wine captures outputs of four numbers; for those of fewer the buffer has
//! zeros, and nothing reports an error. No version or extension reveals it, so it is tried.

use crate::gl::{Buffer, Context, Element};
use crate::shader::{self, Source, Stage};
use crate::stream::{CaptureKernel, Result};

/// The points of the attempt.
const POINTS: usize = 3;

impl Context {
    /// Returns whether this device [captures](CaptureKernel) outputs of this type. It is tried at
    /// the first call, on three points.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    ///
    /// ```
    /// let context = quadrille::Context::headless()?;
    /// assert!(context.captures::<[f32; 4]>()?);
    /// # Ok::<(), quadrille::stream::Error>(())
    /// ```
    pub fn captures<T: Element>(&self) -> Result<bool> {
        if let Some(known) = self.known_captures().borrow().get(T::GLSL) {
            return Ok(*known);
        }
        let found = attempt::<T>(self)?;
        self.known_captures().borrow_mut().insert(T::GLSL, found);
        Ok(found)
    }
}

pub(super) fn source(glsl: &str) -> Result<Source, shader::Error> {
    Ok(Source::library(Stage::Vertex, "probe/captured.vert")?.define("TYPE", glsl))
}

fn attempt<T: Element>(context: &Context) -> Result<bool> {
    let kernel = CaptureKernel::new(context, &source(T::GLSL)?, "number")?;
    let mut numbers: Buffer<T> = context.buffer(&[T::zeroed(); POINTS])?;
    kernel.capture().run_untried(POINTS, &mut numbers)?;
    let got = numbers.read()?;
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&got);
    let is_float = matches!(T::GLSL, "float" | "vec2" | "vec4");
    let word = |point: usize| if is_float { (point as f32).to_bits() } else { point as u32 };
    Ok(words
        .chunks(words.len() / POINTS)
        .zip(1..)
        .all(|(of_point, point)| of_point.iter().all(|got| *got == word(point))))
}
