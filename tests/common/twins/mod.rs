//! CPU twins: kernels once more as plain loops in double precision, with which tests compare.
#![allow(dead_code, unreachable_pub, reason = "every test file takes what it needs")]

pub mod colour;
pub mod convolution;
pub mod direct;
pub mod fft;
pub mod levels;
pub mod nine_banded;
pub mod scan;
