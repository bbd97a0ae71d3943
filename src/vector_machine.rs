//! The vector machine of Thompson, Hahn and Oskin, "Using Modern Graphics Architectures for
//! General-Purpose Computing" (2002): functions over vectors, written in the vertex programs'
//! assembly of the time.
//!
//! * [`DVector`] is a vector of floats or bytes; [`Memory`] manages its copy on the device;
//! * [`DProgram`] is a program in assembly, parsed and checked, for one of two [`Profile`]s;
//! * [`DFunction`] is a program with one of six [`Semantics`] and its constants, and fills vectors or
//!   a [`DScalar`]; [`DSemaphore`] waits for the end;
//! * [`Machine`] is a [`Processor`] and the device that it runs on.
//!
//! Use it to run such programs, or a function of GLSL over vectors ([`DFunction::from_glsl`]), and to compare engines.
//! New code over pictures or grids is shorter with [`experiment`](crate::experiment) or [`stream`](crate::stream).

mod blend;
pub mod bundled;
mod device;
mod error;
mod find;
mod fold;
mod function;
pub mod isa;
mod machine;
mod memory;
mod names;
mod number;
mod processor;
mod profile;
pub mod program;
mod scalar;
mod semantics;
mod semaphore;
mod simulator;
mod translate;
mod vector;

pub use error::Error;
pub use fold::Fold;
pub use function::{Constant, DFunction, Output};
pub use machine::Machine;
pub use memory::{BUDGET, Counts, Memory, State};
pub use number::Number;
pub use processor::Processor;
pub use profile::{Profile, RELATIVE_CONSTANTS};
pub use program::{AssemblyError, DProgram};
pub use scalar::DScalar;
pub use semantics::Semantics;
pub use semaphore::DSemaphore;
pub use simulator::Simulator;
pub use translate::translate;
pub use vector::{AnyVector, DVector};

/// Every shader of this module, in every variant.
pub(crate) fn sources() -> Result<Vec<crate::shader::Source>, Error> {
    let mut sources = function::sources()?;
    sources.extend(find::Finder::sources()?);
    Ok(sources)
}
