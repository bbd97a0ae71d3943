//! Numbers of the host in other types than a vector has: those that are exact there and back.

use std::any::type_name;

use crate::data;
use crate::gl::{self, Context};
use crate::memory;
use crate::stream::Result;

use super::{DeviceVector, Lane};

impl<T: Lane> DeviceVector<T> {
    /// Creates a vector of numbers of a type that this one holds exactly: of `bool`, `u8` or `u16` one
    /// of `u32`, `i32` or `f32`.
    ///
    /// ```
    /// use quadrille::{Context, grid::DeviceVector};
    /// let context = Context::headless()?;
    /// let mask = DeviceVector::<u32>::from_exact(&context, &[true, false, true])?;
    /// assert_eq!((mask.read()?, mask.read_bools()?), (vec![1, 0, 1], vec![true, false, true]));
    /// let keys = DeviceVector::<u32>::from_exact(&context, &[7_u16, 65535])?;
    /// assert_eq!(keys.read_exact::<u16>()?, [7, 65535]);
    /// let error = keys.read_exact::<u8>().unwrap_err();
    /// assert_eq!(error.to_string(), "expected numbers that u8 holds, got 65535 at index 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`from_host`](Self::from_host).
    pub fn from_exact<N: Copy + Into<T>>(
        context: &Context,
        numbers: &[N],
    ) -> Result<DeviceVector<T>> {
        let converted = numbers.iter().map(|number| (*number).into());
        DeviceVector::from_host(context, &memory::collected(numbers.len(), converted)?)
    }

    /// Returns a copy on the host in another type. Waits as [`read`](Self::read) does.
    ///
    /// # Errors
    ///
    /// [`data::ArrayError::Inexact`] with the first number that the type does not hold, and those of
    /// [`read`](Self::read).
    pub fn read_exact<N: TryFrom<T>>(&self) -> Result<Vec<N>>
    where
        T: Into<f64>,
    {
        self.read_by(|number| N::try_from(number).ok())
    }

    fn read_by<N>(&self, convert: impl Fn(T) -> Option<N>) -> Result<Vec<N>>
    where
        T: Into<f64>,
    {
        let exact = |(index, number): (usize, T)| -> Result<N> {
            let inexact = || {
                let (number, holds) = (number.into(), type_name::<N>());
                data::ArrayError::Inexact { index, number, holds }.into()
            };
            convert(number).ok_or_else(inexact)
        };
        let numbers = self.read()?;
        let mut converted = memory::with_room(numbers.len()).map_err(gl::Error::from)?;
        for number in numbers.into_iter().enumerate() {
            converted.push(exact(number)?);
        }
        Ok(converted)
    }
}

impl DeviceVector<u32> {
    /// Returns a mask: false for 0 and true for 1.
    ///
    /// # Errors
    ///
    /// As [`read_exact`](Self::read_exact), for any other number.
    pub fn read_bools(&self) -> Result<Vec<bool>> {
        self.read_by(|number| (number < 2).then_some(number == 1))
    }
}

impl DeviceVector<f32> {
    /// Creates a vector of complex numbers, real and imaginary parts in turns, as Fourier transforms
    /// take it.
    ///
    /// # Errors
    ///
    /// Those of [`from_host`](Self::from_host).
    pub fn from_complex(context: &Context, numbers: &[[f32; 2]]) -> Result<DeviceVector> {
        DeviceVector::from_host(context, bytemuck::cast_slice(numbers))
    }

    /// Returns complex numbers on the host.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`] for an odd number of parts, and those of [`read`](Self::read).
    pub fn read_complex(&self) -> Result<Vec<[f32; 2]>> {
        if !self.len().is_multiple_of(2) {
            let (what, got) = ("complex numbers: real and imaginary parts".into(), self.len());
            return Err(gl::Error::Length { what, expected: got + 1, got }.into());
        }
        let parts = self.read()?;
        Ok(memory::collected(parts.len() / 2, parts.chunks_exact(2).map(|z| [z[0], z[1]]))?)
    }
}
