//! An array larger than a texture: a texture for each of its panels, with the halo around it.

use bytemuck::Pod;

use crate::plan::tiling::{Run, Tiling};
use quadrille::gl::{self, AnyTexture, Class, Context, Format, Target};
use quadrille::{Rectangle, memory};

use crate::Result;
use crate::execute::any_texture::{Grid, Room};
use crate::setup::precision::Precision;

#[derive(Debug)]
pub(crate) struct Panels {
    tiling: Tiling,
    grids: Vec<Grid>,
}

impl Panels {
    /// Creates uninitialized textures.
    pub(crate) fn empty(
        context: &Context,
        tiling: Tiling,
        class: Class,
        channels: usize,
        precision: Precision,
    ) -> Result<Panels> {
        // No limit of the device is left that refuses what is too large for any: what cannot be
        // read is not made.
        memory::must_have(tiling.whole().texels().saturating_mul(channels * size_of::<f32>()))?;
        let mut grids = Vec::new();
        for _ in 0..tiling.count() {
            grids.push(Grid::empty(context, class, channels, tiling.stored(), precision)?);
        }
        Ok(Panels { tiling, grids })
    }

    pub(crate) fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    pub(crate) fn context(&self) -> Context {
        self.grids[0].context()
    }

    pub(crate) fn texture(&self, panel: usize) -> &dyn AnyTexture {
        self.grids[panel].any()
    }

    pub(crate) fn target(&mut self, panel: usize) -> &mut dyn Target {
        self.grids[panel].target()
    }

    /// Fills the halos with what other panels own.
    pub(crate) fn fill_halos(&self) -> Result<(), gl::Error> {
        if self.tiling.halo() == 0 {
            return Ok(());
        }
        for (panel, grid) in self.grids.iter().enumerate() {
            let (columns, rows) = self.tiling.runs(panel);
            for (column, row) in pairs(&columns, &rows) {
                let owner = self.tiling.number(column.owner, row.owner);
                if owner != panel {
                    let at = |x, y| Rectangle::new(x, y, column.length, row.length);
                    let source = at(column.owned, row.owned);
                    let target = at(column.stored, row.stored);
                    grid.copy_part(target, &self.grids[owner], source)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn copy_from(&mut self, other: &Panels) -> Result<(), gl::Error> {
        self.grids.iter_mut().zip(&other.grids).try_for_each(|(to, from)| to.copy_from(from))
    }

    pub(crate) fn clear(&mut self) -> Result<(), gl::Error> {
        self.grids.iter_mut().try_for_each(Grid::clear)
    }

    /// Reads all cells, the first channels of each, into a slice of their class and number.
    pub(crate) fn read_into<T: Pod>(&self, channels: usize, into: &mut [T]) -> Result<()> {
        let mut texels = memory::zeroed(self.tiling.stored().texels() * channels)?;
        for (panel, grid) in self.grids.iter().enumerate() {
            grid.read_into::<T>(channels, &mut texels)?;
            let (column, row) = self.tiling.own_runs(panel);
            let lines = self.lines(&column, &row, channels);
            lines.for_each(|(stored, whole, length)| {
                into[whole..whole + length].copy_from_slice(&texels[stored..stored + length]);
            });
        }
        Ok(())
    }

    /// Replaces all texels, by their bits in single precision.
    pub(crate) fn set_words(&mut self, words: &[u32]) -> Result<()> {
        self.write_panels(words, Grid::set_words)
    }

    /// Brings to each panel what it stores of the numbers of all texels.
    fn write_panels<T: Pod>(
        &mut self,
        numbers: &[T],
        mut write: impl FnMut(&mut Grid, &[T]) -> Result<()>,
    ) -> Result<()> {
        let channels = self.format().channels;
        let mut texels: Vec<T> = memory::zeroed(self.tiling.stored().texels() * channels)?;
        for panel in 0..self.grids.len() {
            let (columns, rows) = self.tiling.runs(panel);
            for (column, row) in pairs(&columns, &rows) {
                self.lines(column, row, channels).for_each(|(stored, whole, length)| {
                    texels[stored..stored + length]
                        .copy_from_slice(&numbers[whole..whole + length]);
                });
            }
            write(&mut self.grids[panel], &texels)?;
        }
        Ok(())
    }

    /// Yields the rows of a rectangle: the index of the first number in the panel and in the array,
    /// and how many numbers follow.
    fn lines(
        &self,
        column: &Run,
        row: &Run,
        channels: usize,
    ) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let (stored, whole) = (self.tiling.stored().width, self.tiling.whole().width);
        let (column, row) = (*column, *row);
        let index =
            move |width: u32, x: u32, y: u32| (y as usize * width as usize + x as usize) * channels;
        (0..row.length).map(move |y| {
            let here = index(stored, column.stored, row.stored + y);
            let there = index(whole, column.whole, row.whole + y);
            (here, there, column.length as usize * channels)
        })
    }
}

impl Room for Panels {
    fn format(&self) -> Format {
        self.grids[0].format()
    }

    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<()> {
        self.write_panels(numbers, Grid::write_texels)
    }
}

fn pairs<'a>(columns: &'a [Run], rows: &'a [Run]) -> impl Iterator<Item = (&'a Run, &'a Run)> {
    rows.iter().flat_map(move |row| columns.iter().map(move |column| (column, row)))
}
