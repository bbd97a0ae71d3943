//! The passes of a transform by large radices, each of which is a transform in the
//! shared memory of a work group.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use crate::gl::{self, Buffer, Context};
use crate::grid::row_shift;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Dispatch, Error};

use super::axis::Axis;
use super::group_plan::{self, Defines, GroupPass, Limits};
use super::maps::Numbers;
use super::passes::Factors;
use super::plan;
use super::roots;

/// The passes along axes, one after the other.
pub(super) struct Groups {
    passes: Vec<Compiled>,
    /// What one pass writes and the next reads.
    between: RefCell<Option<Numbers>>,
    bound: f64,
}

struct Compiled {
    pass: GroupPass,
    kernel: Rc<ComputeKernel>,
    total: usize,
    roots: Rc<Buffer<[f32; 2]>>,
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
        axes: &[Axis],
        limits: Limits,
    ) -> Result<Option<Groups>, Error> {
        let Some(plan) = planned(axes, limits) else { return Ok(None) };
        let total = axes.first().map_or(0, |axis| axis.total());
        if plan.is_empty() || !plan.iter().all(|(_, pass)| pass.pairs) {
            return Ok(None);
        }
        let (mut kernels, mut tables) = (HashMap::new(), HashMap::new());
        let (mut passes, mut bound) = (Vec::new(), 0.0);
        for (axis, pass) in plan {
            let levels = roots::levels(axis.length);
            bound += plan::of_group_pass(&pass.steps, levels);
            let kernel = kept(&mut kernels, pass.defines(levels), |defines| {
                context.compute_kernel(source(defines)?)
            })?;
            let roots =
                kept(&mut tables, axis.length, |order| Ok(context.buffer(&table(*order)?)?))?;
            let steps = context.buffer(&table(pass.pass.radix)?)?;
            passes.push(Compiled { pass, kernel, total, roots, steps });
        }
        Ok(Some(Groups { passes, between: RefCell::default(), bound }))
    }

    /// Returns a bound of the relative error of all passes.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    pub(super) fn run(
        &self,
        factors: Factors,
        x: &Numbers,
        out: &mut Numbers,
    ) -> Result<(), Error> {
        let mut between = self.between.borrow_mut();
        let between = match &mut *between {
            Some(texture) => texture,
            none => none.insert(x.context().uninit(out.extent())?),
        };
        let last = self.passes.len() - 1;
        for (index, pass) in self.passes.iter().enumerate() {
            let left = last - index;
            let dispatch =
                pass.dispatch(factors.of_step(index == 0, left == 0), row_shift(x.extent()));
            // The last pass writes the result, the one before it what the last one reads.
            let dispatch = match (index, left % 2) {
                (0, 0) => dispatch.input("x", x).image_mut("result", out),
                (0, _) => dispatch.input("x", x).image_mut("result", between),
                (_, 0) => dispatch.input("x", between).image_mut("result", out),
                (_, _) => dispatch.input("x", &*out).image_mut("result", between),
            };
            dispatch.run(pass.number())?;
        }
        Ok(())
    }
}

impl Compiled {
    fn dispatch(&self, factors: Factors, shift: i32) -> Dispatch<'_> {
        let pass = self.pass.pass;
        self.kernel
            .dispatch()
            .buffer("Roots", &self.roots)
            .buffer("Steps", &self.steps)
            .uniform("shift", shift)
            .uniform("columns", (self.total / pass.radix) as i32)
            .uniform("block", pass.block as i32)
            .uniform("across", pass.across as i32)
            .uniform("done", pass.done as i32)
            .uniform("before", factors.before)
            .uniform("after", factors.after)
    }

    /// Returns the number of work groups along x, y and z.
    fn number(&self) -> [u32; 3] {
        let groups = (self.total / self.pass.pass.radix).div_ceil(self.pass.columns);
        let wide = groups.min(MOST_GROUPS);
        [wide as u32, groups.div_ceil(wide) as u32, 1]
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

/// Returns what was made of a key, or makes it.
fn kept<Key: Hash + Eq, Value>(
    made: &mut HashMap<Key, Rc<Value>>,
    key: Key,
    make: impl FnOnce(&Key) -> Result<Value, Error>,
) -> Result<Rc<Value>, Error> {
    if let Some(known) = made.get(&key) {
        return Ok(Rc::clone(known));
    }
    let value = Rc::new(make(&key)?);
    made.insert(key, Rc::clone(&value));
    Ok(value)
}

fn table(order: usize) -> Result<Vec<[f32; 2]>, Error> {
    Ok(roots::table(order).map_err(gl::Error::from)?)
}

fn source(defines: &Defines) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, "fft/groups.comp")?;
    let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
    Ok(defines.iter().fold(source, define))
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
