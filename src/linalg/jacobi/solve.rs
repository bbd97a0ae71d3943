//! Solving: when to look at the residual, when to stop, and what to say meanwhile.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::observer::{Control, Observer, Progress};

use super::solver::{largest, scale_of};
use super::{Error, Jacobi};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    tolerance: Option<f64>,
    iterations: u64,
}

/// Too few iterations to say that a residual does not fall.
const FEW: u64 = 64;
/// Enough for what Jacobi is used for; past it another method is the answer.
const MOST_ITERATIONS: u64 = 10_000_000;

impl Stop {
    /// After exactly this many iterations.
    pub fn iterations(iterations: u64) -> Stop {
        Stop { tolerance: None, iterations }
    }

    /// When the 2-norm of b - A x is at most `tolerance` times that of b, or when 32-bit floats
    /// bring it no further down: see [`Solution::stagnated`].
    pub fn residual(tolerance: f64) -> Stop {
        Stop { tolerance: Some(tolerance), iterations: MOST_ITERATIONS }
    }

    /// But no later than after this many iterations.
    pub fn within(self, iterations: u64) -> Stop {
        Stop { iterations, ..self }
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
    /// The largest of the systems' residuals, relative to their right-hand sides.
    pub residual: f64,
    /// Whether the tolerance was reached; `None` where none was asked for.
    pub converged: Option<bool>,
    /// Whether the observer stopped it.
    pub stopped: bool,
    /// Whether it ended above the tolerance because the residual, already small, had not fallen
    /// during the later half of the iterations: the rest is rounding.
    pub stagnated: bool,
    /// Time in iterations alone, and time in all: with residuals, without transfers at both ends.
    pub iterating: Duration,
    /// Time from the first iteration to the last residual.
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
    pub fn solve(&mut self, side: &[f32], stop: Stop) -> Result<Solution, Error> {
        let zero = vec![0.0; self.n()];
        self.solve_observed(&[side], &[&zero], stop, &mut ())
    }

    /// Solves as many systems as the layout holds, from given starts, watched by an observer, which
    /// is asked each time the residual is known.
    pub fn solve_observed(
        &mut self,
        sides: &[&[f32]],
        starts: &[&[f32]],
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Solution, Error> {
        if let Some(tolerance) = stop.tolerance
            && !(tolerance >= 0.0 && tolerance.is_finite())
        {
            return Err(Error::Tolerance { tolerance });
        }
        self.check(sides, starts)?;
        let scales: Vec<f32> = sides.iter().zip(starts).map(|(b, x)| unusual_scale(b, x)).collect();
        let (sides, starts) = (scaled(sides, &scales), scaled(starts, &scales));
        self.send(&slices(&sides), &slices(&starts))?;
        self.context.finish()?;
        let norms = sides.iter().map(|side| norm(side)).collect();
        let fell = (0, f64::INFINITY);
        let run = Run { jacobi: self, norms, stop, pace: Pace::default(), best: None, fell };
        let mut solution = run.go(observer)?;
        for (x, scale) in
            solution.systems.iter_mut().zip(&scales).filter(|(_, scale)| **scale != 1.0)
        {
            x.iter_mut().for_each(|number| *number /= scale);
        }
        Ok(solution)
    }
}

/// Sizes up to this, and down to its reciprocal, are left as they are.
const ORDINARY: f32 = 1e15;

/// What a system is multiplied with while it is solved. Devices may take very small floats for zero,
/// and squares of large ones overflow; `A (s x) = s b` has the solution of `A x = b` in another unit.
fn unusual_scale(side: &[f32], start: &[f32]) -> f32 {
    let largest = largest(side).max(largest(start));
    if (ORDINARY.recip()..ORDINARY).contains(&largest) { 1.0 } else { scale_of(largest) }
}

/// Each vector times its scale; those that keep theirs are not copied.
fn scaled<'a>(vectors: &[&'a [f32]], scales: &[f32]) -> Vec<Cow<'a, [f32]>> {
    let each = |(vector, scale): (&&'a [f32], &f32)| match *scale {
        1.0 => Cow::Borrowed(*vector),
        scale => Cow::Owned(vector.iter().map(|number| number * scale).collect()),
    };
    vectors.iter().zip(scales).map(each).collect()
}

