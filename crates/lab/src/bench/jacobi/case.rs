//! Times an engine at a size.

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::internal::reference::jacobi::{step_bands, step_loop};
use quadrille::linalg::jacobi::{Jacobi, Variant};
use quadrille::memory;
use quadrille::stream::Clock;

use super::super::runner::{self, Measured};
use super::engine::Engine;
use super::row::Row;
use crate::Result;
use crate::report::document::jacobi as document;
use crate::twin::{Comparison, Expected, System};

/// An engine and the systems that it solves.
pub(super) struct Case<'a> {
    pub(super) context: &'a Context,
    pub(super) engine: Engine,
    pub(super) trials: &'a [Trial],
    /// Unknowns in all, as the plan has them.
    pub(super) n: usize,
    pub(super) prepared: Option<Prepared>,
}

pub(super) enum Prepared {
    Device(Box<Jacobi>),
    Cpu { step: Step, x: Vec<f32>, new: Vec<f32> },
}

type Step = fn(&quadrille::data::NineBanded, &[f32], &[f32], &mut [f32]);

impl Case<'_> {
    fn iterate(&mut self, steps: u64) -> Result<()> {
        match &mut self.prepared {
            Some(Prepared::Device(jacobi)) => jacobi.iterate(steps)?,
            Some(Prepared::Cpu { step, x, new }) => {
                for trial in self.trials.iter().take(1) {
                    for _ in 0..steps {
                        step(&trial.system.matrix, &trial.system.side, x, new);
                        std::mem::swap(x, new);
                    }
                }
            }
            None => {}
        }
        Ok(())
    }

    pub(super) fn row(measured: &Measured<Self>) -> Row {
        let Measured { case, comparison, parts, .. } = measured;
        let systems = case.engine.systems();
        let summary = measured.summary();
        Row {
            n: case.n,
            engine: case.engine,
            summary,
            iterations: *parts,
            mflops: summary.rate(20.0 * (case.n / systems * systems) as f64) / 1e6,
            comparison: *comparison,
            document: match case.engine {
                Engine::Device(layout, ..) => document::claim(case.n, layout),
                _ => None,
            },
        }
    }
}

impl runner::Case for Case<'_> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        let cpu = |step: Step| -> Result<Prepared> {
            let start = self.trials.first().map_or(&[][..], |trial| &trial.system.start);
            Ok(Prepared::Cpu { step, new: memory::zeroed(start.len())?, x: memory::copied(start)? })
        };
        self.prepared = Some(match self.engine {
            Engine::CpuLoop => cpu(step_loop)?,
            Engine::CpuBands => cpu(step_bands)?,
            Engine::Device(layout, stage, reads) => {
                let wish = Variant::new().layout(layout).optimization(stage).reads(reads);
                let systems = self.trials.iter().map(|trial| &trial.system);
                Prepared::Device(Box::new(System::solver(self.context, systems, wish)?))
            }
        });
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        self.iterate(CHECKED)?;
        let got = match &self.prepared {
            Some(Prepared::Device(jacobi)) => jacobi.read()?,
            Some(Prepared::Cpu { x, .. }) => vec![memory::copied(x)?],
            None => return Ok(Comparison::WRONG),
        };
        let compared = self.trials.iter().zip(got).map(|(trial, got)| trial.expected.compare(&got));
        Ok(compared.fold(Comparison::RIGHT, Comparison::worse))
    }

    fn time(&mut self, steps: u64) -> Result<Duration> {
        let context = self.context;
        if let Some(Prepared::Device(_)) = self.prepared {
            return Ok(Clock::of(context).time(context, || self.iterate(steps))?.1);
        }
        let start = Instant::now();
        self.iterate(steps)?;
        Ok(start.elapsed())
    }

    fn release(&mut self) {
        self.prepared = None;
    }

    /// Nine bands, the right-hand side, two iterates.
    fn bytes(&self) -> usize {
        12 * size_of::<f32>() * self.n
    }

    fn on_host(&self) -> bool {
        matches!(self.engine, Engine::CpuLoop | Engine::CpuBands)
    }

    fn cost(&self) -> u64 {
        turn(self.n)
    }
}

/// Iterations before a result is compared with its twin: the rounding of a few is all there is.
const CHECKED: u64 = 4;

/// A system with what a few steps of it should give.
pub(super) struct Trial {
    pub(super) system: System,
    pub(super) expected: Expected,
}

impl Trial {
    pub(super) fn new(n: usize, seed: u64) -> Result<Trial> {
        let system = System::random(n, width(n), seed)?;
        let expected = system.after(CHECKED)?;
        Ok(Trial { system, expected })
    }
}

/// The width of the grid: the square root of the number of unknowns, as in the paper.
pub(super) fn width(n: usize) -> usize {
    n.isqrt().max(quadrille::data::MIN_WIDTH)
}

/// The cost of a turn, which is a set-up or a run, in unknowns.
pub(super) fn turn(n: usize) -> u64 {
    n as u64 + 200_000
}
