//! The Interactive Shader Format: a header in JSON that declares inputs, and functions that read
//! pictures (<https://docs.isf.video>).

mod expression;
pub(super) mod header;
mod json;
pub(crate) mod size_mistake;
pub(crate) mod target;
pub(super) mod vertices;

use super::Dialect;
use super::legacy;
use super::reading::Reading;
use super::words::Words;
use crate::dialect::Error;
use crate::dialect::shaders::add;
use header::Header;
use header::Input;
use json::read;
use quadrille::Place;
use quadrille::Source;
use quadrille::internal::shader::Frame;
use target::Target;

/// The uniforms that an experiment supplies.
const UNIFORMS: [(&str, &str); 6] = [
    ("RENDERSIZE", "vec2 RENDERSIZE"),
    ("TIME", "float TIME"),
    ("TIMEDELTA", "float TIMEDELTA"),
    ("DATE", "vec4 DATE"),
    ("FRAMEINDEX", "int FRAMEINDEX"),
    (PASSINDEX, "int PASSINDEX"),
];

/// The functions of `include/isf.glsl`.
const FUNCTIONS: [&str; 5] =
    ["IMG_NORM_PIXEL", "IMG_PIXEL", "IMG_THIS_NORM_PIXEL", "IMG_THIS_PIXEL", "IMG_SIZE"];

/// The number of the pass, from 0.
const PASSINDEX: &str = "PASSINDEX";

/// The coordinate from 0 to 1 across the target.
pub(super) const COORDINATE: &str = "isf_FragNormCoord";

/// Returns the words that only such texts have.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain([COORDINATE, "vv_FragNormCoord", "RENDERSIZE", PASSINDEX])
}

/// The names of uniforms that have a default, and their values as text.
pub(crate) type Defaults = Vec<(String, String)>;

/// Returns the uniforms of a source to which its text gives values.
pub(crate) fn defaults(source: &Source) -> Result<Defaults, Error> {
    if Reading::read_as(source) != Dialect::Isf {
        return Ok(Defaults::new());
    }
    let inputs = read(source)?.inputs.into_iter();
    Ok(inputs.filter_map(|input| Some((input.name, input.default?))).collect())
}

/// The passes of a shader that has several, or one with a target of its own.
pub(crate) struct Passes {
    /// The target of each pass; `None` for the pass that writes the picture.
    pub targets: Vec<Option<Target>>,
    /// The inputs that the header declares.
    pub inputs: Vec<Input>,
}

/// Returns the passes of a source, unless it is one that writes the picture.
pub(crate) fn passes(source: &Source) -> Result<Option<Passes>, Error> {
    if Reading::read_as(source) != Dialect::Isf {
        return Ok(None);
    }
    let Header { inputs, passes: targets } = read(source)?;
    let several = targets.iter().any(Option::is_some);
    Ok(several.then_some(Passes { targets, inputs }))
}

/// Declares the inputs of the header, the uniforms that the text uses, and the functions.
pub(super) fn frame(
    source: &Source,
    reading: &Reading,
    words: &Words,
    frame: &mut Frame,
    place: impl Fn(usize) -> Place,
) -> Result<(), Error> {
    uniforms(source, reading, words, frame)?;
    if !words.declares(COORDINATE) {
        frame.declared.push(format!("in vec2 {COORDINATE};"));
    }
    if reading.vertex.is_some() {
        frame.declared.push("#define QUADRILLE_VERTICES 1".into());
    }
    functions(words, frame);
    legacy::frame(words, frame, || Some(COORDINATE.to_owned()), place)
}

/// Adds the uniforms and functions that both stages of a shader have.
pub(super) fn uniforms(
    source: &Source,
    reading: &Reading,
    words: &Words,
    frame: &mut Frame,
) -> Result<(), Error> {
    let header = read(source)?;
    // What the text does not mention it does not have, unless it puts the name together.
    let is_read = |name: &str| {
        let by_size = || rectangle_words(name).iter().any(|(word, _)| words.needs(word));
        words.has(name) || words.pastes() || header.sizes_by(name) || by_size()
    };
    for Input { name, kind, .. } in &header.inputs {
        if is_read(name) && !words.declares(name) {
            frame.named_uniform(&format!("{kind} {name}"));
        }
    }
    targets(reading, &header, words, frame);
    for Input { name, .. } in header.inputs.iter().filter(|input| input.kind == "sampler2D") {
        for (word, meaning) in rectangle_words(name).iter().filter(|(word, _)| words.needs(word)) {
            frame.macro_of(word, meaning);
        }
    }
    for (name, declaration) in UNIFORMS {
        if words.needs(name) && !(name == PASSINDEX && reading.pass.is_some()) {
            frame.uniform(declaration);
        }
    }
    Ok(())
}

/// Returns the words of the format's first version for the place of a picture in its texture, which
/// some authors use: here all of the texture is the picture, in texels.
fn rectangle_words(image: &str) -> [(String, String); 3] {
    let size = format!("vec2(textureSize({image}, 0))");
    [
        (format!("_{image}_imgRect"), format!("vec4(0.0, 0.0, {size})")),
        (format!("_{image}_imgSize"), size),
        (format!("_{image}_flip"), "false".to_owned()),
    ]
}

/// Adds the functions for the coordinate and for reads.
pub(super) fn functions(words: &Words, frame: &mut Frame) {
    if words.needs("vv_FragNormCoord") {
        frame.macro_of("vv_FragNormCoord", COORDINATE);
    }
    for name in FUNCTIONS.iter().filter(|name| words.needs(name)) {
        add(frame, "include/isf.glsl");
        frame.macro_of(name, &format!("quadrille_{name}"));
    }
}

/// The output of a shader of several passes.
pub(crate) const COLOUR: &str = "colour";

/// Declares the targets, which any pass may read. In one of several passes the number of the pass
/// is known to the compiler, which leaves out what other passes read; and a target that is not of
/// floats holds what fits into its numbers from 0 to 1.
fn targets(reading: &Reading, header: &Header, words: &Words, frame: &mut Frame) {
    let names = || header.passes.iter().flatten().map(|target| &target.name);
    for (index, name) in names().enumerate() {
        if !words.declares(name) && !names().take(index).any(|earlier| earlier == name) {
            frame.named_uniform(&format!("sampler2D {name}"));
        }
    }
    let Some(pass) = reading.pass else { return };
    if words.needs(PASSINDEX) {
        frame.macro_of(PASSINDEX, &pass.to_string());
    }
    let target = header.passes.get(pass).and_then(Option::as_ref);
    let writes = ["gl_FragColor", "gl_FragData"].iter().any(|word| words.needs(word));
    if target.is_some_and(|target| !target.is_float) && writes {
        frame
            .at_end
            .push("    quadrille_out_colour = clamp(quadrille_out_colour, 0.0, 1.0);".into());
    }
}
