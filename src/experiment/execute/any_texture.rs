//! Textures whose type of texel is chosen at run time.

use std::borrow::Cow;

use bytemuck::Pod;

use crate::data::{Layout, ValuesRef};
use crate::gl::{self, AnyTexture, Class, Context, Format, Half, Target, Texture};
use crate::{Extent, Rectangle};

use crate::experiment::Error;
use crate::experiment::execute::flip;
use crate::experiment::setup::precision::{Precision, halved};

use crate::memory::{self, NoMemory};

/// What numbers are written to: a texture, several, or layers.
pub(in crate::experiment) trait Room {
    fn format(&self) -> Format;

    /// Replaces all texels by numbers of their type.
    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<(), Error>;

    /// Replaces all cells by numbers of the type of the texels, which are padded by 0 and, in a fourth channel, by `one`. With
    /// `flip` the last row becomes the first, of each layer where there are several.
    fn write_cells<T: Default + Pod>(
        &mut self,
        numbers: &[T],
        layout: Layout,
        one: T,
        flip: bool,
    ) -> Result<(), Error> {
        let width = self.format().channels;
        if layout.channels == width && !flip {
            return self.write_texels(numbers);
        }
        let mut texels = padded(numbers, layout.channels, width, one)?;
        if flip {
            for layer in texels.chunks_mut(layout.extent.texels() * width) {
                flip::reverse(layer, layout.extent.width as usize * width);
            }
        }
        self.write_texels(&texels)
    }

    /// Replaces all cells, each number converted exactly, but for half precision, to which it is rounded; `input` is its name in
    /// errors. Returns the largest relative error of a number. With `flip` the last row becomes the first.
    fn write(
        &mut self,
        input: &str,
        layout: Layout,
        values: ValuesRef<'_>,
        flip: bool,
    ) -> Result<f64, Error> {
        let class = self.format().class;
        let from = Exact { input, layout, values, class };
        match class {
            Class::Float if self.format().is_half() => {
                let numbers = from.floats()?;
                let (halves, error) =
                    halved(&numbers)?.map_err(|at| from.overflow(at, numbers[at]))?;
                self.write_cells(&halves, layout, Half::near(1.0), flip)?;
                return Ok(error);
            }
            Class::Float => self.write_cells(&from.floats()?, layout, 1.0, flip)?,
            Class::Int => self.write_cells(&from.ints()?, layout, 1, flip)?,
            Class::Uint => self.write_cells(&from.uints()?, layout, 1, flip)?,
        }
        Ok(0.0)
    }
}

/// A texture of one to four channels of a class.
#[derive(Debug)]
pub(in crate::experiment) enum Grid {
    F1(Texture<f32>),
    F2(Texture<[f32; 2]>),
    F3(Texture<[f32; 3]>),
    F4(Texture<[f32; 4]>),
    I1(Texture<i32>),
    I2(Texture<[i32; 2]>),
    I3(Texture<[i32; 3]>),
    I4(Texture<[i32; 4]>),
    U1(Texture<u32>),
    U2(Texture<[u32; 2]>),
    U3(Texture<[u32; 3]>),
    U4(Texture<[u32; 4]>),
    H1(Texture<Half>),
    H2(Texture<[Half; 2]>),
    H3(Texture<[Half; 3]>),
    H4(Texture<[Half; 4]>),
}

/// Does the same with a texture of any type.
macro_rules! with {
    ($grid:expr, $texture:ident => $work:expr) => {
        match $grid {
            Grid::F1($texture) => $work,
            Grid::F2($texture) => $work,
            Grid::F3($texture) => $work,
            Grid::F4($texture) => $work,
            Grid::I1($texture) => $work,
            Grid::I2($texture) => $work,
            Grid::I3($texture) => $work,
            Grid::I4($texture) => $work,
            Grid::U1($texture) => $work,
            Grid::U2($texture) => $work,
            Grid::U3($texture) => $work,
            Grid::U4($texture) => $work,
            Grid::H1($texture) => $work,
            Grid::H2($texture) => $work,
            Grid::H3($texture) => $work,
            Grid::H4($texture) => $work,
        }
    };
}

/// Does the same with two textures of one type.
macro_rules! with_both {
    (($to:expr, $from:expr), ($a:ident, $b:ident) => $work:expr) => {
        match ($to, $from) {
            (Grid::F1($a), Grid::F1($b)) => $work,
            (Grid::F2($a), Grid::F2($b)) => $work,
            (Grid::F3($a), Grid::F3($b)) => $work,
            (Grid::F4($a), Grid::F4($b)) => $work,
            (Grid::I1($a), Grid::I1($b)) => $work,
            (Grid::I2($a), Grid::I2($b)) => $work,
            (Grid::I3($a), Grid::I3($b)) => $work,
            (Grid::I4($a), Grid::I4($b)) => $work,
            (Grid::U1($a), Grid::U1($b)) => $work,
            (Grid::U2($a), Grid::U2($b)) => $work,
            (Grid::U3($a), Grid::U3($b)) => $work,
            (Grid::U4($a), Grid::U4($b)) => $work,
            (Grid::H1($a), Grid::H1($b)) => $work,
            (Grid::H2($a), Grid::H2($b)) => $work,
            (Grid::H3($a), Grid::H3($b)) => $work,
            (Grid::H4($a), Grid::H4($b)) => $work,
            _ => Ok(()),
        }
    };
}

