//! The objects of a machine on a device.

use quadrille::gl::Context;
use quadrille::stream::reduce::Reducer;

use super::find::Finder;
use super::pixels::Pixels;
use crate::vector_machine::Memory;
use crate::vector_machine::scalar::blend::Adder;

/// The managed memory, and the kernels that every function shares.
pub(in crate::vector_machine) struct Device {
    pub(in crate::vector_machine) memory: Memory,
    pub(in crate::vector_machine) reducer: Reducer,
    pub(in crate::vector_machine) adder: Adder,
    pub(in crate::vector_machine) pixels: Pixels,
    pub(super) finder: Finder,
}

impl Device {
    pub(in crate::vector_machine) fn new(context: &Context) -> Device {
        Device {
            memory: Memory::new(context),
            reducer: Reducer::new(context),
            adder: Adder::new(context),
            pixels: Pixels::new(context),
            finder: Finder::new(context),
        }
    }
}
