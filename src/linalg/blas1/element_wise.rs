//! Operations that change vectors.

use std::mem;

use crate::Extent;
use crate::gl::Texture;
use crate::grid::DeviceVector;
use crate::stream::Result;

use super::map::{Coefficient, Inputs};
use super::operation::Operation;
use super::{Blas1, Panel};

impl Blas1 {
    /// Copies: `y = x`.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ,
    /// [`gl::Error::Foreign`](crate::gl::Error::Foreign) for a vector of another context, and
    /// errors of the device.
    pub fn copy(&self, x: &DeviceVector, y: &mut DeviceVector) -> Result<()> {
        y.must_have(x.len(), "copy: x")?;
        let copy = self.operation(Operation::Copy);
        for ((x, _), (y, length)) in x.panels().zip(y.panels_mut()) {
            copy.panel(Inputs { vectors: &[x], scalars: &[], length }, &mut [y])?;
        }
        Ok(())
    }

    /// Exchanges `x` and `y` by exchanging their textures: nothing is copied.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ.
    pub fn swap(&self, x: &mut DeviceVector, y: &mut DeviceVector) -> Result<()> {
        x.must_have(y.len(), "swap: y")?;
        mem::swap(x, y);
        Ok(())
    }

    /// Scales: `x = a x`, with one rounding per element.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn scal<'a>(&self, a: impl Into<Coefficient<'a>>, x: &mut DeviceVector) -> Result<()> {
        self.update(Operation::Scal, &[], &[a.into()], &mut [x])
    }

    /// Computes `y = a x + y` with at most two roundings per element: one where the context has
    /// `precise`.
    ///
    /// ```compile_fail,E0502
    /// # use quadrille::{Context, grid::DeviceVector, linalg::blas1::Blas1};
    /// # let context = Context::headless()?;
    /// let mut x = DeviceVector::from_host(&context, &[1.0_f32, 2.0])?;
    /// Blas1::new(&context).axpy(2.0, &x, &mut x)?; // an input that is also the output does not compile
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn axpy<'a>(
        &self,
        a: impl Into<Coefficient<'a>>,
        x: &DeviceVector,
        y: &mut DeviceVector,
    ) -> Result<()> {
        y.must_have(x.len(), "axpy: x")?;
        self.update(Operation::Axpy, &[x], &[a.into()], &mut [y])
    }

    /// Computes `y = a x + b y` with at most three roundings per element.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn axpby<'a, 'b>(
        &self,
        a: impl Into<Coefficient<'a>>,
        x: &DeviceVector,
        b: impl Into<Coefficient<'b>>,
        y: &mut DeviceVector,
    ) -> Result<()> {
        y.must_have(x.len(), "axpby: x")?;
        self.update(Operation::Axpby, &[x], &[a.into(), b.into()], &mut [y])
    }

    /// Rotates the plane: `x = c x + s y` and `y = c y - s x`, at once. There are at most three
    /// roundings per element.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn rot<'a, 'b>(
        &self,
        x: &mut DeviceVector,
        y: &mut DeviceVector,
        c: impl Into<Coefficient<'a>>,
        s: impl Into<Coefficient<'b>>,
    ) -> Result<()> {
        y.must_have(x.len(), "rot: x")?;
        self.update(Operation::Rot, &[], &[c.into(), s.into()], &mut [x, y])
    }

    /// Replaces vectors by the results of an operation, whose inputs are the others and then these.
    /// The results go to spare textures, which are exchanged with those of the vectors: no engine
    /// could read what it writes.
    fn update(
        &self,
        operation: Operation,
        others: &[&DeviceVector],
        scalars: &[Coefficient<'_>],
        updated: &mut [&mut DeviceVector],
    ) -> Result<()> {
        let lengths: Vec<usize> = match updated.first() {
            Some(first) => first.panels().map(|(_, length)| length).collect(),
            None => Vec::new(),
        };
        for (index, length) in lengths.into_iter().enumerate() {
            let others: Vec<_> = others.iter().filter_map(|vector| vector.panel(index)).collect();
            let updated = updated.iter_mut().filter_map(|vector| vector.panel_mut(index));
            self.replace(operation, &others, scalars, length, &mut updated.collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Replaces one panel of each, as [`update`](Self::update).
    pub(super) fn replace(
        &self,
        operation: Operation,
        others: &[&Texture<[f32; 4]>],
        scalars: &[Coefficient<'_>],
        length: usize,
        updated: &mut [&mut Texture<[f32; 4]>],
    ) -> Result<()> {
        self.replace_by(others, updated, |vectors, results| {
            self.operation(operation).panel(Inputs { vectors, scalars, length }, results)
        })
    }

    /// Replaces panels by the results of `compute`, which reads the others and the old panels and
    /// writes to spare textures.
    pub(super) fn replace_by(
        &self,
        others: &[&Panel],
        updated: &mut [&mut Panel],
        compute: impl FnOnce(&[&Panel], &mut [&mut Panel]) -> Result<()>,
    ) -> Result<()> {
        let spares = updated.iter().map(|panel| self.spare(panel.extent()));
        let mut results = spares.collect::<Result<Vec<_>, _>>()?;
        let read = others.iter().copied().chain(updated.iter().map(|panel| &**panel));
        compute(&read.collect::<Vec<_>>(), &mut results.iter_mut().collect::<Vec<_>>())?;
        for (panel, mut result) in updated.iter_mut().zip(results) {
            mem::swap(*panel, &mut result);
            self.keep(result);
        }
        Ok(())
    }

    /// Returns a texture of this extent whose contents nothing needs.
    pub(super) fn spare(&self, extent: Extent) -> Result<Texture<[f32; 4]>> {
        let kept = self.spare.borrow_mut().get_mut(&extent).and_then(Vec::pop);
        Ok(kept.map_or_else(|| self.context.uninit(extent), Ok)?)
    }

    /// Keeps a texture for the next operation.
    pub(super) fn keep(&self, texture: Texture<[f32; 4]>) {
        self.spare.borrow_mut().entry(texture.extent()).or_default().push(texture);
    }
}
