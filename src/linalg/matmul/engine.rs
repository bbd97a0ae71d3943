//! What multiplies: on the host, by drawing, or by compute shaders.

use crate::data::{Matrix, Number};
use crate::gl::Texel;
use crate::linalg::DeviceMatrix;

use super::Error;

/// What does the work: an engine of the host, of fragments, or of compute shaders. It is made for
/// one pair of shapes, none of whose dimensions is 0.
pub trait Engine<T: Number + Texel> {
    /// Packs both operands and sends them to the device.
    fn load(&mut self, a: &Matrix<T>, b: &Matrix<T>) -> Result<(), Error>;

    /// Takes both operands over from the device, by way of the host unless an engine knows better.
    fn load_from(&mut self, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<(), Error> {
        self.load(&a.to_host()?, &b.to_host()?)
    }

    /// Multiplies what was loaded. It may return before the device is done.
    fn run(&mut self) -> Result<(), Error>;

    /// Brings the result to the host.
    fn read(&self) -> Result<Matrix<T>, Error>;

    /// Hands the result to a matrix on the device, by way of the host unless an engine knows better.
    fn write_to(&self, c: &mut DeviceMatrix<T>) -> Result<(), Error> {
        write_by_host(self, c)
    }

    /// Bytes that the shaders ask of textures and buffers for the operands in one run, from the
    /// shapes and the plan: what caches and shared memory pass on is not counted.
    fn fetched_bytes(&self) -> u64;

    /// Its options as reports show them, also those that were left open.
    fn options(&self) -> String;
}

/// Hands a result to the device where nothing on the device can.
pub(super) fn write_by_host<T: Number + Texel>(
    engine: &(impl Engine<T> + ?Sized),
    c: &mut DeviceMatrix<T>,
) -> Result<(), Error> {
    Ok(c.write(&engine.read()?)?)
}
