//! Many steps, in batches that are long enough for the device and short enough for who waits.

use std::time::Duration;

use quadrille::internal::Instant;
use quadrille::{Control, Observer, Progress};

use crate::{Experiment, Result};

/// The time of a batch of steps: if it is shorter, the device waits for the host; if it is longer,
/// a request to stop has to wait.
const BATCH: Duration = Duration::from_millis(100);

impl Experiment {
    /// Runs this many steps, unless the observer stops them; returns how many were run, which the
    /// device has then completed. The observer is called a few times per second. Passes of which
    /// neither a later pass nor the next step reads anything are drawn only in the last step; where
    /// there are such, one more step follows when the observer stops them.
    ///
    /// ```
    /// # use quadrille::{Context, Source, data::Field};
    /// # use quadrille_run::{Experiment, Setup};
    /// # let context = Context::headless()?;
    /// # let source = Source::fragment("more.frag", "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }");
    /// # let setup = Setup::new().input("x", Field::line(vec![0.0_f32])?).feedback("y", "x");
    /// let mut experiment = Experiment::new(&context, &source, setup)?;
    /// assert_eq!(experiment.advance(1000, &mut ())?, 1000);
    /// assert_eq!(experiment.read("y")?, Field::line(vec![1000.0_f32])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`step`](Experiment::step); before the first of these steps if a sequence has fewer
    /// frames.
    pub fn advance(&mut self, steps: u64, observer: &mut impl Observer) -> Result<u64> {
        for input in &self.inputs {
            let until = self.iteration.saturating_add(steps);
            input.frames.as_ref().map_or(Ok(()), |frames| frames.must_have(&input.name, until))?;
        }
        let (mut done, mut batch) = (0, 1);
        // Passes that nothing reads are drawn in the last step alone, which therefore stands by
        // itself.
        let saves = self.passes.iter().any(|pass| pass.planned.is_last);
        while done < steps {
            let progress = Progress::new(done, Some(steps));
            let stops = observer.observe(&progress) == Control::Stop;
            if stops && (done == 0 || !saves) {
                break;
            }
            let begun = Instant::now();
            let left = steps - done;
            let last = stops || left == 1;
            let count = if last { 1 } else { batch.min(left - u64::from(saves)) };
            for _ in 0..count {
                self.step_with(last || !saves)?;
            }
            self.finish()?;
            done += count;
            if stops {
                break;
            }
            batch = next(batch, begun.elapsed());
        }
        Ok(done)
    }
}

/// Returns the next number of steps: doubled if the batch was short, halved if it was long.
fn next(batch: u64, took: Duration) -> u64 {
    match took {
        took if took < BATCH / 2 => batch.saturating_mul(2),
        took if took > BATCH * 2 => (batch / 2).max(1),
        _ => batch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_until_they_are_seen_and_shrink_again() {
        let milliseconds = Duration::from_millis;
        assert_eq!(next(4, milliseconds(1)), 8);
        assert_eq!(next(4, milliseconds(100)), 4);
        assert_eq!(next(4, milliseconds(900)), 2);
        assert_eq!(next(1, milliseconds(900)), 1);
    }
}
