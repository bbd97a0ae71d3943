//! Gauss and Seidel's iteration in four colours: points of a colour are not coupled.

use super::points::{Factors, Sweeps};

pub(super) fn sweeps(same_order: bool) -> Sweeps {
    let colours: Vec<Factors> = (0..4).map(colour).collect();
    let mut second = colours.clone();
    if !same_order {
        second.reverse();
    }
    [colours, second]
}

/// 1 for the points whose index along x and y is odd as bits 0 and 1 of the colour say, else 0.
fn colour(colour: usize) -> Factors {
    let lane = |row: usize, lane: usize| f32::from(u8::from(lane % 2 + 2 * row == colour));
    [0, 1].map(|row| [0, 1, 2, 3].map(|at| lane(row, at)))
}
