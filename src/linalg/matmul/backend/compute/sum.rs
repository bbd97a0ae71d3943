//! The parts of a product that is split along its inner dimension, and their sum.

use super::layout::Plan;
use crate::gl::{Buffer, Context, Element};
use crate::linalg::matmul::Result;
use crate::shader::{Source, Stage};
use crate::stream::launch::Program;

/// The side of a work group. Tiles of C have whole ones, in vec4s too.
const GROUP: usize = 8;

/// Parts of C, one after the other, and the program that adds them in the order of k.
pub(super) struct Parts<W: Element> {
    buffer: Buffer<W>,
    program: Program,
    /// The vec4s in a row of C.
    width: usize,
    groups: [u32; 3],
}

impl<W: Element> Parts<W> {
    /// Creates the parts of a split product; `None` for a product that is not split.
    pub(super) fn new(context: &Context, plan: &Plan) -> Result<Option<Parts<W>>> {
        let parts = plan.split.parts;
        if parts == 1 {
            return Ok(None);
        }
        let c = plan.padded.c();
        let numbers = c.len().unwrap_or(usize::MAX).saturating_mul(parts);
        let width = c.cols / 4;
        Ok(Some(Parts {
            buffer: context.uninit_buffer(numbers)?,
            program: Program::compute(context, source(parts)?)?,
            width,
            groups: [(width / GROUP) as u32, (c.rows / GROUP) as u32, 1],
        }))
    }

    /// Returns the buffer that the partial products are written to.
    pub(super) fn buffer(&mut self) -> &mut Buffer<W> {
        &mut self.buffer
    }

    pub(super) fn add(&self, c: &mut Buffer<W>) -> Result<()> {
        let launch = self.program.launch().buffer("Parts", &self.buffer);
        let launch = launch.uniform("width", self.width as i32);
        Ok(launch.buffer_mut("C", c).run(self.groups)?)
    }
}

pub(super) fn source(parts: usize) -> Result<Source> {
    let source = Source::library(Stage::Compute, "matmul/sum_parts.comp")?;
    Ok(source.define("PARTS", parts).define("GROUP", GROUP))
}
