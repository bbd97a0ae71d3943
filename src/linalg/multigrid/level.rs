//! A level of a hierarchy: its matrix, its smoother, and the transfer to the next level.

pub(super) mod bands;
pub(super) mod coarsest;
pub(super) mod rap;
pub(super) mod smoother;

use crate::Extent;
use crate::linalg::host::multigrid::Nine;
use crate::linalg::multigrid::plan::Coarsening;
use crate::linalg::nine_banded::{Coefficients, Result};

use super::programs::component::Component;
use super::programs::{LevelPrograms, size, texels};
use super::relaxation::{Of, Relaxation};
use super::{Grid, Smoother};
use rap::{Rap, Rows};
use smoother::{Iterate, Smoothing};

/// A level: its smoother, the iterate and the way to the next level. All vectors have the extent of
/// its grid.
pub(crate) struct Level {
    /// Points along x and y.
    pub(super) points: (usize, usize),
    size: Extent,
    pub(super) smoother: Smoother,
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

impl Next {
    /// Makes the way from a level of these points, by the weights of an interpolation, and of another whose transpose restricts.
    pub(super) fn new(
        programs: &LevelPrograms,
        coarsening: Coarsening,
        points: (usize, usize),
        (p, r): (Grid, Option<Grid>),
    ) -> Result<Next> {
        let size = texels(coarsening.coarse(points));
        Ok(Next { coarsening, size, p, r, b: programs.context().uninit(size)? })
    }
}

impl Level {
    pub(super) fn new(
        programs: &LevelPrograms,
        points: (usize, usize),
        smoother: Smoother,
        smoothing: Smoothing,
    ) -> Result<Level> {
        let size = texels(points);
        let grid = || programs.context().uninit(size);
        let (x, spare) = (grid()?, grid()?);
        Ok(Level { points, size, smoother, smoothing, x, spare, next: None })
    }

    /// Makes the matrix of the next level, with the weights that lead there.
    pub(super) fn coarsen(
        &mut self,
        programs: &LevelPrograms,
        coefficients: Coefficients<'_>,
        rows: &Rows,
        coarsening: Coarsening,
        symmetric: bool,
    ) -> Result<Grid> {
        let points = coarsening.coarse(self.points);
        let from = Rap { programs, coefficients, rows, coarsening, size: self.size, points };
        let (p, r) = match symmetric {
            true => (from.weights(Of::Matrix)?, None),
            false => (from.weights(Of::SymmetricPart)?, Some(from.weights(Of::Transpose)?)),
        };
        let mut next = Next::new(programs, coarsening, self.points, (p, r))?;
        self.x.fill([0.0; 4])?;
        next.b.fill([1.0; 4])?;
        let sums = self.sums_of_rows(programs, coefficients, &next)?;
        let matrix = from.matrix([next.r.as_ref().unwrap_or(&next.p), &next.p], symmetric, sums)?;
        self.next = Some(next);
        Ok(matrix)
    }

    /// Computes R A P times a vector of ones, which is where x is zero and `next.b` one: with A in
    /// differences exact where rows have the sum zero, unlike the sum of the rounded entries of R A
    /// P.
    fn sums_of_rows(
        &mut self,
        programs: &LevelPrograms,
        coefficients: Coefficients<'_>,
        next: &Next,
    ) -> Result<Grid> {
        self.prolong(programs, next, &next.b)?;
        let uniforms = [("extent", size(self.size))];
        let component = Component::Relaxation(Relaxation::Product);
        programs.run(
            component,
            Some(coefficients),
            &[("x", &self.x)],
            &uniforms,
            &mut self.spare,
        )?;
        let mut sums = programs.context().uninit(next.size)?;
        let weights = next.r.as_ref().unwrap_or(&next.p);
        restrict(programs, next.coarsening, self.size, next.size, weights, &self.spare, &mut sums)?;
        Ok(sums)
    }

    /// Runs the sweeps of a half of a cycle for A x = b.
    pub(super) fn smooth(
        &mut self,
        programs: &LevelPrograms,
        coefficients: Coefficients<'_>,
        b: &Grid,
        half: usize,
        from_zero: bool,
    ) -> Result<()> {
        let iterate = Iterate { programs, coefficients, b, x: &mut self.x, spare: &mut self.spare };
        self.smoothing.smooth(iterate, half, from_zero)
    }

