//! The paper's programs and its instruction set: counts, and what it gets wrong or leaves open.

use super::super::prelude::*;
use super::claims;
use quadrille_vp::internal::reference::vectors;
use quadrille_vp::vector_machine::bundled::{BundledProgram, muls};
use quadrille_vp::vector_machine::isa::Opcode;
use quadrille_vp::vector_machine::program::OWN_INSTRUCTIONS;
use quadrille_vp::vector_machine::{DProgram, DVector, Machine, Profile};

/// The programs whose opcodes the paper counts.
const COUNTED: [(&str, usize); 3] = [("arithmetic", 13), ("exponents", 49), ("factorial", 59)];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let machine = Machine::new(lab.context);
    let findings = vec![
        counts(),
        unrollings(),
        factorial_of_zero(&machine)?,
        factorials_in_bytes(&machine)?,
        temporaries(),
        zeroed_temporaries(&machine)?,
        zeroed_outputs(&machine)?,
        ports(),
        instructions(),
        longest(),
    ];
    Ok(Part { tables: vec![table()], findings, ..Part::default() })
}

fn parsed(name: &str) -> Option<DProgram> {
    let file = BundledProgram::named(name)?;
    DProgram::parse(name, file.text, Profile::Modern).ok()
}

fn opcodes(name: &str) -> usize {
    parsed(name).map_or(0, |program| program.instructions().len())
}

fn count_of(name: &str, opcode: Opcode) -> usize {
    let program = parsed(name);
    let all = program.iter().flat_map(DProgram::instructions);
    all.filter(|instruction| instruction.opcode == opcode).count()
}

fn apply(machine: &Machine, name: &str, numbers: &[f32]) -> Result<Vec<f32>> {
    let Some(file) = BundledProgram::named(name) else { return Ok(Vec::new()) };
    let function = functions::bundled(machine, &file)?;
    Ok(function.apply::<f32>(&[&DVector::from_slice(numbers)])?.into_vec()?)
}

/// The result of a short program text, v -> v.
fn apply_text(machine: &Machine, text: &str, numbers: &[f32]) -> Result<Vec<f32>> {
    let function = functions::modern(machine, text)?;
    Ok(function.apply::<f32>(&[&DVector::from_slice(numbers)])?.into_vec()?)
}

/// "22 MUL, 2 MOV", the most frequent first.
fn makeup(name: &str) -> String {
    let all = Opcode::ALL.map(|opcode| (count_of(name, opcode), opcode.name()));
    let mut some: Vec<_> = all.into_iter().filter(|(count, _)| *count > 0).collect();
    some.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let words: Vec<String> = some.iter().map(|(count, name)| format!("{count} {name}")).collect();
    words.join(", ")
}

fn table() -> Table {
    let columns = vec![
        only_text("program", "", |file: &BundledProgram| file.name.into()),
        only_text("takes and gives", "", |file| file.semantics.to_string().into()),
        only_text("opcodes, paper", "", |file| {
            COUNTED.iter().find(|(name, _)| *name == file.name).map(|(_, count)| *count).into()
        }),
        only_text("opcodes", "", |file| opcodes(file.name).into()),
        only_text("of which", "", |file| makeup(file.name).into()),
    ];
    let notes = [
        "The paper does not print arithmetic, nor the base of its logarithm. Here: a MOV at either end, as in \
         figure 3, three multiplies, LOG of each element of a quad, and four multiplies by ln 2, which put \
         the results in their places. With LOG of the time, good to 11 bits, so were the results.",
        "factorial-2002 is figure 3 literally; factorial starts with the larger of x and 1, so that 0! is 1.",
    ];
    let title = "The test programs, section 5.2, and related ones";
    let command = "quadrille vp crates/vector-machine/programs/factorial.vp --disassemble";
    Rows { columns, rows: &BundledProgram::ALL }.table(
        "vectors-2002-programs",
        title,
        notes,
        command,
    )
}

/// Each is compared with double precision on every engine when tables 4 and 5 are measured.
fn counts() -> Finding {
    let got = COUNTED.map(|(name, _)| opcodes(name));
    let words = format!("equivalent programs have {}, {} and {}", got[0], got[1], got[2]);
    check(&claims::COUNTS, Ok((words, got == COUNTED.map(|(_, count)| count))))
}

fn unrollings() -> Finding {
    let loops = count_of("factorial-2002", Opcode::Sge);
    let words = format!(
        "59 opcodes are {loops} turns of 8 and 3 around them; 8 turns would be {}. {loops} are enough for 9!",
        8 * 8 + 3
    );
    check(&claims::UNROLLINGS, Ok((words, loops == 8)))
}

fn factorial_of_zero(machine: &Machine) -> Result<Finding> {
    let digits: Vec<f32> = (0..10_u8).map(f32::from).collect();
    let wrong = |got: &[f32]| -> Vec<String> {
        let pairs = digits.iter().zip(got);
        let wrong = pairs.filter(|(x, y)| vectors::factorial(**x) != f64::from(**y));
        wrong.map(|(x, y)| format!("{x}! = {y}")).collect()
    };
    let document = wrong(&apply(machine, "factorial-2002", &digits)?);
    let ours = wrong(&apply(machine, "factorial", &digits)?);
    must_hold("factorial of 0 to 9", ours.is_empty())?;
    let words = match document.as_slice() {
        [] => "all ten are right".to_owned(),
        some => format!(
            "literally it gives {}, since the product starts with x; starting with the larger of x and 1 gives all \
             ten correctly",
            some.join(", ")
        ),
    };
    Ok(check(&claims::FACTORIAL_OF_ZERO, Ok((words, document.is_empty()))))
}