fn slices<'a>(vectors: &'a [Cow<'_, [f32]>]) -> Vec<&'a [f32]> {
    vectors.iter().map(|vector| vector.as_ref()).collect()
}

/// 2-norm on the host, in f64.
fn norm(numbers: &[f32]) -> f64 {
    numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

struct Run<'a> {
    jacobi: &'a mut Jacobi,
    norms: Vec<f64>,
    stop: Stop,
    pace: Pace,
    best: Option<f64>,
    /// The iteration at which the residual last fell by more than a thousandth of itself.
    fell: (u64, f64),
}

impl Run<'_> {
    fn go(mut self, observer: &mut dyn Observer) -> Result<Solution, Error> {
        let start = Instant::now();
        let mut done = 0;
        let mut residual = self.residual()?;
        self.must_not_diverge(done, residual)?;
        let mut forecast = Forecast::new(residual);
        let mut stopped = false;
        let mut stagnated = false;
        while !self.is_enough(done, residual) && !stopped && !stagnated {
            let steps = self.steps(done, &forecast);
            let begun = Instant::now();
            self.jacobi.iterate(steps)?;
            self.jacobi.context.finish()?;
            let iterated = Instant::now();
            done += steps;
            residual = self.residual()?;
            self.pace.learn(steps, iterated - begun, iterated.elapsed());
            self.must_not_diverge(done, residual)?;
            stagnated = self.stagnates(done, residual);
            forecast.learn(done, residual);
            let expected = self.expected(&forecast);
            let progress = Progress { done, expected, residual: Some(residual) };
            stopped = observer.observe(&progress) == Control::Stop;
        }
        let elapsed = start.elapsed();
        Ok(Solution {
            systems: self.jacobi.read()?,
            iterations: done,
            residual,
            converged: self.stop.tolerance.map(|tolerance| residual <= tolerance),
            stopped,
            stagnated: stagnated && !self.is_enough(done, residual),
            iterating: self.pace.iterating,
            elapsed,
        })
    }

    /// How many iterations there will be, as far as anyone can tell.
    fn expected(&self, forecast: &Forecast) -> Option<u64> {
        let Some(tolerance) = self.stop.tolerance else { return Some(self.stop.iterations) };
        forecast.iterations_to(tolerance).map(|n| n.min(self.stop.iterations))
    }

    /// How many iterations to run before the next look: no more than the forecast asks for, so that
    /// the tolerance is met without running far past it.
    fn steps(&self, done: u64, forecast: &Forecast) -> u64 {
        let left = self.expected(forecast).unwrap_or(u64::MAX).saturating_sub(done).max(1);
        self.pace.steps().min(left).min(self.stop.iterations - done)
    }

    fn is_enough(&self, done: u64, residual: f64) -> bool {
        done >= self.stop.iterations || self.stop.tolerance.is_some_and(|t| residual <= t)
    }

    /// The largest residual of the systems, each relative to its right-hand side. For a side of
    /// zeros it is the residual itself.
    fn residual(&mut self) -> Result<f64, Error> {
        let norms = self.jacobi.residual_norms()?;
        let relative =
            norms.iter().zip(&self.norms).map(|(r, b)| if *b > 0.0 { r / b } else { *r });
        // Not `max` alone, which drops a NaN.
        Ok(relative.fold(0.0, |worst: f64, r| if r.is_nan() { r } else { worst.max(r) }))
    }

    /// Whether rounding keeps the residual from falling. A large residual may stand still for a
    /// long while and fall later; one that is small does not.
    fn stagnates(&mut self, done: u64, residual: f64) -> bool {
        let (fell, least) = self.fell;
        if residual < 0.999 * least {
            self.fell = (done, residual);
            return false;
        }
        let patience = if least < SMALL { 2 } else { 100 };
        self.stop.tolerance.is_some() && done >= patience * fell.max(FEW)
    }

    fn must_not_diverge(&mut self, iteration: u64, residual: f64) -> Result<(), Error> {
        let best = self.best;
        self.best = Some(best.map_or(residual, |best| best.min(residual)));
        // Rounding and transient growth do not multiply a residual by a million. Who asked for a
        // number of iterations gets them as long as there are numbers.
        let grown = self.stop.tolerance.is_some()
            && best.is_some_and(|best| residual > 1e6 * best.max(1e-6));
        if residual.is_finite() && !grown {
            return Ok(());
        }
        Err(Error::Diverged { iteration, residual, best, why: self.jacobi.why() })
    }
}

