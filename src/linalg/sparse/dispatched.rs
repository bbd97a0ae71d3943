//! Products by compute shaders, from buffers: of quads of rows, or, where rows are unlike, of tiles.

use std::cell::{OnceCell, RefCell};

use crate::Extent;
use crate::data::Csr;
use crate::gl::{self, Buffer, Context, Texture};
use crate::grid::row_shift;
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Error};

use super::backend::Backend;
use super::blocks::{self, Tile};
use super::form::{Form, Scale};
use super::plan::{Addresses, Order};
use super::quads::{self, Quads};
use super::rows::Rows;
use super::scatter::is_scattered;
use super::tiles::Tiles;

/// The invocations of a group for quads, where the context allows them: one for each row.
const GROUP: u32 = 128;
/// Those for tiles, and the entries of each.
const TILED: [u32; 2] = [256, 4];
/// As many quads alternate as invocations run together.
const ORDER: Order = Order { stride: 32 };
/// The work groups along one axis.
const ACROSS: u32 = 1 << 15;
/// The work groups that spread a texture.
const TEXELS: Group = Group::new(16, 16);

/// The entries of some rows in buffers.
pub(super) struct Table {
    rows: OfRows,
    values: Buffer<[f32; 4]>,
    addresses: Buffer<[u32; 4]>,
}

/// What is known of rows beside their entries.
enum OfRows {
    Quads(Buffer<[u32; 4]>),
    Tiles { rows: Buffer<u32>, blocks: usize, most: usize },
}

pub(super) struct Dispatched {
    context: Context,
    places: Addresses,
    /// Whether rows are in tiles.
    tiled: bool,
    group: u32,
    /// x, a row of zeros, and the sums of pieces.
    numbers: RefCell<Buffer<[f32; 4]>>,
    texels: Group,
    spread: ComputeKernel,
    products: [OnceCell<ComputeKernel>; 2],
}

fn source(form: Form, tiled: bool, group: u32) -> Result<Source, Error> {
    let library = |name| Source::library(Stage::Compute, name);
    let source = match tiled {
        true => library("sparse/tiles.comp")?.define("PER", TILED[1]),
        false => library("sparse/product.comp")?.define("STRIDE", ORDER.stride),
    };
    Ok(form.define(source.define("GROUP", group)))
}

fn spread_source(group: Group) -> Result<Source, Error> {
    Ok(group.define(Source::library(Stage::Compute, "sparse/spread.comp")?))
}

pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = vec![spread_source(TEXELS)?];
    for form in Form::ALL {
        sources.push(source(form, false, GROUP)?);
        sources.push(source(form, true, TILED[0])?);
    }
    Ok(sources)
}

impl Backend for Dispatched {
    type Table = Table;

    fn longest(matrix: &Csr) -> usize {
        if is_scattered(matrix) { blocks::LONGEST } else { quads::longest(matrix) }
    }

