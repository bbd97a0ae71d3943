//! Products of a matrix on a three-dimensional grid with vectors, in double precision.

use std::ops::Range;

use super::matrix::{Entries, GridMatrix};
use super::{NEIGHBOURS, STAR, step};

impl GridMatrix {
    /// Adds A x to y.
    ///
    /// # Panics
    /// Where `x` or `y` is shorter than there are points.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        self.add_product_of_rows(1.0, x, 0, &mut y[..self.n()]);
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y.
    pub(crate) fn add_product_of_rows(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        let [width, height, _] = self.grid().points();
        let rows = first..first + y.len();
        for line in rows.start / width..rows.end.div_ceil(width) {
            let from = (line * width).max(rows.start);
            let to = ((line + 1) * width).min(rows.end);
            let y = &mut y[from - first..to - first];
            let columns = from - line * width..to - line * width;
            self.add_product_of_line(sign, x, [line % height, line / height], columns, y);
        }
    }

    /// Adds `sign` A x to y in some columns of the line of points at a place along y and z.
    fn add_product_of_line(
        &self,
        sign: f64,
        x: &[f64],
        [place_y, place_z]: [usize; 2],
        columns: Range<usize>,
        y: &mut [f64],
    ) {
        let width = self.grid().points()[0];
        let of_line = self.grid().index([0, place_y, place_z]);
        let all = 0..NEIGHBOURS;
        for k in all.filter(|k| !self.is_star() || STAR.contains(k)) {
            let [along_x, along_y, along_z] = step(k);
            let Some([_, there_y, there_z]) =
                self.beside([0, place_y, place_z], [0, along_y, along_z])
            else {
                continue;
            };
            let beside = self.grid().index([0, there_y, there_z]);
            let beside = &x[beside..beside + width];
            // Columns whose neighbour is in the same line at this step, and the one at an end whose neighbour is at the other.
            let inside = columns.start.max(usize::from(along_x < 0))
                ..columns.end.min(width - usize::from(along_x > 0));
            if inside.start < inside.end {
                let y = &mut y[inside.start - columns.start..inside.end - columns.start];
                let from = inside.start.wrapping_add_signed(along_x);
                let x = &beside[from..from + inside.len()];
                match &self.entries {
                    Entries::Stored(bands) => {
                        let band = &bands[self.slot(k)][of_line + inside.start..];
                        for ((y, x), a) in y.iter_mut().zip(x).zip(band) {
                            *y += sign * a * x;
                        }
                    }
                    Entries::Kinds(kinds) => {
                        let at = |column: usize| sign * kinds.at([column, place_y, place_z])[k];
                        // Those near the ends are of several kinds, and the others of one.
                        let start = kinds.border().clamp(inside.start, inside.end);
                        let end = width.saturating_sub(kinds.border()).clamp(start, inside.end);
                        for column in (inside.start..start).chain(end..inside.end) {
                            y[column - inside.start] += at(column) * x[column - inside.start];
                        }
                        if start < end {
                            let (a, inner) = (at(start), start - inside.start..end - inside.start);
                            let (y, x) = (&mut y[inner.clone()], &x[inner]);
                            y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
                        }
                    }
                }
            }
            let end = if along_x < 0 { 0 } else { width - 1 };
            if along_x != 0 && self.periodic()[0] && columns.contains(&end) {
                let a = self.row([end, place_y, place_z])[k];
                y[end - columns.start] += sign * a * beside[width - 1 - end];
            }
        }
    }

    /// Returns which of the stored bands has the couplings to a neighbour.
    fn slot(&self, k: usize) -> usize {
        match self.is_star() {
            true => STAR.iter().position(|of_star| *of_star == k).unwrap_or_default(),
            false => k,
        }
    }
}
