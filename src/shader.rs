//! Shader sources: text, includes, defines, and errors that point at the lines of the user.
//!
//! Use a [`Source`] to hand a shader to a [kernel](crate::stream::Kernel), from text or from a
//! file. It needs no `#version` and no precision statement, and one text serves OpenGL 3.3, OpenGL
//! ES 3.0 and later versions.
//!
//! ```
//! use quadrille::{Context, Extent, Source};
//!
//! let source = Source::fragment("double.frag", "
//!     #include \"scale.glsl\"
//!     uniform sampler2D image;
//!     out float twice;
//!     void main() { twice = scaled(READ(image, TEXEL).r); }")
//!     .file("scale.glsl", "float scaled(float x) { return SCALE * x; }")
//!     .define("SCALE", "2.0");
//! let context = Context::headless()?;
//! let image = context.texture(Extent::new(2, 1), &[1.0_f32, 4.0])?;
//! let mut twice = context.uninit::<f32>(image.extent())?;
//! context.kernel(source)?.pass().input("image", &image).draw(&mut twice)?;
//! assert_eq!(twice.read()?, [2.0, 8.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The prelude
//!
//! Every shader can use these macros:
//!
//! | macro | meaning |
//! |---|---|
//! | `TEXEL` | the texel that a fragment writes, an `ivec2`; (0, 0) is the first texel of the data |
//! | `READ(image, p)` | the texel of a sampler at the `ivec2` `p`, which must lie inside |
//! | `READ_CLAMPED(image, p)` | the same for any `p`: outside, the nearest texel of the edge |
//! | `READ_WRAPPED(image, p)` | the same for any `p`: the image repeats in both directions |
//! | `COORDINATE(image, c)` | the coordinate of the texel centre `c` = `vec2(x + 0.5, y + 0.5)`, which may be interpolated |
//! | `READ_AT(image, coordinate)` | the texel at such a coordinate |
//! | `READ_AT_CLAMPED(image, coordinate)` | the same, clamped |
//! | `PRECISE` | the qualifier `precise` where the context has it, else nothing |
//!
//! The argument `image` must be a name. All of these return the texel exactly, whatever the filter
//! and the wrap mode of the texture are, by fetching or by sampling at its centre, whichever is
//! faster on the device ([`Reads`]). `texture()` and the other functions of GLSL sample with the
//! [filter](crate::gl::Filter) and the [wrap mode](crate::gl::Wrap).
//!
//! # Levels
//!
//! A texture has levels for a kernel whose text asks for some: by `textureLod`, `textureGrad` and
//! their kin, by a bias, by a level other than 0 in `texelFetch` and `textureSize`, or by
//! `textureQueryLod` and `textureQueryLevels`, also through macros and functions of its own; and
//! for `texture()` with [`Filter::Mipmap`](crate::gl::Filter::Mipmap). They are made when a pass
//! needs them, anew where the texture was written since. Level l + 1 has the size of level l
//! halved, rounded down and at least 1, and each of its texels is the mean of the part of level l
//! that it covers, so that the last level is the mean of the texture.
//!
//! `Filter::Nearest` then takes the nearest texel of the nearest level, and the other filters
//! interpolate in the two nearest levels and between them. As in OpenGL, `texture()` without a bias
//! takes part in that: where it shrinks a texture of whose levels the same kernel asks, it reads
//! these too. For all other kernels a texture has level 0 alone. Integers have no levels.
//!
//! # Dialects
//!
//! A kernel compiles plain GLSL. Texts as people paste them, Shadertoy's `mainImage`,
//! `gl_FragColor` and `texture2D` of older versions, the header of the Interactive Shader Format,
//! are read by the package `quadrille-run`.
//!
//! # Errors of drivers
//!
//! [`Diagnostics`] hold the messages of a driver with the file, line and column of the user's text.
//! The lines come from a table: no `#line` is sent to the driver, since some drivers lose its file
//! number.

// The way of a text: a `source`, read by the `lexer`, is `expand`ed for the `language` of a
// context; its `declarations` are found; `diagnostics` lead from the driver's log back to the
// source.
mod declarations;
mod diagnostics;
mod error;
mod expand;
mod framing;
mod language;
mod levels;
mod lexer;
mod source;

pub use diagnostics::Diagnostics;
pub use diagnostics::diagnostic::{Diagnostic, Severity};
pub use diagnostics::excerpt::Excerpt;
pub use error::Error;
pub use language::{Api, Reads};
pub use source::Source;
pub use source::stage::Stage;

pub(crate) use declarations::Declared;
pub(crate) use declarations::storage::Storage;
pub(crate) use diagnostics::token_column;
pub(crate) use expand::assemble::expand;
pub(crate) use expand::expanded::Expanded;
pub(crate) use expand::vertex_stage::coordinate_vertex;
pub(crate) use framing::frame::output_name;
pub(crate) use language::Language;
pub(crate) use levels::LevelReads;

/// Items of this module that the tests and the other packages reach through `quadrille::internal`.
pub(crate) mod internal {
    pub use super::declarations::declarations;
    pub use super::declarations::storage::{
        Access, Block as StorageBlock, Image as StorageImage, Storage,
    };
    pub use super::declarations::{Declarations, Declared};
    pub use super::diagnostics::excerpt::Excerpt;
    pub use super::expand::assemble::expand;
    pub use super::expand::edited::Edit;
    pub use super::expand::trace;
    pub use super::expand::watched::InPanels;
    pub use super::framing::{Body, Frame, Lowered, Main};
    pub use super::language::Language;
    pub use super::lexer::comments::strip;
    pub use super::lexer::lines::Position;
    pub use super::lexer::mentions::{LOOPS, may_mention, mentions};
    pub use super::lexer::preprocess::{kept, preprocess, preprocessed};
    pub use super::lexer::tokens::{Span, Token, tokens};
    pub use super::source::Framing;
    pub use super::source::package::PackageShaders;
    /// The files of the folder `glsl/`.
    pub mod embedded {
        pub use crate::shader::source::embedded::*;
    }
    pub use super::expand::expanded::Expanded;
}
