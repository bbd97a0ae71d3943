//! The systems to solve: the matrix, its name, and a right-hand side for each.

use std::path::Path;

use quadrille::data::{NineBanded, SplitMix64};
use quadrille::linalg::jacobi::{Error, Layout};
use quadrille::{NoMemory, Place, io, memory};

use super::arguments::Arguments;
use crate::output::note;

/// The user's matrix and right-hand sides: none, one, or one for each system of the layout.
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) matrix: NineBanded,
    sides: Vec<Vec<f32>>,
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
        let sides = match &arguments.rhs {
            Some(path) => read_sides(path, matrix.n(), arguments.options.0.variant.layout)?,
            None => Vec::new(),
        };
        Ok(Problem { name, matrix, sides })
    }

    /// Whether every system is the user's, rather than the first alone.
    pub(super) fn all_are_the_users(&self) -> bool {
        self.sides.len() > 1
    }

    /// The user's systems first; others have the same matrix and right-hand sides from random
    /// solutions.
    pub(super) fn systems(&self, layout: Layout, seed: u64) -> Result<Vec<System>, NoMemory> {
        let mut generator = SplitMix64::new(seed);
        let mut systems = Vec::new();
        for side in &self.sides {
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

/// One right-hand side, or the rows of as many as a layout of several systems holds.
fn read_sides(path: &Path, n: usize, layout: Option<Layout>) -> Result<Vec<Vec<f32>>, io::Error> {
    let several = Layout::Rgba.systems();
    let is_npy = path.extension().is_some_and(|extension| extension == "npy");
    let array = if is_npy { io::npy::read(path)? } else { io::vector::read(path)? };
    let holds_several = array.shape == [several, n];
    if array.data.len() != n && !(holds_several && layout == Some(Layout::Rgba)) {
        let expected = match (holds_several, layout) {
            (true, _) => format!(
                "{n} numbers, one for each unknown of the matrix; {several} right-hand sides are solved at once \
                 with --layout rgba: add it, or give one of them"
            ),
            (false, Some(Layout::Rgba)) => format!(
                "{n} numbers, one for each unknown of the matrix, or with --layout rgba the shape ({several}, {n}): \
                 a right-hand side in each row"
            ),
            (false, _) => format!("{n} numbers, one for each unknown of the matrix"),
        };
        let place = Place::file(path.display().to_string());
        return Err(io::Error::Shape { place, expected, got: array.shape });
    }
    if !holds_several {
        array.one_axis()?;
    }
    array.finite()?;
    if array.rounded {
        note(&format!("note: {}: its 64-bit floats were rounded to 32 bits", path.display()));
    }
    Ok(array.data.chunks(n.max(1)).map(<[f32]>::to_vec).collect())
}
