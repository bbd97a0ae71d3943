//! The search: steps, looks, restarts.

use quadrille::gl::Context;
use quadrille::internal::Instant;
use quadrille::{Control, Observer, Progress};

use super::super::call_interval::CallInterval;
use super::super::iterations;
use super::super::{Answer, Error, Limits, Outcome, Propagation, Result};
use super::Options;
use super::layout::{GROUP, Layout};
use super::state::{Candidate, State};
use crate::cnf::Cnf;

/// The number of steps between two checks whether a candidate is a model: rare enough that the
/// device need not wait for the host, often enough that a model is found soon.
pub const CHECK_INTERVAL: u64 = 32;

/// A formula's candidates on a device.
///
/// ```
/// use quadrille_vp::cnf::planted_cnf;
/// use quadrille_vp::sat::{Answer, Limits, walk};
///
/// let context = quadrille::Context::headless()?;
/// let (cnf, _) = planted_cnf(40, 160, 3, 1)?;
/// let options = walk::Options::new(128).seed(1);
/// let limits = Limits { flips: 1000, restarts: 9 };
/// let outcome = walk::solve(&context, &cnf, options, limits, &mut ())?;
/// assert_eq!(outcome.answer, Answer::Satisfiable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Walk {
    state: State,
    device: String,
    /// Evaluations of all clauses for all candidates so far.
    evaluated: u64,
    interval: CallInterval,
}

/// Searches for a model of what unit propagation leaves open. A formula that it decides gets its
/// answer without a search.
///
/// # Errors
/// Those of [`Walk::new`] and [`Walk::run`].
pub fn solve(
    context: &Context,
    cnf: &Cnf,
    options: Options,
    limits: Limits,
    observer: &mut impl Observer,
) -> Result<Outcome> {
    let units = Propagation::of(cnf)?;
    if let Some(outcome) = units.decided(cnf)? {
        return Ok(outcome);
    }
    let outcome = Walk::new(context, units.rest(), options)?.run(units.rest(), limits, observer)?;
    Ok(units.extended(cnf, outcome)?)
}

impl Walk {
    /// Compiles the passes for a formula and makes room on the device. The formula must have
    /// clauses, none of them empty, once it is simplified: see [`Outcome::without_search`].
    ///
    /// # Errors
    /// [`Error::Noise`] and [`Error::Candidates`] for numbers out of range;
    /// [`Error::FormulaTooLarge`], [`Error::TooManyCandidates`] and [`Error::LongLoop`] beyond the
    /// device's limits; errors of the device.
    pub fn new(context: &Context, cnf: &Cnf, options: Options) -> Result<Walk> {
        let Options { candidates, noise, .. } = options;
        if !(0.0..=1.0).contains(&noise) {
            return Err(Error::Noise { noise });
        }
        let limit = context.abilities().max_texture_size;
        let most = limit as usize * GROUP;
        if !(1..=most).contains(&candidates) {
            return Err(Error::Candidates { got: candidates, most });
        }
        let cnf = cnf.simplified()?;
        let layout = Layout::new(&cnf, candidates, limit)?;
        iterations::must_end(context, &cnf, iterations::of_choice(&cnf, layout.block)?)?;
        let mut state = State::new(context, &cnf, layout, options)?;
        state.warm_up()?;
        let device = context.abilities().renderer.clone();
        Ok(Walk { state, device, evaluated: 0, interval: CallInterval::new(CHECK_INTERVAL) })
    }

    /// Returns the number of candidates, a multiple of [`GROUP`].
    pub fn candidates(&self) -> usize {
        self.state.layout().candidates()
    }

    /// Returns the number of clauses in a block: the steps of a candidate's search for an
    /// unsatisfied clause, which the [twin](crate::reference::walk) follows.
    #[doc(hidden)]
    pub fn block(&self) -> usize {
        self.state.layout().block
    }

    /// Sets all candidates to new random assignments.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn begin(&mut self) -> Result<()> {
        Ok(self.state.begin()?)
    }

    /// Makes one step: each candidate that is no model flips a variable.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn step(&mut self) -> Result<()> {
        self.evaluate()?;
        Ok(self.state.flip()?)
    }

    /// Reads the assignments of all candidates, for tests; a search reads only one.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn assignments(&self) -> Result<Vec<Vec<bool>>> {
        let all = 0..self.candidates();
        all.map(|index| Ok(self.state.extract((index / GROUP, index % GROUP))?)).collect()
    }

    /// Searches for a model of the formula that it was made for.
    ///
    /// # Errors
    /// [`Error::WrongModel`] if the device reports a model that is not one; errors of the device.
    pub fn run(
        &mut self,
        cnf: &Cnf,
        limits: Limits,
        observer: &mut impl Observer,
    ) -> Result<Outcome> {
        let begun = Instant::now();
        let before = self.evaluated;
        let (mut steps, mut restarts) = (0, 0);
        let expected = Some(limits.flips);
        let found = loop {
            // What does not divide falls to the first.
            let attempts = limits.restarts.saturating_add(1) - restarts;
            let share = (limits.flips - steps).div_ceil(attempts);
            let found = self.attempt(share, &mut steps, |done| {
                observer.observe(&Progress::new(done, expected))
            })?;
            let spent = restarts == limits.restarts || steps == limits.flips;
            if found != Found::Nothing || spent {
                break found;
            }
            restarts += 1;
        };
        let best = match found {
            Found::Model(candidate) => candidate,
            _ => self.state.best()?,
        };
        let assignment = self.state.extract(best)?;
        let elapsed = begun.elapsed();
        let outcome = Outcome::of(cnf, assignment);
        if matches!(found, Found::Model(_)) && outcome.answer != Answer::Satisfiable {
            return Err(Error::wrong_model(cnf, &outcome.assignment, &self.device));
        }
        let layout = self.state.layout();
        let candidates = layout.candidates() as u64;
        Ok(Outcome {
            flips: steps * candidates,
            restarts,
            evaluations: (self.evaluated - before) * candidates * layout.clauses as u64,
            elapsed,
            stopped: found == Found::Stop && outcome.answer == Answer::Unknown,
            ..outcome
        })
    }

    /// Runs from new assignments for at most this number of flips of each candidate.
    fn attempt(
        &mut self,
        flips: u64,
        steps: &mut u64,
        mut look: impl FnMut(u64) -> Control,
    ) -> Result<Found> {
        self.state.begin()?;
        for flip in 0..=flips {
            self.evaluate()?;
            let due = self.interval.step();
            let may_end = flip % CHECK_INTERVAL == 0 || flip == flips;
            if may_end && let Some(candidate) = self.state.find()? {
                return Ok(Found::Model(candidate));
            }
            if may_end || due {
                self.state.finish()?;
                self.interval.restart();
                if look(*steps) == Control::Stop {
                    return Ok(Found::Stop);
                }
            }
            if flip < flips {
                self.state.flip()?;
                *steps += 1;
            }
        }
        Ok(Found::Nothing)
    }

    fn evaluate(&mut self) -> Result<()> {
        self.evaluated += 1;
        Ok(self.state.evaluate()?)
    }
}

/// The end of an attempt.
#[derive(PartialEq, Eq)]
enum Found {
    Model(Candidate),
    Nothing,
    Stop,
}
