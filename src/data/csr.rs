//! A sparse matrix by rows, checked when it is made.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::{ConstantOperator, EntryError, Error, Float, MAX_UNKNOWNS, Result, Shape};
use crate::memory;

/// A sparse matrix in compressed rows (CSR): for each row its columns, ascending, and the entries
/// there.
///
/// Every entry is finite, and none has a place twice; both are checked when a matrix is made, so
/// that a reader need not. Clones share the entries, which never change.
///
/// ```
/// use quadrille::Shape;
/// use quadrille::data::Csr;
///
/// // 2 0 1
/// // 0 3 0
/// let matrix = Csr::new(Shape::new(2, 3), vec![0, 2, 3], vec![2, 0, 1], vec![1.0, 2.0, 3.0])?;
/// assert_eq!(matrix.row(0), (&[0, 2][..], &[2.0, 1.0][..])); // sorted
/// assert_eq!(matrix.entry(1, 1), 3.0);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Csr<T = f32> {
    shape: Shape,
    starts: Arc<Vec<usize>>,
    columns: Arc<Vec<u32>>,
    values: Arc<Vec<T>>,
    doubled: usize,
}

impl<T: Float> Csr<T> {
    /// Creates a matrix of the three arrays of SciPy's `csr_array`: row `i` has the `columns` and
    /// the `values` from `starts[i]` up to `starts[i + 1]`.
    ///
    /// Columns of a row that do not ascend are sorted, and entries at the same place are summed, in
    /// double precision: [`doubled`](Self::doubled) counts those. Stored zeros stay.
    ///
    /// # Errors
    /// [`EntryError::RowStarts`] and [`EntryError::CsrLengths`] for arrays that do not fit each other,
    /// [`EntryError::ColumnOutside`], [`EntryError::EntryNotFinite`], [`Error::TooLarge`], and out of memory.
    pub fn new(
        shape: Shape,
        starts: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<T>,
    ) -> Result<Csr<T>> {
        check_shape(shape)?;
        check_starts(shape.rows, &starts, [columns.len(), values.len()])?;
        let (starts, columns, values) = (Arc::new(starts), Arc::new(columns), Arc::new(values));
        let mut matrix = Csr { shape, starts, columns, values, doubled: 0 };
        let mut ascends = true;
        for row in 0..shape.rows {
            let (columns, values) = matrix.row(row);
            check_row(shape, row, columns, values)?;
            ascends &= columns.windows(2).all(|pair| pair[0] < pair[1]);
        }
        if !ascends {
            matrix.sort()?;
        }
        Ok(matrix)
    }

