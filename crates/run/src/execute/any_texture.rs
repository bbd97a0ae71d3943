//! Textures whose type of texel is chosen at run time.

use std::borrow::Cow;

use bytemuck::Pod;

use quadrille::data::ValuesRef;
use quadrille::gl::{self, AnyTexture, Class, Context, Format, Target, Texel};
use quadrille::half::f16;
use quadrille::internal::data::Layout;
use quadrille::internal::gl::{Untyped, UntypedTarget};
use quadrille::{Extent, Rectangle};

use crate::error::{InputError, Result};
use crate::execute::flip;
use crate::setup::precision::{Precision, halved};

use quadrille::memory::{self, NoMemory};

/// Storage on the device that numbers are written to: one texture, several, or layers.
pub(crate) trait Room {
    fn format(&self) -> Format;

    /// Replaces all texels by numbers of their type.
    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<()>;

    /// Replaces all cells by numbers of the type of the texels, which are padded by 0 and, in a
    /// fourth channel, by `one`. With `flip` the last row becomes the first, of each layer where
    /// there are several.
    fn write_cells<T: Default + Pod>(
        &mut self,
        numbers: &[T],
        layout: Layout,
        one: T,
        flip: bool,
    ) -> Result<()> {
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

    /// Replaces all cells, each number converted exactly, but for half precision, to which it is
    /// rounded; `input` is its name in errors. Returns the largest relative error of a number. With
    /// `flip` the last row becomes the first.
    fn write(
        &mut self,
        input: &str,
        layout: Layout,
        values: ValuesRef<'_>,
        flip: bool,
    ) -> Result<f64> {
        let class = self.format().class;
        let from = Exact { input, layout, values, class };
        match class {
            Class::Float if self.format().is_half() => {
                let numbers = from.floats()?;
                let (halves, error) =
                    halved(&numbers)?.map_err(|at| from.overflow(at, numbers[at]))?;
                self.write_cells(&halves, layout, f16::from_f32(1.0), flip)?;
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
pub(crate) struct Grid(Box<dyn UntypedTarget>);

/// A texture array of one, two or four channels of a class, which is read alone. Three are stored
/// in four, and so are two unsigned ones.
#[derive(Debug)]
pub(crate) struct Layers(Box<dyn Untyped>);

impl Grid {
    /// Creates an uninitialized texture with this number of channels.
    pub(crate) fn empty(
        context: &Context,
        class: Class,
        channels: usize,
        extent: Extent,
        precision: Precision,
    ) -> Result<Grid, gl::Error> {
        fn of<T: Texel>(
            context: &Context,
            extent: Extent,
        ) -> Result<Box<dyn UntypedTarget>, gl::Error> {
            Ok(Box::new(context.uninit::<T>(extent)?))
        }
        let made = match (class, precision, channels) {
            (Class::Float, Precision::Single, 1) => of::<f32>,
            (Class::Float, Precision::Single, 2) => of::<[f32; 2]>,
            (Class::Float, Precision::Single, 3) => of::<[f32; 3]>,
            (Class::Float, Precision::Single, _) => of::<[f32; 4]>,
            (Class::Float, Precision::Half, 1) => of::<f16>,
            (Class::Float, Precision::Half, 2) => of::<[f16; 2]>,
            (Class::Float, Precision::Half, 3) => of::<[f16; 3]>,
            (Class::Float, Precision::Half, _) => of::<[f16; 4]>,
            (Class::Int, _, 1) => of::<i32>,
            (Class::Int, _, 2) => of::<[i32; 2]>,
            (Class::Int, _, 3) => of::<[i32; 3]>,
            (Class::Int, _, _) => of::<[i32; 4]>,
            (Class::Uint, _, 1) => of::<u32>,
            (Class::Uint, _, 2) => of::<[u32; 2]>,
            (Class::Uint, _, 3) => of::<[u32; 3]>,
            (Class::Uint, _, _) => of::<[u32; 4]>,
        };
        made(context, extent).map(Grid)
    }

    pub(crate) fn any(&self) -> &dyn AnyTexture {
        self.0.as_any()
    }

    pub(crate) fn context(&self) -> Context {
        self.0.context()
    }

    pub(crate) fn target(&mut self) -> &mut dyn Target {
        self.0.as_target()
    }

    /// Copies all cells of another texture of the same type and extent.
    pub(crate) fn copy_from(&mut self, other: &Grid) -> Result<(), gl::Error> {
        let (target, source) = (self.any().extent(), other.any().extent());
        self.0.copy_part(target.rectangle(), other.any(), source.rectangle())
    }

    /// Copies a rectangle of another texture of the same type. It takes `&self` for what is no part
    /// of a value, such as a halo.
    pub(crate) fn copy_part(
        &self,
        target: Rectangle,
        other: &Grid,
        source: Rectangle,
    ) -> Result<(), gl::Error> {
        self.0.copy_part(target, other.any(), source)
    }

    /// Sets all cells to 0.
    pub(crate) fn clear(&mut self) -> Result<(), gl::Error> {
        self.0.clear()
    }

    /// Reads all cells, the first channels of each, into a slice of their class and number.
    pub(crate) fn read_into<T: Pod>(&self, channels: usize, into: &mut [T]) -> Result<()> {
        let Format { channels: width, .. } = self.any().format();
        if self.any().format().is_half() {
            let mut texels: Vec<f16> = memory::zeroed(into.len() / channels * width)?;
            self.read_texels(&mut texels)?;
            let into: &mut [f32] = bytemuck::cast_slice_mut(into);
            for (cell, texel) in into.chunks_mut(channels).zip(texels.chunks(width)) {
                cell.iter_mut().zip(texel).for_each(|(number, half)| *number = half.to_f32());
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
    pub(crate) fn set_words(&mut self, words: &[u32]) -> Result<()> {
        if !self.any().format().is_half() {
            return self.write_texels(words);
        }
        let halves = words.iter().map(|word| f16::from_f32(f32::from_bits(*word)));
        self.write_texels(&memory::collected(words.len(), halves)?)
    }

    fn read_texels<T: Pod>(&self, into: &mut [T]) -> Result<()> {
        Ok(self.0.read_bytes(bytemuck::cast_slice_mut(into))?)
    }
}

impl Room for Grid {
    fn format(&self) -> Format {
        self.any().format()
    }

    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<()> {
        Ok(self.0.write_bytes(bytemuck::cast_slice(numbers))?)
    }
}

impl Layers {
    /// Creates an uninitialized texture array.
    pub(crate) fn empty(
        context: &Context,
        class: Class,
        layout: Layout,
    ) -> Result<Layers, gl::Error> {
        fn of<T: Texel>(context: &Context, layout: Layout) -> Result<Box<dyn Untyped>, gl::Error> {
            Ok(Box::new(context.uninit_array::<T>(layout.extent, layout.layers)?))
        }
        let made = match (class, layout.channels) {
            (Class::Float, 1) => of::<f32>,
            (Class::Float, 2) => of::<[f32; 2]>,
            (Class::Float, _) => of::<[f32; 4]>,
            (Class::Int, 1) => of::<i32>,
            (Class::Int, 2) => of::<[i32; 2]>,
            (Class::Int, _) => of::<[i32; 4]>,
            (Class::Uint, 1) => of::<u32>,
            (Class::Uint, _) => of::<[u32; 4]>,
        };
        made(context, layout).map(Layers)
    }

    pub(crate) fn any(&self) -> &dyn AnyTexture {
        &*self.0
    }
}

impl Room for Layers {
    fn format(&self) -> Format {
        self.0.format()
    }

    fn write_texels<T: Pod>(&mut self, numbers: &[T]) -> Result<()> {
        Ok(self.0.write_bytes(bytemuck::cast_slice(numbers))?)
    }
}

/// An array that is converted to the class of a texture or a buffer without a change of its
/// numbers.
pub(crate) struct Exact<'a> {
    pub(crate) input: &'a str,
    pub(crate) layout: Layout,
    pub(crate) values: ValuesRef<'a>,
    pub(crate) class: Class,
}

impl<'a> Exact<'a> {
    pub(crate) fn floats(&self) -> Result<Cow<'a, [f32]>> {
        match self.values {
            ValuesRef::F32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as f32, f64::from)?.into()),
        }
    }

    pub(crate) fn ints(&self) -> Result<Cow<'a, [i32]>> {
        match self.values {
            ValuesRef::I32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as i32, f64::from)?.into()),
        }
    }

    pub(crate) fn uints(&self) -> Result<Cow<'a, [u32]>> {
        match self.values {
            ValuesRef::U32(own) => Ok(own.into()),
            _ => Ok(self.exact(|x| x as u32, f64::from)?.into()),
        }
    }

