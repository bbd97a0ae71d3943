//! Scans, selections, sorts, histograms, transforms.

mod convert;
mod convolution;
mod errors;
mod fft;
mod fft_real;
mod histogram;
mod scan;
mod select;
mod sort;
