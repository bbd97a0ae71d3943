//! Processes that this one starts, and waits for.

#[cfg(windows)]
mod job;
#[cfg(unix)]
mod signal;

use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::interrupt;

#[cfg(windows)]
use job as system;
#[cfg(unix)]
use signal as system;
pub(crate) use system::{apart, signal_of};

/// The time between two looks whether a process has ended.
const GLANCE: Duration = Duration::from_millis(10);

/// A process that ends with this value, whatever it does.
pub(crate) struct Guarded(pub(crate) Child, system::Leash);

impl Guarded {
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Guarded> {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let leash = system::Leash::on(&child);
        Ok(Guarded(child, leash))
    }

    /// Waits for its end, at most so long. It gets the signal that comes to this process, and may
    /// take it as it likes.
    pub(crate) fn wait(&mut self, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        let mut told = false;
        loop {
            if let Some(status) = self.0.try_wait().context("cannot wait for a process")? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= limit {
                return Ok(None);
            }
            if interrupt::pressed() && !told {
                told = true;
                self.1.send_what_came(&self.0);
            }
            sleep(GLANCE.min(limit.saturating_sub(begun.elapsed())));
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // It may have ended: then there is nothing to kill, and what is left of it is taken away.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
