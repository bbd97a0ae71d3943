//! The probes: what each does again and again, how it is checked, and what all have in common.

pub(super) mod arithmetic;
pub(super) mod branch;
pub(super) mod chase;
pub(super) mod fetch;
pub(super) mod interpolated;
pub(super) mod opcodes;
pub(super) mod outputs;
pub(super) mod prelude;
pub(super) mod probe;
pub(super) mod texels;
pub(super) mod work;
