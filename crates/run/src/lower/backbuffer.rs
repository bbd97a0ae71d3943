//! The picture of the step before, which shaders of GLSL Sandbox read as `backbuffer`.

use crate::dialect::Dialect;
use crate::dialect::sandbox::BACKBUFFER;
use quadrille::Extent;
use quadrille::data::Field;
use quadrille::memory;

use crate::Result;
use crate::plan::extent::Sizes;
use crate::setup::array::Array;
use crate::setup::scale::Size;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// Lets the result of the only pass, if it reads the picture before, become that picture, which is
/// 0 at first unless it is given.
pub(crate) fn fed(passes: &[PassSetup], shaders: &[Shader], mut setup: Setup) -> Result<Setup> {
    let ([pass], [shader]) = (passes, shaders) else { return Ok(setup) };
    let elsewhere = pass.reads.iter().any(|(sampler, _)| sampler == BACKBUFFER);
    let Some(output) = shader.outputs.first() else { return Ok(setup) };
    if shader.dialect != Dialect::Sandbox || !shader.reads(BACKBUFFER) || elsewhere {
        return Ok(setup);
    }
    let output = pass.full_name(&output.name);
    if setup.find(BACKBUFFER).is_none() {
        let extent = extent(pass, shader, &setup)?;
        let numbers = memory::zeroed::<f32>(extent.texels() * 4)?;
        setup.arrays.push(Array::new(BACKBUFFER, Field::new(extent, 4, numbers)?));
    }
    let told = |(from, to): &(String, String)| *from == output || to == BACKBUFFER;
    if !setup.settings.feedback.iter().any(told) {
        setup.settings.feedback.push((output, BACKBUFFER.to_owned()));
    }
    Ok(setup)
}

/// Returns the extent of the picture: the one that is set, else that of the other arrays that are
/// read.
fn extent(pass: &PassSetup, shader: &Shader, setup: &Setup) -> Result<Extent> {
    let is_read = |name: &str| shader.reads(name) || shader.has_removed(name);
    let inputs = setup.arrays.iter().filter(|array| is_read(&array.name));
    let size = |array: &Array| (array.name.clone(), array.layout.extent, false);
    let own = match pass.size {
        Some(Size::Extent(extent)) => Some(extent),
        _ => None,
    };
    let sizes = Sizes { given: own.or(setup.settings.size), sources: inputs.map(size).collect() };
    Ok(sizes.choose(&pass.name)?.0)
}
