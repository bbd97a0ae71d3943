//! The filter of exceptions that nothing handles, while a shader is compiled.

use std::ptr::null_mut;

use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Console::{GetStdHandle, STD_ERROR_HANDLE};
use windows_sys::Win32::System::Diagnostics::Debug::{
    EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS, LPTOP_LEVEL_EXCEPTION_FILTER,
    SetUnhandledExceptionFilter,
};

use super::line::take;

/// The former filter, which comes back when this is dropped.
pub(super) struct Watch(LPTOP_LEVEL_EXCEPTION_FILTER);

impl Watch {
    pub(super) fn new() -> Watch {
        // SAFETY: the filter is a function of this module, and calls only what works in any state.
        Watch(unsafe { SetUnhandledExceptionFilter(Some(tell)) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // SAFETY: this was the filter before.
        unsafe { SetUnhandledExceptionFilter(self.0) };
    }
}

/// Lets the process end by its exception.
unsafe extern "system" fn tell(_: *const EXCEPTION_POINTERS) -> i32 {
    take(|line| {
        let (from, length) = (line.as_ptr(), line.len() as u32);
        // SAFETY: the line is alive and as long; neither a count nor a position is asked for.
        unsafe { WriteFile(GetStdHandle(STD_ERROR_HANDLE), from, length, null_mut(), null_mut()) };
    });
    EXCEPTION_CONTINUE_SEARCH
}
