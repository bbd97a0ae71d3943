//! Resets of the device, as robust contexts report them.

use crate::gl::native::Native;

pub(super) type ResetStatus = unsafe extern "system" fn() -> u32;

/// Returns the function that reports resets, where the driver has it.
pub(super) fn load_reset_status(native: &Native) -> Option<ResetStatus> {
    let names = [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusKHR"];
    let address =
        names.iter().map(|name| native.address(name)).find(|address| !address.is_null())?;
    // SAFETY: the version or extension that the abilities checked promises this signature.
    Some(unsafe { std::mem::transmute::<*const std::ffi::c_void, ResetStatus>(address) })
}

/// Returns the three codes that the specification knows; anything else is not a reset.
pub(super) fn reset_name(code: u32) -> Option<&'static str> {
    match code {
        0x8253 => Some("reset by work of this context"),
        0x8254 => Some("reset by work of another context"),
        0x8255 => Some("reset for an unknown reason"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::reset_name;

    #[test]
    fn only_the_three_specified_codes_are_resets() {
        assert!(reset_name(0).is_none());
        for code in [0x8253, 0x8254, 0x8255] {
            assert!(reset_name(code).is_some());
        }
        assert!(reset_name(0x8256).is_none());
        assert!(reset_name(0x0502).is_none());
    }
}
