//! Names the shader whose compilation crashed the driver, which otherwise ends the process without
//! a message.
//!
//! Signals, and on Windows exceptions, belong to the program, so the library does not handle them by
//! default; the command enables this. A handler writes one line, prepared before, and the process
//! then ends by the same signal.

#[cfg(windows)]
mod exceptions;
mod line;
#[cfg(unix)]
mod signals;

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(windows)]
use exceptions::Watch;
#[cfg(unix)]
use signals::Watch;

static WANTED: AtomicBool = AtomicBool::new(false);

/// Reports a crash of the driver during a compilation on standard error, from now on.
pub fn name_crashes() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Compiles a shader of this name.
pub(crate) fn compiling<R>(name: &str, work: impl FnOnce() -> R) -> R {
    let _watch = WANTED.load(Ordering::Relaxed).then(|| watch(name));
    work()
}

fn watch(name: &str) -> Watch {
    line::keep(&format!(
        "error: the driver crashed while it compiled {name}: this is too much for it. Very long expressions and constants that \
         overflow (-2147483648 / -1) are known causes\n"
    ));
    Watch::new()
}
