//! Fields: one to four values in each cell of a grid, as in arrays and pictures.

use super::{ArrayError, Result};
use crate::{Extent, memory};

/// An array or a picture: one to four values in each cell of a grid. Row 0 of an array, and the top
/// row of a picture, is y = 0, where a shader has `gl_FragCoord.y` = 0.5.
///
/// ```
/// use quadrille::{Extent, data::Field};
/// let field = Field::new(Extent::new(2, 1), 3, vec![0.0_f32, 0.5, 1.0, 1.0, 0.5, 0.0])?;
/// assert_eq!((field.extent().texels(), field.channels()), (2, 3));
/// # Ok::<(), quadrille::data::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    extent: Extent,
    channels: usize,
    line: bool,
    /// The number of layers, or 0 of an array of rows and columns.
    layers: u32,
    values: Values,
    /// Whether half precision holds its values.
    half: bool,
    /// Whether its values are light.
    picture: bool,
}

/// Fields are equal if they have the same values in the same cells, wherever those came from.
impl PartialEq for Field {
    fn eq(&self, other: &Field) -> bool {
        self.layout() == other.layout() && self.values == other.values
    }
}

/// The values of a field: row by row, the channels of a cell together.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Floats.
    F32(Vec<f32>),
    /// Signed integers.
    I32(Vec<i32>),
    /// Unsigned integers.
    U32(Vec<u32>),
}

