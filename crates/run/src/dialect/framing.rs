//! Adds the declarations and the `main` around a text that make it compile, by its dialect.

use quadrille::internal::shader::{
    self as glsl, Body, Expanded, Frame, Framing, Lowered, Main, Token,
};
use quadrille::shader::Stage;
use quadrille::{Place, Source};

use super::reading::{Reading, dialect_of, own_vertices};
use super::words::Words;
use super::{Dialect, Error, ghostty, isf, legacy, names, sandbox, shadertoy, zeros};
use crate::dialect::shaders::SHADERS;

/// Returns the coordinate of a text that has rectangle textures, and whether it counts texels: it
/// does unless an ordinary texture is read at it, for which it runs from 0 to 1 across the target.
pub(crate) fn coordinate_of_rectangles(text: &Expanded) -> Option<(&str, bool)> {
    let kept = || glsl::kept(&text.text, std::iter::empty());
    let has = dialect_of(text) == Dialect::Legacy && legacy::rectangles::has_rectangles(&kept());
    let coordinate = text.coordinate().filter(|_| has)?;
    Some((coordinate, legacy::rectangles::counts_texels(&kept(), coordinate)))
}

impl Framing for Reading {
    fn described(&self) -> &'static str {
        self.dialect().described()
    }

    fn applies(&self, source: &Source) -> bool {
        self.dialect_of(source.stage()) != Dialect::Plain
    }

    fn frame(&self, source: &Source, body: &Body<'_>) -> Result<Frame, quadrille::Error> {
        Ok(frame(self, source, body)?)
    }

    fn lowered(&self, text: &[Token], is_own: &dyn Fn(usize) -> bool) -> Lowered {
        zeros::lowered(text, self.main().name, is_own)
    }

    fn vertices(&self, source: &Source) -> Option<Source> {
        own_vertices(source)
    }

    fn main(&self) -> Main {
        self.dialect().main()
    }

    fn is_core_extension(&self, line: &str) -> bool {
        legacy::is_core(line)
    }

    fn coordinate_defines(&self, text: &str, coordinate: &str) -> Vec<&'static str> {
        match self.dialect() {
            Dialect::Sandbox if coordinate == sandbox::SURFACE => vec!["QUADRILLE_SURFACE"],
            Dialect::Legacy if legacy::rectangles::counts_texels(text, coordinate) => {
                vec!["QUADRILLE_TEXELS"]
            }
            _ => Vec::new(),
        }
    }

    fn samples(&self, word: &str) -> bool {
        let picture = word.strip_prefix("IMG_").filter(|_| self.dialect() == Dialect::Isf);
        picture.is_some_and(|rest| rest != "SIZE")
    }

    fn has_file(&self, shown: &str) -> bool {
        SHADERS.has_shown(shown)
    }

    fn remedy_of_input(&self) -> Option<&'static str> {
        let is_isf = self.dialect() == Dialect::Isf;
        is_isf.then_some(
            "write it in the vertex shader of this ISF shader, NAME.vs in the folder of NAME.fs",
        )
    }
}

/// Builds the declarations and the `main` that stand around the text of a source.
fn frame(reading: &Reading, source: &Source, body: &Body<'_>) -> Result<Frame, Error> {
    let mut frame = Frame::new(body.es);
    let Body { text, place, .. } = *body;
    let words = Words::of(text);
    names::define(reading.dialect(), source, &words, &mut frame);
    if let Some(header) = &reading.header {
        isf::vertices::frame(header, &Reading::of(header), &words, &mut frame)?;
        return Ok(frame);
    }
    let coordinate = || {
        let read = glsl::declarations(text, Stage::Fragment, |line| Place::line("", line));
        read.inputs.into_iter().find(|input| input.kind == "vec2").map(|input| input.name)
    };
    match reading.dialect() {
        Dialect::Plain => {}
        Dialect::Shadertoy => shadertoy::frame(&words, &mut frame),
        Dialect::Ghostty => ghostty::frame(&words, &mut frame),
        Dialect::Sandbox | Dialect::Legacy => {
            legacy::frame(&words, &mut frame, coordinate, place)?;
        }
        Dialect::Isf => isf::frame(source, reading, &words, &mut frame, place)?,
    }
    Ok(frame)
}
