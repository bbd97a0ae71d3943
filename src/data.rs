//! Data on the host: matrices, fields and stencils.
//!
//! * [`Matrix`] is a dense matrix of any [`Number`] type, with views from and to the crate ndarray
//!   under the feature of that name;
//! * [`NineBanded`] is a checked square matrix with nine diagonals, named by [`Band`], of a
//!   [`Float`] type;
//! * [`Stencil`] makes one from a short text such as `heat9:512`;
//! * [`diffusion()`] makes one from a coefficient at each point of a grid, [`diffusion_by_faces`] from one at
//!   each face between two;
//! * [`ConstantOperator`] is an operator of the same numbers everywhere, whose [`Side`]s may be
//!   periodic;
//! * with the feature `solve`, `Csr` is a checked sparse matrix of any shape, by rows; a `GridMatrix` couples the points of
//!   a `Grid3`, of three dimensions, and a `Stencil3` makes one from a short text; and a `SystemMatrix` is any of these;
//! * [`random_couplings`] makes one from random numbers, for tests;
//! * [`SplitMix64`] makes their random numbers;
//! * an [`Element`] is a number as `.npy` files hold it;
//! * [`Field`] is an array or a picture: a grid of cells with one to four values each.

/// Makes what a variant holds a value of the enumeration by `From`.
macro_rules! from_variants {
    ($whole:ident { $($variant:ident($held:ty)),+ $(,)? }) => { $(
        impl From<$held> for $whole {
            fn from(held: $held) -> $whole {
                $whole::$variant(held)
            }
        }
    )+ };
}

mod block;
pub(crate) mod cancellation;
mod constant_operator;
#[cfg(feature = "solve")]
mod csr;
mod element;
pub(crate) mod error;
pub(crate) mod field;
#[cfg(feature = "solve")]
pub(crate) mod grid3;
mod matrix;
pub(crate) mod nine_banded;
#[allow(clippy::missing_errors_doc)] // Of `internal` alone, and its errors are `NoMemory`.
pub(crate) mod pack;
mod shape;
mod split_mix;
mod stencil;
#[cfg(feature = "solve")]
mod system_matrix;

pub use block::Block;
pub use constant_operator::ConstantOperator;
pub use constant_operator::side::Side;
pub use element::Element;
pub use error::{ArrayError, BandError, EntryError, Error, StencilError};
pub use field::{Field, Values, ValuesMut, ValuesRef};
pub use matrix::Matrix;
pub use matrix::number::Number;
pub use nine_banded::band::{Band, MAX_UNKNOWNS, MIN_WIDTH};
pub(crate) use nine_banded::constant::Constant;
pub(crate) use nine_banded::diffusion::Diffusion;
pub use nine_banded::entries::diagonals::Diagonal;
pub use nine_banded::float::Float;
pub use nine_banded::{Form, NineBanded};
#[cfg(feature = "solve")]
pub use {
    csr::Csr,
    grid3::{Grid3, any_stencil::AnyStencil, matrix::GridMatrix, stencil::Stencil3},
    system_matrix::SystemMatrix,
};

#[cfg(feature = "solve")]
pub(crate) use nine_banded::bands_by;
pub use nine_banded::random::random_couplings;
pub(crate) use nine_banded::zeros;
pub use shape::{Extent, Rectangle, Shape, sides};
pub use split_mix::SplitMix64;
pub use stencil::diffusion::{
    Faces, diffusion, diffusion_block, diffusion_by_faces, diffusion_by_faces_block,
};
pub use stencil::{MAX_HEAT_STEP, MAX_JUMP, MAX_PECLET, MAX_SEED, Stencil};

/// The result of the constructors of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;
