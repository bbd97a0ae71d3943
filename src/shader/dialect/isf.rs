//! The Interactive Shader Format: a header in JSON that declares inputs, and functions that read pictures
//! (<https://docs.isf.video>).

use super::super::error::Error;
use super::super::source::Source;
use super::Dialect;
use super::frame::Frame;
use super::header::Input;
#[cfg(not(feature = "files"))]
use super::header::inputs;
#[cfg(feature = "files")]
use super::json::inputs;
use super::legacy;
use super::words::Words;
use crate::error::Place;

/// What an experiment supplies.
const UNIFORMS: [(&str, &str); 6] = [
    ("RENDERSIZE", "vec2 RENDERSIZE"),
    ("TIME", "float TIME"),
    ("TIMEDELTA", "float TIMEDELTA"),
    ("DATE", "vec4 DATE"),
    ("FRAMEINDEX", "int FRAMEINDEX"),
    ("PASSINDEX", "int PASSINDEX"),
];

/// The functions of `include/isf.glsl`.
const FUNCTIONS: [&str; 5] =
    ["IMG_NORM_PIXEL", "IMG_PIXEL", "IMG_THIS_NORM_PIXEL", "IMG_THIS_PIXEL", "IMG_SIZE"];

/// The coordinate from 0 to 1 across the target.
const COORDINATE: &str = "isf_FragNormCoord";

/// The names of uniforms that have a default, and their values as text.
pub(crate) type Defaults = Vec<(String, String)>;

/// The uniforms of a source to which its text gives values.
pub(crate) fn defaults(source: &Source) -> Result<Defaults, Error> {
    if source.read_as() != Dialect::Isf {
        return Ok(Defaults::new());
    }
    let inputs = inputs(source)?.into_iter();
    Ok(inputs.filter_map(|input| Some((input.name, input.default?))).collect())
}

/// Declares the inputs of the header, the uniforms that the text uses, and the functions.
pub(super) fn frame(
    source: &Source,
    words: &Words,
    frame: &mut Frame,
    place: impl Fn(usize) -> Place,
) -> Result<(), Error> {
    for Input { name, kind, .. } in inputs(source)? {
        if !words.declares(&name) {
            frame.uniform(&format!("{kind} {name}"));
        }
    }
    for (name, declaration) in UNIFORMS {
        if words.needs(name) {
            frame.uniform(declaration);
        }
    }
    if !words.declares(COORDINATE) {
        frame.declared.push(format!("in vec2 {COORDINATE};"));
    }
    if words.needs("vv_FragNormCoord") {
        frame.macro_of("vv_FragNormCoord", COORDINATE);
    }
    for name in FUNCTIONS.iter().filter(|name| words.needs(name)) {
        frame.library("include/isf.glsl");
        frame.macro_of(name, &format!("quadrille_{name}"));
    }
    legacy::frame(words, frame, Some(COORDINATE), place)
}
