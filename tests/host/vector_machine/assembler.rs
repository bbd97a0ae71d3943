//! The assembler: what it reads, and what it says of a program.

use quadrille::Place;
use quadrille_vp::vector_machine::isa::{Destination, Instruction, Opcode, Operand, Register};
use quadrille_vp::vector_machine::program::{Read, Rule};
use quadrille_vp::vector_machine::{DProgram, Profile, Semantics};

fn modern(text: &str) -> DProgram {
    DProgram::parse("a.vp", text, Profile::Modern).unwrap_or_else(|error| panic!("{error}"))
}

const IN_ORDER: [u8; 4] = [0, 1, 2, 3];

fn operand(register: Register) -> Operand {
    Operand { register, swizzle: IN_ORDER, negated: false }
}

#[test]
fn an_instruction_is_read_whole() {
    let program = modern("MAD R3.xz, -v[2].wzyx, c[7].y, -R11;");
    let expected = Instruction {
        opcode: Opcode::Mad,
        destination: Destination::Temporary(3),
        mask: [true, false, true, false],
        operands: vec![
            Operand { swizzle: [3, 2, 1, 0], negated: true, ..operand(Register::Input(2)) },
            Operand { swizzle: [1; 4], ..operand(Register::Constant(7)) },
            Operand { negated: true, ..operand(Register::Temporary(11)) },
        ],
    };
    assert_eq!(program.instructions(), [expected]);
    assert_eq!((program.name(), program.profile()), ("a.vp", Profile::Modern));
}

#[test]
fn registers_have_names_and_numbers() {
    let registers = |text: &str| {
        let instruction = modern(text).instructions()[0].clone();
        (instruction.destination, instruction.operands[0].register)
    };
    let of = |output, input| (Destination::Output(output), Register::Input(input));
    assert_eq!(registers("MOV o[COL0], v[WGHT];"), of(1, 1));
    assert_eq!(registers("MOV o[1], v[1];"), of(1, 1));
    assert_eq!(registers("MOV o[TEX7], v[TEX7];"), of(14, 15));
    assert_eq!(registers("MOV o[14], v[15];"), of(14, 15));
    assert_eq!(registers("MOV o[PSIZ], v[6];"), of(6, 6));
    assert_eq!(registers("MOV o[BFC1], v[007];"), of(4, 7));
}

#[test]
fn constants_are_reached_through_the_address_register() {
    let program = modern(
        "ARL A0.x, v[1].w; MOV R0, c[A0.x]; MOV R0, c[A0.x + 63]; MOV R0, -c[ A0 . x-64 ].y;
         MOV R0, c[A0.x - 0];",
    );
    let [load, others @ ..] = program.instructions() else { panic!("no instructions") };
    assert_eq!((load.destination, load.mask), (Destination::Address, [true, false, false, false]));
    assert_eq!(load.operands[0].swizzle, [3; 4]);
    let offsets: Vec<_> = others.iter().map(|i| i.operands[0].register).collect();
    assert_eq!(offsets, [0, 63, -64, 0].map(Register::Relative));
    assert!(others[2].operands[0].negated);
}

#[test]
fn blanks_and_comments_stand_anywhere() {
    let spread = "# before \u{3c0}\r\n!!VP1.0 # \u{e9}\r\nMOV\tR0 . xy ,\r\n- # here\r\nc [ 5 ] . x\n;END # end\n\n#";
    assert_eq!(modern(spread).to_string(), "!!VP1.1\nMOV R0.xy, -c[5].x;\nEND\n");
}

#[test]
fn every_opcode_is_read_in_the_form_of_its_version() {
    for opcode in Opcode::ALL {
        let component = if opcode.is_scalar() { ".y" } else { "" };
        let destination = if opcode == Opcode::Arl { "A0.x" } else { "R1" };
        let operands = format!(", R2{component}").repeat(opcode.operands());
        let line = format!("{} {destination}{operands};", opcode.name());
        for text in [line.clone(), format!("{line}\nEND"), format!("!!VP1.1\n{line}\nEND\n")] {
            assert_eq!(modern(&text).instructions()[0].opcode, opcode, "{text}");
        }
        let old = DProgram::parse("a.vp", &format!("!!VP1.0\n{line}END"), Profile::Modern);
        assert_eq!(old.is_err(), opcode.is_of_1_1(), "{opcode:?}");
    }
}

