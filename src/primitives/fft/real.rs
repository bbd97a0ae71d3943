//! Transforms of real numbers, in rows.

use std::rc::Rc;

use crate::gl::Context;
use crate::grid::{DeviceVector, row_shift};
use crate::stream::{Engine, Result};

use super::axis::Axis;
use super::maps::{Inputs, Maps, Roots, ShaderVariant};
use super::passes::whole;
use super::plan;
use super::table::{self, must_be, must_fit};
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
#[derive(Clone, Copy)]
enum Conversion {
    Split,
    Join,
    Complex,
    First,
    Mirror,
    Real,
}

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
        let context = x.context();
        if self.length.is_multiple_of(2) {
            let mut pairs = DeviceVector::uninit(context, x.len())?;
            self.fft.forward(x, &mut pairs)?;
            return self.convert(Conversion::Split, &pairs, out);
        }
        let mut complex = DeviceVector::uninit(context, 2 * x.len())?;
        let mut all = DeviceVector::uninit(context, 2 * x.len())?;
        self.convert(Conversion::Complex, x, &mut complex)?;
        self.fft.forward(&complex, &mut all)?;
        self.convert(Conversion::First, &all, out)
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
        let context = x.context();
        if self.length.is_multiple_of(2) {
            let mut pairs = DeviceVector::uninit(context, out.len())?;
            self.convert(Conversion::Join, x, &mut pairs)?;
            return self.fft.inverse(&pairs, out);
        }
        let mut all = DeviceVector::uninit(context, 2 * out.len())?;
        let mut complex = DeviceVector::uninit(context, 2 * out.len())?;
        self.convert(Conversion::Mirror, x, &mut all)?;
        self.fft.inverse(&all, &mut complex)?;
        self.convert(Conversion::Real, &complex, out)
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
        must_be(self.rows * self.length, real, &format!("{what}: those"))?;
        let half = if self.length == 0 { 0 } else { 2 * self.rows * self.half() };
        must_be(half, complex, &format!("{what}: the transform"))
    }

    fn convert(
        &self,
        conversion: Conversion,
        x: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        let (n, half) = (self.length, self.half());
        let lengths = match conversion {
            Conversion::Split => [n / 2, half],
            Conversion::Join => [half, n / 2],
            Conversion::Complex | Conversion::Real => [n, n],
            Conversion::First => [n, half],
            Conversion::Mirror => [half, n],
        };
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let uniforms = [
            ("shift", row_shift(from.extent()).into()),
            ("shift_of_roots", row_shift(self.roots.extent()).into()),
            ("shift_of_result", row_shift(to.extent()).into()),
            ("total", whole(self.rows * lengths[1])),
            ("lengths", lengths.map(|length| length as i32).into()),
        ];
        let inputs = Inputs::with_roots(from, &self.roots);
        self.maps().run(&variant(conversion), inputs, &uniforms, to)
    }
}

fn variant(conversion: Conversion) -> ShaderVariant {
    let define = match conversion {
        Conversion::Split => "SPLIT",
        Conversion::Join => "JOIN",
        Conversion::Complex => "COMPLEX",
        Conversion::First => "FIRST",
        Conversion::Mirror => "MIRROR",
        Conversion::Real => "REAL",
    };
    ShaderVariant::new("fft/real.frag").defined(define, 1)
}

/// Returns every variant of the conversions.
pub(super) fn variants() -> Vec<ShaderVariant> {
    let all = [
        Conversion::Split,
        Conversion::Join,
        Conversion::Complex,
        Conversion::First,
        Conversion::Mirror,
        Conversion::Real,
    ];
    all.map(variant).to_vec()
}
