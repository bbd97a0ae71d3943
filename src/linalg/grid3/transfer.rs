//! The way from a grid to one that is coarser along an axis, and back.

use std::ops::Range;

use crate::gl::Context;
use crate::linalg::host::grid3::{Transfer as HostTransfer, Weights as HostWeights};
use crate::linalg::nine_banded::Error;

use crate::stream::launch::Programs;

use super::Grid;
use super::launch::Launch;
use super::layout::Layout;
use super::matrix::side_by_side;
use super::programs::{Form, Task, Variant};
use super::region::{Inside, Region, columns, texels_of};
use super::table::Table;

/// The weights of interpolation along an axis.
pub(super) enum Weights {
    /// Those of each kind of points.
    Kinds(Box<Table>),
    /// Those at the points before, and behind, side by side.
    Stored(Grid),
}

impl Weights {
    /// Puts weights of the host on a device.
    pub(super) fn of(
        programs: &Programs<Variant>,
        weights: &HostWeights,
    ) -> Result<Weights, Error> {
        let context = programs.context();
        let Some(kinds) = weights.kinds() else {
            let layout = Layout::new(context, weights.grid)?;
            let number = |side: usize, at| weights.at(weights.grid.place(at))[side] as f32;
            return Ok(Weights::Stored(side_by_side(context, &layout, 2, number)?));
        };
        let numbers = |[before, behind]: &[f64; 2]| [*before as f32, *behind as f32];
        Ok(Weights::Kinds(Box::new(Table::new(programs, kinds, numbers)?)))
    }

    /// Returns how many kinds of points there are at each end of an axis, where the weights depend on these.
    fn border(&self) -> Option<usize> {
        match self {
            Weights::Kinds(table) => Some(table.border),
            Weights::Stored(_) => None,
        }
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
    /// Makes the way that the host computed, between grids of a matrix of this form.
    pub(super) fn of(
        programs: &Programs<Variant>,
        form: Form,
        way: &HostTransfer,
    ) -> Result<Way, Error> {
        let layout = |grid| Layout::new(programs.context(), grid);
        let grids = [layout(way.fine)?, layout(way.p.grid)?];
        let r = way.r.as_ref().map(|r| Weights::of(programs, r)).transpose()?;
        Way::new(programs, way.axis, form, grids, (Weights::of(programs, &way.p)?, r))
    }

    /// Makes the way along an axis between grids of a matrix of this form.
    pub(super) fn new(
        programs: &Programs<Variant>,
        axis: usize,
        form: Form,
        [fine, coarse]: [Layout; 2],
        (p, r): (Weights, Option<Weights>),
    ) -> Result<Way, Error> {
        let form = Form { stacks: fine.has_stacks() || coarse.has_stacks(), ..form };
        let border = p.border().zip(r.as_ref().unwrap_or(&p).border());
        let border = border.map(|(p, r)| p.max(r));
        let regions = border.map(|border| {
            let finer =
                Region::new(programs, &fine, &inside_fine(axis, form, [fine, coarse], border))?;
            let coarser = Region::new(programs, &coarse, &inside_coarse(form, coarse, border))?;
            Ok::<_, Error>([finer, coarser])
        });
        Ok(Way { axis, form, fine, coarse, p, r, regions: regions.transpose()? })
    }

    pub(super) fn fine(&self) -> Layout {
        self.fine
    }

    /// Computes the restriction of a vector of the finer grid.
    pub(super) fn restrict(
        &self,
        programs: &Programs<Variant>,
        x: &Grid,
        target: &mut Grid,
    ) -> Result<(), Error> {
        let task = Task::Restriction { axis: self.axis };
        let weights = self.r.as_ref().unwrap_or(&self.p);
        self.launch(programs, task, weights, 1).input("x", x).run(target)
    }

    /// Computes the interpolation of a vector of the coarser grid, or adds it to x.
    pub(super) fn prolong(
        &self,
        programs: &Programs<Variant>,
        e: &Grid,
        x: Option<&Grid>,
        target: &mut Grid,
    ) -> Result<(), Error> {
        let task = Task::Prolongation { axis: self.axis, adds: x.is_some() };
        let launch = self.launch(programs, task, &self.p, 0).input("e", e);
        let launch = if let Some(x) = x { launch.input("x", x) } else { launch };
        launch.run(target)
    }

    fn launch<'a>(
        &'a self,
        programs: &'a Programs<Variant>,
        task: Task,
        weights: &'a Weights,
        target: usize,
    ) -> Launch<'a> {
        // Those of restriction may have another border than those of interpolation.
        let form = Form { wide: weights.border() > Some(1), ..self.form };
        let launch = Launch::of(programs, task, form).uniform("fine", self.fine.uniform());
        let launch = launch.uniform("coarse", self.coarse.uniform());
        let launch = launch.uniform("fine_width", self.fine.width());
        match (weights, &self.regions) {
            (Weights::Kinds(table), Some(regions)) => {
                launch.table(table, &regions[target]).uniform("coarse_width", self.coarse.width())
            }
            (Weights::Stored(weights), _) => {
                launch.input("weights", weights).uniform("coarse_across", self.coarse.across())
            }
            (Weights::Kinds(_), None) => unreachable!("weights of kinds have regions"),
        }
    }
}

