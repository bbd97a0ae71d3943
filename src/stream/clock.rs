//! Time, by whichever clock tells the truth here.

use std::time::{Duration, Instant};

use crate::gl::{Context, Timer};

use super::Error;

/// Times work on a context.
///
/// A GPU's own timer leaves out what the host does meanwhile. A software renderer's timer counts
/// the submission of commands instead of the work (15 ms where 350 were spent), so there, and
/// where there is no timer, the wall clock runs around a finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The device's timer.
    Device,
    /// The wall clock, the device idle before and after.
    Wall,
}

impl Clock {
    /// The clock that tells the truth on this context.
    pub fn of(context: &Context) -> Clock {
        let abilities = context.abilities();
        if abilities.timers && !abilities.software { Clock::Device } else { Clock::Wall }
    }

    /// Runs work and says how long it took.
    pub fn time<R, E: From<Error>>(
        self,
        context: &Context,
        work: impl FnOnce() -> Result<R, E>,
    ) -> Result<(R, Duration), E> {
        let gl = |error| E::from(Error::Gl(error));
        match self {
            Clock::Device => {
                let timer = Timer::start(context).map_err(gl)?;
                let result = work();
                let elapsed = timer.stop().map_err(gl)?;
                Ok((result?, elapsed))
            }
            Clock::Wall => {
                context.finish().map_err(gl)?;
                let start = Instant::now();
                let result = work()?;
                context.finish().map_err(gl)?;
                Ok((result, start.elapsed()))
            }
        }
    }
}
