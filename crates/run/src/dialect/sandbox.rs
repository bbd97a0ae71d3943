//! GLSL Sandbox and The Book of Shaders: WebGL 1 with the uniforms of those pages.

use quadrille::Place;
use quadrille::internal::shader as glsl;
use quadrille::shader::Stage;

/// The uniforms by which such a text is recognised.
const UNIFORMS: [&str; 6] = ["resolution", "u_resolution", "time", "u_time", "mouse", "u_mouse"];

/// The sampler of the picture of the step before.
pub(crate) const BACKBUFFER: &str = "backbuffer";

/// The coordinate whose height is 1 and whose middle is 0.
pub(crate) const SURFACE: &str = "surfacePosition";

/// Returns whether a text declares such a uniform, and no coordinate of another name: those pages
/// have none.
pub(super) fn has_uniforms(text: &str) -> bool {
    let declared = glsl::declarations(text, Stage::Fragment, |line| Place::line("", line));
    let one = |names: &[&str], declared: &[glsl::Declared]| {
        declared.iter().any(|declared| names.contains(&declared.name.as_str()))
    };
    one(&UNIFORMS, &declared.uniforms) && declared.inputs.iter().all(|input| input.name == SURFACE)
}
