//! The system to solve: the matrix, its name, and right-hand sides.

use quadrille::data::{self, Faces, Field, Grid3, GridMatrix, SystemMatrix, Values};
use quadrille::{NoMemory, Place, Shape, io, memory};
use quadrille_lab::solve::known;

use super::arguments::{Arguments, SideFiles};
use super::grid::GridSize;
use crate::prelude::*;

pub(super) struct System {
    pub(super) name: String,
    pub(super) matrix: SystemMatrix,
    pub(super) sides: Vec<Side>,
}

/// A right-hand side.
pub(super) struct Side {
    pub(super) name: String,
    pub(super) numbers: Vec<f64>,
    /// The shape in which x is written.
    pub(super) shape: Vec<usize>,
    /// What the iteration starts from, if not from zeros.
    pub(super) start: Option<Vec<f64>>,
    /// The solution that it was computed from, if any.
    pub(super) solution: Option<Vec<f64>>,
}

impl System {
    pub(super) fn load(arguments: &Arguments) -> anyhow::Result<System> {
        let (name, matrix) = matrix(arguments)?;
        let (n, grid) = (matrix.n(), matrix.grid_shape());
        let side = |SideFiles { b, x0 }: SideFiles<'_>| -> anyhow::Result<Side> {
            let side = match b {
                None => seeded(&matrix, arguments.seed)?,
                Some(path) => {
                    let (shape, numbers) = array_of(path, n, grid.as_deref())?;
                    let name = path.display().to_string();
                    Side { name, numbers, shape, start: None, solution: None }
                }
            };
            let start = x0.map(|path| array_of(path, n, grid.as_deref())).transpose()?;
            Ok(Side { start: start.map(|(_, numbers)| numbers), ..side })
        };
        let sides = arguments.sides()?.into_iter().map(side).collect::<anyhow::Result<_>>()?;
        Ok(System { name, matrix, sides })
    }
}

fn matrix(arguments: &Arguments) -> anyhow::Result<(String, SystemMatrix)> {
    let of_file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(match (&arguments.stencil, &arguments.coefficient[..], &arguments.matrix) {
        (Some(stencil), ..) => (stencil.to_string(), stencil.system()?),
        (None, [path], _) => {
            let matrix = match coefficients_of_points(path)? {
                (Points::Plane(shape), k) => data::diffusion(shape, k).map(SystemMatrix::from),
                (Points::Space(grid), k) => GridMatrix::diffusion(grid, &k).map(SystemMatrix::from),
            };
            let refused =
                |reason: data::Error| io::Error::Data { place: file(path), reason: reason.into() };
            (format!("diffusion by {}", of_file(path)), matrix.map_err(refused)?)
        }
        (None, [along_x, along_y, ..], _) => {
            let ((x_shape, x), (y_shape, y)) = (coefficients(along_x)?, coefficients(along_y)?);
            let matrix = Faces::grid(x_shape, y_shape).and_then(|shape| {
                data::diffusion_by_faces(shape, Faces { x: x.into(), y: y.into() })
            });
            let place = || Place::file(format!("{}, {}", along_x.display(), along_y.display()));
            let matrix = matrix
                .map_err(|reason| io::Error::Data { place: place(), reason: reason.into() })?;
            (format!("diffusion by {} and {}", of_file(along_x), of_file(along_y)), matrix.into())
        }
        (None, [], path) => {
            let path = path.as_deref().unwrap_or(Path::new(""));
            let matrix = match arguments.grid {
                Some(GridSize(grid)) => io::matrix_market::read_grid(path, grid)?.into(),
                None => io::matrix_market::read_system(path, arguments.width)?,
            };
            (of_file(path), matrix)
        }
    })
}

/// The points that coefficients belong to.
enum Points {
    Plane(Shape),
    Space(Grid3),
}

/// A coefficient at each point, of two dimensions or of three.
fn coefficients_of_points(path: &Path) -> Result<(Points, Vec<f64>), io::Error> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy")) {
        let array = io::npy::read_f64(path)?;
        if let [z, y, x] = array.shape[..] {
            let refused =
                |reason: data::Error| io::Error::Data { place: file(path), reason: reason.into() };
            return Ok((Points::Space(Grid3::new(x, y, z).map_err(refused)?), array.data));
        }
    }
    coefficients(path).map(|(shape, k)| (Points::Plane(shape), k))
}

/// A coefficient at each point: an array of two axes, or a grey picture, whose numbers are 0 to 1.
fn coefficients(path: &Path) -> Result<(Shape, Vec<f64>), io::Error> {
    let expected = "an array of two axes, or a picture of one channel: a coefficient at each point";
    let refused = |got| io::Error::Shape { place: file(path), expected: expected.into(), got };
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy")) {
        let array = io::npy::read_f64(path)?;
        return match array.shape[..] {
            [rows, cols] => Ok((Shape::new(rows, cols), array.data)),
            _ => Err(refused(array.shape)),
        };
    }
    let (picture, _) = quadrille_run::io::field::read(path)?;
    let (extent, shape) = (picture.extent(), picture.shape());
    match (picture.channels(), Field::into_values(picture)) {
        (1, Values::F32(values)) => {
            let shape = Shape::new(extent.height as usize, extent.width as usize);
            let wide = memory::collected(values.len(), values.into_iter().map(f64::from));
            Ok((shape, wide.map_err(|lack| no_memory(path, lack))?))
        }
        _ => Err(refused(shape)),
    }
}

/// A side whose solution is known.
fn seeded(matrix: &SystemMatrix, seed: u64) -> Result<Side, NoMemory> {
    let (solution, numbers) = known(matrix, seed)?;
    let name = format!("A x for a random x (seed {seed})");
    let shape = vec![numbers.len()];
    Ok(Side { name, numbers, shape, start: None, solution: Some(solution) })
}

/// Reads a number for each unknown: an array of one axis, or of those of the grid; returns the shape in which x is written.
fn array_of(path: &Path, n: usize, grid: Option<&[usize]>) -> io::Result<(Vec<usize>, Vec<f64>)> {
    let array = io::vector::read_array_f64(path)?;
    if array.data.len() == n && array.one_axis().is_ok() {
        return Ok((vec![n], array.data));
    }
    if grid == Some(&array.shape[..]) {
        return Ok((array.shape, array.data));
    }
    let expected = match grid {
        Some(grid) => {
            format!("{n} numbers, one for each unknown of the matrix, or the grid's shape {grid:?}")
        }
        None => format!("{n} numbers, one for each unknown of the matrix"),
    };
    Err(io::Error::Shape { place: file(path), expected, got: array.shape })
}

fn file(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

fn no_memory(path: &Path, lack: NoMemory) -> io::Error {
    io::Error::Data { place: file(path), reason: Box::new(lack.into()) }
}
