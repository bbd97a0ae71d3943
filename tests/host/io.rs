//! Files: what is read, what is written, what is refused.

mod bytes;
mod matrix_market;
mod npy;
mod npy_parts;
mod picture;
