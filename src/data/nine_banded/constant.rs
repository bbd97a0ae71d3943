//! The constant form of a nine-banded matrix: the same nine couplings at all points of a rectangle.

use std::ops::Range;

use super::diffusion::Diffusion;
use crate::data::{Band, Block, Float};

/// The couplings of every point of a rectangle, and the diagonal, which boundary conditions may
/// change at its sides. Couplings to points outside are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Constant<T> {
    width: usize,
    height: usize,
    /// In the order of [`Band::ALL`]; the first is not used.
    couplings: [T; 9],
    /// The diagonal, in the first row of points, the inner ones and the last, and of each in the
    /// first column, the inner ones and the last.
    pub(crate) diagonal: [[T; 3]; 3],
}

impl<T: Float> Constant<T> {
    /// Makes the matrix of the points of a block, with the diagonal at the point (x, y) of the
    /// grid: a function that has no more values than one for each side, for each corner and for the
    /// rest.
    pub(crate) fn new(
        block: &Block,
        couplings: [T; 9],
        diagonal: impl Fn(usize, usize) -> T,
    ) -> Constant<T> {
        let (xs, ys) = (places(&block.columns), places(&block.rows));
        Constant {
            width: block.width(),
            height: block.rows.len(),
            couplings,
            diagonal: ys.map(|y| xs.map(|x| diagonal(x, y))),
        }
    }

    /// Returns the constant form of stored bands, if every number is what that has in its place.
    pub(super) fn of(bands: &[Vec<T>; 9], m: usize) -> Option<Constant<T>> {
        let n = bands[0].len();
        if !n.is_multiple_of(m) {
            return None;
        }
        let whole = Block::whole(n, m);
        let (xs, ys) = (places(&whole.columns), places(&whole.rows));
        // Where there is a neighbour, one of nine points has it.
        let found = |band: Band| {
            let mut points = ys.iter().flat_map(|y| xs.iter().map(move |x| (*x, *y)));
            let inside = points.find(|(x, y)| is_inside(band, *x, *y, (m, n / m)));
            inside.map_or(T::default(), |(x, y)| bands[band.index()][y * m + x])
        };
        let diagonal = &bands[Band::DD.index()];
        let made = Constant::new(&whole, Band::ALL.map(found), |x, y| diagonal[y * m + x]);
        let agrees = |band: Band| {
            let ((mut agrees, mut before), numbers) = ((true, 0), &bands[band.index()]);
            made.each_run(band, 0..n, |rows, number| {
                agrees = agrees
                    && numbers[before..rows.start].iter().all(|entry| *entry == T::default())
                    && numbers[rows.clone()].iter().all(|entry| *entry == number);
                before = rows.end;
            });
            agrees && numbers[before..].iter().all(|entry| *entry == T::default())
        };
        Band::ALL.into_iter().all(agrees).then_some(made)
    }

    /// Returns the constant form of diffusion, if the coefficients are the same between all neighbours along
    /// x, along y, and at each side.
    pub(super) fn of_field(field: &Diffusion) -> Option<Constant<T>> {
        let whole = Block::whole(field.n(), field.points().0);
        let (xs, ys) = (places(&whole.columns), places(&whole.rows));
        let row = |x: usize, y: usize| y * field.points().0 + x;
        if !field.is_uniform() {
            return None;
        }
        let found = |band: Band| {
            let mut points = ys.iter().flat_map(|y| xs.iter().map(move |x| (*x, *y)));
            let inside = points.find(|(x, y)| is_inside(band, *x, *y, field.points()));
            inside.map_or(T::default(), |(x, y)| field.number(band, row(x, y)))
        };
        let couplings = Band::ALL.map(found);
        Some(Constant::new(&whole, couplings, |x, y| field.number(Band::DD, row(x, y))))
    }

