//! The kind of storage in which a shader expects an array: a texture, layers or a storage block.

/// The kind of storage in which a shader expects an array, and in which the device holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Samplers and images read it, and draws and images write it. What is larger than a texture is
    /// in several, and no image reads or writes it.
    Texture,
    /// A `sampler2DArray` reads it.
    Layers,
    /// Blocks of compute shaders read and write it.
    Buffer,
}

impl Place {
    /// Describes the storage in a message, with the number of channels if an image reads it.
    pub(crate) fn described(self, width: Option<usize>) -> &'static str {
        match (self, width) {
            (Place::Buffer, _) => "a storage block",
            (Place::Layers, _) => "a texture of layers",
            (Place::Texture, None) => "a texture",
            (Place::Texture, Some(1)) => "an image of one channel",
            (Place::Texture, Some(2)) => "an image of two channels",
            (Place::Texture, Some(_)) => "an image of four channels",
        }
    }
}
