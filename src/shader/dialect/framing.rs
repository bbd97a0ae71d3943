//! Which frame a text gets.

use super::super::declarations;
use super::super::error::Error;
use super::super::source::Source;
use super::frame::Frame;

use super::words::Words;
use super::{Dialect, isf, legacy, shadertoy};
use crate::error::Place;
use crate::shader::expand::lines::Line;
use crate::shader::lexer::conditions::kept;
use crate::shader::source::stage::Stage;

/// What stands around the body of a source in a dialect; `place` tells where a line of it came from.
pub(in super::super) fn frame_for(
    source: &Source,
    dialect: Dialect,
    es: bool,
    body: &[Line],
    place: impl Fn(usize) -> Place,
) -> Result<Frame, Error> {
    let mut frame = Frame::new(es);
    if dialect == Dialect::Plain {
        return Ok(frame);
    }
    let text: String = body.iter().flat_map(|(line, _)| [line.as_str(), "\n"]).collect();
    let text = kept(&text, source.defines.iter().map(|(name, _)| name));
    let words = Words::of(&text);
    if let Some(header) = &source.header {
        isf::vertices::frame(header, &words, &mut frame)?;
        return Ok(frame);
    }
    let coordinate = || {
        let read = declarations::read(&text, Stage::Fragment, |line| Place::line("", line));
        read.inputs.into_iter().find(|input| input.kind == "vec2").map(|input| input.name)
    };
    match dialect {
        Dialect::Plain => {}
        Dialect::Shadertoy => shadertoy::frame(&words, &mut frame),
        Dialect::Sandbox | Dialect::Legacy => {
            legacy::frame(&words, &mut frame, coordinate, place)?;
        }
        Dialect::Isf => isf::frame(source, &words, &mut frame, place)?,
    }
    Ok(frame)
}
