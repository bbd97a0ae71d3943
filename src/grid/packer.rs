//! Packs textures of single numbers into grids and unpacks them, on the device.

use crate::gl::{Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::{self, Geometry, Kernel};
use crate::{Extent, Rectangle};

use super::{DeviceGrid, Error, GridShape, Part, Result};

/// Copies textures with a number in each texel, which a program's own kernels read and write, to
/// grids, which have four, and back. Nothing passes through the host.
///
/// ```
/// use quadrille::{Context, Extent, grid::{DeviceGrid, GridShape, Halo, Packer}};
/// let context = Context::headless()?;
/// let packer = Packer::new(&context)?;
/// let texture = context.texture(Extent::new(3, 2), &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let plan = DeviceGrid::plan_for(&context, GridShape::new(3, 2), Halo::NONE)?;
/// let mut grid = DeviceGrid::uninit(&context, &plan)?;
/// packer.pack(&texture, &mut grid)?;
/// assert_eq!(grid.read()?, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Packer {
    pack: Kernel,
    unpack: Kernel,
}

impl Packer {
    /// Compiles its two kernels.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn new(context: &Context) -> Result<Packer> {
        let [pack, unpack] = sources()?;
        Ok(Packer { pack: context.kernel(pack)?, unpack: context.kernel(unpack)? })
    }

    /// Sets all numbers of a grid to those of a texture, column x of row y to the texel at (x, y),
    /// and fills the halos. What the texture has beyond the end of a shorter last row is not read.
    ///
    /// # Errors
    ///
    /// [`Error::Unlike`] if the texture has not a texel for each column and row,
    /// [`gl::Error::Foreign`](crate::gl::Error::Foreign) for one of another context, and errors of
    /// the device.
    pub fn pack(&self, texture: &Texture<f32>, grid: &mut DeviceGrid) -> Result<()> {
        let shape = grid.shape();
        must_fit(shape, texture.extent(), "packing a texture")?;
        for index in 0..grid.plan().parts().len() {
            let (part, Some(panel)) = (grid.plan().parts()[index], grid.panel_mut(index)) else {
                continue;
            };
            let pass = self.pack.pass().input("numbers", texture).uniform("first", first(&part));
            let pass = pass.uniform("width", shape.width() as i32);
            pass.uniform("count", shape.len() as i32).draw(panel)?;
        }
        Ok(())
    }

    /// Sets all texels of a texture to the numbers of a grid, and to 0 beyond the end of a shorter
    /// last row.
    ///
    /// # Errors
    ///
    /// Those of [`pack`](Self::pack).
    pub fn unpack(&self, grid: &DeviceGrid, texture: &mut Texture<f32>) -> Result<()> {
        must_fit(grid.shape(), texture.extent(), "unpacking to a texture")?;
        for (panel, part) in grid.panels() {
            let place = columns(part.owned, texture.extent());
            let pass = self.unpack.pass().input("panel", panel).uniform("first", first(part));
            pass.over(Geometry::Rectangle(place)).draw(texture)?;
        }
        Ok(())
    }
}

pub(crate) fn sources() -> Result<[Source; 2], stream::Error> {
    let source = |path| Source::library(Stage::Fragment, path);
    Ok([source("grid/pack.frag")?, source("grid/unpack.frag")?])
}

/// Returns the first texel of a panel, of the whole grid's.
fn first(part: &Part) -> [i32; 2] {
    [part.stored.x as i32, part.stored.y as i32]
}

/// Returns the texels of the texture for these of the grid.
fn columns(owned: Rectangle, extent: Extent) -> Rectangle {
    let x = 4 * owned.x;
    Rectangle { x, width: (4 * owned.width).min(extent.width - x), ..owned }
}

fn must_fit(shape: GridShape, extent: Extent, what: &str) -> Result<()> {
    if (shape.width(), shape.height()) == (extent.width as usize, extent.height as usize) {
        return Ok(());
    }
    let expected = format!("{} x {} numbers", shape.width(), shape.height());
    Err(Error::Unlike { what: what.to_owned(), expected, got: format!("{extent}") })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::rc::Rc;

    use bytemuck::cast_slice;

    use super::*;
    use crate::gl::masks::Limit;
    use crate::grid::{Halo, Plan};

    /// Returns the texels of all panels.
    fn texels(grid: &DeviceGrid) -> Vec<f32> {
        grid.panels().flat_map(|(panel, _)| cast_slice(&panel.read().unwrap()).to_vec()).collect()
    }

    /// Packs over poisoned textures, in one panel and in several, with halos and a shorter last
    /// row.
    #[test]
    fn packed_textures_are_grids_from_the_host_and_come_back() {
        let oldest = Context::builder().limit_to(Limit::Gles30).build().unwrap();
        for context in [Context::headless().unwrap(), oldest] {
            come_back(&context);
        }
    }

    fn come_back(context: &Context) {
        let packer = Packer::new(context).unwrap();
        for (n, m, steps) in [(1, 3, 1), (23, 5, 0), (512, 64, 1), (61 * 64 - 7, 64, 2), (49, 7, 1)]
        {
            let shape = GridShape::in_rows(n, m);
            let limit = Extent::new(11, 13);
            let plan = Plan::within(shape, limit, Halo { steps, across_ends: false });
            let plan = Rc::new(plan.unwrap());
            let whole: Vec<f32> = (1..=m * shape.height()).map(|i| i as f32).collect();
            let extent = Extent::new(m as u32, shape.height() as u32);
            let texture = context.texture(extent, &whole).unwrap();

            let expected = DeviceGrid::from_host(context, &plan, &whole[..n]).unwrap();
            let mut grid = DeviceGrid::uninit(context, &plan).unwrap();
            for index in 0..plan.parts().len() {
                grid.panel_mut(index).unwrap().fill([f32::NAN; 4]).unwrap();
            }
            packer.pack(&texture, &mut grid).unwrap();
            assert_eq!(texels(&grid), texels(&expected), "{n} in rows of {m}");

            let mut back = context.uninit(extent).unwrap();
            back.fill(f32::NAN).unwrap();
            packer.unpack(&grid, &mut back).unwrap();
            let mut numbers = whole;
            numbers[n..].fill(0.0);
            assert_eq!(back.read().unwrap(), numbers);
        }
    }

    #[test]
    fn a_texture_of_another_shape_is_refused() {
        let context = Context::headless().unwrap();
        let packer = Packer::new(&context).unwrap();
        let plan = DeviceGrid::plan_for(&context, GridShape::new(5, 3), Halo::NONE).unwrap();
        let mut grid = DeviceGrid::zeros(&context, &plan).unwrap();
        let mut texture = context.uninit::<f32>(Extent::new(3, 5)).unwrap();
        let says = "expected a grid of 5 x 3 numbers, got one of 3 x 5";
        assert!(packer.pack(&texture, &mut grid).unwrap_err().to_string().contains(says));
        assert!(packer.unpack(&grid, &mut texture).unwrap_err().to_string().contains(says));
    }
}
