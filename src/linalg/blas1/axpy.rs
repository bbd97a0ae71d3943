//! `a x + y` of textures.

use crate::gl::{Context, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::stream::{Error, Kernel};

/// `a x + y` of textures with four values in a texel; [`Blas1::axpy`](super::Blas1::axpy) takes vectors. Each element has
/// at most two roundings of 32-bit floats: one where the device fuses the product and the sum.
///
/// ```
/// use quadrille::{Context, Extent, linalg::blas1::Axpy};
/// let context = Context::headless()?;
/// let axpy = Axpy::new(&context, context.abilities().reads())?;
/// let one = Extent::new(1, 1);
/// let x = context.texture(one, &[[1.0_f32, 2.0, 3.0, 4.0]])?;
/// let y = context.texture(one, &[[10.0_f32; 4]])?;
/// let mut out = context.uninit::<[f32; 4]>(one)?;
/// axpy.run(2.0, &x, &y, &mut out)?;
/// assert_eq!(out.read()?, [[12.0, 14.0, 16.0, 18.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Axpy {
    kernel: Kernel,
}

pub(super) fn source() -> Result<Source, Error> {
    Ok(Source::library(Stage::Fragment, "blas1/axpy.frag")?)
}

impl Axpy {
    /// Compiles the kernel, which reads texels in this way.
    ///
    /// # Errors
    ///
    /// Errors of the device and its compiler.
    pub fn new(context: &Context, reads: Reads) -> Result<Axpy, Error> {
        Ok(Axpy { kernel: Kernel::from_fragment(context, &source()?, reads)? })
    }

    /// Writes `a x + y` to `out`. All three have one extent.
    ///
    /// # Errors
    ///
    /// [`Error::Extents`] if the extents differ, and errors of the device.
    pub fn run(
        &self,
        a: f32,
        x: &Texture<[f32; 4]>,
        y: &Texture<[f32; 4]>,
        out: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        for (name, extent) in [("y", y.extent()), ("out", out.extent())] {
            if extent != x.extent() {
                let (kernel, expected) = (self.kernel.name().to_owned(), x.extent());
                return Err(Error::Extents { kernel, expected, name, got: extent });
            }
        }
        self.kernel.pass().input("x", x).input("y", y).uniform("a", a).draw(out)
    }
}
