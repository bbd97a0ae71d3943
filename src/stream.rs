//! The framework: kernels, passes over geometries, ping-pong, reductions, clocks, and facts about
//! the device. All safe code.

mod build;
mod capture;
pub mod choice;
mod clock;
mod compute;
mod error;
pub mod facts;
mod geometry;
mod interface;
mod kernel;
pub(crate) mod loop_budget;
mod packed;
mod pass;
mod ping_pong;
pub mod reduce;

pub(crate) use build::array;
pub use capture::{Capture, CaptureKernel};
pub use clock::Clock;
pub use compute::{ComputeKernel, Dispatch};
pub use error::Error;
pub(crate) use error::dropped_text;
pub use geometry::{Geometry, Heading, Order, Tiles, cover};
pub(crate) use kernel::class_of;
pub use kernel::{Kernel, Output};
pub(crate) use packed::Packed;
pub use pass::Pass;
pub use ping_pong::PingPong;
