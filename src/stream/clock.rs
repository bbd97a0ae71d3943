//! Timing: a GPU timer query where it is reliable, else the wall clock around `finish`.

use std::time::Duration;

use crate::clock::Instant;
use crate::gl::{Context, Timer};

use super::Error;

/// Times work on a context.
///
/// A GPU timer query excludes the work of the host. A software renderer's timer query counts the
/// submission of commands instead of their execution (15 ms where 350 ms were spent), so there,
/// and where there are no timer queries, the wall clock runs around
/// [`finish`](Context::finish).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// A GPU timer query.
    Device,
    /// The wall clock, with the device idle before and after.
    Wall,
}

impl Clock {
    /// Returns its name, as in reports: `device` or `wall`.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Device => "device",
            Clock::Wall => "wall",
        }
    }

    /// Returns the clock that is reliable on this context.
    pub fn of(context: &Context) -> Clock {
        let abilities = context.abilities();
        if abilities.timers && !abilities.software { Clock::Device } else { Clock::Wall }
    }

    /// Runs `work` and returns its result and the time it took.
    ///
    /// # Errors
    ///
    /// Those of `work`, and those of the driver.
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
