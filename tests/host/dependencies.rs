//! What the library costs who takes it: the crates that come with it.

use std::collections::BTreeSet;
use std::process::Command;

use crate::files::root;

/// The crates behind the library on this platform.
fn crates(features: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["tree", "--locked", "--offline", "--package", "quadrille"]);
    command.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]).args(features);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "));
    names.filter(|name| !name.starts_with("quadrille ")).collect()
}

#[test]
fn the_library_alone_brings_few_crates() {
    let crates = crates(&[]);
    assert!(crates.iter().any(|name| name.starts_with("glow ")), "{crates:?}");
    assert!(crates.len() <= 25, "{}: {crates:?}", crates.len());
}

#[test]
fn files_bring_no_more_than_readers_and_writers() {
    let crates = crates(&["--features", "files"]);
    assert!(crates.iter().any(|name| name.starts_with("npyz ")), "{crates:?}");
    assert!(crates.len() <= 80, "{}: {crates:?}", crates.len());
}
