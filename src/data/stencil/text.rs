//! Stencils as texts.

use std::fmt;
use std::str::FromStr;

use super::super::{Error, MAX_UNKNOWNS, Result, Side, StencilError};
use super::{MAX_SEED, PECLET, Stencil};

const KNOWN: &str = "poisson5:W[xH][:sides=S] (as poisson5:128, or poisson5:128:sides=periodic), \
    fe9:W[xH][:anisotropy=E][:angle=DEGREES][:sides=S] (as fe9:128x64:anisotropy=0.01:angle=30), \
    heat9:W[xH][:step=T][:sides=S] (as heat9:512:sides=periodic+neumann, along x and along y), \
    jump:W[xH][:ratio=R][:cell=POINTS] (as jump:255:ratio=1000:cell=32), \
    random:W[xH][:seed=S] (as random:255), \
    convection:W[xH][:angle=DEGREES][:peclet=P] (as convection:255:angle=30), \
    neumann5:W[xH] (as neumann5:255)";

/// Options that are left out.
const RATIO: f64 = 1000.0;
const CELL: usize = 32;
const SEED: usize = 1;
const ANGLE: f64 = 45.0;

impl fmt::Display for Stencil {
    /// Returns the text that [`FromStr`] reads; options at their defaults are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Stencil::Poisson5 { .. } => "poisson5",
            Stencil::Fe9 { .. } => "fe9",
            Stencil::Heat9 { .. } => "heat9",
            Stencil::Jump { .. } => "jump",
            Stencil::Random { .. } => "random",
            Stencil::Convection { .. } => "convection",
            Stencil::Neumann5 { .. } => "neumann5",
        };
        let (width, height) = self.grid();
        write!(f, "{name}:{width}")?;
        if height != width {
            write!(f, "x{height}")?;
        }
        let options: &[(&str, f64, f64)] = match *self {
            Stencil::Poisson5 { .. } | Stencil::Neumann5 { .. } => &[],
            Stencil::Fe9 { anisotropy, angle, .. } => {
                &[("anisotropy", anisotropy, 1.0), ("angle", angle, 0.0)]
            }
            Stencil::Heat9 { step, .. } => &[("step", step, 1.0)],
            Stencil::Jump { ratio, cell, .. } => {
                &[("ratio", ratio, RATIO), ("cell", cell as f64, CELL as f64)]
            }
            Stencil::Random { seed, .. } => &[("seed", seed as f64, SEED as f64)],
            Stencil::Convection { angle, peclet, .. } => {
                &[("angle", angle, ANGLE), ("peclet", peclet, PECLET)]
            }
        };
        options
            .iter()
            .filter(|(_, value, default)| value != default)
            .try_for_each(|(option, value, _)| write!(f, ":{option}={value}"))?;
        match *self {
            Stencil::Poisson5 { sides, .. }
            | Stencil::Fe9 { sides, .. }
            | Stencil::Heat9 { sides, .. }
                if sides != [Side::default(); 2] =>
            {
                write!(f, ":sides={}", of_sides(sides))
            }
            _ => Ok(()),
        }
    }
}

/// Returns sides as text: one name, or that along each axis.
pub(crate) fn of_sides<const N: usize>(sides: [Side; N]) -> String {
    let names = sides.map(Side::name);
    if sides.iter().all(|side| *side == sides[0]) { names[0].into() } else { names.join("+") }
}

impl FromStr for Stencil {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let options: &[&str] = match name {
            "poisson5" | "neumann5" => &[],
            "fe9" => &["anisotropy", "angle"],
            "heat9" => &["step"],
            "jump" => &["ratio", "cell"],
            "random" => &["seed"],
            "convection" => &["angle", "peclet"],
            _ => {
                return Err(StencilError::UnknownStencil {
                    got: name.to_string(),
                    known: KNOWN.into(),
                }
                .into());
            }
        };
        let (width, height) = parse_grid(text, parts.next().unwrap_or_default())?;
        let takes_sides = matches!(name, "poisson5" | "fe9" | "heat9");
        let mut values = Options::new(text, options, if takes_sides { &["x", "y"] } else { &[] });
        for part in parts {
            values.take(part)?;
        }
        let sides = values.sides();
        let stencil = match name {
            "poisson5" => Stencil::Poisson5 { width, height, sides },
            "fe9" => {
                let (anisotropy, angle) = (values.get(0, 1.0), values.get(1, 0.0));
                Stencil::Fe9 { width, height, anisotropy, angle, sides }
            }
            "heat9" => Stencil::Heat9 { width, height, step: values.get(0, 1.0), sides },
            "jump" => {
                let (ratio, cell) = (values.get(0, RATIO), values.whole(1, CELL)?);
                Stencil::Jump { width, height, ratio, cell }
            }
            "random" => Stencil::Random { width, height, seed: values.whole(0, SEED)? as u64 },
            "convection" => {
                let (angle, peclet) = (values.get(0, ANGLE), values.get(1, PECLET));
                Stencil::Convection { width, height, angle, peclet }
            }
            _ => Stencil::Neumann5 { width, height },
        };
        stencil.check().map(|()| stencil)
    }
}

