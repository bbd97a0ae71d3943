//! One runner of one program at one size.

use std::hint::black_box;
use std::time::{Duration, Instant};

use quadrille::memory;
use quadrille::stream::Clock;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DFunction, DVector, Machine, Memory, Processor};

use super::super::runner::{self, Measured, RunTime};
use super::row::{Row, Runner};
use super::subject::Subject;
use crate::{Result, Summary};

pub(super) struct Case<'a> {
    machine: &'a Machine,
    subject: Subject,
    pub(super) runner: Runner,
    numbers: &'a [f32],
    prepared: Prepared,
    cost: u64,
}

enum Prepared {
    Host {
        work: fn(Subject, &[f32], &mut [f32]),
        results: Vec<f32>,
    },
    Machine {
        machine: Machine,
        function: Box<DFunction>,
        input: DVector<f32>,
        output: DVector<f32>,
    },
}

#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    upload: Duration,
    /// The call after the upload.
    first: Duration,
    /// The time of the same call once more, with everything on the device.
    compute: Duration,
    readback: Duration,
}

impl Times {
    /// The times of calls without transfers, which are all alike.
    fn on_host(call: Duration) -> Times {
        Times { first: call, compute: call, ..Times::default() }
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

impl RunTime for Times {
    /// The time that the paper measured, without the second call.
    fn whole(&self) -> Duration {
        self.upload + self.first + self.readback
    }
}

impl<'a> Case<'a> {
    pub(super) fn new(
        machine: &'a Machine,
        subject: Subject,
        runner: Runner,
        numbers: &'a [f32],
        cost: u64,
    ) -> Case<'a> {
        let prepared = Prepared::nothing();
        Case { machine, subject, runner, numbers, prepared, cost }
    }

    pub(super) fn row(measured: &Measured<Self>) -> Row {
        let Measured { case, comparison, parts, times } = measured;
        let summary = |of: fn(&Times) -> Duration| {
            let times: Vec<Duration> = times.iter().map(of).collect();
            Summary::of(&times, *parts)
        };
        let transfers = !case.runner.is_on_host();
        Row {
            subject: case.subject,
            n: case.numbers.len(),
            runner: case.runner,
            upload: transfers.then(|| summary(|times| times.upload)),
            first: summary(|times| times.first),
            compute: summary(|times| times.compute),
            chain: None,
            readback: transfers.then(|| summary(|times| times.readback)),
            total: summary(Times::whole),
            speedup: None,
            comparison: *comparison,
        }
    }
}

impl runner::Case for Case<'_> {
    type Time = Times;

    fn prepare(&mut self) -> Result<()> {
        self.prepared = Prepared::new(self.machine, self.subject, self.runner, self.numbers)?;
        Ok(())
    }

    fn check(&mut self) -> Result<Comparison> {
        self.prepared.once(self.subject, self.numbers)?;
        Ok(self.subject.compare(self.numbers, self.prepared.results()?))
    }

    fn time(&mut self, parts: u64) -> Result<Times> {
        let mut times = Times::default();
        for _ in 0..parts {
            times = times.and(self.prepared.once(self.subject, self.numbers)?);
        }
        Ok(times)
    }

    fn release(&mut self) {
        self.prepared = Prepared::nothing();
    }

    fn on_host(&self) -> bool {
        self.runner.is_on_host()
    }

    fn cost(&self) -> u64 {
        self.cost
    }
}

impl Prepared {
    fn nothing() -> Prepared {
        Prepared::Host { work: Subject::on_host, results: Vec::new() }
    }

    fn new(
        machine: &Machine,
        subject: Subject,
        runner: Runner,
        numbers: &[f32],
    ) -> Result<Prepared> {
        let on_host =
            |work| memory::zeroed(numbers.len()).map(|results| Prepared::Host { work, results });
        let engine = match runner {
            Runner::Cpu => return Ok(on_host(Subject::on_host)?),
            Runner::Lanes => return Ok(on_host(Subject::in_lanes)?),
            Runner::Engine(engine) => engine,
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
            Prepared::Machine { machine, .. } if machine.engine() != Processor::Simulator => {
                machine.memory()
            }
            _ => None,
        }
    }

    fn once(&mut self, subject: Subject, numbers: &[f32]) -> Result<Times> {
        let memory = self.memory().cloned();
        match self {
            Prepared::Host { work, results } => {
                let begun = Instant::now();
                work(black_box(subject), black_box(numbers), results);
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

    fn results(&self) -> Result<&[f32]> {
        match self {
            Prepared::Host { results, .. } => Ok(results),
            Prepared::Machine { output, .. } => Ok(output.read()?),
        }
    }
}

fn once_on_device(
    memory: &Memory,
    function: &DFunction,
    input: &mut DVector<f32>,
    output: &mut DVector<f32>,
) -> Result<Times> {
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
