//! One contender at one size: prepared, checked, timed.

use std::time::{Duration, Instant};

use bytemuck::cast_slice;

use super::super::{Error, Summary};
use super::contender::{Contender, Threads};
use super::library::Product;
use super::table::Row;
use super::trial::Trial;
use quadrille::data::Matrix;
use quadrille::gl::Context;
use quadrille::internal::reference::Comparison;
use quadrille::linalg::matmul::{self, Element, Multiplier};
use quadrille::stream::Clock;

/// A run takes at least about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(20);
/// Most multiplications in a run.
const MOST_PARTS: f64 = 4096.0;

/// A contender and its times.
pub(super) struct Case<'a, T: Element> {
    context: &'a Context,
    trial: &'a Trial<T>,
    pub(super) contender: Contender,
    pub(super) times: Vec<Duration>,
    /// Multiplications in a run; known after the first.
    parts: u64,
    setup: Duration,
    options: String,
    fetched_bytes: Option<u64>,
    comparison: Comparison,
    prepared: Option<Prepared<T>>,
}

/// A contender that is set up.
enum Prepared<T: Element> {
    Device(Multiplier<T>),
    Library(Product),
}

impl<'a, T: Element> Case<'a, T> {
    pub(super) fn new(
        context: &'a Context,
        trial: &'a Trial<T>,
        contender: Contender,
    ) -> Case<'a, T> {
        Case {
            context,
            trial,
            contender,
            times: Vec::new(),
            parts: 0,
            setup: Duration::ZERO,
            options: String::new(),
            fetched_bytes: None,
            comparison: Comparison::RIGHT,
            prepared: None,
        }
    }

    /// One timed run, after a check if the contender was just prepared. It stays prepared
    /// if it may `stay`.
    pub(super) fn run(&mut self, stay: bool) -> Result<(), Error> {
        let mut prepared = match self.prepared.take() {
            Some(prepared) => prepared,
            None => self.prepare()?,
        };
        self.times.push(prepared.time(self.context, self.parts)?);
        self.prepared = stay.then_some(prepared);
        Ok(())
    }

    /// Sets up, checks (which also makes the driver compile), and finds how long a run should be.
    fn prepare(&mut self) -> Result<Prepared<T>, Error> {
        let Case { context, trial, .. } = *self;
        let mut prepared = match self.contender {
            Contender::Method(_, wish) => {
                let (a, b) = (trial.a.shape(), trial.b.shape());
                let mut product = Multiplier::new(context, a, b, wish)?;
                let load = || Ok::<_, Error>(product.load(&trial.a, &trial.b)?);
                self.setup = Clock::Wall.time(context, load)?.1;
                self.options = product.options();
                self.fetched_bytes = Some(product.fetched_bytes());
                Prepared::Device(product)
            }
            Contender::Library(threads) => Prepared::Library(library(trial, threads)?),
        };
        let first = prepared.time(context, 1)?;
        self.comparison = self.comparison.worse(prepared.compare(trial)?);
        if self.parts == 0 {
            self.multiply_signs(&mut prepared)?;
            // The first run compiled, and may say little about the next; and what is loaded anew is slow to
            // be used at first.
            let one = first.min(prepared.time(context, 1)?);
            let parts = RUN.as_secs_f64() / one.as_secs_f64().max(1e-7);
            self.parts = parts.ceil().clamp(1.0, MOST_PARTS) as u64;
        }
        Ok(prepared)
    }

    /// Has the same plan multiply matrices of -1 and 1.
    fn multiply_signs(&mut self, prepared: &mut Prepared<T>) -> Result<(), Error> {
        let trial = self.trial;
        prepared.load(&trial.signs.a()?, &trial.signs.b()?)?;
        prepared.time(self.context, 1)?;
        self.comparison = self.comparison.worse(prepared.compare_signs(trial)?);
        prepared.load(&trial.a, &trial.b)
    }

    pub(super) fn row(&self, n: usize) -> Row {
        Row {
            n,
            contender: self.contender,
            options: self.options.clone(),
            summary: Summary::of(&self.times, self.parts),
            setup: self.setup,
            fetched_bytes: self.fetched_bytes,
            comparison: self.comparison,
        }
    }
}

fn library<T: Element>(trial: &Trial<T>, threads: Threads) -> Result<Product, Error> {
    if !T::IS_FLOAT {
        return Err(Error::Library { got: T::NAME });
    }
    let mut product = Product::new(trial.a.shape().rows, threads)?;
    product.load(floats(&trial.a), floats(&trial.b))?;
    Ok(product)
}

/// The one type of number that is a float has 32 bits.
fn floats<T: Element>(matrix: &Matrix<T>) -> &[f32] {
    cast_slice(matrix.elements())
}

impl<T: Element> Prepared<T> {
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error> {
        match self {
            Prepared::Device(product) => Ok(product.load(a, b)?),
            Prepared::Library(product) => product.load(floats(a), floats(b)),
        }
    }

    fn compare(&self, trial: &Trial<T>) -> Result<Comparison, Error> {
        Ok(match self {
            Prepared::Device(product) => trial.expected.compare(&product.read()?),
            Prepared::Library(product) => trial.expected.compare(product.result()),
        })
    }

    fn compare_signs(&self, trial: &Trial<T>) -> Result<Comparison, Error> {
        Ok(match self {
            Prepared::Device(product) => trial.signs.compare(&product.read()?),
            Prepared::Library(product) => trial.signs.compare(product.result()),
        })
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration, Error> {
        let on_the_device = match self {
            Prepared::Device(product) => product.method().engine() != matmul::Engine::Host,
            Prepared::Library(_) => false,
        };
        let mut runs = || (0..parts).try_for_each(|_| self.run());
        if on_the_device {
            return Ok(Clock::of(context).time(context, runs)?.1);
        }
        let start = Instant::now();
        runs()?;
        Ok(start.elapsed())
    }

    fn run(&mut self) -> Result<(), Error> {
        match self {
            Prepared::Device(product) => product.run()?,
            Prepared::Library(product) => product.run(),
        }
        Ok(())
    }
}