impl Grid {
    /// An uninitialized texture with this number of channels.
    pub(in crate::experiment) fn empty(
        context: &Context,
        class: Class,
        channels: usize,
        extent: Extent,
        precision: Precision,
    ) -> Result<Grid, gl::Error> {
        if (class, precision) == (Class::Float, Precision::Half) {
            return Ok(match channels {
                1 => Grid::H1(context.uninit(extent)?),
                2 => Grid::H2(context.uninit(extent)?),
                3 => Grid::H3(context.uninit(extent)?),
                _ => Grid::H4(context.uninit(extent)?),
            });
        }
        Ok(match (class, channels) {
            (Class::Float, 1) => Grid::F1(context.uninit(extent)?),
            (Class::Float, 2) => Grid::F2(context.uninit(extent)?),
            (Class::Float, 3) => Grid::F3(context.uninit(extent)?),
            (Class::Float, _) => Grid::F4(context.uninit(extent)?),
            (Class::Int, 1) => Grid::I1(context.uninit(extent)?),
            (Class::Int, 2) => Grid::I2(context.uninit(extent)?),
            (Class::Int, 3) => Grid::I3(context.uninit(extent)?),
            (Class::Int, _) => Grid::I4(context.uninit(extent)?),
            (Class::Uint, 1) => Grid::U1(context.uninit(extent)?),
            (Class::Uint, 2) => Grid::U2(context.uninit(extent)?),
            (Class::Uint, 3) => Grid::U3(context.uninit(extent)?),
            (Class::Uint, _) => Grid::U4(context.uninit(extent)?),
        })
    }

    pub(in crate::experiment) fn any(&self) -> &dyn AnyTexture {
        with!(self, texture => texture)
    }

    pub(in crate::experiment) fn context(&self) -> Context {
        with!(self, texture => texture.context())
    }

    pub(in crate::experiment) fn target(&mut self) -> &mut dyn Target {
        with!(self, texture => texture)
    }

    /// Copies all cells of another texture of the same type; of another type it copies none.
    pub(in crate::experiment) fn copy_from(&mut self, other: &Grid) -> Result<(), gl::Error> {
        with_both!((self, other), (to, from) => to.copy_from(from))
    }

    /// Copies a rectangle of another texture of the same type; of another type it copies none. It takes `&self` for what is no part of a
    /// value, such as a halo.
    pub(in crate::experiment) fn copy_part(
        &self,
        target: Rectangle,
        other: &Grid,
        source: Rectangle,
    ) -> Result<(), gl::Error> {
        with_both!((self, other), (to, from) => to.copy_part(target, from, source))
    }

    /// Sets all cells to 0.
    pub(in crate::experiment) fn clear(&mut self) -> Result<(), gl::Error> {
        with!(self, texture => texture.fill(bytemuck::Zeroable::zeroed()))
    }

    /// Reads all cells, the first channels of each, into a slice of their class and number.
    pub(in crate::experiment) fn read_into<T: Pod>(
        &self,
        channels: usize,
        into: &mut [T],
    ) -> Result<(), Error> {
        let Format { channels: width, .. } = self.any().format();
        if self.any().format().is_half() {
            let mut texels: Vec<Half> = memory::zeroed(into.len() / channels * width)?;
            self.read_texels(&mut texels)?;
            let into: &mut [f32] = bytemuck::cast_slice_mut(into);
            for (cell, texel) in into.chunks_mut(channels).zip(texels.chunks(width)) {
                cell.iter_mut().zip(texel).for_each(|(number, half)| *number = half.single());
            }
            return Ok(());
        }
        if width == channels {
            return self.read_texels(into);
        }
        let mut texels = memory::zeroed(into.len() / channels * width)?;
        self.read_texels::<T>(&mut texels)?;
        for (cell, texel) in into.chunks_mut(channels).zip(texels.chunks(width)) {
            cell.copy_from_slice(&texel[..channels]);
        }
        Ok(())
    }

    /// Replaces all texels, by their bits in single precision.
    pub(in crate::experiment) fn set_words(&mut self, words: &[u32]) -> Result<(), Error> {
        if !self.any().format().is_half() {
            return self.write_texels(words);
        }
        let halves = words.iter().map(|word| Half::near(f32::from_bits(*word)));
        self.write_texels(&memory::collected(words.len(), halves)?)
    }

    fn read_texels<T: Pod>(&self, into: &mut [T]) -> Result<(), Error> {
        Ok(with!(self, texture => texture.read_into(bytemuck::cast_slice_mut(into)))?)
    }
}

