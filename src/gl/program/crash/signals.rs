//! The handlers of fatal signals while a shader is compiled.

use libc::c_int;

use super::line::take;

/// The signals by which drivers end a process.
const FATAL: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

/// The former handlers, which come back when this is dropped.
pub(super) struct Watch(Vec<(c_int, libc::sigaction)>);

impl Watch {
    pub(super) fn new() -> Watch {
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
    take(|line| {
        // SAFETY: the line is alive and as long.
        unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
    });
}
