//! The textures of an experiment.

use std::cell::Cell;

use quadrille::Extent;
use quadrille::data::{Field, ValuesRef};
use quadrille::gl::{self, Class, Context};
use quadrille::internal::data::Layout;

use quadrille::stream;

use crate::error::{Error, InputError, Result};
use crate::execute::any_texture::Layers;
use crate::execute::store::Store;
use crate::io::cells::Cells;
use crate::plan::ir::{Plan, Read, Written};
use crate::setup::Setup;
use crate::setup::array::Array;
use crate::setup::frames::Reading;
use crate::setup::precision::Precision;
use crate::source::place::Place;

/// An array that passes read.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) store: Store,
    pub(crate) layout: Layout,
    /// Whether it holds anything.
    pub(crate) written: bool,
    /// Whether numbers may be rounded to half precision.
    rounds: bool,
    /// The largest relative error of a number that was rounded to half precision.
    pub(crate) error: f64,
    /// The numbers before the first step, if an output replaces them.
    pub(crate) first: Option<Field>,
    /// Whether its last row is the first of the texture.
    flip: bool,
    /// The frames that it holds one after the other.
    pub(crate) frames: Option<Reading>,
    /// The digest of its numbers, once it was asked for.
    pub(crate) digest: Cell<Option<u32>>,
}

impl Input {
    /// Replaces all values, each converted exactly, but for half precision where that was asked
    /// for.
    pub(crate) fn write(&mut self, values: ValuesRef<'_>) -> Result<()> {
        let written = self.store.write(&self.name, self.layout, values, self.flip);
        let is_lossy = match &written {
            Ok(error) => *error > 0.0,
            Err(error) => matches!(error, Error::Input(InputError::AboveHalf { .. })),
        };
        self.error = match is_lossy && !self.rounds {
            true => {
                self.hold_in_single()?;
                self.store.write(&self.name, self.layout, values, self.flip)?
            }
            false => written?,
        };
        self.written = true;
        self.digest.set(None);
        Ok(())
    }

    /// Replaces all values by some that stay.
    pub(crate) fn replace(&mut self, values: ValuesRef<'_>) -> Result<()> {
        self.write(values)?;
        self.frames = None;
        Ok(())
    }

    /// Takes the frame of a step, if it is a sequence.
    pub(crate) fn bring(&mut self, iteration: u64) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        match frames.bring(&self.name, iteration)? {
            Some(field) => self.write(field.values().as_ref()),
            None => Ok(()),
        }
    }

    /// Replaces a texture of half precision, which nobody asked for, by one of single precision.
    fn hold_in_single(&mut self) -> Result<()> {
        let Layout { extent, channels, .. } = self.layout;
        if let Some(context) = self.store.context() {
            let cells = Cells { class: Class::Float, channels, extent };
            let tiling = self.store.tiling();
            self.store = Store::empty(&context, cells, Place::Texture, tiling, Precision::Single)?;
        }
        Ok(())
    }
}

/// The numbers that an output of a compute shader holds before the first step.
#[derive(Debug)]
pub(crate) struct First {
    /// The name of the block or the image.
    pub(crate) name: String,
    pub(crate) layout: Layout,
    pub(crate) field: Option<Field>,
    /// Whether its values have come.
    pub(crate) written: bool,
}

/// An output of an experiment.
#[derive(Debug)]
pub struct Output {
    pub(crate) name: String,
    kind: String,
    channels: usize,
    /// Whether it is read as an array of one axis, as the inputs were.
    pub(crate) line: bool,
    pub(crate) store: Store,
    /// The numbers before the first step, if they are given.
    pub(crate) first: Option<First>,
    /// Whether a step reads in it what the step before wrote.
    pub(crate) keeps: bool,
    /// The input that it becomes after a step.
    pub(crate) becomes: Option<usize>,
    /// Whether its last row is the first on the device.
    flip: bool,
}

impl Output {
    /// Returns the name: the shader's, or `pass.output` where there are several passes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the GLSL type.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the number of channels of each cell, 1 to 4.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns whether it is a texture, as of a fragment shader or an image; else it is a storage
    /// block.
    pub fn is_texture(&self) -> bool {
        self.store.texture().is_some()
    }

    /// Returns the number of cells along each axis.
    pub fn extent(&self) -> Extent {
        self.store.extent()
    }

    /// Returns the shape in NumPy's order: `[n]`, `[height, width]` or `[height, width, channels]`.
    pub fn shape(&self) -> Vec<usize> {
        let (extent, channels) = (self.extent(), self.channels);
        let line = self.line && channels == 1;
        Layout { extent, channels, line, layers: 0 }.shape()
    }

    /// Returns the class of the numbers.
    pub fn class(&self) -> Class {
        self.store.class()
    }

