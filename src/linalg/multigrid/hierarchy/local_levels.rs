//! The levels on one device: of a whole matrix, or of what one of several ranks has of it.

use std::rc::Rc;

use crate::Rectangle;
use crate::linalg::blas1::Blas1;
use crate::linalg::host::multigrid::{Nine, inverse};
use crate::linalg::nine_banded::{self, Coefficients, Operator};

use crate::linalg::multigrid::level::coarsest::direct;
use crate::linalg::multigrid::level::rap::Rows;
use crate::linalg::multigrid::level::smoother::{Setup, Smoothing};
use crate::linalg::multigrid::level::{Level, matrix};
use crate::linalg::multigrid::plan::{LevelPlan, Measures};
use crate::linalg::multigrid::programs::{LevelPrograms, texels};
use crate::linalg::multigrid::{Error, Grid, Options, Result};

/// Levels that are added from the finest on.
pub(crate) struct LocalLevels {
    programs: Rc<LevelPrograms>,
    first: First,
    pub(super) levels: Vec<Level>,
    /// The matrices after the first.
    pub(super) bands: Vec<Grid>,
    /// The inverse of the last level's matrix, once that level has been added.
    pub(super) inverse: Option<Grid>,
    /// The points along x and y of the last matrix.
    points: (usize, usize),
}

/// The owner of the first matrix.
pub(crate) enum First {
    Operator(Rc<Operator>),
    Own(Grid),
}

/// Returns the coefficients of a level that was computed: of nine points each.
fn stored(bands: &Grid) -> Coefficients<'_> {
    Coefficients::Stored { bands, star: false }
}

impl First {
    /// Returns the matrix of a level, where `others` are those after the first.
    fn coefficients<'a>(&'a self, others: &'a [Grid], at: usize) -> Coefficients<'a> {
        match (at.checked_sub(1), self) {
            (Some(before), _) => stored(&others[before]),
            (None, First::Operator(operator)) => operator.coefficients(0),
            (None, First::Own(bands)) => stored(bands),
        }
    }
}

/// Refuses an operator in several textures, and a matrix that is not a grid's.
pub(super) fn must_be_a_grids(operator: &Operator) -> Result<()> {
    if operator.plan().parts().len() != 1 {
        return Err(Error::Panels { grid: operator.plan().to_string() });
    }
    match operator.matrix().couples_across_ends() {
        true => Err(Error::AcrossEnds { width: operator.matrix().m() }),
        false => Ok(()),
    }
}

impl LocalLevels {
    /// Makes a hierarchy without levels yet, for an operator's matrix.
    pub(crate) fn of(operator: &Rc<Operator>) -> Result<LocalLevels> {
        must_be_a_grids(operator)?;
        let shape = operator.plan().shape();
        let points = (shape.width(), shape.height());
        let programs = Rc::new(LevelPrograms::new(operator));
        Ok(LocalLevels::new(programs, First::Operator(Rc::clone(operator)), points))
    }

    pub(in crate::linalg::multigrid) fn new(
        programs: Rc<LevelPrograms>,
        first: First,
        points: (usize, usize),
    ) -> LocalLevels {
        LocalLevels {
            programs,
            first,
            levels: Vec::new(),
            bands: Vec::new(),
            inverse: None,
            points,
        }
    }

    pub(in crate::linalg::multigrid) fn programs(&self) -> &Rc<LevelPrograms> {
        &self.programs
    }

