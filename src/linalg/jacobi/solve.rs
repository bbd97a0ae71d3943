//! Solving: when to check the residual, when to stop, and progress.

pub(super) mod check_interval;
pub(super) mod residual;

use std::borrow::Cow;
use std::time::Duration;

use crate::clock::Instant;
use crate::memory::{self, NoMemory};
use crate::stream::observer::{Control, Observer, Progress};

use super::panel::scale::{largest, scale_of};
use super::{Error, Jacobi, Result};
use check_interval::{CheckInterval, Forecast};
use residual::{norm, relative_residual};

/// The criterion to stop iterating.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Stop {
    tolerance: Option<f64>,
    iterations: u64,
    first_alone: bool,
}

/// Too few iterations to judge that a residual does not fall.
const FEW: u64 = 64;
/// Jacobi is the wrong method for a system that needs more.
const MOST_ITERATIONS: u64 = 10_000_000;

impl Stop {
    /// Stops after exactly this number of iterations.
    pub fn iterations(iterations: u64) -> Stop {
        Stop { tolerance: None, iterations, first_alone: false }
    }

    /// Stops when the 2-norm of b - A x is at most `tolerance` times that of b, or when 32-bit
    /// floats cannot reduce it any further: see [`Solution::stagnated`].
    ///
    /// When the device's residual meets the tolerance, the host computes the residual of x in
    /// double precision, which decides. If it misses the tolerance, the iteration continues as long
    /// as it falls.
    pub fn residual(tolerance: f64) -> Stop {
        Stop { tolerance: Some(tolerance), iterations: MOST_ITERATIONS, first_alone: false }
    }

    /// Sets the greatest number of iterations.
    pub fn at_most(self, iterations: u64) -> Stop {
        Stop { iterations, ..self }
    }

    /// Refuses a tolerance that no residual can be compared with.
    pub(crate) fn check(self) -> Result<()> {
        match self.tolerance.filter(|tolerance| !(*tolerance >= 0.0 && tolerance.is_finite())) {
            Some(tolerance) => Err(Error::Tolerance { tolerance }),
            None => Ok(()),
        }
    }

    /// Lets the first system alone decide when to stop and whether it converged. The others in the
    /// same texels are iterated with it.
    pub fn when_first_converges(self) -> Stop {
        Stop { first_alone: true, ..self }
    }
}

/// The result of a solve.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution<X = Vec<Vec<f32>>> {
    /// The solution x of each system.
    pub systems: X,
    /// The number of iterations.
    pub iterations: u64,
    /// The largest of [`Solution::residuals`] among the systems that decide.
    pub residual: f64,
    /// The relative residual of each system: the 2-norm of b - A x over that of b, computed by the
    /// host in double precision for the x in [`Solution::systems`]; the norm of b - A x itself if b
    /// is zero.
    pub residuals: Vec<f64>,
    /// The residual in the device's arithmetic, which steers the iteration and decides nothing. It
    /// is far smaller than [`Solution::residual`] where the device takes small values of the system
    /// for zero, or where x is too small for 32-bit floats of full precision.
    pub device_residual: f64,
    /// Whether the residual is at most the tolerance; `None` without a tolerance.
    pub converged: Option<bool>,
    /// Whether the observer stopped it.
    pub stopped: bool,
    /// Whether it ended above the tolerance because rounding kept the residual from falling: the
    /// device's residual was small and did not fall during the later half of the iterations, or the
    /// host's did not follow it.
    pub stagnated: bool,
    /// The time spent in iterations, without residual checks.
    pub iterating: Duration,
    /// The time spent in iterations and the device's residual checks, without transfers and the
    /// host's residual.
    pub elapsed: Duration,
}

impl Solution {
    /// Returns x of the first system.
    pub fn x(&self) -> &[f32] {
        self.systems.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the rate in 10^6 operations a second during iterations, with the count of Göddeke
    /// 2005: 20 operations for each unknown and iteration.
    pub fn mflops(&self) -> f64 {
        self.mflops_of(self.systems.iter().map(Vec::len).sum())
    }
}

impl<X> Solution<X> {
    /// Returns the rate of [`mflops`](Solution::mflops) for this total number of unknowns, spread
    /// over several ranks.
    pub fn mflops_of(&self, unknowns: usize) -> f64 {
        let operations = 20.0 * unknowns as f64 * self.iterations as f64;
        operations / self.iterating.as_secs_f64().max(1e-9) / 1e6
    }
}

impl Jacobi {
    /// Solves A x = b from x = 0.
    ///
    /// # Errors
    ///
    /// Those of [`solve_observed`](Jacobi::solve_observed).
    pub fn solve(&mut self, b: &[f32], stop: Stop) -> Result<Solution> {
        let zero = memory::zeroed(self.n())?;
        self.solve_observed(&[b], &[&zero], stop, &mut ())
    }

