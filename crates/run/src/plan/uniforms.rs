//! The values of uniforms that are given.

pub(crate) mod builtin;

use quadrille::gl::{Type, Value};

use crate::error::{InputError, PassError, Result};
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
) -> Result<Vec<(String, Value)>> {
    let mut uniforms: Vec<(String, Value)> = Vec::new();
    for (name, given) in &pass.uniforms {
        match value(shader, name, given)? {
            Some((name, _)) if is_among(&uniforms, &name) => {
                return Err(PassError::Twice { what: "uniform", name }.into());
            }
            Some(set) => uniforms.push(set),
            None if shader.has_removed(name) => {}
            None => {
                let has = shader.uniforms.used().map(|uniform| uniform.name.clone()).collect();
                return Err(no_such(&shader.name, "uniform", name, has));
            }
        }
    }
    let own = uniforms.len();
    for (name, given) in &setup.settings.uniforms {
        match value(shader, name, given)? {
            Some((name, _)) if is_among(&uniforms[own..], &name) => {
                return Err(PassError::Twice { what: "uniform", name }.into());
            }
            Some((name, value)) if !is_among(&uniforms, &name) => uniforms.push((name, value)),
            _ => {}
        }
    }
    for (name, text) in &shader.defaults {
        if let Some((name, value)) = value(shader, name, &Uniform::Text(text.clone()))?
            && !is_among(&uniforms, &name)
        {
            uniforms.push((name, value));
        }
    }
    Ok(uniforms)
}

fn is_among(uniforms: &[(String, Value)], name: &str) -> bool {
    uniforms.iter().any(|(given, _)| given == name)
}

/// Returns a value of the type that the shader declares, and the name that the shader has for it, if it declares one.
fn value(shader: &Shader, name: &str, given: &Uniform) -> Result<Option<(String, Value)>> {
    let Some(uniform) = shader.uniform(name)? else { return Ok(None) };
    let value = match given {
        Uniform::Value(value) => value.clone(),
        Uniform::Text(text) => parsed(&shader.name, name, uniform.glsl, text)?,
    };
    Ok(Some((uniform.name.clone(), value)))
}

/// Parses a text as the value of a kernel's uniform.
pub(crate) fn parsed(
    kernel: &str,
    name: &str,
    glsl: Type,
    text: &str,
) -> Result<Value, InputError> {
    uniform_text::value(glsl, text).ok_or_else(|| InputError::Uniform {
        kernel: kernel.to_owned(),
        name: name.to_owned(),
        glsl,
        text: text.to_owned(),
    })
}