    /// Solves for b along lines of an axis alone, damped: nothing where points smooth.
    pub(super) fn solve_lines(
        &mut self,
        programs: &LevelPrograms,
        coefficients: Coefficients<'_>,
        b: &Grid,
        axis: usize,
    ) -> Result<()> {
        let iterate = Iterate { programs, coefficients, b, x: &mut self.x, spare: &mut self.spare };
        match &mut self.smoothing {
            Smoothing::Lines(lines) => lines.solve(iterate, axis),
            Smoothing::Points(_) => Ok(()),
        }
    }

    /// Sets the next level's right-hand side to the restricted residual.
    pub(super) fn restrict_residual(
        &mut self,
        programs: &LevelPrograms,
        coefficients: Coefficients<'_>,
        b: &Grid,
    ) -> Result<()> {
        let Some(next) = &mut self.next else { return Ok(()) };
        let (inputs, uniforms) = ([("x", &self.x), ("b", b)], [("extent", size(self.size))]);
        let component = Component::Relaxation(Relaxation::Residual);
        programs.run(component, Some(coefficients), &inputs, &uniforms, &mut self.spare)?;
        let weights = next.r.as_ref().unwrap_or(&next.p);
        restrict(programs, next.coarsening, self.size, next.size, weights, &self.spare, &mut next.b)
    }

    /// Adds the interpolation of the next level's iterate.
    pub(super) fn add_interpolation(&mut self, programs: &LevelPrograms, e: &Grid) -> Result<()> {
        let Some(next) = self.next.take() else { return Ok(()) };
        let done = self.prolong(programs, &next, e);
        self.next = Some(next);
        done
    }

    fn prolong(&mut self, programs: &LevelPrograms, next: &Next, e: &Grid) -> Result<()> {
        let inputs = [("x", &self.x), ("e", e), ("weights", &next.p)];
        let uniforms = [("coarse_size", size(next.size))];
        let component = Component::Prolongation(next.coarsening);
        programs.run(component, None, &inputs, &uniforms, &mut self.spare)?;
        std::mem::swap(&mut self.x, &mut self.spare);
        Ok(())
    }

    /// Solves a coarsest level.
    pub(super) fn solve(
        &mut self,
        programs: &LevelPrograms,
        inverse: &Grid,
        b: &Grid,
    ) -> Result<()> {
        let inputs = [("b", b), ("inverted", inverse)];
        programs.run(Component::Direct, None, &inputs, &[("size", size(self.size))], &mut self.x)
    }

    /// Returns the sweeps in both halves of a cycle.
    pub(super) fn sweeps(&self) -> [usize; 2] {
        self.smoothing.sweeps()
    }
}

/// Restricts x to a target, by this coarsening of a grid of the extent `fine` to one of `coarse`.
fn restrict(
    programs: &LevelPrograms,
    coarsening: Coarsening,
    fine: Extent,
    coarse: Extent,
    weights: &Grid,
    x: &Grid,
    target: &mut Grid,
) -> Result<()> {
    let uniforms = [("fine_size", size(fine)), ("coarse_size", size(coarse))];
    let inputs = [("x", x), ("weights", weights)];
    programs.run(Component::Restriction(coarsening), None, &inputs, &uniforms, target)
}

/// Returns a level's matrix on the host.
pub(super) fn matrix(
    programs: &LevelPrograms,
    points: (usize, usize),
    coefficients: Coefficients<'_>,
) -> Result<Nine> {
    let bands = match coefficients {
        Coefficients::Stored { bands, .. } => bands,
        Coefficients::Constant(numbers) => {
            let entry =
                |x, y, i, j| numbers.entry((3 * (j + 1) + i + 1) as usize, x as usize, y as usize);
            return Ok(Nine::new(points, |x, y, i, j| f64::from(entry(x, y, i, j))));
        }
    };
    let (size, places) = (texels(points), programs.places());
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
