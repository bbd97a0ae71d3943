//! Grids of three dimensions: their sizes, and the slices that pictures show.

use std::str::FromStr;

use quadrille::data::Grid3;

use crate::prelude::*;

/// The points of a grid, as 40x30x20.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridSize(pub(super) Grid3);

impl FromStr for GridSize {
    type Err = String;

    fn from_str(text: &str) -> Result<GridSize, String> {
        let sides: Vec<Option<usize>> = text.split('x').map(|side| side.parse().ok()).collect();
        match sides[..] {
            [Some(x), Some(y), Some(z)] => {
                Grid3::new(x, y, z).map(GridSize).map_err(|error| error.to_string())
            }
            _ => Err(format!("expected the points along x, y and z, as 40x30x20, got `{text}`")),
        }
    }
}

/// The points with one number along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    axis: usize,
    at: usize,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Slice, String> {
        let slice = || {
            let (axis, at) = text.split_once('=')?;
            let axis = AXES.iter().position(|name| *name == axis)?;
            Some(Slice { axis, at: at.parse().ok()? })
        };
        slice().ok_or_else(|| {
            format!("expected x, y or z, and the number of points before the slice, as z=10, got `{text}`")
        })
    }
}

impl Slice {
    /// Returns the slice in the middle along z.
    pub(super) fn middle(grid: Grid3) -> Slice {
        Slice { axis: 2, at: grid.points()[2] / 2 }
    }

    /// Refuses one that is not in the grid.
    pub(super) fn must_be_in(self, grid: Grid3) -> Result<(), Failure> {
        let (name, points) = (AXES[self.axis], grid.points()[self.axis]);
        match self.at < points {
            true => Ok(()),
            false => Err(Failure::Input {
                text: format!(
                    "--slice: expected {name}=0 to {name}={}, got {name}={}",
                    points - 1,
                    self.at
                ),
            }),
        }
    }

    /// Returns the numbers of the slice, row by row, and how many are in a row.
    pub(super) fn of(self, grid: Grid3, x: &[f64]) -> (usize, Vec<f32>) {
        let [across, down] = match self.axis {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let points = grid.points();
        let mut numbers = Vec::with_capacity(points[across] * points[down]);
        for row in 0..points[down] {
            for column in 0..points[across] {
                let mut place = [0; 3];
                (place[self.axis], place[across], place[down]) = (self.at, column, row);
                numbers.push(x[grid.index(place)] as f32);
            }
        }
        (points[across], numbers)
    }
}

impl std::fmt::Display for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", AXES[self.axis], self.at)
    }
}
