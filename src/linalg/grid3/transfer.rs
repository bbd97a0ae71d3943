//! The way from a grid to one that is coarser along an axis, and back.

use std::ops::Range;

use crate::gl::Context;
use crate::linalg::host::grid3::{Transfer as HostTransfer, Weights as HostWeights};
use crate::linalg::nine_banded::{Error, Result};

use crate::stream::launch::Programs;

use super::Grid;
use super::launch::Launch;
use super::layout::Layout;
use super::matrix::side_by_side;
use super::programs::{Component, StencilAccess, Variant};
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
    pub(super) fn of(programs: &Programs<Variant>, weights: &HostWeights) -> Result<Weights> {
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

/// The operators of interpolation and restriction between a grid and a coarser one.
pub(super) struct TransferOperators {
    axis: usize,
    access: StencilAccess,
    fine: Layout,
    pub(super) coarse: Layout,
    p: Weights,
    /// Those whose transpose restricts, if they are others.
    r: Option<Weights>,
    /// The texels of either grid that only points inside enter, where weights depend on kinds.
    regions: Option<[Region; 2]>,
}

/// The operators to a coarser grid, and a vector there.
pub(super) struct Transfer {
    pub(super) operators: TransferOperators,
    pub(super) vector: Grid,
}

impl Transfer {
    pub(super) fn new(context: &Context, operators: TransferOperators) -> Result<Transfer> {
        Ok(Transfer { vector: context.uninit(operators.coarse.extent())?, operators })
    }
}

impl TransferOperators {
    /// Copies the operators that the host computed, between grids of a matrix that is read so.
    pub(super) fn of(
        programs: &Programs<Variant>,
        access: StencilAccess,
        host: &HostTransfer,
    ) -> Result<TransferOperators> {
        let layout = |grid| Layout::new(programs.context(), grid);
        let grids = [layout(host.fine)?, layout(host.p.grid)?];
        let r = host.r.as_ref().map(|r| Weights::of(programs, r)).transpose()?;
        TransferOperators::new(
            programs,
            host.axis,
            access,
            grids,
            (Weights::of(programs, &host.p)?, r),
        )
    }

    /// Makes the operators along an axis between grids of a matrix that is read so.
    pub(super) fn new(
        programs: &Programs<Variant>,
        axis: usize,
        access: StencilAccess,
        [fine, coarse]: [Layout; 2],
        (p, r): (Weights, Option<Weights>),
    ) -> Result<TransferOperators> {
        let access = StencilAccess { stacks: fine.has_stacks() || coarse.has_stacks(), ..access };
        let border = p.border().zip(r.as_ref().unwrap_or(&p).border());
        let border = border.map(|(p, r)| p.max(r));
        let regions = border.map(|border| {
            let finer =
                Region::new(programs, &fine, &inside_fine(axis, access, [fine, coarse], border))?;
            let coarser = Region::new(programs, &coarse, &inside_coarse(access, coarse, border))?;
            Ok::<_, Error>([finer, coarser])
        });
        Ok(TransferOperators { axis, access, fine, coarse, p, r, regions: regions.transpose()? })
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
    ) -> Result<()> {
        let component = Component::Restriction { axis: self.axis };
        let weights = self.r.as_ref().unwrap_or(&self.p);
        self.launch(programs, component, weights, 1).input("x", x).run(target)
    }

    /// Computes the interpolation of a vector of the coarser grid, or adds it to x.
    pub(super) fn prolong(
        &self,
        programs: &Programs<Variant>,
        e: &Grid,
        x: Option<&Grid>,
        target: &mut Grid,
    ) -> Result<()> {
        let component = Component::Prolongation { axis: self.axis, adds: x.is_some() };
        let launch = self.launch(programs, component, &self.p, 0).input("e", e);
        let launch = if let Some(x) = x { launch.input("x", x) } else { launch };
        launch.run(target)
    }

    fn launch<'a>(
        &'a self,
        programs: &'a Programs<Variant>,
        component: Component,
        weights: &'a Weights,
        target: usize,
    ) -> Launch<'a> {
        // Those of restriction may have another border than those of interpolation.
        let access = StencilAccess { wide: weights.border() > Some(1), ..self.access };
        let launch = Launch::of(programs, component, access).uniform("fine", self.fine.uniform());
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
) -> Result<()> {
    for at in 0..transfers.len() {
        let (before, rest) = transfers.split_at_mut(at);
        let from = before.last().map_or(fine, |finer| &finer.vector);
        let Transfer { operators, vector } = &mut rest[0];
        operators.restrict(programs, from, vector)?;
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
) -> Result<()> {
    for index in (0..transfers.len()).rev() {
        let (before, rest) = transfers.split_at_mut(index);
        let (own, behind) = rest.split_at_mut(1);
        // The vectors of grids between are free: what they had was restricted.
        let e = if behind.is_empty() { e } else { &own[0].vector };
        match before.last_mut() {
            Some(finer) => own[0].operators.prolong(programs, e, None, &mut finer.vector)?,
            None => own[0].operators.prolong(programs, e, Some(x), target)?,
        }
    }
    Ok(())
}

/// Returns the places of a coarse grid's texels in lines whose points have the weights of those inside.
fn inside_coarse(access: StencilAccess, coarse: Layout, border: usize) -> Inside {
    let [x, y, z] = [0, 1, 2].map(|axis| inside(access, coarse, border, axis));
    [columns(coarse, x, border), y, z]
}

fn inside(access: StencilAccess, coarse: Layout, border: usize, axis: usize) -> Range<usize> {
    let points = coarse.grid.points()[axis];
    if access.wraps[axis] { 0..points } else { border..points.saturating_sub(border) }
}

/// Returns the places of the finer grid's texels in lines which only such points enter: along the axis the one before
/// counts.
fn inside_fine(
    axis: usize,
    access: StencilAccess,
    [fine, coarse]: [Layout; 2],
    border: usize,
) -> Inside {
    let mut places = [0, 1, 2].map(|axis| inside(access, coarse, border, axis));
    let Range { start, end } = places[axis].clone();
    let start = start + usize::from(!access.wraps[axis]);
    places[axis] = 2 * start..(2 * end).max(2 * start);
    let [x, y, z] = places;
    let x = match axis {
        0 => 2 * (x.start / 2).div_ceil(4)..2 * (x.end / 2 / 4).max((x.start / 2).div_ceil(4)),
        _ => texels_of(x),
    };
    [if border > 1 { x } else { 0..fine.grid.points()[0].div_ceil(4) }, y, z]
}
