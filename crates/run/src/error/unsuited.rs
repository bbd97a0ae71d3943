//! The reasons why a shader cannot compute an array in panels.

use quadrille::Extent;

/// The position up to which a float distinguishes the centres of texels.
pub(crate) const EXACT: u32 = 1 << 23;

/// The reason why a shader cannot compute an array in panels: its part of the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// The shader is a compute shader.
    #[error("by fragment shaders alone: use one, or a storage block in place of an image")]
    Compute,

    /// It is no shader but a primitive.
    #[error("by fragment shaders alone: give a primitive parts of the array")]
    Primitive,

    /// The shader has a vertex shader of its own.
    #[error(
        "by shaders without a vertex shader of their own: that one places the corners of the whole array, and a panel has others"
    )]
    Vertices,

    /// The shader asks for levels of this sampler, and a panel has none of the whole array.
    #[error(
        "by shaders that read level 0 alone, and this one asks for levels of `{0}`: read level 0, or shrink the array"
    )]
    Levels(String),

    /// The shader samples between texels.
    #[error(
        "by shaders that read texels by their positions, with READ or texelFetch: `texture()` would sample across the edges of panels, and so \
         might what `##` pastes"
    )]
    Samples,

    /// The shader takes differences between fragments of what it reads, and some of those lie
    /// outside of the array.
    #[error(
        "by shaders that take differences of what they read by themselves: those of dFdx, dFdy and fwidth go beyond the edges of panels"
    )]
    Differences,

    /// The shader uses positions as floats, which do not distinguish all texels.
    #[error(
        "but beyond {EXACT} texels gl_FragCoord no longer tells one from the next: use TEXEL, which has integers"
    )]
    Positions,

    /// The shader computes an array of another size.
    #[error(
        "by passes that compute arrays of the same size, and this one computes {} x {}: give it that size, or cut the array",
        _0.width, _0.height
    )]
    Size(Extent),
}
