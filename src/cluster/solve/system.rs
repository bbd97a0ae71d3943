//! The matrix as it was read, in parts: the residual that decides, norms and means of the whole.

use std::ops::Range;
use std::rc::Rc;

use bytemuck::{Pod, Zeroable};

use crate::linalg::solve::scaling::Scaling;
use crate::linalg::solve::{
    Matrix, Measure, Result, System, blocks_of, residual, residual_squares_of,
};
use crate::memory;

use super::super::{Partition, Team};
use crate::cluster::communicator::collective;

/// The matrices of what this process's ranks store. Vectors are what they store, one rank after the
/// other.
pub(super) struct RankSystem<M> {
    pub(super) team: Team,
    pub(super) partition: Partition,
    parts: Vec<Part<M>>,
}

struct Part<M> {
    rank: usize,
    matrix: M,
    /// The range of the part's numbers in a vector.
    place: Range<usize>,
    /// The numbers that the rank owns, as ranges of what it stores.
    owned: Vec<Range<usize>>,
}

/// What a solver knows of the parts, whatever the matrix is.
pub(super) trait Parts {
    fn team(&self) -> &Team;

    /// Selects what the local ranks own of a vector, one after the other.
    fn owned_from(&self, numbers: Vec<f64>) -> Vec<f64>;

    /// Returns a copy of what each local rank owns of a vector.
    fn owned(&self, numbers: &[f64]) -> Vec<Vec<f64>>;
}

/// A measure that goes from rank to rank.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Packed {
    not_finite: u64,
    value: f64,
    largest: f64,
    squares: f64,
}

impl<M: Matrix + Clone> RankSystem<M> {
    pub(super) fn new(team: &Team, partition: &Partition, matrices: &[M]) -> Self {
        let mut start = 0;
        let part = |((rank, _), matrix): ((usize, _), &M)| {
            let place = start..start + matrix.rows();
            start = place.end;
            let owned = owned(partition, rank);
            Part { rank, matrix: matrix.clone(), place, owned }
        };
        let parts = team.local().zip(matrices).map(part).collect();
        RankSystem { team: team.clone(), partition: partition.clone(), parts }
    }

    /// Returns the matrices, each with its rank and the place of its numbers in a vector.
    pub(super) fn matrices(&self) -> impl Iterator<Item = (usize, &M, Range<usize>)> {
        self.parts.iter().map(|part| (part.rank, &part.matrix, part.place.clone()))
    }

    /// Returns the sum over all ranks of what each has of the numbers that it owns.
    fn sum(&self, of_rank: impl Fn(&Part<M>) -> Result<f64>) -> Result<f64> {
        let local = self.parts.iter().map(of_rank).collect::<Result<Vec<_>, _>>()?;
        Ok(collective::sum(self.team.communicator(), &local)?)
    }

    fn measured(&self, part: &Part<M>, numbers: &[f64]) -> Result<Packed> {
        let mut all = Packed { not_finite: u64::MAX, value: 0.0, largest: 0.0, squares: 0.0 };
        for range in &part.owned {
            let found = Measure::of(&numbers[range.clone()])?;
            if let Some((index, value)) = found.not_finite {
                let row = self.partition.whole_row(part.rank, range.start + index) as u64;
                if row < all.not_finite {
                    (all.not_finite, all.value) = (row, value);
                }
            }
            all.largest = all.largest.max(found.largest);
            all.squares += found.squares;
        }
        Ok(all)
    }
}

impl<M: Matrix + Clone> Parts for RankSystem<M> {
    fn team(&self) -> &Team {
        &self.team
    }

    /// Without a copy if it is one rank with whole rows.
    fn owned_from(&self, mut numbers: Vec<f64>) -> Vec<f64> {
        if let [Part { owned, .. }] = self.parts.as_slice()
            && let [range] = owned.as_slice()
        {
            numbers.truncate(range.end);
            numbers.drain(..range.start);
            return numbers;
        }
        self.owned(&numbers).concat()
    }

    fn owned(&self, numbers: &[f64]) -> Vec<Vec<f64>> {
        let of_rank =
            |part: &Part<M>| self.partition.owned_of(part.rank, &numbers[part.place.clone()]);
        self.parts.iter().map(of_rank).collect()
    }
}

/// Returns the numbers that a rank owns, as ranges of those that it stores: one where rows are
/// whole.
fn owned(partition: &Partition, rank: usize) -> Vec<Range<usize>> {
    let ((numbers, width), inside) = (partition.stored_size(rank), partition.inside(rank));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for row in inside.rows.clone() {
        let range = inside.in_row(row, numbers, width);
        match ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}

impl<M: Matrix + Clone> System for Rc<RankSystem<M>> {
    fn unknowns(&self) -> usize {
        self.partition.size().0
    }

    fn length(&self) -> usize {
        self.parts.last().map_or(0, |part| part.place.end)
    }

    /// Computes the residual in the rows of halos too, from what x has there and nothing beyond;
    /// they do not count in the norm.
    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) -> Result<f64> {
        for Part { matrix, place, .. } in &self.parts {
            let mut squares = memory::zeroed(blocks_of(matrix.rows()))?;
            let (x, b) = (&x[place.clone()], &b[place.clone()]);
            residual(matrix, x, b, &mut r[place.clone()], &mut squares);
        }
        self.norm(r)
    }

    fn residual_norm(&self, x: &[f64], b: &[f64]) -> Result<f64> {
        let squares = self.sum(|Part { matrix, place, owned, .. }| {
            let (x, b) = (&x[place.clone()], &b[place.clone()]);
            let squares = owned.iter().map(|rows| residual_squares_of(matrix, x, b, rows.clone()));
            Ok(squares.collect::<Result<Vec<f64>, _>>()?.into_iter().sum())
        })?;
        Ok(squares.sqrt())
    }

    fn measure(&self, numbers: &[f64]) -> Result<Measure> {
        let local = self.parts.iter().map(|part| self.measured(part, &numbers[part.place.clone()]));
        let local = local.collect::<Result<Vec<_>, _>>()?;
        let all = collective::gathered(self.team.communicator(), &local)?;
        let first = all.iter().min_by_key(|packed| packed.not_finite);
        Ok(Measure {
            not_finite: first
                .filter(|first| first.not_finite != u64::MAX)
                .map(|first| (first.not_finite as usize, first.value)),
            largest: all.iter().fold(0.0, |most, packed| most.max(packed.largest)),
            squares: all.iter().map(|packed| packed.squares).sum(),
        })
    }

    fn scaling(&self, symmetric: bool) -> Result<Scaling> {
        let mut all = Vec::new();
        for Part { matrix, .. } in &self.parts {
            all.extend(matrix.scales(symmetric)?.into_rows());
        }
        Ok(Scaling::symmetric(all))
    }

    fn norm(&self, numbers: &[f64]) -> Result<f64> {
        Ok(self.measure(numbers)?.norm())
    }

    fn remove_mean(&self, numbers: &mut [f64]) -> Result<f64> {
        let sum = self.sum(|Part { place, owned, .. }| {
            let numbers = &numbers[place.clone()];
            Ok(owned.iter().map(|range| numbers[range.clone()].iter().sum::<f64>()).sum())
        })?;
        let mean = sum / self.unknowns() as f64;
        numbers.iter_mut().for_each(|number| *number -= mean);
        Ok(mean)
    }
}
