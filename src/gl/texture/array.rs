//! Texture arrays: layers of one extent, which a `sampler2DArray` reads.

use std::marker::PhantomData;

use crate::Extent;

use super::raw::Raw;
use super::sealed::HasRaw;
use super::stored;
#[cfg(doc)]
use crate::gl::Error;
use crate::gl::{AnyTexture, Context, Result, Texel, must_be};

/// Layers of two-dimensional arrays of texels `T` on the device: an input of passes, and no target.
///
/// ```
/// use quadrille::{Context, Extent, Source};
/// let context = Context::headless()?;
/// let text = "uniform sampler2DArray stack; out float sum;
///     void main() { sum = texelFetch(stack, ivec3(TEXEL, 0), 0).r + texelFetch(stack, ivec3(TEXEL, 1), 0).r; }";
/// let kernel = context.kernel(Source::fragment("sum.frag", text))?;
/// let stack = context.texture_array(Extent::new(2, 1), 2, &[1.0_f32, 2.0, 10.0, 20.0])?;
/// let mut sum = context.uninit::<f32>(Extent::new(2, 1))?;
/// kernel.pass().input("stack", &stack).draw(&mut sum)?;
/// assert_eq!(sum.read()?, [11.0, 22.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextureArray<T: Texel> {
    raw: Raw,
    layers: u32,
    texel: PhantomData<T>,
}

impl Context {
    /// Makes a texture array of these texels, given layer by layer, each row by row.
    ///
    /// # Errors
    /// [`Error::Length`] if there are not `layers * width * height` texels, and as
    /// [`uninit_array`](Context::uninit_array).
    pub fn texture_array<T: Texel>(
        &self,
        extent: Extent,
        layers: u32,
        texels: &[T],
    ) -> Result<TextureArray<T>> {
        let mut array = self.uninit_array(extent, layers)?;
        array.write(texels)?;
        Ok(array)
    }

    /// Makes a texture array whose texels are uninitialized.
    ///
    /// # Errors
    /// [`Error::TooLarge`] over the device's limits of a side and of layers, [`Error::Empty`]
    /// without a texel, [`Error::OutOfMemory`], [`Error::ContextLost`].
    pub fn uninit_array<T: Texel>(&self, extent: Extent, layers: u32) -> Result<TextureArray<T>> {
        let raw = Raw::layered(self, extent, layers, T::FORMAT)?;
        Ok(TextureArray { raw, layers, texel: PhantomData })
    }
}

impl<T: Texel> TextureArray<T> {
    /// Returns the width and height of each layer in texels.
    pub fn extent(&self) -> Extent {
        self.raw.extent
    }

    /// Replaces all texels of all layers.
    ///
    /// # Errors
    /// [`Error::Length`] if there are not as many texels, [`Error::OutOfMemory`],
    /// [`Error::ContextLost`].
    pub fn write(&mut self, texels: &[T]) -> Result<()> {
        let expected = self.raw.extent.texels().saturating_mul(self.layers as usize);
        must_be(expected, texels.len(), "writing into a texture array")?;
        self.raw.upload_layers(self.layers, &stored(texels)?)
    }
}

impl<T: Texel> HasRaw for TextureArray<T> {
    #[allow(private_interfaces)] // Sealed: no one else can name it.
    fn raw(&self) -> &Raw {
        &self.raw
    }
}

impl<T: Texel> AnyTexture for TextureArray<T> {}

impl<T: Texel> std::fmt::Debug for TextureArray<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TextureArray({} of {}, {})", self.layers, self.raw.extent, T::FORMAT.name)
    }
}