/// The strings of figure 3 as a C compiler joins them: where a comma is missing between two
/// literals they are one string. The comments stand outside the strings.
fn figure_3() -> Vec<String> {
    let mut lines = vec!["MOV R1, v[1];".to_owned()];
    let round =
        ["SGE R3, R2, c[12];", "SLT R4, R2, c[12];", "MUL R5, R3, -c[11];", "ADD R2, R2, R5;"];
    let product = ["MUL R6, R3, R2;", "MUL R7, R1, R6;", "MUL R8, R1, R4;", "ADD R1, R7, R8;"];
    lines.push(format!("MOV R2, v[1];{}", round[0]));
    lines.push(format!("{}{}{}", round[1], round[2], round[3]));
    lines.extend(product.map(str::to_owned));
    for _ in 1..7 {
        lines.extend(round.iter().chain(&product).map(|&line| line.to_owned()));
    }
    lines.push("MOV o[COL0], R1;".to_owned());
    lines
}

#[test]
fn the_factorial_of_figure_3() {
    for profile in Profile::ALL {
        let program = DProgram::from_lines("factorial", &figure_3(), profile).unwrap();
        assert_eq!(program.instructions().len(), 59);
        assert!(program.writes_result() && !program.uses_relative());
        assert_eq!(program.inputs_read().collect::<Vec<_>>(), [1]);
        assert_eq!(program.constants_read().collect::<Vec<_>>(), [11, 12]);
        assert_eq!(program.temporaries(), 9);
        let again = DProgram::parse("again", &program.to_string(), profile).unwrap();
        assert_eq!(again.instructions(), program.instructions());
    }
}

#[test]
fn strings_are_lines_of_one_text() {
    let program = DProgram::from_lines("a.vp", &["MOV R1,", "v[1];"], Profile::Period).unwrap();
    assert_eq!(program.to_string(), "!!VP1.1\nMOV R1, v[1];\nEND\n");
    let missing = DProgram::from_lines("a.vp", &["MOV R1, v[1]", "MOV o[1], R1;"], Profile::Period);
    let missing = missing.unwrap_err();
    assert_eq!(*missing.rule, Rule::MissingSemicolon { got: "`MOV`".into() });
    assert_eq!((missing.place.line, missing.place.column), (Some(1), Some(13)));
    let none: [&str; 0] = [];
    let error = DProgram::from_lines("a.vp", &none, Profile::Period).unwrap_err();
    assert_eq!(*error.rule, Rule::NoInstruction);
}

#[test]
fn what_a_program_reads_has_places() {
    let program = modern(
        "MOV R1, v[3];\nMAD R0, v[2], R1,\n  -c[5];\nMOV o[1].x, c[A0.x].y;\nMUL R5, c[4], v[3];",
    );
    let place = |line, column| Some(Place::line("a.vp", line).at_column(column));
    assert_eq!(program.inputs_read().collect::<Vec<_>>(), [2, 3]);
    assert_eq!(program.constants_read().collect::<Vec<_>>(), [4, 5]);
    assert_eq!((program.writes_result(), program.uses_relative()), (true, true));
    assert_eq!(program.temporaries(), 6);
    assert_eq!(program.place_of_input(3), place(1, 9));
    assert_eq!(program.place_of_input(1), None);
    assert_eq!(program.place_of_constant(5), place(3, 3));
    assert_eq!(program.place_of_relative(), place(4, 13));
    assert_eq!(program.place(3), place(5, 1));
    assert_eq!((program.place(4), program.place_of_operand(0, 1)), (None, None));
    let excerpt = program.excerpt(&program.place_of_constant(5).unwrap());
    assert_eq!(excerpt.to_string(), "    3 |   -c[5];\n      |   ^");
    assert!(!modern("MOV o[COL1], v[1];").writes_result());
}

#[test]
fn the_framework_adds_its_own_lines() {
    let program = modern("MUL R0, v[1], v[1];\nADD o[COL0], R0, v[2];");
    let assembled = program.assembled(Semantics::VvToV);
    assert_eq!(
        assembled.to_string(),
        "!!VP1.1\n\
         # v[1]: vector 1, quad 1 of 1 # framework\n\
         # v[2]: vector 2, quad 1 of 1 # framework\n\
         MOV o[HPOS], v[OPOS]; # framework\n\
         MUL R0, v[1], v[1];\n\
         ADD o[COL0], R0, v[2];\n\
         END\n"
    );
    assert_eq!((assembled.own().len(), assembled.count()), (1, 3));
    assert_eq!(assembled.reads()[1], Read { register: 2, vector: 1, quad: 0 });
    for semantics in Semantics::ALL {
        let assembled = program.assembled(semantics);
        let registers: Vec<_> = assembled.reads().iter().map(|read| read.register).collect();
        assert_eq!(registers, (1..=semantics.inputs()).collect::<Vec<_>>());
        let text = assembled.to_string();
        let own: Vec<_> = text.lines().filter(|line| !line.ends_with("# framework")).collect();
        assert_eq!(modern(&own.join("\n")).instructions(), assembled.instructions());
        assert!(DProgram::parse("a.vp", &text, Profile::Modern).is_err());
    }
}