    /// Returns the points along x and along y.
    pub(crate) fn points(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Returns the number of rows.
    pub(super) fn n(&self) -> usize {
        self.width * self.height
    }

    /// Returns the coupling of every point that has this neighbour.
    pub(crate) fn coupling(&self, band: Band) -> T {
        self.couplings[band.index()]
    }

    /// Returns the entry of a band at a point.
    pub(crate) fn entry(&self, band: Band, x: usize, y: usize) -> T {
        match band {
            Band::DD => self.diagonal[kind(y, self.height)][kind(x, self.width)],
            _ if is_inside(band, x, y, self.points()) => self.coupling(band),
            _ => T::default(),
        }
    }

    /// Returns points that have between them every row that the matrix has: the first, an inner one
    /// and the last along y, and of each the same along x.
    pub(crate) fn representatives(&self) -> [[(usize, usize); 3]; 3] {
        let (xs, ys) = (places(&(0..self.width)), places(&(0..self.height)));
        ys.map(|y| xs.map(|x| (x, y)))
    }

    /// Returns the matrix with other numbers.
    pub(super) fn map<U>(&self, number: impl Fn(T) -> U) -> Constant<U> {
        Constant {
            width: self.width,
            height: self.height,
            couplings: self.couplings.map(&number),
            diagonal: self.diagonal.map(|row| row.map(&number)),
        }
    }

    /// Returns the matrix of the points of a block.
    pub(super) fn part(&self, block: &Block) -> Constant<T> {
        Constant::new(block, self.couplings, |x, y| self.entry(Band::DD, x, y))
    }

    /// Calls with each run of rows in which a band has the same number, in order; zeros may be left
    /// out.
    pub(crate) fn each_run(
        &self,
        band: Band,
        rows: Range<usize>,
        mut call: impl FnMut(Range<usize>, T),
    ) {
        let ((along_x, along_y), width) = (band.step(), self.width);
        let (columns, lines) = (inner(along_x, width), inner(along_y, self.height));
        if rows.is_empty() || band != Band::DD && self.coupling(band) == T::default() {
            return;
        }
        let lines = lines.start.max(rows.start / width)..lines.end.min(rows.end.div_ceil(width));
        for y in lines {
            let mut run = |columns: Range<usize>, number: T| {
                let from = (y * width + columns.start).max(rows.start);
                let to = (y * width + columns.end).min(rows.end);
                if from < to {
                    call(from..to, number);
                }
            };
            if band != Band::DD {
                run(columns.clone(), self.coupling(band));
                continue;
            }
            let [first, middle, last] = self.diagonal[kind(y, self.height)];
            if first == middle && middle == last {
                run(0..width, middle);
            } else {
                run(0..1, first);
                run(1..width - 1, middle);
                run(width - 1..width, last);
            }
        }
    }

    /// Adds `sign` A x to y in the rows from `first` on, one for each number of y; band by band, so
    /// that the roundings are those of stored bands.
    pub(crate) fn add_product(&self, sign: f64, x: &[f64], first: usize, y: &mut [f64]) {
        let rows = first..first + y.len();
        for band in Band::ALL {
            self.each_run(band, rows.clone(), |run, number| {
                let number = sign * number.into();
                let columns = run.start.wrapping_add_signed(band.offset(self.width));
                let y = &mut y[run.start - first..run.end - first];
                for (y, x) in y.iter_mut().zip(&x[columns..]) {
                    *y += number * x;
                }
            });
        }
    }

    /// Returns the first row whose number on the diagonal is as asked, and that number.
    pub(crate) fn first_on_diagonal(&self, is: impl Fn(T) -> bool) -> Option<(usize, T)> {
        let all = self.representatives().into_iter().flatten();
        let found = all.map(|(x, y)| (y * self.width + x, self.entry(Band::DD, x, y)));
        found.filter(|(_, number)| is(*number)).min_by_key(|(row, _)| *row)
    }

    /// Fills the numbers of a band in some rows.
    pub(crate) fn fill(&self, band: Band, rows: Range<usize>, to: &mut [T]) {
        let first = rows.start;
        to.fill(T::default());
        self.each_run(band, rows, |run, number| {
            to[run.start - first..run.end - first].fill(number);
        });
    }
}

/// Returns whether a point of a grid has the neighbour of a band.
fn is_inside(band: Band, x: usize, y: usize, (width, height): (usize, usize)) -> bool {
    band.beside(x, y).is_some_and(|(x, y)| x < width && y < height)
}

/// Returns 0 for the first of some places, 2 for the last, and 1 for others.
fn kind(place: usize, of: usize) -> usize {
    if place == 0 { 0 } else { 1 + usize::from(place + 1 == of) }
}

/// Returns the first, the second and the last place.
fn places(of: &Range<usize>) -> [usize; 3] {
    [of.start, (of.start + 1).min(of.end - 1), of.end - 1]
}

/// Returns the places that have a neighbour in this direction.
fn inner(step: isize, of: usize) -> Range<usize> {
    match step {
        -1 => 1..of,
        1 => 0..of - 1,
        _ => 0..of,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
