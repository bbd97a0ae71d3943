//! Textures whose type of texel is chosen at run time.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::Extent;
use crate::data::{Field, Values};
use crate::gl::{self, AnyTexture, Class, Context, Target, Texture};

use super::Error;

use crate::memory::{self, NoMemory};

/// A texture of one, two or four channels of a class. Three are stored in four, and so are two unsigned ones.
#[derive(Debug)]
pub(super) enum Grid {
    F1(Texture<f32>),
    F2(Texture<[f32; 2]>),
    F4(Texture<[f32; 4]>),
    I1(Texture<i32>),
    I2(Texture<[i32; 2]>),
    I4(Texture<[i32; 4]>),
    U1(Texture<u32>),
    U4(Texture<[u32; 4]>),
}

/// Does the same with a texture of any type.
macro_rules! with {
    ($grid:expr, $texture:ident => $work:expr) => {
        match $grid {
            Grid::F1($texture) => $work,
            Grid::F2($texture) => $work,
            Grid::F4($texture) => $work,
            Grid::I1($texture) => $work,
            Grid::I2($texture) => $work,
            Grid::I4($texture) => $work,
            Grid::U1($texture) => $work,
            Grid::U4($texture) => $work,
        }
    };
}

impl Grid {
    /// An uninitialized texture with this number of channels.
    pub(super) fn empty(
        context: &Context,
        class: Class,
        channels: usize,
        extent: Extent,
    ) -> Result<Grid, gl::Error> {
        Ok(match (class, channels) {
            (Class::Float, 1) => Grid::F1(context.uninit(extent)?),
            (Class::Float, 2) => Grid::F2(context.uninit(extent)?),
            (Class::Float, _) => Grid::F4(context.uninit(extent)?),
            (Class::Int, 1) => Grid::I1(context.uninit(extent)?),
            (Class::Int, 2) => Grid::I2(context.uninit(extent)?),
            (Class::Int, _) => Grid::I4(context.uninit(extent)?),
            (Class::Uint, 1) => Grid::U1(context.uninit(extent)?),
            (Class::Uint, _) => Grid::U4(context.uninit(extent)?),
        })
    }

    pub(super) fn any(&self) -> &dyn AnyTexture {
        with!(self, texture => texture)
    }

    pub(super) fn target(&mut self) -> &mut dyn Target {
        with!(self, texture => texture)
    }

    /// Copies all cells of another texture of the same type; of another type it copies none.
    pub(super) fn copy_from(&mut self, other: &Grid) -> Result<(), gl::Error> {
        match (self, other) {
            (Grid::F1(to), Grid::F1(from)) => to.copy_from(from),
            (Grid::F2(to), Grid::F2(from)) => to.copy_from(from),
            (Grid::F4(to), Grid::F4(from)) => to.copy_from(from),
            (Grid::I1(to), Grid::I1(from)) => to.copy_from(from),
            (Grid::I2(to), Grid::I2(from)) => to.copy_from(from),
            (Grid::I4(to), Grid::I4(from)) => to.copy_from(from),
            (Grid::U1(to), Grid::U1(from)) => to.copy_from(from),
            (Grid::U4(to), Grid::U4(from)) => to.copy_from(from),
            _ => Ok(()),
        }
    }

    /// Sets all cells to 0.
    pub(super) fn clear(&mut self) -> Result<(), gl::Error> {
        with!(self, texture => texture.fill(bytemuck::Zeroable::zeroed()))
    }

    /// Replaces all cells, each number converted exactly; `input` is its name in errors.
    pub(super) fn write(&mut self, input: &str, field: &Field) -> Result<(), Error> {
        let format = self.any().format();
        match format.class {
            Class::Float => {
                let numbers = exact(input, field, Class::Float, |x| x as f32, f64::from)?;
                self.write_padded(&padded(numbers, field.channels(), format.channels, 1.0)?)
            }
            Class::Int => {
                let numbers = exact(input, field, Class::Int, |x| x as i32, f64::from)?;
                self.write_padded(&padded(numbers, field.channels(), format.channels, 1)?)
            }
            Class::Uint => {
                let numbers = exact(input, field, Class::Uint, |x| x as u32, f64::from)?;
                self.write_padded(&padded(numbers, field.channels(), format.channels, 1)?)
            }
        }
    }

    fn write_padded<T: NoUninit>(&mut self, numbers: &[T]) -> Result<(), Error> {
        Ok(with!(self, texture => texture.write(bytemuck::cast_slice(numbers)))?)
    }

