//! The solver on the device: its setup, and its steps.

use bytemuck::cast_slice;

use crate::Extent;
use crate::data::{Band, NineBanded};
use crate::gl::{AnyTexture, Context, Texel, Texture, Value};
use crate::memory;
use crate::pack::{Rows, channel, interleave};
use crate::stream::reduce::Reducer;
use crate::stream::{LineDirection, PingPong, facts};

use super::bands::Bands;
use super::extent::extent;
use super::kernels::{Part, Quantity, Uniforms, build};
use super::tuned::Choice;
use super::{Error, Layout, Optimization, ResolvedVariant, Shape, Variant};

/// A nine-banded system on the device, to be solved for any number of right-hand sides.
pub struct Jacobi {
    pub(super) context: Context,
    chosen: ResolvedVariant,
    shape: Shape,
    /// The host's matrices, for the reported residual. Clones share their entries.
    pub(super) systems: Vec<NineBanded>,
    n: usize,
    rows: Rows,
    bands: Bands,
    x: Iterate,
    step: Vec<Part>,
    residual: Vec<Part>,
    reducer: Reducer,
    /// The factor of the residual of each system, which keeps its squares in range.
    scales: Vec<f32>,
    pub(super) first_not_dominant: Option<usize>,
    /// The direction of the lines at the boundaries, for the optimizations that have them; quads if no lines cover
    /// them.
    lines: Option<Option<LineDirection>>,
}

/// The two textures of x, by what the layout holds in a texel.
enum Iterate {
    One(PingPong<f32>),
    Four(PingPong<[f32; 4]>),
}

impl Jacobi {
    /// Puts one system on the device: `matrix` has `n` unknowns in rows of `m`, the width of the grid.
    ///
    /// Jacobi's iteration converges for every right-hand side if the matrix is strictly diagonally dominant:
    /// in each row the magnitude of the diagonal exceeds the sum of the others. It may converge for others;
    /// [`solve`](Jacobi::solve) reports divergence.
    ///
    /// # Errors
    ///
    /// Those of [`with_systems`](Jacobi::with_systems); [`Error::Systems`] for the layout `rgba`, which takes
    /// four systems: see [`Jacobi::new_four`].
    pub fn new(
        context: &Context,
        matrix: &NineBanded,
        variant: impl Into<Variant>,
    ) -> Result<Jacobi, Error> {
        Jacobi::with_systems(context, &[matrix], variant)
    }

    /// Puts four systems of one shape on the device, one in each channel (layout `rgba`).
    ///
    /// # Errors
    ///
    /// Those of [`with_systems`](Jacobi::with_systems).
    pub fn new_four(
        context: &Context,
        systems: [&NineBanded; 4],
        variant: impl Into<Variant>,
    ) -> Result<Jacobi, Error> {
        let variant = variant.into();
        let layout = variant.layout.unwrap_or(Layout::Rgba);
        Jacobi::with_systems(context, &systems, variant.layout(layout))
    }

    /// Puts as many systems on the device as the layout solves at once.
    ///
    /// # Errors
    ///
    /// [`Error::Systems`] and [`Error::Unlike`] if the number of systems or their shapes do not fit;
    /// [`Error::ZeroDiagonal`] and [`Error::Diagonal`] if a diagonal entry or its reciprocal is not a normal
    /// 32-bit float; those of [`Variant::resolve`]; [`Error::FloorInexact`] if the device cannot find
    /// neighbours by `floor` at this size; and errors of the device.
    pub fn with_systems(
        context: &Context,
        systems: &[&NineBanded],
        variant: impl Into<Variant>,
    ) -> Result<Jacobi, Error> {
        let variant = variant.into();
        let tuned =
            systems.first().and_then(|first| Choice::tuned(context, variant, first.n(), first.m()));
        let shape = tuned.map_or_else(|| Shape::of(context.abilities()), |tuned| tuned.shape);
        Jacobi::with_shape(context, systems, variant, shape)
    }