/// Restricts a vector through all steps: each leaves its own.
pub(super) fn restrict(
    transfers: &mut [Transfer],
    programs: &Programs<Variant>,
    fine: &Grid,
) -> Result<(), Error> {
    for at in 0..transfers.len() {
        let (before, rest) = transfers.split_at_mut(at);
        let from = before.last().map_or(fine, |finer| &finer.vector);
        let Transfer { way, vector } = &mut rest[0];
        way.restrict(programs, from, vector)?;
    }
    Ok(())
}

/// Computes the sum of x and the interpolation of e through all steps.
pub(super) fn add_interpolation(
    transfers: &mut [Transfer],
    programs: &Programs<Variant>,
    e: &Grid,
    x: &Grid,
    target: &mut Grid,
) -> Result<(), Error> {
    for index in (0..transfers.len()).rev() {
        let (before, rest) = transfers.split_at_mut(index);
        let (own, behind) = rest.split_at_mut(1);
        // The vectors of grids between are free: what they had was restricted.
        let e = if behind.is_empty() { e } else { &own[0].vector };
        match before.last_mut() {
            Some(finer) => own[0].way.prolong(programs, e, None, &mut finer.vector)?,
            None => own[0].way.prolong(programs, e, Some(x), target)?,
        }
    }
    Ok(())
}

/// Returns the places of a coarse grid's texels in lines whose points have the weights of those inside.
fn inside_coarse(form: Form, coarse: Layout, border: usize) -> Inside {
    let [x, y, z] = [0, 1, 2].map(|axis| inside(form, coarse, border, axis));
    [columns(coarse, x, border), y, z]
}

fn inside(form: Form, coarse: Layout, border: usize, axis: usize) -> Range<usize> {
    let points = coarse.grid.points()[axis];
    if form.wraps[axis] { 0..points } else { border..points.saturating_sub(border) }
}

/// Returns the places of the finer grid's texels in lines which only such points enter: along the axis the one before
/// counts.
fn inside_fine(axis: usize, form: Form, [fine, coarse]: [Layout; 2], border: usize) -> Inside {
    let mut places = [0, 1, 2].map(|axis| inside(form, coarse, border, axis));
    let Range { start, end } = places[axis].clone();
    let start = start + usize::from(!form.wraps[axis]);
    places[axis] = 2 * start..(2 * end).max(2 * start);
    let [x, y, z] = places;
    let x = match axis {
        0 => 2 * (x.start / 2).div_ceil(4)..2 * (x.end / 2 / 4).max((x.start / 2).div_ceil(4)),
        _ => texels_of(x),
    };
    [if border > 1 { x } else { 0..fine.grid.points()[0].div_ceil(4) }, y, z]
}
