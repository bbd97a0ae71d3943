//! Transforms of any length, as convolutions (Bluestein 1970).
//!
//! Since 2 j k = j^2 + k^2 - (k - j)^2, a transform is a product with the chirp e^(-pi i j^2 / n), a
//! convolution with its conjugate, and the product with the chirp once more. The convolution is made
//! by transforms of a power of two. The chirp and its transform are computed on the host.

use std::cell::RefCell;

use crate::Shape;
use crate::gl::{self, Context};
use crate::grid::extent_of;
use crate::memory::{self, NoMemory};
use crate::stream::kept::made_once;
use crate::stream::{Error, Result};

use super::axis::Axis;
use super::host::{Complex, transform_on_host};
use super::maps::{Inputs, Maps, Roots, ShaderVariant, Texels};
use super::passes::{Factors, Passes, whole};
use super::plan;
use super::roots;
use super::table::{self, as_table, must_fit};

pub(super) struct Bluestein {
    axis: Axis,
    /// The axis of the convolution.
    longer: Axis,
    passes: Passes,
    chirp: Roots,
    spectrum: Roots,
    bound: f64,
    scratch: RefCell<Option<[Texels; 2]>>,
}

/// The passes of `glsl/fft/chirp.frag`.
#[derive(Clone, Copy)]
enum ChirpPass {
    Spread,
    Spectrum,
    Gather,
}

impl Bluestein {
    pub(super) fn new(context: &Context, axis: Axis) -> Result<Bluestein> {
        let n = axis.length;
        let longer = Axis { length: (2 * n - 1).next_power_of_two(), ..axis };
        must_fit(context, longer.total())?;
        let passes = Passes::of_power_of_two(longer, table::of_roots(context, longer.length)?);
        let m = longer.length;
        let spectrum = spectrum_of_chirp(n, m).map_err(gl::Error::from)?;
        let largest = spectrum.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max) * m as f64;
        let bound = largest / (n as f64).sqrt()
            * (2.0 * passes.bound() + 3.0 * plan::of_root_and_product(1));
        let spectrum = as_table(context, m, spectrum.into_iter())?;
        let chirp = as_table(context, n, (0..n).map(|k| chirp(k, n)))?;
        let scratch = RefCell::default();
        Ok(Bluestein { axis, longer, passes, chirp, spectrum, bound, scratch })
    }

    /// Returns a bound of the relative error: what the two transforms and three products lose of the
    /// numbers, times how much the spectrum enlarges that, beside the transform's own sqrt n.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    pub(super) fn run(
        &self,
        maps: &Maps,
        factors: Factors,
        x: &Texels,
        out: &mut Texels,
    ) -> Result<()> {
        let mut scratch = self.scratch.borrow_mut();
        let extent = extent_of(self.longer.total().div_ceil(2));
        let uninit = || maps.context().uninit(extent);
        let [a, b] = made_once(&mut scratch, || Ok::<_, Error>([uninit()?, uninit()?]))?;
        self.pass(maps, ChirpPass::Spread, factors, x, a)?;
        let convolved = self.convolve(maps, a, b)?;
        self.pass(maps, ChirpPass::Gather, factors, convolved, out)
    }

    /// Transforms, multiplies by the spectrum, and transforms the conjugates of that. Returns the
    /// texture of the result, which is one of the two.
    fn convolve<'a>(
        &self,
        maps: &Maps,
        mut from: &'a mut Texels,
        mut to: &'a mut Texels,
    ) -> Result<&'a Texels> {
        for pass in 0..self.passes.count() {
            self.passes.run(maps, pass, Factors::NONE, from, to)?;
            (from, to) = (to, from);
        }
        self.pass(maps, ChirpPass::Spectrum, Factors::NONE, from, to)?;
        (from, to) = (to, from);
        for pass in 0..self.passes.count() {
            self.passes.run(maps, pass, Factors::NONE, from, to)?;
            (from, to) = (to, from);
        }
        Ok(from)
    }

    fn pass(
        &self,
        maps: &Maps,
        pass: ChirpPass,
        factors: Factors,
        x: &Texels,
        out: &mut Texels,
    ) -> Result<()> {
        let (define, from, to, roots) = match pass {
            ChirpPass::Spread => ("SPREAD", self.axis, self.longer, &self.chirp),
            ChirpPass::Spectrum => ("SPECTRUM", self.longer, self.longer, &self.spectrum),
            ChirpPass::Gather => ("GATHER", self.longer, self.axis, &self.chirp),
        };
        let uniforms = [
            ("total", whole(to.total())),
            ("inner", whole(to.inner)),
            ("length_of_x", whole(from.length)),
            ("length_of_result", whole(to.length)),
            ("before", factors.before.into()),
            ("after", factors.after.into()),
        ];
        maps.run(&variant(define), Inputs::with_roots(x, roots), &uniforms, out)
    }
}

/// Returns the chirp at k of a transform of n numbers.
fn chirp(k: usize, n: usize) -> Complex {
    roots::root(k * k % (2 * n), 2 * n)
}

/// Returns the transform of the chirp's conjugates to both sides of 0, of m numbers, divided by m as
/// the inverse transform would divide.
fn spectrum_of_chirp(n: usize, m: usize) -> Result<Vec<Complex>, NoMemory> {
    let mut numbers: Vec<Complex> = memory::zeroed(m)?;
    for k in 0..n {
        let [x, y] = chirp(k, n);
        numbers[k] = [x, -y];
        numbers[(m - k) % m] = [x, -y];
    }
    transform_on_host(&mut numbers, Shape::new(1, m))?;
    numbers.iter_mut().for_each(|number| *number = number.map(|part| part / m as f64));
    Ok(numbers)
}

fn variant(pass: &'static str) -> ShaderVariant {
    ShaderVariant::new("fft/chirp.frag").defined(pass, 1)
}

/// Returns every variant of the passes.
pub(super) fn variants() -> Vec<ShaderVariant> {
    ["SPREAD", "SPECTRUM", "GATHER"].map(variant).to_vec()
}
