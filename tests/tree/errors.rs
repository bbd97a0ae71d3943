//! Each error type of the packages is a `Failure` that the command finds in a chain of causes, so
//! that it has an exit code, a Python exception and advice: what the sources return as an error is
//! read from their text.

use crate::files::root;
use crate::layers::{Modules, Names, defined, modules, planted};

/// The error types that functions return, each by the module that defines it and its name; others
/// are parts of messages.
fn returned(modules: &Modules) -> Vec<Names> {
    let mut types = Vec::new();
    for (names, module) in modules {
        for (at, _) in module.text.match_indices("thiserror::Error)]") {
            let mut words = module.text[at..].split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = words.by_ref().find(|word| ["struct", "enum"].contains(word));
            let name = name.and_then(|_| words.next()).unwrap();
            if name == "Error" || modules.values().any(|module| is_returned(name, &module.text)) {
                types.push([&names[..], &[name.to_owned()]].concat());
            }
        }
    }
    types
}

fn is_returned(name: &str, text: &str) -> bool {
    [", NAME>", "::NAME>", "Err = NAME;"]
        .iter()
        .any(|form| text.contains(&form.replace("NAME", name)))
}

fn is_failure(modules: &Modules, error: &Names) -> bool {
    let (name, module) = error.split_last().unwrap();
    let text = &modules[module].text;
    let forms =
        [format!("failure!({name})"), format!("failure!({name}:"), format!("failure!({name};")];
    forms.iter().chain([&format!("Failure for {name} ")]).any(|form| text.contains(form))
}

/// The types that a package's `failure_of` looks for, in the same form.
fn looked_for(modules: &Modules) -> Vec<Names> {
    let root = &modules[&[][..]].text;
    let list = root.split_once("failures! {").unwrap().1.split('}').next().unwrap();
    let paths = list.split(',').filter_map(|line| line.split_whitespace().last());
    let types = paths.filter_map(|path| {
        let path: Names = ["crate"].into_iter().chain(path.split("::")).map(String::from).collect();
        Some([defined(modules, &[], &path, 4)?, vec![path.last()?.clone()]].concat())
    });
    types.collect()
}

/// The faults of a package's error types.
fn mistakes(modules: &Modules) -> Vec<String> {
    let (types, looked_for) = (returned(modules), looked_for(modules));
    let unlike = types.iter().filter(|error| !is_failure(modules, error));
    let unlike = unlike.map(|error| format!("{} is no Failure", error.join("::")));
    let unfound = types.iter().filter(|error| !looked_for.contains(error));
    let unfound = unfound.map(|error| format!("{} is not in `failures!`", error.join("::")));
    unlike.chain(unfound).collect()
}

/// The packages that have error types: the name of each in Rust, its sources, and how many types it
/// has at least.
const PACKAGES: [(&str, &str, usize); 3] = [
    ("quadrille", "src", 15),
    ("quadrille_run", "crates/run/src", 4),
    ("quadrille_vp", "crates/vector-machine/src", 5),
];

#[test]
fn every_error_of_a_package_is_a_failure_that_is_found() {
    for (_, src, least) in PACKAGES {
        let modules = modules(&root().join(src));
        assert!(returned(&modules).len() >= least, "{src}: {:?}", returned(&modules));
        assert_eq!(mistakes(&modules), [""; 0], "{src}");
    }
}

#[test]
fn the_command_looks_for_the_errors_of_each_package() {
    let text = std::fs::read_to_string(root().join("crates/cli/src/exit.rs")).unwrap();
    for (package, ..) in PACKAGES {
        assert!(text.contains(&format!("{package}::failure_of(")), "{package}");
    }
}

/// Then the command finds it, and Python takes it, as one of the library.
#[test]
fn errors_of_the_lab_and_the_papers_leave_them_as_the_librarys() {
    for folder in ["crates/lab/src", "crates/papers/src"] {
        let modules = modules(&root().join(folder));
        assert_eq!(returned(&modules), [[""; 0]; 0], "{folder}");
    }
}

#[test]
fn a_planted_error_is_a_mistake() {
    let library = |known: &str, other: &str| {
        let root = "mod known; mod other; error::failures! { NoMemory, #[cfg(x)] known::Error, }";
        planted([
            ("lib.rs", root),
            ("known.rs", "mod error; pub use error::Error;"),
            ("known/error.rs", known),
            ("other.rs", other),
        ])
    };
    let error = "#[derive(Debug, thiserror::Error)]\n#[non_exhaustive]\npub enum Error {}\n";
    let failure = format!("{error}failure!(Error: Stream, Data);");
    let part = "#[derive(Debug, thiserror::Error)] pub struct Part;";
    assert_eq!(mistakes(&library(&failure, part)), [""; 0]);
    assert_eq!(mistakes(&library(error, "")), ["known::error::Error is no Failure"]);
    assert_eq!(mistakes(&library(&failure, &failure)), ["other::Error is not in `failures!`"]);
    let returned = format!("{part} failure!(Part); fn part() -> Result<(), Part>");
    assert_eq!(mistakes(&library(&failure, &returned)), ["other::Part is not in `failures!`"]);
}
