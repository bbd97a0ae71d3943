//! What the passes of work groups share: kernels by their defines, tables, and dispatches.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use crate::gl::{Buffer, Context, Error as GlError};
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Dispatch, Error};

use super::super::passes::Factors;
use super::super::plan::Pass;
use super::super::roots;
use super::plan::Defines;

/// The most work groups along one axis that are used: every device has 65535, and a power of two
/// leaves none over.
const MOST_GROUPS: usize = 1 << 15;

type Table = Buffer<[f32; 2]>;

/// Compiles the passes of one shader: each kernel and each table of roots once.
pub(super) struct Compiler<'a> {
    context: &'a Context,
    file: &'static str,
    kernels: HashMap<Defines, Rc<ComputeKernel>>,
    tables: HashMap<usize, Rc<Table>>,
}

/// The columns that a pass transforms.
pub(super) struct Columns {
    pub(super) of_array: usize,
    pub(super) of_group: usize,
}

/// A pass that can be dispatched.
pub(super) struct Compiled {
    pass: Pass,
    columns: Columns,
    kernel: Rc<ComputeKernel>,
    roots: Rc<Table>,
    /// The roots that its steps multiply by.
    steps: Table,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(context: &'a Context, file: &'static str) -> Compiler<'a> {
        let (kernels, tables) = Default::default();
        Compiler { context, file, kernels, tables }
    }

    /// Compiles a pass of a transform of this length.
    pub(super) fn compile(
        &mut self,
        pass: Pass,
        columns: Columns,
        length: usize,
        defines: Defines,
        steps: &[[f32; 2]],
    ) -> Result<Compiled, Error> {
        let (context, file) = (self.context, self.file);
        let kernel = kept(&mut self.kernels, defines, |defines| {
            context.compute_kernel(source(file, defines)?)
        })?;
        let roots = kept(&mut self.tables, length, |order| Ok(context.buffer(&table(*order)?)?))?;
        Ok(Compiled { pass, columns, kernel, roots, steps: context.buffer(steps)? })
    }
}

impl Compiled {
    pub(super) fn dispatch(&self, factors: Factors, shift: i32) -> Dispatch<'_> {
        self.kernel
            .dispatch()
            .buffer("Roots", &self.roots)
            .buffer("Steps", &self.steps)
            .uniform("shift", shift)
            .uniform("columns", self.columns.of_array as i32)
            .uniform("block", self.pass.block as i32)
            .uniform("across", self.pass.across as i32)
            .uniform("done", self.pass.done as i32)
            .uniform("before", factors.before)
            .uniform("after", factors.after)
    }

    /// Returns the number of work groups along x, y and z.
    pub(super) fn number(&self) -> [u32; 3] {
        let groups = self.columns.of_array.div_ceil(self.columns.of_group);
        let wide = groups.min(MOST_GROUPS);
        [wide as u32, groups.div_ceil(wide) as u32, 1]
    }
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

pub(super) fn table(order: usize) -> Result<Vec<[f32; 2]>, Error> {
    Ok(roots::table(order).map_err(GlError::from)?)
}

pub(super) fn source(file: &str, defines: &Defines) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, file)?;
    let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
    Ok(defines.iter().fold(source, define))
}
