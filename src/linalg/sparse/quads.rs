//! The entries of rows, four rows at once: for fragments, and for work groups where rows beside each
//! other are alike.
//!
//! Four consecutive rows, a quad, are a texel of the result. An entry of each of the four is a texel
//! of entries, and shorter rows are filled up with zeros. Rows that are much longer than the others
//! are cut: that keeps the filling small, and loops short.

use crate::data::Csr;
use crate::{NoMemory, memory};

use super::plan::{Line, MOST, Order};
use super::rows::Rows;

/// Rows of up to this many entries are never cut.
const SHORT: usize = 32;
/// How many times the mean length a row may be long.
const LONG: usize = 4;

pub(super) struct Quads {
    /// For each quad the texel of its first entries, the number of these, the quad, and a zero.
    pub(super) lines: Vec<[u32; 4]>,
    pub(super) values: Vec<[f32; 4]>,
    pub(super) addresses: Vec<[u32; 4]>,
}

/// Returns the longest row that is not cut.
pub(super) fn longest(matrix: &Csr) -> usize {
    let mean = matrix.entries().div_ceil(matrix.shape().rows.max(1));
    (LONG * mean).next_power_of_two().clamp(SHORT, MOST)
}

impl Quads {
    /// Returns the quads of rows, of which there are this many.
    pub(super) fn new(rows: Rows<'_>, quads: usize, order: Order) -> Result<Quads, NoMemory> {
        let length = |quad: usize| (4 * quad..4 * quad + 4).map(|row| rows.length(row)).max();
        let lengths = (0..quads).map(|quad| length(quad).unwrap_or(0) as u32);
        let (lines, texels) = order.lines(&memory::collected(quads, lengths)?)?;
        let mut values = memory::filled([0.0; 4], texels)?;
        let mut addresses = memory::filled([rows.places.zero() as u32; 4], texels)?;
        for line in &lines {
            for lane in 0..4 {
                let texels = (line.start..).step_by(order.stride);
                for (texel, (value, address)) in texels.zip(rows.factors(4 * line.quad + lane)) {
                    (values[texel][lane], addresses[texel][lane]) = (value, address);
                }
            }
        }
        let four = |line: &Line| [line.start as u32, line.length as u32, line.quad as u32, 0];
        let lines = memory::collected(lines.len(), lines.iter().map(four))?;
        Ok(Quads { lines, values, addresses })
    }
}
