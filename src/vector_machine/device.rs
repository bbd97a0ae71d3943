//! The objects of a machine on a device.

use crate::gl::Context;
use crate::stream::reduce::Reducer;

use super::Memory;
use super::blend::Adder;
use super::find::Finder;

/// The managed memory, and the kernels that every function shares.
pub(super) struct Device {
    pub(super) memory: Memory,
    pub(super) reducer: Reducer,
    pub(super) adder: Adder,
    pub(super) finder: Finder,
}

impl Device {
    pub(super) fn new(context: &Context) -> Device {
        Device {
            memory: Memory::new(context),
            reducer: Reducer::new(context),
            adder: Adder::new(context),
            finder: Finder::new(context),
        }
    }
}
