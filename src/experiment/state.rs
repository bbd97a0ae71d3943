//! The textures of an experiment.

use crate::Extent;
use crate::data::{Field, Layout, ValuesRef};
use crate::gl::{self, Class, Context};

use super::Error;
use super::grid::Grid;
use super::plan::{Plan, Read, Written};
use super::setup::{Array, Setup};

/// A texture that passes read.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) grid: Grid,
    pub(super) layout: Layout,
    /// Whether it holds anything.
    pub(super) written: bool,
    /// What it began with, if an output replaces it.
    pub(super) first: Option<Field>,
}

impl Input {
    /// Replaces all values, each converted exactly.
    pub(super) fn write(&mut self, values: ValuesRef<'_>) -> Result<(), Error> {
        self.grid.write(&self.name, self.layout, values)?;
        self.written = true;
        Ok(())
    }
}

/// An output of an experiment.
#[derive(Debug)]
pub struct Output {
    pub(super) name: String,
    kind: String,
    channels: usize,
    /// Whether it is read as an array of one axis, as the inputs were.
    pub(super) line: bool,
    pub(super) grid: Grid,
    /// The input that it becomes after a step.
    pub(super) becomes: Option<usize>,
}

impl Output {
    /// Its name: the shader's, or `pass.output` where there are several passes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its GLSL type.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The number of channels of each cell, 1 to 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The number of cells along each axis.
    pub fn extent(&self) -> Extent {
        self.grid.any().extent()
    }

    /// Its shape as NumPy has it: `[n]`, `[height, width]` or `[height, width, channels]`.
    pub fn shape(&self) -> Vec<usize> {
        let (extent, channels) = (self.extent(), self.channels);
        let line = self.line && channels == 1;
        Layout { extent, channels, line }.shape()
    }

    /// What its numbers are.
    pub fn class(&self) -> Class {
        self.grid.any().format().class
    }

    /// Whether it becomes an input of the next step.
    pub fn feeds_back(&self) -> bool {
        self.becomes.is_some()
    }
}

/// Uploads the inputs of a plan, whose fields are moved out of `setup`.
pub(super) fn inputs(context: &Context, plan: &Plan, setup: Setup) -> Result<Vec<Input>, Error> {
    let mut fields: Vec<_> = setup.inputs.into_iter().map(Some).collect();
    let mut inputs = Vec::new();
    for (index, Read { given, class, .. }) in plan.inputs.iter().enumerate() {
        let Some((name, array)) = fields.get_mut(*given).and_then(Option::take) else { continue };
        let Array { layout, field } = array;
        let empty = Grid::empty(context, *class, layout.channels, layout.extent);
        let grid = empty.map_err(|error| {
            let error = called(error, format!("input `{name}`"));
            if layout.line { folded(error) } else { error }
        })?;
        let mut input = Input { name, grid, layout, written: false, first: None };
        if let Some(field) = &field {
            input.write(field.values().as_ref())?;
        }
        let feeds = plan.outputs.iter().any(|output| output.becomes == Some(index));
        input.first = field.filter(|_| feeds);
        inputs.push(input);
    }
    Ok(inputs)
}

/// Makes the texture of an output; where fragments may discard, its cells are 0 at first.
pub(super) fn output(context: &Context, written: Written, discards: bool) -> Result<Output, Error> {
    let Written { name, kind, cells, line, becomes } = written;
    let empty = Grid::empty(context, cells.class, cells.channels, cells.extent);
    let mut grid = empty.map_err(|error| called(error, format!("output `{name}`")))?;
    if discards {
        grid.clear()?;
    }
    Ok(Output { name, kind, channels: cells.channels, line, grid, becomes })
}

/// Adds that an array of two axes may hold more than one of one axis.
fn folded(error: gl::Error) -> gl::Error {
    match error {
        gl::Error::TooLarge { what, request, limit, remedy } => {
            let remedy =
                format!("{remedy}, so give the array two axes, as in array.reshape(-1, 1000)");
            gl::Error::TooLarge { what, request, limit, remedy }
        }
        other => other,
    }
}

/// Names the texture that was too large.
fn called(error: gl::Error, name: String) -> gl::Error {
    match error {
        gl::Error::TooLarge { request, limit, remedy, .. } => {
            gl::Error::TooLarge { what: name, request, limit, remedy }
        }
        other => other,
    }
}
