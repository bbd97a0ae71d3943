//! The parts of a grid that ranks have.

use crate::data::Block;
use crate::grid::{GridShape, Halo, HaloCopy, Plan};
use crate::linalg::solve::Properties;
use crate::{Extent, Rectangle};

use super::{Error, Result, Team};

/// A grid of unknowns in blocks, one for each rank: `columns` by `rows` of them, numbered row by
/// row.
///
/// A rank *owns* a block, and *stores* that and a halo around it: [`Halo::steps`] rows above and
/// below, and as many numbers to the left and the right, rounded up to whole texels of four. Cuts
/// are at multiples of four numbers along x.
///
/// ```
/// use quadrille::{cluster::Partition, data::Block, grid::Halo};
/// let halo = Halo { steps: 2, across_ends: false };
/// let partition = Partition::new((60, 6), [2, 1], halo)?; // 60 numbers in rows of 6
/// assert_eq!(partition.owned(1), Block { columns: 4..6, rows: 0..10 });
/// assert_eq!(partition.stored(1), Block { columns: 0..6, rows: 0..10 });
/// # Ok::<(), quadrille::cluster::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    plan: Plan,
}

impl Partition {
    /// Cuts a grid of `numbers` numbers in rows of `width` into blocks of nearly equal sides.
    ///
    /// # Errors
    ///
    /// Those of [`at_multiples`](Self::at_multiples).
    pub fn new(
        (numbers, width): (usize, usize),
        across: [usize; 2],
        halo: Halo,
    ) -> Result<Partition> {
        Partition::at_multiples((numbers, width), across, halo, [4, 1])
    }

    /// Partitions a grid with cuts at multiples of these numbers along x (themselves multiples of
    /// four) and along y.
    ///
    /// # Errors
    ///
    /// [`Error::Strips`] for several columns of a grid whose row ends are coupled, or whose last
    /// row is shorter; [`Error::TooManyRanks`] if a rank would own nothing; [`Error::DeepHalo`] if
    /// a halo is deeper than what a rank owns.
    pub fn at_multiples(
        (numbers, width): (usize, usize),
        [columns, rows]: [usize; 2],
        halo: Halo,
        unit: [usize; 2],
    ) -> Result<Partition> {
        Partition::of_shape(GridShape::in_rows(numbers, width), [columns, rows], halo, unit)
    }

    /// Cuts a grid of three dimensions into slabs of whole slices, one for each rank, with halos of up to four slices. Rows are
    /// the lines of points along x: a slice has as many as there are points along y.
    ///
    /// # Errors
    ///
    /// [`Error::TooManySlabs`] for more ranks than slices.
    pub fn of_slabs(grid: crate::data::Grid3, ranks: usize) -> Result<Partition> {
        let [x, y, z] = grid.points();
        if ranks > z {
            return Err(Error::TooManySlabs { ranks, slices: z });
        }
        let shape = GridShape::new(x, y * z).in_slices(y);
        let cut = |steps: usize, slices: usize| {
            let halo = Halo { steps, across_ends: false };
            Partition::of_shape(shape, [1, ranks], halo, [x.next_multiple_of(4), slices * y])
        };
        // A cycle reads four slices beyond what a rank owns, from an even one on. Where slabs are thin it exchanges them
        // more often.
        cut(4, 2).or_else(|_| cut(2, 2)).or_else(|_| cut(1, 1))
    }

    fn of_shape(
        shape: GridShape,
        [columns, rows]: [usize; 2],
        halo: Halo,
        unit: [usize; 2],
    ) -> Result<Partition> {
        let (numbers, width) = (shape.len(), shape.width());
        if columns > 1 && (halo.across_ends || !numbers.is_multiple_of(width)) {
            return Err(Error::Strips { columns, rows, coupled: halo.across_ends });
        }
        let unit = [unit[0].div_ceil(shape.lanes()).max(1), unit[1].max(1)].map(|side| side as u32);
        let plan = Plan::blocks(
            shape,
            u32::try_from(columns).unwrap_or(u32::MAX),
            u32::try_from(rows).unwrap_or(u32::MAX),
            Extent::new(unit[0], unit[1]),
            halo,
        );
        let (across, along) = plan.across();
        if (across, along) != (columns, rows) {
            let Extent { width, height } = shape.texels();
            return Err(Error::TooManyRanks {
                columns,
                rows,
                most: [width.div_ceil(unit[0]), height.div_ceil(unit[1])],
                unit: [unit[0] * shape.lanes() as u32, unit[1]],
            });
        }
        let partition = Partition { plan };
        partition.must_own_halos()?;
        Ok(partition)
    }

