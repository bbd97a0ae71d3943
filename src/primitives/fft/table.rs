//! Tables of complex numbers on the device, and the sizes that textures hold.

use std::rc::Rc;

use crate::gl::{self, Context};
use crate::grid::{DeviceVector, extent_of};
use crate::stream::Error;

use super::maps::Roots;
use super::roots;

/// Returns the table of the roots of an order.
pub(super) fn of_roots(context: &Context, order: usize) -> Result<Rc<Roots>, Error> {
    uploaded(context, roots::table(order).map_err(gl::Error::from)?).map(Rc::new)
}

/// Returns the roots of an order up to half of it.
pub(super) fn half_of_roots(context: &Context, order: usize) -> Result<Rc<Roots>, Error> {
    let all: Vec<[f64; 2]> = (0..=order / 2).map(|index| roots::root(index, order)).collect();
    as_table(context, &all).map(Rc::new)
}

/// Returns the first quarter of the roots of four times this order.
pub(super) fn quarter(context: &Context, length: usize) -> Result<Rc<Roots>, Error> {
    let all: Vec<[f64; 2]> = (0..=length).map(|index| roots::root(index, 4 * length)).collect();
    as_table(context, &all).map(Rc::new)
}

/// Returns numbers of double precision, rounded.
pub(super) fn as_table(context: &Context, numbers: &[[f64; 2]]) -> Result<Roots, Error> {
    uploaded(context, numbers.iter().map(|number| number.map(|part| part as f32)).collect())
}

fn uploaded(context: &Context, mut table: Vec<[f32; 2]>) -> Result<Roots, Error> {
    let extent = extent_of(table.len());
    table.resize(extent.texels(), [0.0; 2]);
    Ok(context.texture(extent, &table)?)
}

/// Refuses another number of values than this.
pub(in crate::primitives) fn must_be(expected: usize, got: usize, what: &str) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(gl::Error::Length { what: what.to_owned(), expected, got }.into())
}

/// Refuses more complex numbers than a texture holds.
pub(super) fn must_fit(context: &Context, complexes: usize) -> Result<(), Error> {
    let limit = DeviceVector::<f32>::room_of_panel(context) / 2;
    if complexes <= limit {
        return Ok(());
    }
    Err(gl::Error::TooLarge {
        what: "a Fourier transform".into(),
        request: format!("{complexes} complex numbers at a time"),
        limit: limit as u64,
        remedy: "transform fewer rows at a time".into(),
    }
    .into())
}
