//! Multigrid in double precision on the host: what the kernels of `linalg::multigrid` are compared
//! with, and the solver by which its parameters were found. Dendy, "Black box multigrid", J.
//! Comput. Phys. 48 (1982), and "Black box multigrid for nonsymmetric problems", Appl. Math.
//! Comput. 13 (1983): the interpolation comes from the matrix, restriction is the transpose of an
//! interpolation, and the matrix of a coarse grid is the product R A P, which has nine bands again.

mod choice;
mod coarsening;
mod dense;
mod galerkin;
mod hierarchy;
mod interpolation;
mod lines;
mod nine;
mod smoother;

pub use choice::{is_one_sided, one_sided, suits};
pub use coarsening::{CoarsenAlong, Coarsening, strengths, strengths_at};
pub use dense::inverse;
pub use galerkin::galerkin;
pub use hierarchy::{COARSEST, Hierarchy};
pub use interpolation::{interpolation, prolong, restrict};
pub use lines::{LINE_DAMPING, lines, solve_lines};
pub use nine::Nine;
pub use smoother::{Axis, DAMPINGS, Smoother, damping, jacobi, magnitudes};
