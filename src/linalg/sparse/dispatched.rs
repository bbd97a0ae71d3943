//! Products by compute shaders, from buffers: of quads of rows, or, where rows are unlike, of tiles.

use std::cell::RefCell;

use crate::Extent;
use crate::data::Csr;
use crate::gl::{self, Buffer, Context, Texture};
use crate::grid::row_shift;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::{Group, Setup};
use crate::stream::launch::{Program, Programs};

use super::backend::Backend;
use super::blocks::{self, Tile};
use super::plan::{Addresses, Order};
use super::quads::{self, Quads};
use super::rows::Rows;
use super::scale::{Accumulation, Scale};
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

pub(super) struct ComputeBackend {
    context: Context,
    places: Addresses,
    /// Whether rows are in tiles.
    tiled: bool,
    group: u32,
    /// x, a row of zeros, and the sums of pieces.
    numbers: RefCell<Buffer<[f32; 4]>>,
    spread: Program,
    products: Programs<Accumulation>,
}

fn source(accumulation: Accumulation, tiled: bool, group: u32) -> Result<Source> {
    let library = |name| Source::library(Stage::Compute, name);
    let source = match tiled {
        true => library("sparse/tiles.comp")?.define("PER", TILED[1]),
        false => library("sparse/product.comp")?.define("STRIDE", ORDER.stride),
    };
    Ok(accumulation.define(source.define("GROUP", group)))
}

fn spread_source(setup: Setup) -> Result<Source> {
    Ok(setup.library("sparse/spread.comp")?)
}

pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = vec![spread_source(Setup::Compute(TEXELS))?];
    for accumulation in Accumulation::ALL {
        sources.push(source(accumulation, false, GROUP)?);
        sources.push(source(accumulation, true, TILED[0])?);
    }
    Ok(sources)
}

impl Backend for ComputeBackend {
    type Table = Table;

    fn longest(matrix: &Csr) -> usize {
        if is_scattered(matrix) { blocks::LONGEST } else { quads::longest(matrix) }
    }

    fn new(context: &Context, matrix: &Csr, places: Addresses) -> Result<ComputeBackend> {
        let count = places.texels().texels();
        must_fit(context, "the numbers of x", count)?;
        let mut numbers = context.uninit_buffer(count)?;
        let zeros = vec![[0.0; 4]; places.x.width as usize];
        numbers.write_at(places.zero() / 4, &zeros)?;
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations);
        let texels = if TEXELS.fits(context.abilities()) { TEXELS } else { Group::new(8, 8) };
        let texels = Setup::Compute(texels);
        let tiled = is_scattered(matrix);
        let group = most.min(if tiled { TILED[0] } else { GROUP });
        Ok(ComputeBackend {
            context: context.clone(),
            places,
            tiled,
            group,
            numbers: RefCell::new(numbers),
            spread: Program::new(context, texels, spread_source(texels)?)?,
            products: Programs::new(context, Setup::Compute(Group::new(group, 1))),
        })
    }

    fn table(&self, rows: Rows<'_>, result: Extent) -> Result<(Table, usize)> {
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

    fn spread(&self, x: &Texture<[f32; 4]>, row: u32) -> Result<()> {
        let first = row as usize * self.places.x.width as usize;
        let numbers = &mut *self.numbers.borrow_mut();
        let launch = self.spread.launch().input("x", x).buffer_mut("Numbers", numbers);
        launch.uniform("first", first as i32).invocations(x.extent()).into(&mut [])
    }

    fn product(&self, table: &Table, scale: Scale, result: &mut Texture<[f32; 4]>) -> Result<()> {
        let source = |accumulation: &Accumulation, _| source(*accumulation, self.tiled, self.group);
        let program = self.products.get(&scale.accumulation(), source)?;
        let numbers = self.numbers.borrow();
        let launch = program.launch().buffer("Values", &table.values);
        let launch = launch.buffer("Addresses", &table.addresses).buffer("Numbers", &*numbers);
        let launch = launch.uniform("shift", row_shift(result.extent()));
        let launch = launch.uniform("alpha", scale.alpha);
        let (launch, groups) = match &table.rows {
            OfRows::Quads(lines) => {
                let launch = launch.buffer("Lines", lines);
                let launch = launch.uniform("count", lines.len() as i32);
                (launch, (4 * lines.len() as u32).div_ceil(self.group))
            }
            OfRows::Tiles { rows, blocks, most } => {
                let launch = launch.buffer("Rows", rows).uniform("count", *blocks as i32);
                let launch = launch.uniform("starts", 4 * *blocks as i32);
                let launch = launch.uniform("places", table.values.len() as i32);
                (launch.uniform("tiles", *most as i32), *blocks as u32)
            }
        };
        let launch = launch.groups([groups.min(ACROSS), groups.div_ceil(ACROSS), 1]);
        if !scale.accumulation().keeps {
            return launch.write("result", result);
        }
        let mut next = self.context.uninit(result.extent())?;
        launch.uniform("beta", scale.beta).input("old", result).write("result", &mut next)?;
        *result = next;
        Ok(())
    }
}

impl ComputeBackend {
    fn must_fit_rows(&self, elements: usize) -> Result<(), gl::Error> {
        must_fit(&self.context, "the rows of a sparse matrix", elements)
    }

    /// Puts entries on the device; returns their number too.
    fn table_of(
        &self,
        rows: OfRows,
        values: &[[f32; 4]],
        addresses: &[[u32; 4]],
    ) -> Result<(Table, usize)> {
        let what = "the entries of a sparse matrix, filled up ones among them,";
        must_fit(&self.context, what, addresses.len())?;
        let (stored, context) = (4 * values.len(), &self.context);
        let table =
            Table { rows, values: context.buffer(values)?, addresses: context.buffer(addresses)? };
        Ok((table, stored))
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
