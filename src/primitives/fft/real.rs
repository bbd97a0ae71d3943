//! Transforms of real numbers, in rows.

use std::rc::Rc;

use crate::gl::{Context, must_be};
use crate::grid::DeviceVector;
use crate::stream::{Engine, Result};

use super::axis::Axis;
use super::maps::{Inputs, Maps, Roots, ShaderVariant};
use super::passes::whole;
use super::plan;
use super::table::{self, must_fit};
use super::transform::Fft;

/// Transforms rows of real numbers. Of the n complex results the first n / 2 + 1 say all, since the
/// others are conjugates of them: a row of the result has those.
///
/// An even row is transformed as half as many complex numbers.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::RealFft};
/// let context = Context::headless()?;
/// let fft = RealFft::new(&context, 1, 4)?;
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut y = DeviceVector::uninit(&context, 6)?;
/// fft.forward(&x, &mut y)?;
/// assert_eq!(y.read()?, [10.0, 0.0, -2.0, 2.0, -2.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RealFft {
    fft: Fft,
    rows: usize,
    length: usize,
    /// The roots of the order of an even length.
    roots: Rc<Roots>,
}

/// The conversions of `glsl/fft/real.frag`, between real and complex rows.
const CONVERSIONS: [&str; 6] = ["SPLIT", "JOIN", "COMPLEX", "FIRST", "MIRROR", "REAL"];

impl RealFft {
    /// Creates a transform of this many rows of this length, on the engine that is usually the
    /// fastest.
    ///
    /// # Errors
    ///
    /// Those of [`Fft::new`].
    pub fn new(context: &Context, rows: usize, length: usize) -> Result<RealFft> {
        RealFft::on(context, Engine::default_for(context), rows, length)
    }

    /// Creates a transform on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`Fft::on`].
    pub fn on(context: &Context, engine: Engine, rows: usize, length: usize) -> Result<RealFft> {
        let complex = if length.is_multiple_of(2) { length / 2 } else { length };
        must_fit(context, rows.saturating_mul(length / 2 + 1))?;
        let fft = Fft::on(context, engine, &[Axis::rows(rows, complex)])?;
        // Odd lengths have no use of them.
        let order = if length.is_multiple_of(2) { length.max(1) } else { 1 };
        let roots = table::half_of_roots(context, order)?;
        Ok(RealFft { fft, rows, length, roots })
    }

    /// Returns the complex numbers of a row of the result.
    pub fn half(&self) -> usize {
        self.length / 2 + 1
    }

    /// Transforms real numbers.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if x has not `rows * length` numbers or the
    /// result not twice `rows * (length / 2 + 1)`, and errors of the device.
    pub fn forward(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.must_have(x.len(), out.len())?;
        let (context, n, half) = (x.context(), self.length, self.half());
        if self.length.is_multiple_of(2) {
            let mut pairs = DeviceVector::uninit(context, x.len())?;
            self.fft.forward(x, &mut pairs)?;
            return self.convert("SPLIT", [n / 2, half], &pairs, out);
        }
        let mut complex = DeviceVector::uninit(context, 2 * x.len())?;
        let mut all = DeviceVector::uninit(context, 2 * x.len())?;
        self.convert("COMPLEX", [n, n], x, &mut complex)?;
        self.fft.forward(&complex, &mut all)?;
        self.convert("FIRST", [n, half], &all, out)
    }

    /// Transforms back: the inverse of [`forward`](Self::forward). Imaginary parts that a transform
    /// of real numbers does not have are ignored: those of the first number of a row, and of the last
    /// where the length is even.
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Self::forward).
    pub fn inverse(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.must_have(out.len(), x.len())?;
        let (context, n, half) = (x.context(), self.length, self.half());
        if self.length.is_multiple_of(2) {
            let mut pairs = DeviceVector::uninit(context, out.len())?;
            self.convert("JOIN", [half, n / 2], x, &mut pairs)?;
            return self.fft.inverse(&pairs, out);
        }
        let mut all = DeviceVector::uninit(context, 2 * out.len())?;
        let mut complex = DeviceVector::uninit(context, 2 * out.len())?;
        self.convert("MIRROR", [half, n], x, &mut all)?;
        self.fft.inverse(&all, &mut complex)?;
        self.convert("REAL", [n, n], &complex, out)
    }

    /// Returns a bound on the error of all results together: the root of the sum of their squared
    /// errors is at most this times that of the squares of the exact results, of which all n of each
    /// row count.
    pub fn error_bound(&self) -> f64 {
        self.fft.error_bound() + plan::of_split()
    }

    pub(super) fn maps(&self) -> &Maps {
        self.fft.maps()
    }

    fn must_have(&self, real: usize, complex: usize) -> Result<()> {
        let what = "a Fourier transform of real numbers";
        must_be(self.rows * self.length, real, format_args!("{what}: those"))?;
        let half = if self.length == 0 { 0 } else { 2 * self.rows * self.half() };
        Ok(must_be(half, complex, format_args!("{what}: the transform"))?)
    }

    /// Converts rows of the first of these lengths to rows of the second.
    fn convert(
        &self,
        conversion: &'static str,
        lengths: [usize; 2],
        x: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let uniforms = [
            ("total", whole(self.rows * lengths[1])),
            ("lengths", lengths.map(|length| length as i32).into()),
        ];
        let inputs = Inputs::with_roots(from, &self.roots);
        self.maps().run(&variant(conversion), inputs, &uniforms, to)
    }
}

fn variant(conversion: &'static str) -> ShaderVariant {
    ShaderVariant::new("fft/real.frag").defined(conversion, 1)
}

/// Returns every variant of the conversions.
pub(super) fn variants() -> Vec<ShaderVariant> {
    CONVERSIONS.map(variant).to_vec()
}
