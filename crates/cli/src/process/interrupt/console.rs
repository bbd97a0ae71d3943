//! What a console of Windows tells its processes, as the signals that Unix has for it. Each process
//! of the console is told, also those that this one started.
#![allow(unsafe_code, reason = "the standard library hears no console")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use windows_sys::Win32::Foundation::{FALSE, TRUE};
use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT,
    SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetProcessIoCounters, IO_COUNTERS, TerminateProcess,
};
use windows_sys::core::BOOL;

/// The numbers by which exit codes are counted everywhere else.
const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
/// Launchers of Windows have no such signal.
pub(super) const SIGUSR1: i32 = 10;
const SIGTERM: i32 = 15;

/// What is told of each event, and how long after the first.
static HEAR: OnceLock<fn(i32, Duration)> = OnceLock::new();

/// Handles what the console says. A process that was started with Ctrl-C ignored does not hear it.
pub(super) fn listen(hear: fn(i32, Duration)) -> anyhow::Result<()> {
    HEAR.get_or_init(|| hear);
    // SAFETY: the handler is a function of this program, which is never unloaded.
    match unsafe { SetConsoleCtrlHandler(Some(handle), TRUE) } {
        FALSE => Err(std::io::Error::last_os_error()).context("cannot listen to the console"),
        _ => Ok(()),
    }
}

/// Runs on a thread of its own for each event.
unsafe extern "system" fn handle(event: u32) -> BOOL {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let signal = match event {
        CTRL_C_EVENT | CTRL_BREAK_EVENT => SIGINT,
        CTRL_CLOSE_EVENT => SIGHUP,
        CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT => SIGTERM,
        _ => return FALSE,
    };
    let since_first = FIRST.get_or_init(Instant::now).elapsed();
    if let Some(hear) = HEAR.get() {
        hear(signal, since_first);
    }
    if signal == SIGINT {
        return TRUE;
    }
    // Windows ends the process as soon as this returns, or after some five seconds: the work has
    // these to stop and to write what it has.
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// The bytes that this process has written, to files and pipes; 0 if Windows does not report them.
pub(super) fn bytes_written() -> u64 {
    let mut counts = IO_COUNTERS::default();
    // SAFETY: the handle of this process is always valid, and the counters are this function's.
    match unsafe { GetProcessIoCounters(GetCurrentProcess(), &mut counts) } {
        FALSE => 0,
        _ => counts.WriteTransferCount,
    }
}

/// Ends the process without telling its libraries: the driver's would be taken apart under its own
/// threads.
pub(super) fn end(code: u8) -> ! {
    // SAFETY: the handle of this process is always valid.
    unsafe { TerminateProcess(GetCurrentProcess(), code.into()) };
    // It returns before the process has ended.
    loop {
        std::thread::park();
    }
}

/// What came, as people know it.
pub(super) fn name(signal: i32) -> &'static str {
    match signal {
        SIGTERM => "the end of the session",
        SIGHUP => "closing the console",
        _ => "Ctrl-C",
    }
}
