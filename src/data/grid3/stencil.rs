//! Matrices on grids of three dimensions by short texts, such as `poisson7:63`.

use std::fmt;
use std::str::FromStr;

use super::super::stencil::text::{Options, of_sides};
use super::super::{
    Error, MAX_HEAT_STEP, MAX_JUMP, MAX_PECLET, Result, Side, SplitMix64, StencilError,
};
use super::matrix::GridMatrix;
use super::{Grid3, MIDDLE, NEIGHBOURS, STAR, neighbour, step};
use crate::memory::{self, host_threads};

const KNOWN: &str = "poisson7:X[xYxZ][:x=A][:y=B][:z=C][:sides=S] (as poisson7:63, or poisson7:64x64x32:z=0.01:sides=periodic+neumann+dirichlet, \
    along x, y and z), fe27:X[xYxZ][:x=A][:y=B][:z=C][:sides=S], heat7:X[xYxZ][:step=T][:sides=S], \
    jump7:X[xYxZ][:ratio=R][:cell=POINTS], random7:X[xYxZ][:seed=S], \
    convection7:X[xYxZ][:x=U][:y=V][:z=W][:peclet=P]";

const RATIO: f64 = 1000.0;
const CELL: usize = 8;
const SEED: usize = 1;
const PECLET: f64 = 32.0 / 3.0;
/// The greatest number of `x`, `y` and `z`, and the reciprocal of the least.
const MOST_ALONG: f64 = 1e6;

/// A differential operator on a grid of three dimensions. Where sides say nothing else, values around the grid are
/// zero.
///
/// ```
/// use quadrille::data::Stencil3;
/// let stencil: Stencil3 = "poisson7:15x7x3:z=0.01".parse()?;
/// assert_eq!(stencil.to_string(), "poisson7:15x7x3:z=0.01");
/// assert_eq!(stencil.matrix()?.n(), 315);
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stencil3 {
    grid: Grid3,
    operator: Operator,
    sides: [Side; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    /// The 7-point Laplacian, with a factor along each axis.
    Poisson7([f64; 3]),
    /// Trilinear finite elements of the same.
    Fe27([f64; 3]),
    /// One implicit step of the heat equation: I + step times the 7-point Laplacian.
    Heat7(f64),
    /// Diffusion by 1 and `ratio` in cubes of `cell` points along each side, by turns.
    Jump7 { ratio: f64, cell: usize },
    /// Diffusion by independent coefficients, from 1/1000 to 1000 on a logarithmic scale.
    Random7(u64),
    /// The 7-point Laplacian and a flow of this velocity by upwind differences.
    Convection7 { flow: [f64; 3], peclet: f64 },
}

impl Operator {
    fn name(self) -> &'static str {
        match self {
            Operator::Poisson7(_) => "poisson7",
            Operator::Fe27(_) => "fe27",
            Operator::Heat7(_) => "heat7",
            Operator::Jump7 { .. } => "jump7",
            Operator::Random7(_) => "random7",
            Operator::Convection7 { .. } => "convection7",
        }
    }

    /// Returns the names of the options, their values, and those of the defaults.
    fn options(self) -> Vec<(&'static str, f64, f64)> {
        match self {
            Operator::Poisson7([x, y, z]) | Operator::Fe27([x, y, z]) => {
                vec![("x", x, 1.0), ("y", y, 1.0), ("z", z, 1.0)]
            }
            Operator::Heat7(step) => vec![("step", step, 1.0)],
            Operator::Jump7 { ratio, cell } => {
                vec![("ratio", ratio, RATIO), ("cell", cell as f64, CELL as f64)]
            }
            Operator::Random7(seed) => vec![("seed", seed as f64, SEED as f64)],
            Operator::Convection7 { flow: [x, y, z], peclet } => {
                vec![("x", x, 1.0), ("y", y, 1.0), ("z", z, 1.0), ("peclet", peclet, PECLET)]
            }
        }
    }
}

impl Stencil3 {
    /// The names of all.
    pub const NAMES: [&str; 6] = ["poisson7", "fe27", "heat7", "jump7", "random7", "convection7"];

    /// Returns whether a text has the name of a stencil of three dimensions.
    pub fn is_named(text: &str) -> bool {
        Stencil3::NAMES.contains(&text.split(':').next().unwrap_or_default())
    }