    /// Converts numbers exactly. NaN stays NaN where the type has it.
    fn exact<T: Copy>(&self, turn: impl Fn(f64) -> T, back: impl Fn(T) -> f64) -> Result<Vec<T>> {
        let mut turned = memory::with_room(self.values.len())?;
        for (at, number) in self.values.doubles().enumerate() {
            let new = turn(number);
            if back(new) != number && !(number.is_nan() && back(new).is_nan()) {
                return Err(self.inexact(at, number).into());
            }
            turned.push(new);
        }
        Ok(turned)
    }

    fn overflow(&self, at: usize, number: f32) -> InputError {
        InputError::AboveHalf {
            input: self.input.to_owned(),
            number,
            at: self.layout.index_text(at),
        }
    }

    fn inexact(&self, at: usize, number: f64) -> InputError {
        let has = match self.values {
            ValuesRef::F32(_) => Class::Float,
            ValuesRef::I32(_) => Class::Int,
            ValuesRef::U32(_) => Class::Uint,
        };
        let (input, at) = (self.input.to_owned(), self.layout.index_text(at));
        InputError::Inexact { input, has, class: self.class, number, at }
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
    use quadrille::data::Field;

    fn exact<T: Copy>(
        field: &Field,
        class: Class,
        turn: impl Fn(f64) -> T,
        back: impl Fn(T) -> f64,
    ) -> Result<Vec<T>> {
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