    fn must_own_halos(&self) -> Result<()> {
        let (halo, (columns, rows)) = (self.plan.halo(), self.plan.across());
        for rank in 0..self.ranks() {
            let owned = self.owned(rank);
            let reach = self.plan.shape().reach();
            let too_deep = |parts: usize, length: usize| parts > 1 && halo.steps * reach > length;
            for (parts, length) in [(columns, owned.columns.len()), (rows, owned.rows.len())] {
                if too_deep(parts, length) {
                    let axis = if length == owned.rows.len() { "rows" } else { "columns" };
                    return Err(Error::DeepHalo { steps: halo.steps, rank, owned: length, axis });
                }
            }
        }
        Ok(())
    }

    /// Returns the columns and rows of blocks with the shortest cuts for this number of ranks;
    /// strips of whole rows where nothing is shorter. `None` if the grid has too few rows and
    /// columns.
    pub fn across_for(
        ranks: usize,
        (numbers, width): (usize, usize),
        strips: bool,
    ) -> Option<[usize; 2]> {
        let shape = GridShape::in_rows(numbers, width);
        let texels = shape.texels();
        let strips = strips || !numbers.is_multiple_of(shape.width());
        let pairs = (1..=ranks).filter(|columns| ranks.is_multiple_of(*columns));
        let pairs = pairs.map(|columns| [columns, ranks / columns]).filter(|[columns, rows]| {
            (*columns == 1 || !strips)
                && *columns <= texels.width as usize
                && *rows <= texels.height as usize
        });
        pairs.min_by_key(|[columns, rows]| {
            (columns - 1) * shape.height() + (rows - 1) * shape.width()
        })
    }

