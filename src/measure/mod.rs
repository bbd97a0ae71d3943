//! Benches, probes and their tables.
