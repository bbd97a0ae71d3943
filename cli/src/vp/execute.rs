//! One run on one engine, each part of it timed.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use quadrille::Context;
use quadrille::internal::memory::{self, NoMemory};
use quadrille::stream::Clock;
use quadrille::vector_machine::{
    AnyVector, DFunction, DScalar, DVector, Engine, Error, Machine, Number, Output, Semantics,
};

use super::arguments::Arguments;
use super::program::Program;
use super::vectors::Vector;

/// All that a run needs but the machine.
pub(super) struct Task<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) program: &'a Program,
    pub(super) semantics: Semantics,
    pub(super) vectors: &'a [Vector],
}

/// What came of it.
pub(super) struct Outcome {
    pub(super) numbers: Numbers,
    pub(super) times: Times,
}

pub(super) enum Numbers {
    Floats(Vec<f32>),
    Bytes(Vec<u8>),
    Scalar(f32),
}

/// How long each part took.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) upload: Duration,
    pub(super) work: Work,
    /// Reading the result back, with what is still to be summed.
    pub(super) readback: Duration,
}

/// Compiling, and room on the device; and computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Parted {
        setup: Duration,
        compute: Duration,
    },
    /// Of one run, which does not tell them apart.
    Whole(Duration),
}

/// A first run that takes longer than this is not followed by a second, which might take as long.
const LONG: Duration = Duration::from_secs(5);

impl Default for Work {
    fn default() -> Work {
        Work::of_host(Duration::ZERO)
    }
}

impl Work {
    /// The simulator has nothing to set up.
    fn of_host(compute: Duration) -> Work {
        Work::Parted { setup: Duration::ZERO, compute }
    }

    /// Drivers compile at the first run, so that one counts as set-up and a second is timed, where it can
    /// be afforded.
    fn of<E>(first: Duration, again: impl FnOnce() -> Result<Duration, E>) -> Result<Work, E> {
        match first > LONG {
            true => Ok(Work::Whole(first)),
            false => Ok(Work::Parted { setup: first, compute: again()? }),
        }
    }
}

impl Numbers {
    /// As single-precision numbers.
    pub(super) fn floats(&self) -> Result<Cow<'_, [f32]>, NoMemory> {
        Ok(match self {
            Numbers::Floats(numbers) => numbers.into(),
            Numbers::Bytes(bytes) => {
                let floats = bytes.iter().map(|byte| f32::from(*byte));
                memory::collected(bytes.len(), floats)?.into()
            }
            Numbers::Scalar(number) => std::slice::from_ref(number).into(),
        })
    }
}

impl Task<'_> {
    /// How many numbers each vector has.
    pub(super) fn length(&self) -> usize {
        self.vectors.first().map_or(0, |vector| vector.any().length())
    }

    /// Runs the program on a machine.
    pub(super) fn run(&self, machine: &Machine) -> Result<Outcome, Error> {
        let function = self.function(machine)?;
        let inputs: Vec<&dyn AnyVector> = self.vectors.iter().map(Vector::any).collect();
        let inputs = inputs.as_slice();
        if self.semantics.is_to_scalar() {
            let mut sum = DScalar::new();
            let times = timed(machine, &function, inputs, &mut sum)?;
            let begun = Instant::now();
            let numbers = Numbers::Scalar(sum.value()?);
            let times = Times { readback: begun.elapsed(), ..times };
            return Ok(Outcome { numbers, times });
        }
        let (numbers, times) = match self.arguments.bytes {
            true => {
                let (bytes, times) = self.fill(machine, &function, inputs)?;
                (Numbers::Bytes(bytes), times)
            }
            false => {
                let (numbers, times) = self.fill(machine, &function, inputs)?;
                (Numbers::Floats(numbers), times)
            }
        };
        Ok(Outcome { numbers, times })
    }

    fn function(&self, machine: &Machine) -> Result<DFunction, Error> {
        let mut function = self.program.function(machine, self.semantics)?;
        for setting in &self.arguments.constants {
            function.set_constant(setting.register, setting.quad)?;
        }
        if let Some(padding) = self.arguments.padding {
            function.set_padding(padding);
        }
        function.set_fold(self.arguments.fold);
        Ok(function)
    }

    fn fill<T: Number>(
        &self,
        machine: &Machine,
        function: &DFunction,
        inputs: &[&dyn AnyVector],
    ) -> Result<(Vec<T>, Times), Error> {
        let mut output = DVector::zeros(self.length());
        let times = timed(machine, function, inputs, &mut output)?;
        let begun = Instant::now();
        let numbers = output.into_vec()?;
        Ok((numbers, Times { readback: begun.elapsed(), ..times }))
    }
}

/// Runs, once or twice, and times each part but the reading back.
fn timed(
    machine: &Machine,
    function: &DFunction,
    inputs: &[&dyn AnyVector],
    output: &mut impl Output,
) -> Result<Times, Error> {
    let memory = machine.memory().filter(|_| machine.engine() != Engine::Simulator);
    let Some(memory) = memory else {
        let begun = Instant::now();
        function.execute(inputs, output)?;
        return Ok(Times { work: Work::of_host(begun.elapsed()), ..Times::default() });
    };
    let context: &Context = memory.context();
    let send = || inputs.iter().try_for_each(|input| memory.send(*input));
    let ((), upload) = Clock::Wall.time(context, send)?;
    let mut run = |clock: Clock| clock.time(context, || function.execute(inputs, output));
    let ((), first) = run(Clock::Wall)?;
    let work = Work::of(first, || run(Clock::of(context)).map(|((), again)| again))?;
    Ok(Times { upload, work, readback: Duration::ZERO })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_not_repeated_and_not_called_computing() {
        let compute = Duration::from_millis(3);
        let work = |first| Work::of(first, || Ok::<_, ()>(compute));
        let setup = Duration::from_secs(4);
        assert_eq!(work(setup), Ok(Work::Parted { setup, compute }));
        let first = Duration::from_secs(23);
        assert_eq!(work(first), Ok(Work::Whole(first)));
        assert_eq!(Work::of(first, || Err("it was run again")), Ok(Work::Whole(first)));
    }
}