fn parse_grid(text: &str, grid: &str) -> Result<(usize, usize)> {
    let (width, height) = grid.split_once('x').unwrap_or((grid, grid));
    match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) if width > 0 && height > 0 => Ok((width, height)),
        _ => Err(StencilError::BadStencil {
            stencil: text.to_string(),
            expected: format!(
                "a size W or WxH in points from 1 to {MAX_UNKNOWNS}, as 128 or 128x64"
            ),
            got: grid.to_string(),
        }
        .into()),
    }
}

/// The options of a stencil as they are met, each at most once.
pub(crate) struct Options<'a> {
    text: &'a str,
    names: &'a [&'a str],
    values: [Option<f64>; 4],
    /// The axes whose sides may be named, and the sides that were.
    axes: &'a [&'a str],
    sides: Option<Vec<Side>>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(text: &'a str, names: &'a [&'a str], axes: &'a [&'a str]) -> Self {
        Options { text, names, values: [None; 4], axes, sides: None }
    }

    /// Returns the sides that were named, along each axis.
    pub(crate) fn sides<const N: usize>(&self) -> [Side; N] {
        let sides = self.sides.as_deref().unwrap_or_default();
        std::array::from_fn(|axis| sides.get(axis).copied().unwrap_or_default())
    }

    pub(crate) fn get(&self, index: usize, default: f64) -> f64 {
        self.values[index].unwrap_or(default)
    }

    /// Returns a whole number that a double holds exactly.
    pub(crate) fn whole(&self, index: usize, default: usize) -> Result<usize> {
        let value = self.get(index, default as f64);
        match (0.0..=MAX_SEED as f64).contains(&value) && value.fract() == 0.0 {
            true => Ok(value as usize),
            false => {
                let expected = format!("{} as a whole number up to {MAX_SEED}", self.names[index]);
                Err(self.complain(expected, &value.to_string()))
            }
        }
    }

    pub(crate) fn take(&mut self, part: &str) -> Result<()> {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        if name == "sides" && !self.axes.is_empty() {
            return self.take_sides(part, value);
        }
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

    fn take_sides(&mut self, part: &str, text: &str) -> Result<()> {
        if self.sides.is_some() {
            return Err(self.complain("sides once".into(), part));
        }
        let names: Vec<&str> = text.split('+').collect();
        let all: Option<Vec<Side>> = names.iter().map(|name| name.parse().ok()).collect();
        match all {
            Some(sides) if sides.len() == self.axes.len() => self.sides = Some(sides),
            Some(sides) if sides.len() == 1 => self.sides = Some(vec![sides[0]; self.axes.len()]),
            _ => {
                let names = Side::ALL.map(Side::name).join(", ");
                let (count, axes) = match self.axes {
                    [x, y] => ("two", format!("{x} and along {y}")),
                    axes => ("three", axes.join(", along ")),
                };
                let expected =
                    format!("sides= and one of {names}, or {count} with a + between, along {axes}");
                return Err(self.complain(expected, part));
            }
        }
        Ok(())
    }

    fn expected(&self) -> String {
        let mut known: Vec<String> =
            self.names.iter().map(|name| format!("{name}=NUMBER")).collect();
        if !self.axes.is_empty() {
            known.push("sides=NAME".into());
        }
        if known.is_empty() { "nothing after the size".into() } else { known.join(" or ") }
    }

    fn complain(&self, expected: String, got: &str) -> Error {
        StencilError::BadStencil { stencil: self.text.to_string(), expected, got: got.to_string() }
            .into()
    }
}
