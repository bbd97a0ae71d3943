//! The result of a selection by compute shaders: each number goes to its place.

use bytemuck::Zeroable;

use crate::Rectangle;
use crate::gl::{Buffer, Context, Element};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Error};

use super::super::number::Number;
use super::ranked::{Ranks, with_predicate};

/// A vector, and the mask of what is kept of it.
type Masked<'a, T> = (&'a DeviceVector<T>, Option<&'a DeviceVector<u32>>);

/// The kernels for what is kept alone and for all numbers.
pub(super) struct Scatter {
    context: Context,
    group: Group,
    kernels: [ComputeKernel; 2],
}

fn source<T: Number>(
    group: Group,
    predicate: &str,
    masked: bool,
    all: bool,
) -> Result<Source, Error> {
    let source = group.define(Source::library(Stage::Compute, "select/scatter.comp")?);
    let source = with_predicate::<T>(source, predicate, masked);
    Ok(if all { source.define("PARTITION", 1) } else { source })
}

pub(super) fn sources<T: Number>(
    group: Group,
    predicate: &str,
    masked: bool,
) -> Result<[Source; 2], Error> {
    Ok([
        source::<T>(group, predicate, masked, false)?,
        source::<T>(group, predicate, masked, true)?,
    ])
}

impl Scatter {
    pub(super) fn new<T: Number>(
        context: &Context,
        group: Group,
        predicate: &str,
        masked: bool,
    ) -> Result<Scatter, Error> {
        let kernel = |all| context.compute_kernel(source::<T>(group, predicate, masked, all)?);
        Ok(Scatter { context: context.clone(), group, kernels: [kernel(false)?, kernel(true)?] })
    }

    /// Fills the result in parts of whole rows that a buffer holds.
    pub(super) fn run<T: Number>(
        &self,
        x: Masked<'_, T>,
        ranks: &Ranks,
        all: bool,
        result: &mut DeviceVector<T>,
    ) -> Result<(), Error> {
        let limits = self.context.abilities().compute;
        let most = limits.map_or(0, |limits| limits.max_block_bytes) as usize;
        let mut first = 0;
        for (target, length) in result.panels_mut() {
            let extent = target.extent();
            let row = extent.width as usize * size_of::<T::Quad>();
            let rows = (most / row).clamp(1, extent.height as usize) as u32;
            for y in (0..extent.height).step_by(rows as usize) {
                let part = Rectangle::new(0, y, extent.width, rows.min(extent.height - y));
                let start = 4 * y * extent.width;
                let mut buffer = self.context.uninit_buffer(part.texels())?;
                zero_from(length.saturating_sub(start as usize) / 4, &mut buffer)?;
                let start = first + start;
                self.part(x, ranks, (all, start), &mut buffer)?;
                target.copy_rows_from_buffer(part, &buffer, 0)?;
            }
            first += length as u32;
        }
        Ok(())
    }

    /// Fills the places of a part of the result from all panels.
    fn part<T: Number>(
        &self,
        (x, mask): Masked<'_, T>,
        ranks: &Ranks,
        (all, start): (bool, u32),
        part: &mut Buffer<T::Quad>,
    ) -> Result<(), Error> {
        let kernel = &self.kernels[usize::from(all)];
        let window = [start, 4 * part.len() as u32];
        let mut index = 0_u32;
        let (total, panels) = (ranks.total(), x.panels().zip(ranks.ranks.panels()));
        for (at, ((numbers, length), (ranks, _))) in panels.enumerate() {
            let shift = numbers.extent().width.trailing_zeros() as i32;
            let dispatch = kernel.dispatch().input("numbers", numbers).input("ranks", ranks);
            let dispatch = dispatch.uniform("length_of_panel", length as i32);
            let dispatch = dispatch.uniform("shift", shift).uniform("window", window);
            let dispatch = match mask.and_then(|mask| mask.panel(at)) {
                Some(mask) => dispatch.input("mask_of", mask),
                None => dispatch,
            };
            let dispatch = match all {
                true => dispatch.uniform("first", index).uniform("total", total),
                false => dispatch,
            };
            dispatch.buffer_mut("Part", part).run(self.group.cover(numbers.extent()))?;
            index += length as u32;
        }
        Ok(())
    }
}

/// Writes zeros from this texel on: the padding, and numbers beside it that are yet to come.
pub(in super::super) fn zero_from<Q: Element + Zeroable>(
    texel: usize,
    buffer: &mut Buffer<Q>,
) -> Result<(), Error> {
    let count = buffer.len().saturating_sub(texel);
    Ok(buffer.write_at(texel.min(buffer.len()), &vec![Q::zeroed(); count])?)
}
