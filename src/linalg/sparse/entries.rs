//! The entries of a matrix in the order in which products read them.

use crate::data::Csr;
use crate::{NoMemory, memory};

use super::plan::{Addresses, Cut, Line, Order, Terms};

/// Quads in the order of invocations, with texels of entries and of the addresses of what they are
/// multiplied by.
pub(super) struct Entries {
    /// For each quad the texel of its first entries, the number of these, the quad, and a zero.
    pub(super) lines: Vec<[u32; 4]>,
    pub(super) values: Vec<[f32; 4]>,
    pub(super) addresses: Vec<[u32; 4]>,
}

impl Entries {
    /// Returns the entries of this many quads of rows, whose terms are given row by row. Rows from
    /// `rows` on are empty.
    pub(super) fn new(
        matrix: &Csr,
        (quads, rows): (usize, usize),
        terms: impl Fn(usize) -> Terms,
        (order, places): (Order, Addresses),
    ) -> Result<Entries, NoMemory> {
        let rows_of = |quad: usize| (4 * quad..4 * quad + 4).filter(|row| *row < rows);
        let length = |quad| rows_of(quad).map(|row| terms(row).len()).max().unwrap_or(0) as u32;
        let (lines, texels) = order.lines(&memory::collected(quads, (0..quads).map(length))?)?;
        let zero = places.zero() as u32;
        let mut values = memory::filled([0.0; 4], texels)?;
        let mut addresses = memory::filled([zero; 4], texels)?;
        let all = (matrix.columns(), matrix.values());
        for line in &lines {
            for row in rows_of(line.quad) {
                let mut texel = line.start;
                let mut put = |value: f32, address: usize| {
                    (values[texel][row % 4], addresses[texel][row % 4]) = (value, address as u32);
                    texel += order.stride;
                };
                match terms(row) {
                    Terms::Entries(range) => {
                        range.for_each(|at| put(all.1[at], all.0[at] as usize))
                    }
                    Terms::Pieces(range) => range.for_each(|piece| put(1.0, places.sums() + piece)),
                }
            }
        }
        let four = |line: &Line| [line.start as u32, line.length as u32, line.quad as u32, 0];
        let lines = memory::collected(lines.len(), lines.iter().map(four))?;
        Ok(Entries { lines, values, addresses })
    }

    /// Returns the entries of the pieces of long rows.
    pub(super) fn of_pieces(
        matrix: &Csr,
        cut: &Cut,
        order: Order,
        places: Addresses,
    ) -> Result<Entries, NoMemory> {
        let quads = places.x.width as usize * places.rows_of_sums as usize;
        let terms = |piece: usize| Terms::Entries(cut.pieces[piece].clone());
        Entries::new(matrix, (quads, cut.pieces.len()), terms, (order, places))
    }

    /// Returns the entries of the rows, of which there are this many quads.
    pub(super) fn of_rows(
        matrix: &Csr,
        cut: &Cut,
        quads: usize,
        (order, places): (Order, Addresses),
    ) -> Result<Entries, NoMemory> {
        let starts = matrix.starts();
        let terms = |row: usize| cut.terms(row, starts[row]..starts[row + 1]);
        Entries::new(matrix, (quads, matrix.shape().rows), terms, (order, places))
    }
}
