//! The process: its signals, its stack and its launcher, the processes that it starts, and the
//! errors that end it.

pub(crate) mod child;
pub(crate) mod failure;
pub(crate) mod interrupt;
pub(crate) mod large_stack;
pub(crate) mod launcher;
