//! The solver on the device: its setup, and its steps.

use crate::data::pack::channel;
use crate::data::{Band, Block, NineBanded};
use crate::gl::{AnyTexture, Context, Value};
use crate::grid::{self, Halo, Plan};
use crate::stream::reduce::Reducer;
use crate::{Rectangle, memory, stream};

use super::panel::iterate::{Iterate, Textures};
use super::panel::kernels::{Inputs, Part};
use super::panel::scale::{largest, scale_of};
use super::panel::{Panel, Region, extent, panels};
use super::variant::tuned::Choice;
use super::{ComputeShape, Error, Layout, ResolvedVariant, Result, Variant};

/// A nine-banded system on the device, to be solved for any number of right-hand sides.
///
/// A system of any size is cut into panels that the device's textures hold: strips of rows, or
/// blocks where rows are too long and their ends are not coupled. Every unknown is computed by the
/// same expression, whatever panel it is in: the iterates have the bits of one texture on a device
/// that rounds the expressions of all shaders of a stage alike, as llvmpipe does, and are within
/// the bounds of rounding on any.
pub struct Jacobi {
    pub(super) context: Context,
    chosen: ResolvedVariant,
    shape: ComputeShape,
    /// The host's matrices, for the reported residual. Clones share their entries.
    pub(super) systems: Vec<NineBanded>,
    pub(super) plan: Plan,
    pub(super) panels: Vec<Panel>,
    pub(super) x: Box<dyn Iterate>,
    /// The steps that can follow before halos are filled again.
    pub(super) fresh: usize,
    reducer: Reducer,
    /// The factor of the residual of each system, which keeps its squares in range.
    scales: Vec<f32>,
    pub(super) first_not_dominant: Option<usize>,
    lines: Option<bool>,
}

impl Jacobi {
    /// Puts one system on the device: `matrix` has `n` unknowns in rows of `m`, the width of the
    /// grid.
    ///
    /// Jacobi's iteration converges for every right-hand side if the matrix is strictly diagonally
    /// dominant: in each row the magnitude of the diagonal exceeds the sum of the others. It may
    /// converge for others; [`solve`](Jacobi::solve) reports divergence.
    ///
    /// # Errors
    ///
    /// Those of [`with_systems`](Jacobi::with_systems); [`Error::Systems`] for the layout `rgba`,
    /// which takes four systems.
    pub fn new(
        context: &Context,
        matrix: &NineBanded,
        variant: impl Into<Variant>,
    ) -> Result<Jacobi> {
        Jacobi::with_systems(context, &[matrix], variant)
    }

    /// Puts as many systems on the device as the layout solves at once.
    ///
    /// # Errors
    ///
    /// [`Error::Systems`] and [`Error::Unlike`] if the number of systems or their shapes do not
    /// fit; [`Error::ZeroDiagonal`] and [`Error::Diagonal`] if a diagonal entry or its reciprocal
    /// is not a normal 32-bit float; those of [`Variant::resolve`]; [`Error::FloorInexact`] if the
    /// device cannot find neighbours by `floor` at this size; and errors of the device.
    pub fn with_systems(
        context: &Context,
        systems: &[&NineBanded],
        variant: impl Into<Variant>,
    ) -> Result<Jacobi> {
        let variant = variant.into();
        Jacobi::with_shape(context, systems, variant, Choice::shape(context, variant, systems))
    }

    /// Puts systems on the device as [`with_systems`](Jacobi::with_systems) does, with another
    /// shape of the compute stage than the device's own.
    ///
    /// # Errors
    ///
    /// Those of [`with_systems`](Jacobi::with_systems).
    pub fn with_shape(
        context: &Context,
        systems: &[&NineBanded],
        variant: impl Into<Variant>,
        shape: ComputeShape,
    ) -> Result<Jacobi> {
        let across_ends = systems.iter().any(|system| system.couples_across_ends());
        let halo = Halo { steps: 1, across_ends };
        Jacobi::in_part(context, systems, variant.into(), shape, None, halo)
    }

