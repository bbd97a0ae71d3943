//! Levels that the host computed: of a system that is small, programs that would compute them on the device take longer to
//! compile than the host takes for all.

use crate::linalg::blas1::Blas1;
use crate::linalg::host::multigrid::{Decisions, Hierarchy, Nine, measures};
use crate::linalg::multigrid::level::coarsest::direct;
use crate::linalg::multigrid::level::smoother::{Setup, Smoothing};
use crate::linalg::multigrid::level::{Level, bands::uploaded};
use crate::linalg::multigrid::plan::{LINE_DAMPING, LevelPlan, damping};
use crate::linalg::multigrid::programs::{LevelPrograms, texels};
use crate::linalg::multigrid::{Grid, Options, Result};
use crate::linalg::nine_banded::{Coefficients, Operator};

use super::local_levels::{First, LocalLevels, must_be_a_grids};

/// Magnitudes of numbers that a device takes for what they are, and their reciprocals too.
const USUAL: std::ops::Range<f32> = 1.2e-38..8.5e37;

impl LocalLevels {
    /// Computes the levels of an operator's matrix on the host, in double precision. All of them, the finest too, are
    /// stored, so that one set of programs serves all.
    pub(super) fn by_host(operator: &Operator, options: &Options) -> Result<LocalLevels> {
        let matrix = operator.matrix();
        must_be_a_grids(operator)?;
        let level = |a: &Nine, is_finest: bool| {
            LevelPlan::of(a.extent(), is_finest, Some(measures(a)), options)
        };
        let points = damping(options.symmetric);
        let decisions = Decisions { level: &level, points, lines: LINE_DAMPING };
        let Options { symmetric, constant_null_space, .. } = *options;
        let host = Hierarchy::new(Nine::of(matrix), symmetric, constant_null_space, &decisions);
        LocalLevels::of_host(LevelPrograms::new(operator), &host, options)
    }

    fn of_host(
        programs: LevelPrograms,
        host: &Hierarchy,
        options: &Options,
    ) -> Result<LocalLevels> {
        let (blas, mut levels, mut matrices) =
            (Blas1::new(programs.context()), Vec::new(), Vec::new());
        for level in host.levels() {
            let bands = stored(&programs, &level.a)?;
            levels.push(uploaded_level(&programs, &blas, level, &bands, options)?);
            matrices.push(bands);
        }
        let points = levels.last().map_or((0, 0), |level| level.points);
        let inverse = direct(&programs, points, &host.inverse)?;
        let first = First::Own(matrices.remove(0));
        let mut made = LocalLevels::new(programs.into(), first, points);
        (made.levels, made.bands, made.inverse) = (levels, matrices, Some(inverse));
        Ok(made)
    }
}

/// Puts a matrix on the device, with the sums of rows in the diagonal's place.
fn stored(programs: &LevelPrograms, a: &Nine) -> Result<Grid> {
    uploaded(programs, a, |nine, k| if k == 4 { nine.iter().sum() } else { nine[k] })
}

fn uploaded_level(
    programs: &LevelPrograms,
    blas: &Blas1,
    level: &crate::linalg::host::multigrid::Level,
    bands: &Grid,
    options: &Options,
) -> Result<Level> {
    let points = level.a.extent();
    let scaling = grid(programs, &level.a, |nine| {
        let sum = nine.iter().map(|number| number.abs()).sum::<f64>() as f32;
        if USUAL.contains(&sum) { sum.recip() } else { 0.0 }
    })?;
    let diagonal = grid(programs, &level.a, |nine| nine[4] as f32)?;
    let coefficients = Coefficients::Stored { bands, star: false };
    let setup = Setup { programs, blas, coefficients, diagonal: &diagonal, points };
    let smoothing = Smoothing::new(setup, level.smoother, scaling, options)?;
    let mut made = Level::new(programs, points, level.smoother, smoothing)?;
    if let Some(coarsening) = level.coarsening {
        let weights = |weights: &Nine| uploaded(programs, weights, |nine, k| nine[k]);
        let r = (!options.symmetric).then(|| weights(&level.r)).transpose()?;
        made.lead(programs, coarsening, (weights(&level.p)?, r))?;
    }
    Ok(made)
}

/// Puts a number of each point on the device.
fn grid(programs: &LevelPrograms, a: &Nine, number: impl Fn(&[f64; 9]) -> f32) -> Result<Grid> {
    let ((width, _), size) = (a.extent(), texels(a.extent()));
    let mut numbers = crate::memory::zeroed::<[f32; 4]>(size.texels())?;
    for (index, nine) in a.rows().iter().enumerate() {
        let (x, y) = (index % width, index / width);
        numbers[y * size.width as usize + x / 4][x % 4] = number(nine);
    }
    Ok(programs.context().texture(size, &numbers)?)
}
