//! Tables of complex numbers on the device, and the sizes that textures hold.

use std::rc::Rc;

use crate::gl::{self, Context};
use crate::grid::{DeviceVector, extent_of};
use crate::memory;
use crate::stream::Result;

use super::maps::Roots;
use super::roots;

/// Returns the table of the roots of an order.
pub(super) fn of_roots(context: &Context, order: usize) -> Result<Rc<Roots>> {
    let table = roots::table(order).map_err(gl::Error::from)?;
    uploaded(context, table.len(), table.into_iter()).map(Rc::new)
}

/// Returns the roots of an order up to half of it.
pub(super) fn half_of_roots(context: &Context, order: usize) -> Result<Rc<Roots>> {
    let count = order / 2 + 1;
    as_table(context, count, (0..count).map(|index| roots::root(index, order))).map(Rc::new)
}

/// Returns the first quarter of the roots of four times this order.
pub(super) fn quarter(context: &Context, length: usize) -> Result<Rc<Roots>> {
    let count = length + 1;
    as_table(context, count, (0..count).map(|index| roots::root(index, 4 * length))).map(Rc::new)
}

/// Returns this many numbers of double precision, rounded.
pub(super) fn as_table(
    context: &Context,
    count: usize,
    numbers: impl Iterator<Item = [f64; 2]>,
) -> Result<Roots> {
    uploaded(context, count, numbers.map(|number| number.map(|part| part as f32)))
}

fn uploaded(
    context: &Context,
    count: usize,
    numbers: impl Iterator<Item = [f32; 2]>,
) -> Result<Roots> {
    let extent = extent_of(count);
    let padded = numbers.chain(std::iter::repeat([0.0; 2]));
    let table = memory::collected(extent.texels(), padded).map_err(gl::Error::from)?;
    Ok(context.texture(extent, &table)?)
}

/// Refuses more complex numbers than a texture holds.
pub(super) fn must_fit(context: &Context, complexes: usize) -> Result<()> {
    let limit = DeviceVector::<f32>::room_of_panel(context) / 2;
    let (request, remedy) =
        ((complexes, "complex numbers at a time"), "transform fewer rows at a time");
    Ok(gl::must_fit("a Fourier transform", request, limit, remedy)?)
}
