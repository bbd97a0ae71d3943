//! A nine-banded system in double precision on the device.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::data::{Block, Diffusion, Float, Form, NineBanded};
use crate::gl::{Buffer, Context};
use crate::linalg::nine_banded::{ORDER, Result};
use crate::shader::Source;

use super::{Coefficients, InDouble, Rows};

/// Where coefficients are stored, it takes 72 bytes an unknown, or 36 where 32 bits hold each exactly.
impl<T: Float> InDouble for NineBanded<T> {
    fn bytes(&self) -> usize {
        let numbers = match (self.form(), self.field()) {
            (Form::Stored, _) => ORDER.len().saturating_mul(self.n()),
            (_, Some(field)) => grids(field).iter().map(|[across, down]| across * down).sum(),
            (_, None) => 0,
        };
        numbers.max(self.n()).saturating_mul(size_of::<f64>())
    }

    fn rows(&self, context: &Context, counts: Option<&Block>) -> Result<Rows> {
        let (coefficients, format) = coefficients_of(context, self)?;
        let text = on_rows(counts.is_some(), format)?;
        let mut uniforms = vec![("m", (self.m() as i32).into())];
        if let Some(Block { columns, rows }) = counts {
            let window = [columns.start, columns.end, rows.start, rows.end].map(|side| side as i32);
            uniforms.push(("window", window.into()));
        }
        Rows::new(context, text, coefficients, uniforms)
    }
}

/// The format of the coefficients that the shader reads, by which it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CoefficientFormat {
    /// The couplings of a constant matrix, and then the numbers of its diagonal.
    Constant,
    /// The coefficients of diffusion that bands follow from, at points or at faces.
    Points,
    Faces,
    Single,
    Double,
}

fn coefficients_of<T: Float>(
    context: &Context,
    matrix: &NineBanded<T>,
) -> Result<(Coefficients, CoefficientFormat)> {
    if let Some(constant) = matrix.constant() {
        let couplings = ORDER.into_iter().map(|band| constant.coupling(band));
        let numbers = couplings.chain(constant.diagonal.iter().flatten().copied());
        let numbers = numbers.map(Into::into).collect::<Vec<f64>>();
        return Ok((Coefficients::Double(context.buffer(&numbers)?), CoefficientFormat::Constant));
    }
    if let Some(field) = matrix.field() {
        let format =
            if field.is_by_faces() { CoefficientFormat::Faces } else { CoefficientFormat::Points };
        return Ok((Coefficients::Double(coefficients(context, field)?), format));
    }
    if let Some(bands) = exact(context, matrix)? {
        return Ok((Coefficients::Single(bands), CoefficientFormat::Single));
    }
    let mut bands = context.uninit_buffer(ORDER.len() * matrix.n())?;
    bands.write_by(|first, numbers| {
        each_band(matrix, first, numbers, |entry, number| *number = entry);
    })?;
    Ok((Coefficients::Double(bands), CoefficientFormat::Double))
}

/// Returns the extent of each grid of coefficients that the bands follow from: of the points with one more on each
/// side, or of the faces along x and of those along y.
fn grids(field: &Diffusion) -> Vec<[usize; 2]> {
    let (width, height) = field.points();
    match field.is_by_faces() {
        false => vec![[width + 2, height + 2]],
        true => vec![[width + 1, height], [width, height + 1]],
    }
}

/// Returns the coefficients of diffusion, one grid after the other.
fn coefficients(context: &Context, field: &Diffusion) -> Result<Buffer<f64>> {
    let grids = grids(field);
    let mut all = context.uninit_buffer(grids.iter().map(|[across, down]| across * down).sum())?;
    all.write_by(|first, numbers| {
        let mut start = 0;
        for (grid, [across, down]) in grids.iter().enumerate() {
            let (from, to) = (first.max(start), (first + numbers.len()).min(start + across * down));
            let mut at = from;
            while at < to {
                let (line, column) = ((at - start) / across, (at - start) % across);
                let end = to.min(at - column + across);
                field.fill(grid, line, column as isize, &mut numbers[at - first..end - first]);
                at = end;
            }
            start += across * down;
        }
    })?;
    Ok(all)
}

/// Returns stored bands in single precision, if that holds them exactly.
fn exact<T: Float>(context: &Context, matrix: &NineBanded<T>) -> Result<Option<Buffer<f32>>> {
    let is_exact = AtomicBool::new(true);
    let is_single = |entry: f64| f64::from(entry as f32) == entry;
    // What is not mostly differs in its first rows already.
    let mut some = [T::default(); 256];
    for band in ORDER {
        let some = &mut some[..matrix.n().min(256)];
        matrix.fill(band, 0..some.len(), some);
        if !some.iter().all(|entry| is_single((*entry).into())) {
            return Ok(None);
        }
    }
    let mut bands = context.uninit_buffer(ORDER.len() * matrix.n())?;
    bands.write_by(|first, numbers: &mut [f32]| {
        let mut exact = is_exact.load(Ordering::Relaxed);
        if !exact {
            return;
        }
        each_band(matrix, first, numbers, |entry, number| {
            *number = entry as f32;
            exact &= is_single(entry);
        });
        if !exact {
            is_exact.store(false, Ordering::Relaxed);
        }
    })?;
    Ok(is_exact.into_inner().then_some(bands))
}

/// Calls with numbers of a list that has one band after the other, from a place on, and what is to be set to each.
fn each_band<T: Float, N>(
    matrix: &NineBanded<T>,
    first: usize,
    numbers: &mut [N],
    mut set: impl FnMut(f64, &mut N),
) {
    const TOGETHER: usize = 512;
    let (n, mut at) = (matrix.n(), first);
    let mut entries = [T::default(); TOGETHER];
    let end = first + numbers.len();
    while at < end {
        let (band, row) = (at / n, at % n);
        let count = (n - row).min(end - at).min(TOGETHER);
        matrix.fill(ORDER[band], row..row + count, &mut entries[..count]);
        let to = &mut numbers[at - first..at - first + count];
        entries.iter().zip(to).for_each(|(entry, to)| set((*entry).into(), to));
        at += count;
    }
}

fn on_rows(windowed: bool, format: CoefficientFormat) -> Result<Source> {
    let source = super::on_rows("nine_banded/double_residual.comp")?;
    let source = match format {
        CoefficientFormat::Constant => source.define("CONSTANT", 1),
        CoefficientFormat::Points => source.define("FIELD", 1),
        CoefficientFormat::Faces => source.define("FIELD", 1).define("FACES", 1),
        CoefficientFormat::Single => source.define("SINGLE", 1),
        CoefficientFormat::Double => source,
    };
    Ok(if windowed { source.define("WINDOW", 1) } else { source })
}

/// Returns the shaders of this file.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for windowed in [false, true] {
        for format in [
            CoefficientFormat::Constant,
            CoefficientFormat::Points,
            CoefficientFormat::Faces,
            CoefficientFormat::Single,
            CoefficientFormat::Double,
        ] {
            sources.push(on_rows(windowed, format)?);
        }
    }
    Ok(sources)
}
