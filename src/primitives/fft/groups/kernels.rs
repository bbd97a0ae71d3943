//! What the passes of work groups share: programs by their defines, tables, and launches.

use std::rc::Rc;

use crate::gl::{Buffer, Context, Error as GlError};
use crate::shader::{Source, Stage};
use crate::stream::group::{Group, Setup};
use crate::stream::kept::Kept;
use crate::stream::launch::{Launch, Program, Programs};
use crate::stream::{Error, Result};

use super::super::passes::Factors;
use super::super::plan::Pass;
use super::super::roots;
use super::plan::Defines;

/// The most work groups along one axis that are used: every device has 65535, and a power of two
/// leaves none over.
const MOST_GROUPS: usize = 1 << 15;

type Table = Buffer<[f32; 2]>;

/// Compiles the passes of one shader: each program and each table of roots once.
pub(super) struct Compiler<'a> {
    context: &'a Context,
    file: &'static str,
    programs: Programs<Defines>,
    tables: Kept<usize, Table>,
}

/// The columns that a pass transforms.
pub(super) struct Columns {
    pub(super) of_array: usize,
    pub(super) of_group: usize,
}

/// The compiled program of a pass, with its tables of roots.
pub(super) struct PassKernel {
    pass: Pass,
    columns: Columns,
    program: Rc<Program>,
    roots: Rc<Table>,
    /// The roots that its steps multiply by.
    steps: Table,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(context: &'a Context, file: &'static str) -> Compiler<'a> {
        // The work groups of a pass follow from its columns.
        let programs = Programs::new(context, Setup::Compute(Group::new(1, 1)));
        Compiler { context, file, programs, tables: Kept::default() }
    }

    /// Compiles a pass of a transform of this length.
    pub(super) fn compile(
        &self,
        pass: Pass,
        columns: Columns,
        length: usize,
        defines: Defines,
        steps: &[[f32; 2]],
    ) -> Result<PassKernel> {
        let (context, file) = (self.context, self.file);
        let program = self.programs.get(&defines, |defines, _| source(file, defines))?;
        let roots =
            self.tables.get_or(&length, || Ok::<_, Error>(context.buffer(&table(length)?)?))?;
        Ok(PassKernel { pass, columns, program, roots, steps: context.buffer(steps)? })
    }
}

impl PassKernel {
    pub(super) fn launch(&self, factors: Factors, shift: i32) -> Launch<'_> {
        let groups = self.columns.of_array.div_ceil(self.columns.of_group);
        let wide = groups.min(MOST_GROUPS);
        self.program
            .launch()
            .groups([wide as u32, groups.div_ceil(wide) as u32, 1])
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
}

pub(super) fn table(order: usize) -> Result<Vec<[f32; 2]>> {
    Ok(roots::table(order).map_err(GlError::from)?)
}

pub(super) fn source(file: &str, defines: &Defines) -> Result<Source> {
    let source = Source::library(Stage::Compute, file)?;
    let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
    Ok(defines.iter().fold(source, define))
}