    /// Returns the parts in texels.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> usize {
        self.plan.parts().len()
    }

    /// Returns the columns and rows of blocks.
    pub fn across(&self) -> [usize; 2] {
        let (columns, rows) = self.plan.across();
        [columns, rows]
    }

    /// Returns the numbers of the grid, and of its rows.
    pub fn size(&self) -> (usize, usize) {
        (self.plan.shape().len(), self.plan.shape().width())
    }

    /// Returns the halo that ranks store around what they own.
    pub fn halo(&self) -> Halo {
        self.plan.halo()
    }

    /// Returns the block that a rank owns; empty if there is no such rank.
    pub fn owned(&self, rank: usize) -> Block {
        self.plan.parts().get(rank).map(|part| self.plan.block(part.owned)).unwrap_or_default()
    }

    /// Returns the block that a rank stores.
    pub fn stored(&self, rank: usize) -> Block {
        self.plan.parts().get(rank).map(|part| self.plan.block(part.stored)).unwrap_or_default()
    }

    /// Returns the block that a rank owns, in rows and columns of what it stores.
    pub fn inside(&self, rank: usize) -> Block {
        self.owned(rank).within(&self.stored(rank))
    }

    /// Returns the numbers that a rank stores, and in each row of them.
    pub fn stored_size(&self, rank: usize) -> (usize, usize) {
        let (numbers, width) = self.size();
        let stored = self.stored(rank);
        (stored.len(numbers, width), stored.width())
    }

    /// Selects the numbers that a rank owns from those that it stores, row by row.
    ///
    /// # Panics
    ///
    /// If there are fewer numbers than the rank stores, as indexing a slice does.
    pub fn owned_of<T: Copy>(&self, rank: usize, stored: &[T]) -> Vec<T> {
        let (numbers, width) = self.stored_size(rank);
        let inside = self.inside(rank);
        let rows = inside.rows.clone();
        rows.flat_map(|row| stored[inside.in_row(row, numbers, width)].iter().copied()).collect()
    }

    /// Returns the row of the whole matrix that is this one of what a rank stores.
    pub fn whole_row(&self, rank: usize, row: usize) -> usize {
        let (stored, width) = (self.stored(rank), self.plan.shape().width());
        let across = stored.width().max(1);
        (stored.rows.start + row / across) * width + stored.columns.start + row % across
    }

    /// Refuses a team of another number of ranks, and parts of another number of local ranks.
    pub(super) fn must_suit(&self, team: &Team, parts: usize) -> Result<()> {
        let (expected, got) = (self.ranks(), team.communicator().size());
        if expected != got {
            return Err(Error::Ranks { expected, got });
        }
        let local = team.communicator().local();
        if local.len() != parts {
            let (what, rank) = ("parts of ranks", local.start);
            let (expected, got) = (local.len().to_string(), parts.to_string());
            return Err(Error::Part { what, rank, expected, got });
        }
        Ok(())
    }

    /// Refuses halos that a product with a matrix reads beyond.
    pub(super) fn must_have_halos(&self, matrix: &Properties) -> Result<()> {
        match self.ranks() > 1 && matrix.couples_across_ends() && !self.halo().across_ends {
            true => Err(Error::AcrossEnds),
            false => Ok(()),
        }
    }

    /// Refuses what has not as many numbers as a rank stores.
    pub(super) fn must_be_stored(&self, what: &'static str, rank: usize, got: usize) -> Result<()> {
        let (expected, _) = self.stored_size(rank);
        if expected == got {
            return Ok(());
        }
        let numbers = |count: usize| format!("{count} unknowns");
        Err(Error::Part { what, rank, expected: numbers(expected), got: numbers(got) })
    }

    /// Returns the copies from owners to halos, as far as these steps reach, in texels of what
    /// ranks store, with `lanes` numbers in a texel.
    pub(crate) fn copies(&self, steps: usize, lanes: usize) -> Vec<HaloCopy> {
        let copies = self.plan.copies_within(Halo { steps, ..self.plan.halo() });
        let times = (self.plan.shape().lanes() / lanes.max(1)) as u32;
        let scaled = |rank: usize, place: Rectangle| {
            let width = self.stored(rank).width().div_ceil(lanes.max(1)) as u32;
            let x = place.x * times;
            Rectangle { x, width: (place.width * times).min(width - x), ..place }
        };
        let scaled = copies.into_iter().map(|copy| HaloCopy {
            source: scaled(copy.from, copy.source),
            target: scaled(copy.to, copy.target),
            ..copy
        });
        scaled.collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const NEAR: Halo = Halo { steps: 1, across_ends: false };

    #[test]
    fn every_number_has_one_owner_and_its_place() {
        for ((numbers, width), across) in
            [((7, 7), [2, 1]), ((61 * 40, 61), [3, 2]), ((25, 4), [1, 5]), ((23, 5), [1, 4])]
        {
            let partition = Partition::new((numbers, width), across, NEAR).unwrap();
            assert_eq!((partition.ranks(), partition.across()), (across[0] * across[1], across));
            let mut owners = vec![0; numbers];
            for rank in 0..partition.ranks() {
                let (count, _) = partition.stored_size(rank);
                let rows: Vec<usize> =
                    (0..count).map(|row| partition.whole_row(rank, row)).collect();
                for row in partition.owned_of(rank, &rows) {
                    owners[row] += 1;
                }
                let block = partition.owned(rank);
                let expected = block.rows.clone().flat_map(|row| block.in_row(row, numbers, width));
                assert_eq!(partition.owned_of(rank, &rows), expected.collect::<Vec<_>>());
            }
            assert!(owners.iter().all(|count| *count == 1));
        }
    }

    #[test]
    fn what_cannot_be_cut_is_refused_with_the_numbers() {
        let says = |size, across, halo| Partition::new(size, across, halo).unwrap_err().to_string();
        let text = says((30, 5), [1, 7], NEAR);
        assert!(text.contains("1 x 7") && text.contains("at most 2 x 6"), "{text}");
        let text = says((33, 5), [2, 2], NEAR);
        assert!(text.contains("the last row is shorter") && text.contains("1x4"), "{text}");
        let across_ends = Halo { steps: 1, across_ends: true };
        assert!(says((30, 5), [2, 1], across_ends).contains("ends of rows are coupled"));
        let deep = Halo { steps: 3, across_ends: false };
        let text = says((30, 5), [1, 3], deep);
        assert!(text.contains("3 steps") && text.contains("2 rows"), "{text}");
        assert!(Partition::new((30, 5), [1, 1], deep).is_ok());
    }

    #[test]
    fn the_usual_cuts_are_the_shortest() {
        let across = |ranks, size| Partition::across_for(ranks, size, false);
        assert_eq!(across(4, (64 * 64, 64)), Some([2, 2]));
        assert_eq!(across(2, (64 * 64, 64)), Some([1, 2]));
        assert_eq!(across(6, (300 * 20, 300)), Some([6, 1]));
        assert_eq!(across(5, (64 * 64 - 1, 64)), Some([1, 5]));
        assert_eq!(Partition::across_for(4, (64 * 64, 64), true), Some([1, 4]));
        assert_eq!(across(7, (5 * 6, 5)), None);
    }
}
