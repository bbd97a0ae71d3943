//! The bands of diffusion by a coefficient at each point, computed on the device: what is sent is
//! one number for each point instead of nine.

use crate::data::Diffusion;
use crate::gl::{Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::Kernel;
use crate::{Extent, Rectangle, memory};

use super::Error;
use super::bands::Places;

/// Returns whether the coefficients, and so their means, are normal numbers in single precision, and
/// the sums of four are in its range: else the host stores the bands, and sees what is none.
pub(super) fn is_in_range(field: &Diffusion) -> bool {
    let (least, most) = field.diagonal_bounds();
    (least as f32).is_normal() && (most as f32).is_finite()
}

/// Returns the bands of each panel, of which these are the parts that it computes.
pub(super) fn bands(
    context: &Context,
    field: &Diffusion,
    places: Places,
    parts: impl Iterator<Item = Rectangle>,
) -> Result<Vec<Texture<[f32; 4]>>, Error> {
    let kernel = Kernel::from_fragment(context, &source(places)?, context.abilities().reads())?;
    let (width, height) = field.points();
    let bands = |owned: Rectangle| -> Result<_, Error> {
        let extent = Extent::new(owned.width + 2, owned.height + 2);
        let k = context.texture(extent, &texels(field, owned)?)?;
        let mut bands = context.uninit(places.extent(owned))?;
        let rectangle = [4 * owned.x as i32, owned.y as i32, width as i32, height as i32];
        kernel
            .pass()
            .input("k", &k)
            .uniform("size", [owned.width as i32, owned.height as i32])
            .uniform("rectangle", rectangle)
            .draw(&mut bands)?;
        Ok(bands)
    };
    parts.map(bands).collect()
}

/// Returns the coefficients of a part with a texel more on each side; beyond the grid that of the
/// nearest point.
fn texels(field: &Diffusion, owned: Rectangle) -> Result<Vec<[f32; 4]>, memory::NoMemory> {
    let ((width, height), factor) = (field.points(), field.factor());
    let (across, down) = (owned.width as usize + 2, owned.height as usize + 2);
    let mut texels = memory::zeroed::<[f32; 4]>(across * down)?;
    let first = 4 * owned.x as isize - 4;
    for (y, texels) in texels.chunks_mut(across).enumerate() {
        let row = (owned.y as usize + y).saturating_sub(1).min(height - 1);
        let row = &field.coefficients()[row * width..(row + 1) * width];
        for (at, number) in texels.as_flattened_mut().iter_mut().enumerate() {
            let column = (first + at as isize).clamp(0, width as isize - 1) as usize;
            *number = (factor * row[column]) as f32;
        }
    }
    Ok(texels)
}

fn source(places: Places) -> Result<Source, Error> {
    Ok(places.define(Source::library(Stage::Fragment, "nine_banded/diffusion.frag")?))
}

/// Returns the shader of this file in every variant.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let all = [9, 3, 1].into_iter().flat_map(|across| [(across, false), (across, true)]);
    all.map(|(across, panels)| source(Places { across, panels })).collect()
}
