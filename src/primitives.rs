//! Building blocks of parallel algorithms on device vectors: prefix sums and what stands on them.
//!
//! Each runs by fragments, on every context, and by compute shaders where there are some, and no
//! kernel waits for another work group: OpenGL promises no progress between them.

pub mod complex;
pub mod convert;
pub mod convolution;
pub mod fft;
pub mod histogram;
mod kit;
mod number;
pub mod scan;
pub mod select;
pub mod sort;

pub use complex::Complex;
pub use convert::Convert;
pub use convolution::{Border, Convolution, Weights};
pub use fft::{Axis, Fft, RealFft, Trigonometric, TrigonometricFft};
pub use histogram::Histogram;
pub use number::{Number, Operation};
pub use scan::Scan;
pub use select::Select;
pub use sort::Sort;

/// Returns every shader of this module in every variant, to be checked as a set.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, crate::stream::Error> {
    let starts = vec![
        kit::starts::source::<f32>()?,
        kit::starts::source::<i32>()?,
        kit::starts::source::<u32>()?,
    ];
    Ok([
        complex::sources()?,
        convert::sources()?,
        convolution::sources()?,
        fft::sources()?,
        histogram::sources()?,
        scan::sources()?,
        select::sources()?,
        sort::sources()?,
        starts,
    ]
    .concat())
}
