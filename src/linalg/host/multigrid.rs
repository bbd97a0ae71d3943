//! Multigrid in double precision on the host: the solver of [`OnHost`](crate::linalg::multigrid::OnHost), and what tests compare the
//! device's kernels with. Dendy, "Black box multigrid", J. Comput. Phys. 48 (1982), and "Black box multigrid for nonsymmetric
//! problems", Appl. Math. Comput. 13 (1983): the interpolation comes from the matrix, restriction is the transpose of an
//! interpolation, and the matrix of a coarse grid is the product R A P, which has nine bands again.

mod dense;
mod galerkin;
mod hierarchy;
mod interpolation;
mod lines;
mod measures;
mod nine;
mod points;

pub use dense::inverse;
pub use galerkin::galerkin;
pub(crate) use hierarchy::Level;
pub use hierarchy::{Decisions, Hierarchy};
pub use interpolation::{interpolation, prolong, restrict};
pub use lines::solve_lines;
pub use measures::measures;
pub use nine::Nine;
