//! Where a number of a sorted vector differs from the one before it.

use std::marker::PhantomData;

use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::Setup;
use crate::stream::launch::Program;

use super::super::number::Number;
use super::with_numbers;

pub(crate) struct RunStarts<T: Number> {
    program: Program,
    number: PhantomData<T>,
}

pub(crate) fn source<T: Number>() -> Result<Source> {
    Ok(Source::library(Stage::Fragment, "parts/starts.frag")?.define(T::DEFINE, 1))
}

impl<T: Number> RunStarts<T> {
    pub(crate) fn new(context: &Context) -> Result<RunStarts<T>> {
        let program = Program::new(context, Setup::Fragment, source::<T>()?)?;
        Ok(RunStarts { program, number: PhantomData })
    }

    /// Returns 1 for each number that differs from the one before it, and for the first; else 0.
    pub(crate) fn of(&self, sorted: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let mut starts = DeviceVector::uninit(sorted.context(), sorted.len())?;
        let mut before = None;
        for ((panel, length), (target, _)) in sorted.panels().zip(starts.panels_mut()) {
            let (other, last) = before.unwrap_or((panel, -1));
            let launch = with_numbers(self.program.launch(), panel, length);
            launch.input("before", other).uniform("last", last).write("starts", target)?;
            before = Some((panel, length as i32 - 1));
        }
        Ok(starts)
    }
}
