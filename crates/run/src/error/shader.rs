//! The errors of what a shader declares.

use quadrille::gl::Type;
use quadrille::internal::{failure, with_article};

/// An error of what a shader declares and an experiment cannot use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderError {
    #[error(
        "{kernel} writes nothing that can be read: declare an output, as in `out vec4 colour;`{}",
        quadrille::internal::stream::dropped_text(dropped)
    )]
    NoOutput { kernel: String, dropped: Vec<String> },

    #[error(
        "{kernel}: its outputs must have the locations 0, 1, 2 ... without a gap; they have: {}{}",
        has.join(", "), quadrille::internal::stream::dropped_text(dropped)
    )]
    Locations { kernel: String, has: Vec<String>, dropped: Vec<String> },

    #[error(
        "{kernel}: `{name}` is {}, which cannot be an output here; expected a float, int or uint, or a vector of them",
        with_article(kind)
    )]
    OutputType { kernel: String, name: String, kind: String },

    #[error(
        "{kernel}: `{name}` is of a type ({glsl}) that cannot be set; expected a sampler2D, isampler2D or \
         usampler2D, or a uniform of numbers or bool"
    )]
    Untakable { kernel: String, name: String, glsl: Type },

    #[error(
        "{kernel}: storage block `{name}`: expected `layout(std430, binding = N)` and one array without a length, of \
         float, int, uint or vectors of two or four of them, as in `float x[];`; {why}"
    )]
    Storage { kernel: String, name: String, why: String },

    #[error(
        "{kernel}: image `{name}`: expected a layout with one of the formats r32f, rg32f, rgba32f, r32i, rg32i, rgba32i, \
         r32ui, rgba32ui, as in `layout(r32f, binding = 0)`; {why}"
    )]
    Image { kernel: String, name: String, why: String },

    #[error(
        "{kernel} writes nothing that can be read: declare a storage block or an image that is not readonly, as in \
         `layout(std430, binding = 0) buffer Result {{ float y[]; }};`"
    )]
    NothingStored { kernel: String },

    #[error(
        "{kernel}: an ISF shader of several passes writes gl_FragColor: expected that in place of an output of its own, `{output}`"
    )]
    IsfOutput { kernel: String, output: String },

    #[error(
        "{kernel}: the header of this ISF shader declares `{name}`, but nothing reads it, so that its value would change nothing: leave \
         it out"
    )]
    IsfUnread { kernel: String, name: String },
}

failure!(ShaderError);
