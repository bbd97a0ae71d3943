//! The command finds an exit code by an error's type: it must look for each type of the library with a kind.

use std::collections::BTreeSet;

use crate::files::root;
use crate::layers::{Modules, Names, defined, modules, planted};

/// The types that have a kind, each by the module that defines it and its name.
fn with_kind(modules: &Modules) -> BTreeSet<Names> {
    let mut types = BTreeSet::new();
    for (names, module) in modules {
        for (at, _) in module.text.match_indices("pub fn kind(&self) -> Kind") {
            let (_, block) = module.text[..at].rsplit_once("\nimpl ").unwrap();
            let name = block.split(' ').next().unwrap().to_owned();
            types.insert([&names[..], &[name]].concat());
        }
    }
    types
}

/// The types that the command looks for, in the same form.
fn looked_for(modules: &Modules, command: &str) -> BTreeSet<Names> {
    let list = command.rsplit_once("first_of!(").unwrap().1.split(')').next().unwrap();
    let paths = list.split(',').map(|path| path.trim().trim_start_matches("quadrille::"));
    let types = paths.filter_map(|path| {
        let path: Names = ["crate"].into_iter().chain(path.split("::")).map(String::from).collect();
        Some([defined(modules, &[], &path, 4)?, vec![path.last()?.clone()]].concat())
    });
    types.collect()
}

#[test]
fn every_error_with_a_kind_has_an_exit_code() {
    let modules = modules(&root().join("src"));
    let command = std::fs::read_to_string(root().join("cli/src/exit.rs")).unwrap();
    let types = with_kind(&modules);
    assert!(types.len() > 20, "{types:?}");
    let missing: Vec<_> = types.difference(&looked_for(&modules, &command)).cloned().collect();
    assert!(missing.is_empty(), "`kind_of` in cli/src/exit.rs does not look for {missing:?}");
}

#[test]
fn a_planted_error_is_missed() {
    let kind = "\nimpl Error {\n    pub fn kind(&self) -> Kind {";
    let modules = planted([
        ("lib.rs", "mod known; mod other;"),
        ("known.rs", "mod error; pub use error::Error;"),
        ("known/error.rs", kind),
        ("other.rs", kind),
    ]);
    let looked_for = looked_for(&modules, "first_of!(Failure, quadrille::known::Error)");
    let missing: Vec<_> = with_kind(&modules).difference(&looked_for).cloned().collect();
    assert_eq!(missing, [["other", "Error"]]);
}
