//! Where a number of a sorted vector differs from the one before it.

use std::marker::PhantomData;

use crate::gl::Context;
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::{Error, Kernel};

use super::super::number::Number;

pub(in crate::primitives) struct RunStarts<T: Number> {
    kernel: Kernel,
    number: PhantomData<T>,
}

pub(in crate::primitives) fn source<T: Number>() -> Result<Source, Error> {
    Ok(Source::library(Stage::Fragment, "parts/starts.frag")?.define(T::DEFINE, 1))
}

impl<T: Number> RunStarts<T> {
    pub(in crate::primitives) fn new(context: &Context) -> Result<RunStarts<T>, Error> {
        let reads = context.abilities().reads();
        let kernel = Kernel::from_fragment(context, &source::<T>()?, reads)?;
        Ok(RunStarts { kernel, number: PhantomData })
    }

    /// Returns 1 for each number that differs from the one before it, and for the first; else 0.
    pub(in crate::primitives) fn of(
        &self,
        sorted: &DeviceVector<T>,
    ) -> Result<DeviceVector<u32>, Error> {
        let mut starts = DeviceVector::uninit(sorted.context(), sorted.len())?;
        let mut before = None;
        for ((panel, length), (target, _)) in sorted.panels().zip(starts.panels_mut()) {
            let (other, last) = before.unwrap_or((panel, -1));
            let pass = self.kernel.pass().input("numbers", panel).input("before", other);
            let pass = pass.uniform("last", last).uniform("shift", row_shift(panel.extent()));
            pass.uniform("length_of_panel", length as i32).draw(target)?;
            before = Some((panel, length as i32 - 1));
        }
        Ok(starts)
    }
}
