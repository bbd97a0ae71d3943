//! GLSL text: includes, defines, the prelude, the line table, and drivers' logs read back into the
//! user's lines. Pure text work: nothing here needs an OpenGL context.
//!
//! A [`Source`] is what the user wrote. [`expand()`] makes of it, for one [`Dialect`], the single
//! text that a driver compiles; [`Expanded`] remembers which file and line each of its lines came
//! from, so that [`Expanded::explain`] can turn the driver's log into [`Diagnostics`] that point
//! at the user's own lines. No `#line` is written into the text: some drivers lose the file number
//! of `#line` in some of their messages, a table does not.
//!
//! ```
//! use quadrille::shader::{Api, Dialect, Reads, Source, expand};
//!
//! let source = Source::fragment("double.frag", "uniform sampler2D image;
//! layout(location = 0) out vec4 twice;
//! void main() {
//!     twice = SCALE * READ(image, TEXEL);
//! }
//! ").define("SCALE", "2.0");
//! let dialect = Dialect { api: Api::Gles, version: 300, precise: false, reads: Reads::Fetch };
//! let expanded = expand(&source, &dialect)?;
//! assert!(expanded.text.starts_with("#version 300 es\n"));
//! assert_eq!(expanded.declarations().outputs[0].name, "twice");
//! # Ok::<(), quadrille::shader::Error>(())
//! ```

mod assemble;
mod consequences;
mod declarations;
mod diagnostic;
mod diagnostics;
mod dialect;
mod directive;
pub(crate) mod embedded;
mod error;
mod excerpt;
mod expand;
mod expanded;
mod folders;
mod lines;
mod log;
mod reads;
mod resolve;
mod source;
mod stage;
mod strip;
mod text;
mod token_column;
mod tokens;

pub use diagnostic::{Diagnostic, Severity};
pub use diagnostics::Diagnostics;
pub use dialect::{Api, Reads};
pub use error::Error;
pub use source::Source;
pub use stage::Stage;

pub(crate) use assemble::expand;
pub(crate) use declarations::Declared;
pub(crate) use dialect::Dialect;
pub(crate) use excerpt::Excerpt;
pub(crate) use expanded::{Expanded, LOOPS, mentions};

/// What `quadrille::internal` shows to the tests and the other packages.
pub(crate) mod internal {
    pub use super::assemble::expand;
    pub use super::declarations::{Declarations, Declared};
    pub use super::dialect::Dialect;
    /// The files of the folder `glsl/`.
    pub mod embedded {
        pub use crate::shader::embedded::*;
    }
    pub use super::excerpt::Excerpt;
    pub use super::expanded::Expanded;
}
