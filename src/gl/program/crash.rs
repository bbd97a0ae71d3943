//! Names the shader whose compilation crashed the driver, which otherwise ends the process without
//! a message.
//!
//! Signals, and on Windows exceptions, belong to the program, so the library does not handle them by
//! default; the command enables this. A handler writes one line, prepared before, and the process
//! then ends by the same signal.

#[cfg(windows)]
mod exceptions;
#[cfg(unix)]
mod signals;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

#[cfg(windows)]
use exceptions::Watch;
#[cfg(unix)]
use signals::Watch;

static WANTED: AtomicBool = AtomicBool::new(false);

/// The line, in a form that a handler may read at any time; longer names are cut.
static LINE: [AtomicU8; 512] = [const { AtomicU8::new(0) }; 512];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

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
    keep(&format!(
        "error: the driver crashed while it compiled {name}: this is too much for it. Very long expressions and constants that \
         overflow (-2147483648 / -1) are known causes\n"
    ));
    Watch::new()
}

/// Keeps the line for the handler, from its end, with the length last.
fn keep(line: &str) {
    let length = line.len().min(LINE.len());
    let bytes = line.bytes().take(length - 1).chain([b'\n']);
    for (place, byte) in LINE.iter().zip(bytes) {
        place.store(byte, Ordering::Relaxed);
    }
    LENGTH.store(length, Ordering::Release);
}

/// Gives the line to who writes it, once: an abort that follows a fault does not repeat it. It calls
/// only what a handler may.
fn take(write: impl FnOnce(&[u8])) {
    let mut line = [0; LINE.len()];
    for (byte, place) in line.iter_mut().zip(&LINE) {
        *byte = place.load(Ordering::Relaxed);
    }
    let length = LENGTH.swap(0, Ordering::AcqRel);
    write(&line[..length]);
}
