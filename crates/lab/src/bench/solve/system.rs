//! The systems: stencils on grids, right-hand sides whose solutions are known, and what a solution
//! must be.

use std::fmt;
use std::str::FromStr;

use quadrille::data::{
    self, AnyStencil, Band, ConstantOperator, GridMatrix, NineBanded, Side, SplitMix64,
    SystemMatrix,
};
use quadrille::testing::{Comparison, largest};
use quadrille::{NoMemory, memory};

use crate::Result;

/// A stencil without its grid, as `fe9:anisotropy=0.1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family(AnyStencil);

/// A grid of points: as `255`, with which all axes of a stencil have that many, `300x200` or `64x64x32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub x: usize,
    pub y: Option<usize>,
    pub z: Option<usize>,
}

/// The families that are measured where none are named.
pub const FAMILIES: [&str; 18] = [
    "poisson5",
    "fe9",
    "heat9:step=10",
    "fe9:anisotropy=0.1",
    "fe9:anisotropy=0.1:angle=30",
    "fe9:anisotropy=0.1:angle=45",
    "fe9:anisotropy=0.01",
    "fe9:anisotropy=0.01:angle=30",
    "fe9:anisotropy=0.01:angle=45",
    "fe9:anisotropy=0.001",
    "fe9:anisotropy=0.001:angle=30",
    "fe9:anisotropy=0.001:angle=45",
    "jump:cell=5",
    "jump:cell=8",
    "jump:cell=32",
    "random",
    "convection",
    "convection:angle=30",
];

/// Any size, with which a text is read.
const ANY: usize = 8;

impl FromStr for Family {
    type Err = data::Error;

    fn from_str(text: &str) -> Result<Family, data::Error> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, format!(":{options}")),
            None => (text, String::new()),
        };
        // The error is about what was given, which has no size.
        format!("{name}:{ANY}{options}").parse().map(Family).map_err(|error| match error {
            data::Error::Stencil(data::StencilError::BadStencil { expected, got, .. }) => {
                data::StencilError::BadStencil { stencil: text.to_owned(), expected, got }.into()
            }
            other => other,
        })
    }
}

impl Family {
    pub fn on(self, grid: Grid) -> Result<AnyStencil, data::Error> {
        let text = self.0.to_string();
        let mut parts = text.splitn(3, ':');
        let (name, options) = (parts.next().unwrap_or_default(), parts.nth(1));
        let options = options.map_or(String::new(), |options| format!(":{options}"));
        format!("{name}:{grid}{options}").parse()
    }

    pub(super) fn of(stencil: AnyStencil) -> Family {
        Family(stencil)
    }
}

impl FromStr for Grid {
    type Err = data::Error;

    fn from_str(text: &str) -> Result<Grid, data::Error> {
        let axes = text.split('x').count();
        let stencil = if axes > 2 { "poisson7" } else { "poisson5" };
        let (x, y, z) = format!("{stencil}:{text}").parse::<AnyStencil>()?.points();
        Ok(Grid { x, y: (axes > 1).then_some(y), z })
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Grid { x, y, z } = self;
        write!(f, "{x}")?;
        [y, z].into_iter().flatten().try_for_each(|points| write!(f, "x{points}"))
    }
}

/// The number of points of a stencil's grid.
pub(super) fn unknowns(stencil: AnyStencil) -> usize {
    let (x, y, z) = stencil.points();
    x * y * z.unwrap_or(1)
}

/// A right-hand side b = A x whose x is known: uniform in -1 to 1 from SplitMix64, and exact in
/// single precision. Both, x first.
pub fn known(matrix: &SystemMatrix, seed: u64) -> Result<(Vec<f64>, Vec<f64>), NoMemory> {
    let mut generator = SplitMix64::new(seed);
    let x = memory::collected(matrix.n(), std::iter::repeat_with(|| unit(&mut generator)))?;
    let mut b = memory::zeroed(matrix.n())?;
    matrix.add_product(&x, &mut b);
    Ok((x, b))
}

/// A number of a random solution, in -1..1.
pub fn unit(generator: &mut SplitMix64) -> f64 {
    f64::from(generator.symmetric())
}

/// The seed that `quadrille solve` uses.
const SEED: u64 = 2;

/// A x = b with a known x.
pub(super) struct System {
    pub(super) stencil: AnyStencil,
    pub(super) matrix: SystemMatrix,
    pub(super) b: Vec<f64>,
    x: Vec<f64>,
    /// Whether constants are the null space of the matrix.
    pub(super) is_singular: bool,
}

/// The relative residual of a solution, and what rounding may make of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Residual {
    pub(super) value: f64,
    rounding: f64,
}

impl System {
    pub(super) fn new(stencil: AnyStencil) -> Result<System> {
        System::in_form(stencil, false)
    }

