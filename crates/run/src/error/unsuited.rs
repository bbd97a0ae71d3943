//! The reasons why a shader cannot compute an array in panels.

use std::fmt;

use quadrille::Extent;

/// The position up to which a float distinguishes the centres of texels.
pub(crate) const EXACT: u32 = 1 << 23;

/// The reason why a shader cannot compute an array in panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsuited {
    /// The shader is a compute shader.
    Compute,
    /// It is no shader but a primitive.
    Primitive,
    /// The shader has a vertex shader of its own.
    Vertices,
    /// The shader asks for levels of this sampler, and a panel has none of the whole array.
    Levels(String),
    /// The shader samples between texels.
    Samples,
    /// The shader takes differences between fragments of what it reads, and some of those lie
    /// outside of the array.
    Differences,
    /// The shader uses positions as floats, which do not distinguish all texels.
    Positions,
    /// The shader computes an array of another size.
    Size(Extent),
}

impl fmt::Display for Unsuited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsuited::Compute => {
                write!(
                    f,
                    "by fragment shaders alone: use one, or a storage block in place of an image"
                )
            }
            Unsuited::Primitive => {
                write!(f, "by fragment shaders alone: give a primitive parts of the array")
            }
            Unsuited::Vertices => write!(
                f,
                "by shaders without a vertex shader of their own: that one places the corners of the whole array, and a panel has others"
            ),
            Unsuited::Levels(name) => write!(
                f,
                "by shaders that read level 0 alone, and this one asks for levels of `{name}`: read level 0, or shrink the array"
            ),
            Unsuited::Samples => write!(
                f,
                "by shaders that read texels by their positions, with READ or texelFetch: `texture()` would sample across the \
                 edges of panels, and so might what `##` pastes"
            ),
            Unsuited::Differences => write!(
                f,
                "by shaders that take differences of what they read by themselves: those of dFdx, dFdy and fwidth go beyond the edges of \
                 panels"
            ),
            Unsuited::Positions => write!(
                f,
                "but beyond {EXACT} texels gl_FragCoord no longer tells one from the next: use TEXEL, which has integers"
            ),
            Unsuited::Size(Extent { width, height }) => write!(
                f,
                "by passes that compute arrays of the same size, and this one computes {width} x {height}: give it that size, or \
                 cut the array"
            ),
        }
    }
}
