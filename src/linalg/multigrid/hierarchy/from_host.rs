//! Levels that the host computed: of a system that is small, programs that would compute them on the device take longer to
//! compile than the host takes for all.

use crate::linalg::blas1::Blas1;
use crate::linalg::host::multigrid::{Hierarchy, Level as HostLevel, Nine};
use crate::linalg::multigrid::host::hierarchy;
use crate::linalg::multigrid::level::coarsest::direct;
use crate::linalg::multigrid::level::smoother::{Setup, Smoothing};
use crate::linalg::multigrid::level::{Level, Next, bands::uploaded};
use crate::linalg::multigrid::programs::{LevelPrograms, texels};
use crate::linalg::multigrid::relaxation::reciprocal;
use crate::linalg::multigrid::{Grid, Options, Result};
use crate::linalg::nine_banded::{Coefficients, Operator};

use super::local_levels::{First, LocalLevels, must_be_a_grids};

impl LocalLevels {
    /// Computes the levels of an operator's matrix on the host, in double precision. All of them, the finest too, are
    /// stored, so that one set of programs serves all.
    pub(super) fn by_host(operator: &Operator, options: &Options) -> Result<LocalLevels> {
        must_be_a_grids(operator)?;
        let host = hierarchy(operator.matrix(), options)?;
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
    level: &HostLevel,
    bands: &Grid,
    options: &Options,
) -> Result<Level> {
    let points = level.a.extent();
    let scaling = grid(programs, &level.a, |nine| reciprocal(nine))?;
    let diagonal = grid(programs, &level.a, |nine| nine[4] as f32)?;
    let coefficients = Coefficients::Stored { bands, star: false };
    let setup = Setup { programs, blas, coefficients, diagonal: &diagonal, points };
    let smoothing = Smoothing::new(setup, level.smoother, scaling, options)?;
    let mut made = Level::new(programs, points, level.smoother, smoothing)?;
    if let Some(coarsening) = level.coarsening {
        let weights = |weights: &Nine| uploaded(programs, weights, |nine, k| nine[k]);
        let r = (!options.symmetric).then(|| weights(&level.r)).transpose()?;
        made.next = Some(Next::new(programs, coarsening, points, (weights(&level.p)?, r))?);
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
