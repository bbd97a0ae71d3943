//! The way from a grid to one that is coarser along an axis, and back.

use std::ops::Range;

use crate::Extent;
use crate::gl::Context;
use crate::linalg::nine_banded::Error;
use crate::reference::grid3::Weights as HostWeights;
use crate::stream::{Geometry, Pass};

use super::Grid;
use super::kernels::{Form, Kernels, Task};
use super::layout::Layout;
use super::region::{Inside, Region, texels_of};

/// The weights of interpolation along an axis.
pub(super) enum Weights {
    /// A texel for each kind of points, and the weights of those inside.
    Kinds { table: Grid, inner: [f32; 2], border: usize },
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
        Ok(Weights::Kinds { table, inner: [before, behind], border: kinds.border() })
    }
}

/// The way to a coarser grid.
pub(super) struct Way {
    axis: usize,
    form: Form,
    fine: Layout,
    pub(super) coarse: Layout,
    p: Weights,
    /// Those whose transpose restricts, if they are others.
    r: Option<Weights>,
    /// The texels of either grid that only points inside enter, where weights depend on kinds.
    regions: Option<[Region; 2]>,
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
    /// Makes the way along an axis between grids of a matrix of this form.
    pub(super) fn new(
        context: &Context,
        axis: usize,
        form: Form,
        [fine, coarse]: [Layout; 2],
        (p, r): (Weights, Option<Weights>),
    ) -> Result<Way, Error> {
        let form = Form { stacks: fine.has_stacks() || coarse.has_stacks(), ..form };
        let regions = match (&p, r.as_ref().unwrap_or(&p)) {
            (Weights::Kinds { border: p, .. }, Weights::Kinds { border: r, .. }) => {
                let border = *p.max(r);
                let finer = Region::new(context, &fine, &inside_fine(axis, form, coarse, border))?;
                let coarser = Region::new(context, &coarse, &inside_coarse(form, coarse, border))?;
                Some([finer, coarser])
            }
            _ => None,
        };
        Ok(Way { axis, form, fine, coarse, p, r, regions })
    }

    pub(super) fn fine(&self) -> Layout {
        self.fine
    }

    /// Computes the restriction of a vector of the finer grid.
    pub(super) fn restrict(
        &self,
        kernels: &Kernels,
        x: &Grid,
        target: &mut Grid,
    ) -> Result<(), Error> {
        let task = Task::Restriction { axis: self.axis };
        let weights = self.r.as_ref().unwrap_or(&self.p);
        self.draw(1, |form, over| {
            let kernel = kernels.get(task, form)?;
            let pass = self.bind(kernel.pass().input("x", x).over(over), form, weights);
            Ok(pass.draw(target)?)
        })
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
        self.draw(0, |form, over| {
            let kernel = kernels.get(task, form)?;
            let pass = self.bind(kernel.pass().input("e", e).over(over), form, &self.p);
            let pass = if let Some(x) = x { pass.input("x", x) } else { pass };
            Ok(pass.draw(target)?)
        })
    }

    fn draw(
        &self,
        target: usize,
        mut draw: impl FnMut(Form, Geometry<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match &self.regions {
            Some(regions) => {
                regions[target].each(|inner, over| draw(Form { inner, ..self.form }, over))
            }
            None => draw(self.form, Geometry::Full),
        }
    }

    fn bind<'a>(&'a self, pass: Pass<'a>, form: Form, weights: &'a Weights) -> Pass<'a> {
        let pass = pass.uniform("fine", self.fine.uniform());
        let pass = pass.uniform("coarse", self.coarse.uniform());
        let pass = match form.wraps[0] && self.axis == 0 {
            true => pass.uniform("fine_width", self.fine.width()),
            false => pass,
        };
        match weights {
            Weights::Kinds { inner, .. } if form.inner => pass.uniform("inner_weights", *inner),
            Weights::Kinds { table, border, .. } => pass
                .input("weight_kinds", table)
                .uniform("weight_border", *border as i32)
                .uniform("coarse_width", self.coarse.width()),
            Weights::Stored(weights) => {
                pass.input("weights", weights).uniform("coarse_across", self.coarse.across())
            }
        }
    }
}

/// Returns the places of a coarse grid's texels whose points have the weights of those inside.
fn inside_coarse(form: Form, coarse: Layout, border: usize) -> Inside {
    let [x, y, z] = [0, 1, 2].map(|axis| inside(form, coarse, border, axis));
    [texels_of(x), y, z]
}

fn inside(form: Form, coarse: Layout, border: usize, axis: usize) -> Range<usize> {
    let points = coarse.grid.points()[axis];
    if form.wraps[axis] { 0..points } else { border..points.saturating_sub(border) }
}

/// Returns the places of the finer grid's texels which only such points enter: along the axis the one before counts.
fn inside_fine(axis: usize, form: Form, coarse: Layout, border: usize) -> Inside {
    let mut places = [0, 1, 2].map(|axis| inside(form, coarse, border, axis));
    let before = usize::from(!form.wraps[axis]);
    let Range { start, end } = places[axis].clone();
    let [x, y, z] = &mut places;
    match axis {
        0 => {
            let texels = texels_of(start + before..end);
            return [2 * texels.start..2 * texels.end, y.clone(), z.clone()];
        }
        1 => *y = 2 * (start + before)..2 * end,
        _ => *z = 2 * (start + before)..2 * end,
    }
    if y.start > y.end {
        y.end = y.start;
    }
    if z.start > z.end {
        z.end = z.start;
    }
    [texels_of(x.clone()), y.clone(), z.clone()]
}
