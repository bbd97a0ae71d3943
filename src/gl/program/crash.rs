//! Names the shader whose compilation crashed the driver, which otherwise ends the process without
//! a message.
//!
//! Signals belong to the program, so the library does not handle them by default; the command
//! enables this. A handler writes one line, prepared before, and the process then ends by the same
//! signal.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use libc::c_int;

/// The signals by which drivers end a process.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

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
    let _watch = WANTED.load(Ordering::Relaxed).then(|| Watch::new(name));
    work()
}

/// Handlers for fatal signals, and the former ones.
struct Watch(Vec<(c_int, libc::sigaction)>);

impl Watch {
    fn new(name: &str) -> Watch {
        keep(&format!(
            "error: the driver crashed while it compiled {name}: this is too much for it. Very long expressions and constants that \
             overflow (-2147483648 / -1) are known causes\n"
        ));
        Watch(FATAL.iter().filter_map(|signal| Some((*signal, handle(*signal)?))).collect())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for (signal, before) in &self.0 {
            // SAFETY: this was the signal's action before, and nothing else is passed.
            unsafe { libc::sigaction(*signal, before, std::ptr::null_mut()) };
        }
    }
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

/// Sets the handler, and returns the former one. It runs on Rust's stack for signals, because the
/// thread's own may be full, and once: the default action ends the process when the fault repeats.
fn handle(signal: c_int) -> Option<libc::sigaction> {
    let handler: extern "C" fn(c_int) = tell;
    // SAFETY: zeros are a valid `sigaction`, both pointers are to live ones, and the handler calls
    // only what a handler may: atomics and `write`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let mut before: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
        (libc::sigaction(signal, &action, &mut before) == 0).then_some(before)
    }
}

extern "C" fn tell(_: c_int) {
    let mut line = [0; LINE.len()];
    for (byte, place) in line.iter_mut().zip(&LINE) {
        *byte = place.load(Ordering::Relaxed);
    }
    // Zero afterwards: an abort that follows a fault does not repeat the line.
    let length = LENGTH.swap(0, Ordering::AcqRel);
    // SAFETY: the line is alive and as long.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
}
