//! The way from a grid to one that is coarser along an axis, and back.

use crate::Extent;
use crate::gl::Context;
use crate::linalg::nine_banded::Error;
use crate::reference::grid3::Weights as HostWeights;
use crate::stream::Pass;

use super::Grid;
use super::kernels::{Form, Kernels, Task};
use super::layout::Layout;

/// The weights of interpolation along an axis.
pub(super) enum Weights {
    /// A texel for each kind of points, and the weights of those inside.
    Kinds { table: Grid, inner: [f32; 2], border: i32 },
    /// Those at the points before, and behind, side by side.
    Stored(Grid),
}

impl Weights {
    /// Puts weights of the host on a device, which depend on the kind of a point alone.
    pub(super) fn of(context: &Context, weights: &HostWeights) -> Result<Weights, Error> {
        let Some(kinds) = weights.kinds() else { unreachable!("the host computes no others") };
        let texel = |[before, behind]: &[f64; 2]| [*before as f32, *behind as f32, 0.0, 0.0];
        let texels: Vec<[f32; 4]> = kinds.all().iter().map(texel).collect();
        let table = context.texture(Extent::new(1, texels.len() as u32), &texels)?;
        let [before, behind, ..] = texels[kinds.inside()];
        Ok(Weights::Kinds { table, inner: [before, behind], border: kinds.border() as i32 })
    }
}

/// The way to a coarser grid.
pub(super) struct Way {
    pub(super) axis: usize,
    pub(super) form: Form,
    pub(super) fine: Layout,
    pub(super) coarse: Layout,
    pub(super) p: Weights,
    /// Those whose transpose restricts, if they are others.
    pub(super) r: Option<Weights>,
}

/// A step to a coarser grid, and a vector there.
pub(super) struct Transfer {
    pub(super) way: Way,
    pub(super) vector: Grid,
}

impl Transfer {
    pub(super) fn new(context: &Context, way: Way) -> Result<Transfer, Error> {
        Ok(Transfer { vector: context.uninit(way.coarse.extent())?, way })
    }
}

impl Way {
    /// Computes the restriction of a vector of the finer grid.
    pub(super) fn restrict(
        &self,
        kernels: &Kernels,
        x: &Grid,
        target: &mut Grid,
    ) -> Result<(), Error> {
        let kernel = kernels.get(Task::Restriction { axis: self.axis }, self.form)?;
        let pass = self.bind(kernel.pass().input("x", x), self.r.as_ref().unwrap_or(&self.p));
        Ok(pass.draw(target)?)
    }

    /// Computes the interpolation of a vector of the coarser grid, or adds it to x.
    pub(super) fn prolong(
        &self,
        kernels: &Kernels,
        e: &Grid,
        x: Option<&Grid>,
        target: &mut Grid,
    ) -> Result<(), Error> {
        let task = Task::Prolongation { axis: self.axis, adds: x.is_some() };
        let kernel = kernels.get(task, self.form)?;
        let pass = self.bind(kernel.pass().input("e", e), &self.p);
        let pass = if let Some(x) = x { pass.input("x", x) } else { pass };
        Ok(pass.draw(target)?)
    }

    fn bind<'a>(&'a self, pass: Pass<'a>, weights: &'a Weights) -> Pass<'a> {
        let pass = pass.uniform("fine", self.fine.uniform());
        let pass = pass.uniform("coarse", self.coarse.uniform());
        let pass = match self.form.wraps[0] && self.axis == 0 {
            true => pass.uniform("fine_width", self.fine.width()),
            false => pass,
        };
        match weights {
            Weights::Kinds { table, inner, border } => pass
                .input("weight_kinds", table)
                .uniform("weight_border", *border)
                .uniform("inner_weights", *inner)
                .uniform("coarse_width", self.coarse.width()),
            Weights::Stored(weights) => {
                pass.input("weights", weights).uniform("coarse_across", self.coarse.across())
            }
        }
    }
}
