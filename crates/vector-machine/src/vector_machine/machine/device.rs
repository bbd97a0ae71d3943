//! The objects of a machine on a device.

use quadrille::gl::Context;
use quadrille::stream::reduce::Reducer;

use super::find::Finder;
use super::pixels::Pixels;
use crate::vector_machine::Memory;
use crate::vector_machine::scalar::blend::Adder;

/// The managed memory, and the kernels that every function shares.
pub(crate) struct Device {
    pub(crate) memory: Memory,
    pub(crate) reducer: Reducer,
    pub(crate) adder: Adder,
    pub(crate) pixels: Pixels,
    pub(super) finder: Finder,
}

impl Device {
    pub(crate) fn new(context: &Context) -> Device {
        Device {
            memory: Memory::new(context),
            reducer: Reducer::new(context),
            adder: Adder::new(context),
            pixels: Pixels::new(context),
            finder: Finder::new(context),
        }
    }
}
