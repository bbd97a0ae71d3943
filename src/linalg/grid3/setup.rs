//! The way to a coarser grid of a matrix that is stored, computed on the device.

use crate::data::grid3::{MIDDLE, NEIGHBOURS, STAR, step};
use crate::grid::Scalar;
use crate::linalg::blas1::Blas1;
use crate::linalg::host::grid3::coarse;
use crate::linalg::multigrid;
use crate::linalg::multigrid::relaxation::{Of, Relaxation};
use crate::linalg::nine_banded::Result;

use crate::stream::launch::Programs;

use super::Grid;
use super::launch::Launch;
use super::layout::Layout;
use super::matrix::{Couplings, Matrix, Operands, copy};
use super::programs::{Component, StencilAccess, Variant};
use super::transfer::{Transfer, TransferOperators, Weights};

/// Sums over the points of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measures {
    /// The strengths of couplings along x, y and z.
    pub(super) strengths: [f64; 3],
    /// The number of points that are coupled much more strongly along one axis than along another.
    pub(super) one_sided: f64,
}

/// Computes the reciprocals that sweeps multiply by, and the measures of a stored matrix. Waits for these.
pub(super) fn rows(
    programs: &Programs<Variant>,
    blas: &Blas1,
    matrix: &Matrix,
) -> Result<(Grid, Measures)> {
    let (context, layout) = (programs.context(), matrix.layout);
    let several = layout.grid.points().map(|points| i32::from(points > 1));
    let mut scaling = context.uninit(layout.extent())?;
    let mut measures: Grid = context.uninit(layout.extent())?;
    let Couplings::Stored(bands) = &matrix.couplings else { unreachable!("it is stored") };
    let launch = Launch::of(programs, Component::Rows, matrix.access).input("bands", bands);
    let launch = launch.uniform("shape", layout.uniform()).uniform("across", layout.across());
    launch.uniform("several", several).run_both(&mut scaling, &mut measures)?;
    let mut sum = Scalar::uninit(context)?;
    blas.grids().sum_panels(std::iter::once(&measures), &mut sum)?;
    let [x, y, z, one_sided] = sum.parts()?;
    Ok((scaling, Measures { strengths: [x, y, z], one_sided }))
}

/// The coarsening of a stored matrix along an axis.
struct AxisCoarsening<'a> {
    programs: &'a Programs<Variant>,
    matrix: &'a Matrix,
    bands: &'a Grid,
    axis: usize,
    coarse: Layout,
    access: StencilAccess,
}

/// Computes the weights along an axis, and the matrix of the coarser grid.
pub(super) fn coarsen(
    programs: &Programs<Variant>,
    matrix: &Matrix,
    axis: usize,
    symmetric: bool,
) -> Result<(Transfer, Matrix), multigrid::Error> {
    let context = programs.context();
    let coarse = Layout::new(context, coarse(matrix.layout.grid, axis)?)?;
    coarse.must_hold(context, NEIGHBOURS)?;
    let access =
        StencilAccess { stacks: matrix.access.stacks || coarse.has_stacks(), ..matrix.access };
    let Couplings::Stored(bands) = &matrix.couplings else { unreachable!("it is stored") };
    let coarsening = AxisCoarsening { programs, matrix, bands, axis, coarse, access };
    let (p, r) = match symmetric {
        true => (coarsening.weights(Of::Matrix)?, None),
        false => (coarsening.weights(Of::SymmetricPart)?, Some(coarsening.weights(Of::Transpose)?)),
    };
    let bands = coarsening.couplings(r.as_ref().unwrap_or(&p), &p)?;
    let (p, r) = (Weights::Stored(p), r.map(Weights::Stored));
    let operators =
        TransferOperators::new(programs, axis, access, [matrix.layout, coarse], (p, r))?;
    copy(&bands, coarse.place(MIDDLE), &sums_of_rows(programs, matrix, &operators)?)?;
    let transfer = Transfer::new(context, operators)?;
    let couplings = Couplings::Stored(bands);
    let access = StencilAccess { star: false, stacks: coarse.has_stacks(), ..matrix.access };
    Ok((transfer, Matrix { layout: coarse, access, couplings }))
}

/// Computes R A P times a vector of ones: with A in differences exact where rows have the sum zero, unlike the sum of
/// the rounded entries of R A P.
fn sums_of_rows(
    programs: &Programs<Variant>,
    matrix: &Matrix,
    operators: &TransferOperators,
) -> Result<Grid> {
    let vector = |layout: Layout| programs.context().uninit::<[f32; 4]>(layout.extent());
    let (mut ones, mut sums) = (vector(operators.coarse)?, vector(operators.coarse)?);
    let (mut x, mut product) = (vector(operators.fine())?, vector(operators.fine())?);
    ones.fill([1.0; 4])?;
    operators.prolong(programs, &ones, None, &mut x)?;
    let operands = Operands { x: Some(&x), ..Operands::default() };
    matrix.relax(programs, Relaxation::Product, operands, &mut product)?;
    operators.restrict(programs, &product, &mut sums)?;
    Ok(sums)
}

impl AxisCoarsening<'_> {
    fn launch(&self, component: Component) -> Launch<'_> {
        let launch = Launch::of(self.programs, component, self.access).input("bands", self.bands);
        let along = [0, 1, 2].map(|axis| i32::from(axis == self.axis));
        let numbers = if self.access.star { STAR.len() } else { NEIGHBOURS };
        launch
            .uniform("along", along)
            .uniform("numbers", numbers as i32)
            .uniform("fine", self.matrix.layout.uniform())
            .uniform("coarse", self.coarse.uniform())
            .uniform("fine_across", self.matrix.layout.across())
            .uniform("coarse_across", self.coarse.across())
            .uniform("fine_width", self.matrix.layout.width())
            .uniform("coarse_width", self.coarse.width())
    }

    fn weights(&self, of: Of) -> Result<Grid> {
        let mut weights = self.programs.context().uninit(self.coarse.extent_of(2))?;
        for side in 0..2 {
            let component = Component::Weights { along_x: self.axis == 0, of };
            let launch = self.launch(component).uniform("side", side as i32);
            launch.part(self.coarse.place(side)).run(&mut weights)?;
        }
        Ok(weights)
    }

    /// Computes all couplings but the sums of rows.
    fn couplings(&self, r: &Grid, p: &Grid) -> Result<Grid> {
        let mut bands = self.programs.context().uninit(self.coarse.extent_of(NEIGHBOURS))?;
        for k in (0..NEIGHBOURS).filter(|k| *k != MIDDLE) {
            let mut across = step(k).map(|step| step as i32);
            let towards = std::mem::take(&mut across[self.axis]);
            let place = self.coarse.place(k);
            let launch = self.launch(Component::Galerkin { along_x: self.axis == 0 });
            let launch = launch.input("r", r).input("p", p).uniform("slot", place.x as i32);
            launch
                .uniform("towards", towards)
                .uniform("across", across)
                .part(place)
                .run(&mut bands)?;
        }
        Ok(bands)
    }
}