impl Room for Grid {
    fn format(&self) -> Format {
        self.any().format()
    }

    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<(), Error> {
        Ok(with!(self, texture => texture.write(bytemuck::cast_slice(numbers)))?)
    }
}

/// What is converted to the class of a texture or a buffer.
pub(in crate::experiment) struct Exact<'a> {
    pub(in crate::experiment) input: &'a str,
    pub(in crate::experiment) layout: Layout,
    pub(in crate::experiment) values: ValuesRef<'a>,
    pub(in crate::experiment) class: Class,
}

impl<'a> Exact<'a> {
    pub(in crate::experiment) fn floats(&self) -> Result<Cow<'a, [f32]>, Error> {
        match self.values {
            ValuesRef::F32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as f32, f64::from)?.into()),
        }
    }

    pub(in crate::experiment) fn ints(&self) -> Result<Cow<'a, [i32]>, Error> {
        match self.values {
            ValuesRef::I32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as i32, f64::from)?.into()),
        }
    }

    pub(in crate::experiment) fn uints(&self) -> Result<Cow<'a, [u32]>, Error> {
        match self.values {
            ValuesRef::U32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as u32, f64::from)?.into()),
        }
    }

    /// Converts numbers exactly. NaN stays NaN where the type has it.
    fn exact<T: Copy>(
        &self,
        turn: impl Fn(f64) -> T,
        back: impl Fn(T) -> f64,
    ) -> Result<Vec<T>, Error> {
        let mut turned = memory::with_room(self.values.len())?;
        for (at, number) in self.values.doubles().enumerate() {
            let new = turn(number);
            if back(new) != number && !(number.is_nan() && back(new).is_nan()) {
                return Err(self.inexact(at, number));
            }
            turned.push(new);
        }
        Ok(turned)
    }

    fn overflow(&self, at: usize, number: f32) -> Error {
        Error::AboveHalf { input: self.input.to_owned(), number, at: self.layout.index_text(at) }
    }

    fn inexact(&self, at: usize, number: f64) -> Error {
        let has = match self.values {
            ValuesRef::F32(_) => Class::Float,
            ValuesRef::I32(_) => Class::Int,
            ValuesRef::U32(_) => Class::Uint,
        };
        let (input, at) = (self.input.to_owned(), self.layout.index_text(at));
        Error::Inexact { input, has, class: self.class, number, at }
    }
}

/// Pads each cell as a texture is read: 0, 0, and 1 for the last of four.
fn padded<T: Copy + Default>(
    numbers: &[T],
    channels: usize,
    width: usize,
    one: T,
) -> Result<Vec<T>, NoMemory> {
    let mut texels = memory::with_room(numbers.len() / channels * width)?;
    for cell in numbers.chunks(channels) {
        texels.extend_from_slice(cell);
        for channel in channels..width {
            texels.push(if channel == 3 { one } else { T::default() });
        }
    }
    Ok(texels)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::Field;

    fn exact<T: Copy>(
        field: &Field,
        class: Class,
        turn: impl Fn(f64) -> T,
        back: impl Fn(T) -> f64,
    ) -> Result<Vec<T>, Error> {
        let values = field.values().as_ref();
        Exact { input: "x", layout: field.layout(), values, class }.exact(turn, back)
    }

    #[test]
    fn cells_are_filled_up_as_textures_are_read() {
        let three = [1, 2, 3, 4, 5, 6];
        assert_eq!(padded(&three, 3, 4, 9).unwrap(), [1, 2, 3, 9, 4, 5, 6, 9]);
        assert_eq!(padded(&[1, 2], 2, 4, 9).unwrap(), [1, 2, 0, 9]);
    }

    #[test]
    fn numbers_are_turned_exactly_or_refused_with_both_sides_named() {
        let field = Field::line(vec![0.0, 2.5_f32]).unwrap();
        let error = exact(&field, Class::Int, |x| x as i32, f64::from).unwrap_err().to_string();
        for part in ["`x` has floats", "isampler2D", "2.5 at [1]", "declare sampler2D x"] {
            assert!(error.contains(part), "{part} in {error}");
        }
        let whole = Field::line(vec![0_u32, 1 << 24]).unwrap();
        let turned = exact(&whole, Class::Float, |x| x as f32, f64::from).unwrap();
        assert_eq!(turned, [0.0, 16777216.0]);
        let odd = Field::line(vec![(1 << 24) + 1]).unwrap();
        assert!(exact(&odd, Class::Float, |x| x as f32, f64::from).is_err());
        let negative = Field::line(vec![-1]).unwrap();
        assert!(exact(&negative, Class::Uint, |x| x as u32, f64::from).is_err());
    }

    #[test]
    fn nan_stays_nan_and_is_no_integer() {
        let field = Field::line(vec![f32::NAN]).unwrap();
        let turned = exact(&field, Class::Float, |x| x as f32, f64::from).unwrap();
        assert!(turned[0].is_nan());
        assert!(exact(&field, Class::Int, |x| x as i32, f64::from).is_err());
    }
}
