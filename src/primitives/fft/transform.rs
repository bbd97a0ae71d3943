//! Transforms of complex numbers along the axes of an array.

mod choice;

use std::cell::RefCell;
use std::rc::Rc;

use crate::gl::{Context, must_be};
use crate::grid::DeviceVector;
use crate::stream::kept::made_once;
use crate::stream::{Engine, Result};

use super::axis::Axis;
use super::bluestein::Bluestein;
use super::groups::{Groups, Limits};
use super::maps::{Maps, Texels};
use super::passes::{Factors, Passes};
use super::plan;
use super::table::{self, must_fit};
use choice::Choice;

/// Transforms arrays of complex numbers of one shape, on one engine. What it needs on the device is
/// made once.
///
/// The forward transform of x along an axis of length n is y, with y\[k\] the sum of x\[j\]
/// e^(-2 pi i j k / n); the inverse one has the other sign, and is divided by n.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::{Axis, Fft}};
/// let context = Context::headless()?;
/// let fft = Fft::new(&context, &[Axis::rows(1, 4)])?;
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0])?;
/// let mut y = DeviceVector::uninit(&context, x.len())?;
/// fft.forward(&x, &mut y)?;
/// assert_eq!(y.read()?, [10.0, 0.0, -2.0, 2.0, -2.0, 0.0, -2.0, -2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Fft {
    choice: Choice,
    maps: Rc<Maps>,
    total: usize,
    /// The product of the lengths, by which the inverse is divided.
    volume: usize,
    algorithms: Vec<Algorithm>,
    scratch: RefCell<Option<Texels>>,
}

impl Fft {
    /// Creates a transform along these axes of one array, in the way that was tuned
    /// ([`choice`](crate::stream::choice)), else on the engine that is usually the fastest
    /// ([`Engine::default_for`]). [`Axis::rows`] and [`Axis::columns`] of the same array together
    /// are the transform in two dimensions.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the axes are not of one array,
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for an array that one texture does not
    /// hold, and errors of the device.
    pub fn new(context: &Context, axes: &[Axis]) -> Result<Fft> {
        // A texel at a time fragments are faster on software renderers.
        Fft::chosen(context, Choice::new(context, total(axes)), Engine::default_for(context), axes)
    }

    /// Creates a transform on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it, and those
    /// of [`new`](Self::new).
    pub fn on(context: &Context, engine: Engine, axes: &[Axis]) -> Result<Fft> {
        Fft::chosen(context, Choice::on(context, engine, total(axes)), engine, axes)
    }

    /// Creates a transform on this engine, whose passes are by work groups with these limits.
    #[doc(hidden)]
    pub fn by(
        context: &Context,
        engine: Engine,
        limits: Option<Limits>,
        axes: &[Axis],
    ) -> Result<Fft> {
        Fft::chosen(context, Choice { engine, limits }, engine, axes)
    }

