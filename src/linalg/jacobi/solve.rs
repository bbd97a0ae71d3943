//! Solving: when to look at the residual, when to stop, and what to say meanwhile.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::memory::{self, NoMemory};
use crate::observer::{Control, Observer, Progress};

use super::pace::{Forecast, Pace};
use super::residual::{norm, relative_residual};
use super::solver::{largest, scale_of};
use super::{Error, Jacobi};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    tolerance: Option<f64>,
    iterations: u64,
    first_alone: bool,
}

/// Too few iterations to say that a residual does not fall.
const FEW: u64 = 64;
/// Enough for what Jacobi is used for; past it another method is the answer.
const MOST_ITERATIONS: u64 = 10_000_000;

impl Stop {
    /// After exactly this many iterations.
    pub fn iterations(iterations: u64) -> Stop {
        Stop { tolerance: None, iterations, first_alone: false }
    }

    /// When the 2-norm of b - A x is at most `tolerance` times that of b, or when 32-bit floats
    /// bring it no further down: see [`Solution::stagnated`].
    ///
    /// The device's own residual says when to look, and the host's decides: the residual in double
    /// precision of the x that would be handed out. Where it misses the tolerance that the device's has
    /// met, iterations go on as long as it falls.
    pub fn residual(tolerance: f64) -> Stop {
        Stop { tolerance: Some(tolerance), iterations: MOST_ITERATIONS, first_alone: false }
    }

    /// But no later than after this many iterations.
    pub fn within(self, iterations: u64) -> Stop {
        Stop { iterations, ..self }
    }

    /// But the first system alone decides when to stop and whether it converged. Others that share its
    /// texels are iterated with it, however far they come.
    pub fn by_the_first(self) -> Stop {
        Stop { first_alone: true, ..self }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// x of each system.
    pub systems: Vec<Vec<f32>>,
    /// Iterations done.
    pub iterations: u64,
    /// The largest residual of the systems that decide: see [`Solution::residuals`].
    pub residual: f64,
    /// The 2-norm of b - A x of each system over that of b, in double precision on the host, of the x
    /// that is in [`Solution::systems`]; the norm itself where b is zero.
    pub residuals: Vec<f64>,
    /// The residual by the device's own arithmetic, which steers the iteration and decides nothing. It
    /// is far smaller than [`Solution::residual`] where the device takes numbers of the system for zero,
    /// or where x is too small for 32-bit floats of full precision.
    pub device_residual: f64,
    /// Whether the residual is at most the tolerance; `None` where none was asked for.
    pub converged: Option<bool>,
    /// Whether the observer stopped it.
    pub stopped: bool,
    /// Whether it ended above the tolerance because the residual fell no further: the device's, already
    /// small, did not during the later half of the iterations, or the host's did not though the
    /// device's did. The rest is rounding.
    pub stagnated: bool,
    /// Time in iterations alone.
    pub iterating: Duration,
    /// Time in iterations and in the device's residuals, without the transfers at both ends and without
    /// the host's residual.
    pub elapsed: Duration,
}

impl Solution {
    /// x of the first system.
    pub fn x(&self) -> &[f32] {
        self.systems.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// Rate by the document's count, 20 operations an unknown and iteration, over iterations alone.
    pub fn mflops(&self) -> f64 {
        let unknowns: usize = self.systems.iter().map(Vec::len).sum();
        let operations = 20.0 * unknowns as f64 * self.iterations as f64;
        operations / self.iterating.as_secs_f64().max(1e-9) / 1e6
    }
}

impl Jacobi {
    /// Solves from zero.
    pub fn solve(&mut self, rhs: &[f32], stop: Stop) -> Result<Solution, Error> {
        let zero = memory::zeroed(self.n())?;
        self.solve_observed(&[rhs], &[&zero], stop, &mut ())
    }

