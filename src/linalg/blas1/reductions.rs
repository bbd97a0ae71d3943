//! Sums, norms and the largest magnitude of vectors.

use std::mem;

use crate::gl::Texture;
use crate::grid::{DeviceVector, Scalar};
use crate::stream::Result;
use crate::stream::reduce::{Largest, Searcher, Sum};
use crate::{Extent, Rectangle};

use super::map::{Coefficient, Inputs};
use super::operation::Operation;
use super::{Blas1, Panel};

/// Roundings after a reduction and within a texel: adding the parts of a sum, products, the squares
/// of a texel, and roots of GLSL; and those of a work group of at most 1024 invocations that adds
/// up its own results, eight at a time.
pub(super) const MORE_ROUNDINGS: usize = 24 + 4 * 7;

/// **Reductions.** They run in a fixed order, so that repeated runs on a device give identical
/// bits, and add in 32-bit floats in short chains; the last partial results are added in f64 where
/// the result is a number of the host. The error is at most [`error_bound`](Self::error_bound)
/// times the sum of the magnitudes of the terms. NaN if an element is NaN, on devices that keep
/// NaN.
impl Blas1 {
    /// Returns a bound on the relative error of sums, dot products and norms of vectors of this
    /// length: gamma_k = k u / (1 - k u) with u = 2^-24 (Higham, *Accuracy and Stability of
    /// Numerical Algorithms*, section 4.2), where k is the longest chain of roundings on this
    /// engine, which grows with log n by fragments and with the square root of n / 2^20 by compute
    /// shaders. An error is relative to the sum of the magnitudes of the terms; that of a norm is
    /// half as large to first order.
    pub fn error_bound(&self, length: usize) -> f64 {
        let (largest, panels) = DeviceVector::<f32>::largest_panel(&self.context, length);
        self.reducer.bound(largest, panels + MORE_ROUNDINGS)
    }

