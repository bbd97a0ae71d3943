//! Sweeps by lines: x + w T^-1 (b - A x), where T has the couplings along one axis, by parallel
//! cyclic reduction.
//!
//! A step adds to each row of a line multiples of the two that are coupled to it, after which the
//! rows at twice the distance are coupled. The multiples depend on the matrix alone and are kept,
//! two numbers of each point for a step. Couplings of rows that are dominated by their diagonals
//! fall with the square of what they were, so steps end where all have become rounding errors.

use crate::Extent;
use crate::grid::Scalar;
use crate::linalg::blas1::Blas1;
use crate::linalg::multigrid::plan::{Axis, LINE_DAMPING};
use crate::linalg::nine_banded::{Coefficients, Result};

use super::iterate::Iterate;
use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::programs::component::{Component, Lines as Of};
use crate::linalg::multigrid::programs::{Inputs, LevelPrograms, Uniforms, size, texels};
use crate::linalg::multigrid::relaxation::Relaxation;

/// The solver of the lines along an axis.
struct Reduction {
    axis: Axis,
    /// The multiples of the rows before and after, for each step.
    steps: Vec<[Grid; 2]>,
    /// The reciprocals of the diagonals after the last step.
    reciprocals: Grid,
}

impl Reduction {
    /// Computes x + w T^-1 r, with r in `spare` of the iterate, or if x is zero w T^-1 b.
    fn relax(
        &self,
        Iterate { programs, b, x, spare, .. }: &mut Iterate<'_>,
        other: &mut Grid,
        from_zero: bool,
    ) -> Result<()> {
        let Some((last, steps)) = self.steps.split_last() else { return Ok(()) };
        let mut first = from_zero.then_some(*b);
        for (step, [lower, upper]) in steps.iter().enumerate() {
            let d = first.take().unwrap_or(spare);
            let inputs = [("d", d), ("lower", lower), ("upper", upper)];
            let by = [("by", self.axis.by(1 << step).into())];
            programs.run(Component::Lines(Of::Elimination), None, &inputs, &by, other)?;
            std::mem::swap(*spare, other);
        }
        let d = first.unwrap_or(spare);
        let [lower, upper] = last;
        let inputs = [
            ("d", d),
            ("lower", lower),
            ("upper", upper),
            ("reciprocals", &self.reciprocals),
            ("x", x),
        ];
        let uniforms = [
            ("by", self.axis.by(1 << steps.len()).into()),
            ("factor", (LINE_DAMPING as f32).into()),
        ];
        let read = if from_zero { &inputs[..4] } else { &inputs };
        programs.run(Component::Lines(Of::Last { from_zero }), None, read, &uniforms, other)?;
        std::mem::swap(*x, other);
        Ok(())
    }
}

/// The axes along which lines are solved, in the first half of a cycle; in the second half the other way round.
const AXES: [Axis; 2] = [Axis::X, Axis::Y];

pub(crate) struct Lines {
    size: Extent,
    /// The solvers of the lines along [`AXES`].
    reductions: [Reduction; 2],
    spare: Grid,
}

impl Lines {
    pub(super) fn new(setup: Setup<'_>) -> Result<Lines> {
        let size = texels(setup.points);
        let [x, y] = AXES.map(|axis| setup.reduction(axis));
        let (reductions, spare) = ([x?, y?], setup.programs.context().uninit(size)?);
        Ok(Lines { size, reductions, spare })
    }

    pub(super) fn smooth(
        &mut self,
        mut iterate: Iterate<'_>,
        half: usize,
        mut from_zero: bool,
    ) -> Result<()> {
        let [x, y] = &self.reductions;
        for reduction in if half == 0 { [x, y] } else { [y, x] } {
            let from_zero = std::mem::replace(&mut from_zero, false);
            if !from_zero {
                let Iterate { programs, coefficients, b, x, spare } = &mut iterate;
                let (inputs, uniforms) = ([("x", &**x), ("b", b)], [("extent", size(self.size))]);
                let component = Component::Relaxation(Relaxation::Residual);
                programs.run(component, Some(*coefficients), &inputs, &uniforms, spare)?;
            }
            reduction.relax(&mut iterate, &mut self.spare, from_zero)?;
        }
        Ok(())
    }

