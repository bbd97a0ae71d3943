//! What a release says of itself in several places: its version, and the address of its repository,
//! which stands in one.

use std::path::PathBuf;

use crate::files::{files_below, root};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The value of a key of `[workspace.package]`.
fn workspace(key: &str) -> String {
    let manifest = read("Cargo.toml");
    let package = manifest.split("[workspace.package]").nth(1).unwrap();
    let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
    line.unwrap().trim_end_matches('"').to_owned()
}

/// The text of every file that is text.
fn texts() -> impl Iterator<Item = (PathBuf, String)> {
    let read = |file: PathBuf| std::fs::read_to_string(&file).ok().map(|text| (file, text));
    let files = ["", ".github", ".ci"].map(|folder| files_below(&root().join(folder)));
    files.into_iter().flatten().filter_map(read)
}

#[test]
fn the_address_stands_in_one_file() {
    let address = workspace("repository");
    assert!(address.starts_with("https://"), "{address}");
    let with = texts().filter(|(_, text)| text.contains(&address)).map(|(file, _)| file);
    assert_eq!(with.collect::<Vec<_>>(), [root().join("Cargo.toml")]);
}

/// Every manifest takes the address, the version and the oldest Rust from the workspace.
#[test]
fn packages_take_what_they_share_from_the_workspace() {
    for folder in [
        "",
        "crates/run",
        "crates/vector-machine",
        "crates/lab",
        "crates/papers",
        "crates/cli",
        "crates/python",
    ] {
        let manifest = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        for key in ["version", "rust-version", "license", "repository"] {
            let line = format!("\n{key}.workspace = true\n");
            assert!(manifest.contains(&line), "{folder}/Cargo.toml: {key}");
        }
    }
}

/// The owner and the name of the action in a page, and the version behind it.
fn actions(text: &str) -> Vec<(&str, &str)> {
    let uses = text.lines().filter_map(|line| line.trim().strip_prefix("- uses: "));
    uses.filter_map(|action| action.split_once("/action@v")).collect()
}

/// A page can take nothing from a manifest, so that its lines are compared: while the address is
/// unknown, they have a word in its place.
#[test]
fn pages_name_the_action_of_this_repository_and_version() {
    let address = workspace("repository");
    let name = address.strip_prefix("https://github.com/").unwrap_or("OWNER/quadrille");
    let expected = (name, workspace("version"));
    for page in ["docs/test.md", "docs/starter/.github/workflows/shaders.yml"] {
        let text = read(page);
        let found = actions(&text);
        assert!(!found.is_empty(), "{page} names no action");
        for action in found {
            assert_eq!((action.0, action.1), (expected.0, expected.1.as_str()), "{page}");
        }
    }
}

#[test]
fn the_version_is_the_same_in_every_file() {
    let version = workspace("version");
    let citation = read("CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff");
    let changelog = read("CHANGELOG.md");
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(newest.split(' ').next(), Some(version.as_str()), "CHANGELOG.md");
}

/// The sections of the newest version, by the words of Keep a Changelog.
#[test]
fn the_changelog_says_by_kind_what_is_new() {
    let changelog = read("CHANGELOG.md");
    let kinds = changelog.lines().filter_map(|line| line.strip_prefix("### "));
    let kinds: Vec<&str> = kinds.collect();
    let known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    assert!(!kinds.is_empty());
    assert!(kinds.iter().all(|kind| known.contains(kind)), "{kinds:?}");
}
