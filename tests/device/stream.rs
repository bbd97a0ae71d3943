//! Kernels, passes, reductions, and the facts that probes find.

mod compile_errors;
mod compute;
mod facts;
mod geometry;
mod kernels;
mod launch;
mod passes;
mod ping_pong;
mod points;
mod reduce;
mod unfilled_inputs;
mod uniform_blocks;
