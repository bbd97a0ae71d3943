//! Kinds of points: how near they are to the ends of the axes of a grid of three dimensions.

use std::ops::Range;

use super::Grid3;
use crate::memory::host_threads;

/// What depends on the kind of a point alone: how far it is from both ends of each axis, if that is nearer than a
/// border. Along a periodic axis all points are alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kinds<T> {
    grid: Grid3,
    periodic: [bool; 3],
    border: usize,
    all: Vec<T>,
}

/// The widest border. What is beside an edge changes what interpolation makes of its neighbours, once for each step to a
/// coarser grid until points are left out along this axis; each time by a small part of what it did before.
const WIDEST: usize = 4;
/// The part of the largest number by which numbers of one kind may differ: far less than rounding to 32-bit floats makes.
const ALIKE: f64 = 1e-10;

/// The kinds that a thread computes at least.
const TOGETHER: usize = 243;

/// Numbers that kinds of points have.
pub(crate) trait Alike: Clone + Send {
    /// Returns whether others are the same, up to rounding.
    fn is_like(&self, other: &Self) -> bool;
}

impl<const N: usize> Alike for [f64; N] {
    fn is_like(&self, other: &Self) -> bool {
        let largest = self.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
        self.iter().zip(other).all(|(a, b)| (a - b).abs() <= ALIKE * largest)
    }
}

impl<T: Alike> Kinds<T> {
    /// Finds what each kind has by a function of points, and the least border.
    pub(crate) fn new(
        grid: Grid3,
        periodic: [bool; 3],
        of: impl Fn([usize; 3]) -> T + Sync,
    ) -> Kinds<T> {
        let mut kinds = Kinds { grid, periodic, border: WIDEST, all: Vec::new() };
        let places: Vec<_> = kinds.places().collect();
        let some = host_threads::in_ranges(places.len(), TOGETHER, |range| {
            places[range].iter().map(|place| of(*place)).collect::<Vec<_>>()
        });
        kinds.all = some.into_iter().flatten().collect();
        while kinds.border > 0 {
            let less = Kinds { border: kinds.border - 1, all: Vec::new(), ..kinds.clone() };
            let all = less.places().map(|place| kinds.at(place).clone()).collect();
            let less = Kinds { all, ..less };
            if kinds.places().any(|place| !kinds.at(place).is_like(less.at(place))) {
                break;
            }
            kinds = less;
        }
        kinds
    }

    /// Returns what a point has.
    pub(crate) fn at(&self, place: [usize; 3]) -> &T {
        &self.all[self.kind(place)]
    }

    /// Returns what each kind has, for writing.
    pub(super) fn all_mut(&mut self) -> &mut [T] {
        &mut self.all
    }

    /// Returns what each kind along x has in each kind of lines, from those of the first line along y on.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &[T]> {
        self.all.chunks(2 * self.border + 1)
    }

    /// Returns what each kind along x has in lines that are inside.
    pub(crate) fn line_inside(&self) -> &[T] {
        let across = 2 * self.border + 1;
        let from = self.all.len() / 2 - self.border;
        &self.all[from..from + across]
    }

    /// Returns along which axes all points are alike.
    pub(crate) fn periodic(&self) -> [bool; 3] {
        self.periodic
    }

    /// Returns how many kinds there are at each end of an axis.
    pub(crate) fn border(&self) -> usize {
        self.border
    }

    /// Returns the places along an axis that are inside.
    pub(crate) fn inside(&self, axis: usize) -> Range<usize> {
        match self.periodic[axis] {
            true => 0..self.grid.points[axis],
            false => self.border..self.grid.points[axis].saturating_sub(self.border),
        }
    }

    fn along(&self, axis: usize, place: usize) -> usize {
        let (points, border) = (self.grid.points[axis], self.border);
        match place {
            _ if self.periodic[axis] => border,
            _ if place < border => place,
            _ if place + border >= points => place + 2 * border + 1 - points,
            _ => border,
        }
    }

    fn kind(&self, place: [usize; 3]) -> usize {
        let along = |axis: usize| self.along(axis, place[axis]);
        let across = 2 * self.border + 1;
        (along(2) * across + along(1)) * across + along(0)
    }

    /// Returns a place of a kind along an axis, or any where none is of it.
    fn place(&self, axis: usize, kind: usize) -> usize {
        let (last, border) = (self.grid.points[axis] - 1, self.border);
        match kind {
            _ if self.periodic[axis] => 0,
            _ if kind <= border => kind.min(last),
            _ => last.saturating_sub(2 * border - kind),
        }
    }

    /// Returns a point of each kind, or any where none is of it.
    fn places(&self) -> impl Iterator<Item = [usize; 3]> + use<T> {
        let across = 2 * self.border + 1;
        let along = |axis: usize| -> Vec<usize> {
            (0..across).map(|kind| self.place(axis, kind)).collect()
        };
        let [x, y, z] = [0, 1, 2].map(along);
        (0..across.pow(3)).map(move |kind| {
            [x[kind % across], y[kind / across % across], z[kind / across / across]]
        })
    }

    /// Returns a point of each kind that there is, and how many are of it.
    pub(super) fn representatives(&self) -> impl Iterator<Item = ([usize; 3], usize)> + '_ {
        let across = 2 * self.border + 1;
        let count = move |axis: usize, kind: usize| {
            let points = self.grid.points[axis];
            match kind == self.border {
                true if self.periodic[axis] => points,
                true => points.saturating_sub(2 * self.border),
                false => usize::from(
                    !self.periodic[axis] && self.along(axis, self.place(axis, kind)) == kind,
                ),
            }
        };
        self.places().enumerate().filter_map(move |(kind, place)| {
            let count = count(0, kind % across)
                * count(1, kind / across % across)
                * count(2, kind / across / across);
            (count > 0).then_some((place, count))
        })
    }
}
