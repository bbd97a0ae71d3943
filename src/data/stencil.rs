//! Matrices from stencils on a grid, by short texts as on the command line.

use std::fmt;
use std::str::FromStr;

use super::band::MAX_UNKNOWNS;
use super::nine_banded::{check_sizes, zeros};
use super::{Band, Error, MIN_WIDTH, NineBanded, Result};

/// The greatest `step` of `heat9`: beyond it the 1 of the identity is lost in the rounding of the
/// diagonal, and with it strict dominance.
pub const MAX_HEAT_STEP: f64 = 1e6;

const KNOWN: &str = "poisson5:W[xH] (as poisson5:128), \
    fe9:W[xH][:anisotropy=E][:angle=DEGREES] (as fe9:128x64:anisotropy=0.01:angle=30), \
    heat9:W[xH][:step=T] (as heat9:512)";

/// The same coupling in every point of a grid of `width` by `height` points, with zeros around it.
///
/// Points are numbered row by row, so that the matrix has `m = width` and `n = width * height`. Couplings
/// across the end of a grid row are zero.
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
    },
    /// `fe9`: bilinear finite elements of -div(A grad u) on squares, where A is diag(1, anisotropy)
    /// turned by `angle`. Without options its stencil is 8/3 in the middle and -1/3 around.
    ///
    /// The strong direction at angle 0 runs from one grid row to the next, as in
    /// `pyamg.gallery.diffusion_stencil_2d(anisotropy, angle, type='FE')` on a grid of (height, width).
    Fe9 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The ratio of the weak to the strong diffusion, above 0.
        anisotropy: f64,
        /// The angle of the strong direction, in degrees.
        angle: f64,
    },
    /// `heat9`: one implicit step of the heat equation, I + step * L, where L is the 9-point
    /// Laplacian (20 in the middle, -4 at the sides, -1 at the corners, all over 6). Strictly dominant, so Jacobi
    /// converges fast.
    Heat9 {
        /// Points along x.
        width: usize,
        /// Points along y.
        height: usize,
        /// The time step over the grid's squared spacing, above 0 and at most [`MAX_HEAT_STEP`].
        step: f64,
    },
}

impl Stencil {
    /// The grid: points along x, points along y.
    pub fn grid(&self) -> (usize, usize) {
        match *self {
            Stencil::Poisson5 { width, height }
            | Stencil::Fe9 { width, height, .. }
            | Stencil::Heat9 { width, height, .. } => (width, height),
        }
    }

    /// The matrix, each coefficient rounded to single precision.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub fn matrix(&self) -> Result<NineBanded> {
        self.check()?;
        let (width, height) = self.grid();
        let coefficients = self.coefficients();
        let mut bands: [Vec<f32>; 9] = Default::default();
        for band in Band::ALL {
            bands[band.index()] =
                grid_band(band, width, height, coefficients[band.index()] as f32)?;
        }
        NineBanded::new(width, bands)
    }

    /// The coupling of each band, in the order of [`Band::ALL`].
    fn coefficients(&self) -> [f64; 9] {
        match *self {
            Stencil::Poisson5 { .. } => symmetric(4.0, -1.0, -1.0, 0.0, 0.0),
            Stencil::Fe9 { anisotropy, angle, .. } => finite_elements(anisotropy, angle),
            Stencil::Heat9 { step, .. } => {
                let (middle, side, corner) =
                    (1.0 + step * 20.0 / 6.0, -step * 4.0 / 6.0, -step / 6.0);
                symmetric(middle, side, side, corner, corner)
            }
        }
    }

    /// Refuses values of this type that no text gives.
    fn check(&self) -> Result<()> {
        let (width, height) = self.grid();
        let complain = |expected: String, got: String| {
            Err(Error::BadStencil { stencil: self.to_string(), expected, got })
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
            Stencil::Heat9 { step, .. } if !(step > 0.0 && step <= MAX_HEAT_STEP) => {
                complain(format!("a step above 0, at most {MAX_HEAT_STEP}"), step.to_string())
            }
            _ => check_sizes(width.saturating_mul(height), width),
        }
    }
}

/// Nine couplings that are the same seen from either end of each.
fn symmetric(middle: f64, side: f64, above: f64, falling: f64, rising: f64) -> [f64; 9] {
    Band::ALL.map(|band| match band {
        Band::DD => middle,
        Band::DU | Band::DL => side,
        Band::UD | Band::LD => above,
        Band::UU | Band::LL => falling,
        Band::UL | Band::LU => rising,
    })
}

