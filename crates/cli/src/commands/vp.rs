//! `quadrille vp`: runs a vertex program over vectors.

mod arguments;
mod compare;
mod constant;
mod disassemble;
mod execute;
mod report;
mod unread_inputs;
mod vectors;

use quadrille::io::npy;
use quadrille_vp::vector_machine::{Error, Options, Program, Semantics};

use self::execute::{ProgramCall, ResultValues};
use self::report::Report;
use crate::prelude::*;

pub(crate) use self::arguments::Arguments;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    output::check_file(arguments.output.as_deref(), ".npy")?;
    constant::check_once(&arguments.constants)?;
    let Options { glsl, profile, .. } = arguments.options.0;
    let program = Program::read(&arguments.program, glsl, profile)?;
    let semantics = semantics(arguments, &program)?;
    if arguments.disassemble {
        return disassemble::run(&program, semantics, arguments.json);
    }
    let vectors = vectors::read(&arguments.inputs)?;
    unread_inputs::note_constants(&program, &arguments.constants);
    unread_inputs::note(&program, semantics, &arguments.inputs);
    let call = ProgramCall { arguments, program: &program, semantics, vectors: &vectors };
    match arguments.compare {
        true => compare::run(&call),
        false => compute(&call),
    }
}

fn compute(call: &ProgramCall<'_>) -> anyhow::Result<()> {
    let arguments = call.arguments;
    let machine =
        arguments.options.0.machine(|| arguments.device.context().map_err(anyhow::Error::new))?;
    let outcome = call.run(&machine)?;
    if let Some(path) = &arguments.output {
        interrupt::writing(|| match &outcome.values {
            ResultValues::Floats(numbers) => npy::write(path, &[numbers.len()], numbers),
            ResultValues::Bytes(bytes) => npy::write_bytes(path, bytes),
            ResultValues::Scalar(number) => npy::write(path, &[1], &[*number]),
        })?;
    }
    let report = Report::new(call, &machine, &outcome)?;
    output::show(arguments.json, &report, || report.text())
}

/// The semantics for the inputs given; without any, for the vectors that the program reads.
fn semantics(arguments: &Arguments, program: &Program) -> Result<Semantics, Error> {
    let options = &arguments.options.0;
    let vectors = match arguments.inputs.len() {
        0 => program.vectors(options.reduce),
        given => given,
    };
    options.semantics(vectors)
}