    /// Solves as many systems as the layout holds from the initial guesses `x0`. The observer is
    /// called after each residual check and may stop the iteration.
    ///
    /// # Errors
    ///
    /// [`Error::Tolerance`] for a tolerance that is negative or not finite; [`Error::Systems`],
    /// [`Error::Length`] and [`Error::NotFinite`] if the vectors do not fit the systems;
    /// [`Error::Diverged`] if the residual grows or is not finite; [`Error::Overflow`] if x exceeds
    /// 32-bit floats; and errors of the device.
    pub fn solve_observed(
        &mut self,
        b: &[&[f32]],
        x0: &[&[f32]],
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        stop.check()?;
        self.check(b, x0)?;
        let largest = |(b, x): (&&[f32], &&[f32])| largest(b).max(largest(x));
        let scales: Vec<f32> = b.iter().zip(x0).map(largest).map(unusual_scale).collect();
        let (scaled_rhs, x0) = (scaled(b, &scales)?, scaled(x0, &scales)?);
        self.send(&slices(&scaled_rhs), &slices(&x0))?;
        self.context.finish()?;
        let norms = scaled_rhs.iter().map(|b| norm(b)).collect();
        let mut on_one = OnOne { jacobi: self, rhs: b, scales };
        Run::new(&mut on_one, norms, stop).go(observer)
    }
}

/// The iteration that a solve runs: systems on one device, or parts of them on several.
pub(crate) trait Iteration {
    /// x of each system as it is returned.
    type X;
    type Error: From<Error>;

    /// Runs this number of steps, and waits for them.
    fn iterate(&mut self, steps: u64) -> Result<(), Self::Error>;

    /// Returns the 2-norm of the residual of each system, in the device's arithmetic.
    fn residual_norms(&mut self) -> Result<Vec<f64>, Self::Error>;

    /// Reads x and undoes the scaling, and computes the relative residuals on the host. The first
    /// `deciding` systems must not overflow.
    fn answer(&mut self, deciding: usize) -> Result<(Self::X, Vec<f64>), Self::Error>;

    /// Returns the first row that is not diagonally dominant.
    fn not_dominant(&self) -> Result<Option<usize>, Self::Error>;

    /// Returns the number of steps that the first rank has chosen by its clock, on all ranks.
    fn agreed_steps(&self, steps: u64) -> Result<u64, Self::Error>;

    /// Returns whether any rank is to stop.
    fn agreed_stop(&self, stop: bool) -> Result<bool, Self::Error>;

    /// Gets the chance to save x, after this number of steps in all.
    fn keep(&mut self, _done: u64) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Systems on one device.
struct OnOne<'a> {
    jacobi: &'a mut Jacobi,
    rhs: &'a [&'a [f32]],
    scales: Vec<f32>,
}

impl Iteration for OnOne<'_> {
    type X = Vec<Vec<f32>>;
    type Error = Error;

    fn iterate(&mut self, steps: u64) -> Result<()> {
        self.jacobi.iterate(steps)?;
        Ok(self.jacobi.context.finish()?)
    }

    fn residual_norms(&mut self) -> Result<Vec<f64>> {
        self.jacobi.residual_norms()
    }

    fn answer(&mut self, deciding: usize) -> Result<(Vec<Vec<f32>>, Vec<f64>)> {
        let mut systems = self.jacobi.read()?;
        for (at, (x, scale)) in systems.iter_mut().zip(&self.scales).enumerate() {
            unscale(x, *scale, at < deciding)?;
        }
        let each = self.jacobi.systems.iter().zip(&systems).zip(self.rhs);
        let residuals = each.map(|((matrix, x), rhs)| relative_residual(matrix, x, rhs)).collect();
        Ok((systems, residuals))
    }

    fn not_dominant(&self) -> Result<Option<usize>> {
        Ok(self.jacobi.first_not_dominant)
    }

    fn agreed_steps(&self, steps: u64) -> Result<u64> {
        Ok(steps)
    }

    fn agreed_stop(&self, stop: bool) -> Result<bool> {
        Ok(stop)
    }
}

