//! The bands of diffusion by a coefficient, computed on the device: what is sent is one number for each
//! point, or two for its faces, instead of nine.

use crate::data::Diffusion;
use crate::gl::{Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::Kernel;
use crate::{Extent, Rectangle};

use super::Result;
use super::bands::Places;

/// The coefficients as the shader names them: at points, or at the faces along x and along y.
const POINTS: &[&str] = &["k"];
const FACES: &[&str] = &["along_x", "along_y"];

/// Returns whether the coefficients, and so their means, are normal numbers in single precision, and
/// the sums of four are in its range: else the host makes the bands, and sees what is none.
pub(super) fn is_in_range(field: &Diffusion) -> bool {
    let (least, most) = field.bounds();
    (least as f32).is_normal() && (most as f32).is_finite()
}

/// Returns the bands of each panel, of which these are the parts that it computes.
pub(super) fn bands(
    context: &Context,
    field: &Diffusion,
    places: Places,
    parts: impl Iterator<Item = Rectangle>,
) -> Result<Vec<Texture<[f32; 4]>>> {
    let faces = field.is_by_faces();
    let reads = context.abilities().reads();
    let kernel = Kernel::from_fragment(context, &source(places, faces)?, reads)?;
    let (width, height) = field.points();
    let names = if faces { FACES } else { POINTS };
    let bands = |owned: Rectangle| -> Result<_> {
        let grids = (0..names.len()).map(|grid| texels(context, field, grid, owned));
        let grids = grids.collect::<Result<Vec<_>, _>>()?;
        let mut bands = context.uninit(places.extent(owned))?;
        let rectangle = [4 * owned.x as i32, owned.y as i32, width as i32, height as i32];
        let pass = kernel
            .pass()
            .uniform("size", [owned.width as i32, owned.height as i32])
            .uniform("rectangle", rectangle);
        let pass = names.iter().zip(&grids).fold(pass, |pass, (name, k)| pass.input(name, k));
        pass.draw(&mut bands)?;
        Ok(bands)
    };
    parts.map(bands).collect()
}

/// Returns the coefficients of a part: those at points with a texel more on each side, and those at faces with one
/// more on the right, or a line more above.
fn texels(
    context: &Context,
    field: &Diffusion,
    grid: usize,
    owned: Rectangle,
) -> Result<Texture<[f32; 4]>> {
    let more = match (field.is_by_faces(), grid) {
        (false, _) => [2, 2],
        (true, 0) => [1, 0],
        (true, _) => [0, 1],
    };
    let extent = Extent::new(owned.width + more[0], owned.height + more[1]);
    let across = 4 * extent.width as usize;
    // The texel more on the left has three numbers before the first that is there.
    let column = 4 * owned.x as isize - if field.is_by_faces() { 0 } else { 3 };
    Ok(context.texture_by(extent, |first, texels| {
        let mut numbers = vec![0.0; across];
        let first = first / extent.width as usize;
        for (line, texels) in texels.chunks_mut(extent.width as usize).enumerate() {
            field.fill(grid, owned.y as usize + first + line, column, &mut numbers);
            let singles = texels.as_flattened_mut().iter_mut();
            singles.zip(&numbers).for_each(|(single, number)| *single = *number as f32);
        }
    })?)
}

fn source(places: Places, faces: bool) -> Result<Source> {
    let source = places.define(Source::library(Stage::Fragment, "nine_banded/diffusion.frag")?);
    Ok(if faces { source.define("FACES", 1) } else { source })
}

/// Returns the shader of this file in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let places = [9, 3, 1]
        .into_iter()
        .flat_map(|across| [false, true].map(|panels| Places { across, panels }));
    places.flat_map(|places| [source(places, false), source(places, true)]).collect()
}
