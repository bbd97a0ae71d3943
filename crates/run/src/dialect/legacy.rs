//! The words of WebGL 1 and of GLSL 1.20, which the other dialects of the web share.

pub(super) mod rectangles;

use super::words::Words;
use crate::dialect::Error;
use crate::dialect::shaders::add;
use quadrille::Place;
use quadrille::internal::shader::Frame;
use rectangles::RECTANGLE;

/// The words by which such a text is recognised.
pub(super) const WORDS: [&str; 19] = [
    "gl_FragColor",
    "gl_FragData",
    "gl_TexCoord",
    "varying",
    "sampler2DRect",
    "texture2D",
    "texture2DProj",
    "texture2DLod",
    "texture2DProjLod",
    "texture2DLodEXT",
    "texture2DProjLodEXT",
    "texture2DGradEXT",
    "texture2DProjGradEXT",
    "texture2DGradARB",
    "texture2DProjGradARB",
    "texture2DRect",
    "texture2DRectProj",
    "texture2DLodARB",
    "texture2DProjLodARB",
];

/// The extensions that became part of the language: a text may enable them, and some drivers no
/// longer know their names.
const CORE: [&str; 13] = [
    "GL_ARB_draw_buffers",
    "GL_ARB_shader_texture_lod",
    "GL_ARB_texture_rectangle",
    "GL_EXT_draw_buffers",
    "GL_EXT_gpu_shader4",
    "GL_EXT_shader_texture_lod",
    "GL_EXT_texture_rectangle",
    "GL_NV_texture_rectangle",
    "GL_OES_standard_derivatives",
    "GL_OES_texture_float",
    "GL_OES_texture_float_linear",
    "GL_WEBGL_draw_buffers",
    "GL_ARB_fragment_shader",
];

/// The coordinate across the target, where the text has none of its own.
const COORDINATE: &str = "quadrille_coordinate";

/// Returns whether a line is the `#extension` of what became part of the language.
pub(crate) fn is_core(line: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.split(|c| !letter(c)).any(|word| CORE.contains(&word))
}

/// Gives the functions that sample, and the types of samplers, their meaning.
pub(super) fn words(words: &Words, frame: &mut Frame) {
    let functions = WORDS.iter().filter(|word| word.starts_with("texture") && words.needs(word));
    for word in functions {
        let name = ["EXT", "ARB"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        add(frame, "include/legacy.glsl");
        frame.macro_of(word, &format!("quadrille_{name}"));
    }
    if words.needs(RECTANGLE) {
        frame.macro_of(RECTANGLE, "sampler2D");
    }
    if frame.es {
        // There they may mean numbers of 16 bits.
        for word in ["mediump", "lowp"].iter().filter(|word| words.needs(word)) {
            frame.macro_of(word, "highp");
        }
    }
}

/// Gives also the variables of GL, which are copied to outputs behind the text's `main`;
/// `coordinate` is the text's own.
pub(super) fn frame(
    words: &Words,
    frame: &mut Frame,
    coordinate: impl FnOnce() -> Option<String>,
    place: impl Fn(usize) -> Place,
) -> Result<(), Error> {
    self::words(words, frame);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    if words.needs("gl_FragColor") {
        frame.output("colour", 0);
        frame.macro_of("gl_FragColor", "quadrille_out_colour");
        first.push("    quadrille_out_colour = vec4(0.0);".to_owned());
    } else if words.needs("gl_FragData") {
        let count = targets(words, place)?;
        frame.declared.push(format!("vec4 quadrille_data[{count}];"));
        frame.macro_of("gl_FragData", "quadrille_data");
        for index in 0..count {
            let name = if index == 0 { "colour".to_owned() } else { format!("colour{index}") };
            frame.output(&name, index);
            first.push(format!("    quadrille_data[{index}] = vec4(0.0);"));
            last.push(format!("    quadrille_out_{name} = quadrille_data[{index}];"));
        }
    }
    if words.needs("gl_TexCoord") {
        // Rectangle textures are read at texels.
        let rectangles = words.has(RECTANGLE);
        let place = match rectangles {
            true => "gl_FragCoord.xy".to_owned(),
            false => coordinate().unwrap_or_else(|| {
                frame.declared.push(format!("in vec2 {COORDINATE};"));
                COORDINATE.to_owned()
            }),
        };
        frame.declared.push("vec4 quadrille_texcoord[1] = vec4[1](vec4(0.0));".into());
        frame.macro_of("gl_TexCoord", "quadrille_texcoord");
        first.push(format!("    quadrille_texcoord[0] = vec4({place}, 0.0, 1.0);"));
    }
    if !first.is_empty() {
        frame.around_main(first, last);
    }
    Ok(())
}

/// Returns the number of targets: one more than the greatest index of `gl_FragData`.
fn targets(words: &Words, place: impl Fn(usize) -> Place) -> Result<usize, Error> {
    let mut count = 1;
    for (line, index) in words.indices("gl_FragData") {
        match index {
            Some(index) if index < 16 => count = count.max(index + 1),
            _ => return Err(Error::FragData { place: place(line) }),
        }
    }
    Ok(count)
}
