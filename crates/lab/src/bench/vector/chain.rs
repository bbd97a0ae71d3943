//! Calls of one program in a row, with nothing else between them: what an iteration costs.

use std::time::{Duration, Instant};

use quadrille::memory;
use quadrille::stream::Clock;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DVector, Machine, Processor};

use super::subject::Subject;
use crate::{Result, Summary};

/// The approximate time of a run's calls together, and the most of them.
const RUN: (Duration, u32) = (Duration::from_millis(2), 100);
const RUNS: usize = 5;
/// The time for which hardware is kept busy before: while the host computes and sends, its clocks
/// fall to a third, and rise slowly.
const WARM_UP: Duration = Duration::from_millis(600);

/// The time of one call of many in a row on an engine of a device, and whether the last result is
/// right.
pub(super) fn measure(
    machine: &Machine,
    subject: Subject,
    engine: Processor,
    numbers: &[f32],
) -> Result<Option<(Summary, Comparison)>> {
    let (Some(vectors), false) = (machine.memory(), engine == Processor::Simulator) else {
        return Ok(None);
    };
    let context = vectors.context();
    let function = subject.function(&machine.with(engine)?)?;
    let (input, mut output) =
        (DVector::from(memory::copied(numbers)?), DVector::zeros(numbers.len()));
    let mut calls = |count: u32| {
        let run = || (0..count).try_for_each(|_| function.apply_into(&[&input], &mut output));
        Clock::of(context).time(context, run).map(|((), time)| time)
    };
    calls(1)?;
    let (run, most) = RUN;
    let count_for =
        |once: Duration| (run.as_nanos() / once.as_nanos().max(1)).clamp(1, most.into()) as u32;
    let mut count = count_for(calls(1)?);
    let begun = Instant::now();
    while !context.abilities().software && begun.elapsed() < WARM_UP {
        count = count_for(calls(count)? / count);
    }
    let times = (0..RUNS).map(|_| calls(count)).collect::<Result<Vec<_>, _>>()?;
    let comparison = subject.compare(numbers, output.read()?);
    Ok(Some((Summary::of(&times, count.into()), comparison)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::gl::Context;

    #[test]
    fn calls_in_a_row_are_timed_and_compared_on_every_engine_of_a_device() {
        let context = Context::headless().unwrap();
        let machine = Machine::new(&context);
        let subject = Subject::Exponents;
        let numbers = subject.inputs(101).unwrap();
        for engine in Processor::of(&context) {
            let measured = measure(&machine, subject, engine, &numbers).unwrap();
            assert_eq!(measured.is_none(), engine == Processor::Simulator);
            if let Some((summary, comparison)) = measured {
                assert!(summary.median_ms > 0.0 && comparison.is_right(), "{engine}");
            }
        }
    }
}
