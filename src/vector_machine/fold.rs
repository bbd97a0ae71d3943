//! Summing what the invocations of a function to a scalar give.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use crate::Extent;
use crate::gl::{Blend, Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::{Geometry, Kernel};

use super::Error;
use super::machine::Device;

/// Who sums the partial results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The host, in double precision, after reading all of them: the document's way.
    Host,
    /// The device, by passes that fold many texels into one; the host adds the last few, and those of
    /// a short vector, which take longer to fold than to read.
    #[default]
    Device,
    /// The device, by blending all of them into one texel: the document's footnote. The order is
    /// the rasterizer's, and the sum is in single precision.
    Blending,
}

impl Fold {
    /// All of them.
    pub const ALL: [Fold; 3] = [Fold::Host, Fold::Device, Fold::Blending];

    /// Its name in commands and reports.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Host => "host",
            Fold::Device => "device",
            Fold::Blending => "blending",
        }
    }
}

impl fmt::Display for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Fold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Fold, Error> {
        let found = Fold::ALL.into_iter().find(|fold| fold.name() == text);
        found.ok_or_else(|| Error::UnknownFold { name: text.to_owned() })
    }
}

/// Points that read a texel each and are blended into one.
pub(super) struct Adder {
    context: Context,
    kernel: OnceCell<Kernel>,
}

impl Adder {
    pub(super) fn new(context: &Context) -> Adder {
        Adder { context: context.clone(), kernel: OnceCell::new() }
    }

    pub(super) fn sources() -> Result<[Source; 2], Error> {
        let vertex = Source::library(Stage::Vertex, "vector_machine/partial.vert")?;
        let fragment = Source::library(Stage::Fragment, "vector_machine/result.frag")?;
        Ok([vertex, fragment.define("RESULT", "float")])
    }

    /// Adds the first so many texels to the only texel of the target.
    fn add(
        &self,
        partials: &Texture<f32>,
        count: u32,
        sum: &mut Texture<f32>,
    ) -> Result<(), Error> {
        let kernel = match self.kernel.get() {
            Some(kernel) => kernel,
            None => {
                let [vertex, fragment] = Adder::sources()?;
                let reads = self.context.abilities().reads();
                let made = Kernel::new(&self.context, &vertex, &fragment, reads)?;
                self.kernel.get_or_init(|| made)
            }
        };
        let pass = kernel.pass().input("partials", partials).over(Geometry::Points(count));
        Ok(pass.blend(Blend::Add).draw(sum)?)
    }
}

/// A number that a function gives: known, or still in parts on the device.
///
/// ```
/// use quadrille::vector_machine::DScalar;
/// assert_eq!(DScalar::new().value()?, 0.0);
/// # Ok::<(), quadrille::vector_machine::Error>(())
/// ```
#[derive(Default)]
pub struct DScalar {
    value: Cell<Option<f32>>,
    pending: RefCell<Option<Pending>>,
}

/// Partial results, a texel each, zeros after them.
struct Pending {
    device: Rc<Device>,
    partials: Texture<f32>,
    count: usize,
    fold: Fold,
}

impl DScalar {
    /// The number 0, until a function gives another.
    pub fn new() -> DScalar {
        DScalar::default()
    }

    /// The number: the sum of its parts, which is made now if it was not yet. Waits for the function.
    pub fn value(&self) -> Result<f32, Error> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = match &*self.pending.borrow() {
            Some(pending) => pending.sum()?,
            None => 0.0,
        };
        self.value.set(Some(value));
        Ok(value)
    }

    pub(super) fn set(&mut self, value: f32) {
        self.value.set(Some(value));
    }

    /// Room for partial results: that of the function before, where it is alike.
    pub(super) fn room(
        &mut self,
        device: &Rc<Device>,
        extent: Extent,
        since: u64,
    ) -> Result<Texture<f32>, Error> {
        match self.pending.take() {
            Some(old) if Rc::ptr_eq(&old.device, device) && old.partials.extent() == extent => {
                Ok(old.partials)
            }
            _ => device.memory.texture(extent, since),
        }
    }

    /// Takes partial results.
    pub(super) fn hold(
        &mut self,
        device: &Rc<Device>,
        partials: Texture<f32>,
        count: usize,
        fold: Fold,
    ) {
        let pending = Pending { device: Rc::clone(device), partials, count, fold };
        (self.value, self.pending) = (Cell::new(None), RefCell::new(Some(pending)));
    }
}

/// Partial results that the host adds while a pass would still fold them.
const FEW: usize = 2048;

impl Pending {
    fn sum(&self) -> Result<f32, Error> {
        match self.fold {
            Fold::Device if self.count <= FEW => self.sum_on_host(),
            Fold::Host => self.sum_on_host(),
            Fold::Device => Ok(self.device.reducer.sum(&self.partials)?),
            Fold::Blending => {
                let context = self.device.memory.context();
                let mut sum = context.texture(Extent::new(1, 1), &[0.0_f32])?;
                let count = u32::try_from(self.count).unwrap_or(u32::MAX);
                self.device.adder.add(&self.partials, count, &mut sum)?;
                Ok(sum.read()?.into_iter().sum())
            }
        }
    }

    fn sum_on_host(&self) -> Result<f32, Error> {
        let partials = self.partials.read()?;
        Ok(partials.iter().take(self.count).map(|part| f64::from(*part)).sum::<f64>() as f32)
    }
}