    /// Returns the sum of the elements.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn sum(&self, x: &DeviceVector) -> Result<f64> {
        total(x.panels().map(|(x, _)| self.reducer.sum(x)))
    }

    /// Returns the dot product.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ, and errors of the
    /// device.
    pub fn dot(&self, x: &DeviceVector, y: &DeviceVector) -> Result<f64> {
        x.must_have(y.len(), "dot: y")?;
        total(x.panels().zip(y.panels()).map(|((x, _), (y, _))| self.reducer.dot(x, y)))
    }

    /// Returns the sum of magnitudes.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn asum(&self, x: &DeviceVector) -> Result<f64> {
        total(x.panels().map(|(x, _)| self.reducer.sum_abs(x)))
    }

    /// Returns the 2-norm. No square overflows or underflows: they are added in three accumulators
    /// of different scales (Blue 1978; Anderson, "Algorithm 978: Safe Scaling in the Level 1 BLAS",
    /// 2017). Devices may take elements below 1.2e-38 for 0. Infinite if an element is and none is
    /// NaN.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn nrm2(&self, x: &DeviceVector) -> Result<f64> {
        let squares = x.panels().map(|(x, _)| self.reducer.scaled_squares(x));
        Ok(squares.sum::<Result<f64>>()?.sqrt())
    }

    /// Returns the least element, exactly; `None` for an empty vector. NaN if an element is NaN, on
    /// devices that keep NaN.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn min(&self, x: &DeviceVector) -> Result<Option<f64>> {
        self.extreme(x, false)
    }

    /// Returns the greatest element, as [`min`](Self::min).
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn max(&self, x: &DeviceVector) -> Result<Option<f64>> {
        self.extreme(x, true)
    }

    fn extreme(&self, x: &DeviceVector, greatest: bool) -> Result<Option<f64>> {
        let better = |a: f64, b: f64| match greatest {
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            true => a.max(b),
            false => a.min(b),
        };
        let mut best: Option<f64> = None;
        for (panel, length) in x.panels() {
            for (window, lanes) in unpadded(panel.extent().width, length) {
                let found = self.reducer.extremes_of(panel, greatest, window)?;
                let found = found.into_iter().take(lanes).reduce(better);
                best = best.into_iter().chain(found).reduce(better);
            }
        }
        Ok(best)
    }

    /// Returns the index, from 0, of the first element of the largest magnitude, exactly; `None`
    /// for an empty vector. A NaN counts as larger than infinity, so the result is the first NaN if
    /// there is one, as Demmel and others propose ("Proposed Consistent Exception Handling for the
    /// BLAS and LAPACK", 2022): the reference BLAS overlooks it unless it is the first element.
    ///
    /// The index ends on the host, and has no form that stays on the device as those of sums: no
    /// operation takes an index as a factor, and a 32-bit float does not hold all of them from 2^24
    /// on.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn iamax(&self, x: &DeviceVector) -> Result<Option<usize>> {
        let mut best: Option<(u32, usize)> = None;
        let mut before = 0;
        for (panel, length) in x.panels() {
            let Largest { bits, index } = self.searcher()?.find(panel)?;
            if best.is_none_or(|(largest, _)| bits > largest) {
                best = Some((bits, before + index as usize));
            }
            before += length;
        }
        Ok(best.map(|(_, index)| index))
    }

    /// Computes [`sum`](Self::sum) without reading the result back: it stays on the device.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn sum_into(&self, x: &DeviceVector, result: &mut Scalar) -> Result<()> {
        self.leave(Sum::Numbers, x, None, result)
    }

    /// Computes [`dot`](Self::dot) without reading the result back: it stays on the device.
    ///
    /// # Errors
    ///
    /// Those of [`dot`](Self::dot).
    pub fn dot_into(&self, x: &DeviceVector, y: &DeviceVector, result: &mut Scalar) -> Result<()> {
        x.must_have(y.len(), "dot: y")?;
        self.leave(Sum::Products, x, Some(y), result)
    }

    /// Computes [`asum`](Self::asum) without reading the result back: it stays on the device.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn asum_into(&self, x: &DeviceVector, result: &mut Scalar) -> Result<()> {
        self.leave(Sum::Magnitudes, x, None, result)
    }

    /// Computes [`nrm2`](Self::nrm2) without reading the result back: it stays on the device as a
    /// 32-bit float, which may overflow.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn nrm2_into(&self, x: &DeviceVector, result: &mut Scalar) -> Result<()> {
        let mut sums = Scalar::uninit(&self.context)?;
        self.leave(Sum::ScaledSquares, x, None, &mut sums)?;
        self.root(&sums, result)
    }

    /// Computes the norm from the parts of a sum of squares.
    pub(super) fn root(&self, sums: &Scalar, result: &mut Scalar) -> Result<()> {
        let inputs = Inputs { vectors: &[], scalars: &[Coefficient::Device(sums)], length: 1 };
        self.operation(Operation::Root).panel(inputs, &mut [result.texture_mut()])
    }

    fn leave(
        &self,
        sum: Sum,
        x: &DeviceVector,
        y: Option<&DeviceVector>,
        result: &mut Scalar,
    ) -> Result<()> {
        let panels = x.panels().enumerate();
        let panels = panels.map(|(index, (x, _))| (x, y.and_then(|y| y.panel(index)), None));
        self.leave_panels(sum, panels, result)
    }

    /// Reduces panels to a scalar on the device. A rectangle limits a panel to the texels that
    /// count.
    pub(super) fn leave_panels<'a>(
        &self,
        sum: Sum,
        panels: impl Iterator<Item = (&'a Panel, Option<&'a Panel>, Option<Rectangle>)>,
        result: &mut Scalar,
    ) -> Result<()> {
        let (result, mut empty) = (result.texture_mut(), true);
        for (x, y, window) in panels {
            let compute = |part: &mut Panel| self.reducer.leave(sum, x, y, window, part);
            match empty {
                true => compute(result)?,
                false => self.add(result, compute)?,
            }
            empty = false;
        }
        if empty { Ok(result.fill([0.0; 4])?) } else { Ok(()) }
    }

    /// Adds the parts of a sum to those of another.
    fn add(
        &self,
        total: &mut Texture<[f32; 4]>,
        compute: impl FnOnce(&mut Texture<[f32; 4]>) -> Result<()>,
    ) -> Result<()> {
        let one = Extent::new(1, 1);
        let (mut part, mut sum) = (self.spare(one)?, self.spare(one)?);
        compute(&mut part)?;
        let inputs = Inputs { vectors: &[total, &part], scalars: &[], length: 4 };
        self.operation(Operation::Add).panel(inputs, &mut [&mut sum])?;
        mem::swap(total, &mut sum);
        self.keep(part);
        self.keep(sum);
        Ok(())
    }

    fn searcher(&self) -> Result<&Searcher> {
        if let Some(searcher) = self.searcher.get() {
            return Ok(searcher);
        }
        let made = Searcher::new(&self.context, self.reducer.engine())?;
        Ok(self.searcher.get_or_init(|| made))
    }
}

/// Returns the rectangles of a panel that cover its numbers and no padding, each with the lanes
/// that count: whole rows, the whole texels of the last row, and the texel after them.
fn unpadded(width: u32, length: usize) -> impl Iterator<Item = (Rectangle, usize)> {
    let (texels, rest) = (length / 4, length % 4);
    // A panel has fewer texels than 32 bits count.
    let (rows, column) = ((texels / width as usize) as u32, (texels % width as usize) as u32);
    let parts = [
        (Rectangle::new(0, 0, width, rows), 4),
        (Rectangle::new(0, rows, column, 1), 4),
        (Rectangle::new(column, rows, 1, 1), rest),
    ];
    parts.into_iter().filter(|(window, lanes)| window.texels() > 0 && *lanes > 0)
}

/// Returns the sum of parts, of which there may be none; Rust's is -0 then.
fn total(mut parts: impl Iterator<Item = Result<f64>>) -> Result<f64> {
    parts.try_fold(0.0, |sum, part| Ok(sum + part?))
}
