//! The devices of this computer.

use crate::gl::native::{Handle, Listed};
use crate::gl::{Result, native};

/// A device that EGL lists, or a way to OpenGL on Windows (WGL, ANGLE). Its renderer is known once a context is made on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Device {
    /// The index in the list, which `QUADRILLE_DEVICE` and
    /// [`DeviceSelector::Index`](crate::gl::DeviceSelector) name.
    pub index: usize,
    /// The label that EGL gives the device: vendor, name, device node, or that it is software; on
    /// Windows the library and its path.
    pub label: String,
    /// Whether EGL marks it as a software renderer. Some drivers do not say; the renderer's name
    /// decides then.
    pub software: bool,
    pub(in crate::gl) handle: Handle,
}

/// Lists the devices of this computer.
///
/// # Errors
/// [`Error::NoLibrary`](crate::gl::Error::NoLibrary) without libEGL, [`Error::NoDevices`](crate::gl::Error::NoDevices) if EGL cannot list devices, and
/// [`Error::Platform`](crate::gl::Error::Platform) outside Linux and Windows.
pub fn devices() -> Result<Vec<Device>> {
    let number = |(index, listed)| {
        let Listed { label, software, handle } = listed;
        Device { index, label, software, handle }
    };
    Ok(native::list()?.into_iter().enumerate().map(number).collect())
}