    /// Returns how it runs as text, as a tuned choice is stored.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        self.choice.to_string()
    }

    /// Texts of tuned choices that this context can run.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        Choice::all(context).iter().map(ToString::to_string).collect()
    }

    /// Creates a transform by this choice, or, where work groups do not take the lengths, a texel at a time on
    /// an engine.
    fn chosen(context: &Context, choice: Choice, by_texels: Engine, axes: &[Axis]) -> Result<Fft> {
        let Choice { engine, limits } = choice;
        engine.must_run_on(context, "a Fourier transform by compute shaders")?;
        let total = total(axes);
        for axis in axes {
            must_be(total, axis.total(), "a Fourier transform: an axis")?;
        }
        must_fit(context, total)?;
        let axes: Vec<Axis> = axes.iter().copied().filter(|axis| axis.total() > 0).collect();
        let volume = axes.iter().map(|axis| axis.length).product();
        let groups = limits.map(|limits| Groups::new(context, &axes, limits)).transpose()?;
        let groups = groups.flatten();
        let choice = match groups.is_none() && limits.is_some() {
            true => Choice { engine: by_texels, limits: None },
            false => choice,
        };
        let maps = Rc::new(Maps::new(context, choice.engine));
        let algorithms = match groups {
            Some(groups) => vec![Algorithm::Groups(groups)],
            None => {
                axes.iter().map(|axis| Algorithm::of(context, *axis)).collect::<Result<_, _>>()?
            }
        };
        Ok(Fft { choice, maps, total, volume, algorithms, scratch: RefCell::default() })
    }

    /// Transforms x: 2 numbers for each complex one.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if x or the result has another length than
    /// the array, [`gl::Error::Foreign`](crate::gl::Error::Foreign) for a vector of another
    /// context, and errors of the device.
    pub fn forward(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run(Factors::NONE, x, out)
    }

    /// Transforms back: the inverse of [`forward`](Self::forward).
    ///
    /// # Errors
    ///
    /// Those of [`forward`](Self::forward).
    pub fn inverse(&self, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        self.run(Factors::inverse(self.volume), x, out)
    }

    /// Returns a bound on the error of all results together: the root of the sum of their squared
    /// errors is at most this times the root of the sum of the squares of the exact results.
    pub fn error_bound(&self) -> f64 {
        // The last two are the inverse's division.
        self.algorithms.iter().map(Algorithm::bound).sum::<f64>() + plan::of_scale()
    }

    pub(super) fn maps(&self) -> &Maps {
        &self.maps
    }

    fn run(&self, factors: Factors, x: &DeviceVector, out: &mut DeviceVector) -> Result<()> {
        must_be(2 * self.total, x.len(), "a Fourier transform: the numbers")?;
        out.must_have(x.len(), "a Fourier transform: the results")?;
        let (Some(from), Some(to)) = (x.panel(0), out.panel_mut(0)) else { return Ok(()) };
        let sweeps: Vec<Sweep<'_>> = self.algorithms.iter().flat_map(Algorithm::sweeps).collect();
        if sweeps.is_empty() {
            return Ok(to.copy_from(from)?);
        }
        let mut scratch = self.scratch.borrow_mut();
        let between = made_once(&mut scratch, || self.maps.context().uninit(to.extent()))?;
        for (index, sweep) in sweeps.iter().enumerate() {
            let left = sweeps.len() - 1 - index;
            let factors = factors.of_step(index == 0, left == 0);
            // The last sweep writes the result, the one before it what the last one reads.
            match (index, left % 2) {
                (0, 0) => sweep.run(&self.maps, factors, from, to)?,
                (0, _) => sweep.run(&self.maps, factors, from, between)?,
                (_, 0) => sweep.run(&self.maps, factors, between, to)?,
                (_, _) => sweep.run(&self.maps, factors, to, between)?,
            }
        }
        Ok(())
    }
}

/// The numbers of the array.
fn total(axes: &[Axis]) -> usize {
    axes.first().map_or(0, |axis| axis.total())
}

/// The algorithm by which an axis is transformed.
enum Algorithm {
    Passes(Passes),
    Groups(Groups),
    Bluestein(Box<Bluestein>),
}

/// A part of a transform that reads the whole array from one texture and writes it to another.
enum Sweep<'a> {
    Pass(&'a Passes, usize),
    Groups(&'a Groups),
    Bluestein(&'a Bluestein),
}

impl Algorithm {
    fn of(context: &Context, axis: Axis) -> Result<Algorithm> {
        let roots = |order| table::of_roots(context, order);
        Ok(match Passes::new(axis, roots)? {
            Some(passes) => Algorithm::Passes(passes),
            None => Algorithm::Bluestein(Box::new(Bluestein::new(context, axis)?)),
        })
    }

    fn sweeps(&self) -> Vec<Sweep<'_>> {
        match self {
            Algorithm::Passes(passes) => {
                (0..passes.count()).map(|at| Sweep::Pass(passes, at)).collect()
            }
            Algorithm::Groups(groups) => vec![Sweep::Groups(groups)],
            Algorithm::Bluestein(algorithm) => vec![Sweep::Bluestein(algorithm)],
        }
    }

    fn bound(&self) -> f64 {
        match self {
            Algorithm::Passes(passes) => passes.bound(),
            Algorithm::Groups(groups) => groups.bound(),
            Algorithm::Bluestein(algorithm) => algorithm.bound(),
        }
    }
}

impl Sweep<'_> {
    fn run(&self, maps: &Maps, factors: Factors, x: &Texels, out: &mut Texels) -> Result<()> {
        match self {
            Sweep::Pass(passes, index) => passes.run(maps, *index, factors, x, out),
            Sweep::Groups(groups) => groups.run(factors, x, out),
            Sweep::Bluestein(algorithm) => algorithm.run(maps, factors, x, out),
        }
    }
}

impl std::fmt::Debug for Fft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fft({} complex numbers, {})", self.total, self.maps.engine())
    }
}