    /// Solves as many systems as the layout holds, from given x0, watched by an observer, which
    /// is asked each time the residual is known.
    pub fn solve_observed(
        &mut self,
        rhs: &[&[f32]],
        x0: &[&[f32]],
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Solution, Error> {
        if let Some(tolerance) = stop.tolerance
            && !(tolerance >= 0.0 && tolerance.is_finite())
        {
            return Err(Error::Tolerance { tolerance });
        }
        self.check(rhs, x0)?;
        let scales: Vec<f32> = rhs.iter().zip(x0).map(|(b, x)| unusual_scale(b, x)).collect();
        let (scaled_rhs, x0) = (scaled(rhs, &scales)?, scaled(x0, &scales)?);
        self.send(&slices(&scaled_rhs), &slices(&x0))?;
        self.context.finish()?;
        let norms = scaled_rhs.iter().map(|rhs| norm(rhs)).collect();
        Run::new(self, System { rhs, scales, norms }, stop).go(observer)
    }
}

/// Sizes up to this, and down to its reciprocal, are left as they are.
const ORDINARY: f32 = 1e15;

/// What a system is multiplied with while it is solved. Devices may take very small floats for zero,
/// and squares of large ones overflow; `A (s x) = s b` has the solution of `A x = b` in another unit.
fn unusual_scale(rhs: &[f32], start: &[f32]) -> f32 {
    let largest = largest(rhs).max(largest(start));
    if (ORDINARY.recip()..ORDINARY).contains(&largest) { 1.0 } else { scale_of(largest) }
}

/// Each vector times its scale; those that keep theirs are not copied.
fn scaled<'a>(vectors: &[&'a [f32]], scales: &[f32]) -> Result<Vec<Cow<'a, [f32]>>, NoMemory> {
    let each = |(vector, scale): (&&'a [f32], &f32)| match *scale {
        1.0 => Ok(Cow::Borrowed(*vector)),
        scale => {
            let numbers = vector.iter().map(|number| number * scale);
            memory::collected(vector.len(), numbers).map(Cow::Owned)
        }
    };
    vectors.iter().zip(scales).map(each).collect()
}

fn slices<'a>(vectors: &'a [Cow<'_, [f32]>]) -> Vec<&'a [f32]> {
    vectors.iter().map(|vector| vector.as_ref()).collect()
}

/// What is solved, as it was given, and how it was scaled.
struct System<'a> {
    rhs: &'a [&'a [f32]],
    scales: Vec<f32>,
    /// Of the scaled right-hand side.
    norms: Vec<f64>,
}

struct Run<'a> {
    jacobi: &'a mut Jacobi,
    system: System<'a>,
    stop: Stop,
    /// What the device's residual is brought to: the tolerance, or less where the host asks for more.
    target: Option<f64>,
    done: u64,
    /// The device's.
    residual: f64,
    stopped: bool,
    stagnated: bool,
    elapsed: Duration,
    pace: Pace,
    best: Option<f64>,
    /// The iteration at which the residual last fell by more than a thousandth of itself.
    fell: (u64, f64),
}

/// x of each system as it is handed out, and its residual.
struct Answer {
    systems: Vec<Vec<f32>>,
    residuals: Vec<f64>,
}

/// A residual under this stands still because of rounding.
const SMALL: f64 = 1e-3;
/// How much lower than by proportion the device's residual is brought where the host's misses the
/// tolerance, so that the next look need not find it just above again.
const FURTHER: f64 = 0.9;
/// A host's residual that is no smaller than this times the one before does not follow the device's.
const FOLLOWS: f64 = 0.95;

