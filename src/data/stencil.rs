//! Matrices from stencils on a grid, by short texts as on the command line.

mod build;
mod couplings;
pub(super) mod diffusion;
pub(super) mod text;

use super::{Error, Form, MAX_UNKNOWNS, MIN_WIDTH, Result, Side, StencilError};
use crate::memory;

/// The greatest `step` of `heat9`: beyond it the 1 of the identity is lost in the rounding of the
/// diagonal, and with it strict dominance.
pub const MAX_HEAT_STEP: f64 = 1e6;

/// The greatest `ratio` of `jump`: up to it all entries are exact in double precision.
pub const MAX_JUMP: f64 = 1e9;

/// The greatest `peclet` of `convection`.
pub const MAX_PECLET: f64 = 1e6;

/// The greatest `seed` of `random` that its text, a double-precision number, can distinguish from
/// its neighbours.
pub const MAX_SEED: u64 = 1 << 53;

/// The cell Péclet number of `convection` without options, where the upstream neighbour has the
/// weight 1.
const PECLET: f64 = 32.0 / 3.0;

/// A differential operator on a grid of `width` by `height` points. Where [`sides`](Self::sides)
/// say nothing else, values around the grid are zero (Dirichlet): what would couple to them is left
/// out.
///
/// Points are numbered row by row, so that the matrix has `m = width` and `n = width * height`.
/// Couplings across the end of a grid row are zero.
///
/// A grid may be larger than a matrix in memory: [`block`](Stencil::block) makes parts of it.
///
/// Entries are rounded to single precision, also in [`matrix_f64`](Stencil::matrix_f64), so that
/// both precisions solve the same system. Those of `jump` and `random` are sums of [harmonic
/// means](super::diffusion()) that are rounded to multiples of 1/4096: single precision holds them
/// up to a ratio of 1024, and a row inside the grid sums to exactly zero.
///
/// ```
/// use quadrille::data::Stencil;
///
/// let stencil: Stencil = "heat9:64x32:step=0.5".parse()?;
/// assert_eq!(stencil.to_string(), "heat9:64x32:step=0.5");
/// assert_eq!(stencil.matrix()?.n(), 2048);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stencil {
    /// `poisson5`: the 5-point Laplacian, 4 in the middle and -1 at the four neighbours.
    Poisson5 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// What is around the grid, along x and along y.
        sides: [Side; 2],
    },
    /// `fe9`: bilinear finite elements of -div(A grad u) on squares, where A is diag(1, anisotropy)
    /// turned by `angle`. Without options its stencil is 8/3 in the middle and -1/3 around.
    ///
    /// The strong direction at angle 0 runs from one grid row to the next, as in
    /// `pyamg.gallery.diffusion_stencil_2d(anisotropy, angle, type='FE')` on a grid of (height,
    /// width).
    Fe9 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The ratio of the weak to the strong diffusion, above 0.
        anisotropy: f64,
        /// The angle of the strong direction, in degrees.
        angle: f64,
        /// What is around the grid, along x and along y.
        sides: [Side; 2],
    },
    /// `heat9`: one implicit step of the heat equation, I + step * L, where L is the 9-point
    /// Laplacian (20 in the middle, -4 at the sides, -1 at the corners, all over 6). Strictly
    /// dominant, so Jacobi converges fast.
    Heat9 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The time step over the grid's squared spacing, above 0 and at most [`MAX_HEAT_STEP`].
        step: f64,
        /// What is around the grid, along x and along y.
        sides: [Side; 2],
    },
    /// `jump`: -div(k grad u) with k in a checkerboard, 1 in its first cell and `ratio` in the
    /// cells beside it.
    Jump {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The ratio of the coefficients, from 1 to [`MAX_JUMP`].
        ratio: f64,
        /// The points along each side of a cell.
        cell: usize,
    },
    /// `random`: -div(k grad u) with k = 10^(6 u - 3), u uniform in 0 to 1 from SplitMix64, for
    /// each point by itself.
    Random {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The seed of the generator, at most [`MAX_SEED`].
        seed: u64,
    },
    /// `convection`: diffusion by the 9-point Laplacian (20, -4 and -1, over 64) and a flow, by
    /// first-order upwind differences along the diagonal and the nearer axis. Not symmetric.
    ///
    /// The upstream neighbours have the weight `6 peclet / 64` together. By default this is 1, at
    /// the neighbour (-1, -1) alone.
    Convection {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The direction in degrees that the flow goes to: 0 towards growing x, 90 towards growing
        /// y.
        angle: f64,
        /// The cell Péclet number: the greater component of the velocity, times the spacing, over
        /// the diffusion. From 0 to [`MAX_PECLET`].
        peclet: f64,
    },
    /// `neumann5`: the 5-point Laplacian without flux over the edge: as many in the middle as there
    /// are neighbours, and -1 for each. Singular: it takes constants to zero.
    Neumann5 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
    },
}

impl Stencil {
    /// Returns the grid: points along x, points along y.
    pub fn grid(&self) -> (usize, usize) {
        match *self {
            Stencil::Poisson5 { width, height, .. }
            | Stencil::Fe9 { width, height, .. }
            | Stencil::Heat9 { width, height, .. }
            | Stencil::Jump { width, height, .. }
            | Stencil::Random { width, height, .. }
            | Stencil::Convection { width, height, .. }
            | Stencil::Neumann5 { width, height } => (width, height),
        }
    }

