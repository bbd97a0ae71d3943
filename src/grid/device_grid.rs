//! Grids on the device.

use std::rc::Rc;

use bytemuck::cast_slice;

use crate::Extent;
use crate::gl::{self, Context, Texel, Texture};
use crate::memory;

use super::shape::LANES;
use super::{Error, GridShape, Halo, Part, Plan, Result};

/// A grid of numbers on a device: four consecutive numbers of a row in a texel, each row padded
/// with zeros to a whole texel. It has a panel, one texture, for each part of its [`Plan`]; grids
/// of one plan have the same panels, and operations take only those.
///
/// A halo is not part of the value: it holds anything until [`fill_halos`](Self::fill_halos) copies
/// what its owners have. Operations that read it fill it first, and reductions leave it out. The
/// padding is zero after every operation of the library on finite numbers.
///
/// ```
/// use std::rc::Rc;
/// use quadrille::{Context, grid::{DeviceGrid, GridShape, Halo, Plan}};
/// let context = Context::headless()?;
/// let plan = DeviceGrid::plan_for(&context, GridShape::new(3, 2), Halo::NONE)?;
/// let x = DeviceGrid::from_host(&context, &plan, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let mut y = DeviceGrid::zeros(&context, &plan)?;
/// y.copy_from(&x)?;
/// assert_eq!(y.read()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeviceGrid {
    context: Context,
    plan: Rc<Plan>,
    panels: Vec<Texture<[f32; 4]>>,
}

impl DeviceGrid {
    /// Returns the plan with the fewest panels that a device's textures allow.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::within`].
    pub fn plan_for(context: &Context, shape: GridShape, halo: Halo) -> Result<Rc<Plan>> {
        let limit = context.abilities().max_texture_size;
        Ok(Rc::new(Plan::within(shape, Extent::new(limit, limit), halo)?))
    }

    /// Creates a grid whose numbers are undefined until an operation or [`write`](Self::write) sets
    /// all of them.
    ///
    /// # Errors
    ///
    /// [`gl::Error::OutOfMemory`] and [`gl::Error::HostMemory`], with the bytes of the whole grid,
    /// if the device cannot hold it; [`gl::Error::TooLarge`] if a part exceeds its textures.
    pub fn uninit(context: &Context, plan: &Rc<Plan>) -> Result<DeviceGrid> {
        let texels: usize = plan.parts().iter().map(|part| part.stored.texels()).sum();
        let bytes = texels.saturating_mul(size_of::<[f32; LANES]>());
        if context.abilities().software {
            // Its memory is the host's, which would be promised now and missing when it is written.
            memory::must_have(bytes)?;
        }
        let whole = |error: gl::Error| error.of_whole(format_args!("a grid of {plan}"), bytes);
        let make = |part: &Part| context.uninit(part.extent()).map_err(whole);
        let panels = plan.parts().iter().map(make).collect::<Result<_, _>>()?;
        Ok(DeviceGrid { context: context.clone(), plan: Rc::clone(plan), panels })
    }

    /// Creates a grid of zeros, made on the device.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit).
    pub fn zeros(context: &Context, plan: &Rc<Plan>) -> Result<DeviceGrid> {
        let mut grid = DeviceGrid::uninit(context, plan)?;
        grid.clear()?;
        Ok(grid)
    }

    /// Creates a copy of numbers of the host, row by row.
    ///
    /// # Errors
    ///
    /// Those of [`uninit`](Self::uninit) and [`write`](Self::write).
    pub fn from_host(context: &Context, plan: &Rc<Plan>, numbers: &[f32]) -> Result<DeviceGrid> {
        let mut grid = DeviceGrid::uninit(context, plan)?;
        grid.write(numbers)?;
        Ok(grid)
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the partition into panels.
    pub fn plan(&self) -> &Rc<Plan> {
        &self.plan
    }

    /// Returns the shape of the grid.
    pub fn shape(&self) -> GridShape {
        self.plan.shape()
    }

    /// Sets all numbers to zero, on the device.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn clear(&mut self) -> Result<()> {
        Ok(self.panels.iter_mut().try_for_each(|panel| panel.fill([0.0; LANES]))?)
    }

    /// Replaces all numbers, given row by row, and fills the halos.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] if there are not as many, and errors of the device.
    pub fn write(&mut self, numbers: &[f32]) -> Result<()> {
        let shape = self.shape();
        gl::must_be(shape.len(), numbers.len(), "writing a grid")?;
        for (panel, part) in self.panels.iter_mut().zip(self.plan.parts()) {
            let texels = shape.pack(numbers, part.stored, 0.0)?;
            panel.write(cast_slice(&texels))?;
        }
        Ok(())
    }

