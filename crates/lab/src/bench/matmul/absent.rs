//! The replacement of the library in a build without reports.

use std::convert::Infallible;

use quadrille::data::Matrix;

use super::Threads;
use crate::Result;

/// A product that cannot be made.
pub(super) struct Product(Infallible);

impl Product {
    pub(super) fn new(_n: usize, _threads: Threads) -> Result<Product> {
        Err(crate::MeasurementError::NoReports { what: "the library gemm" }.into())
    }

    pub(super) fn load(&mut self, _a: &[f32], _b: &[f32]) {
        match self.0 {}
    }

    pub(super) fn run(&mut self) {
        match self.0 {}
    }

    pub(super) fn result(&self) -> &Matrix<f32> {
        match self.0 {}
    }
}
