//! Matrices on the device.

use std::ops::Range;

use crate::data::pack::TexelLayout;
use crate::data::{Matrix, Number};
use crate::gl::{Context, Texel, Texture};
use crate::stream::{Error, Packed, Result};
use crate::{Rectangle, Shape};

/// A matrix on a device, one element in a texel, row by row. Use it to keep matrices on the device
/// between products: see [`multiply_on_device`](super::matmul::multiply_on_device).
///
/// ```
/// use quadrille::{Shape, data::Matrix, linalg::DeviceMatrix};
/// let context = quadrille::Context::headless()?;
/// let host = Matrix::<i16>::random(Shape::new(3, 5), 1)?;
/// let first = DeviceMatrix::from_host(&context, &host)?;
/// let mut second = DeviceMatrix::zeros(&context, host.shape())?;
/// second.copy_from(&first)?;
/// assert_eq!(second.read()?, host);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeviceMatrix<T: Number + Texel> {
    context: Context,
    shape: Shape,
    /// The packed elements; `None` if there are none, since a texture has at least one texel.
    packed: Option<Packed<T>>,
}

impl<T: Number + Texel> DeviceMatrix<T> {
    /// Creates a matrix of zeros, made on the device.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) if a side exceeds that of a texture, and
    /// out of memory.
    pub fn zeros(context: &Context, shape: Shape) -> Result<DeviceMatrix<T>> {
        let mut matrix = DeviceMatrix::unset(context, shape)?;
        if let Some(packed) = &mut matrix.packed {
            packed.fill(T::default())?;
        }
        Ok(matrix)
    }

    /// Creates a copy of a matrix of the host.
    ///
    /// # Errors
    ///
    /// Those of [`zeros`](Self::zeros).
    pub fn from_host(context: &Context, host: &Matrix<T>) -> Result<DeviceMatrix<T>> {
        let mut matrix = DeviceMatrix::unset(context, host.shape())?;
        matrix.write(host)?;
        Ok(matrix)
    }

    /// Creates a matrix whose elements are uninitialized.
    pub(crate) fn unset(context: &Context, shape: Shape) -> Result<DeviceMatrix<T>> {
        let cells = TexelLayout::new(shape, 1, 1);
        let packed = if shape.is_empty() { None } else { Some(Packed::uninit(context, cells)?) };
        Ok(DeviceMatrix { context: context.clone(), shape, packed })
    }

    /// Returns the context it lives in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the numbers of rows and columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the texture, if there are elements.
    pub(crate) fn texture(&self) -> Option<&Texture<T>> {
        self.packed.as_ref().map(Packed::texture)
    }

    pub(crate) fn texture_mut(&mut self) -> Option<&mut Texture<T>> {
        self.packed.as_mut()?.textures.first_mut()
    }

    /// Replaces the elements by those of a matrix of the host of the same shape.
    ///
    /// # Errors
    ///
    /// [`Error::Shapes`] if the shapes differ, and errors of the device.
    pub fn write(&mut self, host: &Matrix<T>) -> Result<()> {
        self.must_have(host.shape())?;
        match &mut self.packed {
            Some(packed) => packed.write(host.elements()),
            None => Ok(()),
        }
    }

    /// Returns a copy on the host.
    ///
    /// # Errors
    ///
    /// Out of memory, and errors of the device.
    pub fn read(&self) -> Result<Matrix<T>> {
        let elements = match &self.packed {
            Some(packed) => packed.read::<T>()?,
            None => Vec::new(),
        };
        Ok(Matrix::new(self.shape, elements)?)
    }

    /// Copies rows to the host, one after the other. The slice has their length.
    pub(crate) fn read_rows(&self, rows: Range<usize>, to: &mut [T]) -> Result<()> {
        let Some(texture) = self.texture() else { return Ok(()) };
        let place = Rectangle::new(0, rows.start as u32, texture.extent().width, rows.len() as u32);
        Ok(texture.read_rectangle_into(place, to)?)
    }

    /// Replaces the elements by those of another matrix of the same shape and context, on the
    /// device.
    ///
    /// # Errors
    ///
    /// [`Error::Shapes`] if the shapes differ, [`gl::Error::Foreign`](crate::gl::Error::Foreign) if
    /// the contexts differ, and errors of the device.
    pub fn copy_from(&mut self, other: &DeviceMatrix<T>) -> Result<()> {
        self.must_have(other.shape)?;
        match (&mut self.packed, &other.packed) {
            (Some(to), Some(from)) => to.copy_from(from),
            _ => Ok(()),
        }
    }

    fn must_have(&self, shape: Shape) -> Result<()> {
        if self.shape == shape {
            return Ok(());
        }
        Err(Error::Shapes { expected: self.shape, got: shape })
    }
}

impl<T: Number + Texel> std::fmt::Debug for DeviceMatrix<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DeviceMatrix<{}>({})", T::NAME, self.shape)
    }
}