    fn new(context: &Context, matrix: &Csr, places: Addresses) -> Result<Dispatched, Error> {
        let count = places.texels().texels();
        must_fit(context, "the numbers of x", count)?;
        let mut numbers = context.uninit_buffer(count)?;
        let zeros = vec![[0.0; 4]; places.x.width as usize];
        numbers.write_at(places.zero() / 4, &zeros)?;
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations);
        let texels = if TEXELS.fits(context.abilities()) { TEXELS } else { Group::new(8, 8) };
        let tiled = is_scattered(matrix);
        Ok(Dispatched {
            context: context.clone(),
            places,
            tiled,
            group: most.min(if tiled { TILED[0] } else { GROUP }),
            numbers: RefCell::new(numbers),
            texels,
            spread: context.compute_kernel(spread_source(texels)?)?,
            products: Default::default(),
        })
    }

    fn table(&self, rows: Rows<'_>, result: Extent) -> Result<(Table, usize), Error> {
        let texels = result.texels();
        if !self.tiled {
            let Quads { lines, values, addresses } = Quads::new(rows, texels, ORDER)?;
            self.must_fit_rows(lines.len())?;
            let lines = OfRows::Quads(self.context.buffer(&lines)?);
            return self.table_of(lines, &values, &addresses);
        }
        let tile = Tile { group: self.group as usize, entries: (self.group * TILED[1]) as usize };
        let Tiles { rows, count: blocks, most, values, addresses } =
            Tiles::new(rows, texels, tile)?;
        self.must_fit_rows(rows.len().div_ceil(4))?;
        let rows = OfRows::Tiles { rows: self.context.buffer(&rows)?, blocks, most };
        self.table_of(rows, &values, &addresses)
    }

    fn spread(&self, x: &Texture<[f32; 4]>, row: u32) -> Result<(), Error> {
        let first = row as usize * self.places.x.width as usize;
        let numbers = &mut *self.numbers.borrow_mut();
        let dispatch = self.spread.dispatch().input("x", x).buffer_mut("Numbers", numbers);
        dispatch.uniform("first", first as i32).run(self.texels.cover(x.extent()))
    }

    fn product(
        &self,
        table: &Table,
        scale: Scale,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(scale.form())?;
        let numbers = self.numbers.borrow();
        let dispatch = kernel.dispatch().buffer("Values", &table.values);
        let dispatch = dispatch.buffer("Addresses", &table.addresses);
        let dispatch = dispatch.buffer("Numbers", &*numbers);
        let dispatch = dispatch.uniform("shift", row_shift(result.extent()));
        let dispatch = dispatch.uniform("alpha", scale.alpha);
        let (dispatch, groups) = match &table.rows {
            OfRows::Quads(lines) => {
                let dispatch = dispatch.buffer("Lines", lines);
                let dispatch = dispatch.uniform("count", lines.len() as i32);
                (dispatch, (4 * lines.len() as u32).div_ceil(self.group))
            }
            OfRows::Tiles { rows, blocks, most } => {
                let dispatch = dispatch.buffer("Rows", rows);
                let dispatch = dispatch.uniform("count", *blocks as i32);
                let dispatch = dispatch.uniform("starts", 4 * *blocks as i32);
                let dispatch = dispatch.uniform("places", table.values.len() as i32);
                (dispatch.uniform("tiles", *most as i32), *blocks as u32)
            }
        };
        let groups = [groups.min(ACROSS), groups.div_ceil(ACROSS), 1];
        if !scale.form().keeps {
            return dispatch.image_mut("result", result).run(groups);
        }
        let mut next = self.context.uninit(result.extent())?;
        let dispatch = dispatch.uniform("beta", scale.beta).input("old", result);
        dispatch.image_mut("result", &mut next).run(groups)?;
        *result = next;
        Ok(())
    }
}

impl Dispatched {
    fn must_fit_rows(&self, elements: usize) -> Result<(), gl::Error> {
        must_fit(&self.context, "the rows of a sparse matrix", elements)
    }

    /// Puts entries on the device; returns their number too.
    fn table_of(
        &self,
        rows: OfRows,
        values: &[[f32; 4]],
        addresses: &[[u32; 4]],
    ) -> Result<(Table, usize), Error> {
        let what = "the entries of a sparse matrix, filled up ones among them,";
        must_fit(&self.context, what, addresses.len())?;
        let (stored, context) = (4 * values.len(), &self.context);
        let table =
            Table { rows, values: context.buffer(values)?, addresses: context.buffer(addresses)? };
        Ok((table, stored))
    }

    fn kernel(&self, form: Form) -> Result<&ComputeKernel, Error> {
        let kept = &self.products[usize::from(form.keeps)];
        if let Some(kernel) = kept.get() {
            return Ok(kernel);
        }
        let made = self.context.compute_kernel(source(form, self.tiled, self.group)?)?;
        Ok(kept.get_or_init(|| made))
    }
}

/// Refuses more elements of 16 bytes than a storage block holds.
fn must_fit(context: &Context, what: &str, elements: usize) -> Result<(), gl::Error> {
    let limit = context.abilities().compute.map_or(0, |limits| limits.max_block_bytes);
    let bytes = 16 * elements as u64;
    if bytes <= u64::from(limit) {
        return Ok(());
    }
    Err(gl::Error::TooLarge {
        what: what.into(),
        request: format!("a storage block of {bytes} bytes"),
        limit: limit.into(),
        remedy: "use fragments, or multiply by parts of its rows".into(),
    })
}
