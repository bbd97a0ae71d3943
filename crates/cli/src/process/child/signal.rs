//! What holds a process on Unix: signals.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process};

use crate::process::interrupt;

/// Nothing but signals, and what the process itself does to end with this one.
pub(super) struct Leash;

impl Leash {
    pub(super) fn on(_: &Child) -> Leash {
        Leash
    }

    /// Sends the signal that came to this process.
    pub(super) fn send_what_came(&self, child: &Child) {
        let signal = interrupt::came().and_then(Signal::from_named_raw);
        if let Some(signal) = signal {
            // It may have ended just now.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }
}

/// A process to which a terminal's Ctrl-C does not come: this one passes it on.
pub(crate) fn apart(command: &mut Command) {
    command.process_group(0);
}

/// The signal that ended a process.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}