    /// Refuses a grid for which the host has no memory: its matrix, a right-hand side, a known solution, x and a
    /// residual.
    #[doc(hidden)]
    pub fn must_have_room(&self) -> Result<()> {
        let numbers = match self.operator {
            Operator::Jump7 { .. } | Operator::Random7(_) => 4 + 1 + STAR.len(),
            _ => 4,
        };
        let bytes = |points: usize| points.saturating_mul(numbers * size_of::<f64>());
        if memory::must_have(bytes(self.grid.n())).is_ok() {
            return Ok(());
        }
        let fits = |side: &usize| memory::must_have(bytes(side.pow(3))).is_ok();
        let side = (1..=1024).take_while(fits).last().unwrap_or(0);
        Err(StencilError::NoRoom {
            stencil: self.to_string(),
            bytes: bytes(self.grid.n()),
            side,
            axes: 3,
        }
        .into())
    }

    /// Returns whether its matrix is symmetric.
    #[doc(hidden)]
    pub fn is_symmetric(&self) -> bool {
        !matches!(self.operator, Operator::Convection7 { .. })
    }

    /// Returns the grid.
    pub fn grid(&self) -> Grid3 {
        self.grid
    }

    /// Returns the matrix. Numbers that are the same everywhere are rounded to single precision, so that both precisions
    /// solve the same system.
    ///
    /// # Errors
    /// Out of memory.
    pub fn matrix(&self) -> Result<GridMatrix> {
        match self.operator {
            Operator::Poisson7(along) => self.constant(laplacian(along)),
            Operator::Fe27(along) => {
                let mut couplings = finite_elements(along).map(single);
                if !self.sides.contains(&Side::Dirichlet) {
                    // Not one rounding of it, so that rows sum to zero.
                    couplings[MIDDLE] = 0.0;
                    couplings[MIDDLE] = -couplings.iter().sum::<f64>();
                }
                self.constant(couplings)
            }
            Operator::Heat7(time) => {
                let mut couplings = laplacian([1.0; 3]).map(|coupling| time * coupling);
                couplings[MIDDLE] += 1.0;
                self.constant(couplings.map(single))
            }
            Operator::Convection7 { flow, peclet } => {
                self.constant(convection(flow, peclet).map(single))
            }
            Operator::Jump7 { ratio, cell } => self.diffusion(|place| {
                let cubes: usize = place.iter().map(|at| at / cell).sum();
                if cubes % 2 == 1 { ratio } else { 1.0 }
            }),
            Operator::Random7(seed) => self.diffusion(|place| {
                let index = self.grid.index(place);
                let bits = SplitMix64::after(seed, index as u64).next() >> 11;
                10.0_f64.powf(6.0 * (bits as f64 / (1_u64 << 53) as f64) - 3.0)
            }),
        }
    }

    fn constant(&self, couplings: [f64; NEIGHBOURS]) -> Result<GridMatrix> {
        GridMatrix::constant(self.grid, couplings, self.sides)
    }

    fn diffusion(&self, coefficient: impl Fn([usize; 3]) -> f64 + Sync) -> Result<GridMatrix> {
        let mut k = memory::zeroed(self.grid.n())?;
        host_threads::fill(&mut k, self.grid.points[0], |first, k| {
            for (index, k) in (first..).zip(k) {
                *k = coefficient(self.grid.place(index));
            }
        });
        GridMatrix::diffusion(self.grid, &k)
    }

