//! The sources of a matrix on a grid, of which a rank makes or reads its part alone.

use std::ops::Range;
use std::path::{Path, PathBuf};

use quadrille::cluster::{Partition, checkpoint};
use quadrille::data::{self, Block, Faces, NineBanded, Stencil};
use quadrille::io::matrix_market::{self, Outline};
use quadrille::io::npy::Reader;
use quadrille::{NoMemory, Place, Shape, io, memory};

use super::vectors::{Real, of_block, part_of};

/// A matrix on a grid, of which each rank has a part.
pub(crate) enum Source {
    Stencil(Stencil),
    /// A Matrix Market file.
    File {
        path: PathBuf,
        outline: Outline,
    },
    /// -div(k grad u), with k in a NumPy file.
    Coefficient {
        path: PathBuf,
        shape: Shape,
    },
    /// The same with those between neighbours along x and along y.
    Faces {
        paths: [PathBuf; 2],
        shape: Shape,
    },
}

impl Source {
    /// Reads all of a file that is to be known before it is cut.
    pub(crate) fn file(path: &Path, width: Option<usize>) -> io::Result<Source> {
        let outline = matrix_market::outline(path, width)?;
        Ok(Source::File { path: path.to_path_buf(), outline })
    }

    /// Opens a file of coefficients.
    pub(crate) fn coefficient(path: &Path) -> io::Result<Source> {
        Ok(Source::Coefficient { path: path.to_path_buf(), shape: shape_of(path)? })
    }

    /// Opens files of coefficients between neighbours along x and along y.
    pub(crate) fn faces(paths: [&Path; 2]) -> io::Result<Source> {
        let paths = paths.map(Path::to_path_buf);
        let shape = Faces::grid(shape_of(&paths[0])?, shape_of(&paths[1])?);
        let shape = shape.map_err(|reason| bad(&paths, reason))?;
        Ok(Source::Faces { paths, shape })
    }

    pub(crate) fn name(&self) -> String {
        let of_file =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match self {
            Source::Stencil(stencil) => stencil.to_string(),
            Source::File { path, .. } => of_file(path),
            Source::Coefficient { path, .. } => format!("diffusion by {}", of_file(path)),
            Source::Faces { paths: [x, y], .. } => {
                format!("diffusion by {} and {}", of_file(x), of_file(y))
            }
        }
    }

    /// The unknowns, and those of a row of the grid.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Source::Stencil(stencil) => {
                let (width, height) = stencil.grid();
                (width.saturating_mul(height), width)
            }
            Source::File { outline, .. } => (outline.n, outline.m),
            Source::Coefficient { shape, .. } | Source::Faces { shape, .. } => {
                (shape.rows.saturating_mul(shape.cols), shape.cols)
            }
        }
    }

    pub(crate) fn couples_across_ends(&self) -> bool {
        matches!(self, Source::File { outline, .. } if outline.couples_across_ends)
    }

    fn block<T: Real>(&self, block: &Block) -> anyhow::Result<NineBanded<T>> {
        Ok(match self {
            Source::Stencil(stencil) => T::of_stencil(stencil, block)?,
            Source::File { path, outline } => T::of_file(path, outline, block)?,
            Source::Coefficient { path, shape } => {
                let (n, m) = self.size();
                let (numbers, _) = Reader::open(path)?.block_f64(&block.grown(1, n, m), n, m)?;
                let made = data::diffusion_block(*shape, block, numbers).and_then(T::of_double);
                made.map_err(|reason| bad(std::slice::from_ref(path), reason))?
            }
            Source::Faces { paths, shape } => {
                let Block { columns, rows } = block.clone();
                let of_x = Block { columns: columns.start..columns.end + 1, rows: rows.clone() };
                let of_y = Block { columns, rows: rows.start..rows.end + 1 };
                let read = |path: &Path, block: &Block, down: usize, across: usize| {
                    let (numbers, _) =
                        Reader::open(path)?.block_f64(block, down * across, across)?;
                    io::Result::Ok(numbers.into())
                };
                let x = read(&paths[0], &of_x, shape.rows, shape.cols + 1)?;
                let y = read(&paths[1], &of_y, shape.rows + 1, shape.cols)?;
                let made = data::diffusion_by_faces_block(*shape, block, Faces { x, y });
                made.and_then(T::of_double).map_err(|reason| bad(paths, reason))?
            }
        })
    }
}

/// Returns the shape of a file of coefficients.
fn shape_of(path: &Path) -> io::Result<Shape> {
    let expected = "a .npy array of two axes, of which each rank reads a part: a coefficient at each point, or at each face";
    match *Reader::open(path)?.shape() {
        [rows, cols] => Ok(Shape::new(rows, cols)),
        ref other => {
            let place = Place::file(path.display().to_string());
            Err(io::Error::Shape { place, expected: expected.into(), got: other.to_vec() })
        }
    }
}

/// Coefficients in files that no matrix has.
fn bad(paths: &[PathBuf], reason: data::Error) -> io::Error {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    io::Error::Data { place: Place::file(paths.join(", ")), reason: reason.into() }
}

/// The part of a matrix that a rank stores, and what is around it.
pub(crate) struct Part<T: Real> {
    pub(crate) matrix: NineBanded<T>,
    pub(crate) stored: Block,
    owned: Block,
    /// The block that couplings of the stored part reach, and those couplings reach in turn.
    reached: Block,
    around: NineBanded<T>,
    size: (usize, usize),
}

/// A coupling reaches a row and a number further, or across the end of a row another row.
const REACH: usize = 2;

/// A right-hand side where a rank stores it, and the solution that it was made from where the rank
/// owns that.
pub(crate) struct Known<T> {
    pub(crate) side: Vec<f64>,
    pub(crate) solution: Vec<T>,
}

impl<T: Real> Part<T> {
    pub(crate) fn load(
        source: &Source,
        partition: &Partition,
        rank: usize,
    ) -> anyhow::Result<Part<T>> {
        let size = partition.size();
        let (stored, owned) = (partition.stored(rank), partition.owned(rank));
        let reached = stored.grown(REACH, size.0, size.1);
        let around: NineBanded<T> = source.block(&reached)?;
        let matrix = around.block(&stored.within(&reached))?;
        Ok(Part { matrix, stored, owned, reached, around, size })
    }

    /// Returns the digest of the rows that this rank owns.
    pub(crate) fn digest(&self) -> u64 {
        let (n, m) = self.size;
        checkpoint::of_matrix(&self.matrix, &self.stored, &self.owned, n, m)
    }

    /// A x for a known x, of which a function has the numbers in a range, in double precision.
    pub(crate) fn known<I: Iterator<Item = T>>(
        &self,
        numbers: impl Fn(Range<usize>) -> I,
    ) -> Result<Known<T>, NoMemory> {
        let x = of_block(&self.reached, self.size, numbers);
        let exact = memory::collected(x.len(), x.iter().map(|x| (*x).into()))?;
        let mut product = memory::zeroed(x.len())?;
        self.around.add_product(&exact, &mut product);
        let side = part_of(&self.stored, &self.reached, self.size, &product);
        Ok(Known { side, solution: part_of(&self.owned, &self.reached, self.size, &x) })
    }
}