/// Values that someone else holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValuesRef<'a> {
    /// Floats.
    F32(&'a [f32]),
    /// Signed integers.
    I32(&'a [i32]),
    /// Unsigned integers.
    U32(&'a [u32]),
}

/// Borrowed memory for values.
#[derive(Debug)]
pub enum ValuesMut<'a> {
    /// Floats.
    F32(&'a mut [f32]),
    /// Signed integers.
    I32(&'a mut [i32]),
    /// Unsigned integers.
    U32(&'a mut [u32]),
}

/// The layout of an array: width and height, the number of values in a cell, and whether it has one
/// axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The extent of each layer.
    pub extent: Extent,
    /// The values of a cell.
    pub channels: usize,
    /// Whether it is an array of one axis.
    pub line: bool,
    /// The number of layers; 0 of an array of rows and columns.
    pub layers: u32,
}

impl Layout {
    /// Returns the layout of an array of this shape: one axis, two, or three of which the last has
    /// a length of 1 to 4.
    ///
    /// # Errors
    /// [`ArrayError::FieldShape`] for another shape, and [`ArrayError::FieldEmpty`] without a value.
    pub fn of_shape(shape: &[usize]) -> Result<Layout> {
        let (width, height, channels) = match *shape {
            [width] => (width, 1, 1),
            [height, width] => (width, height, 1),
            [height, width, channels @ 1..=4] => (width, height, channels),
            _ => return Err(ArrayError::FieldShape { got: shape.to_vec() }.into()),
        };
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let extent = Extent::new(side(width), side(height));
        match extent.texels() {
            0 => Err(ArrayError::FieldEmpty { extent }.into()),
            _ => Ok(Layout { extent, channels, line: shape.len() == 1, layers: 0 }),
        }
    }

    /// Returns the layout of an array of this shape, which may have layers: three axes of which the
    /// last is longer than 4, or four of which the last has a length of 1 to 4.
    ///
    /// # Errors
    /// [`ArrayError::FieldShape`] for another shape, and [`ArrayError::FieldEmpty`] without a value.
    pub fn of_any_shape(shape: &[usize]) -> Result<Layout> {
        let (layers, height, width, channels) = match *shape {
            [layers, height, width] if width > 4 => (layers, height, width, 1),
            [layers, height, width, channels @ 1..=4] => (layers, height, width, channels),
            _ => return Layout::of_shape(shape),
        };
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let extent = Extent::new(side(width), side(height));
        match layers.saturating_mul(extent.texels()) {
            0 => Err(ArrayError::FieldEmpty { extent }.into()),
            _ => Ok(Layout { extent, channels, line: false, layers: side(layers) }),
        }
    }

    /// Returns the layout with the numbers read as layers, rows and columns, whatever the length of
    /// the last of three axes; `None` for fewer axes.
    pub fn as_layers(self) -> Option<Layout> {
        match (self.layers, self.line, self.channels) {
            (0, _, 1) | (0, true, _) => None,
            (0, false, columns) => {
                let Extent { width: rows, height: layers } = self.extent;
                let extent = Extent::new(u32::try_from(columns).ok()?, rows);
                Some(Layout { extent, channels: 1, line: false, layers })
            }
            _ => Some(self),
        }
    }

    /// Returns the layout with the layers as one grid of rows, each layer below the one before.
    pub fn as_rows(self) -> Layout {
        let Extent { width, height } = self.extent;
        let extent = Extent::new(width, height.saturating_mul(self.layers.max(1)));
        Layout { extent, layers: 0, ..self }
    }

    /// Returns the number of values.
    #[allow(clippy::len_without_is_empty, reason = "a layout has values")]
    pub fn len(self) -> usize {
        let texels = self.extent.texels().saturating_mul(self.layers.max(1) as usize);
        texels.saturating_mul(self.channels)
    }

    /// Returns the shape as NumPy defines it.
    pub fn shape(self) -> Vec<usize> {
        let Extent { width, height } = self.extent;
        if self.layers > 0 {
            let mut shape = vec![self.layers as usize, height as usize, width as usize];
            // Three axes would be rows, columns and channels.
            if self.channels > 1 || width <= 4 {
                shape.push(self.channels);
            }
            return shape;
        }
        match (self.line, self.channels) {
            (true, _) => vec![width as usize],
            (false, 1) => vec![height as usize, width as usize],
            (false, channels) => vec![height as usize, width as usize, channels],
        }
    }

    /// Returns the subscripts, from 0, of a value, as NumPy writes them.
    pub fn index_text(self, number: usize) -> String {
        let mut rest = number;
        let mut subscripts = Vec::new();
        for axis in self.shape().iter().rev() {
            subscripts.push((rest % axis).to_string());
            rest /= axis;
        }
        subscripts.reverse();
        format!("[{}]", subscripts.join(", "))
    }
}

impl Field {
    /// Makes a field of one to four values a cell, and of at least one cell.
    ///
    /// # Errors
    /// [`ArrayError::FieldChannels`], [`ArrayError::FieldEmpty`], or [`ArrayError::FieldLength`] if there are not
    /// `width * height * channels` values.
    pub fn new(extent: Extent, channels: usize, values: impl Into<Values>) -> Result<Field> {
        let values = values.into();
        if !(1..=4).contains(&channels) {
            return Err(ArrayError::FieldChannels { got: channels }.into());
        }
        if extent.texels() == 0 {
            return Err(ArrayError::FieldEmpty { extent }.into());
        }
        if extent.texels().checked_mul(channels) != Some(values.len()) {
            return Err(ArrayError::FieldLength { extent, channels, got: values.len() }.into());
        }
        Ok(Field { extent, channels, line: false, layers: 0, values, half: false, picture: false })
    }

    /// Makes a field that is an array of one axis: one row of one channel.
    ///
    /// # Errors
    /// [`ArrayError::FieldEmpty`] without a value.
    pub fn line(values: impl Into<Values>) -> Result<Field> {
        let values = values.into();
        let width = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let field = Field::new(Extent::new(width, 1), 1, values)?;
        Ok(field.as_line(true))
    }

    /// Copies an array whose shape is as NumPy defines it: one axis, two, or three of which the
    /// last has a length of 1 to 4. Other arrays of three axes, and those of four of which the last
    /// has a length of 1 to 4, have [layers](Self::layers) first.
    ///
    /// ```
    /// use quadrille::data::{Field, ValuesRef};
    /// let field = Field::copied(&[2, 3], ValuesRef::F32(&[0.0; 6]))?;
    /// assert_eq!(field.shape(), [2, 3]);
    /// # Ok::<(), quadrille::data::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ArrayError::FieldShape`] and [`ArrayError::FieldEmpty`] for another shape, [`ArrayError::FieldLength`]
    /// for another number of values, [`Error::NoMemory`](crate::data::Error).
    pub fn copied(shape: &[usize], values: ValuesRef<'_>) -> Result<Field> {
        let layout = Layout::of_any_shape(shape)?;
        Field::of_layout(layout, values.copied()?)
    }

    /// Returns the field of these values, which may have layers.
    ///
    /// # Errors
    /// Those of [`Field::new`].
    pub fn of_layout(layout: Layout, values: Values) -> Result<Field> {
        let Layout { extent, channels, line, layers } = layout;
        if layers == 0 {
            return Ok(Field::new(extent, channels, values)?.as_line(line));
        }
        match values.len() == layout.len() {
            true => Ok(Field {
                extent,
                channels,
                line: false,
                layers,
                values,
                half: false,
                picture: false,
            }),
            false => Err(ArrayError::FieldLength { extent, channels, got: values.len() }.into()),
        }
    }

    /// Marks the field as an array of one axis, if it has one row and one channel.
    pub fn as_line(self, line: bool) -> Field {
        let line = line && self.extent.height == 1 && self.channels == 1;
        Field { line, ..self }
    }

    /// Marks each of the field's values as a float of half precision (16 bits), as read from such a
    /// file.
    pub fn in_half(self) -> Field {
        Field { half: true, ..self }
    }

    /// Returns whether its values came from a file of half precision, so that such a texture holds
    /// them.
    pub fn is_half(&self) -> bool {
        self.half
    }

    /// Marks the field as a picture: its values are light.
    pub fn of_picture(self) -> Field {
        Field { picture: true, ..self }
    }

    /// Returns whether it was read from a file of pictures.
    pub fn is_picture(&self) -> bool {
        self.picture
    }

    /// Converts grey levels to colours: the first channel as red, green and blue, and the second as
    /// alpha, which is 1 without one. The result has `channels` channels, 3 or 4, and 4 where there
    /// is an alpha. Other fields stay as they are.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn in_colours(self, channels: usize) -> Result<Field> {
        let Values::F32(shades) = &self.values else { return Ok(self) };
        if self.channels > 2 || self.layers > 0 {
            return Ok(self);
        }
        let width = if self.channels == 2 { 4 } else { channels };
        let texels = shades.chunks(self.channels).flat_map(|shade| {
            let alpha = shade.get(1).copied().unwrap_or(1.0);
            [shade[0], shade[0], shade[0], alpha].into_iter().take(width)
        });
        let values = memory::collected(self.extent.texels() * width, texels)?;
        Ok(Field { channels: width, line: false, values: values.into(), ..self })
    }

    /// Returns a copy, or an error where the host has no memory for it.
    ///
    /// # Errors
    /// [`Error::NoMemory`](crate::data::Error).
    pub fn try_clone(&self) -> Result<Field> {
        Ok(Field { values: self.values.as_ref().copied()?, ..*self })
    }

    /// Returns the number of layers, of which each has the [extent](Self::extent) and the channels,
    /// one after the other; `None` for an array of rows and columns.
    pub fn layers(&self) -> Option<u32> {
        (self.layers > 0).then_some(self.layers)
    }

    /// Returns the number of cells along x and y.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the number of values in each cell, 1 to 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns whether it is an array of one axis.
    pub fn is_line(&self) -> bool {
        self.line
    }

    /// Returns the values of all cells.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns its extent, channels and layers.
    #[doc(hidden)]
    pub fn layout(&self) -> Layout {
        let Field { extent, channels, line, layers, .. } = *self;
        Layout { extent, channels, line, layers }
    }

    /// Takes its values out.
    pub fn into_values(self) -> Values {
        self.values
    }

    /// Returns the shape as NumPy defines it: `[n]`, `[height, width]` or `[height, width,
    /// channels]`.
    pub fn shape(&self) -> Vec<usize> {
        self.layout().shape()
    }

    /// Returns the subscripts, from 0, of a number in the order of [`values`](Self::values), as
    /// NumPy writes them.
    pub fn index_text(&self, number: usize) -> String {
        self.layout().index_text(number)
    }
}

impl Values {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.as_ref().len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the type of the values, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Values::F32(_) => "floats",
            Values::I32(_) => "integers",
            Values::U32(_) => "unsigned integers",
        }
    }

    /// Borrows the values.
    pub fn as_ref(&self) -> ValuesRef<'_> {
        match self {
            Values::F32(values) => ValuesRef::F32(values),
            Values::I32(values) => ValuesRef::I32(values),
            Values::U32(values) => ValuesRef::U32(values),
        }
    }

    /// Returns all values in double precision, which represents each exactly.
    pub fn doubles(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        self.as_ref().doubles()
    }
}