/// Undoes the scaling of x. What 32-bit floats do not hold then is an error where the system
/// decides.
pub(crate) fn unscale(x: &mut [f32], scale: f32, deciding: bool) -> Result<()> {
    if scale == 1.0 {
        return Ok(());
    }
    let most = x.iter().map(|x| f64::from(*x) / f64::from(scale)).enumerate();
    let most = most.max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
    if let Some((index, value)) = most.filter(|(_, x)| x.abs() > f64::from(f32::MAX))
        && deciding
    {
        let factor = 10_f64.powi(-((value.abs() / 1e37).log10().ceil() as i32));
        return Err(Error::Overflow { index, value, factor });
    }
    x.iter_mut().for_each(|number| *number /= scale);
    Ok(())
}

/// Vectors whose largest magnitude is between this and its reciprocal are not scaled.
const ORDINARY: f32 = 1e15;

/// Returns the factor of a system while it is solved, from the largest magnitude of b and of the
/// first x: `A (s x) = s b`. Devices may take very small floats for zero, and squares of large ones
/// overflow.
pub(crate) fn unusual_scale(largest: f32) -> f32 {
    if (ORDINARY.recip()..ORDINARY).contains(&largest) { 1.0 } else { scale_of(largest) }
}

/// Multiplies each vector by its scale; those with scale 1 are not copied.
pub(crate) fn scaled<'a>(
    vectors: &[&'a [f32]],
    scales: &[f32],
) -> Result<Vec<Cow<'a, [f32]>>, NoMemory> {
    let each = |(vector, scale): (&&'a [f32], &f32)| match *scale {
        1.0 => Ok(Cow::Borrowed(*vector)),
        scale => {
            let numbers = vector.iter().map(|number| number * scale);
            memory::collected(vector.len(), numbers).map(Cow::Owned)
        }
    };
    vectors.iter().zip(scales).map(each).collect()
}

pub(crate) fn slices<'a>(vectors: &'a [Cow<'_, [f32]>]) -> Vec<&'a [f32]> {
    vectors.iter().map(|vector| vector.as_ref()).collect()
}

pub(crate) struct Run<'a, I> {
    iteration: &'a mut I,
    /// The norms of the scaled right-hand sides.
    norms: Vec<f64>,
    stop: Stop,
    /// The target of the device's residual: the tolerance, or less after the host's residual missed
    /// it.
    target: Option<f64>,
    done: u64,
    /// The device's residual.
    residual: f64,
    stopped: bool,
    stagnated: bool,
    elapsed: Duration,
    interval: CheckInterval,
    best: Option<f64>,
    /// The iteration at which the residual last fell by more than a thousandth of itself.
    fell: (u64, f64),
}

/// A residual below this stagnates because of rounding.
const SMALL: f64 = 1e-3;
/// The margin below proportion to which the device's residual is brought after the host's missed
/// the tolerance, so that the next check does not miss it narrowly again.
const FURTHER: f64 = 0.9;
/// The host's residual follows the device's if it is smaller than this times the one before.
const FOLLOWS: f64 = 0.95;

