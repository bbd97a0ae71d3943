//! The host's share of a small pass.
fn main() {}
