//! Lists whose length a caller chooses are allocated by `memory`, whose functions fail where the standard library ends the
//! process. What is found here are the forms that one writes without thinking: `vec![0.0; n]`, and numbers that are collected.
//! `crates/python/tests/test_allocations.py` finds the others, where they are reached.

use std::path::Path;

use crate::files::{files_below, root};

/// The folders of what callers' numbers go through. The twins of `reference/` are for tests and for what is small, and the parts
/// of `cluster/` are as many as there are ranks.
const SOURCES: [&str; 4] =
    ["src", "crates/run/src", "crates/vector-machine/src", "crates/python/src"];
const LEFT_OUT: [&str; 4] =
    ["src/reference", "src/cluster", "src/memory", "crates/vector-machine/src/reference"];

/// Those that no caller makes long: a file and its line, below what bounds them.
const BOUNDED: &str = include_str!("allocations.txt");

/// What an item is called that is a number, or as many of them as a caller chooses.
const NUMBERS: [&str; 14] = [
    "f32",
    "f64",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "isize",
    "bool",
    "T",
    "Complex",
    "Rectangle",
];

/// Returns the code of a file, without comments and unit tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("\nmod tests {").unwrap_or(text.len());
    text[..end].lines().map(|line| line.split("//").next().unwrap_or_default().trim())
}

/// Returns whether a type, and what follows it, is a vector of numbers or of arrays of them.
fn is_of_numbers(text: &str) -> bool {
    let item = text.strip_prefix("Vec<").unwrap_or_default().trim_start_matches('[');
    NUMBERS
        .iter()
        .any(|number| item.strip_prefix(number).is_some_and(|rest| rest.starts_with(['>', ';'])))
}

/// Returns whether a line repeats an item as often as an expression says.
fn repeats(line: &str) -> bool {
    let Some((_, after)) = line.split_once("vec![") else { return false };
    let Some((_, count)) = after.rsplit_once("; ") else { return false };
    !count.starts_with(|first: char| first.is_ascii_digit() || first.is_ascii_uppercase())
}

/// Returns whether a statement, from its first line on, collects numbers.
fn collects(lines: &[&str]) -> bool {
    let first = lines[0];
    if first.match_indices("collect::<").any(|(at, _)| is_of_numbers(&first[at + 10..])) {
        return true;
    }
    let declared = first.starts_with("let ")
        && first.split_once(": ").is_some_and(|(_, after)| is_of_numbers(after));
    let end = lines.iter().position(|line| line.ends_with(';')).unwrap_or(0);
    declared && lines[..=end].iter().any(|line| line.contains(".collect()"))
}

/// Returns the lines of a file that allocate without asking for memory.
fn found(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = code(text).collect();
    let is_found = |at: &usize| repeats(lines[*at]) || collects(&lines[*at..]);
    (0..lines.len()).filter(is_found).map(|at| lines[at]).collect()
}

#[test]
fn lengths_that_callers_choose_are_asked_for() {
    let mut bounded: Vec<&str> =
        BOUNDED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let mut unknown = Vec::new();
    for folder in SOURCES {
        for path in files_below(&root().join(folder)) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let is_left_out = LEFT_OUT.iter().any(|left_out| name.starts_with(left_out));
            if is_left_out || !name.ends_with(".rs") || Path::new(&name).ends_with("tests.rs") {
                continue;
            }
            for line in found(&std::fs::read_to_string(&path).unwrap()) {
                let line = format!("{name}: {line}");
                match bounded.iter().position(|known| *known == line) {
                    Some(at) => {
                        bounded.remove(at);
                    }
                    None => unknown.push(line),
                }
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "the process ends where there is no memory for these: take quadrille::memory, or say in \
         tests/host/whole/allocations.txt what bounds them\n{}",
        unknown.join("\n")
    );
    assert!(bounded.is_empty(), "no longer there:\n{}", bounded.join("\n"));
}

#[test]
fn planted_allocations_are_found() {
    for line in [
        "let mut numbers = vec![[0.0; 2]; rows * cols];",
        "None => DeviceVector::from_host(&context, &vec![number; length])?,",
        "let all: Vec<[f64; 2]> = (0..=order).map(root).collect();",
        "let chirp: Vec<Complex> =\n    (0..n).map(chirp).collect();",
        "let all = numbers.map(Into::into).collect::<Vec<f64>>();",
    ] {
        assert_eq!(found(line).len(), 1, "{line}");
    }
    for line in [
        "let pair = vec![0.0; 2];",
        "let bands = vec![Vec::new(); NEIGHBOURS];",
        "let names: Vec<&str> = names.iter().map(Name::text).collect();",
        "let all: Vec<f64> = memory::collected(n, numbers)?;",
        "// vec![0.0; n]",
        "let all = 1;\nmod tests {\n    let x = vec![0.0; n];",
    ] {
        assert_eq!(found(line).len(), 0, "{line}");
    }
}
