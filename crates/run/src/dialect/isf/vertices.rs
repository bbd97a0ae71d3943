//! The vertex shader of an ISF shader (<https://docs.isf.video/ref_variables.html>): it has the
//! uniforms of the fragment shader, and `isf_vertShaderInit()`, which places the corners of the
//! target.

use crate::dialect::Error;
use crate::dialect::reading::Reading;
use crate::dialect::shaders::add;
use crate::dialect::words::Words;
use crate::dialect::{isf, legacy};
use quadrille::Source;
use quadrille::internal::shader::Frame;

/// The function that a host supplies, by the names of both versions of the format.
const INITS: [&str; 2] = ["isf_vertShaderInit", "vv_vertShaderInit"];

/// Declares what such a text expects; `fragment` has the header. Corners are placed before its
/// `main` too, so that they are defined whatever it does.
pub(crate) fn frame(
    fragment: &Source,
    reading: &Reading,
    words: &Words,
    frame: &mut Frame,
) -> Result<(), Error> {
    frame.declared.push("#define QUADRILLE_VERTEX 1".into());
    frame.declared.push(format!("out vec2 {};", isf::COORDINATE));
    add(frame, "include/isf_vertices.glsl");
    isf::uniforms(fragment, reading, words, frame)?;
    isf::functions(words, frame);
    legacy::words(words, frame);
    for name in INITS.iter().filter(|name| words.needs(name)) {
        frame.macro_of(name, "quadrille_init");
    }
    let told = ["#ifdef QUADRILLE_WATCHED", "    quadrille_tell_of_loops();", "#endif"];
    frame.around_main(vec!["    quadrille_init();".to_owned()], told.map(str::to_owned).to_vec());
    Ok(())
}
