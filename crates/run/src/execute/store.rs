//! The storage of an input or an output on the device.

use bytemuck::Pod;

use crate::error::{Result, StateError};
use crate::plan::tiling::Tiling;
use quadrille::Extent;
use quadrille::data::{Field, Values, ValuesRef};
use quadrille::gl::{self, AnyTexture, Class, Context, Target};
use quadrille::internal::data::Layout;
use quadrille::stream::Dispatch;

use crate::execute::any_texture::{Grid, Layers, Room};
use crate::execute::flip;
use crate::execute::panel_textures::Panels;
use crate::execute::storage_block::Block;
use crate::io::cells::Cells;
use crate::setup::precision::Precision;
use crate::source::place::Place;

use quadrille::memory;

#[derive(Debug)]
pub(crate) enum Store {
    Texture(Grid),
    Panels(Panels),
    Layers(Layers),
    Buffer(Block),
}

impl Store {
    /// Creates uninitialized storage for cells, divided as the tiling says.
    pub(crate) fn empty(
        context: &Context,
        cells: Cells,
        place: Place,
        tiling: Option<Tiling>,
        precision: Precision,
    ) -> Result<Store> {
        let Cells { class, channels, extent } = cells;
        Ok(match (place, tiling) {
            (Place::Texture, Some(tiling)) => {
                Store::Panels(Panels::empty(context, tiling, class, channels, precision)?)
            }
            (Place::Texture, None) => {
                Store::Texture(Grid::empty(context, class, channels, extent, precision)?)
            }
            (Place::Buffer, _) => Store::Buffer(Block::empty(context, class, channels, extent)?),
            (Place::Layers, _) => {
                let layout = Layout { extent, channels, line: false, layers: 1 };
                Store::Layers(Layers::empty(context, class, layout)?)
            }
        })
    }

    pub(crate) fn place(&self) -> Place {
        match self {
            Store::Texture(_) | Store::Panels(_) => Place::Texture,
            Store::Layers(_) => Place::Layers,
            Store::Buffer(_) => Place::Buffer,
        }
    }

    pub(crate) fn extent(&self) -> Extent {
        match self {
            Store::Texture(grid) => grid.any().extent(),
            Store::Panels(panels) => panels.tiling().whole(),
            Store::Layers(layers) => layers.any().extent(),
            Store::Buffer(block) => block.extent(),
        }
    }

    pub(crate) fn class(&self) -> Class {
        match self {
            Store::Texture(grid) => grid.format().class,
            Store::Panels(panels) => panels.format().class,
            Store::Layers(layers) => layers.any().format().class,
            Store::Buffer(block) => block.class(),
        }
    }

    /// Returns the division into panels, if the array is larger than a texture.
    pub(crate) fn tiling(&self) -> Option<Tiling> {
        match self {
            Store::Panels(panels) => Some(*panels.tiling()),
            _ => None,
        }
    }

    /// Returns the texture, if it is one.
    pub(crate) fn texture(&self) -> Option<&dyn AnyTexture> {
        match self {
            Store::Panels(_) => None,
            _ => self.texture_of(0),
        }
    }

    /// Returns the texture of a panel, or the whole one.
    pub(crate) fn texture_of(&self, panel: usize) -> Option<&dyn AnyTexture> {
        match self {
            Store::Texture(grid) => Some(grid.any()),
            Store::Panels(panels) => Some(panels.texture(panel)),
            Store::Layers(layers) => Some(layers.any()),
            Store::Buffer(_) => None,
        }
    }

    /// Returns the texture that the draw of a panel, or of the whole array, writes; `None` where
    /// the storage is no texture.
    pub(crate) fn target(&mut self, panel: usize) -> Option<&mut dyn Target> {
        match self {
            Store::Texture(grid) => Some(grid.target()),
            Store::Panels(panels) => Some(panels.target(panel)),
            Store::Layers(_) | Store::Buffer(_) => None,
        }
    }

    /// Brings to each panel what it stores of others.
    pub(crate) fn fill_halos(&self) -> Result<(), gl::Error> {
        match self {
            Store::Panels(panels) => panels.fill_halos(),
            _ => Ok(()),
        }
    }

    /// Returns whether it holds floats of half precision.
    pub(crate) fn is_half(&self) -> bool {
        self.texture_of(0).is_some_and(|texture| texture.format().is_half())
    }

    /// Returns the context of a texture.
    pub(crate) fn context(&self) -> Option<Context> {
        match self {
            Store::Texture(grid) => Some(grid.context()),
            Store::Panels(panels) => Some(panels.context()),
            Store::Layers(_) | Store::Buffer(_) => None,
        }
    }