fn factorials_in_bytes(machine: &Machine) -> Result<Finding> {
    let claim = &claims::FACTORIALS_IN_BYTES;
    let Some(file) = BundledProgram::named("factorial-2002") else {
        return Ok(check(claim, Err("the program is missing".into())));
    };
    let function = functions::bundled(machine, &file)?;
    let bytes: DVector<u8> = function.apply(&[&DVector::from_slice(&[6_u8, 2, 3, 1, 4])])?;
    let bytes = bytes.read()?;
    let right = bytes.iter().map(|byte| u32::from(*byte)).eq([720, 2, 6, 1, 24]);
    Ok(check(claim, Ok((format!("the bytes are {bytes:?}, where 6! = 720"), right))))
}

/// Whether the assembler of the time takes a program.
fn takes(text: &str) -> bool {
    DProgram::parse("test.vp", text, Profile::Period).is_ok()
}

fn temporaries() -> Finding {
    let takes = |register: usize| takes(&format!("MOV R{register}, v[1]; MOV o[1], R{register};"));
    let count = (0..64).take_while(|register| takes(*register)).count();
    let words =
        format!("the specification of the instruction set has {count}, R0 to R{}", count - 1);
    check(&claims::TEMPORARIES, Ok((words, count == 16)))
}

fn zeroed_temporaries(machine: &Machine) -> Result<Finding> {
    let got = apply_text(machine, "MOV o[1], R7;", &[1.0, 2.0, 3.0, 4.0, 5.0])?;
    let words = format!("an unwritten register gives {got:?} on engine {}", machine.engine());
    let zeros = got.iter().all(|number| *number == 0.0);
    must_hold("an unwritten temporary", zeros)?;
    Ok(check(&claims::ZEROED_TEMPORARIES, Ok((words, zeros))))
}

fn zeroed_outputs(machine: &Machine) -> Result<Finding> {
    let got = apply_text(machine, "MOV o[1].x, v[1].x;", &[7.0, 2.0, 3.0, 4.0])?;
    must_hold("an output of which x was written", got == [7.0, 0.0, 0.0, 1.0])?;
    let words = format!(
        "an output whose x alone was written is {got:?}: (0, 0, 0, 1) at first, as specified"
    );
    Ok(check(&claims::ZEROED_OUTPUTS, Ok((words, got == [7.0, 0.0, 0.0, 0.0]))))
}

fn ports() -> Finding {
    let legal = takes("ADD o[1], v[1], v[1];") && takes("ADD o[1], c[1], c[1];");
    let illegal = !takes("ADD o[1], v[1], v[2];") && !takes("ADD o[1], c[1], c[2];");
    let words = "two different ones are refused, the same one twice is accepted, as specified";
    check(&claims::PORTS, Ok((words.into(), legal && illegal)))
}

fn instructions() -> Finding {
    let count = Opcode::ALL.len();
    let words = format!("{count} are parsed, simulated and translated");
    check(&claims::INSTRUCTIONS, Ok((words, count == 21)))
}

fn longest() -> Finding {
    let own = (1..=140).rev().find(|opcodes| takes(&muls(*opcodes))).unwrap_or(0);
    let refused = !takes("MOV o[HPOS], v[1]; MOV o[1], v[1];");
    let itself = if refused { "is refused" } else { "is taken" };
    let words = format!(
        "{own} of the programmer's are accepted, and {OWN_INSTRUCTIONS} of the framework's writes the position; a \
         program that writes it itself {itself}. Today the length of the text is the limit"
    );
    let agrees = refused && own + OWN_INSTRUCTIONS == Profile::Period.instructions();
    check(&claims::LONGEST, Ok((words, agrees)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;
    use quadrille::Observer;

    #[test]
    fn the_papers_errors_are_found_and_its_facts_confirmed() {
        let context = Context::headless().unwrap();
        let mut nobody = ();
        let nobody: &mut dyn Observer = &mut nobody;
        let mut lab = Lab::new(&context, Scale::Quick, 1, Duration::ZERO, nobody);
        let part = run(&mut lab).unwrap();
        let verdicts: Vec<Verdict> = part.findings.iter().map(|f| f.verdict).collect();
        let (yes, no) = (Verdict::Confirmed, Verdict::Contradicted);
        assert_eq!(verdicts, [yes, no, no, no, no, yes, no, yes, yes, yes]);
        let measured = |index: usize| part.findings[index].measured.as_str();
        assert!(measured(1).starts_with("59 opcodes are 7 turns"));
        assert!(measured(2).contains("0! = 0,"), "{}", measured(2));
        assert!(measured(3).contains("[255, 2, 6, 1, 24]"), "{}", measured(3));
        assert!(measured(4).contains("has 12"));
        assert!(measured(9).starts_with("127 of"), "{}", measured(9));
        assert_eq!(part.tables[0].rows.len(), 11);
    }
}
