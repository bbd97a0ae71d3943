//! One level: its matrix, its smoother, and the way to the next.

use crate::Extent;
use crate::grid::GridShape;
use crate::linalg::blas1::Blas1;
use crate::linalg::nine_banded::Error;
use crate::reference::multigrid::{Coarsening, Nine};

use super::kernels::{Kernels, Of, Relaxation, Task, size};
use super::smoother::{Iterate, Smoothing};
use super::{Grid, Options};

/// The neighbours in the order of the nine numbers, without the point itself.
const NEIGHBOURS: [[i32; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// What a level needs to be smoothed: its vectors have the extent of its grid.
pub(super) struct Level {
    /// Points along x and y.
    pub(super) points: (usize, usize),
    size: Extent,
    smoothing: Smoothing,
    /// The iterate.
    pub(super) x: Grid,
    spare: Grid,
    pub(super) next: Option<Next>,
}

/// The way to the next level.
pub(super) struct Next {
    coarsening: Coarsening,
    size: Extent,
    /// Interpolation, and if it is another its transpose's.
    p: Grid,
    r: Option<Grid>,
    /// The next level's right-hand side.
    pub(super) b: Grid,
}

/// The extent of a grid of points in texels.
pub(super) fn texels((width, height): (usize, usize)) -> Extent {
    GridShape::new(width, height).texels()
}

impl Level {
    pub(super) fn new(
        kernels: &Kernels,
        points: (usize, usize),
        bands: &Grid,
        options: &Options,
    ) -> Result<Level, Error> {
        let size = texels(points);
        let grid = || kernels.context().uninit(size);
        let (mut x, spare) = (grid()?, grid()?);
        let smoothing = Smoothing::new(kernels, bands, size, options)?;
        x.fill([0.0; 4])?;
        Ok(Level { points, size, smoothing, x, spare, next: None })
    }

    /// Makes the matrix of the next level, with the weights that lead there.
    pub(super) fn coarsen(
        &mut self,
        kernels: &Kernels,
        bands: &Grid,
        coarsening: Coarsening,
        symmetric: bool,
    ) -> Result<Grid, Error> {
        let points = coarsening.coarse(self.points);
        let (context, coarse) = (kernels.context(), texels(points));
        let mut diagonal = context.uninit(self.size)?;
        let uniforms = [("size", size(self.size))];
        kernels.run(Task::Diagonal, &[("bands", bands)], &uniforms, &mut diagonal)?;
        let weights = |of| -> Result<Grid, Error> {
            let make = |to: [i32; 2], target: &mut Grid| {
                let uniforms = [
                    ("step_by", step(coarsening)),
                    ("fine_size", size(self.size)),
                    ("neighbour", to.into()),
                    ("width", (points.0 as i32).into()),
                ];
                let inputs = [("bands", bands), ("diagonal", &diagonal)];
                kernels.run(Task::Weights(of), &inputs, &uniforms, target)
            };
            let mut middle = context.uninit(coarse)?;
            middle.fill([1.0; 4])?;
            nine(kernels, coarse, make, middle)
        };
        let (p, r) = match symmetric {
            true => (weights(Of::Matrix)?, None),
            false => (weights(Of::SymmetricPart)?, Some(weights(Of::Transpose)?)),
        };
        let b = context.uninit(coarse)?;
        let mut next = Next { coarsening, size: coarse, p, r, b };
        self.x.fill([0.0; 4])?;
        next.b.fill([1.0; 4])?;
        let sums = self.sums_of_rows(kernels, bands, &next)?;
        let make = |to: [i32; 2], target: &mut Grid| {
            let r = next.r.as_ref().unwrap_or(&next.p);
            let uniforms = [
                ("step_by", step(coarsening)),
                ("fine_size", size(self.size)),
                ("coarse_size", size(coarse)),
                ("neighbour", to.into()),
            ];
            let inputs = [("bands", bands), ("diagonal", &diagonal), ("r", r), ("p", &next.p)];
            kernels.run(Task::Galerkin, &inputs, &uniforms, target)
        };
        let matrix = nine(kernels, coarse, make, sums)?;
        self.next = Some(next);
        Ok(matrix)
    }

    /// R A P times a vector of ones, which is where x is zero and `next.b` one: with A in differences exact where rows have the sum
    /// zero, unlike the sum of the rounded entries of R A P.
    fn sums_of_rows(
        &mut self,
        kernels: &Kernels,
        bands: &Grid,
        next: &Next,
    ) -> Result<Grid, Error> {
        self.prolong(kernels, next, &next.b)?;
        let uniforms = [("owned", size(self.size))];
        let task = Task::Relaxation(Relaxation::Product);
        let inputs = [("bands", bands), ("x", &self.x)];
        kernels.run(task, &inputs, &uniforms, &mut self.spare)?;
        let mut sums = kernels.context().uninit(next.size)?;
        let weights = next.r.as_ref().unwrap_or(&next.p);
        let shape = (next.coarsening, self.size, next.size);
        restrict(kernels, shape, weights, &self.spare, &mut sums)?;
        Ok(sums)
    }

    /// The sweeps of a half of a cycle for A x = b.
    pub(super) fn smooth(
        &mut self,
        kernels: &Kernels,
        bands: &Grid,
        b: &Grid,
        half: usize,
        from_zero: bool,
    ) -> Result<(), Error> {
        let iterate = Iterate { kernels, bands, b, x: &mut self.x, spare: &mut self.spare };
        self.smoothing.smooth(iterate, half, from_zero)
    }

    /// Sets the next level's right-hand side to the restricted residual.
    pub(super) fn descend(
        &mut self,
        kernels: &Kernels,
        bands: &Grid,
        b: &Grid,
    ) -> Result<(), Error> {
        let Some(next) = &mut self.next else { return Ok(()) };
        let inputs = [("x", &self.x), ("b", b), ("bands", bands)];
        let task = Task::Relaxation(Relaxation::Residual);
        kernels.run(task, &inputs, &[("owned", size(self.size))], &mut self.spare)?;
        let weights = next.r.as_ref().unwrap_or(&next.p);
        let shape = (next.coarsening, self.size, next.size);
        restrict(kernels, shape, weights, &self.spare, &mut next.b)
    }

    /// Adds the interpolation of the next level's iterate.
    pub(super) fn ascend(&mut self, kernels: &Kernels, e: &Grid) -> Result<(), Error> {
        let Some(next) = self.next.take() else { return Ok(()) };
        let done = self.prolong(kernels, &next, e);
        self.next = Some(next);
        done
    }

    fn prolong(&mut self, kernels: &Kernels, next: &Next, e: &Grid) -> Result<(), Error> {
        let uniforms = [("step_by", step(next.coarsening)), ("coarse_size", size(next.size))];
        let inputs = [("x", &self.x), ("e", e), ("weights", &next.p)];
        kernels.run(Task::Prolongation, &inputs, &uniforms, &mut self.spare)?;
        std::mem::swap(&mut self.x, &mut self.spare);
        Ok(())
    }

    /// Solves a coarsest level.
    pub(super) fn solve(
        &mut self,
        kernels: &Kernels,
        inverse: &Grid,
        b: &Grid,
    ) -> Result<(), Error> {
        let inputs = [("b", b), ("inverted", inverse)];
        kernels.run(Task::Direct, &inputs, &[("size", size(self.size))], &mut self.x)
    }

    /// The products with this level's matrix in a cycle from zero.
    pub(super) fn products(&self) -> usize {
        self.smoothing.products()
    }
}

/// Restricts x to a target, where the shape is the coarsening and the extents of the fine and the coarse grid.
fn restrict(
    kernels: &Kernels,
    (coarsening, fine, coarse): (Coarsening, Extent, Extent),
    weights: &Grid,
    x: &Grid,
    target: &mut Grid,
) -> Result<(), Error> {
    let uniforms =
        [("step_by", step(coarsening)), ("fine_size", size(fine)), ("coarse_size", size(coarse))];
    kernels.run(Task::Restriction, &[("x", x), ("weights", weights)], &uniforms, target)
}

/// The strengths of couplings along x and along y.
pub(super) fn strengths(
    kernels: &Kernels,
    blas: &Blas1,
    points: (usize, usize),
    bands: &Grid,
) -> Result<(f64, f64), Error> {
    let extent = texels(points);
    let mut target = kernels.context().uninit(extent)?;
    let mut along = |axis: [i32; 2]| -> Result<f64, Error> {
        let uniforms = [("size", size(extent)), ("along", axis.into())];
        kernels.run(Task::Strengths, &[("bands", bands)], &uniforms, &mut target)?;
        let mut sum = crate::grid::Scalar::uninit(kernels.context())?;
        blas.grids().sum_panels(std::iter::once(&target), &mut sum)?;
        Ok(sum.read()?)
    };
    Ok((along([1, 0])?, along([0, 1])?))
}

/// Nine texels for each of a grid's, from a kernel for the neighbours and a texture for the middle.
fn nine(
    kernels: &Kernels,
    size: Extent,
    mut make: impl FnMut([i32; 2], &mut Grid) -> Result<(), Error>,
    middle: Grid,
) -> Result<Grid, Error> {
    let mut grids = Vec::new();
    for neighbour in NEIGHBOURS {
        let mut grid = kernels.context().uninit(size)?;
        make(neighbour, &mut grid)?;
        grids.push(grid);
    }
    grids.insert(4, middle);
    let names: Vec<String> = (0..9).map(|k| format!("band_{k}")).collect();
    let inputs: Vec<_> = names.iter().map(String::as_str).zip(&grids).collect();
    let extent = kernels.places().extent(size.rectangle());
    let mut assembled = kernels.context().uninit(extent)?;
    kernels.run(Task::Assembly, &inputs, &[("size", self::size(size))], &mut assembled)?;
    Ok(assembled)
}

/// A level's matrix on the host.
pub(super) fn matrix(
    kernels: &Kernels,
    points: (usize, usize),
    bands: &Grid,
) -> Result<Nine, Error> {
    let (size, places) = (texels(points), kernels.places());
    let (numbers, width) = (bands.read()?, bands.extent().width);
    let number = |k: u32, x: usize, y: usize| {
        let (column, line) = places.place(k, (x / 4) as u32, y as u32, size.rectangle());
        f64::from(numbers[(line * width + column) as usize][x % 4])
    };
    Ok(Nine::new(points, |x, y, i, j| {
        let (x, y) = (x as usize, y as usize);
        match (3 * (j + 1) + i + 1) as u32 {
            4 => number(4, x, y) - (0..9).filter(|k| *k != 4).map(|k| number(k, x, y)).sum::<f64>(),
            k => number(k, x, y),
        }
    }))
}

fn step(coarsening: Coarsening) -> crate::gl::Value {
    [coarsening.x as i32, coarsening.y as i32].into()
}
