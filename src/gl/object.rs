//! Objects of GL: their kinds, their owner, and those that wait for their next use.

pub(super) mod kind;
pub(super) mod owned;
pub(super) mod poison;
pub(super) mod pool;
