//! Devices, what they can do, and the ways of computing that were measured to be the fastest on
//! them.

pub(super) mod abilities;
pub(super) mod devices;
mod float_targets;
pub(crate) mod masks;
pub(super) mod tuned;
mod upload_order;
