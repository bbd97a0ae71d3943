//! A program as GLSL: the text that the engines on the device include.

use std::fmt::Write as _;

use super::isa::{Destination, Instruction, Opcode, Operand, Register, temporaries};

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Writes the text of a file that defines `void program()`: one line an instruction, with its
/// assembly behind it.
///
/// It must be preceded by `include/vertex_isa.glsl`, whose functions it calls, and by the arrays
/// `vec4 v[16]`, `vec4 o[15]` and `uniform vec4 c[CONSTANTS]`, with inputs and outputs set to their
/// initial values.
pub fn translate(instructions: &[Instruction]) -> String {
    let mut text = String::from("void program() {\n");
    declare(instructions, &mut text);
    let lines: Vec<String> = instructions.iter().map(statement).collect();
    let width = lines.iter().map(String::len).max().unwrap_or(0);
    for (line, instruction) in lines.iter().zip(instructions) {
        let _ = writeln!(text, "    {line:width$} // {instruction}");
    }
    text.push_str("}\n");
    text
}

/// Declares the temporaries and the address register that are used, with their initial values.
fn declare(instructions: &[Instruction], text: &mut String) {
    for number in temporaries(instructions) {
        let _ = writeln!(text, "    PRECISE vec4 R{number} = vec4(0.0);");
    }
    let relative = |operand: &Operand| matches!(operand.register, Register::Relative(_));
    let addressed = |instruction: &Instruction| {
        instruction.opcode == Opcode::Arl || instruction.operands.iter().any(relative)
    };
    if instructions.iter().any(addressed) {
        text.push_str("    int A0 = 0;\n");
    }
}

fn statement(instruction: &Instruction) -> String {
    let target = match instruction.destination {
        Destination::Temporary(number) => format!("R{number}"),
        Destination::Output(number) => format!("o[{number}]"),
        Destination::Address => return format!("A0 = {};", value(instruction)),
    };
    let written = LETTERS.iter().zip(instruction.mask).filter(|(_, written)| *written);
    let mask: String = written.map(|(letter, _)| letter).collect();
    match mask.as_str() {
        "xyzw" => format!("{target} = {};", value(instruction)),
        mask => format!("{target}.{mask} = {}.{mask};", value(instruction)),
    }
}

/// Returns the result of an instruction: an int for the address, else four components.
fn value(instruction: &Instruction) -> String {
    let scalar = instruction.opcode.is_scalar();
    let operands: Vec<String> =
        instruction.operands.iter().map(|operand| expression(operand, scalar)).collect();
    let operands = operands.join(", ");
    match instruction.opcode {
        // In brackets, so that a mask can follow.
        Opcode::Mov if operands.starts_with('-') => format!("({operands})"),
        Opcode::Mov => operands,
        Opcode::Arl => format!("vp_address({operands})"),
        opcode => format!("vp_{}({operands})", opcode.name().to_lowercase()),
    }
}

fn expression(operand: &Operand, scalar: bool) -> String {
    let sign = if operand.negated { "-" } else { "" };
    let register = match operand.register {
        Register::Temporary(number) => format!("R{number}"),
        Register::Input(number) => format!("v[{number}]"),
        Register::Constant(number) => format!("c[{number}]"),
        Register::Relative(0) => "VP_RELATIVE(A0)".to_owned(),
        Register::Relative(offset) if offset < 0 => {
            format!("VP_RELATIVE(A0 - {})", -i32::from(offset))
        }
        Register::Relative(offset) => format!("VP_RELATIVE(A0 + {offset})"),
    };
    let letters: String = operand.swizzle.iter().map(|i| LETTERS[usize::from(*i) % 4]).collect();
    match letters.as_str() {
        _ if scalar => format!("{sign}{register}.{}", &letters[..1]),
        "xyzw" => format!("{sign}{register}"),
        letters => format!("{sign}{register}.{letters}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::translate;
    use crate::vector_machine::{DProgram, Profile};

    fn translated(text: &str) -> String {
        let program = DProgram::parse("test.vp", text, Profile::Modern).unwrap();
        translate(program.instructions())
    }

    #[test]
    fn a_line_is_an_instruction_with_its_assembly_behind_it() {
        let text = "ARL A0.x, v[2].y; MAD R3.xz, -v[1].wzyx, c[A0.x - 3], R1;
                    LOG R1, -R3.z; MOV o[1].w, -R1; MOV o[2], c[7].x; DP4 o[3].y, R1, c[A0.x];";
        let expected = "\
void program() {
    PRECISE vec4 R1 = vec4(0.0);
    PRECISE vec4 R3 = vec4(0.0);
    int A0 = 0;
    A0 = vp_address(v[2].y);                                // ARL A0.x, v[2].y;
    R3.xz = vp_mad(-v[1].wzyx, VP_RELATIVE(A0 - 3), R1).xz; // MAD R3.xz, -v[1].wzyx, c[A0.x - 3], R1;
    R1 = vp_log(-R3.z);                                     // LOG R1, -R3.z;
    o[1].w = (-R1).w;                                       // MOV o[COL0].w, -R1;
    o[2] = c[7].xxxx;                                       // MOV o[COL1], c[7].x;
    o[3].y = vp_dp4(R1, VP_RELATIVE(A0)).y;                 // DP4 o[BFC0].y, R1, c[A0.x];
}
";
        assert_eq!(translated(text), expected);
    }

    #[test]
    fn what_is_not_used_is_not_declared() {
        let text = translated("MOV o[1], v[1];");
        assert_eq!(text, "void program() {\n    o[1] = v[1]; // MOV o[COL0], v[1];\n}\n");
    }
}
