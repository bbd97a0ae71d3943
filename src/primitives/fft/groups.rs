//! The passes of a transform along one axis by large radices, each of which is a transform in the
//! shared memory of a work group.

use std::collections::HashMap;
use std::rc::Rc;

use crate::gl::{self, Buffer, Context};
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Error};

use super::axis::Axis;
use super::group_plan::{self, GroupPass, Limits};
use super::maps::Numbers;
use super::passes::{Factors, shift_of};
use super::plan;
use super::roots;

/// The passes along an axis.
pub(super) struct Groups {
    axis: Axis,
    passes: Vec<Compiled>,
    roots: Buffer<[f32; 2]>,
}

struct Compiled {
    pass: GroupPass,
    kernel: Rc<ComputeKernel>,
    /// The roots of the order of the radix.
    steps: Buffer<[f32; 2]>,
}

/// The most work groups along one axis that every device has.
const MOST_GROUPS: usize = 65535;

impl Groups {
    /// Returns `None` for lengths with a prime factor above 7, and for arrays whose results are not
    /// written in pairs.
    pub(super) fn new(
        context: &Context,
        axis: Axis,
        limits: Limits,
    ) -> Result<Option<Groups>, Error> {
        let Some(plan) = group_plan::passes(axis, limits) else { return Ok(None) };
        let mut kernels: HashMap<Vec<(&'static str, usize)>, Rc<ComputeKernel>> = HashMap::new();
        let mut passes = Vec::new();
        for pass in plan {
            let defines = pass.defines(roots::levels(axis.length));
            let kernel = match kernels.get(&defines) {
                Some(kernel) => Rc::clone(kernel),
                None => Rc::new(context.compute_kernel(source(&defines)?)?),
            };
            kernels.insert(defines, Rc::clone(&kernel));
            let steps = context.buffer(&table(pass.pass.radix)?)?;
            passes.push(Compiled { pass, kernel, steps });
        }
        Ok(Some(Groups { axis, passes, roots: context.buffer(&table(axis.length)?)? }))
    }

    /// Returns how many passes there are.
    pub(super) fn count(&self) -> usize {
        self.passes.len()
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        let levels = roots::levels(self.axis.length);
        let of = |compiled: &Compiled| plan::of_group_pass(&compiled.pass.steps, levels);
        self.passes.iter().map(of).sum()
    }

    /// Runs one of the passes.
    pub(super) fn run(
        &self,
        index: usize,
        factors: Factors,
        x: &Numbers,
        out: &mut Numbers,
    ) -> Result<(), Error> {
        let Some(Compiled { pass, kernel, steps }) = self.passes.get(index) else { return Ok(()) };
        let columns = self.axis.total() / pass.pass.radix;
        let groups = columns.div_ceil(pass.columns);
        let wide = groups.min(MOST_GROUPS);
        kernel
            .dispatch()
            .input("x", x)
            .image_mut("result", out)
            .buffer("Roots", &self.roots)
            .buffer("Steps", steps)
            .uniform("shift", shift_of(x))
            .uniform("columns", columns as i32)
            .uniform("block", pass.pass.block as i32)
            .uniform("across", pass.pass.across as i32)
            .uniform("done", pass.pass.done as i32)
            .uniform("before", factors.before)
            .uniform("after", factors.after)
            .run([wide as u32, groups.div_ceil(wide) as u32, 1])
    }
}

fn table(order: usize) -> Result<Vec<[f32; 2]>, Error> {
    Ok(roots::table(order).map_err(gl::Error::from)?)
}

fn source(defines: &[(&'static str, usize)]) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "fft/groups.comp")?;
    Ok(defines.iter().fold(source, |source, (name, value)| source.define(*name, value)))
}

/// Returns variants of the shader with every radix and every property.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
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
            sources.push(source(&pass.defines(levels))?);
        }
    }
    Ok(sources)
}
