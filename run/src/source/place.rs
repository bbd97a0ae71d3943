//! Whether a shader has an array as a texture, as layers or in a storage block.

/// What a shader has an array as, and so what holds it on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Samplers and images read it, and draws and images write it. What is larger than a texture is in several, and no image reads or
    /// writes it.
    Texture,
    /// A `sampler2DArray` reads it.
    Layers,
    /// Blocks of compute shaders read and write it.
    Buffer,
}

impl Place {
    /// What reads it, or what reads it as an image of so many channels.
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
