//! What computes products, by fragments or by compute shaders, and the matrix as it has it.

use std::cell::RefCell;

use crate::Extent;
use crate::data::Csr;
use crate::gl::{Context, Texture};
use crate::stream::Error;

use super::entries::Entries;
use super::form::Scale;
use super::plan::{Addresses, Cut, Order};

/// Computes products with the entries of some rows.
pub(super) trait Backend: Sized {
    /// The order in which it reads entries.
    const ORDER: Order;
    /// Entries on the device.
    type Table;

    fn new(context: &Context, places: Addresses) -> Result<Self, Error>;

    /// Puts entries on the device, for a result of this extent.
    fn table(&self, entries: &Entries, result: Extent) -> Result<Self::Table, Error>;

    /// Gives the numbers of a texture the addresses from a row of texels on.
    fn spread(&self, numbers: &Texture<[f32; 4]>, row: u32) -> Result<(), Error>;

    fn product(
        &self,
        table: &Self::Table,
        scale: Scale,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error>;
}

/// A matrix on the device.
pub(super) struct OnDevice<B: Backend> {
    by: B,
    pieces: Option<Pieces<B>>,
    rows: B::Table,
    /// The entries on the device, with those that fill up shorter rows.
    pub(super) stored: usize,
}

/// The pieces of long rows, and room for their sums.
struct Pieces<B: Backend> {
    table: B::Table,
    sums: RefCell<Texture<[f32; 4]>>,
    /// The row of texels from which on the sums have addresses.
    row: u32,
}

impl<B: Backend> OnDevice<B> {
    /// Puts a matrix on the device, for x and results of these extents.
    pub(super) fn new(
        context: &Context,
        matrix: &Csr,
        cut: &Cut,
        [x, result]: [Extent; 2],
    ) -> Result<OnDevice<B>, Error> {
        let places = Addresses::new(x, cut.pieces.len());
        let by = B::new(context, places)?;
        let mut stored = 0;
        let mut table = |entries: Entries, extent: Extent| {
            stored += 4 * entries.values.len();
            by.table(&entries, extent)
        };
        let pieces = match cut.pieces.is_empty() {
            true => None,
            false => {
                let extent = Extent::new(x.width, places.rows_of_sums);
                let entries = Entries::of_pieces(matrix, cut, B::ORDER, places)?;
                let sums = RefCell::new(context.uninit(extent)?);
                let row = places.first_row_of_sums();
                Some(Pieces { table: table(entries, extent)?, sums, row })
            }
        };
        let entries = Entries::of_rows(matrix, cut, result.texels(), (B::ORDER, places))?;
        let rows = table(entries, result)?;
        Ok(OnDevice { by, pieces, rows, stored })
    }

    /// Computes a result from x, which is `None` where the matrix has no columns.
    pub(super) fn run(
        &self,
        x: Option<&Texture<[f32; 4]>>,
        scale: Scale,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        if let Some(x) = x {
            self.by.spread(x, 0)?;
        }
        if let Some(Pieces { table, sums, row }) = &self.pieces {
            let sums = &mut *sums.borrow_mut();
            self.by.product(table, Scale::ONE, sums)?;
            self.by.spread(sums, *row)?;
        }
        self.by.product(&self.rows, scale, result)
    }
}