impl<'a> ValuesRef<'a> {
    /// Returns the number of values.
    pub fn len(self) -> usize {
        match self {
            ValuesRef::F32(values) => values.len(),
            ValuesRef::I32(values) => values.len(),
            ValuesRef::U32(values) => values.len(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    fn copied(self) -> Result<Values> {
        Ok(match self {
            ValuesRef::F32(values) => memory::copied(values)?.into(),
            ValuesRef::I32(values) => memory::copied(values)?.into(),
            ValuesRef::U32(values) => memory::copied(values)?.into(),
        })
    }

    /// Returns all values as they are in memory.
    pub fn bytes(self) -> &'a [u8] {
        match self {
            ValuesRef::F32(values) => bytemuck::cast_slice(values),
            ValuesRef::I32(values) => bytemuck::cast_slice(values),
            ValuesRef::U32(values) => bytemuck::cast_slice(values),
        }
    }

    /// Returns all values in double precision, which represents each exactly.
    pub fn doubles(self) -> Box<dyn Iterator<Item = f64> + 'a> {
        match self {
            ValuesRef::F32(values) => Box::new(values.iter().map(|x| f64::from(*x))),
            ValuesRef::I32(values) => Box::new(values.iter().map(|x| f64::from(*x))),
            ValuesRef::U32(values) => Box::new(values.iter().map(|x| f64::from(*x))),
        }
    }
}

from_variants!(Values { F32(Vec<f32>), I32(Vec<i32>), U32(Vec<u32>) });

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_those_of_numpy() {
        let field = Field::new(Extent::new(3, 2), 2, vec![0_i32; 12]).unwrap();
        assert_eq!(field.shape(), [2, 3, 2]);
        assert_eq!(field.index_text(9), "[1, 1, 1]");
        assert_eq!(Field::line(vec![0.0; 5]).unwrap().shape(), [5]);
        let row = Field::new(Extent::new(5, 1), 1, vec![0.0; 5]).unwrap();
        assert_eq!((row.shape(), row.as_line(true).shape()), (vec![1, 5], vec![5]));
    }

    #[test]
    fn what_is_no_field_is_refused_with_the_reason() {
        let says = |extent: (u32, u32), channels, count: usize| {
            let extent = Extent::new(extent.0, extent.1);
            Field::new(extent, channels, vec![0.0; count]).unwrap_err().to_string()
        };
        assert!(says((2, 2), 5, 20).contains("1 to 4"));
        assert!(says((0, 2), 1, 0).contains("at least one"));
        assert!(says((2, 2), 3, 4).contains("expected 12 numbers"));
        assert!(Field::line(Vec::<f32>::new()).is_err());
    }

    #[test]
    fn a_field_of_several_rows_or_channels_is_no_line() {
        let field = Field::new(Extent::new(1, 3), 1, vec![0.0; 3]).unwrap();
        assert!(!field.as_line(true).is_line());
    }
}
