//! Operations on vectors of complex numbers, one by one: what stands between transforms.

use crate::gl::{Context, must_be};
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::{Engine, Result};

use super::fft::{Inputs, Maps, ShaderVariant, setup, whole};

/// Operations on vectors of complex numbers, whose real and imaginary parts take turns, of one
/// context.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Complex};
/// let context = Context::headless()?;
/// let complex = Complex::new(&context);
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 0.0, 1.0])?;
/// let mut y = DeviceVector::uninit(&context, 4)?;
/// complex.product(&x, &x, &mut y)?;
/// assert_eq!(y.read()?, [-3.0, 4.0, -1.0, 0.0]);
/// let mut parts = DeviceVector::uninit(&context, 2)?;
/// complex.imaginary(&y, &mut parts)?;
/// assert_eq!(parts.read()?, [4.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Complex {
    maps: Maps,
}

/// The operations of `glsl/fft/numbers.frag`.
const OPERATIONS: [&str; 7] =
    ["PRODUCT", "SCALE", "CONJUGATE", "TOGETHER", "REAL", "IMAGINARY", "MAGNITUDE"];

/// Those that give real numbers.
const OF_PARTS: &[&str] = OPERATIONS.split_at(4).1;

impl Complex {
    /// Creates the operations on the engine that is usually the fastest.
    pub fn new(context: &Context) -> Complex {
        Complex { maps: Maps::new(context, Engine::default_for(context)) }
    }

    /// Creates the operations on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Complex> {
        engine.must_run_on(context, "complex numbers by compute shaders")?;
        Ok(Complex { maps: Maps::new(context, engine) })
    }

    /// Computes the products of two vectors of complex numbers.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ, and errors of the
    /// device.
    pub fn product(
        &self,
        x: &DeviceVector,
        y: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        self.run("PRODUCT", x, Some(y), out, [x.len(), x.len(), x.len()])
    }

    /// Computes the products of complex numbers with real ones, of which there are half as many.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn scale(
        &self,
        x: &DeviceVector,
        factors: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        self.run("SCALE", x, Some(factors), out, [x.len(), x.len() / 2, x.len()])
    }

    /// Computes the conjugates.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn conjugate(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run("CONJUGATE", x, None, out, [x.len(), 0, x.len()])
    }

    /// Joins real and imaginary parts, of which there are equally many.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn together(
        &self,
        real: &DeviceVector,
        imaginary: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        let length = real.len();
        self.run("TOGETHER", real, Some(imaginary), out, [length, length, 2 * length])
    }

    /// Takes the real parts, half as many numbers.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn real(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run("REAL", x, None, out, [x.len(), 0, x.len() / 2])
    }

    /// Takes the imaginary parts.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn imaginary(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run("IMAGINARY", x, None, out, [x.len(), 0, x.len() / 2])
    }

    /// Computes the magnitudes, no square of which overflows.
    ///
    /// # Errors
    ///
    /// Those of [`product`](Self::product).
    pub fn magnitude(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run("MAGNITUDE", x, None, out, [x.len(), 0, x.len() / 2])
    }

    fn run(
        &self,
        operation: &'static str,
        x: &DeviceVector,
        y: Option<&DeviceVector>,
        out: &mut DeviceVector,
        lengths: [usize; 3],
    ) -> Result<()> {
        if let Some(y) = y {
            must_be(lengths[1], y.len(), "complex numbers: the second vector")?;
        }
        must_be(lengths[2], out.len(), "complex numbers: the results")?;
        let texels = lengths[2].max(lengths[0]);
        must_be(texels, texels & !1, "complex numbers: real and imaginary parts")?;
        must_be(1, x.panels().count().max(1), "complex numbers: textures for them")?;
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let y = y.and_then(|y| y.panel(0));
        let total = if OF_PARTS.contains(&operation) { lengths[2] } else { lengths[2] / 2 };
        let inputs = Inputs { y, ..Inputs::of(from) };
        self.maps.run(&variant(operation), inputs, &[("total", whole(total))], to)
    }
}

impl std::fmt::Debug for Complex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Complex({})", self.maps.engine())
    }
}

fn variant(operation: &'static str) -> ShaderVariant {
    ShaderVariant::new("fft/numbers.frag").defined(operation, 1)
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for operation in OPERATIONS {
        for engine in Engine::ALL {
            sources.push(variant(operation).source(setup(engine))?);
        }
    }
    Ok(sources)
}
