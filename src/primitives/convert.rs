//! Numbers of a vector in another type, where that holds each of them.

use std::any::type_name;
use std::marker::PhantomData;

use crate::data;
use crate::gl::{Context, Texture};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::Setup;
use crate::stream::launch::Programs;
use crate::stream::reduce::sum_exactly;

use super::number::Number;

/// Converts vectors of one context between `f32`, `i32` and `u32`. A number that the other type does
/// not hold is an error. -0 becomes 0.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Convert};
/// let context = Context::headless()?;
/// let x = DeviceVector::from_host(&context, &[3.0_f32, -1.0])?;
/// assert_eq!(Convert::<f32, i32>::new(&context).of(&x)?.read()?, [3, -1]);
/// let error = Convert::<f32, u32>::new(&context).of(&x).unwrap_err();
/// assert_eq!(error.to_string(), "expected numbers that u32 holds, got -1 at index 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Convert<T: Number, U: Number> {
    context: Context,
    programs: Programs<()>,
    numbers: PhantomData<(T, U)>,
}

fn source<T: Number, U: Number>() -> Result<Source> {
    let source = Source::library(Stage::Fragment, "convert/convert.frag")?;
    Ok(source.define(U::DEFINE, 1).define(T::FROM, 1))
}

impl<T: Number, U: Number> Convert<T, U> {
    /// Creates the conversion. Its shader is compiled when it is first needed.
    pub fn new(context: &Context) -> Convert<T, U> {
        Convert {
            context: context.clone(),
            programs: Programs::new(context, Setup::Fragment),
            numbers: PhantomData,
        }
    }

    /// Returns the same numbers in the other type. Waits for the device.
    ///
    /// # Errors
    ///
    /// [`data::ArrayError::Inexact`] with the first number that the other type
    /// does not hold, and errors of the device.
    pub fn of(&self, x: &DeviceVector<T>) -> Result<DeviceVector<U>> {
        let context = &self.context;
        let program = self.programs.get(&(), |(), _| source::<T, U>())?;
        let mut converted = DeviceVector::uninit(context, x.len())?;
        let mut before = 0;
        for ((from, length), (to, _)) in x.panels().zip(converted.panels_mut()) {
            let mut inexact: Texture<i32> = context.uninit(from.extent())?;
            let launch = program.launch().input("numbers", from);
            launch.into(&mut [("numbers", to), ("inexact", &mut inexact)])?;
            if sum_exactly(context, &inexact)? > 0 {
                return Err(self.first_inexact(x, before, &inexact)?.into());
            }
            before += length;
        }
        Ok(converted)
    }

    /// Returns the error of the first number that is not exact, which is in a panel after `before`
    /// others.
    fn first_inexact(
        &self,
        x: &DeviceVector<T>,
        before: usize,
        inexact: &Texture<i32>,
    ) -> Result<data::Error> {
        let counts = inexact.read()?;
        let first = before + 4 * counts.iter().position(|count| *count > 0).unwrap_or_default();
        let mut wrong = (first, f64::NAN);
        for index in first..x.len().min(first + 4) {
            let number = x.get(index)?.map_or(f64::NAN, T::double);
            if !U::holds(number) {
                wrong = (index, number);
                break;
            }
        }
        let (index, number) = wrong;
        Ok(data::ArrayError::Inexact { index, number, holds: type_name::<U>() }.into())
    }
}

impl<T: Number, U: Number> std::fmt::Debug for Convert<T, U> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Convert<{}, {}>", type_name::<T>(), type_name::<U>())
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    Ok(vec![
        source::<f32, i32>()?,
        source::<f32, u32>()?,
        source::<i32, f32>()?,
        source::<i32, u32>()?,
        source::<u32, f32>()?,
        source::<u32, i32>()?,
    ])
}
