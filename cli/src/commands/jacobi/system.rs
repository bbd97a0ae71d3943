//! The systems to solve: the matrix, its name, and a right-hand side for each.

use std::path::Path;

use quadrille::data::{NineBanded, SplitMix64};
use quadrille::linalg::jacobi::{Error, Layout};
use quadrille::{NoMemory, Place, io, memory};

use super::arguments::Arguments;
use crate::output::note;

/// The user's matrix and right-hand side, if given.
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) matrix: NineBanded,
    side: Option<Vec<f32>>,
}

/// A right-hand side, and the solution that it was computed from, if any.
pub(super) struct System {
    pub(super) side: Vec<f32>,
    pub(super) solution: Option<Vec<f32>>,
}

impl Problem {
    pub(super) fn load(arguments: &Arguments) -> anyhow::Result<Problem> {
        let (name, matrix) = match (&arguments.stencil, &arguments.matrix) {
            (Some(stencil), _) => (stencil.to_string(), stencil.matrix()?),
            (None, _) => of_file(arguments)?,
        };
        if let Some(row) = matrix.first_zero_diagonal() {
            return Err(Error::ZeroDiagonal { row }.into());
        }
        let side = match &arguments.rhs {
            Some(path) => Some(read_side(path, matrix.n())?),
            None => None,
        };
        Ok(Problem { name, matrix, side })
    }

    /// The user's system first; others have the same matrix and right-hand sides from random solutions.
    pub(super) fn systems(&self, layout: Layout, seed: u64) -> Result<Vec<System>, NoMemory> {
        let mut generator = SplitMix64::new(seed);
        let mut systems = Vec::new();
        if let Some(side) = &self.side {
            systems.push(System { side: memory::copied(side)?, solution: None });
        }
        while systems.len() < layout.systems() {
            systems.push(seeded(&self.matrix, &mut generator)?);
        }
        Ok(systems)
    }
}

/// The matrix of a file, and its name.
fn of_file(arguments: &Arguments) -> Result<(String, NineBanded), io::Error> {
    let path = arguments.matrix.as_deref().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((name, io::matrix_market::read_nine_banded(path, arguments.width)?))
}

/// A system whose solution is known: uniform in -1..1, b = A x in double precision, rounded once.
fn seeded(matrix: &NineBanded, generator: &mut SplitMix64) -> Result<System, NoMemory> {
    let n = matrix.n();
    let random = (0..n).map(|_| generator.symmetric());
    let solution = memory::collected(n, random)?;
    let exact = memory::collected(n, solution.iter().map(|x| f64::from(*x)))?;
    let mut product = memory::zeroed(n)?;
    matrix.add_product(&exact, &mut product);
    let side = memory::collected(n, product.iter().map(|b| *b as f32))?;
    Ok(System { side, solution: Some(solution) })
}

fn read_side(path: &Path, n: usize) -> Result<Vec<f32>, io::Error> {
    let array = io::vector::read(path)?;
    if array.data.len() != n {
        return Err(io::Error::Shape {
            place: Place::file(path.display().to_string()),
            expected: format!("{n} numbers, one for each unknown of the matrix"),
            got: array.shape,
        });
    }
    if array.rounded {
        note(&format!("note: {}: its 64-bit floats were rounded to 32 bits", path.display()));
    }
    Ok(array.data)
}