    /// As [`with_systems`](Jacobi::with_systems), with another shape of the compute stage than the device's own.
    #[doc(hidden)]
    pub fn with_shape(
        context: &Context,
        systems: &[&NineBanded],
        variant: impl Into<Variant>,
        shape: Shape,
    ) -> Result<Jacobi, Error> {
        let variant = variant.into();
        let [first, ..] = systems else {
            let layout = variant.layout.unwrap_or(Layout::Packed);
            return Err(Error::Systems { layout, expected: layout.systems(), got: 0 });
        };
        let (n, m) = (first.n(), first.m());
        let chosen = variant.resolve(context, n, m)?;
        check(systems, chosen.layout)?;
        let rows = chosen.layout.rows(m);
        let extent = extent(context.abilities(), chosen.layout, n, m)?;
        let computes = chosen.optimization == Optimization::Compute;
        let wraps_by_floor =
            !computes && (chosen.optimization < Optimization::Boundary || extent.width < 2);
        if wraps_by_floor {
            must_index_exactly(context, n, m, extent)?;
        }
        let lines = match computes || wraps_by_floor {
            true => None,
            false => Some(facts::covering_lines(context, extent)?),
        };
        let kernels = |quantity| build(context, chosen, shape, extent, lines.flatten(), quantity);
        let x = match chosen.layout.channels() {
            1 => Iterate::One(pair(context, extent)?),
            _ => Iterate::Four(pair(context, extent)?),
        };
        Ok(Jacobi {
            context: context.clone(),
            chosen,
            shape,
            systems: systems.iter().map(|system| (*system).clone()).collect(),
            n,
            rows,
            bands: Bands::new(context, systems, chosen, rows, extent, computes && shape.panels)?,
            x,
            step: kernels(Quantity::NextX)?,
            residual: kernels(Quantity::Residual)?,
            scales: vec![1.0; systems.len()],
            reducer: Reducer::new(context),
            first_not_dominant: systems.iter().find_map(|system| system.first_not_dominant_row()),
            lines,
        })
    }

