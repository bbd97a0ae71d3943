//! Plans the outputs of a compute shader: the blocks and images that it writes, and the work groups
//! that write them.

use quadrille::Extent;

use crate::error::{InputError, Result, ShaderError, SizeError};
use crate::io::cells::Cells;
use crate::plan::ir::Written;
use crate::setup::array::Array;
use crate::setup::{PassSetup, Setup};
use crate::source::place::Place;
use crate::source::shader::{Shader, Stored};
use quadrille::internal::shader::Access;

/// Returns the outputs of the pass: the blocks and images that it writes. What is given under the
/// name of one says its shape and its first values.
pub(crate) fn outputs(
    setup: &Setup,
    pass: &PassSetup,
    shader: &Shader,
    extent: Extent,
    line: bool,
) -> Result<Vec<Written>> {
    let storage = shader.dispatched.iter().flat_map(|dispatched| &dispatched.storage);
    let written = storage.filter(|stored| stored.access.writes());
    let written = written.map(|stored| {
        let Stored { name, kind, place, class, channels, access } = stored;
        let initial = initial(setup, stored);
        let (cells, line) = match initial {
            None => (Cells { class: *class, channels: channels.unwrap_or(1), extent }, line),
            Some((_, Array { layout, .. })) => {
                must_have(shader, stored, layout.channels, layout.len())?;
                let channels = match place {
                    Place::Texture => channels.unwrap_or(layout.channels),
                    Place::Layers | Place::Buffer => layout.channels,
                };
                (Cells { class: *class, channels, extent: layout.extent }, layout.line)
            }
        };
        Ok(Written {
            place: *place,
            initial: initial.map(|(array, _)| array),
            keeps: *access == Access::Both,
            ..Written::to_texture(pass.full_name(name), kind.clone(), cells, line)
        })
    });
    written.collect()
}

/// Finds the array that is given under the name of a block or an image.
pub(crate) fn initial<'a>(setup: &'a Setup, stored: &Stored) -> Option<(usize, &'a Array)> {
    setup.find(&stored.name)
}

/// Returns the number of work groups: what is given, else one invocation for each cell where that
/// is clear.
pub(crate) fn groups(
    setup: &Setup,
    pass: &PassSetup,
    shader: &Shader,
    written: &[Written],
) -> Result<[u32; 3]> {
    let local = shader.dispatched.as_ref().and_then(|dispatched| dispatched.local);
    if let Some(groups) = pass.groups.or(setup.settings.groups) {
        return Ok(groups);
    }
    let Some(Written { name, cells: Cells { extent, .. }, .. }) = written.first() else {
        return Err(ShaderError::NothingStored { kernel: shader.name.clone() }.into());
    };
    let images = written.iter().any(|written| written.place == Place::Texture);
    let alike = written.iter().all(|written| written.cells.extent == *extent);
    match local {
        // A group of several rows goes over columns and rows, and so does a shader that stores in
        // images. Over a buffer of several rows a group of one row may go cell by cell, or column
        // by column in each row.
        Some([x, y, 1]) if alike && (extent.height == 1 || y > 1 || images) => {
            Ok([extent.width.div_ceil(x), extent.height.div_ceil(y), 1])
        }
        local => {
            let (kernel, array) = (shader.name.clone(), name.clone());
            Err(SizeError::Groups { kernel, array, extent: *extent, local }.into())
        }
    }
}

/// Refuses an array of this number of elements whose cells do not have the channels of a block's vectors,
/// or more than those of an image.
pub(crate) fn must_have(
    shader: &Shader,
    stored: &Stored,
    got: usize,
    numbers: usize,
) -> Result<()> {
    let Some(expected) = stored.channels else { return Ok(()) };
    if got == expected || (stored.place == Place::Texture && got < expected) {
        return Ok(());
    }
    Err(unequal(shader, stored, expected, got, numbers).into())
}

/// Refuses an output of another pass whose texture has fewer channels than the image that reads it:
/// what such an image reads is undefined, where an array that is given gets a texture of the
/// image's format. Three channels are stored as four.
pub(crate) fn must_be_as_wide(shader: &Shader, stored: &Stored, got: usize) -> Result<()> {
    match stored.channels {
        Some(expected) if stored.place == Place::Texture && got != 3 && got < expected => {
            Err(unequal(shader, stored, expected, got, 0).into())
        }
        _ => Ok(()),
    }
}

fn unequal(
    shader: &Shader,
    stored: &Stored,
    expected: usize,
    got: usize,
    numbers: usize,
) -> InputError {
    let (kernel, name, kind) = (shader.name.clone(), stored.name.clone(), stored.kind.clone());
    let like = (stored.place == Place::Buffer).then(|| match numbers % expected {
        0 => format!("(1, {}, {expected})", numbers / expected),
        _ => format!("(height, width, {expected})"),
    });
    InputError::Channels { kernel, name, kind, expected, got, like }
}
