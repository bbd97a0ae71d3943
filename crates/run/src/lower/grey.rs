//! Greyscale pictures, as pasted shaders expect them: there a texel of one is a colour.

use crate::dialect::Dialect;

use crate::Result;
use crate::io::cells::COLOUR;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// Makes colours of the grey levels that a shader of another dialect than plain reads. Arrays,
/// and what plain shaders read, keep the channels that they have.
pub(crate) fn shown(passes: &[PassSetup], shaders: &[Shader], mut setup: Setup) -> Result<Setup> {
    let inputs = setup.arrays.iter().map(|array| array.name.clone());
    let (shown, _): (Vec<String>, Vec<String>) = inputs.partition(|name| {
        passes.iter().zip(shaders).any(|(pass, shader)| expects(pass, shader, name))
    });
    for name in shown {
        // What an output becomes has its four channels.
        let is_fed = setup.settings.feedback.iter().any(|(_, input)| *input == name);
        let Some(array) = setup.arrays.iter_mut().find(|known| known.name == name) else {
            continue;
        };
        if let Some(field) = array.field.take() {
            let channels = if is_fed { COLOUR + 1 } else { COLOUR };
            let field = if field.is_picture() { field.in_colours(channels)? } else { field };
            array.layout = field.layout();
            array.field = Some(field);
        }
        if let Some(frames) = &mut array.frames {
            frames.in_colours = true;
        }
    }
    Ok(setup)
}

/// Returns whether a pass of another dialect than plain reads this input.
fn expects(pass: &PassSetup, shader: &Shader, input: &str) -> bool {
    let told = pass.reads.iter().any(|(_, from)| from == input);
    let elsewhere = pass.reads.iter().any(|(sampler, _)| sampler == input);
    shader.dialect != Dialect::Plain && (told || (shader.reads(input) && !elsewhere))
}
