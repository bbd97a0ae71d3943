//! How a texture is sampled: between the centres of texels, and outside of it.

/// The value of a sample between the centres of texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    #[default]
    Nearest,
    /// The bilinear interpolation of the four texels around it.
    Linear,
}

/// The value of a sample outside of the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The nearest texel of the edge.
    #[default]
    Clamp,
    /// The texture repeats, as on a periodic domain.
    Repeat,
    /// The texture repeats, and each other copy is mirrored.
    Mirror,
}

/// How a texture is sampled. The prelude's `READ` needs the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sampling {
    pub(crate) filter: Filter,
    pub(crate) wrap: Wrap,
}
