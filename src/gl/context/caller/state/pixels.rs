//! The layout of texels in host memory (`glPixelStore`).

use glow::HasContext;

use super::version::Version;

/// Each parameter and its value.
pub(super) struct Pixels(Vec<(u32, i32)>);

const EVERYWHERE: [u32; 10] = [
    glow::PACK_ALIGNMENT,
    glow::PACK_ROW_LENGTH,
    glow::PACK_SKIP_PIXELS,
    glow::PACK_SKIP_ROWS,
    glow::UNPACK_ALIGNMENT,
    glow::UNPACK_IMAGE_HEIGHT,
    glow::UNPACK_ROW_LENGTH,
    glow::UNPACK_SKIP_IMAGES,
    glow::UNPACK_SKIP_PIXELS,
    glow::UNPACK_SKIP_ROWS,
];

const DESKTOP: [u32; 6] = [
    glow::PACK_IMAGE_HEIGHT,
    glow::PACK_LSB_FIRST,
    glow::PACK_SKIP_IMAGES,
    glow::PACK_SWAP_BYTES,
    glow::UNPACK_LSB_FIRST,
    glow::UNPACK_SWAP_BYTES,
];

impl Pixels {
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn save(gl: &glow::Context, version: Version) -> Pixels {
        let desktop: &[u32] = if version.embedded { &[] } else { &DESKTOP };
        let names = EVERYWHERE.iter().chain(desktop);
        // SAFETY: current; every name is one of this API.
        Pixels(names.map(|name| (*name, unsafe { gl.get_parameter_i32(*name) })).collect())
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn clear(&self, gl: &glow::Context) {
        for (name, _) in &self.0 {
            let ours = matches!(*name, glow::PACK_ALIGNMENT | glow::UNPACK_ALIGNMENT);
            unsafe { gl.pixel_store_i32(*name, i32::from(ours)) };
        }
    }

    /// # Safety
    /// The context is current.
    pub(super) unsafe fn restore(&self, gl: &glow::Context) {
        for (name, was) in &self.0 {
            unsafe { gl.pixel_store_i32(*name, *was) };
        }
    }
}
