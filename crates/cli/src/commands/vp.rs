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
use quadrille_vp::vector_machine::{Machine, Processor, Program, Semantics};

use self::execute::{ProgramCall, ResultValues};
use self::report::Report;
use crate::prelude::*;

pub(crate) use self::arguments::Arguments;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    output::check_file(arguments.output.as_deref(), ".npy")?;
    constant::check_once(&arguments.constants)?;
    let program = Program::read(&arguments.program, arguments.glsl, arguments.profile)?;
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
    let machine = match arguments.engine {
        Some(Processor::Simulator) => Machine::simulator(),
        Some(engine) => Machine::new(&arguments.device.context()?).with(engine)?,
        None => Machine::new(&arguments.device.context()?),
    };
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
fn semantics(arguments: &Arguments, program: &Program) -> Result<Semantics, Failure> {
    let vectors = match arguments.inputs.len() {
        0 => program.vectors(arguments.reduce),
        given => given,
    };
    Semantics::of(vectors, arguments.reduce).ok_or_else(|| {
        let text = format!("expected one to three of --input, got {vectors}");
        Failure::Input { text }
    })
}
