//! A matrix on the device, as kernels read it.

use crate::Rectangle;
use crate::data::GridMatrix;
use crate::data::grid3::matrix::Row;
use crate::data::grid3::{MIDDLE, NEIGHBOURS};
use crate::gl::Context;
use crate::grid::{DeviceGrid, Halo};
use crate::linalg::multigrid::relaxation::{Relaxation, reciprocal};
use crate::linalg::nine_banded::Result;
use crate::memory;

use crate::stream::launch::Programs;

use super::Grid;
use super::launch::Launch;
use super::layout::Layout;
use super::programs::{Component, StencilAccess, Variant};
use super::region::{Region, columns};
use super::table::Table;

/// A matrix, or that of a coarser grid.
pub(super) struct Matrix {
    pub(super) layout: Layout,
    pub(super) access: StencilAccess,
    pub(super) couplings: Couplings,
}

/// The couplings of a matrix.
pub(super) enum Couplings {
    /// Those of each kind of points, the lines that are inside, and the same matrix on the host.
    Kinds { table: Box<Table>, region: Region, host: GridMatrix },
    /// All numbers side by side.
    Stored(Grid),
}

/// What a relaxation reads beside the matrix.
#[derive(Clone, Copy, Default)]
pub(super) struct Operands<'a> {
    pub(super) x: Option<&'a Grid>,
    pub(super) b: Option<&'a Grid>,
    /// The factor of a sweep, and the reciprocals of the sums of magnitudes of a stored matrix.
    pub(super) sweep: Option<(f32, Option<&'a Grid>)>,
}

/// The 27 numbers of a kind, and the reciprocal of the sum of magnitudes.
const OF_KIND: usize = 28;

/// Returns what a kernel takes for a row: the sum of the row in the middle.
fn numbers_of(row: &Row) -> [f32; OF_KIND] {
    let mut numbers = [0.0; OF_KIND];
    for (number, coupling) in numbers.iter_mut().zip(row) {
        *number = *coupling as f32;
    }
    numbers[MIDDLE] = row.iter().sum::<f64>() as f32;
    numbers[NEIGHBOURS] = reciprocal(row);
    numbers
}

/// Puts the reciprocals that sweeps multiply by on a device.
pub(super) fn scaling(context: &Context, layout: &Layout, matrix: &GridMatrix) -> Result<Grid> {
    side_by_side(context, layout, 1, |_, index| reciprocal(&matrix.row_at(index)))
}

impl Matrix {
    /// Puts a matrix on a device.
    pub(super) fn new(programs: &Programs<Variant>, matrix: &GridMatrix) -> Result<Matrix> {
        let context = programs.context();
        let layout = Layout::new(context, matrix.grid())?;
        let access = StencilAccess {
            kinds: !matrix.is_stored(),
            star: matrix.is_star(),
            stacks: layout.has_stacks(),
            wraps: matrix.periodic(),
            ..StencilAccess::default()
        };
        let (couplings, wide) = match matrix.kinds() {
            Some(kinds) => {
                let table = Box::new(Table::new(programs, kinds, numbers_of)?);
                let columns = columns(layout, kinds.inside(0), table.border);
                let inside = [columns, kinds.inside(1), kinds.inside(2)];
                let (wide, region) = (table.is_wide(), Region::new(programs, &layout, &inside)?);
                (Couplings::Kinds { table, region, host: matrix.clone() }, wide)
            }
            None => (Couplings::Stored(stored(context, &layout, matrix)?), false),
        };
        let access = StencilAccess { wide, ..access };
        Ok(Matrix { layout, access, couplings })
    }

    /// Computes a product, a residual, or a sweep.
    pub(super) fn relax(
        &self,
        programs: &Programs<Variant>,
        relaxation: Relaxation,
        Operands { x, b, sweep }: Operands<'_>,
        target: &mut Grid,
    ) -> Result<()> {
        let launch = Launch::of(programs, Component::Relaxation(relaxation), self.access);
        let launch = launch.uniform("shape", self.layout.uniform());
        let mut launch = launch.uniform("width", self.layout.width());
        match &self.couplings {
            Couplings::Kinds { table, region, .. } => launch = launch.table(table, region),
            Couplings::Stored(bands) if relaxation != Relaxation::FromZero => {
                launch = launch.input("bands", bands).uniform("across", self.layout.across());
            }
            Couplings::Stored(_) => {}
        }
        for (name, vector) in [("x", x), ("b", b)] {
            if let Some(vector) = vector {
                launch = launch.input(name, vector);
            }
        }
        if let Some((factor, scaling)) = sweep {
            launch = launch.uniform("factor", factor);
            if let Some(scaling) = scaling {
                launch = launch.input("scaling", scaling);
            }
        }
        launch.run(target)
    }
}

/// Puts the numbers of a matrix side by side, one after the other.
fn stored(context: &Context, layout: &Layout, matrix: &GridMatrix) -> Result<Grid> {
    let slots = matrix.neighbours();
    layout.must_hold(context, slots.len())?;
    let all = matrix.bands().unwrap_or_default();
    side_by_side(context, layout, slots.len(), |slot, index| match slots[slot] {
        MIDDLE => all.iter().map(|band| band[index]).sum::<f64>() as f32,
        _ => all[slot][index] as f32,
    })
}

/// Puts several numbers of each point side by side: the number of an image at the point of this number.
pub(super) fn side_by_side(
    context: &Context,
    layout: &Layout,
    images: usize,
    number: impl Fn(usize, usize) -> f32 + Sync,
) -> Result<Grid> {
    let all = context.uninit(layout.extent_of(images))?;
    let plan = DeviceGrid::plan_for(context, layout.shape(), Halo::NONE)?;
    let mut numbers = memory::zeroed::<f32>(layout.grid.n())?;
    for image in 0..images {
        memory::host_threads::fill(&mut numbers, 1 << 12, |first, numbers| {
            (first..).zip(numbers).for_each(|(index, to)| *to = number(image, index));
        });
        let one = DeviceGrid::from_host(context, &plan, &numbers)?;
        if let Some(texture) = one.panel(0) {
            copy(&all, layout.place(image), texture)?;
        }
    }
    Ok(all)
}

/// Copies a vector to a place among several.
pub(super) fn copy(to: &Grid, place: Rectangle, from: &Grid) -> Result<()> {
    Ok(to.copy_part(place, from, from.extent().rectangle())?)
}
