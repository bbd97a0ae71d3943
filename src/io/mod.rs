//! Files to numbers and back.
