//! Times a contender at a size.

use std::time::{Duration, Instant};

use bytemuck::cast_slice;

use super::super::runner::{self, Measured};
use super::contender::{Contender, Threads};
use super::library::Product;
use super::listing::Listing;
use super::table::Row;
use super::trial::Trial;
use crate::{Error, MeasurementError, Result};
use quadrille::data::Matrix;
use quadrille::error::Kind;
use quadrille::gl::Context;
use quadrille::linalg::matmul::{Element, Multiplier};
use quadrille::memory;
use quadrille::stream::Clock;
use quadrille::testing::Comparison;

pub struct Case<'a, T: Element> {
    context: &'a Context,
    trial: &'a Trial<T>,
    pub contender: Contender,
    setup: Duration,
    options: String,
    fetched_bytes: Option<u64>,
    prepared: Option<Prepared<T>>,
}

enum Prepared<T: Element> {
    Device(Multiplier<T>),
    Listing(Listing<T>),
    Library(Product),
}

impl<'a, T: Element> Case<'a, T> {
    pub fn new(context: &'a Context, trial: &'a Trial<T>, contender: Contender) -> Case<'a, T> {
        let (setup, options) = (Duration::ZERO, String::new());
        Case { context, trial, contender, setup, options, fetched_bytes: None, prepared: None }
    }

    pub(super) fn row(measured: &Measured<Self>, n: usize) -> Row {
        let Measured { case, comparison, .. } = measured;
        Row {
            n,
            contender: case.contender,
            options: case.options.clone(),
            summary: measured.summary(),
            setup: case.setup,
            fetched_bytes: case.fetched_bytes,
            comparison: *comparison,
        }
    }
}

impl<T: Element> runner::Case for Case<'_, T> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        let Case { context, trial, .. } = *self;
        self.prepared = Some(match self.contender {
            Contender::Method(_, wish) => {
                let (a, b) = (trial.a.shape(), trial.b.shape());
                let mut product = Multiplier::new(context, a, b, wish)?;
                let load = || Ok::<_, Error>(product.load(&trial.a, &trial.b)?);
                self.setup = Clock::Wall.time(context, load)?.1;
                self.options = product.options();
                self.fetched_bytes = Some(product.fetched_bytes());
                Prepared::Device(product)
            }
            Contender::Serial(order) => {
                let mut listing = Listing::new(order, trial.a.shape(), trial.b.shape())?;
                listing.load(&trial.a, &trial.b);
                Prepared::Listing(listing)
            }
            Contender::Library(threads) => Prepared::Library(library(trial, threads)?),
        });
        Ok(())
    }

    /// Compares with double precision, and then has the same plan multiply matrices of -1 and 1.
    fn check(&mut self) -> Result<Comparison> {
        let trial = self.trial;
        let Some(prepared) = &mut self.prepared else { return Ok(Comparison::WRONG) };
        prepared.run()?;
        let comparison = trial.expected.compare(&prepared.result()?);
        prepared.load(&trial.signs.a()?, &trial.signs.b()?)?;
        prepared.run()?;
        let comparison = comparison.worse(trial.signs.compare(&prepared.result()?));
        prepared.load(&trial.a, &trial.b)?;
        Ok(comparison)
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        let on_host = self.on_host();
        let Some(prepared) = &mut self.prepared else { return Ok(Duration::ZERO) };
        let mut runs = || (0..parts).try_for_each(|_| prepared.run());
        if !on_host {
            return Ok(Clock::of(self.context).time(self.context, runs)?.1);
        }
        let start = Instant::now();
        runs()?;
        Ok(start.elapsed())
    }

    fn release(&mut self) {
        self.prepared = None;
    }

    fn bytes(&self) -> usize {
        3 * self.trial.a.elements().len() * size_of::<T>()
    }

    fn on_host(&self) -> bool {
        self.contender.engine().is_none()
    }

    fn cost(&self) -> u64 {
        turn(self.trial.a.shape().rows)
    }

    /// Also for sizes that a method does not take.
    fn is_skipped_for(error: &Error) -> bool {
        error.kind().is_device_limit() || error.kind() == Kind::Input
    }
}

fn library<T: Element>(trial: &Trial<T>, threads: Threads) -> Result<Product> {
    if !T::IS_FLOAT {
        return Err(MeasurementError::Library { got: T::NAME }.into());
    }
    let mut product = Product::new(trial.a.shape().rows, threads)?;
    product.load(floats(&trial.a), floats(&trial.b));
    Ok(product)
}

/// The one type of number that is a float has 32 bits.
fn floats<T: Element>(matrix: &Matrix<T>) -> &[f32] {
    cast_slice(matrix.elements())
}

impl<T: Element> Prepared<T> {
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
        match self {
            Prepared::Device(product) => product.load(a, b)?,
            Prepared::Listing(listing) => listing.load(a, b),
            Prepared::Library(product) => product.load(floats(a), floats(b)),
        }
        Ok(())
    }

    fn result(&self) -> Result<Matrix<T>> {
        Ok(match self {
            Prepared::Device(product) => product.read()?,
            Prepared::Listing(listing) => {
                let c = listing.result();
                Matrix::new(c.shape(), memory::copied(c.elements())?)?
            }
            Prepared::Library(product) => {
                let c = product.result();
                Matrix::new(c.shape(), memory::copied(cast_slice(c.elements()))?)?
            }
        })
    }

    fn run(&mut self) -> Result<()> {
        match self {
            Prepared::Device(product) => product.run()?,
            Prepared::Listing(listing) => listing.run(),
            Prepared::Library(product) => product.run(),
        }
        Ok(())
    }
}

/// The cost of a turn, which is a set-up or a run, in multiply-adds.
pub(super) fn turn(n: usize) -> u64 {
    100_000_000 + (n as u64).saturating_pow(3)
}