    /// Does the work of [`with_shape`](Jacobi::with_shape). With `block`, only this block of the
    /// systems is solved, and the rest of what is stored is its halo.
    pub(super) fn in_part(
        context: &Context,
        systems: &[&NineBanded],
        variant: Variant,
        shape: ComputeShape,
        block: Option<&Block>,
        halo: Halo,
    ) -> Result<Jacobi> {
        systems.iter().try_for_each(|system| system.store())?;
        let [first, ..] = systems else {
            let layout = variant.layout.unwrap_or(Layout::Packed);
            return Err(Error::Systems { layout, expected: layout.systems(), got: 0 });
        };
        let (n, m) = (first.n(), first.m());
        let chosen = variant.resolve_for(context, first)?;
        check(systems, chosen.layout)?;
        let plan = extent::panels(context.abilities(), chosen.layout, (n, m), block, halo)?;
        let (panels, lines) = panels(context, systems, chosen, shape, &plan)?;
        let extents = plan.parts().iter().map(grid::Part::extent);
        let x: Box<dyn Iterate> = match chosen.layout.channels() {
            1 => Box::new(Textures::<f32>::new(context, extents)?),
            _ => Box::new(Textures::<[f32; 4]>::new(context, extents)?),
        };
        Ok(Jacobi {
            context: context.clone(),
            chosen,
            shape,
            systems: systems.iter().map(|system| (*system).clone()).collect(),
            plan,
            panels,
            x,
            fresh: 0,
            scales: vec![1.0; systems.len()],
            reducer: Reducer::new(context),
            first_not_dominant: systems.iter().find_map(|system| system.first_not_dominant_row()),
            lines,
        })
    }

