//! Devices, contexts, textures and buffers.
//!
//! Use it to select a device ([`Builder`], [`devices()`]), to move data between host and device
//! ([`Texture`], [`Buffer`]), to wait for the device ([`Fence`]), and to ask for its abilities and
//! limits ([`Abilities`]). Kernels and passes are in [`stream`](crate::stream).
//!
//! This is the only module with `unsafe` code. Every unsafe call rests on two facts, which
//! `Shared::enter` (context/shared.rs) and `Owned` (object/owned.rs) keep: the context is current
//! on this thread when GL is called, and an object is deleted once, by its owner.
#![allow(unsafe_code)] // So that no other module needs it.

// From below: `native` is the window system, which has a `device`; on that a `context` owns each
// `object`, a `texture`, a `buffer` or a `program`; `draw` computes, `transfer` moves data, and
// `sync` waits.
pub(crate) mod buffer;
mod calls;
mod context;
mod device;
mod draw;
mod error;
mod native;
mod object;
mod program;
mod sync;
pub(crate) mod texture;
mod transfer;

pub(crate) use buffer::BufferId;
pub use buffer::{Buffer, Element};
pub use context::Context;
pub use context::builder::{Builder, DeviceSelector};
pub use context::debug::Message;
pub use device::abilities::{Abilities, ComputeLimits};
pub use device::devices::{Device, devices};
pub(crate) use device::masks;
pub use device::tuned::Entry;
pub use draw::Blend;
pub(crate) use draw::attribute::Attribute;
pub(crate) use draw::{
    Bindings, Capture, Compute, Draw, Fenced, Hosted, Input, Primitive, capture, dispatch, draw,
    has_own_sampling, must_live_in,
};
pub use error::{Error, Result};
pub(crate) use error::{must_be, must_fit};
pub use object::kind::{ObjectKind, Objects};
#[cfg(any(unix, windows))]
pub(crate) use program::crash::compiling;
#[cfg(any(unix, windows))]
pub use program::crash::name_crashes;
pub use program::glsl_type::{Type, TypeKind};
pub(crate) use program::parameter::{Parameter, RECTANGLE};
pub use program::value::{Value, Words};
pub(crate) use program::{BuildFailure, Program};
pub use sync::{Fence, Timer};
pub use texture::array::TextureArray;
pub use texture::field::FieldTexel;
pub(crate) use texture::levels::{
    Level, has_current_levels, levels_are_current, reads_levels, store_level,
};
pub use texture::sampling::{Filter, Sampling, Wrap};
pub use texture::texel::{Class, Format, Texel, Unorm8};
pub use texture::{AnyTexture, Target, Texture};
pub(crate) use transfer::mapped::Use;
pub use transfer::readback::Readback;
pub use transfer::staging::Staging;

#[cfg(not(any(unix, windows)))]
pub(crate) fn compiling<R>(_name: &str, work: impl FnOnce() -> R) -> R {
    work()
}

/// The items that `quadrille::internal` offers to the packages that depend on the library.
pub(crate) mod internal {
    pub use super::context::entries::entries;
    pub use super::native::mesa;
    pub use super::object::poison::poison;
    pub use super::texture::filter::sample;
    pub use super::texture::untyped::{Untyped, UntypedTarget};
}
