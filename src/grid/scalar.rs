//! Numbers on the device.

use crate::Extent;
use crate::gl::{Context, Texture};
use crate::stream::Result;

/// A number on a device, such as the result of a dot product: a factor of later operations, so that
/// an iteration runs without reading it. Its texel has four parts of which it is the sum;
/// operations use the sum as a 32-bit float, and [`read`](Self::read) adds them in f64.
///
/// ```
/// use quadrille::{Context, grid::Scalar};
/// let context = Context::headless()?;
/// let half = Scalar::new(&context, 0.5)?;
/// assert_eq!(half.read()?, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scalar {
    texture: Texture<[f32; 4]>,
}

impl Scalar {
    /// Creates a number of the host.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn new(context: &Context, value: f32) -> Result<Scalar> {
        let texture = context.texture(Extent::new(1, 1), &[[value, 0.0, 0.0, 0.0]])?;
        Ok(Scalar { texture })
    }

    /// Creates a number that an operation sets before anything reads it.
    pub(crate) fn uninit(context: &Context) -> Result<Scalar> {
        Ok(Scalar { texture: context.uninit(Extent::new(1, 1))? })
    }

    /// Reads the value. Waits for the operations that compute it.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn read(&self) -> Result<f64> {
        Ok(self.parts()?.into_iter().sum())
    }

    /// Returns the four parts of its texel: of a sum of texels, the sums of their lanes. Waits as
    /// [`read`](Self::read) does.
    pub(crate) fn parts(&self) -> Result<[f64; 4]> {
        Ok(self.texture.read()?.first().copied().unwrap_or_default().map(f64::from))
    }

    /// Returns the texel of the scalar.
    pub(crate) fn texture(&self) -> &Texture<[f32; 4]> {
        &self.texture
    }

    /// Returns the texel of the scalar, for writing.
    pub(crate) fn texture_mut(&mut self) -> &mut Texture<[f32; 4]> {
        &mut self.texture
    }
}

impl std::fmt::Debug for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scalar")
    }
}
