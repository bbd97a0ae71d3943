//! Counting on the fragment stage, with the assignment in a texture: for any number of variables.

use quadrille::gl::{Context, Texture};
use quadrille::memory;
use quadrille::shader::{Reads, Source, Stage};
use quadrille::stream::{self, Kernel};

use super::super::iterations;
use super::super::lists::linked;
use super::super::{Error, Grid, Result};
use super::Evaluator;
use crate::cnf::Cnf;
use crate::shaders::SHADERS;

/// The number of clauses that a fragment counts, that of the vertex program of 2002.
pub const SHARE: usize = 15;

/// An evaluator that draws one pass: the values are uploaded, a number for every [`SHARE`] clauses
/// comes back, and the host adds them, as in 2002.
pub struct TextureEvaluator {
    kernel: Kernel,
    grid: Grid,
    clauses: Texture<[i32; 4]>,
    values: Texture<u8>,
    counts: Texture<u32>,
}

/// Returns every shader of this module.
pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    [false, true].into_iter().map(|linked| source(Grid::within(1024), 20, linked)).collect()
}

fn source(grid: Grid, clauses: usize, linked: bool) -> Result<Source, stream::Error> {
    let source = SHADERS
        .source(Stage::Fragment, "sat/count.frag")?
        .define("LOG_WIDTH", grid.log_width)
        .define("CLAUSES", clauses)
        .define("SHARE", SHARE)
        .define("COUNT_ROWS", grid.rows(clauses.div_ceil(SHARE)));
    Ok(if linked { source.define("LINKED", 1) } else { source })
}

impl TextureEvaluator {
    /// Compiles the pass for a formula that has variables and clauses, and puts the clauses on the
    /// device.
    ///
    /// # Errors
    /// [`Error::FormulaTooLarge`] and [`Error::LongLoop`] for formulas beyond the device's limits;
    /// errors of the device.
    pub fn new(context: &Context, cnf: &Cnf) -> Result<TextureEvaluator> {
        let limit = context.abilities().max_texture_size;
        let grid = Grid::within(limit);
        let lists = linked(cnf.clauses().map(|clause| clause.iter().copied()))?;
        let rows = grid.rows(lists.len().max(cnf.variables()));
        if rows > limit as usize {
            let (clauses, variables) = (cnf.len(), cnf.variables());
            return Err(Error::FormulaTooLarge { clauses, variables, height: rows, limit });
        }
        iterations::must_end(context, cnf, iterations::of_counting(cnf, SHARE))?;
        let is_linked = lists.len() > cnf.len();
        let (extent, lists) = grid.fill(lists)?;
        let source = source(grid, cnf.len(), is_linked)?;
        Ok(TextureEvaluator {
            kernel: Kernel::from_fragment(context, &source, Reads::Fetch)?,
            grid,
            clauses: context.texture(extent, &lists)?,
            values: context.uninit(grid.extent(cnf.variables(), 1))?,
            counts: context.uninit(grid.extent(cnf.len().div_ceil(SHARE), 1))?,
        })
    }
}

impl Evaluator for TextureEvaluator {
    fn satisfied(&mut self, assignment: &[bool]) -> Result<usize> {
        let values = assignment.iter().map(|&value| u8::from(value));
        let values = memory::collected(assignment.len(), values)?;
        self.values.write(&self.grid.fill(values)?.1)?;
        let pass = self.kernel.pass().input("clauses", &self.clauses);
        pass.input("values", &self.values).draw(&mut self.counts)?;
        Ok(self.counts.read()?.into_iter().map(|count| count as usize).sum())
    }
}