    /// Refuses options that no operator has.
    fn check(&self) -> Result<()> {
        let complain = |expected: String, got: f64| {
            Err(StencilError::BadStencil {
                stencil: self.to_string(),
                expected,
                got: got.to_string(),
            }
            .into())
        };
        let is_off = |along: &f64| !(1.0 / MOST_ALONG..=MOST_ALONG).contains(along);
        match self.operator {
            Operator::Poisson7(along) | Operator::Fe27(along) => match along
                .into_iter()
                .find(is_off)
            {
                Some(got) => complain(format!("factors x, y and z from 1e-6 to {MOST_ALONG}"), got),
                None => Ok(()),
            },
            Operator::Heat7(step) if !(step > 0.0 && step <= MAX_HEAT_STEP) => {
                complain(format!("a step above 0, at most {MAX_HEAT_STEP}"), step)
            }
            Operator::Jump7 { ratio, .. } if !(1.0..=MAX_JUMP).contains(&ratio) => {
                complain(format!("a ratio from 1 to {MAX_JUMP}"), ratio)
            }
            Operator::Jump7 { cell: 0, .. } => complain("a cell of at least 1 point".into(), 0.0),
            Operator::Convection7 { peclet, .. } if !(0.0..=MAX_PECLET).contains(&peclet) => {
                complain(format!("a Péclet number from 0 to {MAX_PECLET}"), peclet)
            }
            Operator::Convection7 { flow, .. } => {
                match flow.into_iter().find(|along| along.abs() > MOST_ALONG) {
                    Some(got) => {
                        complain(format!("a velocity x, y and z of at most {MOST_ALONG}"), got)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

fn single(number: f64) -> f64 {
    f64::from(number as f32)
}

/// Returns the couplings of the 7-point Laplacian: their sum is zero, to the bit.
fn laplacian(along: [f64; 3]) -> [f64; NEIGHBOURS] {
    let mut couplings = [0.0; NEIGHBOURS];
    for k in STAR.into_iter().filter(|k| *k != MIDDLE) {
        let beside =
            single(along.iter().zip(step(k)).map(|(along, step)| along * step.abs() as f64).sum());
        couplings[k] = -beside;
        couplings[MIDDLE] += beside;
    }
    couplings
}

/// Returns the integrals of grad(u) A grad(v) over the eight cubes around a point, where A is diagonal.
fn finite_elements(along: [f64; 3]) -> [f64; NEIGHBOURS] {
    let stiffness = |step: isize| if step == 0 { 2.0 } else { -1.0 };
    let mass = |step: isize| if step == 0 { 4.0 / 6.0 } else { 1.0 / 6.0 };
    std::array::from_fn(|k| {
        let step = step(k);
        let term = |axis: usize| {
            let of = |other: usize| {
                if other == axis { stiffness(step[other]) } else { mass(step[other]) }
            };
            along[axis] * of(0) * of(1) * of(2)
        };
        let sum: f64 = (0..3).map(term).sum();
        // What cancels exactly leaves rounding errors here.
        if sum.abs() < 1e-15 * along.iter().sum::<f64>() { 0.0 } else { sum }
    })
}

fn convection(flow: [f64; 3], peclet: f64) -> [f64; NEIGHBOURS] {
    let mut couplings = laplacian([1.0; 3]);
    for (axis, along) in flow.into_iter().enumerate() {
        let mut upstream = [0; 3];
        upstream[axis] = if along > 0.0 { -1 } else { 1 };
        couplings[neighbour(upstream)] -= peclet * along.abs();
        couplings[MIDDLE] += peclet * along.abs();
    }
    couplings
}

impl fmt::Display for Stencil3 {
    /// Returns the text that [`FromStr`] reads; options at their defaults are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.grid.points;
        write!(f, "{}:{x}", self.operator.name())?;
        if (x, x) != (y, z) {
            write!(f, "x{y}x{z}")?;
        }
        let options = self.operator.options();
        for (name, value, _) in options.iter().filter(|(_, value, default)| value != default) {
            write!(f, ":{name}={value}")?;
        }
        match self.sides == [Side::default(); 3] {
            true => Ok(()),
            false => write!(f, ":sides={}", of_sides(self.sides)),
        }
    }
}

impl FromStr for Stencil3 {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let options: &[&str] = match name {
            "poisson7" | "fe27" => &["x", "y", "z"],
            "heat7" => &["step"],
            "jump7" => &["ratio", "cell"],
            "random7" => &["seed"],
            "convection7" => &["x", "y", "z", "peclet"],
            _ => {
                return Err(StencilError::UnknownStencil {
                    got: name.to_string(),
                    known: KNOWN.into(),
                }
                .into());
            }
        };
        let grid = parse_grid(text, parts.next().unwrap_or_default())?;
        let takes_sides = matches!(name, "poisson7" | "fe27" | "heat7");
        let axes: &[&str] = if takes_sides { &["x", "y", "z"] } else { &[] };
        let mut values = Options::new(text, options, axes);
        for part in parts {
            values.take(part)?;
        }
        let along = [0, 1, 2].map(|axis| values.get(axis, 1.0));
        let operator = match name {
            "poisson7" => Operator::Poisson7(along),
            "fe27" => Operator::Fe27(along),
            "heat7" => Operator::Heat7(along[0]),
            "jump7" => {
                Operator::Jump7 { ratio: values.get(0, RATIO), cell: values.whole(1, CELL)? }
            }
            "random7" => Operator::Random7(values.whole(0, SEED)? as u64),
            _ => Operator::Convection7 { flow: along, peclet: values.get(3, PECLET) },
        };
        let stencil = Stencil3 { grid, operator, sides: values.sides() };
        stencil.check().map(|()| stencil)
    }
}

fn parse_grid(text: &str, grid: &str) -> Result<Grid3> {
    let sides: Vec<Option<usize>> = grid.split('x').map(|side| side.parse().ok()).collect();
    match sides[..] {
        [Some(x)] => Grid3::new(x, x, x),
        [Some(x), Some(y), Some(z)] => Grid3::new(x, y, z),
        _ => Err(StencilError::BadStencil {
            stencil: text.to_string(),
            expected: "a size X or XxYxZ in points, as 63 or 64x64x32".into(),
            got: grid.to_string(),
        }
        .into()),
    }
}
