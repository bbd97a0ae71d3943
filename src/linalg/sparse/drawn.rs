//! Products by fragments, from textures.

use std::cell::RefCell;

use crate::data::Csr;
use crate::gl::{self, Context, Texture};
use crate::grid::{extent_of, row_shift};
use crate::memory;
use crate::shader::{Source, Stage};
use crate::stream::group::Setup;
use crate::stream::launch::{Program, Programs};
use crate::stream::{Error, Geometry, Result};
use crate::{Extent, Rectangle};

use super::backend::Backend;
use super::plan::{Addresses, Order};
use super::quads::{self, Quads};
use super::rows::Rows;
use super::scale::{Accumulation, Scale};

/// Each fragment reads its own texels in a row.
const ORDER: Order = Order { stride: 1 };

/// The entries of some rows in textures.
pub(super) struct Table {
    lines: Texture<[u32; 4]>,
    values: Texture<[f32; 4]>,
    addresses: Texture<[u32; 4]>,
}

pub(super) struct FragmentBackend {
    context: Context,
    /// x, a row of zeros, and the sums of pieces.
    numbers: RefCell<Texture<[f32; 4]>>,
    spread: Program,
    products: Programs<Accumulation>,
}

fn source(accumulation: Accumulation) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "sparse/product.frag")?;
    Ok(accumulation.define(source.define("STRIDE", ORDER.stride)))
}

fn spread_source() -> Result<Source> {
    Ok(Source::library(Stage::Fragment, "sparse/spread.frag")?)
}

pub(super) fn sources() -> Result<Vec<Source>> {
    let products = Accumulation::ALL.into_iter().map(source);
    products.chain([spread_source()]).collect()
}

impl Backend for FragmentBackend {
    type Table = Table;

    fn longest(matrix: &Csr) -> usize {
        quads::longest(matrix)
    }

    fn new(context: &Context, _: &Csr, places: Addresses) -> Result<FragmentBackend> {
        let mut numbers = context.uninit(places.texels())?;
        numbers.fill([0.0; 4])?;
        Ok(FragmentBackend {
            context: context.clone(),
            numbers: RefCell::new(numbers),
            spread: Program::new(context, Setup::Fragment, spread_source()?)?,
            products: Programs::new(context, Setup::Fragment),
        })
    }

    fn table(&self, rows: Rows<'_>, result: Extent) -> Result<(Table, usize)> {
        let entries = Quads::new(rows, result.texels(), ORDER)?;
        let extent = extent_of(entries.values.len());
        let limit = self.context.abilities().max_texture_size;
        let numbers = 4 * entries.values.len();
        if extent.width > limit || extent.height > limit {
            return Err(Error::Gl(gl::Error::TooLarge {
                what: "a sparse matrix for fragments".into(),
                request: format!(
                    "{extent} texels for {numbers} entries, filled up ones among them"
                ),
                limit: limit.into(),
                remedy: "use compute shaders, or multiply by parts of its rows".into(),
            }));
        }
        let padded = |length: usize| extent.texels() - length;
        let mut values = self.context.uninit(extent)?;
        let mut addresses = self.context.uninit(extent)?;
        fill(&mut values, &entries.values, padded(entries.values.len()))?;
        fill(&mut addresses, &entries.addresses, padded(entries.addresses.len()))?;
        let lines = self.context.texture(result, &entries.lines)?;
        Ok((Table { lines, values, addresses }, numbers))
    }

    fn spread(&self, x: &Texture<[f32; 4]>, row: u32) -> Result<()> {
        let Extent { width, height } = x.extent();
        let launch = self.spread.launch().input("x", x).uniform("row", row as i32);
        let place = Rectangle::new(0, row, width, height);
        let numbers = &mut *self.numbers.borrow_mut();
        launch.over(Geometry::Rectangle(place)).write("numbers", numbers)
    }

    fn product(&self, table: &Table, scale: Scale, result: &mut Texture<[f32; 4]>) -> Result<()> {
        let program =
            self.products.get(&scale.accumulation(), |accumulation, _| source(*accumulation))?;
        let numbers = self.numbers.borrow();
        let launch = program.launch().input("lines", &table.lines).input("values", &table.values);
        let launch = launch.input("addresses", &table.addresses).input("numbers", &*numbers);
        let launch = launch.uniform("shift_of_entries", row_shift(table.values.extent()));
        let launch = launch.uniform("shift_of_numbers", row_shift(numbers.extent()));
        let launch = launch.uniform("alpha", scale.alpha);
        if !scale.accumulation().keeps {
            return launch.write("result", result);
        }
        let mut next = self.context.uninit(result.extent())?;
        launch.uniform("beta", scale.beta).input("old", result).write("result", &mut next)?;
        *result = next;
        Ok(())
    }
}

/// Fills a texture with texels and, after them, with zeros.
fn fill<T: gl::Texel + Default>(
    texture: &mut Texture<T>,
    texels: &[T],
    padding: usize,
) -> Result<(), gl::Error> {
    let extent = texture.extent();
    let width = extent.width as usize;
    let whole = texels.len() / width;
    let (rows, rest) = texels.split_at(whole * width);
    texture.write_rectangle(Rectangle::new(0, 0, extent.width, whole as u32), rows)?;
    if padding == 0 {
        return Ok(());
    }
    let padded = rest.iter().copied().chain(std::iter::repeat(T::default()));
    let last = memory::collected(rest.len() + padding, padded)?;
    let place = Rectangle::new(0, whole as u32, extent.width, extent.height - whole as u32);
    texture.write_rectangle(place, &last)
}
