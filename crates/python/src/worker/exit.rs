//! The end of a process in which a thread is still in a driver.

/// Lets the process end without the exit handlers that were registered until now: the driver's would take
/// it apart under the thread that is inside. Python has written what it had by then.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn without_the_driver() {
    use std::ffi::{c_int, c_void};

    #[allow(unsafe_code, reason = "functions of the C library")]
    unsafe extern "C" {
        fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
        fn fflush(stream: *mut c_void) -> c_int;
        fn _exit(code: c_int) -> !;
    }

    extern "C" fn end(code: c_int, _: *mut c_void) {
        // SAFETY: null stands for every stream, and nothing runs after the other.
        #[allow(unsafe_code, reason = "functions of the C library")]
        unsafe {
            fflush(std::ptr::null_mut());
            _exit(code)
        }
    }

    // SAFETY: the handler is a function of this library, which Python does not unload. The last one
    // that is registered runs first.
    #[allow(unsafe_code, reason = "a function of the C library")]
    unsafe {
        on_exit(end, std::ptr::null_mut());
    }
}

/// Windows ends a process's threads before its handlers run; other C libraries do not tell handlers the
/// exit code.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn without_the_driver() {}
