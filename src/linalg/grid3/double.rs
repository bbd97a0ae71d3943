//! A system on a grid of three dimensions in double precision on the device.

use std::rc::Rc;

use crate::data::{Block, GridMatrix};
use crate::gl::{Buffer, Context};
#[cfg(feature = "cluster")]
use crate::grid::Part;
use crate::grid::Plan;
use crate::linalg::double_system::{self, Coefficients, DoubleSystem, Rows, fits, must_fit};
use crate::linalg::nine_banded::Error;
use crate::shader::Source;

/// Returns whether a device computes in doubles, and can address those of a matrix.
pub fn fits_double(context: &Context, matrix: &GridMatrix) -> bool {
    fits(context, bytes_of(matrix))
}

/// Puts a matrix on a device in double precision, for corrections in grids of this plan. Where a number for each coupling
/// is stored, it takes 56 bytes an unknown for 7 neighbours and 216 for 27, or half where 32 bits hold each exactly.
///
/// # Errors
///
/// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) on a device that it does not [fit](fits_double); out of
/// memory, and errors of the device.
pub fn double_system(
    context: &Context,
    matrix: &GridMatrix,
    plan: &Rc<Plan>,
) -> Result<DoubleSystem, Error> {
    let rows = rows(context, matrix, None)?;
    DoubleSystem::with(context, plan, plan.parts().to_vec(), rows)
}

/// Makes the system of one of several ranks, which owns a block of lines of what it stores: halos of grids are converted
/// too, and sums are of the owned block.
///
/// # Errors
///
/// Those of [`double_system`].
#[cfg(feature = "cluster")]
pub(crate) fn double_system_on_rank(
    context: &Context,
    matrix: &GridMatrix,
    plan: &Rc<Plan>,
    owned: &Block,
) -> Result<DoubleSystem, Error> {
    let rows = rows(context, matrix, Some(owned))?;
    let parts = plan.parts().iter().map(|part| Part { owned: part.stored, ..*part });
    DoubleSystem::with(context, plan, parts.collect(), rows)
}

/// Returns what computes the rows of a matrix, of which those of a block of lines count, or all.
fn rows(context: &Context, matrix: &GridMatrix, counts: Option<&Block>) -> Result<Rows, Error> {
    must_fit(context, bytes_of(matrix))?;
    let coefficients = coefficients(context, matrix)?;
    let is_single = matches!(coefficients, Coefficients::Single(_));
    let text = Text {
        kinds: !matrix.is_stored(),
        star: matrix.is_star(),
        single: is_single,
        windowed: counts.is_some(),
        wraps: matrix.periodic(),
    };
    let text = text.source()?;
    let points = matrix.grid().points().map(|points| points as i32);
    let mut uniforms = vec![("points", points.into())];
    if let Some(kinds) = matrix.kinds() {
        uniforms.push(("border", (kinds.border() as i32).into()));
    }
    if let Some(Block { rows, .. }) = counts {
        uniforms.push(("window", [rows.start as i32, rows.end as i32].into()));
    }
    Rows::new(context, text, coefficients, uniforms)
}

/// Returns the bytes of the largest buffer, at most.
fn bytes_of(matrix: &GridMatrix) -> usize {
    let numbers = if matrix.is_stored() { matrix.neighbours().len() } else { 1 };
    matrix.n().saturating_mul(numbers).saturating_mul(size_of::<f64>())
}

fn coefficients(context: &Context, matrix: &GridMatrix) -> Result<Coefficients, Error> {
    if let Some(kinds) = matrix.kinds() {
        let numbers: Vec<f64> = kinds.lines().flatten().flatten().copied().collect();
        return Ok(Coefficients::Double(context.buffer(&numbers)?));
    }
    let bands = matrix.bands().unwrap_or_default();
    let is_exact = |band: &Vec<f64>| band.iter().all(|number| f64::from(*number as f32) == *number);
    match bands.iter().all(is_exact) {
        true => {
            Ok(Coefficients::Single(one_after_the_other(context, bands, |number| number as f32)?))
        }
        false => Ok(Coefficients::Double(one_after_the_other(context, bands, |number| number)?)),
    }
}

fn one_after_the_other<N: crate::gl::Element + Default + Send>(
    context: &Context,
    bands: &[Vec<f64>],
    rounded: impl Fn(f64) -> N + Sync,
) -> Result<Buffer<N>, Error> {
    let n = bands.first().map_or(0, Vec::len);
    let mut buffer = context.uninit_buffer(bands.len() * n)?;
    buffer.write_by(|first, numbers| {
        for (at, number) in (first..).zip(numbers) {
            *number = rounded(bands[at / n][at % n]);
        }
    })?;
    Ok(buffer)
}

/// What the text of `glsl/grid3/double_residual.comp` depends on.
struct Text {
    kinds: bool,
    star: bool,
    single: bool,
    windowed: bool,
    wraps: [bool; 3],
}

impl Text {
    fn source(&self) -> Result<Source, Error> {
        let [x, y, z] = self.wraps;
        let names = [
            (self.kinds, "KINDS"),
            (self.star, "STAR"),
            (self.single, "SINGLE"),
            (self.windowed, "WINDOW"),
            (x, "WRAPS_X"),
            (y, "WRAPS_Y"),
            (z, "WRAPS_Z"),
        ];
        let source = double_system::on_rows("grid3/double_residual.comp")?;
        let set = names.into_iter().filter(|(is_set, _)| *is_set);
        Ok(set.fold(source, |source, (_, name)| source.define(name, 1)))
    }
}

/// Returns the shaders of this file.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for (kinds, single) in [(true, false), (false, false), (false, true)] {
        for star in [false, true] {
            let (windowed, wraps) = (star, [star; 3]);
            sources.push(Text { kinds, star, single, windowed, wraps }.source()?);
        }
    }
    Ok(sources)
}