    /// Reads all cells, the first channels of each.
    pub(super) fn read(&self, channels: usize) -> Result<Field, Error> {
        let format = self.any().format();
        let extent = self.any().extent();
        let width = format.channels;
        let numbers = match format.class {
            Class::Float => Values::F32(cut(self.read_all()?, width, channels)?),
            Class::Int => Values::I32(cut(self.read_all()?, width, channels)?),
            Class::Uint => Values::U32(cut(self.read_all()?, width, channels)?),
        };
        Ok(Field::new(extent, channels, numbers)?)
    }

    fn read_all<T: AnyBitPattern + NoUninit>(&self) -> Result<Vec<T>, gl::Error> {
        with!(self, texture => {
            let texels = texture.read()?;
            Ok(memory::copied(bytemuck::cast_slice(&texels))?)
        })
    }
}

/// Converts numbers exactly. NaN stays NaN where the type has it.
fn exact<T: Copy>(
    input: &str,
    field: &Field,
    class: Class,
    turn: impl Fn(f64) -> T,
    back: impl Fn(T) -> f64,
) -> Result<Vec<T>, Error> {
    let mut turned = memory::with_room(field.values().len())?;
    for (at, number) in field.values().doubles().enumerate() {
        let new = turn(number);
        let same = back(new) == number || number.is_nan() && back(new).is_nan();
        if !same {
            let has = match field.values() {
                Values::F32(_) => Class::Float,
                Values::I32(_) => Class::Int,
                Values::U32(_) => Class::Uint,
            };
            let (input, at) = (input.to_owned(), field.index_text(at));
            return Err(Error::Inexact { input, has, class, number, at });
        }
        turned.push(new);
    }
    Ok(turned)
}

/// Pads each cell as a texture is read: 0, 0, and 1 for the last of four.
fn padded<T: Copy + Default>(
    numbers: Vec<T>,
    channels: usize,
    width: usize,
    one: T,
) -> Result<Vec<T>, NoMemory> {
    if channels == width {
        return Ok(numbers);
    }
    let mut texels = memory::with_room(numbers.len() / channels * width)?;
    for cell in numbers.chunks(channels) {
        texels.extend_from_slice(cell);
        for channel in channels..width {
            texels.push(if channel == 3 { one } else { T::default() });
        }
    }
    Ok(texels)
}

fn cut<T: Copy>(numbers: Vec<T>, width: usize, channels: usize) -> Result<Vec<T>, NoMemory> {
    if width == channels {
        return Ok(numbers);
    }
    let kept = numbers.chunks(width).flat_map(|texel| texel.iter().take(channels)).copied();
    memory::collected(numbers.len() / width * channels, kept)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn cells_are_filled_up_as_textures_are_read_and_cut_again() {
        let three = vec![1, 2, 3, 4, 5, 6];
        let four = padded(three.clone(), 3, 4, 9).unwrap();
        assert_eq!(four, [1, 2, 3, 9, 4, 5, 6, 9]);
        assert_eq!(cut(four, 4, 3).unwrap(), three);
        assert_eq!(padded(vec![1, 2], 2, 4, 9).unwrap(), [1, 2, 0, 9]);
        assert_eq!(padded(three.clone(), 1, 1, 9).unwrap(), three);
    }

    #[test]
    fn numbers_are_turned_exactly_or_refused_with_both_sides_named() {
        let field = Field::line(vec![0.0, 2.5_f32]).unwrap();
        let error =
            exact("x", &field, Class::Int, |x| x as i32, f64::from).unwrap_err().to_string();
        for part in ["`x` has floats", "isampler2D", "2.5 at [1]", "declare sampler2D x"] {
            assert!(error.contains(part), "{part} in {error}");
        }
        let whole = Field::line(vec![0_u32, 1 << 24]).unwrap();
        let turned = exact("x", &whole, Class::Float, |x| x as f32, f64::from).unwrap();
        assert_eq!(turned, [0.0, 16777216.0]);
        let odd = Field::line(vec![(1 << 24) + 1]).unwrap();
        assert!(exact("x", &odd, Class::Float, |x| x as f32, f64::from).is_err());
        let negative = Field::line(vec![-1]).unwrap();
        assert!(exact("x", &negative, Class::Uint, |x| x as u32, f64::from).is_err());
    }

    #[test]
    fn nan_stays_nan_and_is_no_integer() {
        let field = Field::line(vec![f32::NAN]).unwrap();
        let turned = exact("x", &field, Class::Float, |x| x as f32, f64::from).unwrap();
        assert!(turned[0].is_nan());
        assert!(exact("x", &field, Class::Int, |x| x as i32, f64::from).is_err());
    }
}
