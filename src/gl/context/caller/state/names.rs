//! Objects by their numbers, under which OpenGL tells what is bound at an index.

use crate::gl::Result;

#[cfg(not(target_family = "wasm"))]
use {glow::NativeBuffer, glow::NativeTexture, std::num::NonZeroU32};

/// Returns the buffer of a number, and none for 0.
#[cfg(not(target_family = "wasm"))]
pub(super) fn buffer(number: i32) -> Result<Option<glow::Buffer>> {
    Ok(NonZeroU32::new(number as u32).map(NativeBuffer))
}

/// Returns the texture of a number, and none for 0.
#[cfg(not(target_family = "wasm"))]
pub(super) fn texture(number: i32) -> Result<Option<glow::Texture>> {
    Ok(NonZeroU32::new(number as u32).map(NativeTexture))
}

#[cfg(target_family = "wasm")]
pub(super) fn buffer(_: i32) -> Result<Option<glow::Buffer>> {
    Err(NO_NUMBERS)
}

#[cfg(target_family = "wasm")]
pub(super) fn texture(_: i32) -> Result<Option<glow::Texture>> {
    Err(NO_NUMBERS)
}

/// The objects of a browser have none.
#[cfg(target_family = "wasm")]
const NO_NUMBERS: crate::gl::Error =
    crate::gl::Error::Platform { platform: std::env::consts::ARCH };