    /// Compiles all that [`Jacobi::solve`] needs, so that its times exclude it: most drivers compile at the first
    /// draw. It overwrites the right-hand sides and x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn warm_up(&mut self) -> Result<(), Error> {
        let zeros = memory::zeroed(self.n)?;
        let systems = vec![zeros.as_slice(); self.chosen.layout.systems()];
        self.set_systems(&systems, &systems)?;
        self.iterate(1)?;
        self.residual_norms()?;
        Ok(self.context.finish()?)
    }

    /// The variant that runs.
    pub fn variant(&self) -> ResolvedVariant {
        self.chosen
    }

    /// What runs, as the text of a tuned choice.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        Choice { variant: self.chosen, shape: self.shape }.to_string()
    }

    /// Texts of tuned choices for one system that this context can run.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        Choice::all(context.abilities()).iter().map(ToString::to_string).collect()
    }

    /// The number of unknowns of each system.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Whether boundaries are drawn as lines: `None` for optimizations without boundaries, false if neither upward
    /// nor downward lines cover them exactly and quads one texel wide are drawn instead.
    pub fn draws_lines(&self) -> Option<bool> {
        self.lines.map(|direction| direction.is_some())
    }

    /// Uploads the right-hand side and the initial guess of each system.
    ///
    /// # Errors
    ///
    /// [`Error::Systems`], [`Error::Length`] and [`Error::NotFinite`] if the vectors do not fit the systems, and errors of
    /// the device.
    pub fn set_systems(&mut self, rhs: &[&[f32]], x0: &[&[f32]]) -> Result<(), Error> {
        self.check(rhs, x0)?;
        self.send(rhs, x0)
    }

    /// As [`set_systems`](Jacobi::set_systems), for vectors that were checked.
    pub(super) fn send(&mut self, rhs: &[&[f32]], x0: &[&[f32]]) -> Result<(), Error> {
        self.bands.set_rhs(self.rows, rhs)?;
        self.scales = rhs.iter().map(|rhs| scale_of(largest(rhs))).collect();
        let lay = |x: &&[f32]| self.rows.pack(x, 0.0);
        let mut laid = x0.iter().map(lay).collect::<Result<Vec<_>, _>>()?;
        let texels = match laid.len() {
            1 => laid.swap_remove(0),
            _ => interleave(&laid.iter().map(Vec::as_slice).collect::<Vec<_>>())?,
        };
        match &mut self.x {
            Iterate::One(x) => x.newest_mut().write(&texels)?,
            Iterate::Four(x) => x.newest_mut().write(cast_slice(&texels))?,
        }
        Ok(())
    }

    pub(super) fn check(&self, rhs: &[&[f32]], x0: &[&[f32]]) -> Result<(), Error> {
        self.check_vectors("the right-hand side", rhs)?;
        self.check_vectors("the start", x0)
    }

    fn check_vectors(&self, what: &'static str, vectors: &[&[f32]]) -> Result<(), Error> {
        let (layout, expected) = (self.chosen.layout, self.chosen.layout.systems());
        if vectors.len() != expected {
            return Err(Error::Systems { layout, expected, got: vectors.len() });
        }
        for vector in vectors {
            if vector.len() != self.n {
                return Err(Error::Length { what, expected: self.n, got: vector.len() });
            }
            if let Some((index, value)) = vector.iter().enumerate().find(|(_, v)| !v.is_finite()) {
                return Err(Error::NotFinite { what, value: *value, index });
            }
        }
        Ok(())
    }

    /// Runs this number of steps, without transfers between host and device.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn iterate(&mut self, steps: u64) -> Result<(), Error> {
        let uniforms = Uniforms { last_lane: self.rows.last_lane() as i32, scale: None };
        let (parts, bands) = (&self.step, &self.bands);
        for _ in 0..steps {
            match &mut self.x {
                Iterate::One(x) => x.step(|old, new| run(parts, bands, &uniforms, old, new)),
                Iterate::Four(x) => x.step(|old, new| run(parts, bands, &uniforms, old, new)),
            }?;
        }
        Ok(())
    }

    /// The 2-norm of b - A x of each system in the device's arithmetic: the residual in 32-bit floats, its norm as
    /// [`Reducer::norms`](crate::stream::reduce::Reducer::norms). It uses the texture that the next step writes.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn residual_norms(&mut self) -> Result<Vec<f64>, Error> {
        let mut norms = self.scaled_norms()?;
        // Squares of much smaller or larger values are lost; a NaN stays one.
        if norms.iter().any(|norm| *norm < 1e-12 || *norm > 1e12) {
            self.rescale()?;
            norms = self.scaled_norms()?;
        }
        Ok(norms.iter().zip(&self.scales).map(|(norm, scale)| norm / f64::from(*scale)).collect())
    }

    fn scaled_norms(&mut self) -> Result<Vec<f64>, Error> {
        let norms = self.of_residual(Reducer::norms)?;
        if self.chosen.layout == Layout::Rgba {
            return Ok(norms);
        }
        Ok(vec![norms.iter().map(|norm| norm * norm).sum::<f64>().sqrt()])
    }

    /// Scales the residual by its largest magnitude.
    fn rescale(&mut self) -> Result<(), Error> {
        let rgba = self.chosen.layout == Layout::Rgba;
        for scale in &mut self.scales {
            *scale = 1.0;
        }
        let magnitudes = self.of_residual(Reducer::magnitudes)?;
        self.scales = match rgba {
            // Magnitudes are floats, so nothing is rounded.
            true => magnitudes.into_iter().map(|magnitude| scale_of(magnitude as f32)).collect(),
            false => vec![scale_of(magnitudes.into_iter().fold(0.0, f64::max) as f32)],
        };
        Ok(())
    }

    /// Draws the scaled residual into the other texture of x and reduces each of its channels.
    fn of_residual(
        &mut self,
        reduce: impl FnOnce(&Reducer, &dyn AnyTexture) -> Result<Vec<f64>, crate::stream::Error>,
    ) -> Result<Vec<f64>, Error> {
        let scale = match self.scales.as_slice() {
            &[a, b, c, d] => Value::Vec4([a, b, c, d]),
            &[one, ..] if self.chosen.layout == Layout::Packed => Value::Vec4([one; 4]),
            scales => Value::Float(scales.first().copied().unwrap_or(1.0)),
        };
        let last_lane = self.rows.last_lane() as i32;
        let uniforms = Uniforms { last_lane, scale: Some(scale) };
        let (parts, bands, reducer) = (&self.residual, &self.bands, &self.reducer);
        match &mut self.x {
            Iterate::One(x) => x.with_scratch(|old, new| {
                run(parts, bands, &uniforms, old, new)?;
                Ok(reduce(reducer, new)?)
            }),
            Iterate::Four(x) => x.with_scratch(|old, new| {
                run(parts, bands, &uniforms, old, new)?;
                Ok(reduce(reducer, new)?)
            }),
        }
    }

    /// Reads x of each system.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn read(&self) -> Result<Vec<Vec<f32>>, Error> {
        let texels: Vec<f32> = match &self.x {
            Iterate::One(x) => x.newest().read()?,
            Iterate::Four(x) => bytemuck::cast_vec(x.newest().read()?),
        };
        if self.chosen.layout != Layout::Rgba {
            return Ok(vec![self.rows.unpack(&texels, self.n)?]);
        }
        let system = |i| Ok(self.rows.unpack(&channel(&texels, 4, i)?, self.n)?);
        (0..4).map(system).collect()
    }
}

