//! What is around a grid.

use std::f64::consts::PI;

use crate::error::named;

/// What is around a grid at both sides of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// Zeros: couplings to points outside are left out.
    #[default]
    Dirichlet,
    /// No flux over the edge: a point outside has the value of the one inside next to it, so that its
    /// coupling adds to that one's.
    Neumann,
    /// Beyond the last point is the first.
    Periodic,
}

impl Side {
    /// Returns the place that stands for what is a step of -1, 0 or 1 away from one of this number of
    /// places; `None` for a zero.
    pub(crate) fn place(self, place: usize, step: isize, of: usize) -> Option<usize> {
        let beside = place.checked_add_signed(step).filter(|beside| *beside < of);
        match self {
            Side::Dirichlet => beside,
            Side::Neumann => Some(beside.unwrap_or(place)),
            Side::Periodic => Some(beside.unwrap_or(if step < 0 { of - 1 } else { 0 })),
        }
    }

    /// Returns the angle between neighbours of the mode k of this number of points: of the sines
    /// sin(angle (j + 1)), the cosines cos(angle (j + 1/2)), or those around a circle.
    pub fn angle(self, k: usize, of: usize) -> f64 {
        match self {
            Side::Dirichlet => PI * (k + 1) as f64 / (of + 1) as f64,
            Side::Neumann => PI * k as f64 / of as f64,
            // Of a mode and its mirror image, to the bit.
            Side::Periodic => 2.0 * PI * k.min(of - k) as f64 / of as f64,
        }
    }
}

named!(Side: "side" {
    Dirichlet: "dirichlet",
    Neumann: "neumann",
    Periodic: "periodic",
});
