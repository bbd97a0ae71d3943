//! A product in blocks, where the textures, the buffers or the memory of a device do not hold all
//! of it.
//!
//! C is cut into blocks of rows and columns, and the inner dimension into slabs. The operands stay
//! on the host; the panels of A and B that a partial product needs are uploaded for it, filled up
//! with zeros where the edge cuts them, so that one multiplier computes all. The partial products
//! of a block are added on the device, in the order of the slabs.

mod cut;
mod sum;

use std::ops::Range;

use crate::Shape;
use crate::data::Matrix;
use crate::gl::Context;

use self::cut::Cut;
use super::backend::implementation::backend;
use super::backend::{Backend, Operands};
use super::{Element, Error, Options, Result};

pub(super) use self::sum::{Sum, sources};

/// The operands and the product on the host, and what multiplies a block on the device.
pub(super) struct Blocks<T: Element> {
    cut: Cut,
    one: Box<dyn Backend<T>>,
    /// The sum of partial products; `None` where the inner dimension is not cut.
    sum: Option<Sum<T>>,
    /// The panel of A that was uploaded last.
    held: Option<(Range<usize>, Range<usize>)>,
    a: Matrix<T>,
    b: Matrix<T>,
    c: Matrix<T>,
}

impl<T: Element> Blocks<T> {
    /// Halves the longest side until the device can hold the blocks. `refused` is the reason why it
    /// cannot hold the whole, and is returned if no block fits.
    pub(super) fn new(
        context: &Context,
        options: &Options,
        operands: Operands,
        refused: Error,
    ) -> Result<Blocks<T>> {
        if !refused.has_smaller_blocks() {
            return Err(refused);
        }
        let Operands { a, b, .. } = operands;
        let c = Shape::new(a.rows, b.cols);
        let (Ok(a), Ok(b), Ok(c)) = (Matrix::zeros(a), Matrix::zeros(b), Matrix::zeros(c)) else {
            return Err(refused);
        };
        let mut cut = Cut::whole(a.shape(), b.shape(), options.tile);
        while let Some(smaller) = cut.halved() {
            cut = smaller;
            match of_block(context, options, &cut) {
                Err(error) if error.has_smaller_blocks() => {}
                made => {
                    return made.map(|(one, sum)| Blocks { cut, one, sum, held: None, a, b, c });
                }
            }
        }
        Err(refused)
    }

    /// Computes a block of C.
    fn block(&mut self, rows: Range<usize>, cols: Range<usize>) -> Result<Matrix<T>> {
        for (index, slab) in self.cut.slabs().enumerate() {
            self.hold(&rows, &slab)?;
            let b = window(&self.b, slab, cols.clone(), self.cut.of_b())?;
            self.one.load_b(&b)?;
            self.one.run()?;
            if let Some(sum) = &mut self.sum {
                sum.add(&*self.one, index == 0)?;
            }
        }
        match &self.sum {
            Some(sum) => sum.read(),
            None => self.one.read(),
        }
    }

    /// Uploads a panel of A, unless it is there: blocks in a row of C share it where the inner
    /// dimension is not cut.
    fn hold(&mut self, rows: &Range<usize>, slab: &Range<usize>) -> Result<()> {
        let panel = Some((rows.clone(), slab.clone()));
        if self.held != panel {
            self.held = None;
            let a = window(&self.a, rows.clone(), slab.clone(), self.cut.of_a())?;
            self.one.load_a(&a)?;
            self.held = panel;
        }
        Ok(())
    }
}

/// The backend that multiplies a block, and the sum of the slabs.
type Block<T> = (Box<dyn Backend<T>>, Option<Sum<T>>);

fn of_block<T: Element>(context: &Context, options: &Options, cut: &Cut) -> Result<Block<T>> {
    let one = backend(context, options, Operands::of_one(cut.of_a(), cut.of_b()))?;
    let shape = Shape::new(cut.of_a().rows, cut.of_b().cols);
    let several = cut.slabs().count() > 1;
    let sum = several.then(|| Sum::new(context, shape)).transpose()?;
    Ok((one, sum))
}

/// Returns a part of a matrix, filled up with zeros to a shape.
fn window<T: Element>(
    matrix: &Matrix<T>,
    rows: Range<usize>,
    cols: Range<usize>,
    shape: Shape,
) -> Result<Matrix<T>> {
    let mut part = Matrix::zeros(shape)?;
    for (row, to) in rows.zip(part.elements_mut().chunks_mut(shape.cols)) {
        let from = &matrix.row(row)[cols.clone()];
        to[..from.len()].copy_from_slice(from);
    }
    Ok(part)
}

impl<T: Element> Backend<T> for Blocks<T> {
    fn load_a(&mut self, a: &Matrix<T>) -> Result<()> {
        self.held = None;
        self.a.elements_mut().copy_from_slice(a.elements());
        Ok(())
    }

    fn load_b(&mut self, b: &Matrix<T>) -> Result<()> {
        self.b.elements_mut().copy_from_slice(b.elements());
        Ok(())
    }

    /// Multiplies block by block. It waits for the device, since each block of C is read back.
    fn run(&mut self) -> Result<()> {
        let width = self.c.shape().cols;
        for (rows, cols) in self.cut.blocks() {
            let block = self.block(rows.clone(), cols.clone())?;
            let lines = self.c.elements_mut().chunks_mut(width).skip(rows.start);
            for (line, row) in lines.take(rows.len()).zip(0..) {
                line[cols.clone()].copy_from_slice(&block.row(row)[..cols.len()]);
            }
        }
        Ok(())
    }

    fn read(&self) -> Result<Matrix<T>> {
        Ok(self.c.copied()?)
    }

    fn stored(&self) -> Shape {
        self.c.shape()
    }

    fn fetched_bytes(&self) -> u64 {
        self.one.fetched_bytes() * self.partial_products() as u64
    }

    fn options(&self) -> String {
        self.one.options()
    }

    fn partial_products(&self) -> usize {
        self.cut.blocks().count() * self.cut.slabs().count()
    }
}
