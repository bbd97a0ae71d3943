//! Operations that are tuned: their data, their results in double precision, and how they run.

mod fft;
mod matmul;
mod vectors;

use std::time::Duration;

use quadrille::gl::Context;
use quadrille::linalg::jacobi::{Jacobi, Variant};
use quadrille::stream::Clock;
use quadrille::testing::Comparison;

use super::super::twin::{Expected, System};
use super::question::{Operation, Question};
use crate::bench::benchmark::Benchmark;
use crate::{Error, Result};

/// An operation at a size, with data for it.
pub(super) trait Subject {
    /// The texts of the ways that a context can run, the most promising first.
    fn choices(&self, context: &Context) -> Vec<String>;

    /// Sets the operation up as a user does who says nothing about the way.
    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>>;
}

/// An operation that is set up.
pub(super) trait Running {
    /// The way that runs.
    fn choice(&self) -> String;

    /// Compares a result with its twin.
    fn check(&mut self) -> Result<Comparison>;

    /// Runs the operation some times.
    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration>;
}

/// Work that is repeated, timed by the clock that suits it.
struct Repeated<'a> {
    choice: String,
    clock: Clock,
    work: Box<dyn Benchmark + 'a>,
}

impl Running for Repeated<'_> {
    fn choice(&self) -> String {
        self.choice.clone()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.work.run()?;
        self.work.compare()
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let repeated = || (0..parts).try_for_each(|_| self.work.run());
        Ok(self.clock.time(context, repeated)?.1)
    }
}

pub(super) fn of(question: &Question, context: &Context) -> Result<Box<dyn Subject>> {
    let side = question.side;
    Ok(match question.operation {
        Operation::Blas1 => Box::new(vectors::Axpy::new(side)?),
        Operation::Reduce => Box::new(vectors::Sum::new(side)?),
        Operation::Vector => Box::new(vectors::Program::new(question.size())?),
        Operation::Jacobi => Box::new(Grid::new(question.grid())?),
        Operation::Fft => Box::new(fft::Transform::new(side)?),
        Operation::Matmul => Box::new(matmul::Product::new(side, context)?),
    })
}

/// A system for Jacobi's iteration.
struct Grid {
    system: System,
    expected: Expected,
}

/// Iterations before a result is compared with its twin: the rounding of a few is all there is.
const CHECKED: u64 = 4;

impl Grid {
    fn new(width: usize) -> Result<Grid> {
        let system = System::random(width * width, width, 1)?;
        let expected = system.after(CHECKED)?;
        Ok(Grid { system, expected })
    }
}

impl Subject for Grid {
    fn choices(&self, context: &Context) -> Vec<String> {
        Jacobi::choices(context)
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn Running + 'a>> {
        let mut jacobi = Jacobi::new(context, &self.system.matrix, Variant::default())?;
        jacobi.set_systems(&[&self.system.side], &[&self.system.start])?;
        Ok(Box::new(Iteration { jacobi, expected: &self.expected }))
    }
}

struct Iteration<'a> {
    jacobi: Jacobi,
    expected: &'a Expected,
}

impl Running for Iteration<'_> {
    fn choice(&self) -> String {
        self.jacobi.choice()
    }

    fn check(&mut self) -> Result<Comparison> {
        self.jacobi.iterate(CHECKED)?;
        let got = self.jacobi.read()?;
        Ok(got.first().map_or(Comparison::WRONG, |x| self.expected.compare(x)))
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration> {
        let steps = || Ok::<_, Error>(self.jacobi.iterate(parts)?);
        Ok(Clock::of(context).time(context, steps)?.1)
    }
}
