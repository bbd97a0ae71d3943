//! The framework: kernels, passes, ping-pong, reductions. All safe code.
