//! Passes whose numbers are written two at a time, and read and added one at a time: radices with
//! factors up to 7.

use std::cell::RefCell;

use crate::gl::Context;
use crate::grid::row_shift;
use crate::shader::Source;
use crate::stream::Result;
use crate::stream::kept::made_once;

use super::super::axis::Axis;
use super::super::maps::Texels;
use super::super::passes::Factors;
use super::super::{plan, roots};
use super::kernels::{Columns, Compiler, PassKernel, source, table};
use super::plan::{self as group_plan, GroupPass, Limits};

/// The shader.
const FILE: &str = "fft/groups.comp";

/// The passes along axes, one after the other.
pub(crate) struct Singles {
    passes: Vec<PassKernel>,
    /// What one pass writes and the next reads.
    between: RefCell<Option<Texels>>,
    bound: f64,
}

impl Singles {
    /// Returns `None` for lengths with a prime factor above 7, and for arrays whose results are not
    /// written in pairs.
    pub(super) fn new(context: &Context, axes: &[Axis], limits: Limits) -> Result<Option<Singles>> {
        let Some(plan) = planned(axes, limits) else { return Ok(None) };
        let total = axes.first().map_or(0, |axis| axis.total());
        if plan.is_empty() || !plan.iter().all(|(_, pass)| pass.pairs) {
            return Ok(None);
        }
        let compiler = Compiler::new(context, FILE);
        let (mut passes, mut bound) = (Vec::new(), 0.0);
        for (axis, pass) in plan {
            let levels = roots::levels(axis.length);
            bound += plan::of_group_pass(&pass.steps, levels);
            let columns = Columns { of_array: total / pass.pass.radix, of_group: pass.columns };
            let (defines, steps) = (pass.defines(levels), table(pass.pass.radix)?);
            passes.push(compiler.compile(pass.pass, columns, axis.length, defines, &steps)?);
        }
        Ok(Some(Singles { passes, between: RefCell::default(), bound }))
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    pub(super) fn run(&self, factors: Factors, x: &Texels, out: &mut Texels) -> Result<()> {
        let mut between = self.between.borrow_mut();
        let between = made_once(&mut between, || x.context().uninit(out.extent()))?;
        let last = self.passes.len() - 1;
        for (index, pass) in self.passes.iter().enumerate() {
            let left = last - index;
            let factors = factors.of_step(index == 0, left == 0);
            let launch = pass.launch(factors, row_shift(x.extent()));
            // The last pass writes the result, the one before it what the last one reads.
            match (index, left % 2) {
                (0, 0) => launch.input("x", x).write("result", out),
                (0, _) => launch.input("x", x).write("result", between),
                (_, 0) => launch.input("x", between).write("result", out),
                (_, _) => launch.input("x", &*out).write("result", between),
            }?;
        }
        Ok(())
    }
}

/// Returns the passes along all axes, each with its axis.
fn planned(axes: &[Axis], limits: Limits) -> Option<Vec<(Axis, GroupPass)>> {
    let mut all = Vec::new();
    for axis in axes {
        all.extend(group_plan::passes(*axis, limits)?.into_iter().map(|pass| (*axis, pass)));
    }
    Some(all)
}

/// Returns variants of the shader with every radix and every property.
pub(super) fn sources() -> Result<Vec<Source>> {
    let limits = Limits::LARGEST;
    let axes = [
        Axis::rows(3, 4096),
        Axis::rows(1, 1 << 20),
        Axis::rows(5, 210),
        Axis::rows(2, 2),
        Axis::rows(2, 4),
        Axis::rows(2, 8),
        Axis::columns(105, 64),
        Axis { outer: 3, length: 1024, inner: 8 },
    ];
    let mut sources = Vec::new();
    for pass in axes.into_iter().filter_map(|axis| group_plan::passes(axis, limits)).flatten() {
        for levels in [1, 2] {
            sources.push(source(FILE, &pass.defines(levels))?);
        }
    }
    Ok(sources)
}
