//! Sine and cosine transforms, and Hartley's, in rows.

use std::rc::Rc;

use crate::gl::{Context, Error as GlError, must_be};
use crate::grid::DeviceVector;
use crate::stream::{Engine, Result};

use super::maps::{Inputs, Roots, ShaderVariant};
use super::passes::whole;
use super::plan;
use super::real::RealFft;
use super::table;

/// Which sine or cosine transform, as SciPy and FFTW define them, or Hartley's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trigonometric {
    /// The cosine transform of type I: x\[0\] + (-1)^k x\[n - 1\], and twice the sum of x\[j\]
    /// cos(pi j k / (n - 1)) of the others; of two numbers or more.
    Cosine1,
    /// The cosine transform of type II: twice the sum of x\[j\] cos(pi k (2 j + 1) / 2 n).
    Cosine2,
    /// The sine transform of type I: twice the sum of x\[j\] sin(pi (j + 1) (k + 1) / (n + 1)).
    Sine1,
    /// The sine transform of type II: twice the sum of x\[j\] sin(pi (k + 1) (2 j + 1) / 2 n).
    Sine2,
    /// The transform of Hartley (1942): the sum of x\[j\] (cos(2 pi j k / n) + sin(2 pi j k / n)).
    Hartley,
}

/// Transforms rows of real numbers by sines or cosines.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::{TrigonometricFft, Trigonometric}};
/// let context = Context::headless()?;
/// let cosines = TrigonometricFft::new(&context, Trigonometric::Cosine1, 1, 3)?;
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 3.0])?;
/// let mut y = DeviceVector::uninit(&context, 3)?;
/// cosines.forward(&x, &mut y)?;
/// assert_eq!(y.read()?, [8.0, -2.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrigonometricFft {
    kind: Trigonometric,
    rows: usize,
    length: usize,
    real: RealFft,
    /// The numbers of a row that is transformed.
    extended: usize,
    /// The quarter of the roots of the order 4 n.
    roots: Rc<Roots>,
}

impl Trigonometric {
    /// The list of all transforms.
    pub const ALL: [Trigonometric; 5] = [
        Trigonometric::Cosine1,
        Trigonometric::Cosine2,
        Trigonometric::Sine1,
        Trigonometric::Sine2,
        Trigonometric::Hartley,
    ];

    fn define(self) -> &'static str {
        match self {
            Trigonometric::Cosine1 => "COSINE_1",
            Trigonometric::Cosine2 => "COSINE_2",
            Trigonometric::Sine1 => "SINE_1",
            Trigonometric::Sine2 => "SINE_2",
            Trigonometric::Hartley => "HARTLEY",
        }
    }

    /// Returns whether its inverse is itself but for a factor, as of type I.
    fn is_own_inverse(self) -> bool {
        use Trigonometric::{Cosine1, Hartley, Sine1};
        matches!(self, Cosine1 | Sine1 | Hartley)
    }

    fn extended(self, length: usize) -> usize {
        match self {
            Trigonometric::Cosine1 => 2 * length.saturating_sub(1),
            Trigonometric::Sine1 => 2 * (length + 1),
            _ => length,
        }
    }
}

impl TrigonometricFft {
    /// Creates a transform of this many rows of this length, on the engine that is usually the
    /// fastest.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) for a cosine transform of type I of one
    /// number, and those of [`Fft::new`](super::Fft::new).
    pub fn new(
        context: &Context,
        kind: Trigonometric,
        rows: usize,
        length: usize,
    ) -> Result<TrigonometricFft> {
        TrigonometricFft::on(context, Engine::default_for(context), kind, rows, length)
    }

    /// Creates a transform on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks the engine.
    pub fn on(
        context: &Context,
        engine: Engine,
        kind: Trigonometric,
        rows: usize,
        length: usize,
    ) -> Result<TrigonometricFft> {
        if kind == Trigonometric::Cosine1 && length == 1 {
            let what = "a cosine transform of type I, which is of two numbers or more".to_owned();
            return Err(GlError::Length { what, expected: 2, got: 1 }.into());
        }
        let extended = if length == 0 { 0 } else { kind.extended(length) };
        let real = RealFft::on(context, engine, rows, extended)?;
        let roots = table::quarter(context, length.max(1))?;
        Ok(TrigonometricFft { kind, rows, length, real, extended, roots })
    }