    /// Returns a copy on the host, row by row. Waits for the operations that write the grid.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn read(&self) -> Result<Vec<f32>> {
        let mut numbers = memory::zeroed(self.shape().len())?;
        for (panel, part) in self.panels() {
            let texels = panel.read_rectangle(part.local(part.owned))?;
            self.shape().unpack(cast_slice(&texels), part.owned, &mut numbers);
        }
        Ok(numbers)
    }

    /// Replaces the numbers by those of a grid of the same plan and context, on the device.
    ///
    /// # Errors
    ///
    /// [`Error::Unlike`] if the plans differ, [`gl::Error::Foreign`] if the contexts differ, and
    /// errors of the device.
    pub fn copy_from(&mut self, other: &DeviceGrid) -> Result<()> {
        other.must_be(&self.plan, "copying a grid")?;
        for (to, from) in self.panels.iter_mut().zip(&other.panels) {
            to.copy_from(from)?;
        }
        Ok(())
    }

    /// Copies to each halo what its owners have, on the device. It changes no number of the grid.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn fill_halos(&self) -> Result<()> {
        Ok(fill_halos(&self.plan, &self.panels)?)
    }

    /// Returns the panels, each with its part of the plan.
    pub(crate) fn panels(&self) -> impl Iterator<Item = (&Texture<[f32; 4]>, &Part)> {
        self.panels.iter().zip(self.plan.parts())
    }

    /// Returns the textures of the panels.
    pub(crate) fn textures(&self) -> &[Texture<[f32; 4]>] {
        &self.panels
    }

    /// Returns the textures of the panels for writing: the padding must stay zero.
    pub(crate) fn textures_mut(&mut self) -> &mut [Texture<[f32; 4]>] {
        &mut self.panels
    }

    /// Returns the texture of a panel.
    pub(crate) fn panel(&self, index: usize) -> Option<&Texture<[f32; 4]>> {
        self.panels.get(index)
    }

    /// Returns the texture of a panel for writing; it may be replaced by another of its extent. The
    /// padding must stay zero.
    pub(crate) fn panel_mut(&mut self, index: usize) -> Option<&mut Texture<[f32; 4]>> {
        self.textures_mut().get_mut(index)
    }

    /// Refuses another plan than this.
    pub(crate) fn must_be(&self, plan: &Rc<Plan>, what: &str) -> Result<()> {
        if Rc::ptr_eq(&self.plan, plan) || self.plan == *plan {
            return Ok(());
        }
        let (expected, got) = (plan.to_string(), self.plan.to_string());
        Err(Error::Unlike { what: what.to_owned(), expected, got })
    }
}

impl std::fmt::Debug for DeviceGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DeviceGrid({})", self.plan)
    }
}

/// Copies to each halo of a plan's panels what its owners have, whatever a texel holds.
pub(crate) fn fill_halos<T: Texel>(plan: &Plan, panels: &[Texture<T>]) -> Result<(), gl::Error> {
    for copy in plan.copies() {
        if let (Some(to), Some(from)) = (panels.get(copy.to), panels.get(copy.from)) {
            to.copy_part(copy.target, from, copy.source)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::masks::Ability;

    /// Writes over poisoned textures: the padding must become zero, and each halo must get the
    /// numbers of the grid.
    #[test]
    fn texels_are_those_of_the_grid_after_every_way_to_set_them() {
        let context = Context::builder().without(Ability::LargerTextures(11)).build().unwrap();
        for (n, m, steps, across_ends) in [
            (1, 3, 1, true),
            (23, 5, 1, false),
            (500, 61, 1, false),
            (96, 7, 1, true),
            (700, 97, 4, false),
        ] {
            let shape = GridShape::in_rows(n, m);
            let plan = DeviceGrid::plan_for(&context, shape, Halo { steps, across_ends }).unwrap();
            assert_eq!(plan.parts().len() > 1, n > 23);
            let numbers: Vec<f32> = (1..=n).map(|i| i as f32).collect();
            let mut written = DeviceGrid::uninit(&context, &plan).unwrap();
            let mut copied = DeviceGrid::uninit(&context, &plan).unwrap();
            for grid in [&mut written, &mut copied] {
                grid.panels.iter_mut().for_each(|panel| panel.fill([f32::NAN; 4]).unwrap());
            }
            written.write(&numbers).unwrap();
            copied.copy_from(&written).unwrap();
            // Only the halos are poisoned.
            let poisoned = DeviceGrid::uninit(&context, &plan).unwrap();
            for (index, (panel, part)) in written.panels().enumerate() {
                let mut texture = context.uninit(part.extent()).unwrap();
                texture.fill([f32::NAN; 4]).unwrap();
                poisoned.panels[index]
                    .copy_part(part.local(part.stored), &texture, part.extent().rectangle())
                    .unwrap();
                let owned = part.local(part.owned);
                poisoned.panels[index].copy_part(owned, panel, owned).unwrap();
            }
            poisoned.fill_halos().unwrap();
            for (which, grid) in [written, copied, poisoned].iter().enumerate() {
                assert_eq!(grid.read().unwrap(), numbers);
                for (panel, part) in grid.panels() {
                    let stored: Vec<f32> = cast_slice(&panel.read().unwrap()).to_vec();
                    let expected = shape.pack(&numbers, part.stored, 0.0).unwrap();
                    // Couplings across the ends of rows need only some numbers of the outermost
                    // rows.
                    let right = |(got, wanted): (&f32, &f32)| {
                        got == wanted || across_ends && which == 2 && got.is_nan()
                    };
                    assert!(stored.iter().zip(&expected).all(right), "{which} {part:?}");
                }
            }
        }
    }
}
