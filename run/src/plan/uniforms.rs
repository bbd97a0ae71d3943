//! The values of uniforms that are given.

pub(crate) mod builtin;

use quadrille::gl::{Type, Value};

use crate::Error;
use crate::io::uniform_text;
use crate::plan::validate::no_such;
use crate::setup::settings::Uniform;
use crate::setup::{PassSetup, Setup};
use crate::source::shader::Shader;

/// Returns the uniforms of a pass: its own, those of the setup that its shader declares, and those
/// to which its text gives values.
pub(crate) fn uniforms(
    pass: &PassSetup,
    shader: &Shader,
    setup: &Setup,
) -> Result<Vec<(String, Value)>, Error> {
    let mut uniforms = Vec::new();
    for (name, given) in &pass.uniforms {
        match value(shader, name, given)? {
            Some(value) => uniforms.push((name.clone(), value)),
            None if shader.has_removed(name) => {}
            None => {
                let has = shader.uniforms.iter().map(|(name, ..)| name.clone()).collect();
                return Err(no_such(&shader.name, "uniform", name, has));
            }
        }
    }
    for (name, given) in &setup.settings.uniforms {
        if !pass.uniforms.iter().any(|(own, _)| own == name)
            && let Some(value) = value(shader, name, given)?
        {
            uniforms.push((name.clone(), value));
        }
    }
    for (name, text) in &shader.defaults {
        if !uniforms.iter().any(|(given, _)| given == name)
            && let Some(value) = value(shader, name, &Uniform::Text(text.clone()))?
        {
            uniforms.push((name.clone(), value));
        }
    }
    Ok(uniforms)
}

/// Returns a value of the type that the shader declares, if it declares one.
fn value(shader: &Shader, name: &str, given: &Uniform) -> Result<Option<Value>, Error> {
    let Some(glsl) = shader.uniform(name) else { return Ok(None) };
    match given {
        Uniform::Value(value) => Ok(Some(value.clone())),
        Uniform::Text(text) => parsed(&shader.name, name, glsl, text).map(Some),
    }
}

/// Parses a text as the value of a kernel's uniform.
pub(crate) fn parsed(kernel: &str, name: &str, glsl: Type, text: &str) -> Result<Value, Error> {
    uniform_text::value(glsl, text).ok_or_else(|| Error::Uniform {
        kernel: kernel.to_owned(),
        name: name.to_owned(),
        glsl,
        text: text.to_owned(),
    })
}
