//! Numeric computing through OpenGL: numbers packed into float textures, a quad drawn over them,
//! a fragment shader as the inner loop, two textures taking turns.
//!
//! The floors, bottom first; a file imports from lower floors or from its own room:
//!
//! ```text
//! 6  main.rs cli/              arguments, progress, tables, exit codes
//! 5  measure/                  benches and probes
//! 4  linalg/ vector_machine/   what users come for: jacobi, matmul, blas1 - vector functions
//!    sat/                      above both: searches for models of formulas
//!    experiment/               a shader of the user's over fields
//!    view/                     numbers as colours
//! 3  stream/                   the framework, all safe code: kernels, passes, ping-pong, reductions
//! 2  gl/                       contexts and owned GL objects: the only room with unsafe code
//! 1  data/, then shader/ pack/ io/ reference/ above it
//! 0  error.rs shape.rs observer.rs date.rs
//! ```

#[cfg(feature = "files")]
mod date;
pub mod error;
mod memory;
pub mod observer;
pub mod shape;

pub mod data;
#[cfg(feature = "files")]
pub mod io;
mod pack;
mod reference;
pub mod shader;

pub mod gl;

pub mod stream;

pub mod linalg;
pub mod vector_machine;

pub mod sat;

pub mod experiment;

#[cfg(feature = "files")]
pub mod view;

pub use error::{Classified, Kind, Place};
pub use gl::Context;
pub use memory::NoMemory;
pub use observer::{Control, Observer, Progress};
pub use shape::{Extent, Rectangle, Shape};

/// What the other packages of this workspace and the tests share with the library beside its public
/// interface. It may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::data::SplitMix64;
    pub use crate::gl::Route;
    #[cfg(feature = "files")]
    pub use crate::io::{must_end_in, write_whole};

    #[cfg(feature = "files")]
    pub mod date {
        pub use crate::date::*;
    }
    pub mod memory {
        pub use crate::memory::*;
    }
    pub mod pack {
        pub use crate::pack::*;
    }
    pub mod reference {
        pub use crate::reference::*;
    }
}

/// Every shader that quadrille runs, in every variant, to be checked as a set.
pub fn sources() -> Result<Vec<shader::Source>, Box<dyn std::error::Error>> {
    let mut sources = stream::facts::sources()?;
    sources.extend(stream::reduce::sources()?);
    sources.extend(linalg::blas1::sources()?);
    sources.extend(linalg::jacobi::sources()?);
    sources.extend(linalg::matmul::sources()?);
    sources.extend(vector_machine::sources()?);
    sources.extend(sat::sources()?);
    sources.extend(experiment::sources()?);
    #[cfg(feature = "files")]
    sources.extend(view::sources()?);
    Ok(sources)
}

/// The code blocks of README.md, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
