//! The body of a function: translated assembly, or GLSL.

use quadrille::internal::shader::{LOOPS, may_mention, mentions};
use quadrille::shader::Source;

use super::super::{
    DProgram, Error, Machine, Processor, Profile, RELATIVE_CONSTANTS, Result, Semantics,
};
use crate::vector_machine::assembly::simulator::Simulator;
use crate::vector_machine::assembly::translate::translate;

/// A program, as engines take it.
pub(super) struct Body {
    name: String,
    profile: Profile,
    /// The text of `program.glsl`.
    text: String,
    /// Constant registers that are sent: up to the last one that is read, or all that a relative
    /// address reaches.
    constants: usize,
    /// Constant registers that may be set.
    settable: usize,
    /// Whether it may have loops, which a device with a loop budget may end early.
    may_loop: bool,
    pub(super) simulator: Option<Simulator>,
}

impl Body {
    pub(super) fn assembly(
        machine: &Machine,
        program: &DProgram,
        semantics: Semantics,
    ) -> Result<Body> {
        let function = || program.name().to_owned();
        if !program.writes_result() {
            return Err(Error::NoResult { function: function() });
        }
        let allowed = 1..=semantics.inputs() as u8;
        if let Some(input) = program.inputs_read().find(|input| !allowed.contains(input))
            && let Some(place) = program.place_of_input(input)
        {
            let excerpt = Box::new(program.excerpt(&place));
            return Err(Error::NoInput { input, semantics, place, excerpt });
        }
        let read = program.constants_read().max().map_or(0, |last| usize::from(last) + 1);
        let relative = if program.uses_relative() { RELATIVE_CONSTANTS } else { 0 };
        let simulated = machine.engine() == Processor::Simulator;
        let (profile, constants) = (program.profile(), read.max(relative).max(1));
        Ok(Body {
            name: function(),
            profile,
            text: translate(program.instructions()),
            constants,
            settable: profile.constants().max(constants),
            may_loop: false,
            simulator: simulated.then(|| Simulator::new(program)),
        })
    }

    pub(super) fn glsl(name: &str, text: &str, profile: Profile) -> Result<Body> {
        let after_void = |rest: &str| {
            let rest = rest.trim_start();
            rest.strip_prefix("program").is_some_and(|rest| rest.trim_start().starts_with('('))
        };
        if !text.split("void").skip(1).any(after_void) {
            return Err(Error::NoProgram { function: name.to_owned() });
        }
        if may_mention(text, &["discard"]) {
            return Err(Error::Discards { function: name.to_owned() });
        }
        // Included files may have loops too.
        let may_loop = may_mention(text, &LOOPS) || mentions(text, &["include"]);
        let (constants, settable) = (RELATIVE_CONSTANTS, RELATIVE_CONSTANTS);
        let (name, text) = (name.to_owned(), text.to_owned());
        Ok(Body { name, profile, text, constants, settable, may_loop, simulator: None })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn profile(&self) -> Profile {
        self.profile
    }

    pub(super) fn may_loop(&self) -> bool {
        self.may_loop
    }

    pub(super) fn constants(&self) -> usize {
        self.constants
    }

    pub(super) fn settable(&self) -> usize {
        self.settable
    }

    /// Puts the program into a shader of the library.
    pub(super) fn complete(&self, shader: Source) -> Source {
        let constants = format!("uniform vec4 c[{}];\n", self.constants);
        let shader = shader
            .define("CONSTANTS", self.constants)
            .file("constants.glsl", constants)
            .file_shown_as("program.glsl", self.name.clone(), self.text.clone());
        match self.profile {
            Profile::Modern => shader,
            Profile::Period => shader.define("PERIOD", 1),
        }
    }
}
