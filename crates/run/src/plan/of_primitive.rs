//! Plans the output of a primitive, which follows from what it reads.

use quadrille::Extent;

use crate::error::{InputError, Result};
use crate::io::cells::Cells;
use crate::plan::Planner;
use crate::plan::ir::{ReadFrom, Written};
use crate::setup::PassSetup;
use crate::setup::primitive::Primitive;

impl Planner<'_> {
    /// Returns the cells of the only array that a primitive reads, and whether it is of one axis.
    pub(crate) fn taken(&self, reads: &[(String, ReadFrom)]) -> Option<(Cells, bool)> {
        let (_, from) = reads.first()?;
        Some(match *from {
            ReadFrom::Input(index) => {
                let read = &self.plan.inputs[index];
                let layout = self.setup.arrays[read.array].layout;
                let (channels, extent) = (layout.channels, layout.extent);
                (Cells { class: read.class, channels, extent }, layout.line)
            }
            ReadFrom::Output(index) => {
                let output = &self.plan.outputs[index];
                (output.cells, output.line)
            }
        })
    }
}

/// Returns the output of a primitive that takes these cells, which may be of one axis.
pub(crate) fn output(
    pass: &PassSetup,
    primitive: &Primitive,
    (takes, line): (Cells, bool),
) -> Result<Written> {
    let Cells { channels, extent, .. } = takes;
    let (extent, channels, line) = match primitive {
        Primitive::Histogram { bins, .. } => {
            (Extent::new(u32::try_from(*bins).unwrap_or(u32::MAX), 1), channels, true)
        }
        Primitive::Fft { .. } if channels > 2 => {
            return Err(InputError::NotComplex { pass: pass.name.clone(), got: channels }.into());
        }
        Primitive::Fft { .. } => (extent, 2, line),
        _ => (extent, channels, line),
    };
    let class = primitive.gives();
    let (name, kind) = (pass.full_name(Primitive::OUTPUT), Primitive::kind(class, channels));
    Ok(Written::to_texture(name, kind, Cells { class, channels, extent }, line))
}
