//! Arguments that several commands have.

pub(crate) mod assignment;
pub(crate) mod device;
pub(crate) mod numbers;
pub(crate) mod seconds;
pub(crate) mod specified;
