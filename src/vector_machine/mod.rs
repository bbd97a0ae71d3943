//! The vector machine of Thompson, Hahn and Oskin, "Using Modern Graphics Architectures for
//! General-Purpose Computing" (2002): functions over vectors, written in the vertex programs'
//! assembly of the time.

pub mod document;
pub mod isa;
mod profile;
pub mod program;
mod semantics;
mod simulator;
mod translate;

pub use profile::{Profile, RELATIVE_CONSTANTS};
pub use program::{AssemblyError, DProgram};
pub use semantics::Semantics;
pub use simulator::Simulator;
pub use translate::translate;
