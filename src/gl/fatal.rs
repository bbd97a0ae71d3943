//! Names the shader at which a driver ended the process: drivers' compilers divide, recurse and give up, and
//! the process is gone without a word.
//!
//! What a program does about signals is its own affair, so a library leaves them alone; the command asks for
//! this. A handler writes one line, made before, and the process then ends by the same signal.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use libc::c_int;

/// Ways in which drivers end a process.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

static WANTED: AtomicBool = AtomicBool::new(false);

/// The line, in a form that a handler may read whatever it interrupts: longer names are cut.
static LINE: [AtomicU8; 512] = [const { AtomicU8::new(0) }; 512];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// From now on a crash of the driver during a compilation is reported on standard error.
pub fn name_crashes() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Has the driver compile what people know by this name.
pub(crate) fn compiling<R>(name: &str, work: impl FnOnce() -> R) -> R {
    let _watch = WANTED.load(Ordering::Relaxed).then(|| Watch::new(name));
    work()
}

/// Handlers for fatal signals, and what they were before.
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

/// Sets the handler, and says what was there. It runs on the stack that Rust keeps for signals, because the
/// thread's own may be what is full, and once: the default action ends the process when the fault repeats.
fn handle(signal: c_int) -> Option<libc::sigaction> {
    let handler: extern "C" fn(c_int) = tell;
    // SAFETY: zeros are a valid `sigaction`, both pointers are to live ones, and the handler calls only what
    // a handler may: atomics and `write`.
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
    // Zero afterwards: an abort that follows a fault says it no second time.
    let length = LENGTH.swap(0, Ordering::AcqRel);
    // SAFETY: the line is alive and as long.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length) };
}
