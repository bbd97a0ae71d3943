//! Vertex programs' text.

use super::{Target, Verdicts};
use quadrille_vp::vector_machine::{DProgram, Profile, Semantics};

pub const TARGET: Target = Target { name: "assembler", file, generated: |_| Verdicts::default() };

fn file(bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let text = String::from_utf8_lossy(bytes);
    for profile in Profile::ALL {
        let program = DProgram::parse("fuzz.vp", &text, profile);
        verdicts.count(&program);
        match program {
            Ok(program) => assert_parses_again(&program, profile),
            Err(error) => assert!(error.to_string().starts_with("fuzz.vp:")),
        }
    }
    verdicts
}

fn assert_parses_again(program: &DProgram, profile: Profile) {
    let assembled = program.assembled(Semantics::VvvToS).to_string();
    let own = assembled.lines().filter(|line| !line.ends_with("# framework"));
    for text in [program.to_string(), own.collect::<Vec<_>>().join("\n")] {
        let again = DProgram::parse("again.vp", &text, profile);
        let same = again.is_ok_and(|again| again.instructions() == program.instructions());
        assert!(same, "{text}");
    }
    for (index, instruction) in program.instructions().iter().enumerate() {
        let last = instruction.operands.len() - 1;
        assert!(program.place(index).is_some() && program.place_of_operand(index, last).is_some());
    }
}
