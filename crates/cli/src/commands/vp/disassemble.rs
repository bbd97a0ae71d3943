//! `quadrille vp --disassemble`.

use quadrille_vp::vector_machine::{Program, Semantics};

use crate::prelude::*;

#[derive(Serialize)]
struct Listing {
    program: String,
    semantics: String,
    instructions: usize,
    own_instructions: usize,
    reads: usize,
    text: String,
}

pub(super) fn run(program: &Program, semantics: Semantics, json: bool) -> anyhow::Result<()> {
    let Program::Assembly(assembly) = program else {
        let text = format!("{} is GLSL: --disassemble shows assembly", program.name());
        return Err(Failure::Input { text }.into());
    };
    let assembled = assembly.assembled(semantics);
    let listing = Listing {
        program: program.name().to_owned(),
        semantics: semantics.to_string(),
        instructions: assembled.count(),
        own_instructions: assembled.own().len(),
        reads: assembled.reads().len(),
        text: assembled.to_string(),
    };
    output::show(json, &listing, || listing.text.trim_end().to_owned())
}
