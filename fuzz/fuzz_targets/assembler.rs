//! Any text: a program whose own text gives the same program, or an error that can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille::vector_machine::{DProgram, Profile, Semantics};

fuzz_target!(|text: &str| {
    for profile in Profile::ALL {
        match DProgram::parse("fuzz.vp", text, profile) {
            Ok(program) => assert_parses_again(&program, profile),
            Err(error) => assert!(error.to_string().starts_with("fuzz.vp:")),
        }
    }
});

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
