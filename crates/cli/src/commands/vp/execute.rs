//! One run on one engine, each part of it timed.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde::Serialize;

use quadrille::Context;
use quadrille::memory::{self, NoMemory};
use quadrille::stream::Clock;
use quadrille_vp::vector_machine::{
    AnyVector, DFunction, DScalar, DVector, Error, Machine, Number, Output, Processor, Program,
    Semantics,
};

use super::arguments::Arguments;
use super::vectors::Vector;

/// All that a run needs but the machine.
pub(super) struct ProgramCall<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) program: &'a Program,
    pub(super) semantics: Semantics,
    pub(super) vectors: &'a [Vector],
}

pub(super) struct Outcome {
    pub(super) values: ResultValues,
    pub(super) times: Milliseconds,
}

pub(super) enum ResultValues {
    Floats(Vec<f32>),
    Bytes(Vec<u8>),
    Scalar(f32),
}

/// The time of each part, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Milliseconds {
    /// Compiling, and room on the device; `None` where it is not separated from computing, as is
    /// `compute`.
    setup: Option<f64>,
    pub(super) upload: f64,
    compute: Option<f64>,
    /// Both, where they are not separated: of one run, which cannot separate them.
    pub(super) setup_and_compute: Option<f64>,
    /// Reading the result back, with what is still to be summed.
    pub(super) readback: f64,
}

/// A first run that takes longer than this is not followed by a second, which might take as long.
const LONG: Duration = Duration::from_secs(5);

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl Milliseconds {
    /// The simulator has nothing to set up.
    fn of_host(compute: Duration) -> Milliseconds {
        let (setup, compute) = (Some(0.0), Some(milliseconds(compute)));
        Milliseconds { setup, compute, ..Milliseconds::default() }
    }

    /// Drivers compile at the first run, so that one counts as set-up and a second is timed, where
    /// it can be afforded.
    fn of<E>(
        first: Duration,
        again: impl FnOnce() -> Result<Duration, E>,
    ) -> Result<Milliseconds, E> {
        let whole = Some(milliseconds(first));
        if first > LONG {
            return Ok(Milliseconds { setup_and_compute: whole, ..Milliseconds::default() });
        }
        Ok(Milliseconds { setup: whole, ..Milliseconds::of_host(again()?) })
    }

    /// The time of computing for a table, or an upper bound of it.
    pub(super) fn computing(&self) -> String {
        match (self.compute, self.setup_and_compute) {
            (Some(compute), _) => format!("{compute:.2}"),
            (None, Some(whole)) => format!("<{whole:.2}"),
            (None, None) => String::new(),
        }
    }

    pub(super) fn text(&self, on_device: bool) -> String {
        let Milliseconds { setup, upload, compute, setup_and_compute, readback } = self;
        let (setup, compute) = (setup.unwrap_or_default(), compute.unwrap_or_default());
        match setup_and_compute {
            Some(whole) => format!(
                "{upload:.2} ms to upload, {readback:.2} ms to read back; {whole:.1} ms to set up and \
                 compute, which were not separated: a run this long is not repeated"
            ),
            None if on_device => format!(
                "{upload:.2} ms to upload, {compute:.2} ms to compute, {readback:.2} ms to read \
                 back; {setup:.1} ms to set up"
            ),
            None => format!("{compute:.2} ms to compute"),
        }
    }
}

impl ResultValues {
    /// The numbers in single precision.
    pub(super) fn floats(&self) -> Result<Cow<'_, [f32]>, NoMemory> {
        Ok(match self {
            ResultValues::Floats(numbers) => numbers.into(),
            ResultValues::Bytes(bytes) => {
                let floats = bytes.iter().map(|byte| f32::from(*byte));
                memory::collected(bytes.len(), floats)?.into()
            }
            ResultValues::Scalar(number) => std::slice::from_ref(number).into(),
        })
    }
}