    /// Transforms.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if x or the result has not `rows * length`
    /// numbers, and errors of the device.
    pub fn forward(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run(1.0, x, out)
    }

    /// Transforms back: the inverse of [`forward`](Self::forward).
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Self::forward).
    pub fn inverse(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        if self.kind.is_own_inverse() {
            return self.run(1.0 / self.extended as f64, x, out);
        }
        self.must_have(x, out)?;
        let (n, half) = (self.length, self.real.half());
        let mut transform = DeviceVector::uninit(x.context(), 2 * self.rows * half)?;
        let mut numbers = DeviceVector::uninit(x.context(), x.len())?;
        self.pass("BEGIN", [n, half], 1.0, x, &mut transform)?;
        self.real.inverse(&transform, &mut numbers)?;
        self.pass("RESTORE", [n, n], 1.0, &numbers, out)
    }

    /// Returns a bound on the error of all results together: the root of the sum of their squared
    /// errors is at most this times the root of the sum of the squares of the numbers.
    pub fn error_bound(&self) -> f64 {
        // The norm of what is transformed is sqrt 2 times that of x at most, that of its transform
        // sqrt of its length times as large; of type II each number counts twice.
        let norm = match self.kind.is_own_inverse() {
            true => (2.0 * self.extended as f64).sqrt(),
            false => 2.0 * (self.length as f64).sqrt(),
        };
        norm * (self.real.error_bound() + plan::of_split())
    }

    /// Returns the same bound of [`inverse`](Self::inverse).
    pub fn error_bound_of_inverse(&self) -> f64 {
        match self.kind.is_own_inverse() {
            true => self.error_bound() / self.extended as f64,
            // The transform's norm is sqrt of a half of that of the numbers.
            false => {
                (self.real.error_bound() + plan::of_split()) / (2.0 * self.length as f64).sqrt()
            }
        }
    }

    fn run(&self, scale: f64, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.must_have(x, out)?;
        if x.is_empty() {
            return Ok(());
        }
        let (context, n, half) = (x.context(), self.length, self.real.half());
        let mut transform = DeviceVector::uninit(context, 2 * self.rows * half)?;
        match self.kind {
            Trigonometric::Hartley => self.real.forward(x, &mut transform)?,
            _ => {
                let mut numbers = DeviceVector::uninit(context, self.rows * self.extended)?;
                self.pass("EXTEND", [n, self.extended], 1.0, x, &mut numbers)?;
                self.real.forward(&numbers, &mut transform)?;
            }
        }
        self.pass("FINISH", [half, n], scale, &transform, out)
    }

    fn must_have(&self, x: &DeviceVector, out: &DeviceVector) -> Result<()> {
        let expected = self.rows * self.length;
        must_be(expected, x.len(), "a sine or cosine transform: the numbers")?;
        Ok(must_be(expected, out.len(), "a sine or cosine transform: the results")?)
    }

    /// Makes rows of the second of these lengths from rows of the first, before or after the transform of real rows: a
    /// pass of `glsl/fft/trigonometric.frag`.
    fn pass(
        &self,
        pass: &'static str,
        lengths: [usize; 2],
        scale: f64,
        x: &DeviceVector,
        out: &mut DeviceVector,
    ) -> Result<()> {
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let uniforms = [
            ("total", whole(self.rows * lengths[1])),
            ("lengths", lengths.map(|length| length as i32).into()),
            ("length_of_row", whole(self.length)),
            ("scale", scale.into()),
        ];
        let inputs = Inputs::with_roots(from, &self.roots);
        self.real.maps().run(&variant(self.kind, pass), inputs, &uniforms, to)
    }
}

fn variant(kind: Trigonometric, pass: &'static str) -> ShaderVariant {
    ShaderVariant::new("fft/trigonometric.frag").defined(kind.define(), 1).defined(pass, 1)
}

/// Returns every variant of the passes.
pub(super) fn variants() -> Vec<ShaderVariant> {
    let mut variants = Vec::new();
    for kind in Trigonometric::ALL {
        variants.push(variant(kind, "FINISH"));
        if kind != Trigonometric::Hartley {
            variants.push(variant(kind, "EXTEND"));
        }
        if !kind.is_own_inverse() {
            variants.extend(["BEGIN", "RESTORE"].map(|pass| variant(kind, pass)));
        }
    }
    variants
}
