//! Run shaders over textures and buffers: kernels, passes and dispatches, ping-pong, reductions,
//! timing.
//!
//! A [`Kernel`] is a fragment shader with named inputs, uniforms and outputs. A [`Pass`] binds them
//! by name and draws: the shader runs once for each texel of the target. [`ComputeKernel`] and
//! [`Dispatch`] do the same for compute shaders, [`CaptureKernel`] for vertex shaders whose outputs
//! go to a buffer. [`PingPong`] iterates, [`reduce`] computes sums, norms and extrema, [`Clock`]
//! measures time.
//!
//! ```
//! use quadrille::{Context, Extent, Source};
//! let context = Context::headless()?;
//! let text = "
//!     uniform sampler2D x;
//!     uniform float a;
//!     out float y;
//!     void main() { y = a * READ(x, TEXEL).r; }";
//! let kernel = context.kernel(Source::fragment("scale.frag", text))?;
//! let x = context.texture(Extent::new(3, 1), &[1.0_f32, 2.0, 3.0])?;
//! let mut y = context.uninit::<f32>(x.extent())?;
//! kernel.pass().input("x", &x).uniform("a", 2.0).draw(&mut y)?;
//! assert_eq!(y.read()?, [2.0, 4.0, 6.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod capture;
pub mod choice;
mod clock;
mod compute;
mod engine;
mod error;
pub mod facts;
pub(crate) mod kept;
mod kernel;
pub(crate) mod launch;
pub(crate) mod observer;
mod packed;
mod pass;
pub mod reduce;

pub use capture::{Capture, CaptureKernel};
pub use clock::Clock;
pub use compute::{ComputeKernel, Dispatch};
pub use engine::Engine;
pub(crate) use engine::group;
pub use error::{Argument, Error, Result};
pub(crate) use kernel::level_sources;
pub use kernel::{Kernel, Output};
pub(crate) use packed::Packed;
pub use pass::Pass;
pub use pass::geometry::{Geometry, LineDirection, Order, Tiles, cover};
pub use pass::ping_pong::PingPong;

/// The items that `quadrille::internal` offers to the packages that depend on the library.
pub(crate) mod internal {
    pub use super::error::dropped_text;
    pub use super::kernel::class_of;
    pub use super::kernel::interface::Interface;
    pub use super::kernel::resolve::resolve;
    pub use super::kernel::uniforms::{Member, Uniform, Uniforms};
    pub use super::launch::{Launch, Program, Programs};
}
