//! Levels and cycles.

use super::{Nine, galerkin, interpolation, inverse, prolong, restrict};
use super::{lines::lines, points::jacobi};
use crate::linalg::multigrid::Smoother;
use crate::linalg::multigrid::plan::{Axis, Coarsening, LevelPlan};

/// What is decided for the levels of a matrix.
pub struct Decisions<'a> {
    /// The plan of a level, by its matrix and whether it is the finest.
    pub level: &'a dyn Fn(&Nine, bool) -> LevelPlan,
    /// The damping of the sweeps by points in each half of a cycle.
    pub points: [f64; 2],
    /// The damping of sweeps by lines.
    pub lines: f64,
}

pub(crate) struct Level {
    pub(crate) a: Nine,
    /// The coarsening to the next level; `None` on the last.
    pub(crate) coarsening: Option<Coarsening>,
    pub(crate) p: Nine,
    pub(crate) r: Nine,
    pub(crate) smoother: Smoother,
}

/// A matrix on its levels.
pub struct Hierarchy {
    levels: Vec<Level>,
    /// The inverse of the last level's matrix.
    pub(crate) inverse: Vec<f64>,
    points: [f64; 2],
    lines: f64,
}

impl Hierarchy {
    /// Returns the levels of a matrix. For a nonsymmetric one the interpolation comes from its
    /// symmetric part, and restriction from its transpose (Dendy 1983). `singular` says that the
    /// constants are its null space.
    pub fn new(
        a: Nine,
        is_symmetric: bool,
        singular: bool,
        decisions: &Decisions<'_>,
    ) -> Hierarchy {
        let mut levels = Vec::new();
        let mut next = Some(a);
        while let Some(a) = next.take() {
            let LevelPlan { coarsening, smoother } = (decisions.level)(&a, levels.is_empty());
            let (p, r) = coarsening.map_or_else(Default::default, |coarsening| {
                if is_symmetric {
                    let p = interpolation(&a, coarsening);
                    return (p.clone(), p);
                }
                let (p, r) = (a.symmetric_part(), a.transposed());
                (interpolation(&p, coarsening), interpolation(&r, coarsening))
            });
            next = coarsening.map(|coarsening| galerkin(&r, &a, &p, coarsening));
            levels.push(Level { a, coarsening, p, r, smoother });
        }
        let inverse = levels.last().map_or(Vec::new(), |last| inverse(last.a.dense(), singular));
        Hierarchy { levels, inverse, points: decisions.points, lines: decisions.lines }
    }

    /// Returns the levels, from the finest.
    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let smoothed = self.levels.iter().filter(|level| level.coarsening.is_some());
        smoothed.map(|level| level.smoother).collect()
    }

    /// Returns the extents of the levels, from the finest.
    pub fn extents(&self) -> Vec<(usize, usize)> {
        self.levels.iter().map(|level| level.a.extent()).collect()
    }

    /// Returns the matrix of a level.
    pub fn matrix(&self, level: usize) -> Option<&Nine> {
        Some(&self.levels.get(level)?.a)
    }

    /// Improves x by a cycle for A x = b.
    pub fn improve(&self, b: &[f64], x: &mut [f64]) {
        self.run_cycle(0, b, x);
    }

    /// Runs a cycle from x = 0, which is an approximate inverse times b.
    pub fn apply(&self, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        self.improve(b, &mut x);
        x
    }

    fn run_cycle(&self, at: usize, b: &[f64], x: &mut [f64]) {
        let Some(level) = self.levels.get(at) else { return };
        let Some(coarsening) = level.coarsening else {
            for (x, row) in x.iter_mut().zip(self.inverse.chunks(b.len())) {
                *x = row.iter().zip(b).map(|(a, b)| a * b).sum();
            }
            return;
        };
        let smoothed = |x: &mut [f64], second: bool| self.smooth(level, b, x, second);
        smoothed(x, false);
        let extent = level.a.extent();
        let coarse_b = restrict(&level.r, coarsening, extent, &level.a.residual(b, x));
        let mut e = vec![0.0; coarse_b.len()];
        self.run_cycle(at + 1, &coarse_b, &mut e);
        let correction = prolong(&level.p, coarsening, extent, &e);
        x.iter_mut().zip(correction).for_each(|(x, e)| *x += e);
        smoothed(x, true);
    }

    /// Runs the sweeps of a half of a cycle.
    fn smooth(&self, level: &Level, b: &[f64], x: &mut [f64], second: bool) {
        let a = &level.a;
        match level.smoother {
            Smoother::Jacobi => self.points.iter().for_each(|w| jacobi(a, *w, b, x)),
            Smoother::LineJacobi => {
                let axes = if second { [Axis::Y, Axis::X] } else { [Axis::X, Axis::Y] };
                axes.into_iter().for_each(|axis| lines(a, axis, self.lines, b, x));
            }
        }
    }
}
