//! The libraries of OpenGL on Windows: where they are, and what they export.

use std::ffi::{CStr, OsString, c_void};
use std::os::windows::ffi::OsStringExt;
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::HMODULE;
use windows_sys::Win32::System::LibraryLoader::{
    GetModuleFileNameW, GetProcAddress, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS, LoadLibraryExW,
};
use windows_sys::core::PCWSTR;
use windows_sys::w;

/// A library that is searched where glutin and the system search it: in the program's folder, and
/// in the system's.
pub(super) struct Library {
    wide: PCWSTR,
    name: &'static str,
    /// What helps where it is not there.
    mend: &'static str,
}

/// Part of Windows; a file of the name in the program's folder is used instead, by which Mesa's is.
pub(super) const OPENGL: Library =
    Library { wide: w!("opengl32.dll"), name: "opengl32.dll", mend: "it is a part of Windows" };

pub(super) const ANGLE: Library = Library {
    wide: w!("libEGL.dll"),
    name: "libEGL.dll",
    mend: "put ANGLE's libEGL.dll and libGLESv2.dll there, which are in the folder of any Chromium, \
           Edge or Electron of the same kind of processor",
};

impl Library {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns its path. The error is for people.
    pub(super) fn find(&self) -> Result<String, String> {
        let module = self.load();
        if module.is_null() {
            let Library { name, mend, .. } = self;
            return Err(format!(
                "{name} is neither in the program's folder nor in Windows': {mend}"
            ));
        }
        let mut path = [0; 1024];
        // SAFETY: the module is loaded, and the length is that of the buffer.
        let length =
            unsafe { GetModuleFileNameW(module, path.as_mut_ptr(), path.len() as u32) } as usize;
        Ok(OsString::from_wide(&path[..length.min(path.len())]).to_string_lossy().into_owned())
    }

    /// Returns the address of a function that it exports; null if there is none.
    pub(super) fn address(&self, name: &CStr) -> *const c_void {
        let module = self.load();
        if module.is_null() {
            return null();
        }
        // SAFETY: the module is loaded, and the name ends with a zero.
        let address = unsafe { GetProcAddress(module, name.as_ptr().cast()) };
        address.map_or(null(), |address| address as *const c_void)
    }

    /// Loads it, for as long as the process lasts; null if it is not found.
    fn load(&self) -> HMODULE {
        // SAFETY: the name is a constant that ends with a zero. What the library does when it is
        // loaded, glutin has it do anyway.
        unsafe { LoadLibraryExW(self.wide, null_mut(), LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) }
    }
}
