//! How a level is smoothed and coarsened: as asked for, or as suits its matrix.

use crate::linalg::blas1::Blas1;
use crate::reference::multigrid::suits;

use super::kernels::Kernels;
use super::rap::Rows;
use super::{COARSEST, CoarsenAlong, Coarsening, Error, Options, Smoother};

/// What is done on a level.
pub(super) struct LevelPlan {
    /// `None` for the last.
    pub(super) coarsening: Option<Coarsening>,
    /// The one asked for, or the one that suits the level.
    pub(super) smoother: Smoother,
}

impl LevelPlan {
    pub(super) fn of(
        (kernels, blas): (&Kernels, &Blas1),
        points: (usize, usize),
        is_finest: bool,
        rows: &Rows,
        options: &Options,
    ) -> Result<LevelPlan, Error> {
        let count = points.0.saturating_mul(points.1);
        if count <= COARSEST {
            return Ok(LevelPlan { coarsening: None, smoother: Smoother::Jacobi });
        }
        let along = options.coarsens();
        let measures = match (along, options.smoother) {
            (CoarsenAlong::Both, Some(_)) => None, // Nothing is left open.
            _ => Some(rows.measures(kernels, blas)?),
        };
        let coarsening = match (along, measures) {
            (CoarsenAlong::Strong, Some(measures)) => Coarsening::of(points, measures.strengths),
            _ => Coarsening::full(points),
        };
        let smoother = match (coarsening, options.smoother, measures) {
            (Some(_), Some(smoother), _) => smoother,
            (Some(Coarsening { x: 2, y: 2 }), None, Some(measures)) => {
                suits(measures.one_sided / count as f64, is_finest)
            }
            _ => Smoother::Jacobi,
        };
        Ok(LevelPlan { coarsening, smoother })
    }
}