    /// Replaces all cells, each number converted exactly, but for half precision, to which it is
    /// rounded; `input` is its name in errors. Returns the largest relative error of a number. With
    /// `flip` the last row comes first on the device.
    pub(crate) fn write(
        &mut self,
        input: &str,
        layout: Layout,
        values: ValuesRef<'_>,
        flip: bool,
    ) -> Result<f64> {
        match self {
            Store::Texture(grid) => grid.write(input, layout, values, flip),
            Store::Panels(panels) => panels.write(input, layout, values, flip),
            Store::Layers(layers) => layers.write(input, layout, values, flip),
            Store::Buffer(block) => block.write(input, layout, values, flip).map(|()| 0.0),
        }
    }

    /// Reads all cells, the first channels of each; with `flip` the last row of the device comes
    /// first.
    pub(crate) fn read(&self, channels: usize, flip: bool) -> Result<Field> {
        let values = match self.class() {
            Class::Float => Values::F32(self.read_new(channels, flip)?),
            Class::Int => Values::I32(self.read_new(channels, flip)?),
            Class::Uint => Values::U32(self.read_new(channels, flip)?),
        };
        let field = Field::new(self.extent(), channels, values)?;
        Ok(if self.is_half() { field.in_half() } else { field })
    }

    fn read_new<T: Pod>(&self, channels: usize, flip: bool) -> Result<Vec<T>> {
        let mut numbers = memory::zeroed(self.extent().texels().saturating_mul(channels))?;
        self.read_into(channels, &mut numbers, flip)?;
        Ok(numbers)
    }

    /// Reads all cells, the first channels of each, into a slice of their class and number; with
    /// `flip` the last row of the device comes first.
    pub(crate) fn read_into<T: Pod>(
        &self,
        channels: usize,
        into: &mut [T],
        flip: bool,
    ) -> Result<()> {
        match self {
            Store::Texture(grid) => grid.read_into(channels, into)?,
            Store::Panels(panels) => panels.read_into(channels, into)?,
            Store::Layers(_) => return Err(StateError::LayersAreRead.into()),
            Store::Buffer(block) => block.read_into(into)?,
        }
        if flip {
            flip::reverse(into, self.extent().width as usize * channels);
        }
        Ok(())
    }

    /// Returns how many numbers the device stores for a cell; the first `channels` of them are
    /// used.
    pub(crate) fn width(&self, channels: usize) -> usize {
        self.texture_of(0).map_or(channels, |texture| texture.format().channels)
    }

    /// Returns the bits of all numbers, floats in single precision.
    pub(crate) fn words(&self, channels: usize) -> Result<Vec<u32>> {
        let width = self.width(channels);
        let mut words = memory::zeroed(self.extent().texels().saturating_mul(width))?;
        self.read_into(width, &mut words, false)?;
        Ok(words)
    }

    /// Replaces all numbers, by those bits.
    pub(crate) fn set_words(&mut self, words: &[u32]) -> Result<()> {
        match self {
            Store::Texture(grid) => grid.set_words(words),
            Store::Panels(panels) => panels.set_words(words),
            Store::Layers(_) => Err(StateError::LayersAreRead.into()),
            Store::Buffer(block) => Ok(block.set_words(words)?),
        }
    }

    /// Copies all cells of another of the same kind; of another kind it copies none.
    pub(crate) fn copy_from(&mut self, other: &Store) -> Result<(), gl::Error> {
        match (self, other) {
            (Store::Texture(to), Store::Texture(from)) => to.copy_from(from),
            (Store::Panels(to), Store::Panels(from)) => to.copy_from(from),
            (Store::Buffer(to), Store::Buffer(from)) => to.copy_from(from),
            _ => Ok(()),
        }
    }

    /// Sets all cells to 0.
    pub(crate) fn clear(&mut self) -> Result<()> {
        match self {
            Store::Texture(grid) => Ok(grid.clear()?),
            Store::Panels(panels) => Ok(panels.clear()?),
            Store::Layers(_) => Err(StateError::LayersAreRead.into()),
            Store::Buffer(block) => block.clear(),
        }
    }

    /// Binds it to the block or the image of this name, to read.
    pub(crate) fn bind<'a>(&'a self, dispatch: Dispatch<'a>, name: &str) -> Dispatch<'a> {
        match self {
            Store::Texture(grid) => dispatch.image(name, grid.any()),
            Store::Panels(panels) => dispatch.image(name, panels.texture(0)),
            Store::Layers(layers) => dispatch.image(name, layers.any()),
            Store::Buffer(block) => block.bind(dispatch, name),
        }
    }

    /// Binds it to the block or the image of this name, to write.
    pub(crate) fn bind_mut<'a>(&'a mut self, dispatch: Dispatch<'a>, name: &str) -> Dispatch<'a> {
        match self {
            // It is borrowed as what the dispatch writes.
            Store::Texture(grid) => dispatch.image(name, grid.any()),
            Store::Panels(panels) => dispatch.image(name, panels.texture(0)),
            Store::Layers(layers) => dispatch.image(name, layers.any()),
            Store::Buffer(block) => block.bind_mut(dispatch, name),
        }
    }
}
