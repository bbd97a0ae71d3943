//! The vertex engine on the CPU, strictly by `GL_NV_vertex_program`: the reference of the other
//! engines, and the engine without OpenGL.
//!
//! All is in f32, each operation rounded by itself. Where a rule leaves room the simulator and
//! `glsl/include/vertex_isa.glsl` choose the same: one order of adding in the dot products, and one
//! way to be inexact in the period's EXP and LOG.

mod arithmetic;
mod functions;

use super::isa::{Destination, Instruction, Opcode, Operand, Register, count_of_temporaries};
use crate::vector_machine::{DProgram, Profile, RELATIVE_CONSTANTS};

/// Four components of a register.
type Quad = [f32; 4];

/// A relative address without a constant, for NaN, infinities and numbers beyond an int.
const NOWHERE: i32 = -(1 << 20);

/// A program made ready to run.
#[derive(Clone, Debug)]
pub struct Simulator {
    instructions: Vec<DecodedInstruction>,
    temporaries: usize,
    profile: Profile,
}

/// An instruction and its operands; those that the opcode does not read are ignored.
#[derive(Clone, Debug)]
struct DecodedInstruction {
    opcode: Opcode,
    destination: Destination,
    mask: [bool; 4],
    operands: [Operand; 3],
}

/// The registers during an invocation.
struct Registers<'a> {
    inputs: &'a [Quad; 16],
    constants: &'a [Quad],
    temporaries: Vec<Quad>,
    outputs: [Quad; 15],
    address: i32,
}

impl Simulator {
    /// Makes a program ready, for the machine that it was written for.
    pub fn new(program: &DProgram) -> Simulator {
        Simulator::of(program.instructions(), program.profile())
    }

    /// Makes instructions ready that no parser has checked: what is not there reads as zeros and
    /// keeps nothing.
    pub fn of(instructions: &[Instruction], profile: Profile) -> Simulator {
        let temporaries = count_of_temporaries(instructions);
        let instructions = instructions.iter().map(DecodedInstruction::of).collect();
        Simulator { instructions, temporaries, profile }
    }

    /// Runs one invocation: from the constants and the inputs to the outputs. Constants beyond
    /// those given are zeros.
    pub fn run(&self, constants: &[[f32; 4]], inputs: &[[f32; 4]; 16]) -> [[f32; 4]; 15] {
        let mut registers = Registers {
            inputs,
            constants,
            temporaries: vec![[0.0; 4]; self.temporaries],
            outputs: [[0.0, 0.0, 0.0, 1.0]; 15],
            address: 0,
        };
        for instruction in &self.instructions {
            registers.take(instruction, self.profile);
        }
        registers.outputs
    }
}

impl DecodedInstruction {
    fn of(instruction: &Instruction) -> DecodedInstruction {
        const UNUSED: Operand =
            Operand { register: Register::Input(0), swizzle: [0, 1, 2, 3], negated: false };
        let operand = |i: usize| instruction.operands.get(i).copied().unwrap_or(UNUSED);
        DecodedInstruction {
            opcode: instruction.opcode,
            destination: instruction.destination,
            mask: instruction.mask,
            operands: [operand(0), operand(1), operand(2)],
        }
    }
}

impl Registers<'_> {
    fn take(&mut self, instruction: &DecodedInstruction, profile: Profile) {
        let count = instruction.opcode.operands();
        let read = |i: usize| if i < count { self.read(instruction.operands[i]) } else { [0.0; 4] };
        let operands = [read(0), read(1), read(2)];
        if instruction.destination == Destination::Address {
            self.address = address(operands[0][0]);
            return;
        }
        let result = result(instruction.opcode, operands, profile).map(arithmetic::flush);
        let target = match instruction.destination {
            Destination::Temporary(i) => self.temporaries.get_mut(usize::from(i)),
            Destination::Output(i) => self.outputs.get_mut(usize::from(i)),
            Destination::Address => None,
        };
        let Some(target) = target else { return };
        for i in 0..4 {
            if instruction.mask[i] {
                target[i] = result[i];
            }
        }
    }

    fn read(&self, operand: Operand) -> Quad {
        let quad = match operand.register {
            Register::Temporary(i) => at(&self.temporaries, i.into()),
            Register::Input(i) => at(self.inputs, i.into()),
            Register::Constant(i) => at(self.constants, i.into()),
            Register::Relative(offset) => self.relative(self.address + i32::from(offset)),
        };
        operand.swizzle.map(|i| {
            let component = arithmetic::flush(quad[usize::from(i) % 4]);
            if operand.negated { -component } else { component }
        })
    }

    fn relative(&self, index: i32) -> Quad {
        match usize::try_from(index) {
            Ok(i) if i < RELATIVE_CONSTANTS => at(self.constants, i),
            _ => [0.0; 4],
        }
    }
}

fn at(registers: &[Quad], i: usize) -> Quad {
    registers.get(i).copied().unwrap_or_default()
}

/// Returns the number that ARL loads.
fn address(x: f32) -> i32 {
    if x.abs() < -NOWHERE as f32 { x.floor() as i32 } else { NOWHERE }
}

/// Returns the result of an instruction, in every component.
fn result(opcode: Opcode, [a, b, c]: [Quad; 3], profile: Profile) -> Quad {
    use arithmetic::{dot, product};
    let each = |f: fn(f32, f32) -> f32| std::array::from_fn(|i| f(a[i], b[i]));
    match opcode {
        Opcode::Arl | Opcode::Mov => a,
        Opcode::Mul => each(product),
        Opcode::Add => each(|a, b| a + b),
        Opcode::Sub => each(|a, b| a - b),
        Opcode::Mad => std::array::from_fn(|i| arithmetic::flush(product(a[i], b[i])) + c[i]),
        Opcode::Abs => a.map(f32::abs),
        Opcode::Min => each(|a, b| if a < b { a } else { b }),
        Opcode::Max => each(|a, b| if a >= b { a } else { b }),
        Opcode::Slt => each(|a, b| if a < b { 1.0 } else { 0.0 }),
        Opcode::Sge => each(|a, b| if a >= b { 1.0 } else { 0.0 }),
        Opcode::Dp3 => [dot(&a[..3], &b[..3]); 4],
        Opcode::Dp4 => [dot(&a, &b); 4],
        Opcode::Dph => [arithmetic::flush(dot(&a[..3], &b[..3])) + b[3]; 4],
        Opcode::Dst => [1.0, product(a[1], b[1]), a[2], b[3]],
        Opcode::Rcp => [functions::rcp(a[0]); 4],
        Opcode::Rcc => [functions::rcc(a[0]); 4],
        Opcode::Rsq => [functions::rsq(a[0]); 4],
        Opcode::Exp => functions::exp(a[0], profile),
        Opcode::Log => functions::log(a[0], profile),
        Opcode::Lit => functions::lit(a),
    }
}

#[cfg(test)]
mod tests;
