//! The work of both processors at once, section 4.2.4.

use super::super::prelude::*;
use std::hint::black_box;
use std::time::Instant;

use super::claims;
use quadrille_vp::vector_machine::bundled::muls;
use quadrille_vp::vector_machine::{DSemaphore, DVector, Machine};

/// Seconds of the comparison, quick and whole.
const SECONDS: [f64; 2] = [0.7, 8.0];

/// The device's work, the host's of about the same time, one after the other, and both at once.
pub(super) fn measured(lab: &mut Lab<'_>) -> Result<Finding> {
    let context = lab.context;
    let machine = Machine::new(context);
    let mut function = functions::modern(&machine, &muls(120))?;
    function.set_constant(11, 1.25)?;
    function.set_constant(12, 0.8)?;
    let elements = lab.scale.pick(1 << 15, 1 << 18);
    let mut vectors = [0, 1].map(|i| DVector::<f32>::random(elements, 0.5..1.0, lab.seed ^ i));
    let mut calls = 1;
    let mut device = |calls: usize| -> Result<_> {
        let mut last = None;
        for _ in 0..calls {
            // Each reads what the one before wrote, so that none can be left out.
            let [from, to] = &mut vectors;
            last = Some(function.execute_async(&[&*from], to)?);
            vectors.swap(0, 1);
        }
        Ok(last)
    };
    let host = |turns: usize| {
        let mut x = 1.0_f64;
        for _ in 0..turns {
            x = black_box(x * 0.999_999 + 1e-6);
        }
        x
    };
    // The device works for some milliseconds, and the host as long.
    let wait =
        |last: Option<DSemaphore>| -> Result<()> { last.map_or(Ok(()), |last| Ok(last.wait()?)) };
    wait(device(1)?)?;
    let one = seconds(|| wait(device(1)?))?;
    calls = ((0.005 / one.max(1e-6)).ceil() as usize).clamp(calls, 200);
    let all = seconds(|| wait(device(calls)?))?;
    const SOME: usize = 100_000;
    let some = seconds(|| {
        black_box(host(SOME));
        Ok(())
    })?;
    let turns = (SOME as f64 * all / some.max(1e-9)) as usize;
    let mut run = |way: usize| -> Result<Duration> {
        context.finish()?;
        let begun = Instant::now();
        let begins = way != 1;
        let last = if begins { device(calls)? } else { None };
        match way {
            0 => wait(last)?,
            2 => {
                wait(last)?;
                black_box(host(turns));
            }
            _ => {
                black_box(host(turns));
                wait(last)?;
            }
        }
        Ok(begun.elapsed())
    };
    let Some(times) = interleaved(lab, SECONDS, &mut run)? else {
        return Ok(judge(&claims::OVERLAP, Err("it was stopped".into())));
    };
    Ok(judge(&claims::OVERLAP, Ok(at_once(&times, elements))))
}

fn seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}

/// The same elements in each.
fn at_once([device, host, apart, together]: &[Summary; 4], elements: usize) -> Answer {
    let words = format!(
        "the device's work takes {device} ms, the host's {host} ms, one after the other {apart} ms, both at once \
         {together} ms"
    );
    Answer::of(words, timed(apart.of_size(elements), together.of_size(elements)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_work_at_once_takes_about_half_the_time() {
        let verdict = |together| {
            let times = [5.0, 5.0, 10.0, together];
            judge(&claims::OVERLAP, Ok(at_once(&times.map(Summary::still), 1))).verdict
        };
        let expected = [Verdict::Confirmed, Verdict::Contradicted, Verdict::NotMeasurable];
        assert_eq!([5.5, 9.5, 7.5].map(verdict), expected);
    }
}
