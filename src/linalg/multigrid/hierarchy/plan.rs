//! The smoother and the coarsening of a level: as the options say, else as suits its matrix.

use crate::reference::multigrid::suits;

use crate::linalg::multigrid::level::rap::Measures;
use crate::linalg::multigrid::{COARSEST, CoarsenAlong, Coarsening, Options, Smoother};

/// The coarsening and the smoother of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LevelPlan {
    /// The coarsening to the next level; `None` on the last.
    pub(crate) coarsening: Option<Coarsening>,
    /// The smoother of the options, or else the one that suits the level.
    pub(crate) smoother: Smoother,
}

impl LevelPlan {
    /// Returns whether the plan of a level depends on the measures of its matrix.
    pub(crate) fn is_open(points: (usize, usize), options: &Options) -> bool {
        let is_set = (options.coarsens(), options.smoother.is_some()) == (CoarsenAlong::Both, true);
        count(points) > COARSEST && !is_set
    }

    /// Plans a level of this many points; the measures are needed only if they decide something.
    pub(crate) fn of(
        points: (usize, usize),
        is_finest: bool,
        measures: Option<Measures>,
        options: &Options,
    ) -> LevelPlan {
        if count(points) <= COARSEST {
            return LevelPlan { coarsening: None, smoother: Smoother::Jacobi };
        }
        let coarsening = match (options.coarsens(), measures) {
            (CoarsenAlong::Strong, Some(measures)) => Coarsening::of(points, measures.strengths),
            _ => Coarsening::full(points),
        };
        let smoother = match (coarsening, options.smoother, measures) {
            (Some(_), Some(smoother), _) => smoother,
            (Some(Coarsening { x: 2, y: 2 }), None, Some(measures)) => {
                suits(measures.one_sided / count(points) as f64, is_finest)
            }
            _ => Smoother::Jacobi,
        };
        LevelPlan { coarsening, smoother }
    }
}

fn count((width, height): (usize, usize)) -> usize {
    width.saturating_mul(height)
}
