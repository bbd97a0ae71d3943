//! What goes through every layer: examples, long loops, recycled memory, random steps.

mod examples;
mod loops;
mod recycled;
mod stress;