    /// Compiles all that [`Jacobi::solve`] needs, so that its times exclude it: most drivers
    /// compile at the first draw. It overwrites the right-hand sides and x.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn warm_up(&mut self) -> Result<()> {
        let zeros = memory::zeroed(self.n())?;
        let systems = vec![zeros.as_slice(); self.chosen.layout.systems()];
        self.set_systems(&systems, &systems)?;
        self.iterate(1)?;
        self.residual_norms()?;
        Ok(self.context.finish()?)
    }

    /// Returns the variant that runs.
    pub fn variant(&self) -> ResolvedVariant {
        self.chosen
    }

    /// Returns the variant and the shape of the compute stage as text, as a tuned choice is stored.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        Choice { variant: self.chosen, shape: self.shape }.to_string()
    }

    /// Returns the texts of tuned choices for one system that this context can run.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        Choice::all(context.abilities()).iter().map(ToString::to_string).collect()
    }

    /// Returns the number of unknowns of each system.
    pub fn n(&self) -> usize {
        self.plan.shape().len()
    }

    /// Returns the number of panels that the grid is cut into: 1 where the device's textures hold
    /// it.
    pub fn panels(&self) -> usize {
        self.panels.len()
    }

    /// Returns whether boundaries are drawn as lines: `None` for optimizations without boundaries,
    /// false if neither upward nor downward lines cover them exactly and quads one texel wide are
    /// drawn instead.
    pub fn draws_lines(&self) -> Option<bool> {
        self.lines
    }

    /// Uploads the right-hand side and the initial guess of each system.
    ///
    /// # Errors
    ///
    /// [`Error::Systems`], [`Error::Length`] and [`Error::NotFinite`] if the vectors do not fit the
    /// systems, and errors of the device.
    pub fn set_systems(&mut self, b: &[&[f32]], x0: &[&[f32]]) -> Result<()> {
        self.check(b, x0)?;
        self.send(b, x0)
    }

    /// Does the work of [`set_systems`](Jacobi::set_systems) on vectors that have been checked.
    pub(crate) fn send(&mut self, rhs: &[&[f32]], x0: &[&[f32]]) -> Result<()> {
        self.scales = rhs.iter().map(|rhs| scale_of(largest(rhs))).collect();
        for (index, panel) in self.panels.iter_mut().enumerate() {
            panel.bands.set_rhs(panel.stored, rhs)?;
            self.x.write(index, &panel.stored.pack_all(x0)?)?;
        }
        self.fresh = self.plan.halo().steps;
        Ok(())
    }

    pub(crate) fn check(&self, rhs: &[&[f32]], x0: &[&[f32]]) -> Result<()> {
        self.check_vectors("the right-hand side", rhs)?;
        self.check_vectors("the start", x0)
    }

    fn check_vectors(&self, what: &'static str, vectors: &[&[f32]]) -> Result<()> {
        let (layout, expected) = (self.chosen.layout, self.chosen.layout.systems());
        if vectors.len() != expected {
            return Err(Error::Systems { layout, expected, got: vectors.len() });
        }
        for vector in vectors {
            if vector.len() != self.n() {
                return Err(Error::Length { what, expected: self.n(), got: vector.len() });
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
    pub fn iterate(&mut self, steps: u64) -> Result<()> {
        for _ in 0..steps {
            self.freshen()?;
            self.compute(Region::All, |panel| &panel.step, None)?;
            self.advance();
        }
        Ok(())
    }

    /// Fills the halos if no step can follow without.
    fn freshen(&mut self) -> Result<()> {
        if self.is_fresh() { Ok(()) } else { self.refreshed() }
    }

    /// Makes the next x, once all of it is computed, the newest.
    pub(super) fn advance(&mut self) {
        self.x.swap();
        self.fresh -= 1;
    }

    /// Computes a quantity of all panels, scaled where it has a scale.
    pub(super) fn compute(
        &mut self,
        region: Region,
        parts: impl Fn(&Panel) -> &[Part],
        scale: Option<&Value>,
    ) -> Result<()> {
        for (index, panel) in self.panels.iter().enumerate() {
            let (bands, last_lane) = (&panel.bands, panel.last_lane);
            // What follows the inside in the same panel is ordered.
            let unordered = region == Region::Inside && panel.has_rim();
            let inputs = Inputs { bands, last_lane, scale, unordered };
            for region in panel.regions(region) {
                self.x.compute(index, parts(panel), &inputs, region)?;
            }
        }
        Ok(())
    }

    /// Returns the 2-norm of b - A x of each system in the device's arithmetic: the residual in
    /// 32-bit floats, its norm as [`Reducer::norms`](crate::stream::reduce::Reducer::norms). It
    /// uses the texture that the next step writes.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn residual_norms(&mut self) -> Result<Vec<f64>> {
        let mut norms = self.scaled_norms()?;
        // Squares of much smaller or larger values are lost; a NaN stays one.
        if norms.iter().any(|norm| *norm < 1e-12 || *norm > 1e12) {
            self.rescale()?;
            norms = self.scaled_norms()?;
        }
        Ok(norms.iter().zip(&self.scales).map(|(norm, scale)| norm / f64::from(*scale)).collect())
    }

    fn scaled_norms(&mut self) -> Result<Vec<f64>> {
        let squares = self.of_residual(Reducer::squares_of, |one, other| one + other)?;
        Ok(squares.into_iter().map(f64::sqrt).collect())
    }

    /// Scales the residual by its largest magnitude.
    fn rescale(&mut self) -> Result<()> {
        self.scales.fill(1.0);
        let magnitudes = self.of_residual(Reducer::magnitudes_of, f64::max)?;
        // Magnitudes are floats, so nothing is rounded.
        self.scales = magnitudes.into_iter().map(|most| scale_of(most as f32)).collect();
        Ok(())
    }

    /// Draws the scaled residual into the other textures of x and reduces what each panel owns: to
    /// a number for each system, where `join` combines those of panels and of the channels of one
    /// system.
    fn of_residual(&mut self, reduce: Reduce, join: fn(f64, f64) -> f64) -> Result<Vec<f64>> {
        let scale = match self.scales.as_slice() {
            &[a, b, c, d] => Value::Vec4([a, b, c, d]),
            &[one, ..] if self.chosen.layout == Layout::Packed => Value::Vec4([one; 4]),
            scales => Value::Float(scales.first().copied().unwrap_or(1.0)),
        };
        self.freshen()?;
        self.compute(Region::All, |panel| &panel.residual, Some(&scale))?;
        let mut totals = vec![0.0; self.systems.len()];
        for (index, panel) in self.panels.iter().enumerate() {
            let channels = reduce(&self.reducer, self.x.spare(index), panel.window())?;
            let systems = totals.len();
            for (channel, number) in channels.into_iter().enumerate() {
                totals[channel % systems] = join(totals[channel % systems], number);
            }
        }
        Ok(totals)
    }

    /// Reads x of each system.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn read(&self) -> Result<Vec<Vec<f32>>> {
        self.read_places(|part| part.owned)
    }

    /// Reads x of each system, where each panel gives these of its texels.
    pub(super) fn read_places(&self, place: fn(&grid::Part) -> Rectangle) -> Result<Vec<Vec<f32>>> {
        let mut systems = Vec::new();
        for _ in &self.systems {
            systems.push(memory::zeroed(self.n())?);
        }
        for (index, part) in self.plan.parts().iter().enumerate() {
            let place = place(part);
            let texels = self.x.read(index, part.local(place))?;
            let grid = self.plan.shape();
            match &mut systems[..] {
                [one] => grid.unpack(&texels, place, one),
                all => {
                    let count = all.len();
                    for (which, system) in all.iter_mut().enumerate() {
                        grid.unpack(&channel(&texels, count, which)?, place, system);
                    }
                }
            }
        }
        Ok(systems)
    }
}

/// A reduction of each channel of a texture, or of a rectangle of it.
type Reduce = fn(&Reducer, &dyn AnyTexture, Option<Rectangle>) -> Result<Vec<f64>, stream::Error>;

/// Refuses systems that the layout cannot hold, or that Jacobi cannot solve.
fn check(systems: &[&NineBanded], layout: Layout) -> Result<()> {
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

/// Magnitudes of diagonal entries that are normal floats with normal reciprocals: devices may take
/// others for zero.
const DIAGONAL: std::ops::RangeInclusive<f32> = f32::MIN_POSITIVE..=1.0 / f32::MIN_POSITIVE;