/// How many iterations go between two looks at the residual: so many that looking costs less than
/// 5 % of the time, and so few that someone who watches sees it move.
#[derive(Default)]
struct Pace {
    iterating: Duration,
    iterations: u64,
    looking: Option<Duration>,
}

/// A residual under this stands still because of rounding.
const SMALL: f64 = 1e-3;
/// The share of the time that looking may take.
const SHARE: f64 = 0.04;
/// The longest time between two looks, unless the share needs more.
const PATIENCE: Duration = Duration::from_millis(200);
/// The first stretch: long enough to time it, short enough to be no loss.
const FIRST: u64 = 8;

impl Pace {
    fn learn(&mut self, steps: u64, iterating: Duration, looking: Duration) {
        self.iterating += iterating;
        self.iterations += steps;
        // The least look is the true cost: the first ones compile and allocate.
        self.looking = Some(self.looking.map_or(looking, |least| least.min(looking)));
    }

    fn steps(&self) -> u64 {
        let Some(looking) = self.looking else { return FIRST };
        let step = self.iterating.as_secs_f64() / self.iterations.max(1) as f64;
        let step = step.max(1e-7);
        let by_share = looking.as_secs_f64() / (SHARE * step);
        let by_patience = PATIENCE.as_secs_f64() / step;
        // No more than doubling what was done so far, so that an early guess cannot overshoot.
        let by_past = (self.iterations as f64).max(FIRST as f64);
        by_share.max(by_patience.min(by_share * 4.0)).min(by_past).ceil().max(1.0) as u64
    }
}

/// Guesses the iterations left from how the residual falls.
struct Forecast {
    points: Vec<(u64, f64)>,
}

impl Forecast {
    fn new(residual: f64) -> Forecast {
        Forecast { points: vec![(0, residual)] }
    }

    fn learn(&mut self, done: u64, residual: f64) {
        self.points.push((done, residual));
    }

    /// The later half of the points tells the rate: the first iterations fall faster.
    fn iterations_to(&self, tolerance: f64) -> Option<u64> {
        let (end, last) = *self.points.last()?;
        let (begin, first) = *self.points.get(self.points.len() / 2)?;
        let (begin, first) = if begin == end { *self.points.first()? } else { (begin, first) };
        if last <= tolerance {
            return Some(end);
        }
        if tolerance <= 0.0 || end <= begin || last >= first {
            return None;
        }
        let rate = (first / last).ln() / (end - begin) as f64;
        let left = (last / tolerance).ln() / rate;
        left.is_finite().then(|| end + left.ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_of_a_steady_fall_is_exact() {
        let mut forecast = Forecast::new(1.0);
        for done in [10, 20, 40] {
            forecast.learn(done, 0.5_f64.powi(done as i32));
        }
        assert_eq!(forecast.iterations_to(0.5_f64.powi(100)), Some(100));
        assert_eq!(forecast.iterations_to(0.0), None);
    }

    #[test]
    fn looking_stays_under_its_share() {
        let mut pace = Pace::default();
        let (step, look) = (Duration::from_micros(100), Duration::from_micros(1000));
        let (mut iterating, mut looking) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..100 {
            let steps = pace.steps();
            pace.learn(steps, step * steps as u32, look);
            iterating += step * steps as u32;
            looking += look;
        }
        let share = looking.as_secs_f64() / (iterating + looking).as_secs_f64();
        assert!(share < 0.05, "{share}");
    }
}
