//! Bytes of buffers that the host maps.

use std::ptr::NonNull;

use glow::HasContext;

use crate::gl::calls::allocate_mapped;
use crate::gl::object::owned::Owned;
use crate::gl::{Context, Error, Result};

/// Returns a new buffer of at least one byte that stays mapped, and its address.
pub(crate) fn map_for_good(
    context: &Context,
    bytes: usize,
) -> Result<(Owned<glow::Buffer>, NonNull<u8>)> {
    let length = to_i32(bytes.max(1))?;
    // SAFETY: `make` enters the context.
    let owned = Owned::make(context, |gl| unsafe { gl.create_buffer() })?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; the buffer was just made.
    let address = unsafe { allocate_mapped(&gl, owned.name(), length) };
    context.shared.check_allocation("a buffer that stays mapped", bytes as u64)?;
    let failure = || context.shared.failure("mapping a buffer", "no address");
    Ok((owned, address.ok_or_else(failure)?))
}

/// Copies a buffer's bytes to the host, by mapping, which both APIs have.
pub(crate) fn copy_out(
    context: &Context,
    buffer: glow::Buffer,
    target: u32,
    bytes: &mut [u8],
) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let length = to_i32(bytes.len())?;
    let gl = context.shared.enter()?;
    // A browser maps nothing, and copies.
    // SAFETY: entered; the mapped range is as long as the slice, and is unmapped before returning.
    let mapped = unsafe {
        gl.bind_buffer(target, Some(buffer));
        if cfg!(target_family = "wasm") {
            gl.get_buffer_sub_data(target, 0, bytes);
            gl.bind_buffer(target, None);
            context.shared.check_reset()?;
            return context.shared.check(|| "reading a buffer".into());
        }
        let pointer = gl.map_buffer_range(target, 0, length, glow::MAP_READ_BIT);
        if !pointer.is_null() {
            bytes.copy_from_slice(std::slice::from_raw_parts(pointer, bytes.len()));
            gl.unmap_buffer(target);
        }
        gl.bind_buffer(target, None);
        !pointer.is_null()
    };
    context.shared.check_reset()?;
    context.shared.check(|| "mapping a buffer".into())?;
    if mapped { Ok(()) } else { Err(context.shared.failure("mapping a buffer", "no address")) }
}

/// Converts a length to GL's type, which in glow is a signed 32-bit number.
pub(crate) fn to_i32(bytes: usize) -> Result<i32> {
    i32::try_from(bytes).map_err(|_| Error::TooLarge {
        what: "a buffer".into(),
        request: format!("{bytes} bytes"),
        limit: i32::MAX as u64,
        remedy: "use several buffers, or read a rectangle at a time".into(),
    })
}