impl<'a> Run<'a> {
    fn new(jacobi: &'a mut Jacobi, system: System<'a>, stop: Stop) -> Run<'a> {
        Run {
            jacobi,
            system,
            stop,
            target: stop.tolerance,
            done: 0,
            residual: f64::NAN,
            stopped: false,
            stagnated: false,
            elapsed: Duration::ZERO,
            pace: Pace::default(),
            best: None,
            fell: (0, f64::INFINITY),
        }
    }

    fn go(mut self, observer: &mut dyn Observer) -> Result<Solution, Error> {
        let mut before = f64::INFINITY;
        loop {
            self.iterate(observer)?;
            let answer = self.answer()?;
            let residual = largest_residual(answer.residuals.iter().take(self.deciding()));
            if !self.goes_on(residual, before) {
                return Ok(self.solution(answer, residual));
            }
            before = residual;
        }
    }

    /// Iterates until the device's residual is what it should be, or falls no further.
    fn iterate(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let start = Instant::now();
        if self.done == 0 {
            self.look()?;
        }
        let mut forecast = Forecast::new(self.done, self.residual);
        while !self.is_enough() && !self.stopped && !self.stagnated {
            let steps = self.steps(&forecast);
            let begun = Instant::now();
            self.jacobi.iterate(steps)?;
            self.jacobi.context.finish()?;
            let iterated = Instant::now();
            self.done += steps;
            self.look()?;
            self.pace.learn(steps, iterated - begun, iterated.elapsed());
            self.stagnated = self.stagnates();
            forecast.learn(self.done, self.residual);
            let expected = self.expected(&forecast);
            let progress = Progress { done: self.done, expected, residual: Some(self.residual) };
            self.stopped = observer.observe(&progress) == Control::Stop;
        }
        self.elapsed += start.elapsed();
        Ok(())
    }

    /// Asks the device for its residual.
    fn look(&mut self) -> Result<(), Error> {
        let norms = self.jacobi.residual_norms()?;
        let relative = |(r, b): (&f64, &f64)| if *b > 0.0 { r / b } else { *r };
        let each: Vec<f64> = norms.iter().zip(&self.system.norms).map(relative).collect();
        self.residual = largest_residual(each.iter().take(self.deciding()));
        self.must_not_diverge()
    }

    /// How many systems decide.
    fn deciding(&self) -> usize {
        if self.stop.first_alone { 1 } else { self.system.rhs.len() }
    }

    /// Reads x, brings it to its own unit, and works out its residual on the host.
    fn answer(&self) -> Result<Answer, Error> {
        let mut systems = self.jacobi.read()?;
        for (at, (x, scale)) in systems.iter_mut().zip(&self.system.scales).enumerate() {
            if *scale == 1.0 {
                continue;
            }
            let most = x.iter().map(|x| f64::from(*x) / f64::from(*scale)).enumerate();
            let most = most.max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
            if let Some((index, value)) = most.filter(|(_, x)| x.abs() > f64::from(f32::MAX))
                && at < self.deciding()
            {
                let factor = 10_f64.powi(-((value.abs() / 1e37).log10().ceil() as i32));
                return Err(Error::Overflow { index, value, factor });
            }
            x.iter_mut().for_each(|number| *number /= scale);
        }
        let each = self.jacobi.systems.iter().zip(&systems).zip(self.system.rhs);
        let residuals = each.map(|((matrix, x), rhs)| relative_residual(matrix, x, rhs)).collect();
        Ok(Answer { systems, residuals })
    }

    /// Whether to iterate on though the device's residual is what it should be: the host's is not, and
    /// still follows it.
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

    fn solution(self, answer: Answer, residual: f64) -> Solution {
        let converged = self.stop.tolerance.map(|tolerance| residual <= tolerance);
        Solution {
            systems: answer.systems,
            iterations: self.done,
            residual,
            residuals: answer.residuals,
            device_residual: self.residual,
            converged,
            stopped: self.stopped,
            stagnated: self.stagnated && converged == Some(false),
            iterating: self.pace.iterating,
            elapsed: self.elapsed,
        }
    }

    /// How many iterations there will be, as far as anyone can tell.
    fn expected(&self, forecast: &Forecast) -> Option<u64> {
        let Some(target) = self.target else { return Some(self.stop.iterations) };
        forecast.iterations_to(target).map(|n| n.min(self.stop.iterations))
    }

    /// How many iterations to run before the next look: no more than the forecast asks for, so that
    /// the tolerance is met without running far past it.
    fn steps(&self, forecast: &Forecast) -> u64 {
        let left = self.expected(forecast).unwrap_or(u64::MAX).saturating_sub(self.done).max(1);
        self.pace.steps().min(left).min(self.stop.iterations - self.done)
    }

    fn is_enough(&self) -> bool {
        self.done >= self.stop.iterations
            || self.target.is_some_and(|target| self.residual <= target)
    }

    /// Whether rounding keeps the residual from falling. A large residual may stand still for a
    /// long while and fall later; one that is small does not.
    fn stagnates(&mut self) -> bool {
        let (fell, least) = self.fell;
        if self.residual < 0.999 * least {
            self.fell = (self.done, self.residual);
            return false;
        }
        let patience = if least < SMALL { 2 } else { 100 };
        self.stop.tolerance.is_some() && !self.is_enough() && self.done >= patience * fell.max(FEW)
    }

    fn must_not_diverge(&mut self) -> Result<(), Error> {
        let (iteration, residual, best) = (self.done, self.residual, self.best);
        self.best = Some(best.map_or(residual, |best| best.min(residual)));
        // Rounding and transient growth do not multiply a residual by a million. Who asked for a
        // number of iterations gets them as long as there are numbers.
        let grown = self.stop.tolerance.is_some()
            && best.is_some_and(|best| residual > 1e6 * best.max(1e-6));
        if residual.is_finite() && !grown {
            return Ok(());
        }
        let not_dominant = self.jacobi.first_not_dominant;
        Err(Error::Diverged { iteration, residual, best, not_dominant })
    }
}

/// The largest of several residuals, or the NaN among them, which `max` alone would drop.
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