    /// Returns the matrix that the next level will have, or that of the last.
    pub(in crate::linalg::multigrid) fn last_matrix(&self) -> Coefficients<'_> {
        self.coefficients(self.bands.len())
    }

    /// Returns the points along x and y of the matrix that the next level will have.
    pub(crate) fn points(&self) -> (usize, usize) {
        self.points
    }

    /// Computes what a level needs of the rows of its matrix: the reciprocals that sweeps multiply
    /// by, and the rest.
    pub(crate) fn rows(&self) -> Result<(Grid, Rows)> {
        Ok(Rows::of(&self.programs, texels(self.points), self.last_matrix())?)
    }

    /// Returns the measures of that matrix, or of a rectangle of its grid, in texels.
    pub(crate) fn measures(
        &self,
        rows: &Rows,
        blas: &Blas1,
        part: Option<Rectangle>,
    ) -> Result<Measures> {
        Ok(rows.measures(&self.programs, blas, part)?)
    }

    /// Adds a level, and the matrix of the next one unless it is the last: that is inverted.
    pub(crate) fn extend(
        &mut self,
        blas: &Blas1,
        scaling: Grid,
        rows: Rows,
        LevelPlan { coarsening, smoother }: LevelPlan,
        options: &Options,
    ) -> Result<()> {
        let (programs, points) = (&*self.programs, self.points);
        let own = self.last_matrix();
        let setup = Setup { programs, blas, coefficients: own, diagonal: &rows.diagonal, points };
        let smoothing = Smoothing::new(setup, smoother, scaling, options)?;
        let mut level = Level::new(programs, points, smoother, smoothing)?;
        match coarsening {
            Some(coarsening) => {
                let next = level.coarsen(programs, own, &rows, coarsening, options.symmetric)?;
                self.bands.push(next);
                self.points = coarsening.coarse(points);
            }
            None => {
                let own = matrix(programs, points, own)?;
                let inverse = inverse(own.dense(), options.constant_null_space);
                self.inverse = Some(direct(programs, points, &inverse)?);
            }
        }
        self.levels.push(level);
        Ok(())
    }

    /// Returns the levels that were added, from the finest.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns the matrix of a level, which need not be there yet.
    fn coefficients(&self, at: usize) -> Coefficients<'_> {
        self.first.coefficients(&self.bands, at)
    }

    /// Reads the matrix of a level back to the host.
    pub(crate) fn matrix(&self, at: usize) -> Result<Option<Nine>, nine_banded::Error> {
        let Some(level) = self.levels.get(at) else { return Ok(None) };
        matrix(&self.programs, level.points, self.coefficients(at)).map(Some)
    }

    /// Returns a level's iterate.
    pub(crate) fn x(&self, at: usize) -> &Grid {
        &self.levels[at].x
    }

    /// Returns the iterate of a level for writing; it may be replaced by another grid of its
    /// extent.
    pub(crate) fn x_mut(&mut self, at: usize) -> &mut Grid {
        &mut self.levels[at].x
    }

    /// Returns the right-hand side of a level after the first, which need not be there yet.
    pub(crate) fn b(&self, at: usize) -> Option<&Grid> {
        Some(&self.levels.get(at.checked_sub(1)?)?.next.as_ref()?.b)
    }

    /// Returns the right-hand side of a level after the first, for writing.
    pub(crate) fn b_mut(&mut self, at: usize) -> Option<&mut Grid> {
        Some(&mut self.levels.get_mut(at.checked_sub(1)?)?.next.as_mut()?.b)
    }

    /// Runs the sweeps of a half of a cycle on a level; `b` is the first level's right-hand side,
    /// as for all that follows.
    pub(crate) fn smooth(
        &mut self,
        at: usize,
        b: &Grid,
        half: usize,
        from_zero: bool,
    ) -> Result<(), nine_banded::Error> {
        self.on(at, b, |level, programs, matrix, b| {
            level.smooth(programs, matrix, b, half, from_zero)
        })
    }

    /// Solves for b along lines of the finest level along x (0) or y (1) alone, damped.
    pub(crate) fn solve_lines(&mut self, b: &Grid, axis: usize) -> Result<(), nine_banded::Error> {
        self.on(0, b, |level, programs, matrix, b| level.solve_lines(programs, matrix, b, axis))
    }

    /// Sets the next level's right-hand side to the restricted residual of a level.
    pub(crate) fn restrict_residual(
        &mut self,
        at: usize,
        b: &Grid,
    ) -> Result<(), nine_banded::Error> {
        self.on(at, b, |level, programs, matrix, b| level.restrict_residual(programs, matrix, b))
    }

    /// Solves the last level.
    pub(crate) fn solve(&mut self, b: &Grid) -> Result<(), nine_banded::Error> {
        let Some(inverse) = self.inverse.take() else { return Ok(()) };
        let last = self.levels.len() - 1;
        let done = self.on(last, b, |level, programs, _, b| level.solve(programs, &inverse, b));
        self.inverse = Some(inverse);
        done
    }

    /// Adds the interpolation of the next level's iterate to a level's.
    pub(crate) fn add_interpolation(&mut self, at: usize) -> Result<(), nine_banded::Error> {
        let (finer, coarser) = self.levels.split_at_mut(at + 1);
        finer[at].add_interpolation(&self.programs, &coarser[0].x)
    }

    /// Adds the interpolation of a vector of the next level, which other levels have, to a level's
    /// iterate.
    pub(crate) fn add_interpolation_of(
        &mut self,
        at: usize,
        e: &Grid,
    ) -> Result<(), nine_banded::Error> {
        self.levels[at].add_interpolation(&self.programs, e)
    }

    /// Calls with a level, its matrix and its right-hand side.
    fn on(
        &mut self,
        at: usize,
        b: &Grid,
        call: impl FnOnce(
            &mut Level,
            &LevelPrograms,
            Coefficients<'_>,
            &Grid,
        ) -> Result<(), nine_banded::Error>,
    ) -> Result<(), nine_banded::Error> {
        let (finer, rest) = self.levels.split_at_mut(at);
        let own = finer.last().and_then(|level| level.next.as_ref());
        let matrix = self.first.coefficients(&self.bands, at);
        call(&mut rest[0], &self.programs, matrix, own.map_or(b, |next| &next.b))
    }
}
