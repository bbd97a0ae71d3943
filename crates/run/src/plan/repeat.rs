//! Passes that are repeated within a step: which outputs the next repetition reads, and where.

use std::ops::Range;

use quadrille::internal::data::Layout;

use crate::error::{PassError, Result};
use crate::io::cells::Cells;
use crate::plan::ir::{Feedback, Plan, Read, ReadFrom};
use crate::plan::validate::no_such;
use crate::setup::array::Array;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// Returns the outputs of a pass that its next repetition reads; `reads` are all that it reads.
pub(crate) fn feedback(
    setup: &Setup,
    plan: &Plan,
    pass: &PassSetup,
    shader: &Shader,
    reads: &[(String, ReadFrom)],
    outputs: Range<usize>,
) -> Result<Vec<Feedback>> {
    let in_place = plan.outputs[outputs.clone()].iter().any(|output| output.keeps);
    if pass.repeat.is_some_and(|count| count > 1) && pass.feedback.is_empty() && !in_place {
        return Err(
            PassError::Repeats { kernel: shader.name.clone(), pass: pass.name.clone() }.into()
        );
    }
    let feedback = pass.feedback.iter().map(|(output, reader)| {
        let index =
            outputs.clone().find(|index| pass.full_name(output) == plan.outputs[*index].name);
        let Some(index) = index else {
            let has = shader.written_names().cloned().collect();
            return Err(no_such(&shader.name, "output", output, has));
        };
        let Some((_, from)) = reads.iter().find(|(known, _)| known == reader) else {
            let (kernel, input) = (shader.name.clone(), reader.clone());
            if shader.has_removed(reader) {
                return Err(PassError::Unread { kernel, input, output: output.clone() }.into());
            }
            let has = reads.iter().map(|(name, _)| name.clone()).collect();
            return Err(no_such(&shader.name, "input", reader, has));
        };
        must_fit(setup, plan, index, *from)?;
        Ok(Feedback { output: index, reader: reader.clone() })
    });
    feedback.collect()
}

/// Refuses an output in whose place something else was read first.
fn must_fit(setup: &Setup, plan: &Plan, output: usize, from: ReadFrom) -> Result<()> {
    let output = &plan.outputs[output];
    let (first, cells, place, channels) = match from {
        ReadFrom::Output(index) => {
            let first = &plan.outputs[index];
            (first.name.clone(), first.cells, first.place, first.cells.channels)
        }
        ReadFrom::Input(index) => {
            let Read { array, class, place, width, .. } = &plan.inputs[index];
            let Array { name, layout, .. } = &setup.arrays[*array];
            let Layout { channels, extent, .. } = *layout;
            let cells = Cells { class: *class, channels, extent };
            (name.clone(), cells, *place, width.unwrap_or(channels))
        }
    };
    if output.keeps {
        return Err(PassError::InPlace { output: output.name.clone() }.into());
    }
    // An image reads only textures of as many channels as its format has.
    if output.cells != cells || output.place != place || channels != cells.channels {
        let (name, is, was) = (output.name.clone(), output.cells, Cells { channels, ..cells });
        return Err(PassError::Feedback { output: name, input: first, is, was }.into());
    }
    Ok(())
}
