//! Facts about a device that no version number or extension reveals, each measured by a small test.

mod captures;
pub(crate) mod loop_budget;

use crate::gl::{Blend, Context};
use crate::shader::{Reads, Source, Stage, coordinate_vertex};
use crate::{Extent, Rectangle};

use super::{Geometry, Kernel, LineDirection, Result};

pub(super) fn probe(context: &Context, file: &str, reads: Reads) -> Result<Kernel> {
    Kernel::from_fragment(context, &Source::library(Stage::Fragment, file)?, reads)
}

/// Returns every shader of this module and of kernels. The two of the blending probe run without
/// the prelude, before the abilities of a context are known; they must be legal with it too.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let fragments = ["one", "place", "copy", "floor", "loop", "blend"]
        .map(|name| Source::library(Stage::Fragment, format!("probe/{name}.frag")));
    let vertex = Source::library(Stage::Vertex, "probe/blend.vert");
    let captured = captures::source("vec4");
    let sources = fragments.into_iter().chain([vertex, captured, coordinate_vertex("coordinate")]);
    Ok(sources.collect::<Result<_, _>>()?)
}

/// Finds the direction of lines along the first and the last column of a target of this extent that
/// cover each texel of these columns once and no other texel: upwards if they do, else downwards,
/// else none.
///
/// GL does not specify which texels a line covers, so this draws the lines and counts: by additive
/// blending where floats blend, so that a texel that is drawn twice shows; elsewhere by looking for
/// gaps and strays.
///
/// # Errors
///
/// Errors of the device.
pub fn covering_lines(context: &Context, extent: Extent) -> Result<Option<LineDirection>> {
    let one = probe(context, "probe/one.frag", Reads::Fetch)?;
    for direction in LineDirection::ALL {
        if lines_cover(context, &one, extent, direction)? {
            return Ok(Some(direction));
        }
    }
    Ok(None)
}

fn lines_cover(
    context: &Context,
    one: &Kernel,
    extent: Extent,
    direction: LineDirection,
) -> Result<bool> {
    let blend = if context.abilities().float_blending { Blend::Add } else { Blend::Replace };
    let mut count = context.uninit::<f32>(extent)?;
    count.fill(0.0)?;
    let last = extent.width - 1;
    let columns = if last == 0 { vec![0] } else { vec![0, last] };
    for column in &columns {
        one.pass().over(Geometry::Line(*column, direction)).blend(blend).draw(&mut count)?;
    }
    let expected = |x: u32| if columns.contains(&x) { 1.0 } else { 0.0 };
    let counted = count.read()?;
    let width = extent.width as usize;
    Ok(counted.iter().enumerate().all(|(i, count)| *count == expected((i % width) as u32)))
}

/// Returns whether the first row that is uploaded is the row at `gl_FragCoord.y` = 0.5 and the
/// first that is read back.
///
/// # Errors
///
/// Errors of the device.
pub fn rows_ascend(context: &Context) -> Result<bool> {
    let place = probe(context, "probe/place.frag", Reads::Fetch)?;
    let copy = probe(context, "probe/copy.frag", Reads::Fetch)?;
    let extent = Extent::new(2, 3);
    let mut drawn = context.uninit::<[f32; 4]>(extent)?;
    place.pass().draw(&mut drawn)?;
    let sent: Vec<[f32; 4]> = (0..6).map(|i| [i as f32; 4]).collect();
    let input = context.texture(extent, &sent)?;
    let mut copied = context.uninit::<[f32; 4]>(extent)?;
    copy.pass().input("image", &input).draw(&mut copied)?;
    let rows: Vec<f32> = drawn.read()?.iter().map(|texel| texel[1]).collect();
    Ok(rows == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0] && copied.read()? == sent)
}

/// Counts the texels of this extent where a sample at the computed centre reads another texel; with
/// 0, [`Reads::Sample`] is exact. The two sides are tested separately, so that the largest texture
/// needs little memory.
///
/// # Errors
///
/// Errors of the device.
pub fn misread_texels(context: &Context, extent: Extent) -> Result<usize> {
    let along_x = misread_along(context, Extent::new(extent.width, 1), |i| [i as f32, 0.0])?;
    let along_y = misread_along(context, Extent::new(1, extent.height), |i| [0.0, i as f32])?;
    Ok(along_x + along_y)
}

fn misread_along(
    context: &Context,
    extent: Extent,
    place: impl Fn(usize) -> [f32; 2],
) -> Result<usize> {
    let copy = probe(context, "probe/copy.frag", Reads::Sample)?;
    let sent: Vec<[f32; 2]> = (0..extent.texels()).map(place).collect();
    let input = context.texture(extent, &sent)?;
    let mut copied = context.uninit::<[f32; 4]>(extent)?;
    copy.pass().input("image", &input).draw(&mut copied)?;
    let got = copied.read()?;
    Ok(got.iter().zip(&sent).filter(|(got, sent)| got[..2] != sent[..]).count())
}

/// Counts the texels of this extent whose neighbours the `floor` formula of Göddeke 2005 gets
/// wrong. It is inexact on a driver that divides by multiplying with a reciprocal, and for indices
/// from 2^24.
///
/// # Errors
///
/// Errors of the device.
pub fn misplaced_by_floor(context: &Context, extent: Extent) -> Result<usize> {
    let floors = probe(context, "probe/floor.frag", Reads::Fetch)?;
    let mut wrong = context.uninit::<f32>(extent)?;
    floors.pass().uniform("width", extent.width as i32).draw(&mut wrong)?;
    // The index grows from row to row, so every row is tested: a band of rows at a time.
    let mut count = 0;
    let mut y = 0;
    while y < extent.height {
        let rows = (extent.height - y).min(1024);
        let band = wrong.read_rectangle(Rectangle::new(0, y, extent.width, rows))?;
        count += band.iter().filter(|wrong| **wrong != 0.0).count();
        y += rows;
    }
    Ok(count)
}
