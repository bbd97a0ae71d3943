//! The errors of stencils, and of the coefficients of diffusion.

use crate::Shape;
use crate::error::{Kind, failure};

/// An error of the text of a stencil, or of coefficients of diffusion.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StencilError {
    /// A grid for whose solution the host has no memory.
    #[error(
        "not enough memory: {stencil} takes {} MiB for its coefficients, a right-hand side and its solution; {} points \
         would fit",
        bytes >> 20, vec![side.to_string(); *axes].join(" x ")
    )]
    NoRoom {
        /// The stencil.
        stencil: String,
        /// The bytes that it takes.
        bytes: usize,
        /// The side of the largest square or cube that fits.
        side: usize,
        /// The axes of the grid.
        axes: usize,
    },
    /// A coefficient of diffusion that is zero, negative or not finite.
    #[error(
        "expected coefficients above 0, got {value} at column {column}, row {row} (both count from 0)"
    )]
    Coefficient {
        /// The column, from 0.
        column: usize,
        /// The row, from 0.
        row: usize,
        /// The coefficient.
        value: f64,
    },
    /// A coefficient of diffusion at a face that is negative or not finite, or zero inside the grid.
    #[error(
        "expected coefficients above 0 between neighbours along {along}, and at the sides of the grid 0 (closed) or above, \
         got {value} at column {column}, row {row} of those along {along} (both count from 0)"
    )]
    FaceCoefficient {
        /// The axis that the flux goes along: `x` or `y`.
        along: char,
        /// The column of the face, from 0.
        column: usize,
        /// The row of the face, from 0.
        row: usize,
        /// The coefficient.
        value: f64,
    },
    /// Coefficients at faces along x and along y that belong to different grids.
    #[error(
        "expected coefficients at the faces of one grid of W x H points, (W+1) x H along x and W x (H+1) along y, got {} \
         x {} along x and {} x {} along y",
        x.cols, x.rows, y.cols, y.rows
    )]
    Faces {
        /// The shape of those along x.
        x: Shape,
        /// The shape of those along y.
        y: Shape,
    },
    /// No stencil of that name.
    #[error("unknown stencil `{got}`: the stencils are {known}")]
    UnknownStencil {
        /// The name that was given.
        got: String,
        /// The names there are, each with an example.
        known: String,
    },
    /// A stencil's size or option is invalid.
    #[error("stencil `{stencil}`: expected {expected}, got `{got}`")]
    BadStencil {
        /// The whole text that was given.
        stencil: String,
        /// The text that is expected.
        expected: String,
        /// The text that was found.
        got: String,
    },
    /// Coefficients for another number of points than a grid has.
    #[error(
        "expected {} coefficients, one for each point of a grid of {} x {} x {}, got {got}",
        grid.iter().product::<usize>(), grid[0], grid[1], grid[2]
    )]
    CoefficientsOfGrid {
        /// The points along x, y and z.
        grid: [usize; 3],
        /// The number that was given.
        got: usize,
    },
    /// A coefficient of diffusion that is zero, negative or not finite.
    #[error(
        "expected coefficients above zero, got {value} at the point x {}, y {}, z {} (from 0)", place[0], place[1], place[2]
    )]
    CoefficientAt {
        /// The point.
        place: [usize; 3],
        /// The coefficient.
        value: f64,
    },
}

failure!(StencilError; kinds {
    StencilError::NoRoom { .. } => Kind::OutOfMemory,
});