fn pair<T: Texel>(context: &Context, extent: Extent) -> Result<PingPong<T>, crate::gl::Error> {
    PingPong::new(context.uninit(extent)?, context.uninit(extent)?)
}

/// The largest magnitude.
pub(super) fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, number| most.max(number.abs()))
}

/// The power of two that scales a magnitude near 1, which rounds nothing; 1 for 0, infinity and NaN.
pub(super) fn scale_of(magnitude: f32) -> f32 {
    if !(magnitude > 0.0 && magnitude.is_finite()) {
        return 1.0;
    }
    // The exponent alone; within these ends its reciprocal is a normal number too.
    let power = f32::from_bits(magnitude.to_bits() & 0x7f80_0000);
    power.clamp(f32::MIN_POSITIVE, f32::MIN_POSITIVE.recip()).recip()
}

/// Runs all parts of a step.
fn run<T: Texel>(
    parts: &[Part],
    bands: &Bands,
    uniforms: &Uniforms,
    old: &Texture<T>,
    new: &mut Texture<T>,
) -> Result<(), Error> {
    parts.iter().try_for_each(|part| part.run(bands, uniforms, old, new))
}

/// Refuses systems that the layout cannot hold, or that Jacobi cannot solve.
fn check(systems: &[&NineBanded], layout: Layout) -> Result<(), Error> {
    let expected = layout.systems();
    if systems.len() != expected {
        return Err(Error::Systems { layout, expected, got: systems.len() });
    }
    let (n, m) = systems.first().map_or((0, 0), |first| (first.n(), first.m()));
    for (which, system) in systems.iter().enumerate() {
        let (other_n, other_m) = (system.n(), system.m());
        if (n, m) != (other_n, other_m) {
            return Err(Error::Unlike { which, n, m, other_n, other_m });
        }
        if let Some(row) = system.first_zero_diagonal() {
            return Err(Error::ZeroDiagonal { row });
        }
        let mut diagonal = system.band(Band::DD).iter().enumerate();
        if let Some((row, value)) = diagonal.find(|(_, value)| !DIAGONAL.contains(&value.abs())) {
            return Err(Error::Diagonal { row, value: *value });
        }
    }
    Ok(())
}

/// Magnitudes of diagonal entries that are normal floats with normal reciprocals: devices may take others for zero.
const DIAGONAL: std::ops::RangeInclusive<f32> = f32::MIN_POSITIVE..=1.0 / f32::MIN_POSITIVE;

fn must_index_exactly(context: &Context, n: usize, m: usize, extent: Extent) -> Result<(), Error> {
    let wrong = facts::misplaced_by_floor(context, extent)?;
    if wrong == 0 { Ok(()) } else { Err(Error::FloorInexact { n, m, wrong }) }
}
