//! What every room keeps to.

mod allocations;
mod carriage_returns;
mod communicator;
mod comparisons;
mod fuzzed;
mod options;
mod twins;