    /// Creates a matrix of entries in any order, each with its row and its column, from 0. Entries
    /// at the same place are summed, and zeros are left out.
    ///
    /// # Errors
    /// [`EntryError::RowOutside`], and those of [`new`](Self::new).
    pub fn from_entries(
        shape: Shape,
        entries: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<Csr<T>> {
        check_shape(shape)?;
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (row, column, value) in entries {
            if row >= shape.rows {
                return Err(EntryError::RowOutside { row, column, rows: shape.rows }.into());
            }
            if column >= shape.cols {
                return Err(EntryError::ColumnOutside { row, column, columns: shape.cols }.into());
            }
            if value != T::default() {
                memory::push(&mut rows, row as u32)?;
                memory::push(&mut columns, column as u32)?;
                memory::push(&mut values, value)?;
            }
        }
        let mut starts = memory::zeroed::<usize>(shape.rows + 1)?;
        rows.iter().for_each(|row| starts[*row as usize + 1] += 1);
        (0..shape.rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = memory::copied(&starts)?;
        let mut sorted_columns = memory::zeroed::<u32>(columns.len())?;
        let mut sorted_values = memory::zeroed::<T>(values.len())?;
        for ((row, column), value) in rows.into_iter().zip(columns).zip(values) {
            let at = &mut next[row as usize];
            (sorted_columns[*at], sorted_values[*at]) = (column, value);
            *at += 1;
        }
        Csr::new(shape, starts, sorted_columns, sorted_values)
    }

    /// Sorts the columns of each row and sums what has one place.
    fn sort(&mut self) -> Result<()> {
        let mut starts = memory::with_room(self.starts.len())?;
        let mut columns: Vec<u32> = memory::with_room(self.entries())?;
        let mut values: Vec<T> = memory::with_room(self.entries())?;
        starts.push(0);
        let longest = self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let mut order: Vec<usize> = memory::with_room(longest)?;
        for row in 0..self.shape.rows {
            let (unsorted, numbers) = self.row(row);
            order.clear();
            order.extend(0..unsorted.len());
            // In the order of entries where columns are the same: a stable sort would allocate.
            order.sort_unstable_by_key(|at| (unsorted[*at], *at));
            for same in order.chunk_by(|one, other| unsorted[*one] == unsorted[*other]) {
                let value = match same {
                    [one] => numbers[*one],
                    several => T::nearest(several.iter().map(|at| numbers[*at].into()).sum()),
                };
                let column = unsorted[same[0]];
                check_row(self.shape, row, &[column], &[value])?;
                columns.push(column);
                values.push(value);
            }
            starts.push(columns.len());
        }
        self.doubled += self.entries() - columns.len();
        (self.starts, self.columns, self.values) =
            (Arc::new(starts), Arc::new(columns), Arc::new(values));
        Ok(())
    }

    /// Returns the matrix with each entry replaced by what a function makes of its row, its column
    /// and itself, rounded to another type.
    ///
    /// # Errors
    /// Out of memory, and [`EntryError::EntryNotFinite`] for what is no finite number of that type.
    pub fn map<U: Float>(&self, entry: impl Fn(usize, usize, f64) -> f64) -> Result<Csr<U>> {
        let mut values: Vec<U> = memory::with_room(self.entries())?;
        for row in 0..self.shape.rows {
            let (columns, numbers) = self.row(row);
            for (column, number) in columns.iter().zip(numbers) {
                values.push(U::nearest(entry(row, *column as usize, (*number).into())));
            }
            check_row(self.shape, row, columns, &values[self.range(row)])?;
        }
        Ok(Csr {
            shape: self.shape,
            starts: Arc::clone(&self.starts),
            columns: Arc::clone(&self.columns),
            values: Arc::new(values),
            doubled: self.doubled,
        })
    }

    /// Adds A x to y.
    ///
    /// # Panics
    /// Where `x` is shorter than the matrix has columns.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for (row, y) in y.iter_mut().enumerate().take(self.shape.rows) {
            let (columns, values) = self.row(row);
            let terms = columns.iter().zip(values);
            *y = terms.fold(*y, |y, (column, a)| y + (*a).into() * x[*column as usize]);
        }
    }

    /// Returns the rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of entries that are stored.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Returns how many entries were added to another one at the same place.
    pub fn doubled(&self) -> usize {
        self.doubled
    }

    /// Returns the columns of a row, ascending, and the entries there.
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        (&self.columns[self.range(row)], &self.values[self.range(row)])
    }

    /// Returns the columns of all entries, row by row.
    pub(crate) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Returns all entries, row by row.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the index of the first entry of each row, and of the end.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the entry at a row and a column, both from 0: zero where none is stored.
    pub fn entry(&self, row: usize, column: usize) -> T {
        if row >= self.shape.rows {
            return T::default();
        }
        let (columns, values) = self.row(row);
        let found = columns.binary_search_by_key(&column, |column| *column as usize);
        found.map_or(T::default(), |at| values[at])
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }
}

impl<T> fmt::Debug for Csr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { rows, cols } = self.shape;
        write!(f, "Csr({rows} x {cols}, {} entries)", self.columns.len())
    }
}

fn check_shape(shape: Shape) -> Result<()> {
    for (what, got) in [("the number of rows", shape.rows), ("the number of columns", shape.cols)] {
        if got > MAX_UNKNOWNS {
            return Err(Error::TooLarge { what, got });
        }
    }
    Ok(())
}

fn check_starts(rows: usize, starts: &[usize], [columns, values]: [usize; 2]) -> Result<()> {
    let last = starts.last().copied().unwrap_or_default();
    if starts.len() != rows + 1 || columns != values || last != columns {
        let starts = starts.len();
        return Err(EntryError::CsrLengths { rows, starts, last, columns, values }.into());
    }
    if starts[0] != 0 {
        return Err(EntryError::RowStarts { row: 0, before: 0, got: starts[0] }.into());
    }
    match starts.windows(2).position(|pair| pair[1] < pair[0]) {
        Some(row) => {
            let (before, got) = (starts[row], starts[row + 1]);
            Err(EntryError::RowStarts { row: row + 1, before, got }.into())
        }
        None => Ok(()),
    }
}

