//! Data on the host: matrices, fields, stencils and formulas.
//!
//! * [`Matrix`] is a dense matrix of any [`Number`] type, with views from and to the crate ndarray
//!   under the feature of that name;
//! * [`NineBanded`] is a checked square matrix with nine diagonals, named by [`Band`], of a [`Float`] type;
//! * [`Stencil`] makes one from a short text such as `heat9:512`;
//! * [`diffusion()`] makes one from a coefficient at each point of a grid;
//! * [`random_couplings`] makes one from random numbers, for tests;
//! * [`Field`] is an array or a picture: a grid of cells with one to four values each;
//! * [`Cnf`] is a formula in conjunctive normal form, [`random_cnf`] and [`planted_cnf`] make some.

mod band;
mod block;
mod cnf;
mod diffusion;
mod error;
mod field;
mod float;
mod matrix;
#[cfg(any(feature = "ndarray", test))]
mod ndarray;
mod nine_banded;
mod number;
mod random;
mod random_cnf;
mod split_mix;
mod stencil;

pub use band::{Band, MAX_UNKNOWNS, MIN_WIDTH};
pub use block::Block;
pub(crate) use cnf::variable;
pub use cnf::{Cnf, MAX_LITERALS, MAX_VARIABLES};
pub use diffusion::{diffusion, diffusion_block};
pub use error::Error;
#[cfg(feature = "files")]
pub(crate) use error::widths;
pub(crate) use field::Layout;
pub use field::{Field, Values, ValuesMut, ValuesRef};
pub use float::Float;
pub use matrix::Matrix;
pub use nine_banded::NineBanded;
pub(crate) use nine_banded::zeros;
#[cfg(feature = "files")]
pub(crate) use nine_banded::{Offsets, check_sizes};
pub use number::Number;
pub use random::random_couplings;
pub use random_cnf::{planted_cnf, random_cnf};
#[doc(hidden)]
pub use split_mix::SplitMix64;
pub use stencil::{MAX_HEAT_STEP, MAX_JUMP, MAX_PECLET, MAX_SEED, Stencil};

/// The result of the constructors of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;
