//! Tests of shaders: results compared with expected ones, by rules that say how far they may
//! differ.
//!
//! In a test of Rust, [`assert_same!`](crate::assert_same) compares numbers and fails with the
//! worst of them:
//!
//! ```
//! use quadrille::{Context, Extent, Source, assert_same, testing::Rule};
//! let context = Context::headless()?;
//! let kernel = context.kernel(Source::fragment("root.frag", "
//!     uniform sampler2D x;
//!     out float y;
//!     void main() { y = sqrt(READ(x, TEXEL).r); }"))?;
//! let x = context.texture(Extent::new(3, 1), &[1.0_f32, 4.0, 2.0])?;
//! let mut y = context.uninit::<f32>(x.extent())?;
//! kernel.pass().input("x", &x).draw(&mut y)?;
//! assert_same!(y.read()?, [1.0_f32, 2.0, 2.0_f32.sqrt()], Rule::ulp(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`compare()`] returns the same as a [`Difference`], and [`Comparison`] is for numbers whose
//! bounds differ.
//!
//! A context stays on its thread, so each test makes its own; `cargo test` runs them in parallel.
//! Tests that files describe are those of the package `quadrille-run`.

mod assert;
pub(crate) mod comparison;
mod difference;
mod number;
mod numbers;
mod rule;

pub use crate::reference::{Comparison, farthest, largest, ulps};
#[doc(hidden)]
pub use assert::must_be_same;
pub use comparison::compare;
pub use difference::{Difference, Mismatch, Number, Wanted, Worst};
pub use numbers::Numbers;
pub use rule::{Denormals, Nan, Rule, Tolerance};
