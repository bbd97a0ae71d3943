//! Vertex programs of 2002 over vectors, and SAT search, through OpenGL: on the vertex, the
//! fragment or the compute stage, or on the host.
//!
//! It stands on [quadrille](https://docs.rs/quadrille), which has the contexts, and kernels,
//! matrices and solvers for new code.
//!
//! # Vector programs
//!
//! [`vector_machine`] runs vertex programs of 2002, or GLSL, over vectors:
//!
//! ```
//! use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};
//!
//! let machine = Machine::new(&quadrille::Context::headless()?);
//! let text = "MUL R0, v[1], v[1]; MAD o[1], R0, c[11], v[1];"; // c x^2 + x, four numbers at a time
//! let program = DProgram::parse("parabola.vp", text, Profile::Modern)?;
//! let mut parabola = DFunction::new(&machine, &program, Semantics::VToV)?;
//! parabola.set_constant(11, 0.5)?;
//! let x = DVector::<f32>::random(1000, 0.0..1.0, 42);
//! let y: DVector<f32> = parabola.apply(&[&x])?; // stays on the device until the host reads it
//! assert!((y.read()?[7] - (0.5 * x.read()?[7].powi(2) + x.read()?[7])).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Formulas
//!
//! [`cnf`] has Boolean formulas and reads DIMACS files, and [`sat`] searches for models of them:
//!
//! ```
//! use quadrille_vp::cnf::dimacs;
//! use quadrille_vp::sat::{Answer, Limits, walk};
//!
//! let cnf = dimacs::parse("three.cnf", b"p cnf 3 3\n1 -2 0\n2 3 0\n-1 -3 0\n")?;
//! let context = quadrille::Context::headless()?;
//! let options = walk::Options::new(128).seed(1);
//! let limits = Limits::of_walk(&cnf, 1000);
//! let outcome = walk::solve(&context, &cnf, options, limits, &mut ())?;
//! assert_eq!(outcome.answer, Answer::Satisfiable);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! Every error type is a [`quadrille::Failure`], of which [`quadrille::Error`] takes any, and
//! [`failure_of`] finds them behind a `dyn std::error::Error`.

#![warn(clippy::missing_errors_doc)]

pub mod cnf;
mod named;
#[allow(clippy::missing_errors_doc)] // Of `internal` alone.
mod reference;
mod shaders;

pub mod vector_machine;

pub mod sat;

quadrille::internal::failures! {
    cnf::Error,
    cnf::dimacs::Error,
    vector_machine::AssemblyError,
    vector_machine::Error,
    sat::Error,
}

/// Items that the other packages of this workspace and the tests use, and that are not part of the
/// public interface. They may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::named::named_enum;
    pub use crate::shaders::SHADERS;

    pub mod reference {
        pub use crate::reference::*;
    }

    /// Returns every shader of this package, in every variant, to be checked as a set.
    pub fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::Error> {
        let mut sources = crate::vector_machine::sources()?;
        sources.extend(crate::sat::sources()?);
        Ok(sources)
    }
}

/// The code blocks of README.md, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
