//! Levels and cycles.

use super::{
    Axis, CoarsenAlong, Coarsening, LINE_DAMPING, Nine, Smoother, damping, galerkin, interpolation,
    inverse, jacobi, lines, one_sided, prolong, restrict, strengths, suits,
};

/// A level with no more points than these is solved by its inverse.
pub const COARSEST: usize = 256;

/// The order in which levels are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Cycle {
    /// Each level once on the way down and once on the way up.
    #[default]
    V,
    /// A cycle of this kind and then a V cycle of the next level for one of a level.
    F,
}

struct Level {
    a: Nine,
    /// The coarsening to the next level; `None` on the last.
    coarsening: Option<Coarsening>,
    p: Nine,
    r: Nine,
    smoother: Smoother,
}

/// A matrix on its levels.
pub struct Hierarchy {
    levels: Vec<Level>,
    /// The inverse of the last level's matrix.
    inverse: Vec<f64>,
    /// The damping of Jacobi's sweeps.
    damping: [f64; 2],
    cycle: Cycle,
    /// Whether the second half of a cycle is the first one reversed, as conjugate gradients need.
    symmetric: bool,
}

impl Hierarchy {
    /// Returns the levels of a matrix. For a nonsymmetric one the interpolation comes from its
    /// symmetric part, and restriction from its transpose (Dendy 1983). `singular` says that the
    /// constants are its null space.
    pub fn new(a: Nine, is_symmetric: bool, singular: bool) -> Hierarchy {
        Hierarchy::coarsened(a, CoarsenAlong::Strong, is_symmetric, singular)
    }

    /// Makes the levels of a matrix, which become coarser along these axes.
    pub fn coarsened(
        a: Nine,
        along: CoarsenAlong,
        is_symmetric: bool,
        singular: bool,
    ) -> Hierarchy {
        let mut levels = Vec::new();
        let mut next = Some(a);
        while let Some(a) = next.take() {
            let (width, height) = a.extent();
            let coarsening = match along {
                _ if width * height <= COARSEST => None,
                CoarsenAlong::Strong => Coarsening::of((width, height), strengths(&a)),
                CoarsenAlong::Both => Coarsening::full((width, height)),
            };
            let (p, r) = coarsening.map_or_else(Default::default, |coarsening| {
                if is_symmetric {
                    let p = interpolation(&a, coarsening);
                    return (p.clone(), p);
                }
                let (p, r) = (a.symmetric_part(), a.transposed());
                (interpolation(&p, coarsening), interpolation(&r, coarsening))
            });
            next = coarsening.map(|coarsening| galerkin(&r, &a, &p, coarsening));
            let smoother = match coarsening {
                Some(both) if both.x == both.y => suits(one_sided(&a), levels.is_empty()),
                _ => Smoother::Jacobi,
            };
            levels.push(Level { a, coarsening, p, r, smoother });
        }
        let inverse = levels.last().map_or(Vec::new(), |last| inverse(last.a.dense(), singular));
        Hierarchy {
            levels,
            inverse,
            damping: damping(is_symmetric),
            cycle: Cycle::V,
            symmetric: true,
        }
    }

    /// Sets the smoother of all levels.
    pub fn smoother(mut self, smoother: Smoother) -> Hierarchy {
        self.levels.iter_mut().for_each(|level| level.smoother = smoother);
        self
    }

    /// Returns the smoothers of the levels, from the finest, without the last.
    pub fn smoothers(&self) -> Vec<Smoother> {
        let smoothed = self.levels.iter().filter(|level| level.coarsening.is_some());
        smoothed.map(|level| level.smoother).collect()
    }

    /// Sets the cycle.
    pub fn cycle(self, cycle: Cycle) -> Hierarchy {
        Hierarchy { cycle, ..self }
    }

    /// Runs the second half of a cycle in the same order as the first.
    pub fn unsymmetric(self) -> Hierarchy {
        Hierarchy { symmetric: false, ..self }
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
        self.run_cycle(0, self.cycle, b, x);
    }

    /// Runs a cycle from x = 0, which is an approximate inverse times b.
    pub fn apply(&self, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        self.improve(b, &mut x);
        x
    }

    /// Returns an approximate solution of A x = b by full multigrid: solutions of the coarser
    /// levels are interpolated and improved by a cycle.
    pub fn start(&self, b: &[f64]) -> Vec<f64> {
        self.full_multigrid(0, b)
    }

    fn full_multigrid(&self, at: usize, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        let Some(level) = self.levels.get(at) else { return x };
        if let Some(coarsening) = level.coarsening {
            let extent = level.a.extent();
            let coarse = self.full_multigrid(at + 1, &restrict(&level.r, coarsening, extent, b));
            x = prolong(&level.p, coarsening, extent, &coarse);
        }
        self.run_cycle(at, self.cycle, b, &mut x);
        x
    }

    fn run_cycle(&self, at: usize, cycle: Cycle, b: &[f64], x: &mut [f64]) {
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
        self.run_cycle(at + 1, cycle, &coarse_b, &mut e);
        let is_last = self.levels.get(at + 1).is_none_or(|next| next.coarsening.is_none());
        if cycle != Cycle::V && !is_last {
            self.run_cycle(at + 1, Cycle::V, &coarse_b, &mut e);
        }
        let correction = prolong(&level.p, coarsening, extent, &e);
        x.iter_mut().zip(correction).for_each(|(x, e)| *x += e);
        smoothed(x, true);
    }

    /// Runs the sweeps of a half of a cycle.
    fn smooth(&self, level: &Level, b: &[f64], x: &mut [f64], second: bool) {
        let (a, backwards) = (&level.a, second && self.symmetric);
        match level.smoother {
            Smoother::Jacobi => self.damping.iter().for_each(|w| jacobi(a, *w, b, x)),
            Smoother::LineJacobi(axes) => {
                let sweep = |axis: &Axis| lines(a, *axis, None, LINE_DAMPING, b, &mut *x);
                in_order(axes.all(), second, sweep);
            }
            Smoother::Zebra(axes) => {
                let sweep = |axis: &Axis| {
                    let sweep = |colour: &usize| lines(a, *axis, Some(*colour), 1.0, b, &mut *x);
                    in_order(&[0, 1], backwards, sweep);
                };
                in_order(axes.all(), backwards, sweep);
            }
        }
    }
}

/// Calls a function with each item, in the order or in its reverse.
fn in_order<T>(items: &[T], backwards: bool, mut call: impl FnMut(&T)) {
    for at in 0..items.len() {
        call(&items[if backwards { items.len() - 1 - at } else { at }]);
    }
}