/// The integrals of grad(u) A grad(v) over the four squares around a point.
fn finite_elements(anisotropy: f64, degrees: f64) -> [f64; 9] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    // A = [[down, cross], [cross, across]]: `down` from row to row, `across` along a row.
    let down = cos * cos + anisotropy * sin * sin;
    let across = sin * sin + anisotropy * cos * cos;
    let cross = (1.0 - anisotropy) * sin * cos;
    symmetric(
        4.0 / 3.0 * (down + across),
        (down - 2.0 * across) / 3.0,
        (across - 2.0 * down) / 3.0,
        -(down + across) / 6.0 - cross / 2.0,
        -(down + across) / 6.0 + cross / 2.0,
    )
}

/// One band of a stencil: the coupling where the neighbour is on the grid, else 0.
fn grid_band(band: Band, width: usize, height: usize, coupling: f32) -> Result<Vec<f32>> {
    let mut entries = zeros::<f32>(width * height)?;
    let columns = match band {
        Band::DL | Band::UL | Band::LL => 1..width,
        Band::DU | Band::UU | Band::LU => 0..width - 1,
        Band::DD | Band::UD | Band::LD => 0..width,
    };
    let rows = match band {
        Band::LD | Band::LU | Band::LL => 1..height,
        Band::UD | Band::UU | Band::UL => 0..height - 1,
        Band::DD | Band::DU | Band::DL => 0..height,
    };
    for row in rows {
        entries[row * width..][columns.clone()].fill(coupling);
    }
    Ok(entries)
}

impl fmt::Display for Stencil {
    /// The text that [`FromStr`] reads; options at their defaults are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Stencil::Poisson5 { .. } => "poisson5",
            Stencil::Fe9 { .. } => "fe9",
            Stencil::Heat9 { .. } => "heat9",
        };
        let (width, height) = self.grid();
        write!(f, "{name}:{width}")?;
        if height != width {
            write!(f, "x{height}")?;
        }
        let options: &[(&str, f64, f64)] = match *self {
            Stencil::Poisson5 { .. } => &[],
            Stencil::Fe9 { anisotropy, angle, .. } => {
                &[("anisotropy", anisotropy, 1.0), ("angle", angle, 0.0)]
            }
            Stencil::Heat9 { step, .. } => &[("step", step, 1.0)],
        };
        options
            .iter()
            .filter(|(_, value, default)| value != default)
            .try_for_each(|(option, value, _)| write!(f, ":{option}={value}"))
    }
}

impl FromStr for Stencil {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let options: &[&str] = match name {
            "poisson5" => &[],
            "fe9" => &["anisotropy", "angle"],
            "heat9" => &["step"],
            _ => return Err(Error::UnknownStencil { got: name.to_string(), known: KNOWN }),
        };
        let (width, height) = parse_grid(text, parts.next().unwrap_or_default())?;
        let mut values = Options::new(text, options);
        for part in parts {
            values.take(part)?;
        }
        let stencil = match name {
            "poisson5" => Stencil::Poisson5 { width, height },
            "fe9" => {
                let (anisotropy, angle) = (values.get(0, 1.0), values.get(1, 0.0));
                Stencil::Fe9 { width, height, anisotropy, angle }
            }
            _ => Stencil::Heat9 { width, height, step: values.get(0, 1.0) },
        };
        stencil.check().map(|()| stencil)
    }
}

fn parse_grid(text: &str, grid: &str) -> Result<(usize, usize)> {
    let (width, height) = grid.split_once('x').unwrap_or((grid, grid));
    match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) if width > 0 && height > 0 => Ok((width, height)),
        _ => Err(Error::BadStencil {
            stencil: text.to_string(),
            expected: format!(
                "a size W or WxH in points from 1 to {MAX_UNKNOWNS}, as 128 or 128x64"
            ),
            got: grid.to_string(),
        }),
    }
}

/// The options of a stencil as they are met, each at most once.
struct Options<'a> {
    text: &'a str,
    names: &'a [&'a str],
    values: [Option<f64>; 2],
}

impl<'a> Options<'a> {
    fn new(text: &'a str, names: &'a [&'a str]) -> Self {
        Options { text, names, values: [None; 2] }
    }

    fn get(&self, index: usize, default: f64) -> f64 {
        self.values[index].unwrap_or(default)
    }

    fn take(&mut self, part: &str) -> Result<()> {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(index) = self.names.iter().position(|known| *known == name) else {
            return Err(self.complain(self.expected(), part));
        };
        if self.values[index].is_some() {
            return Err(self.complain(format!("{name} once"), part));
        }
        match value.parse::<f64>() {
            Ok(value) if value.is_finite() => self.values[index] = Some(value),
            _ => return Err(self.complain(format!("{name}=NUMBER"), part)),
        }
        Ok(())
    }

    fn expected(&self) -> String {
        match self.names {
            [] => "nothing after the size".to_string(),
            names => {
                names.iter().map(|name| format!("{name}=NUMBER")).collect::<Vec<_>>().join(" or ")
            }
        }
    }

    fn complain(&self, expected: String, got: &str) -> Error {
        Error::BadStencil { stencil: self.text.to_string(), expected, got: got.to_string() }
    }
}
