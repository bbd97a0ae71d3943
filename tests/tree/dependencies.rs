//! The cost of the library to its users, and of its tests: the crates that come with them. Cargo is
//! asked offline, and so only for packages of which `cargo test` itself has fetched all crates; what
//! the Python module brings is asked where it is built, by `tests/python`.

use std::collections::BTreeSet;
use std::process::Command;

use crate::files::root;

/// The crates behind a choice of packages and features on this platform.
fn crates(edges: &str, choice: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["tree", "--locked", "--offline", "--edges", edges]);
    command.args(["--prefix", "none", "--format", "{p}"]).args(choice);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "));
    names.filter(|name| !name.starts_with("quadrille ")).collect()
}

#[test]
fn the_library_alone_brings_few_crates() {
    let crates = crates("normal", &["--package", "quadrille"]);
    assert!(crates.iter().any(|name| name.starts_with("glow ")), "{crates:?}");
    assert!(crates.len() <= 25, "{}: {crates:?}", crates.len());
}

#[test]
fn vertex_programs_bring_only_the_library() {
    let library = crates("normal", &["--package", "quadrille"]);
    let mut with_programs = crates("normal", &["--package", "quadrille-vp"]);
    with_programs.retain(|name| !name.starts_with("quadrille-vp "));
    assert_eq!(with_programs, library);
}

#[test]
fn files_bring_no_more_than_readers_and_writers() {
    let crates = crates("normal", &["--package", "quadrille", "--features", "files"]);
    assert!(crates.iter().any(|name| name.starts_with("crc32fast ")), "{crates:?}");
    assert!(crates.len() <= 80, "{}: {crates:?}", crates.len());
}

/// `cargo test` compiles no crate behind windows: `tests/windows` does, with its own tests.
#[test]
fn the_tests_need_no_windows() {
    let crates = crates("normal,dev,build", &[]);
    assert!(crates.iter().any(|name| name.starts_with("proptest ")), "{crates:?}");
    let others = crates.iter().filter(|name| !name.starts_with("quadrille-")).count();
    assert!(others <= 151, "{others}: {crates:?}");
    for window in ["winit ", "x11rb ", "wayland-client "] {
        assert!(!crates.iter().any(|name| name.starts_with(window)), "{window}: {crates:?}");
    }
}
