//! Scalars: the sum of what the invocations of a function return.

pub(super) mod blend;
pub(super) mod fold;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use quadrille::Extent;
use quadrille::gl::Texture;

use super::machine::device::Device;
use super::{Fold, Result};

/// The result of a function to a scalar: known, or still in parts on the device.
///
/// ```
/// use quadrille_vp::vector_machine::DScalar;
/// assert_eq!(DScalar::new().value()?, 0.0);
/// # Ok::<(), quadrille_vp::vector_machine::Error>(())
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
    /// Makes the number 0, until a function sets another.
    pub fn new() -> DScalar {
        DScalar::default()
    }

    /// Returns the number: the sum of its parts. Waits for the function.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn value(&self) -> Result<f32> {
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

    /// Returns a texture for partial results: that of the previous function, if it has the same
    /// extent.
    pub(super) fn room(
        &mut self,
        device: &Rc<Device>,
        extent: Extent,
        since: u64,
    ) -> Result<Texture<f32>> {
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

/// The number of partial results up to which the host adds them, since that is faster than a pass.
const FEW: usize = 2048;

impl Pending {
    fn sum(&self) -> Result<f32> {
        match self.fold {
            Fold::Device if self.count <= FEW => self.sum_on_host(),
            Fold::Host => self.sum_on_host(),
            Fold::Device => Ok(self.device.reducer.sum(&self.partials)? as f32),
            Fold::Blending => {
                let context = self.device.memory.context();
                let mut sum = context.texture(Extent::new(1, 1), &[0.0_f32])?;
                let count = u32::try_from(self.count).unwrap_or(u32::MAX);
                self.device.adder.add(&self.partials, count, &mut sum)?;
                Ok(sum.read()?.into_iter().sum())
            }
        }
    }

    fn sum_on_host(&self) -> Result<f32> {
        let partials = self.partials.read()?;
        Ok(partials.iter().take(self.count).map(|part| f64::from(*part)).sum::<f64>() as f32)
    }
}
