//! What primitives are made of: kernels that are kept, keys, parts of vectors by the classes of their
//! numbers, and the division of panels among work groups.

pub(super) mod kept;
pub(super) mod key;
pub(super) mod parts;
pub(super) mod starts;
pub(super) mod store;
pub(super) mod strips;
