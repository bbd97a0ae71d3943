//! A child that never outlives its test, and the signals that a test sends it.

use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

pub use nix::sys::signal::Signal;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// A child that is killed when it goes out of scope, as it does when its test panics.
pub struct Running(Option<Child>);

impl Running {
    #[track_caller]
    pub fn start(command: &mut Command) -> Running {
        let name = command.get_program().to_string_lossy().into_owned();
        hear_signals();
        Running(Some(command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"))))
    }

    /// Sends a signal; a child that has ended, and was not waited for, takes it too.
    pub fn send(&self, signal: Signal) {
        kill(Pid::from_raw(self.id() as i32), signal).unwrap();
    }

    pub fn output(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }

    /// Waits for the end of a child whose output goes to files.
    pub fn ends_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if let Some(status) = self.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl From<Child> for Running {
    fn from(child: Child) -> Running {
        Running(Some(child))
    }
}

impl Deref for Running {
    type Target = Child;
    fn deref(&self) -> &Child {
        self.0.as_ref().unwrap()
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Tests that run in the background of a script are started with Ctrl-C ignored, and what they
/// start would ignore it too. A handler of the test's own, which does nothing, is not inherited.
fn hear_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
        let ignored = u64::from_str_radix(mask.trim(), 16).unwrap();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            if ignored >> (signal as i32 - 1) & 1 == 1 {
                let heard = Arc::new(AtomicBool::new(false));
                signal_hook::flag::register(signal as i32, heard).unwrap();
            }
        }
    });
}
