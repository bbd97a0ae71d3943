//! One engine at one size: prepared, checked, timed.

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::internal::memory;
use quadrille::internal::reference::jacobi::{step_bands, step_loop};
use quadrille::linalg::jacobi::{Jacobi, Variant};
use quadrille::stream::Clock;

use super::super::Error;
use super::super::twin::Comparison;
use super::engine::Engine;
use super::trial::{CHECKED, Trial};

/// A run takes about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(40);

/// An engine and its times.
pub(super) struct Case<'a> {
    context: &'a Context,
    pub(super) engine: Engine,
    pub(super) times: Vec<Duration>,
    /// Iterations in a run; known after the first.
    pub(super) iterations: u64,
    pub(super) comparison: Comparison,
    prepared: Option<Prepared>,
}

/// An engine that is set up.
enum Prepared {
    Device(Box<Jacobi>),
    Cpu { step: Step, x: Vec<f32>, new: Vec<f32> },
}

type Step = fn(&quadrille::data::NineBanded, &[f32], &[f32], &mut [f32]);

impl<'a> Case<'a> {
    pub(super) fn new(context: &'a Context, engine: Engine) -> Case<'a> {
        let comparison = Comparison::RIGHT;
        Case { context, engine, times: Vec::new(), iterations: 0, comparison, prepared: None }
    }

    /// One timed run, after a check if the engine was just set up.
    pub(super) fn run(&mut self, trials: &[Trial]) -> Result<(), Error> {
        let mut prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => self.prepare(trials)?,
        };
        let (iterations, clock) = (self.iterations, Clock::of(self.context));
        let time = prepared.time(self.context, clock, trials, iterations)?;
        self.times.push(time);
        self.prepared = Some(prepared);
        Ok(())
    }

    /// Frees its textures until its next run.
    pub(super) fn release(&mut self) {
        self.prepared = None;
    }

    /// Sets up, checks (which also makes the driver compile), and finds how long a run should be.
    fn prepare(&mut self, trials: &[Trial]) -> Result<Prepared, Error> {
        let mut prepared = Prepared::new(self.context, self.engine, trials)?;
        prepared.iterate(trials, CHECKED)?;
        for (trial, got) in trials.iter().zip(prepared.read()?) {
            self.comparison = self.comparison.worse(trial.expected.compare(&got));
        }
        if self.iterations == 0 {
            let some = 2;
            let time = prepared.time(self.context, Clock::Wall, trials, some)?;
            let one = time.as_secs_f64() / some as f64;
            self.iterations = ((RUN.as_secs_f64() / one.max(1e-7)).ceil() as u64).clamp(2, 4096);
        }
        Ok(prepared)
    }
}

impl Prepared {
    fn new(context: &Context, engine: Engine, trials: &[Trial]) -> Result<Prepared, Error> {
        let cpu = |step: Step| -> Result<Prepared, Error> {
            let start = trials.first().map_or(&[][..], |trial| &trial.start);
            Ok(Prepared::Cpu { step, new: memory::zeroed(start.len())?, x: memory::copied(start)? })
        };
        Ok(match engine {
            Engine::CpuLoop => cpu(step_loop)?,
            Engine::CpuBands => cpu(step_bands)?,
            Engine::Device(layout, stage, reads) => {
                let wish =
                    Variant { layout: Some(layout), optimization: Some(stage), reads: Some(reads) };
                let matrices: Vec<_> = trials.iter().map(|trial| &trial.matrix).collect();
                let sides: Vec<_> = trials.iter().map(|trial| trial.side.as_slice()).collect();
                let starts: Vec<_> = trials.iter().map(|trial| trial.start.as_slice()).collect();
                let mut jacobi = Jacobi::with_systems(context, &matrices, wish)?;
                jacobi.set_systems(&sides, &starts)?;
                Prepared::Device(Box::new(jacobi))
            }
        })
    }

    fn iterate(&mut self, trials: &[Trial], steps: u64) -> Result<(), Error> {
        match self {
            Prepared::Device(jacobi) => jacobi.iterate(steps)?,
            Prepared::Cpu { step, x, new } => {
                for trial in trials.iter().take(1) {
                    for _ in 0..steps {
                        step(&trial.matrix, &trial.side, x, new);
                        std::mem::swap(x, new);
                    }
                }
            }
        }
        Ok(())
    }

    fn read(&self) -> Result<Vec<Vec<f32>>, Error> {
        match self {
            Prepared::Device(jacobi) => Ok(jacobi.read()?),
            Prepared::Cpu { x, .. } => Ok(vec![memory::copied(x)?]),
        }
    }

    fn time(
        &mut self,
        context: &Context,
        clock: Clock,
        trials: &[Trial],
        steps: u64,
    ) -> Result<Duration, Error> {
        if let Prepared::Cpu { .. } = self {
            let start = Instant::now();
            self.iterate(trials, steps)?;
            return Ok(start.elapsed());
        }
        Ok(clock.time(context, || self.iterate(trials, steps))?.1)
    }
}
