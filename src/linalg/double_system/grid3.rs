//! A system on a grid of three dimensions in double precision on the device.

use crate::data::{Block, GridMatrix};
use crate::gl::{Buffer, Context};
use crate::linalg::nine_banded::Result;
use crate::shader::Source;

use super::{Coefficients, InDouble, Rows, on_rows};

/// Where a number for each coupling is stored, it takes 56 bytes an unknown for 7 neighbours and 216 for 27, or half where
/// 32 bits hold each exactly.
impl InDouble for GridMatrix {
    fn bytes(&self) -> usize {
        let numbers = if self.is_stored() { self.neighbours().len() } else { 1 };
        self.n().saturating_mul(numbers).saturating_mul(size_of::<f64>())
    }

    fn rows(&self, context: &Context, counts: Option<&Block>) -> Result<Rows> {
        let coefficients = coefficients(context, self)?;
        let is_single = matches!(coefficients, Coefficients::Single(_));
        let text = Text {
            kinds: !self.is_stored(),
            star: self.is_star(),
            single: is_single,
            windowed: counts.is_some(),
            wraps: self.periodic(),
        };
        let text = text.source()?;
        let points = self.grid().points().map(|points| points as i32);
        let mut uniforms = vec![("points", points.into())];
        if let Some(kinds) = self.kinds() {
            uniforms.push(("border", (kinds.border() as i32).into()));
        }
        if let Some(Block { rows, .. }) = counts {
            uniforms.push(("window", [rows.start as i32, rows.end as i32].into()));
        }
        Rows::new(context, text, coefficients, uniforms)
    }
}

fn coefficients(context: &Context, matrix: &GridMatrix) -> Result<Coefficients> {
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
) -> Result<Buffer<N>> {
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
    fn source(&self) -> Result<Source> {
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
        let source = on_rows("grid3/double_residual.comp")?;
        let set = names.into_iter().filter(|(is_set, _)| *is_set);
        Ok(set.fold(source, |source, (_, name)| source.define(name, 1)))
    }
}

/// Returns the shaders of this file.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for (kinds, single) in [(true, false), (false, false), (false, true)] {
        for star in [false, true] {
            let (windowed, wraps) = (star, [star; 3]);
            sources.push(Text { kinds, star, single, windowed, wraps }.source()?);
        }
    }
    Ok(sources)
}
