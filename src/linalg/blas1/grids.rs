//! The operations on grids.

use std::rc::Rc;

use crate::grid::{DeviceGrid, Part, Plan, Result, Scalar};
use crate::stream::reduce::Sum;
use crate::stream::{self, Engine};
use crate::{Extent, Rectangle};

use super::map::{Coefficient, Inputs, Map};
use super::operation::Operation;
use super::reductions::MORE_ROUNDINGS;
use super::{Blas1, Panel};

/// The operations of BLAS level 1 on grids of one plan, by the kernels of those on vectors:
/// [`Blas1::grids`].
///
/// Only those that return a number of the host wait, and none reads a halo: reductions leave halos
/// out, and what the others leave in a halo is undefined. Padding is zero and stays so where the
/// numbers are finite.
///
/// ```
/// use quadrille::grid::{DeviceGrid, GridShape, Halo};
/// use quadrille::linalg::blas1::Blas1;
/// let context = quadrille::Context::headless()?;
/// let (blas, plan) =
///     (Blas1::new(&context), DeviceGrid::plan_for(&context, GridShape::new(3, 1), Halo::NONE)?);
/// let grids = blas.grids();
/// let x = DeviceGrid::from_host(&context, &plan, &[1.0, -2.0, 3.0])?;
/// let mut y = DeviceGrid::from_host(&context, &plan, &[10.0, 10.0, 10.0])?;
/// grids.axpby(2.0, &x, 1.0, &mut y)?;
/// assert_eq!(y.read()?, [12.0, 6.0, 16.0]);
/// assert_eq!(grids.dot(&x, &y)?, 48.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Grids<'a> {
    blas: &'a Blas1,
}

impl Blas1 {
    /// Returns the operations on grids.
    pub fn grids(&self) -> Grids<'_> {
        Grids { blas: self }
    }
}

