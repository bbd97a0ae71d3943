//! Numbers that are not kept: specials in arithmetic and on their ways, and floats that become
//! bytes.

pub(super) mod passages;
pub(super) mod quantising;
pub(super) mod specials;
