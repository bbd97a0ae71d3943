//! The displays of devices.

use std::sync::Mutex;

use glutin::api::egl::display::Display;

use super::{Failure, Handle};

/// Opens the display of a device. One that was refused is not asked for again in this process, for
/// another version or interface: Mesa would print its reason each time, eighteen times of zink where
/// no Vulkan device fits.
pub(super) fn of(device: &Handle) -> Result<Display, Failure> {
    static REFUSED: Mutex<Vec<(Handle, Failure)>> = Mutex::new(Vec::new());
    let mut refused = REFUSED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, failure)) = refused.iter().find(|(other, _)| other == device) {
        return Err(failure.clone());
    }
    // SAFETY: no raw display handle is passed, which is the only thing that could be invalid.
    let opened = unsafe { Display::with_device(device, None) };
    opened.inspect_err(|failure| refused.push((device.clone(), failure.clone())))
}