fn check_row<T: Float>(shape: Shape, row: usize, columns: &[u32], values: &[T]) -> Result<()> {
    for (column, value) in columns.iter().zip(values) {
        let (column, value): (_, f64) = (*column as usize, (*value).into());
        if column >= shape.cols {
            return Err(EntryError::ColumnOutside { row, column, columns: shape.cols }.into());
        }
        if !value.is_finite() {
            return Err(EntryError::EntryNotFinite { row, column, value }.into());
        }
    }
    Ok(())
}

impl ConstantOperator {
    /// Makes the matrix by its rows, which holds any sides.
    ///
    /// # Errors
    /// Those of [`Csr::from_entries`].
    pub fn csr(&self) -> Result<Csr<f64>> {
        let (n, width) = (self.n(), self.points().0);
        let entries = (0..n).flat_map(|row| {
            let mut entries = Vec::with_capacity(9);
            let of_row = |x, y, coupling| entries.push((row, y * width + x, coupling));
            self.each(row % width, row / width, of_row);
            entries
        });
        Csr::from_entries(Shape::new(n, n), entries)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { rows: 3, cols: 4 };

    fn made(starts: &[usize], columns: &[u32], values: &[f64]) -> Result<Csr<f64>> {
        Csr::new(SHAPE, starts.to_vec(), columns.to_vec(), values.to_vec())
    }

    #[test]
    fn rows_are_sorted_and_what_has_one_place_is_summed() {
        let matrix = made(&[0, 4, 4, 5], &[3, 0, 3, 1, 2], &[1.0, 2.0, 4.0, 8.0, 16.0]).unwrap();
        assert_eq!(matrix.row(0), (&[0, 1, 3][..], &[2.0, 8.0, 5.0][..]));
        assert_eq!((matrix.row(1), matrix.entry(2, 2)), ((&[][..], &[][..]), 16.0));
        assert_eq!((matrix.entries(), matrix.doubled()), (4, 1));
        let entries = [(0, 3, 1.0), (2, 2, 16.0), (0, 0, 2.0), (1, 1, 0.0), (0, 1, 8.0)];
        let other = Csr::from_entries(SHAPE, entries.into_iter().chain([(0, 3, 4.0)])).unwrap();
        assert!(other == matrix);
        assert_eq!(format!("{matrix:?}"), "Csr(3 x 4, 4 entries)");
    }

    #[test]
    fn what_is_no_matrix_is_refused_with_numbers() {
        let ones = [1.0; 4];
        let error = |starts: &[usize], columns: &[u32], values: &[f64]| {
            made(starts, columns, values).unwrap_err().to_string()
        };
        let falls = error(&[0, 3, 2, 4], &[0; 4], &ones);
        assert!(falls.contains("row 2") && falls.contains('3') && falls.contains('2'), "{falls}");
        assert!(error(&[1, 2, 3, 4], &[0; 4], &ones).contains("got 1"));
        let lengths = error(&[0, 1, 4], &[0; 4], &ones);
        assert!(lengths.contains("4 row starts") && lengths.contains('3'), "{lengths}");
        assert!(error(&[0, 1, 2, 5], &[0; 4], &ones).contains('5'));
        assert!(error(&[0, 1, 2, 4], &[0; 4], &ones[..3]).contains('3'));
        let outside = error(&[0, 1, 2, 4], &[0, 0, 1, 4], &ones);
        assert!(outside.contains("column 4") && outside.contains("row 2"), "{outside}");
        let nan = error(&[0, 1, 2, 4], &[0, 3, 1, 2], &[1.0, f64::NAN, 1.0, 1.0]);
        assert!(nan.contains("NaN") && nan.contains("row 1, column 3"), "{nan}");
        let twice = error(&[0, 2, 2, 2], &[1, 1], &[f64::MAX, f64::MAX]);
        assert!(twice.contains("row 0, column 1"), "{twice}");
        let row = Csr::from_entries(SHAPE, [(3, 0, 1.0)]).unwrap_err().to_string();
        assert!(row.contains("row 3"), "{row}");
        assert!(made(&[0, 1, 1, 1], &[0], &[1e300]).unwrap().map::<f32>(|_, _, x| x).is_err());
        let large = Shape::new(MAX_UNKNOWNS + 1, 1);
        assert!(Csr::<f32>::from_entries(large, []).is_err());
    }
}