impl<'a, I: Iteration> Run<'a, I> {
    pub(crate) fn new(iteration: &'a mut I, norms: Vec<f64>, stop: Stop) -> Run<'a, I> {
        Run {
            iteration,
            norms,
            stop,
            target: stop.tolerance,
            done: 0,
            residual: f64::NAN,
            stopped: false,
            stagnated: false,
            elapsed: Duration::ZERO,
            interval: CheckInterval::default(),
            best: None,
            fell: (0, f64::INFINITY),
        }
    }

    pub(crate) fn go(mut self, observer: &mut dyn Observer) -> Result<Solution<I::X>, I::Error> {
        let mut before = f64::INFINITY;
        loop {
            self.iterate(observer)?;
            let (systems, residuals) = self.iteration.answer(self.deciding())?;
            let residual = largest_residual(residuals.iter().take(self.deciding()));
            if !self.goes_on(residual, before) {
                return Ok(self.solution(systems, residuals, residual));
            }
            before = residual;
        }
    }

    /// Iterates until the device's residual meets its target or stagnates.
    fn iterate(&mut self, observer: &mut dyn Observer) -> Result<(), I::Error> {
        let start = Instant::now();
        if self.done == 0 {
            self.check_residual()?;
        }
        let mut forecast = Forecast::new(self.done, self.residual);
        while !self.is_enough() && !self.stopped && !self.stagnated {
            let steps = self.iteration.agreed_steps(self.steps(&forecast))?;
            let begun = Instant::now();
            self.iteration.iterate(steps)?;
            let iterated = Instant::now();
            self.done += steps;
            self.check_residual()?;
            self.interval.learn(steps, iterated - begun, iterated.elapsed());
            self.stagnated = self.stagnates();
            forecast.learn(self.done, self.residual);
            let expected = self.expected(&forecast);
            let progress = Progress::new(self.done, expected).residual(self.residual);
            let stop = observer.observe(&progress) == Control::Stop;
            self.stopped = self.iteration.agreed_stop(stop)?;
            self.iteration.keep(self.done)?;
        }
        self.elapsed += start.elapsed();
        Ok(())
    }

    /// Computes the device's residual.
    fn check_residual(&mut self) -> Result<(), I::Error> {
        let norms = self.iteration.residual_norms()?;
        let relative = |(r, b): (&f64, &f64)| if *b > 0.0 { r / b } else { *r };
        let each: Vec<f64> = norms.iter().zip(&self.norms).map(relative).collect();
        self.residual = largest_residual(each.iter().take(self.deciding()));
        self.must_not_diverge()
    }

    /// Returns the number of systems that decide.
    fn deciding(&self) -> usize {
        if self.stop.first_alone { 1 } else { self.norms.len() }
    }

    /// Returns whether to continue although the device's residual meets its target: the host's
    /// misses the tolerance and still falls.
    fn goes_on(&mut self, residual: f64, before: f64) -> bool {
        let Some(tolerance) = self.stop.tolerance else { return false };
        let ended = self.stopped || self.stagnated || self.done >= self.stop.iterations;
        if residual <= tolerance || ended {
            return false;
        }
        self.target = Some(self.residual * (tolerance / residual) * FURTHER);
        self.stagnated = self.residual == 0.0 || residual.is_nan() || residual >= FOLLOWS * before;
        !self.stagnated
    }

    fn solution(self, systems: I::X, residuals: Vec<f64>, residual: f64) -> Solution<I::X> {
        let converged = self.stop.tolerance.map(|tolerance| residual <= tolerance);
        Solution {
            systems,
            iterations: self.done,
            residual,
            residuals,
            device_residual: self.residual,
            converged,
            stopped: self.stopped,
            stagnated: self.stagnated && converged == Some(false),
            iterating: self.interval.iterating,
            elapsed: self.elapsed,
        }
    }

    /// Returns the expected number of iterations, if it can be estimated.
    fn expected(&self, forecast: &Forecast) -> Option<u64> {
        let Some(target) = self.target else { return Some(self.stop.iterations) };
        forecast.iterations_to(target).map(|n| n.min(self.stop.iterations))
    }

    /// Returns the number of iterations before the next check: at most what the forecast expects,
    /// so that the iteration does not run far past the tolerance.
    fn steps(&self, forecast: &Forecast) -> u64 {
        let left = self.expected(forecast).unwrap_or(u64::MAX).saturating_sub(self.done).max(1);
        self.interval.steps().min(left).min(self.stop.iterations - self.done)
    }

    fn is_enough(&self) -> bool {
        self.done >= self.stop.iterations
            || self.target.is_some_and(|target| self.residual <= target)
    }

    /// Returns whether rounding keeps the residual from falling. A large residual may stagnate for
    /// long and fall later; a small one does not.
    fn stagnates(&mut self) -> bool {
        let (fell, least) = self.fell;
        if self.residual < 0.999 * least {
            self.fell = (self.done, self.residual);
            return false;
        }
        let patience = if least < SMALL { 2 } else { 100 };
        self.stop.tolerance.is_some() && !self.is_enough() && self.done >= patience * fell.max(FEW)
    }

    fn must_not_diverge(&mut self) -> Result<(), I::Error> {
        let (iteration, residual, best) = (self.done, self.residual, self.best);
        self.best = Some(best.map_or(residual, |best| best.min(residual)));
        // Rounding and transient growth do not multiply a residual by a million. Without a
        // tolerance the iteration continues as long as the residual is finite.
        let grown = self.stop.tolerance.is_some()
            && best.is_some_and(|best| residual > 1e6 * best.max(1e-6));
        if residual.is_finite() && !grown {
            return Ok(());
        }
        let not_dominant = self.iteration.not_dominant()?;
        Err(Error::Diverged { iteration, residual, best, not_dominant }.into())
    }
}

/// Returns the largest of several residuals, or the NaN among them, which `max` alone would drop.
fn largest_residual<'a>(residuals: impl Iterator<Item = &'a f64>) -> f64 {
    residuals.fold(0.0, |worst: f64, r| if r.is_nan() || *r > worst { *r } else { worst })
}

#[cfg(test)]
mod tests {
    use super::largest_residual;

    #[test]
    fn a_nan_among_residuals_is_not_dropped() {
        assert_eq!(largest_residual([0.5, 2.0, 1.0].iter()), 2.0);
        for at in 0..3 {
            let mut residuals = [0.5, 2.0, 1.0];
            residuals[at] = f64::NAN;
            assert!(largest_residual(residuals.iter()).is_nan(), "{at}");
        }
    }
}
