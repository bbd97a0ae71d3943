//! A window that is never shown: WGL makes contexts on windows alone.

use std::io;
use std::num::NonZeroIsize;
use std::ptr::null;
use std::sync::Once;

use raw_window_handle::{RawWindowHandle, Win32WindowHandle};
use windows_sys::Win32::Foundation::{HINSTANCE, HWND};
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CS_OWNDC, CreateWindowExW, DefWindowProcW, DestroyWindow, RegisterClassExW, WNDCLASSEXW,
    WS_POPUP,
};
use windows_sys::w;

const CLASS: *const u16 = w!("quadrille");

/// A hidden window of one pixel. It stays on the thread that made it, as contexts do.
pub(super) struct HiddenWindow {
    window: HWND,
    module: HINSTANCE,
}

impl HiddenWindow {
    pub(super) fn new() -> io::Result<HiddenWindow> {
        // SAFETY: the program's own module, which stays loaded.
        let module = unsafe { GetModuleHandleW(null()) };
        register_class(module);
        // SAFETY: class and title are constant texts, and no parent, menu or data is passed. The
        // style is without WS_VISIBLE, and nothing shows it later.
        let window = unsafe {
            let (none, menu) = (std::ptr::null_mut(), std::ptr::null_mut());
            CreateWindowExW(0, CLASS, CLASS, WS_POPUP, 0, 0, 1, 1, none, menu, module, null())
        };
        if window.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(HiddenWindow { window, module })
    }

    pub(super) fn handle(&self) -> Option<RawWindowHandle> {
        let mut handle = Win32WindowHandle::new(NonZeroIsize::new(self.window as isize)?);
        handle.hinstance = NonZeroIsize::new(self.module as isize);
        Some(handle.into())
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        // SAFETY: made by `new` on this thread, and destroyed once.
        unsafe { DestroyWindow(self.window) };
    }
}

/// Registers the class of hidden windows, which have a device context of their own and do nothing
/// by themselves. If that fails, making a window does, and says why.
fn register_class(module: HINSTANCE) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: zeros are a valid class without menu, icon and brush; the name is constant, and
        // the system's own procedure takes any message.
        unsafe {
            let class = WNDCLASSEXW {
                cbSize: size_of::<WNDCLASSEXW>() as u32,
                style: CS_OWNDC,
                lpfnWndProc: Some(DefWindowProcW),
                hInstance: module,
                lpszClassName: CLASS,
                ..std::mem::zeroed()
            };
            RegisterClassExW(&class);
        }
    });
}
