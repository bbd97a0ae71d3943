//! One runner of one program at one size: prepared, checked, timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use quadrille::internal::memory;
use quadrille::internal::reference::Comparison;
use quadrille::stream::Clock;
use quadrille::vector_machine::{DFunction, DVector, Engine, Machine, Memory};

use super::super::{Error, Summary};
use super::row::{Row, Runner};
use super::subject::Subject;

/// A run takes at least about this long, so that the clock's steps do not matter.
const RUN: Duration = Duration::from_millis(10);
/// Most calls in a run.
const MOST_PARTS: f64 = 1000.0;

/// A runner and its times.
pub(super) struct Case<'a> {
    subject: Subject,
    runner: Runner,
    numbers: &'a [f32],
    prepared: Prepared,
    parts: u64,
    times: Vec<Times>,
    comparison: Comparison,
}

/// A runner that is prepared.
enum Prepared {
    Host {
        results: Vec<f32>,
    },
    Machine {
        machine: Machine,
        function: Box<DFunction>,
        input: DVector<f32>,
        output: DVector<f32>,
    },
}

/// The parts of a run.
#[derive(Clone, Copy, Default)]
struct Times {
    upload: Duration,
    /// The call after the upload.
    first: Duration,
    /// The same call once more, everything being on the device.
    compute: Duration,
    readback: Duration,
}

impl Times {
    /// Without transfers, all calls are alike.
    fn on_host(call: Duration) -> Times {
        Times { first: call, compute: call, ..Times::default() }
    }

    fn total(self) -> Duration {
        self.upload + self.first + self.readback
    }

    fn and(self, other: Times) -> Times {
        Times {
            upload: self.upload + other.upload,
            first: self.first + other.first,
            compute: self.compute + other.compute,
            readback: self.readback + other.readback,
        }
    }
}

impl<'a> Case<'a> {
    /// Sets up, checks (which also makes the driver compile), and finds how long a run should be.
    pub(super) fn new(
        machine: &Machine,
        subject: Subject,
        runner: Runner,
        numbers: &'a [f32],
    ) -> Result<Case<'a>, Error> {
        let mut prepared = Prepared::new(machine, subject, runner, numbers)?;
        prepared.once(subject, numbers)?;
        let comparison = subject.compare(numbers, prepared.results()?);
        let one = prepared.once(subject, numbers)?.total().as_secs_f64().max(1e-7);
        let parts = (RUN.as_secs_f64() / one).ceil().clamp(1.0, MOST_PARTS) as u64;
        Ok(Case { subject, runner, numbers, prepared, parts, times: Vec::new(), comparison })
    }

    /// One timed run.
    pub(super) fn run(&mut self) -> Result<(), Error> {
        let mut times = Times::default();
        for _ in 0..self.parts {
            times = times.and(self.prepared.once(self.subject, self.numbers)?);
        }
        self.times.push(times);
        Ok(())
    }

    pub(super) fn row(&self) -> Row {
        let summary = |of: fn(&Times) -> Duration| {
            let times: Vec<Duration> = self.times.iter().map(of).collect();
            Summary::of(&times, self.parts)
        };
        let transfers = self.prepared.memory().is_some();
        Row {
            subject: self.subject,
            n: self.numbers.len(),
            runner: self.runner,
            upload: transfers.then(|| summary(|times| times.upload)),
            first: summary(|times| times.first),
            compute: summary(|times| times.compute),
            readback: transfers.then(|| summary(|times| times.readback)),
            total: summary(|times| times.total()),
            comparison: self.comparison,
        }
    }
}

impl Prepared {
    fn new(
        machine: &Machine,
        subject: Subject,
        runner: Runner,
        numbers: &[f32],
    ) -> Result<Prepared, Error> {
        let Runner::Engine(engine) = runner else {
            return Ok(Prepared::Host { results: memory::zeroed(numbers.len())? });
        };
        let machine = machine.with(engine)?;
        let function = Box::new(subject.function(&machine)?);
        let output = DVector::zeros(numbers.len());
        let input = DVector::from(memory::copied(numbers)?);
        Ok(Prepared::Machine { machine, function, input, output })
    }

    /// The memory that vectors travel to; the simulator's are on the host.
    fn memory(&self) -> Option<&Memory> {
        match self {
            Prepared::Machine { machine, .. } if machine.engine() != Engine::Simulator => {
                machine.memory()
            }
            _ => None,
        }
    }

    /// One call, and its parts.
    fn once(&mut self, subject: Subject, numbers: &[f32]) -> Result<Times, Error> {
        let memory = self.memory().cloned();
        match self {
            Prepared::Host { results } => {
                let begun = Instant::now();
                black_box(subject).on_host(black_box(numbers), results);
                black_box(results);
                Ok(Times::on_host(begun.elapsed()))
            }
            Prepared::Machine { function, input, output, .. } => match memory {
                Some(memory) => once_on_device(&memory, function, input, output),
                None => {
                    let begun = Instant::now();
                    function.execute(&[input], output)?;
                    Ok(Times::on_host(begun.elapsed()))
                }
            },
        }
    }

    /// The results of the last call.
    fn results(&self) -> Result<&[f32], Error> {
        match self {
            Prepared::Host { results } => Ok(results),
            Prepared::Machine { output, .. } => Ok(output.read()?),
        }
    }
}

fn once_on_device(
    memory: &Memory,
    function: &DFunction,
    input: &mut DVector<f32>,
    output: &mut DVector<f32>,
) -> Result<Times, Error> {
    let context = memory.context();
    // The host may have written it, so it is sent again.
    input.read_mut()?;
    let ((), upload) = Clock::Wall.time(context, || memory.send(&*input))?;
    let mut call = || {
        let run = || function.execute_async(&[&*input], output).map(drop);
        Clock::of(context).time(context, run).map(|((), time)| time)
    };
    let (first, compute) = (call()?, call()?);
    let begun = Instant::now();
    black_box(output.read()?);
    Ok(Times { upload, first, compute, readback: begun.elapsed() })
}
