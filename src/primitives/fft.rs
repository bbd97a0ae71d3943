//! Fourier transforms of complex numbers: of vectors, of rows, of columns, along any axes of an
//! array.
//!
//! A vector of complex numbers is a [`DeviceVector`](crate::grid::DeviceVector) of `f32` in which
//! real and imaginary parts take turns, as NumPy's complex64 has them.
//!
//! **By fragments** a transform is Stockham's passes of radix 4, then 2, 3, 5 and 7: each fragment
//! writes one texel, two complex numbers, and no permutation is needed.
//!
//! **Error.** See [`Fft::error_bound`]. The roots of unity come from the host, rounded from double
//! precision.

mod axis;
mod bluestein;
mod groups;
mod host;
mod maps;
mod passes;
mod plan;
mod real;
mod roots;
mod table;
mod transform;
mod trigonometric;

use crate::shader::Source;
use crate::stream::{Engine, Result};

pub use axis::Axis;
#[doc(hidden)]
pub use groups::Limits;
pub(super) use host::transform_on_host;
pub(super) use maps::{Inputs, Maps, ShaderVariant, setup};
pub(super) use passes::whole;
pub(super) use plan::of_product;
pub use real::RealFft;
pub use transform::Fft;
pub use trigonometric::{Trigonometric, TrigonometricFft};

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let all =
        [passes::variants(), bluestein::variants(), real::variants(), trigonometric::variants()];
    for variant in all.concat() {
        for engine in Engine::ALL {
            sources.push(variant.source(setup(engine))?);
        }
    }
    sources.extend(groups::sources()?);
    Ok(sources)
}