    /// Computes w T^-1 b along one of [`AXES`].
    pub(crate) fn solve(&mut self, mut iterate: Iterate<'_>, axis: usize) -> Result<()> {
        self.reductions[axis].relax(&mut iterate, &mut self.spare, true)
    }

    pub(super) fn sweeps(&self) -> [usize; 2] {
        [self.reductions.len(); 2]
    }
}

/// A level's matrix, and the programs that smooth on it.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    pub(crate) programs: &'a LevelPrograms,
    pub(crate) blas: &'a Blas1,
    pub(crate) coefficients: Coefficients<'a>,
    pub(crate) diagonal: &'a Grid,
    pub(crate) points: (usize, usize),
}

/// The matrices of lines, by their couplings and the sums of rows: these give the diagonals without
/// loss of digits where rows nearly have the sum zero.
struct Tridiagonal {
    lower: Grid,
    upper: Grid,
    sums: Grid,
    /// The reciprocals of the diagonal.
    reciprocals: Grid,
}

impl Setup<'_> {
    fn reduction(&self, axis: Axis) -> Result<Reduction> {
        let mut matrix = self.tridiagonal(axis)?;
        let mut steps = Vec::new();
        loop {
            let distance = 1 << steps.len();
            let factors = self.halve(&mut matrix, axis, distance)?;
            steps.push(factors);
            if 2 * distance as usize >= axis.of(self.points) || !self.remain(&matrix)? {
                return Ok(Reduction { axis, steps, reciprocals: matrix.reciprocals });
            }
        }
    }

    fn tridiagonal(&self, axis: Axis) -> Result<Tridiagonal> {
        let inputs = [("diagonal", self.diagonal)];
        let size = texels(self.points);
        let uniforms = [("size", self::size(size)), ("along", axis.by(1).into())];
        let component = Component::Lines(Of::Entries);
        let [lower, upper, sums, reciprocals] =
            self.programs.run_four(component, Some(self.coefficients), &inputs, &uniforms, size)?;
        Ok(Tridiagonal { lower, upper, sums, reciprocals })
    }

    /// Eliminates the couplings at a distance; returns the factors.
    fn halve(&self, of: &mut Tridiagonal, axis: Axis, distance: i32) -> Result<[Grid; 2]> {
        let by = [("by", axis.by(distance).into())];
        let inputs = [("lower", &of.lower), ("upper", &of.upper), ("reciprocals", &of.reciprocals)];
        let component = Component::Lines(Of::Factors);
        let [before, after, lower, upper] =
            self.programs.run_four(component, None, &inputs, &by, texels(self.points))?;
        let inputs = [("d", &of.sums), ("lower", &before), ("upper", &after)];
        let sums = self.run(Of::Elimination, &inputs, &by)?;
        let inputs =
            [("sums", &sums), ("lower", &lower), ("upper", &upper), ("diagonal", self.diagonal)];
        let reciprocals = self.run(Of::Reciprocals, &inputs, &[])?;
        *of = Tridiagonal { lower, upper, sums, reciprocals };
        Ok([before, after])
    }

    /// Returns whether any coupling is larger than rounding error.
    fn remain(&self, Tridiagonal { lower, upper, reciprocals, .. }: &Tridiagonal) -> Result<bool> {
        let inputs = [("lower", lower), ("upper", upper), ("reciprocals", reciprocals)];
        let places = self.run(Of::Remaining, &inputs, &[])?;
        let mut sum = Scalar::uninit(self.programs.context())?;
        self.blas.grids().sum_panels(std::iter::once(&places), &mut sum)?;
        Ok(sum.read()? > 0.0)
    }

    fn run(&self, of: Of, inputs: &Inputs<'_>, uniforms: &Uniforms<'_>) -> Result<Grid> {
        let mut target = self.programs.context().uninit(texels(self.points))?;
        self.programs.run(Component::Lines(of), None, inputs, uniforms, &mut target)?;
        Ok(target)
    }
}
