//! The steps from a level to the next: the strengths of couplings, the weights of interpolations,
//! and the matrix R A P.

use crate::grid::Scalar;
use crate::linalg::blas1::Blas1;
use crate::linalg::nine_banded::{Coefficients, Result};
use crate::{Extent, Rectangle};

use crate::linalg::multigrid::Grid;
use crate::linalg::multigrid::plan::{Coarsening, Measures};
use crate::linalg::multigrid::programs::component::Component;
use crate::linalg::multigrid::programs::{Inputs, LevelPrograms, Uniforms, size, texels};
use crate::linalg::multigrid::relaxation::Of;

/// The diagonal and the measures of the rows of a level's matrix.
pub(crate) struct Rows {
    pub(in crate::linalg::multigrid) diagonal: Grid,
    measures: Grid,
}

impl Rows {
    /// Returns the reciprocals that sweeps multiply by, and the rest.
    pub(in crate::linalg::multigrid) fn of(
        programs: &LevelPrograms,
        size: Extent,
        matrix: Coefficients<'_>,
    ) -> Result<(Grid, Rows)> {
        let uniforms = [("size", self::size(size))];
        let component = Component::Rows;
        let grid = || programs.context().uninit(size);
        let targets = [grid()?, grid()?, grid()?];
        let [scaling, diagonal, measures] =
            programs.run_all(component, Some(matrix), &[], &uniforms, targets)?;
        Ok((scaling, Rows { diagonal, measures }))
    }

    /// Returns the sums over the grid, or over a rectangle of it, in texels. Waits for them.
    pub(in crate::linalg::multigrid) fn measures(
        &self,
        programs: &LevelPrograms,
        blas: &Blas1,
        part: Option<Rectangle>,
    ) -> Result<Measures> {
        let mut sum = Scalar::uninit(programs.context())?;
        match part {
            None => blas.grids().sum_panels(std::iter::once(&self.measures), &mut sum)?,
            Some(part) => {
                let copy = programs.context().uninit(Extent::new(part.width, part.height))?;
                copy.copy_part(copy.extent().rectangle(), &self.measures, part)?;
                blas.grids().sum_panels(std::iter::once(&copy), &mut sum)?;
            }
        }
        let [x, y, one_sided, _] = sum.parts()?;
        Ok(Measures { strengths: (x, y), one_sided })
    }
}

/// The operands of the product R A P.
pub(crate) struct Rap<'a> {
    pub(crate) programs: &'a LevelPrograms,
    pub(crate) coefficients: Coefficients<'a>,
    pub(crate) rows: &'a Rows,
    pub(crate) coarsening: Coarsening,
    /// The extent of the fine grid in texels.
    pub(crate) size: Extent,
    /// The points of the coarse grid along x and y.
    pub(crate) points: (usize, usize),
}

impl Rap<'_> {
    /// Returns the weights of an interpolation: nine texels for each one of the coarse grid.
    pub(super) fn weights(&self, of: Of) -> Result<Grid> {
        let coarse = texels(self.points);
        let run = |on_diagonals: bool| {
            let component = Component::Weights { of, coarsening: self.coarsening };
            let width = ("width", (self.points.0 as i32).into());
            self.run_four(component, &[], &[width, ("on_diagonals", on_diagonals.into())])
        };
        let [right, left, above, below] = run(false)?;
        let [lower_left, lower_right, upper_left, upper_right] = run(true)?;
        let mut middle = self.programs.context().uninit(coarse)?;
        middle.fill([1.0; 4])?;
        let all = [
            &lower_left,
            &below,
            &lower_right,
            &left,
            &middle,
            &right,
            &upper_left,
            &above,
            &upper_right,
        ];
        self.assembled(&all, false)
    }

    /// Returns the bands of R A P, of which the sums of rows are given.
    pub(crate) fn matrix(&self, [r, p]: [&Grid; 2], symmetric: bool, sums: Grid) -> Result<Grid> {
        let run = |side: i32| {
            let component = Component::Galerkin(self.coarsening);
            let coarse = ("coarse_size", size(texels(self.points)));
            self.run_four(component, &[("r", r), ("p", p)], &[coarse, ("side", side.into())])
        };
        let [right, upper_left, above, upper_right] = run(1)?;
        let upper = [&sums, &right, &upper_left, &above, &upper_right];
        if symmetric {
            return self.assembled(&upper, true);
        }
        let [left, lower_right, below, lower_left] = run(-1)?;
        let lower = [&lower_left, &below, &lower_right, &left];
        self.assembled(&[lower.as_slice(), &upper].concat(), false)
    }

    /// Computes four numbers of each point of the coarse grid.
    fn run_four(
        &self,
        component: Component,
        others: &Inputs<'_>,
        uniforms: &Uniforms<'_>,
    ) -> Result<[Grid; 4]> {
        let inputs = [&[("diagonal", &self.rows.diagonal)], others].concat();
        let own = [("fine_size", size(self.size)), ("targets", 4.into())];
        let uniforms = [&own, uniforms].concat();
        let (matrix, coarse) = (Some(self.coefficients), texels(self.points));
        self.programs.run_four(component, matrix, &inputs, &uniforms, coarse)
    }

    /// Assembles nine texels for each of a grid's, from nine grids or the last five.
    fn assembled(&self, grids: &[&Grid], symmetric: bool) -> Result<Grid> {
        const NAMES: [&str; 9] = [
            "band_0", "band_1", "band_2", "band_3", "band_4", "band_5", "band_6", "band_7",
            "band_8",
        ];
        let names = &NAMES[NAMES.len() - grids.len()..];
        let inputs: Vec<_> = names.iter().copied().zip(grids.iter().copied()).collect();
        let coarse = texels(self.points);
        let extent = self.programs.places().extent(coarse.rectangle());
        let mut assembled = self.programs.context().uninit(extent)?;
        let component = Component::Assembly { symmetric };
        self.programs.run(component, None, &inputs, &[("size", size(coarse))], &mut assembled)?;
        Ok(assembled)
    }
}
