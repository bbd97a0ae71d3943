//! Finds inputs that a program never reads, often a forgotten --input, or one too many; and inputs
//! that it reads and that are missing.

use std::path::PathBuf;

use quadrille_vp::vector_machine::{Program, Semantics};

use super::constant::Setting;
use crate::output;

/// Notes for each vector the quads of an invocation that the program never reads. GLSL is
/// not looked into.
pub(super) fn note(program: &Program, semantics: Semantics, paths: &[PathBuf]) {
    let Program::Assembly(assembly) = program else { return };
    let read: Vec<usize> = assembly.inputs_read().map(usize::from).collect();
    for (vector, path) in paths.iter().enumerate() {
        if let Some(unread) = unread(semantics, vector, &read) {
            let (name, path) = (program.name(), path.display());
            output::note(&format!(
                "note: {name} never reads {unread} of {path}: those numbers do not count"
            ));
        }
    }
}

/// Notes constants that are read and not set: they are zeros, which is seldom intended.
pub(super) fn note_constants(program: &Program, settings: &[Setting]) {
    let Program::Assembly(assembly) = program else { return };
    let is_set = |constant: usize| settings.iter().any(|setting| setting.register == constant);
    let unset: Vec<String> = assembly
        .constants_read()
        .filter(|constant| !is_set(usize::from(*constant)))
        .map(|constant| format!("c[{constant}]"))
        .collect();
    if !unset.is_empty() {
        let (name, unset) = (program.name(), unset.join(", "));
        output::note(&format!("note: {name} reads {unset}, which no --constant sets: zeros"));
    }
}

/// The registers of a vector that are not among those read, and what share of it that is.
fn unread(semantics: Semantics, vector: usize, read: &[usize]) -> Option<String> {
    let quads = semantics.quads();
    let registers = (0..quads).map(|quad| semantics.register(vector, quad));
    let unread: Vec<usize> = registers.filter(|register| !read.contains(register)).collect();
    let share = match unread.len() {
        0 => return None,
        count if count == quads => "all that it is given".to_owned(),
        count => format!("{count} of each {quads} quads"),
    };
    Some(format!("{}, {share}", ranges(&unread)))
}

/// `v[2], v[4] to v[15]`.
fn ranges(registers: &[usize]) -> String {
    let runs = registers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[usize]| match run {
        [first, .., last] => format!("v[{first}] to v[{last}]"),
        alone => alone.iter().map(|register| format!("v[{register}]")).collect(),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_is_told_by_runs_of_registers() {
        let of = |semantics, vector, read: &[usize]| unread(semantics, vector, read);
        let all: Vec<usize> = (1..=15).collect();
        assert_eq!(of(Semantics::VToS, 0, &all), None);
        let text = of(Semantics::VToS, 0, &[1, 3]).unwrap_or_default();
        assert_eq!(text, "v[2], v[4] to v[15], 13 of each 15 quads");
        let text = of(Semantics::VvToV, 1, &[1]).unwrap_or_default();
        assert_eq!(text, "v[2], all that it is given");
        assert_eq!(of(Semantics::VvToV, 0, &[1]), None);
    }
}
