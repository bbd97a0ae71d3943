//! Experiments: fragment shaders of the user over [fields](quadrille::data::Field), run once or
//! many times, with outputs that become inputs of the next step.
//!
//! Use them for filters, cellular automata, reaction-diffusion, fluids: whatever computes each cell
//! from cells of a few arrays. An [`Experiment`] checks names, types and sizes before the first
//! step, uploads the arrays, and keeps them on the device between the steps. For passes that the
//! host chooses as it goes, use [`stream`](quadrille::stream).
//!
//! ```
//! use quadrille::{Context, data::Field, shader::Source};
//! use quadrille_run::{Experiment, Setup};
//! let context = Context::headless()?;
//! let halve = Source::fragment("halve.frag", "
//!     uniform sampler2D x;
//!     uniform float factor;
//!     out float y;
//!     void main() { y = factor * READ(x, TEXEL).r; }");
//! let setup = Setup::new()
//!     .input("x", Field::line(vec![1.0_f32, 8.0])?)
//!     .uniform("factor", "0.5")
//!     .feedback("y", "x");
//! let mut experiment = Experiment::new(&context, &halve, setup)?;
//! for _ in 0..3 {
//!     experiment.step()?;
//! }
//! assert_eq!(experiment.read("y")?, Field::line(vec![0.125_f32, 1.0])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `report` adds `testing::report`: outcomes of tests as a page with pictures and as
//! JUnit's XML.

#![cfg_attr(docsrs, feature(doc_cfg))]

// The modules in the order in which things happen.

// Texts for other hosts, and the lines around them that make them compile.
pub mod dialect;

// The description of an experiment: passes, arrays, uniforms, sampling, sizes.
mod setup;

// A description read from a *.run.toml or from the words of a command line.
mod run_file;

// The shaders, compiled, and what they declare.
mod source;

// Changes of the setup that dialects and storage blocks expect; an ISF shader becomes its passes.
mod lower;

// What each pass reads and writes, how large that is, and what is refused: pure functions.
mod plan;

// The plan on the device: textures, passes, guards against loops that it ends early.
mod execute;

// These four turn a setup into an experiment before its first step; then its steps, its results,
// its state in a file.
mod experiment;

// Tests that files describe, and textures as pictures of a window: both stand on experiments.
pub mod testing;
pub mod view;

// Parts that the modules above share.
pub mod error;
pub mod io;

pub use dialect::{Dialect, Dialects};
pub use error::Unsuited;
pub use error::{Error, Result};
pub use execute::state::Output;
pub use experiment::Experiment;
pub use experiment::names::Names;
pub use experiment::notes::Note;
pub use io::cells::Cells;
pub use run_file::RunFile;
pub(crate) use run_file::{entries, keys};
pub use setup::array::{Array, arrays};
pub use setup::frames::Frames;
pub use setup::origin::Origin;
pub use setup::precision::Precision;
pub use setup::primitive::{Along, Primitive};
pub use setup::samplings::Samplings;
pub use setup::scale::Scale;
pub use setup::settings::{Settings, Uniform};
pub use setup::{PassSetup, Program, Setup};

quadrille::internal::failures! {
    dialect::Error,
    dialect::SizeMistake,
    io::description::Error,
    Error,
    error::InputError, error::LimitError, error::PassError, error::ShaderError, error::SizeError, error::StateError,
    testing::Error,
    testing::file::Error,
}

/// Items that the other packages of this workspace and the tests use, and that are not part of the
/// public interface. They may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::dialect::shaders::SHADERS;
    pub use crate::io::digits::six_digits;
    pub use crate::run_file::{Declares, dry};

    /// The style of pages, which those of other packages share.
    #[cfg(feature = "report")]
    pub const PAGE_STYLE: &str = crate::testing::report::PAGE_STYLE;

    /// Returns the texts that the package puts around users' shaders to notice loops that end
    /// early, in one language.
    pub fn watched_texts(
        language: &quadrille::internal::shader::Language,
    ) -> Result<Vec<quadrille::internal::shader::Expanded>, quadrille::stream::Error> {
        let has_storage = language.version >= 430 || matches!(language.version, 310 | 320);
        let sources = crate::source::sources()?.into_iter();
        let sources = sources.filter(|source| has_storage || !source.needs_storage());
        let texts = sources.map(|source| crate::source::watched_texts(&source, language));
        Ok(texts.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns every shader of this package, in every variant, to be checked as a set.
    pub fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::Error> {
        let primitives = crate::execute::primitive::sources()?;
        Ok([crate::source::sources()?, primitives, crate::view::sources()?].concat())
    }
}

/// The code blocks of README.md, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
