//! Vertex programs over vectors, and the searches for models.

mod bundled;
mod functions;
mod memory;
mod programs;
mod sat;
mod translation;
