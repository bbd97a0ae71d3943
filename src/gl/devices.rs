//! The EGL devices of this machine.

use glutin::api::egl::device::Device as EglDevice;

use super::Error;

/// A device that EGL lists. Which renderer drives it is known once a context is made on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Device {
    /// Its place in EGL's list, which `QUADRILLE_DEVICE` and [`DeviceSelector::Index`](super::DeviceSelector) name.
    pub index: usize,
    /// What EGL says of it: a name, a vendor, a device node, or that it is software.
    pub label: String,
    /// Whether EGL marks it as a software renderer. Some drivers do not say; the renderer's name
    /// decides then.
    pub software: bool,
    pub(super) egl: EglDevice,
}

/// Lists the EGL devices of this machine.
pub fn devices() -> Result<Vec<Device>, Error> {
    let listed = EglDevice::query_devices().map_err(|error| match error.error_kind() {
        glutin::error::ErrorKind::NotFound => Error::NoLibrary,
        _ => Error::NoDevices { detail: error.to_string() },
    })?;
    Ok(listed.enumerate().map(|(index, egl)| describe(index, egl)).collect())
}

fn describe(index: usize, egl: EglDevice) -> Device {
    let software = egl.extensions().contains("EGL_MESA_device_software");
    let node = egl.drm_render_device_node_path().or_else(|| egl.drm_device_node_path());
    let mut parts: Vec<String> = Vec::new();
    parts.extend(egl.vendor().map(str::to_owned));
    parts.extend(egl.name().map(str::to_owned));
    parts.extend(node.map(|path| path.display().to_string()));
    if software {
        parts.push("software".into());
    }
    if parts.is_empty() {
        parts.push("unnamed device".into());
    }
    Device { index, label: parts.join(", "), software, egl }
}
