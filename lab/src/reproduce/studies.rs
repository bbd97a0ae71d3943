//! The studies of each paper, and what several of them need.

pub(super) mod card;
pub(super) mod cuda_matmul;
pub(super) mod jacobi;
pub(super) mod matmul_2004;
mod prelude;
pub(super) mod proofs;
mod race;
mod sweep;
mod time_limit;
pub(super) mod vectors_2002;
pub(super) mod wishes;
pub(super) mod words;
