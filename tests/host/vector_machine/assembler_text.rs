//! Programs as text: what is written is read back, and whatever is read is answered.

use crate::files::{files_below, root};
use proptest::prelude::*;
use quadrille_vp::vector_machine::isa::{Destination, Instruction, Opcode, Operand, Register};
use quadrille_vp::vector_machine::{DProgram, Profile};

const IN_ORDER: [u8; 4] = [0, 1, 2, 3];

fn registers(profile: Profile) -> impl Strategy<Value = Register> {
    let constants = 0..profile.constants() as u16;
    prop_oneof![
        (0..profile.temporaries() as u16).prop_map(Register::Temporary),
        (1_u8..16).prop_map(Register::Input),
        constants.prop_map(Register::Constant),
        (-64_i16..64).prop_map(Register::Relative),
    ]
}

/// A second register of a file becomes the first one, so that the instruction is legal.
fn one_of_each_file(registers: &mut [Register]) {
    let is_input = |register: &Register| matches!(register, Register::Input(_));
    let is_constant = |r: &Register| matches!(r, Register::Constant(_) | Register::Relative(_));
    for of_file in [&is_input as &dyn Fn(&Register) -> bool, &is_constant] {
        let Some(first) = registers.iter().copied().find(of_file) else { continue };
        registers.iter_mut().filter(|register| of_file(register)).for_each(|r| *r = first);
    }
}

fn instructions(profile: Profile) -> impl Strategy<Value = Instruction> {
    let destination = prop_oneof![
        (0..profile.temporaries() as u16).prop_map(Destination::Temporary),
        (1_u8..15).prop_map(Destination::Output),
    ];
    let mask = (1_u8..16).prop_map(|bits| [0, 1, 2, 3].map(|index| bits >> index & 1 == 1));
    let swizzle =
        prop_oneof![Just(IN_ORDER), (0_u8..4).prop_map(|c| [c; 4]), [0_u8..4, 0..4, 0..4, 0..4]];
    let operand = (registers(profile), swizzle, any::<bool>());
    let opcode = prop::sample::select(Opcode::ALL.to_vec());
    (opcode, destination, mask, prop::collection::vec(operand, 3)).prop_map(
        |(opcode, destination, mask, parts)| {
            let mut registers: Vec<_> =
                parts.iter().map(|part| part.0).take(opcode.operands()).collect();
            one_of_each_file(&mut registers);
            let operand = |(register, &(_, swizzle, negated)): (Register, &(_, [u8; 4], bool))| {
                let swizzle = if opcode.is_scalar() { [swizzle[0]; 4] } else { swizzle };
                Operand { register, swizzle, negated }
            };
            let operands = registers.into_iter().zip(&parts).map(operand).collect();
            let (destination, mask) = match opcode {
                Opcode::Arl => (Destination::Address, [true, false, false, false]),
                _ => (destination, mask),
            };
            Instruction { opcode, destination, mask, operands }
        },
    )
}

fn programs() -> impl Strategy<Value = (Profile, Vec<Instruction>)> {
    prop::sample::select(Profile::ALL.to_vec()).prop_flat_map(|profile| {
        (Just(profile), prop::collection::vec(instructions(profile), 1..127))
    })
}

/// A program that is kept to be refused says so in its file's name.
#[test]
fn every_program_of_the_repository_is_read_back_or_refused() {
    let mut files = files_below(&root());
    files.retain(|file| file.extension().is_some_and(|extension| extension == "vp"));
    assert!(files.len() >= 14, "{files:?}");
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(&file).unwrap();
        let program = DProgram::parse(&name, &text, Profile::Modern);
        assert_eq!(program.is_err(), name.starts_with("refused"), "{program:?}");
        let Ok(program) = program else { continue };
        let again = DProgram::parse(&name, &program.to_string(), Profile::Modern).unwrap();
        assert_eq!(again.instructions(), program.instructions(), "{name}");
    }
}

fn text_of(instructions: &[Instruction]) -> String {
    instructions.iter().map(|instruction| format!("{instruction}\n")).collect()
}

/// Whatever the text is, the answer is a program that its own text gives again, or an error whose
/// place is in the text and whose message is short.
fn holds_for(text: &str) -> Result<(), TestCaseError> {
    for profile in Profile::ALL {
        match DProgram::parse("a.vp", text, profile) {
            Ok(program) => {
                let again = DProgram::parse("again", &program.to_string(), profile).unwrap();
                prop_assert_eq!(again.instructions(), program.instructions());
            }
            Err(error) => {
                let line = error.place.line.and_then(|line| text.split('\n').nth(line - 1));
                let length = line.map(|line| line.chars().count());
                prop_assert!(error.place.column.unwrap() <= length.unwrap() + 1, "{}", error);
                prop_assert!(error.rule.to_string().len() < 300, "{}", error.rule);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_programs_text_gives_the_same_program((profile, instructions) in programs()) {
        let program = DProgram::parse("a.vp", &text_of(&instructions), profile).unwrap();
        prop_assert_eq!(program.instructions(), &instructions);
        let again = DProgram::parse("b.vp", &program.to_string(), profile).unwrap();
        prop_assert_eq!(again.instructions(), &instructions);
        prop_assert_eq!(again.to_string(), program.to_string());
    }

    #[test]
    fn any_text_is_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        holds_for(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn words_of_the_assembly_in_any_order_are_answered(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40),
    ) {
        holds_for(&words.concat())?;
    }

    #[test]
    fn a_damaged_program_is_answered(
        (_, instructions) in programs(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0_usize..4), 1..4),
    ) {
        let mut characters: Vec<char> = text_of(&instructions).chars().collect();
        for (index, new, removed) in cuts {
            let start = index.index(characters.len());
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, [new]);
        }
        holds_for(&String::from_iter(characters))?;
    }
}

const WORDS: [&str; 30] = [
    "!!VP1.0", "!!VP1.1", "END", "MOV ", "MAD ", "ARL ", "RCP ", "SUB ", "R0", "R12", "A0.x",
    "v[1]", "v[COL0]", "c[3]", "c[A0.x", "+", "-", "5", "]", "[", ".", "x", "xyzw", "o[1]", ",",
    ", ", ";", "\n", "# ", "OPTION ",
];
