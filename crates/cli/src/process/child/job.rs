//! What holds a process on Windows: a job, which ends with this process, however it ends.
#![allow(unsafe_code, reason = "the standard library has no jobs")]

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::{Child, Command, ExitStatus};
use std::ptr::{from_ref, null};

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};

/// A job, whose processes end when its last handle is closed: this one, which Windows closes for a
/// process that was killed as well. `None` where Windows refuses it.
pub(super) struct Leash(#[allow(dead_code, reason = "held, not used")] Option<OwnedHandle>);

impl Leash {
    pub(super) fn on(child: &Child) -> Leash {
        Leash(job(child))
    }

    /// A console tells all its processes by itself.
    pub(super) fn send_what_came(&self, _: &Child) {}
}

fn job(child: &Child) -> Option<OwnedHandle> {
    // SAFETY: a job without a name and with the usual rights; null where there is none.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return None;
    }
    // SAFETY: just made, and owned by nothing else. Zeros are limits that do not limit, the length
    // is that of the limits, and the child's handle is open for as long as the child.
    unsafe {
        let owned = OwnedHandle::from_raw_handle(job);
        let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = std::mem::zeroed();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let length = size_of_val(&limits) as u32;
        let all = from_ref(&limits).cast();
        let limited = SetInformationJobObject(job, JobObjectExtendedLimitInformation, all, length);
        let assigned = limited != 0 && AssignProcessToJobObject(job, child.as_raw_handle()) != 0;
        assigned.then_some(owned)
    }
}

/// A process that hears Ctrl-C by itself.
pub(crate) fn apart(_: &mut Command) {}

/// There are no signals.
pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}
