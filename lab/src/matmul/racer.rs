//! One contender at one size: set up, checked, timed.

use std::time::{Duration, Instant};

use bytemuck::cast_slice;

use super::library::Product;
use super::{Contender, Error, Row, Summary, Threads, Trial};
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
pub(super) struct Racer<'a, T: Element> {
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
    seat: Option<Seat<T>>,
}

/// A contender that is set up.
enum Seat<T: Element> {
    Device(Multiplier<T>),
    Library(Product),
}

impl<'a, T: Element> Racer<'a, T> {
    pub(super) fn new(
        context: &'a Context,
        trial: &'a Trial<T>,
        contender: Contender,
    ) -> Racer<'a, T> {
        Racer {
            context,
            trial,
            contender,
            times: Vec::new(),
            parts: 0,
            setup: Duration::ZERO,
            options: String::new(),
            fetched_bytes: None,
            comparison: Comparison::RIGHT,
            seat: None,
        }
    }

    /// One timed run, after a check if the contender was just set up. It holds on to what it set up
    /// if it may `stay`.
    pub(super) fn run(&mut self, stay: bool) -> Result<(), Error> {
        let mut seat = match self.seat.take() {
            Some(seat) => seat,
            None => self.sit()?,
        };
        self.times.push(seat.time(self.context, self.parts)?);
        self.seat = stay.then_some(seat);
        Ok(())
    }

    /// Sets up, checks (which also makes the driver compile), and finds how long a run should be.
    fn sit(&mut self) -> Result<Seat<T>, Error> {
        let Racer { context, trial, .. } = *self;
        let mut seat = match self.contender {
            Contender::Method(_, wish) => {
                let (a, b) = (trial.a.shape(), trial.b.shape());
                let mut product = Multiplier::new(context, a, b, wish)?;
                let load = || Ok::<_, Error>(product.load(&trial.a, &trial.b)?);
                self.setup = Clock::Wall.time(context, load)?.1;
                self.options = product.options();
                self.fetched_bytes = Some(product.fetched_bytes());
                Seat::Device(product)
            }
            Contender::Library(threads) => Seat::Library(library(trial, threads)?),
        };
        let first = seat.time(context, 1)?;
        self.comparison = self.comparison.worse(seat.compare(trial)?);
        if self.parts == 0 {
            self.multiply_signs(&mut seat)?;
            // The first run compiled, and may say little about the next; and what is loaded anew is slow to
            // be used at first.
            let one = first.min(seat.time(context, 1)?);
            let parts = RUN.as_secs_f64() / one.as_secs_f64().max(1e-7);
            self.parts = parts.ceil().clamp(1.0, MOST_PARTS) as u64;
        }
        Ok(seat)
    }

    /// Has the same plan multiply matrices of -1 and 1.
    fn multiply_signs(&mut self, seat: &mut Seat<T>) -> Result<(), Error> {
        let trial = self.trial;
        seat.load(&trial.signs.a()?, &trial.signs.b()?)?;
        seat.time(self.context, 1)?;
        self.comparison = self.comparison.worse(seat.compare_signs(trial)?);
        seat.load(&trial.a, &trial.b)
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

impl<T: Element> Seat<T> {
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error> {
        match self {
            Seat::Device(product) => Ok(product.load(a, b)?),
            Seat::Library(product) => product.load(floats(a), floats(b)),
        }
    }

    fn compare(&self, trial: &Trial<T>) -> Result<Comparison, Error> {
        Ok(match self {
            Seat::Device(product) => trial.expected.compare(&product.read()?),
            Seat::Library(product) => trial.expected.compare(product.result()),
        })
    }

    fn compare_signs(&self, trial: &Trial<T>) -> Result<Comparison, Error> {
        Ok(match self {
            Seat::Device(product) => trial.signs.compare(&product.read()?),
            Seat::Library(product) => trial.signs.compare(product.result()),
        })
    }

    fn time(&mut self, context: &Context, parts: u64) -> Result<Duration, Error> {
        let on_the_device = match self {
            Seat::Device(product) => product.method().engine() != matmul::Engine::Host,
            Seat::Library(_) => false,
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
            Seat::Device(product) => product.run()?,
            Seat::Library(product) => product.run(),
        }
        Ok(())
    }
}
