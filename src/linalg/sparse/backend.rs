//! What computes products, by fragments or by compute shaders, and the matrix as it has it.

use std::cell::RefCell;

use crate::Extent;
use crate::data::Csr;
use crate::gl::{Context, Texture};
use crate::stream::{Error, Result};

use super::plan::{Addresses, Cut};
use super::rows::Rows;
use super::scale::Scale;

/// Computes products with the entries of some rows.
pub(super) trait Backend: Sized + 'static {
    /// Entries on the device.
    type Table;

    /// Returns the longest row that is not cut.
    fn longest(matrix: &Csr) -> usize;

    fn new(context: &Context, matrix: &Csr, places: Addresses) -> Result<Self>;

    /// Puts the entries of rows on the device, for a result of this extent. Returns their number too,
    /// with those that fill up others.
    fn table(&self, rows: Rows<'_>, result: Extent) -> Result<(Self::Table, usize)>;

    /// Gives the numbers of a texture the addresses from a row of texels on.
    fn spread(&self, numbers: &Texture<[f32; 4]>, row: u32) -> Result<()>;

    fn product(
        &self,
        table: &Self::Table,
        scale: Scale,
        result: &mut Texture<[f32; 4]>,
    ) -> Result<()>;
}

/// A matrix on the device.
pub(super) struct OnDevice {
    /// The entries on the device, with those that fill up shorter rows.
    pub(super) stored: usize,
    /// The roundings of the longest row.
    pub(super) chain: usize,
    pub(super) product: Box<Product>,
}

/// Computes a result from x, which is `None` where the matrix has no columns.
type Product = dyn Fn(Option<&Texture<[f32; 4]>>, Scale, &mut Texture<[f32; 4]>) -> Result<()>;

/// The pieces of long rows, and room for their sums.
struct Pieces<T> {
    table: T,
    sums: RefCell<Texture<[f32; 4]>>,
    /// The row of texels from which on the sums have addresses.
    row: u32,
}

impl OnDevice {
    /// Puts a matrix on the device, for x and results of these extents.
    pub(super) fn new<B: Backend>(
        context: &Context,
        matrix: &Csr,
        [x, result]: [Extent; 2],
    ) -> Result<OnDevice> {
        let cut = Cut::of(matrix.starts(), B::longest(matrix))?;
        let places = Addresses::new(x, cut.pieces.len());
        let by = B::new(context, matrix, places)?;
        let mut stored = 0;
        let mut table = |rows: Rows<'_>, extent: Extent| {
            let (table, entries) = by.table(rows, extent)?;
            stored += entries;
            Ok::<_, Error>(table)
        };
        let pieces = match cut.pieces.is_empty() {
            true => None,
            false => {
                let extent = Extent::new(x.width, places.rows_of_sums);
                let table = table(Rows::of_pieces(matrix, &cut, places), extent)?;
                let sums = RefCell::new(context.uninit(extent)?);
                Some(Pieces { table, sums, row: places.first_row_of_sums() })
            }
        };
        let rows = table(Rows::of_matrix(matrix, &cut, places), result)?;
        let longest = matrix.starts().windows(2).map(|pair| pair[1] - pair[0]).max();
        let chain = cut.chain(longest.unwrap_or(0));
        let product = move |x: Option<&Texture<_>>, scale, result: &mut Texture<_>| {
            if let Some(x) = x {
                by.spread(x, 0)?;
            }
            if let Some(Pieces { table, sums, row }) = &pieces {
                let sums = &mut *sums.borrow_mut();
                by.product(table, Scale::ONE, sums)?;
                by.spread(sums, *row)?;
            }
            by.product(&rows, scale, result)
        };
        Ok(OnDevice { stored, chain, product: Box::new(product) })
    }
}
