//! The vector machine of Thompson, Hahn and Oskin, "Using Modern Graphics Architectures for
//! General-Purpose Computing" (2002): functions over vectors, written in the vertex programs'
//! assembly of the time.
//!
//! * [`DVector`] is a vector of floats or bytes; [`Memory`] manages its copy on the device;
//! * [`DProgram`] is a program in assembly, parsed and checked, for one of two [`Profile`]s;
//!   [`Program`] is one in assembly or in GLSL;
//! * [`DFunction`] is a program with one of six [`Semantics`] and its constants, and fills vectors
//!   or a [`DScalar`]; [`DSemaphore`] waits for the end;
//! * [`Machine`] is a [`Processor`] and the device that it runs on.
//!
//! Use it to run such programs, or a function of GLSL over vectors ([`DFunction::from_glsl`]), and
//! to compare engines. New code over pictures or grids is shorter with
//! [`stream`](quadrille::stream).

// `assembly` or GLSL becomes a `function`, which a `machine` applies to each `vector`, to a vector
// or a `scalar`.
mod assembly;
mod error;
mod function;
mod language;
mod machine;
mod options;
mod scalar;
mod vector;

use machine::{find, pixels};

pub use assembly::bundled;
pub use assembly::isa;
pub use assembly::profile::{Profile, RELATIVE_CONSTANTS};
pub use assembly::program;
pub use assembly::program::{AssemblyError, DProgram};
pub use assembly::simulator::Simulator;
pub use assembly::translate::translate;
pub use error::{Error, Result};
pub use function::semantics::Semantics;
pub use function::semaphore::DSemaphore;
pub use function::{Constant, DFunction, Output};
pub use language::Program;
pub use machine::Machine;
pub use machine::memory::{BUDGET, Counts, Memory, State};
pub use machine::processor::Processor;
pub use options::Options;
pub use scalar::DScalar;
pub use scalar::fold::Fold;
pub use vector::number::Number;
pub use vector::{AnyVector, DVector};

/// Returns every shader of this module, in every variant.
pub(crate) fn sources() -> Result<Vec<quadrille::shader::Source>, Error> {
    let mut sources = function::sources()?;
    sources.extend(find::Finder::sources()?);
    sources.extend(pixels::Pixels::sources()?);
    Ok(sources)
}
