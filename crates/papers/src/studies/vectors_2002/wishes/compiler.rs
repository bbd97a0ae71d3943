//! A compiler: the same function from assembly and from GLSL.

use super::super::super::prelude::*;
use std::time::Instant;

use quadrille::testing::farthest;
use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{
    DFunction, DProgram, DVector, Machine, Profile, Semantics, translate,
};

const GLSL: &str = include_str!("exponents.glsl");

/// The sizes of programs, and their times from the text to the first result.
struct Texts {
    instructions: usize,
    lines: usize,
    translation: f64,
    assembly_first: f64,
    glsl_first: f64,
}

/// Lines that say something.
fn lines(text: &str) -> usize {
    let said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    text.lines().filter(said).count()
}

fn ms(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}

/// Compares them, unless the user stops it.
pub(super) fn compared(lab: &mut Lab<'_>) -> Result<Option<String>> {
    let (context, machine) = (lab.context, Machine::new(lab.context));
    let Some(file) = BundledProgram::named("exponents") else { return Ok(None) };
    let length = lab.scale.pick(1 << 17, 1 << 20);
    let input = DVector::<f32>::random(length, 0.5..1.5, lab.seed);
    let mut outputs = [(); 2].map(|()| DVector::<f32>::zeros(length));

    let begun = Instant::now();
    let program = DProgram::parse("exponents.vp", file.text, Profile::Modern)?;
    let text = translate(program.instructions());
    let translation = ms(begun);
    let begun = Instant::now();
    let assembly = DFunction::new(&machine, &program, Semantics::VToV)?;
    assembly.execute(&[&input], &mut outputs[0])?;
    let assembly_first = ms(begun);
    let begun = Instant::now();
    let (profile, semantics) = (Profile::Modern, Semantics::VToV);
    let glsl = DFunction::from_glsl(&machine, "exponents.glsl", GLSL, profile, semantics)?;
    glsl.execute(&[&input], &mut outputs[1])?;
    let glsl_first = ms(begun);
    let apart = furthest(&outputs)?;
    // 49 roundings of each, where a compiler may order the products in its own way.
    must_hold("exponents from GLSL", apart <= 2 * 49)?;

    let functions = [assembly, glsl];
    let mut call = |way: usize| -> Result<Duration> {
        let work = || -> Result<()> {
            functions[way].execute_async(&[&input], &mut outputs[way])?;
            Ok(())
        };
        Ok(Clock::of(context).time(context, work)?.1)
    };
    let Some(times) = interleaved(lab, [0.5, 5.0], &mut call)? else { return Ok(None) };
    let instructions = program.instructions().len();
    debug_assert!(lines(&text) > instructions);
    let texts = Texts { instructions, lines: lines(GLSL), translation, assembly_first, glsl_first };
    Ok(Some(words(&texts, apart, length, &times)))
}

/// Units in the last place between two results.
fn furthest([one, two]: &[DVector<f32>; 2]) -> Result<u64> {
    Ok(farthest(one.read()?, two.read()?).unwrap_or(u64::MAX))
}

fn words(texts: &Texts, apart: u64, length: usize, [assembly, glsl]: &[Summary; 2]) -> String {
    format!(
        "x^50 is {} lines of GLSL instead of {} instructions; assembly is read and translated in {} ms, and from then \
         to the first result the driver takes {} ms for it and {} ms for the GLSL; a call on {length} elements takes \
         {assembly} and {glsl} ms, and the results are {apart} units in the last place apart at the most",
        texts.lines,
        texts.instructions,
        short(texts.translation),
        short(texts.assembly_first),
        short(texts.glsl_first)
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_and_empty_lines_are_not_counted() {
        assert_eq!(super::lines("// a\n\nvoid program() {\n    // b\n}\n"), 2);
        assert_eq!(super::lines(super::GLSL), 6);
    }
}