    /// Returns the form in which its matrix has its coefficients.
    pub fn form(&self) -> Form {
        match self {
            Stencil::Jump { .. } | Stencil::Random { .. } => Form::Field,
            // At sides without flux couplings at corners are added to others.
            Stencil::Fe9 { sides, .. } | Stencil::Heat9 { sides, .. }
                if sides.contains(&Side::Neumann) && !sides.contains(&Side::Periodic) =>
            {
                Form::Stored
            }
            Stencil::Poisson5 { .. }
            | Stencil::Fe9 { .. }
            | Stencil::Heat9 { .. }
            | Stencil::Convection { .. }
            | Stencil::Neumann5 { .. } => Form::Constant,
        }
    }

    /// Refuses a grid for which the host has no memory: its matrix in double precision, a right-hand side, a known
    /// solution, x and a residual. Pages of zeros cost nothing until they are filled, and then there is no error any
    /// more.
    #[doc(hidden)]
    pub fn must_have_room(&self) -> Result<()> {
        let (width, height) = self.grid();
        let bytes = self.bytes_of(width.saturating_mul(height));
        if memory::must_have(bytes).is_ok() {
            return Ok(());
        }
        let (mut fits, mut fails) = (0, width.max(height).min(MAX_UNKNOWNS));
        while fits + 1 < fails {
            let side = fits.midpoint(fails);
            match memory::must_have(self.bytes_of(side.saturating_mul(side))) {
                Ok(()) => fits = side,
                Err(_) => fails = side,
            }
        }
        Err(StencilError::NoRoom { stencil: self.to_string(), bytes, side: fits, axes: 2 }.into())
    }

    fn bytes_of(&self, points: usize) -> usize {
        let coefficients = match self.form() {
            Form::Constant => 0,
            Form::Field => 2,
            Form::Stored => 9,
        };
        points.saturating_mul((4 + coefficients) * size_of::<f64>())
    }

    /// Returns what is around the grid, along x and along y.
    pub fn sides(&self) -> [Side; 2] {
        match *self {
            Stencil::Poisson5 { sides, .. }
            | Stencil::Fe9 { sides, .. }
            | Stencil::Heat9 { sides, .. } => sides,
            Stencil::Neumann5 { .. } => [Side::Neumann; 2],
            Stencil::Jump { .. } | Stencil::Random { .. } | Stencil::Convection { .. } => {
                [Side::Dirichlet; 2]
            }
        }
    }

    /// Refuses values of this type that no text gives.
    pub(super) fn check(&self) -> Result<()> {
        let (width, height) = self.grid();
        let complain = |expected: String, got: String| {
            Err(StencilError::BadStencil { stencil: self.to_string(), expected, got }.into())
        };
        if width < MIN_WIDTH {
            let reason = "the nine bands are different diagonals only from there";
            return complain(
                format!("a width of at least {MIN_WIDTH} ({reason})"),
                width.to_string(),
            );
        }
        if height == 0 {
            return complain("a height of at least 1".into(), "0".into());
        }
        match *self {
            Stencil::Fe9 { anisotropy, .. } if !(anisotropy > 0.0 && anisotropy <= 1e6) => {
                complain("an anisotropy above 0, at most 1e6".into(), anisotropy.to_string())
            }
            Stencil::Fe9 { angle, .. } if !angle.is_finite() => {
                complain("an angle in degrees".into(), angle.to_string())
            }
            Stencil::Fe9 { angle, anisotropy, sides, .. }
                if sides != [Side::Dirichlet; 2] && anisotropy != 1.0 && angle % 90.0 != 0.0 =>
            {
                let sides = text::of_sides(sides);
                let reason = "couplings that are turned have no mirror images at the sides";
                complain(format!("no angle with sides={sides} ({reason})"), angle.to_string())
            }
            Stencil::Heat9 { step, .. } if !(step > 0.0 && step <= MAX_HEAT_STEP) => {
                complain(format!("a step above 0, at most {MAX_HEAT_STEP}"), step.to_string())
            }
            Stencil::Jump { ratio, .. } if !(1.0..=MAX_JUMP).contains(&ratio) => {
                complain(format!("a ratio from 1 to {MAX_JUMP}"), ratio.to_string())
            }
            Stencil::Jump { cell: 0, .. } => {
                complain("a cell of at least 1 point".into(), "0".into())
            }
            Stencil::Random { seed, .. } if seed > MAX_SEED => {
                complain(format!("a seed of at most {MAX_SEED}"), seed.to_string())
            }
            Stencil::Convection { angle, .. } if !angle.is_finite() => {
                complain("an angle in degrees".into(), angle.to_string())
            }
            Stencil::Convection { peclet, .. } if !(0.0..=MAX_PECLET).contains(&peclet) => {
                complain(format!("a Péclet number from 0 to {MAX_PECLET}"), peclet.to_string())
            }
            _ => check_sides(width, height),
        }
    }
}

/// Checks the sides of a grid, which may be larger than a matrix in memory, since its parts need
/// not be.
fn check_sides(width: usize, height: usize) -> Result<()> {
    let too_large = |what, got| Err(Error::TooLarge { what, got });
    match width.checked_mul(height) {
        _ if width > MAX_UNKNOWNS => too_large("the width m", width),
        _ if height > MAX_UNKNOWNS => too_large("the height of the grid", height),
        None => too_large("the number of unknowns", usize::MAX),
        Some(_) => Ok(()),
    }
}