impl ProgramCall<'_> {
    pub(super) fn length(&self) -> usize {
        self.vectors.first().map_or(0, |vector| vector.any().length())
    }

    pub(super) fn run(&self, machine: &Machine) -> Result<Outcome, Error> {
        let function = self.function(machine)?;
        let inputs: Vec<&dyn AnyVector> = self.vectors.iter().map(Vector::any).collect();
        let inputs = inputs.as_slice();
        if self.semantics.is_to_scalar() {
            let mut sum = DScalar::new();
            let times = timed(machine, &function, inputs, &mut sum)?;
            let begun = Instant::now();
            let values = ResultValues::Scalar(sum.value()?);
            let times = Milliseconds { readback: milliseconds(begun.elapsed()), ..times };
            return Ok(Outcome { values, times });
        }
        let (values, times) = match self.arguments.options.0.bytes {
            true => {
                let (bytes, times) = self.fill(machine, &function, inputs)?;
                (ResultValues::Bytes(bytes), times)
            }
            false => {
                let (numbers, times) = self.fill(machine, &function, inputs)?;
                (ResultValues::Floats(numbers), times)
            }
        };
        Ok(Outcome { values, times })
    }

    fn function(&self, machine: &Machine) -> Result<DFunction, Error> {
        let options = &self.arguments.options.0;
        let mut function = options.function(self.program, machine, self.semantics.vectors())?;
        for setting in &self.arguments.constants {
            function.set_constant(setting.register, setting.quad)?;
        }
        Ok(function)
    }

    fn fill<T: Number>(
        &self,
        machine: &Machine,
        function: &DFunction,
        inputs: &[&dyn AnyVector],
    ) -> Result<(Vec<T>, Milliseconds), Error> {
        let mut output = DVector::zeros(self.length());
        let times = timed(machine, function, inputs, &mut output)?;
        let begun = Instant::now();
        let numbers = output.into_vec()?;
        Ok((numbers, Milliseconds { readback: milliseconds(begun.elapsed()), ..times }))
    }
}

/// Runs, once or twice, and times each part but the reading back.
fn timed(
    machine: &Machine,
    function: &DFunction,
    inputs: &[&dyn AnyVector],
    output: &mut impl Output,
) -> Result<Milliseconds, Error> {
    let memory = machine.memory().filter(|_| machine.engine() != Processor::Simulator);
    let Some(memory) = memory else {
        let begun = Instant::now();
        function.execute(inputs, output)?;
        return Ok(Milliseconds::of_host(begun.elapsed()));
    };
    let context: &Context = memory.context();
    let send = || inputs.iter().try_for_each(|input| memory.send(*input));
    let ((), upload) = Clock::Wall.time(context, send)?;
    let mut run = |clock: Clock| clock.time(context, || function.execute(inputs, output));
    let ((), first) = run(Clock::Wall)?;
    let times = Milliseconds::of(first, || run(Clock::of(context)).map(|((), again)| again))?;
    Ok(Milliseconds { upload: milliseconds(upload), ..times })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_not_repeated_and_not_called_computing() {
        let times = |first| {
            Milliseconds::of(Duration::from_secs(first), || Ok::<_, ()>(Duration::from_millis(3)))
        };
        let parted = times(4).unwrap();
        assert_eq!((parted.setup, parted.compute), (Some(4e3), Some(3.0)));
        assert_eq!(parted.setup_and_compute, None);
        let whole = times(23).unwrap();
        assert_eq!((whole.setup, whole.compute), (None, None));
        assert_eq!(whole.setup_and_compute, Some(23e3));
        let first = Duration::from_secs(23);
        assert_eq!(Milliseconds::of(first, || Err("it was run again")), Ok(whole));
        assert_eq!(whole.computing(), "<23000.00");
        let text = whole.text(true);
        assert!(
            text.contains("23000.0 ms to set up and compute, which were not separated"),
            "{text}"
        );
        assert!(!text.contains("ms to compute"), "{text}");
    }
}