    /// Returns the precision of its floats on the device: that of the input that it becomes.
    pub fn precision(&self) -> Precision {
        match self.store.is_half() {
            true => Precision::Half,
            false => Precision::Single,
        }
    }

    /// Returns whether the next step reads it: it becomes an input, or a compute shader changes it
    /// in place.
    pub fn feeds_back(&self) -> bool {
        self.becomes.is_some() || self.keeps
    }

    /// Goes back to what it held before the first step.
    pub(crate) fn restart(&mut self) -> Result<()> {
        let Some(First { name, layout, field, .. }) = &self.first else {
            return self.store.clear();
        };
        match field {
            Some(field) => {
                self.store.write(name, *layout, field.values().as_ref(), self.flip).map(drop)
            }
            None => Ok(()),
        }
    }

    /// Replaces what it holds, which was given under the name of the block or the image.
    pub(crate) fn write(&mut self, values: ValuesRef<'_>) -> Result<()> {
        let Some(first) = &mut self.first else { return Ok(()) };
        self.store.write(&first.name, first.layout, values, self.flip)?;
        first.written = true;
        Ok(())
    }
}

/// Uploads the inputs of a plan, whose fields are moved out of `setup`; with `flip` their last rows
/// are the first of the textures.
pub(crate) fn inputs(
    context: &Context,
    plan: &Plan,
    setup: Setup,
    flip: bool,
) -> Result<Vec<Input>> {
    let mut arrays: Vec<_> = setup.arrays.into_iter().map(Some).collect();
    let mut inputs = Vec::new();
    for (index, Read { array, class, place, width, precision, tiling, .. }) in
        plan.inputs.iter().enumerate()
    {
        let Some(array) = arrays.get_mut(*array).and_then(Option::take) else { continue };
        let Array { name, layout, field, frames, .. } = array;
        let layout = layout.as_layers().filter(|_| *place == Place::Layers).unwrap_or(layout);
        let channels = width.unwrap_or(layout.channels);
        let empty = match place {
            Place::Layers => {
                Layers::empty(context, *class, layout).map(Store::Layers).map_err(Error::from)
            }
            _ => {
                let cells = Cells { class: *class, channels, extent: layout.extent };
                Store::empty(context, cells, *place, *tiling, *precision)
            }
        };
        let store = empty.map_err(|error| called(error, format!("input `{name}`")))?;
        let rounds = setup.settings.precisions.iter().any(|(known, _)| *known == name);
        let mut input = Input {
            frames: frames.map(|frames| {
                // A block has the rows of all layers, of which each frame has its own.
                let layout = field.as_ref().map_or(layout, Field::layout);
                Reading::of(frames, layout)
            }),
            digest: Cell::new(None),
            name,
            store,
            layout,
            written: false,
            rounds,
            error: 0.0,
            first: None,
            flip,
        };
        if let Some(field) = &field {
            input.write(field.values().as_ref())?;
        }
        let feeds = plan.outputs.iter().any(|output| output.becomes == Some(index));
        input.first = field.filter(|_| feeds);
        inputs.push(input);
    }
    Ok(inputs)
}

/// Copies the numbers that the outputs of a plan hold before the first step. They are copied since
/// a pass may read the same array as an input.
pub(crate) fn firsts(plan: &Plan, setup: &Setup) -> Result<Vec<Option<First>>> {
    let first = |output: &Written| {
        let Some(array) = output.initial.and_then(|array| setup.arrays.get(array)) else {
            return Ok(None);
        };
        let field = array.field.as_ref().map(Field::try_clone).transpose()?;
        let (name, layout, written) = (array.name.clone(), array.layout, field.is_some());
        Ok(Some(First { name, layout, field, written }))
    };
    plan.outputs.iter().map(first).collect()
}

/// Makes room for an output; where cells may stay as they are, they begin with what is given, else
/// with 0. With `flip` the last row is the first on the device.
pub(crate) fn output(
    context: &Context,
    written: Written,
    first: Option<First>,
    partial: bool,
    flip: bool,
) -> Result<Output> {
    let Written { name, kind, cells, line, place, keeps, becomes, precision, tiling, .. } = written;
    let channels = cells.channels;
    let empty = Store::empty(context, cells, place, tiling, precision);
    let store = empty.map_err(|error| called(error, format!("output `{name}`")))?;
    let mut output = Output { name, kind, channels, line, store, first, keeps, becomes, flip };
    if partial {
        output.restart()?;
    }
    Ok(output)
}

/// Adds the name of an array that was too large to an error.
fn called(error: Error, name: String) -> Error {
    match error {
        Error::Stream(stream::Error::Gl(gl::Error::TooLarge {
            request, limit, remedy, ..
        })) => gl::Error::TooLarge { what: name, request, limit, remedy }.into(),
        other => other,
    }
}