    /// Makes a system, with stored bands if so asked.
    pub(super) fn in_form(stencil: AnyStencil, stored: bool) -> Result<System> {
        let matrix = match stencil.system()? {
            SystemMatrix::NineBanded(matrix) if stored => matrix.stored()?.into(),
            SystemMatrix::Grid(matrix) if stored => matrix.in_stored_form()?.into(),
            matrix => matrix,
        };
        let (x, b) = known(&matrix, SEED)?;
        let mut sums: Vec<f64> = memory::zeroed(matrix.n())?;
        matrix.add_product(&memory::filled(1.0, matrix.n())?, &mut sums);
        let most = largest(b.iter().copied());
        let is_singular = largest(sums) <= 1e-12 * most;
        Ok(System { stencil, matrix, b, x, is_singular })
    }

    /// The 2-norm of b - A x over that of b, by plain loops. A row of it is off by at most gamma_12
    /// of its magnitudes |b| + |A| |x|: nine products, nine sums and a difference pass at most ten
    /// roundings (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
    pub(super) fn residual(&self, x: &[f64]) -> Result<Residual, NoMemory> {
        let n = self.matrix.n();
        if x.len() != n {
            return Ok(Residual { value: f64::NAN, rounding: 0.0 });
        }
        let mut residual = memory::copied(&self.b)?;
        let mut magnitude = memory::collected(n, self.b.iter().map(|b| b.abs()))?;
        let mut subtract = |row: usize, product: f64| {
            residual[row] -= product;
            magnitude[row] += product.abs();
        };
        match &self.matrix {
            SystemMatrix::NineBanded(matrix) => each_product(matrix, x, &mut subtract),
            SystemMatrix::Csr(matrix) => {
                for row in 0..n {
                    let (columns, values) = matrix.row(row);
                    for (column, value) in columns.iter().zip(values) {
                        subtract(row, value * x[*column as usize]);
                    }
                }
            }
            SystemMatrix::Periodic(matrix) => each_of_constant(matrix, x, &mut subtract),
            SystemMatrix::Grid(matrix) => each_of_grid(matrix, x, &mut subtract),
        }
        // Of 27 products as many more.
        let roundings = if matches!(self.matrix, SystemMatrix::Grid(_)) { 30.0 } else { 12.0 };
        let size = norm(&self.b);
        let value = norm(&residual) / size;
        let sums = n as f64 * f64::EPSILON * value;
        Ok(Residual { value, rounding: roundings * f64::EPSILON * norm(&magnitude) / size + sums })
    }

    /// The largest error over the largest unknown; up to a constant where constants are the null
    /// space.
    pub(super) fn error(&self, x: &[f64]) -> f64 {
        let differences = || x.iter().zip(&self.x).map(|(x, known)| x - known);
        let shift = match self.is_singular {
            true => differences().sum::<f64>() / x.len() as f64,
            false => 0.0,
        };
        let error = largest(differences().map(|difference| difference - shift));
        error / largest(self.x.iter().copied())
    }
}

impl Residual {
    /// Compares it with the tolerance that a solver says to have met, and with the residual that it
    /// says to have reached.
    pub(super) fn judge(self, met: Option<f64>, reached: Option<f64>) -> Comparison {
        let Residual { value, rounding } = self;
        let met = met.map_or(Comparison::RIGHT, |tolerance| {
            Comparison::of_number(value, 0.0, tolerance + rounding)
        });
        // That has been rounded too.
        let reached = reached.map_or(Comparison::RIGHT, |reached| {
            Comparison::of_number(reached, value, 2.0 * rounding)
        });
        met.worse(reached)
    }
}

/// Calls with each product of an entry and its x, and the row.
fn each_product(matrix: &NineBanded<f64>, x: &[f64], call: &mut dyn FnMut(usize, f64)) {
    let (n, m) = (matrix.n(), matrix.m());
    for band in Band::ALL {
        for row in band.rows(n, m) {
            let column = row.wrapping_add_signed(band.offset(m));
            call(row, matrix.entry(row, column) * x[column]);
        }
    }
}

fn each_of_constant(matrix: &ConstantOperator, x: &[f64], call: &mut dyn FnMut(usize, f64)) {
    let (width, height) = matrix.points();
    let [middle, along_x, along_y, corner] = matrix.couplings();
    let place = |side: Side, place: usize, step: isize, of: usize| {
        let beside = place as isize + step;
        let inside = beside >= 0 && beside < of as isize;
        match side {
            _ if inside => Some(beside as usize),
            Side::Dirichlet => None,
            Side::Neumann => Some(place),
            Side::Periodic => Some(beside.rem_euclid(of as isize) as usize),
        }
    };
    let [side_x, side_y] = matrix.sides();
    for (row, along) in (0..width * height).flat_map(|row| [-1, 0, 1].map(|along| (row, along))) {
        let Some(y) = place(side_y, row / width, along, height) else { continue };
        for across in [-1, 0, 1] {
            let coupling = match (across, along) {
                (0, 0) => middle,
                (_, 0) => along_x,
                (0, _) => along_y,
                _ => corner,
            };
            if let Some(column) = place(side_x, row % width, across, width) {
                call(row, coupling * x[y * width + column]);
            }
        }
    }
}

