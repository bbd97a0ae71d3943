//! Vector operations: `axpy` of the BLAS. Sums and norms are in [`stream::reduce`](crate::stream::reduce).

use crate::gl::{Context, Texture};
use crate::shader::{Reads, Source, Stage};
use crate::stream::{Error, Kernel};

/// `a x + y` over vectors of four numbers a texel.
pub struct Axpy {
    kernel: Kernel,
}

/// Every shader of this module.
pub(crate) fn sources() -> Result<Vec<Source>, Error> {
    Ok(vec![source()?])
}

fn source() -> Result<Source, Error> {
    Ok(Source::library(Stage::Fragment, "blas1/axpy.frag")?)
}

impl Axpy {
    /// Compiles it, reading texels in this way.
    pub fn new(context: &Context, reads: Reads) -> Result<Axpy, Error> {
        Ok(Axpy { kernel: Kernel::drawn(context, &source()?, reads)? })
    }

    /// Writes `a x + y` into `out`. All three have one extent.
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
