//! Devices, contexts, textures and buffers.
//!
//! Use it to select a device ([`Builder`], [`devices()`]), to move data between host and device ([`Texture`], [`Buffer`]),
//! to wait for the device ([`Fence`]), and to ask for its abilities and limits ([`Abilities`]). Kernels and passes are in
//! [`stream`](crate::stream).
//!
//! This is the only module with `unsafe` code. Every unsafe call rests on two facts, which `Shared::enter` (context.rs) and
//! `Owned` (owned.rs) keep: the context is current on this thread when GL is called, and an object is deleted once, by its
//! owner.
#![allow(unsafe_code)] // So that no other module needs it.

mod abilities;
mod around;
mod buffer;
mod builder;
mod caller;
mod calls;
mod context;
mod copies;
mod debug;
mod devices;
mod draw;
mod error;
#[cfg(unix)]
mod fatal;
mod field;
mod filter;
mod float_targets;
mod framebuffer;
mod glsl_type;
mod mapped;
mod mapping;
pub(crate) mod masks;
mod native;
mod objects;
mod origin;
mod owned;
mod parameter;
mod pool;
mod present;
mod program;
mod raw_texture;
mod read_pixels;
mod readback;
mod sampling;
mod staging;
mod state;
mod sync;
mod texel;
pub(crate) mod texture;
mod texture_array;
mod transfer;
mod tuned;
mod turn;
#[cfg(feature = "window")]
mod window;

pub use abilities::{Abilities, ComputeLimits};
pub(crate) use buffer::BufferId;
pub use buffer::{Buffer, Element};
pub use builder::{Builder, DeviceSelector};
pub use context::Context;
pub use debug::Message;
pub use devices::{Device, devices};
pub use error::Error;
#[cfg(unix)]
pub(crate) use fatal::compiling;
#[cfg(unix)]
pub use fatal::name_crashes;
#[cfg(not(unix))]
pub(crate) fn compiling<R>(_name: &str, work: impl FnOnce() -> R) -> R {
    work()
}
pub use field::FieldTexel;
pub use glsl_type::{Type, TypeKind};
pub use objects::{ObjectKind, Objects};
pub use readback::Readback;
pub use sampling::{Filter, Sampling, Wrap};
pub use staging::Staging;
pub use sync::{Fence, Timer};
pub use texel::{Class, Format, Half, Texel, Unorm8};
pub use texture::{AnyTexture, Target, Texture};
pub use texture_array::TextureArray;
pub use tuned::Entry;

pub use draw::Blend;
pub(crate) use draw::{
    Bindings, Capture, Compute, Draw, Fenced, Hosted, Primitive, RECTANGLE, capture, dispatch,
    draw, has_own_sampling, must_live_in,
};
pub(crate) use filter::sample;
pub(crate) use mapped::Use;
pub(crate) use parameter::Parameter;
pub use program::Value;
pub(crate) use program::{BuildFailure, Program};
