//! Multigrid for nine-banded matrices on grids: an approximate inverse whose cost is a few products
//! with the matrix, and which reduces errors of all frequencies alike, so that the steps of a
//! Krylov method hardly grow with the grid.
//!
//! Every level is a nine-banded matrix. The interpolation comes from the matrix's own entries,
//! restriction is its transpose, and the matrix of the coarser grid is the product of the three,
//! which has nine bands again: Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982); for
//! nonsymmetric matrices Dendy, "Black box multigrid for nonsymmetric problems", Appl. Math.
//! Comput. 13 (1983). Where points are coupled more strongly along one axis, that axis alone
//! becomes coarser (Ashby and Falgout 1996), so that point smoothers suffice; where that differs
//! from place to place, lines along both axes are solved instead, by parallel cyclic reduction
//! (Hockney and Jesshope 1981; Göddeke and Strzodka 2011). Levels end at [`COARSEST`] points, which
//! are solved by their inverse. All of it is computed on the device; the setup reads a few numbers
//! for each level and the matrix of the coarsest, and a cycle reads nothing.
//!
//! ```
//! use quadrille::data::Stencil;
//! use quadrille::linalg::krylov::{Cg, DeviceSpace, Method, Space};
//! use quadrille::linalg::multigrid::{Hierarchy, Options};
//! let context = quadrille::Context::headless()?;
//! let matrix = "poisson5:40".parse::<Stencil>()?.matrix()?;
//! let space = DeviceSpace::new(&context, &matrix)?;
//! let mut multigrid = Hierarchy::new(space.operator(), Options::new())?;
//! let mut cg = Cg::new(&space)?;
//! space.write(&vec![1.0; 1600], 1.0, cg.residual_mut())?;
//! cg.restart(&space)?;
//! for _ in 0..6 {
//!     cg.step(&space, &mut multigrid)?;
//! }
//! assert!(space.norm(cg.residual())? < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, unused_imports, reason = "ranks have levels of their own")
)]

mod error;
mod hierarchy;
mod host;
mod level;
mod options;
pub(crate) mod plan;
mod programs;
pub(crate) mod relaxation;

use crate::gl::Texture;

pub(crate) use hierarchy::cycle::{Levels, run_cycle};
pub(crate) use hierarchy::local_levels::LocalLevels;
pub(crate) use level::bands::BANDS;
pub(crate) use level::rap::Rows;
pub(crate) use level::smoother::sweeps_of;
pub(crate) use plan::{LevelPlan, Measures};

pub use error::{Error, Result};
pub use hierarchy::Hierarchy;
pub use host::OnHost;
pub use options::{CoarsenAlong, Options, Smoother};
pub use plan::{COARSEST, Coarsening};
pub(crate) use programs::sources;

/// Numbers of a level: four points of a row in a texel.
pub(crate) type Grid = Texture<[f32; 4]>;