impl Grids<'_> {
    /// Copies: `y = x`.
    ///
    /// # Errors
    ///
    /// [`Error::Unlike`](crate::grid::Error::Unlike) if the plans differ, [`gl::Error::Foreign`](crate::gl::Error::Foreign) for
    /// a grid of another context, and errors of the device.
    pub fn copy(&self, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        x.must_be(y.plan(), "copy: x")?;
        self.set(Operation::Copy, &[x], &[], y)
    }

    /// Scales: `x = a x`, with one rounding per element.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn scal<'a>(&self, a: impl Into<Coefficient<'a>>, x: &mut DeviceGrid) -> Result<()> {
        self.update(Operation::Scal, &[], &[a.into()], &mut [x])
    }

    /// Computes `y = a x + y` with at most two roundings per element: one where the context has
    /// `precise`.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn axpy<'a>(
        &self,
        a: impl Into<Coefficient<'a>>,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
    ) -> Result<()> {
        x.must_be(y.plan(), "axpy: x")?;
        self.update(Operation::Axpy, &[x], &[a.into()], &mut [y])
    }

    /// Computes `y = a x + b y` with at most three roundings per element. Where `b` is 0 on the
    /// host, `y` is not read and may be undefined.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn axpby<'a, 'b>(
        &self,
        a: impl Into<Coefficient<'a>>,
        x: &DeviceGrid,
        b: impl Into<Coefficient<'b>>,
        y: &mut DeviceGrid,
    ) -> Result<()> {
        x.must_be(y.plan(), "axpby: x")?;
        match (a.into(), b.into()) {
            (Coefficient::Host(1.0), Coefficient::Host(0.0)) => self.copy(x, y),
            (a, Coefficient::Host(0.0)) => self.set(Operation::Scal, &[x], &[a], y),
            (a, Coefficient::Host(1.0)) => self.update(Operation::Axpy, &[x], &[a], &mut [y]),
            (a, b) => self.update(Operation::Axpby, &[x], &[a, b], &mut [y]),
        }
    }

    /// Computes `y = d x` element by element, as a preconditioner that is a diagonal. There is one
    /// rounding per element.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn multiply(&self, d: &DeviceGrid, x: &DeviceGrid, y: &mut DeviceGrid) -> Result<()> {
        d.must_be(y.plan(), "multiply: d")?;
        x.must_be(y.plan(), "multiply: x")?;
        self.set(Operation::Multiply, &[d, x], &[], y)
    }

    /// Computes `y = d x` element by element, and leaves `x . y` on the device: at once by compute
    /// shaders, which then read neither again; else by two operations. Preconditioned conjugate
    /// gradients need both.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn multiply_and_dot(
        &self,
        d: &DeviceGrid,
        x: &DeviceGrid,
        y: &mut DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        if self.blas.engine() == Engine::Fragment {
            self.multiply(d, x, y)?;
            return self.dot_into(x, y, result);
        }
        d.must_be(y.plan(), "multiply: d")?;
        x.must_be(y.plan(), "multiply: x")?;
        let map = self.blas.operation(Operation::MultiplyAndDot);
        self.summed(&map, Rc::clone(y.plan()), result, |index, window, sums| {
            let vectors: Vec<_> = [d, x].into_iter().filter_map(|grid| grid.panel(index)).collect();
            let Some(target) = y.panel_mut(index) else { return Ok(()) };
            let inputs = Inputs { vectors: &vectors, scalars: &[], length: numbers_in(target) };
            map.panel_and_sums(inputs, &mut [target], window, sums)
        })
    }

    /// Runs [`advance`](Self::advance) and computes the sum of `d r r` with the new r, left on the
    /// device. Compute shaders do both in one dispatch; other engines need three operations, of
    /// which the last overwrites q.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn advance_and_weigh<'a>(
        &self,
        a: impl Into<Coefficient<'a>>,
        (p, x): (&DeviceGrid, &mut DeviceGrid),
        (q, r): (&mut DeviceGrid, &mut DeviceGrid),
        d: &DeviceGrid,
        result: &mut Scalar,
    ) -> Result<()> {
        if self.blas.engine() == Engine::Fragment {
            self.advance(a, (p, x), (q, r))?;
            return self.multiply_and_dot(d, r, q, result);
        }
        for (grid, what) in [(p, "p"), (&*q, "q"), (&*r, "r"), (d, "d")] {
            grid.must_be(x.plan(), &format!("advance: {what}"))?;
        }
        let (map, scalars) = (self.blas.operation(Operation::AdvanceAndWeigh), [a.into()]);
        self.summed(&map, Rc::clone(x.plan()), result, |index, window, sums| {
            let others: Vec<_> = [p, &*q, d].into_iter().filter_map(|g| g.panel(index)).collect();
            let (Some(x), Some(r)) = (x.panel_mut(index), r.panel_mut(index)) else {
                return Ok(());
            };
            let length = numbers_in(x);
            self.blas.replace_by(&others, &mut [x, r], |vectors, results| {
                let inputs = Inputs { vectors, scalars: &scalars, length };
                map.panel_and_sums(inputs, results, window, sums)
            })
        })
    }

    /// Computes panels with the sums of work groups, and leaves the sum of all.
    fn summed(
        &self,
        map: &Map,
        plan: Rc<Plan>,
        result: &mut Scalar,
        mut panel: impl FnMut(usize, Rectangle, &mut Panel) -> Result<(), stream::Error>,
    ) -> Result<()> {
        let groups = plan.parts().iter().filter_map(|part| map.groups(part.extent()));
        let spares = groups.map(|groups| self.blas.spare(groups));
        let mut sums = spares.collect::<Result<Vec<_>, _>>()?;
        for (index, (part, sums)) in plan.parts().iter().zip(&mut sums).enumerate() {
            panel(index, part.local(part.owned), sums)?;
        }
        self.sum_panels(sums.iter(), result)?;
        sums.into_iter().for_each(|sums| self.blas.keep(sums));
        Ok(())
    }

    /// Computes `x = x + a p` and `r = r - a q` in one pass, as a step of conjugate gradients does.
    /// The roundings are those of [`axpy`](Self::axpy).
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn advance<'a>(
        &self,
        a: impl Into<Coefficient<'a>>,
        (p, x): (&DeviceGrid, &mut DeviceGrid),
        (q, r): (&DeviceGrid, &mut DeviceGrid),
    ) -> Result<()> {
        p.must_be(x.plan(), "advance: p")?;
        q.must_be(x.plan(), "advance: q")?;
        r.must_be(x.plan(), "advance: r")?;
        self.update(Operation::Advance, &[p, q], &[a.into()], &mut [x, r])
    }

    /// Returns the dot product, within [`error_bound`](Self::error_bound) times the sum of `|x_i
    /// y_i|`. Runs in a fixed order.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn dot(&self, x: &DeviceGrid, y: &DeviceGrid) -> Result<f64> {
        y.must_be(x.plan(), "dot: y")?;
        let parts = x.panels().zip(y.panels());
        let dot = |((x, part), (y, _)): ((&Panel, &Part), (&Panel, &Part))| {
            Ok(self.blas.reducer.dot_of(x, y, window(part))?)
        };
        parts.map(dot).sum()
    }

    /// Computes [`dot`](Self::dot) without reading the result back: it stays on the device.
    ///
    /// # Errors
    ///
    /// Those of [`copy`](Self::copy).
    pub fn dot_into(&self, x: &DeviceGrid, y: &DeviceGrid, result: &mut Scalar) -> Result<()> {
        y.must_be(x.plan(), "dot: y")?;
        self.leave(Sum::Products, x, Some(y), result)
    }

    /// Computes the sum of the elements and leaves it on the device.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn sum_into(&self, x: &DeviceGrid, result: &mut Scalar) -> Result<()> {
        self.leave(Sum::Numbers, x, None, result)
    }

    /// Replaces a panel by what a computation writes that reads it.
    pub(crate) fn replace<E: From<stream::Error>>(
        &self,
        panel: &mut Panel,
        compute: impl FnOnce(&Panel, &mut Panel) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut next = self.blas.spare(panel.extent())?;
        compute(panel, &mut next)?;
        std::mem::swap(panel, &mut next);
        self.blas.keep(next);
        Ok(())
    }

    /// Computes the sum of all texels of some textures.
    pub(crate) fn sum_panels<'a>(
        &self,
        panels: impl Iterator<Item = &'a Panel>,
        result: &mut Scalar,
    ) -> Result<()> {
        let panels = panels.map(|panel| (panel, None, None));
        Ok(self.blas.leave_panels(Sum::Numbers, panels, result)?)
    }

    /// Returns the 2-norm, of which no square overflows or underflows, as [`Blas1::nrm2`].
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn nrm2(&self, x: &DeviceGrid) -> Result<f64> {
        let squares = |(x, part): (&Panel, &Part)| {
            Ok(self.blas.reducer.scaled_squares_of(x, window(part))?)
        };
        Ok(x.panels().map(squares).sum::<Result<f64>>()?.sqrt())
    }

    /// Computes [`nrm2`](Self::nrm2) without reading the result back: it stays on the device as a
    /// 32-bit float, which may overflow.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn nrm2_into(&self, x: &DeviceGrid, result: &mut Scalar) -> Result<()> {
        let mut sums = Scalar::new(&self.blas.context, 0.0)?;
        self.leave(Sum::ScaledSquares, x, None, &mut sums)?;
        Ok(self.blas.root(&sums, result)?)
    }

    /// Returns a bound on the relative error of reductions of grids of this plan, as
    /// [`Blas1::error_bound`].
    pub fn error_bound(&self, plan: &Plan) -> f64 {
        let owned = plan.parts().iter().map(|part| part.owned);
        let largest = owned.fold(Extent::new(1, 1), |largest, owned| {
            Extent::new(largest.width.max(owned.width), largest.height.max(owned.height))
        });
        self.blas.reducer.bound(largest, plan.parts().len() + MORE_ROUNDINGS)
    }

    /// Computes a grid from others.
    fn set(
        &self,
        operation: Operation,
        others: &[&DeviceGrid],
        scalars: &[Coefficient<'_>],
        result: &mut DeviceGrid,
    ) -> Result<()> {
        let map = self.blas.operation(operation);
        for index in 0..result.plan().parts().len() {
            let vectors: Vec<_> = others.iter().filter_map(|grid| grid.panel(index)).collect();
            if let Some(target) = result.panel_mut(index) {
                let length = numbers_in(target);
                map.panel(Inputs { vectors: &vectors, scalars, length }, &mut [target])?;
            }
        }
        Ok(())
    }

    /// Replaces grids by results of an operation that reads the others and then these.
    fn update(
        &self,
        operation: Operation,
        others: &[&DeviceGrid],
        scalars: &[Coefficient<'_>],
        updated: &mut [&mut DeviceGrid],
    ) -> Result<()> {
        let count = updated.first().map_or(0, |first| first.plan().parts().len());
        for index in 0..count {
            let others: Vec<_> = others.iter().filter_map(|grid| grid.panel(index)).collect();
            let mut updated: Vec<_> =
                updated.iter_mut().filter_map(|grid| grid.panel_mut(index)).collect();
            let length = updated.first().map_or(0, |panel| numbers_in(panel));
            self.blas.replace(operation, &others, scalars, length, &mut updated)?;
        }
        Ok(())
    }

    fn leave(
        &self,
        sum: Sum,
        x: &DeviceGrid,
        y: Option<&DeviceGrid>,
        result: &mut Scalar,
    ) -> Result<()> {
        let panels = x.panels().enumerate();
        let panels =
            panels.map(|(index, (x, part))| (x, y.and_then(|y| y.panel(index)), window(part)));
        Ok(self.blas.leave_panels(sum, panels, result)?)
    }
}

/// Returns the texels of a panel that count, if not all.
fn window(part: &Part) -> Option<Rectangle> {
    part.has_halo().then(|| part.local(part.owned))
}

/// Returns all of a panel, with halos and padding: the operations are the same for each element,
/// and 0 where their inputs are.
fn numbers_in(panel: &Panel) -> usize {
    4 * panel.extent().texels()
}