fn each_of_grid(matrix: &GridMatrix, x: &[f64], call: &mut dyn FnMut(usize, f64)) {
    let (grid, periodic) = (matrix.grid(), matrix.periodic());
    let points = grid.points();
    for row in 0..matrix.n() {
        let place = grid.place(row);
        for (k, coupling) in matrix.row_at(row).into_iter().enumerate() {
            let mut to = [k % 3, k / 3 % 3, k / 9];
            let inside = (0..3).all(|axis| {
                let beside = (place[axis] + to[axis]).checked_sub(1);
                let wrapped = beside.map_or(points[axis] - 1, |beside| beside % points[axis]);
                to[axis] = wrapped;
                periodic[axis] || beside == Some(wrapped)
            });
            if inside && coupling != 0.0 {
                call(row, coupling * x[grid.index(to)]);
            }
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(text: &str) -> System {
        System::new(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_family_has_no_size_and_takes_any() {
        let on = |family: &str, grid: &str| {
            let family: Family = family.parse().unwrap();
            family.on(grid.parse().unwrap()).unwrap().to_string()
        };
        assert_eq!(on("poisson5", "255"), "poisson5:255");
        assert_eq!(on("poisson7:z=0.01", "63"), "poisson7:63:z=0.01");
        assert_eq!(on("jump7", "9x8x7"), "jump7:9x8x7");
        let contrary = |family: &str, grid: &str| {
            let family: Family = family.parse().unwrap();
            family.on(grid.parse().unwrap()).unwrap_err().to_string()
        };
        assert!(contrary("poisson7", "9x8").contains("9x8"), "{}", contrary("poisson7", "9x8"));
        assert!(contrary("poisson5", "9x8x7").contains("9x8x7"));
        assert_eq!(
            on("fe9:anisotropy=0.1:angle=30", "300x200"),
            "fe9:300x200:anisotropy=0.1:angle=30"
        );
        assert!(FAMILIES.iter().all(|family| family.parse::<Family>().is_ok()));
        let refused = |text: &str| text.parse::<Family>().unwrap_err().to_string();
        assert!(refused("poisson").starts_with("unknown stencil `poisson`"));
        assert!(refused("fe9:cell=3").contains("`fe9:cell=3`: expected anisotropy=NUMBER"));
        assert!(refused("poisson5:255").contains("expected sides=NAME"));
        assert!("0".parse::<Grid>().unwrap_err().to_string().contains("got `0`"));
        assert!("x9".parse::<Grid>().is_err());
    }

    #[test]
    fn a_solution_is_right_only_if_it_meets_what_is_said_of_it() {
        for text in [
            "jump:13x7:cell=2",
            "jump7:5x4x6:cell=2",
            "fe27:4x6x5:sides=periodic+dirichlet+neumann",
        ] {
            is_judged(&system(text));
        }
    }

    fn is_judged(system: &System) {
        let judged =
            |x: &[f64], met, reached| system.residual(x).unwrap().judge(met, reached).is_right();
        assert!(judged(&system.x, Some(1e-14), Some(0.0)));
        assert!(system.error(&system.x) == 0.0);
        let mut off = system.x.clone();
        off[40] += 1e-6;
        let residual = system.residual(&off).unwrap().value;
        assert!(residual > 1e-8 && system.error(&off) > 0.9e-6);
        assert!(judged(&off, Some(2.0 * residual), Some(residual)));
        assert!(!judged(&off, Some(0.9 * residual), Some(residual)), "the tolerance is not met");
        assert!(!judged(&off, None, Some(0.9 * residual)), "the residual is another");
        off[40] = f64::NAN;
        assert!(!judged(&off, Some(1e-8), None));
        assert!(!judged(&off[1..], Some(1e-8), None));
    }

    #[test]
    fn errors_of_singular_systems_are_up_to_a_constant() {
        let shifted = |system: &System| system.x.iter().map(|x| x + 3.0).collect::<Vec<_>>();
        for singular in ["neumann5:9", "poisson5:9:sides=periodic", "poisson7:5:sides=neumann"] {
            let singular = system(singular);
            assert!(singular.error(&shifted(&singular)) < 1e-14);
        }
        let regular = system("poisson5:9");
        assert!(regular.error(&shifted(&regular)) > 1.0);
    }
}
