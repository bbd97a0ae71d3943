//! The page of each package as a registry shows it: outside of the repository, where what a page
//! links to by a path is asked of the repository's address.

use std::path::{Component, Path, PathBuf};

use crate::files::root;
use crate::pages::targets;

/// An address of a repository. Registries know the form of what follows it from most hosts.
const REPOSITORY: &str = "https://forge.example/someone/quadrille";

/// The folders of the packages whose pages registries show. That of Python resolves no paths, so
/// that its page may have none.
const PACKAGES: [&str; 6] =
    ["", "crates/run", "crates/vector-machine", "crates/lab", "crates/papers", "crates/cli"];

/// Returns the page of the package in a folder.
fn page(folder: &str) -> String {
    std::fs::read_to_string(root().join(folder).join("README.md")).unwrap()
}

/// Returns whether a target is an address of its own, or a place of the same page.
fn needs_no_repository(target: &str) -> bool {
    target.starts_with('#') || target.starts_with("https://")
}

/// Returns the address by which a registry asks for the target of a link, in the page of the
/// package in a folder. None for a path out of the repository, and for one from a root, which sites
/// understand differently.
fn address(folder: &str, target: &str) -> Option<String> {
    if needs_no_repository(target) {
        return Some(target.to_string());
    }
    let path = Path::new(folder).join(target);
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name.to_str()?),
            Component::ParentDir => drop(names.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(format!("{REPOSITORY}/blob/HEAD/{}", names.join("/")))
}

/// Returns the file that the repository gives for an address, if the address is one of the
/// repository's.
fn answered(address: &str) -> Option<PathBuf> {
    let path = address.strip_prefix(REPOSITORY)?.strip_prefix("/blob/HEAD/")?;
    Some(root().join(path.split('#').next()?))
}

/// Returns whether a link of the page of the package in a folder leads somewhere.
fn leads_somewhere(folder: &str, target: &str) -> bool {
    let Some(address) = address(folder, target) else { return false };
    needs_no_repository(target) || answered(&address).is_some_and(|file| file.is_file())
}

#[test]
fn links_of_packages_work_outside_of_the_repository() {
    let mut count = 0;
    for folder in PACKAGES {
        let page = page(folder);
        // Links in other forms would go unseen.
        for other in ["<img", "<a ", "]: "] {
            assert!(!page.contains(other), "{folder}/README.md: {other}");
        }
        for target in targets(&page) {
            count += 1;
            assert!(leads_somewhere(folder, target), "{folder}/README.md: {target}");
        }
    }
    assert!(count > 30, "only {count} links were found");
}

#[test]
fn pythons_page_links_to_addresses_alone() {
    let page = page("crates/python");
    let paths: Vec<_> = targets(&page).filter(|target| !needs_no_repository(target)).collect();
    assert_eq!(paths, [""; 0]);
}

#[test]
fn links_are_asked_of_the_repository() {
    let at = |path: &str| Some(format!("{REPOSITORY}/blob/HEAD/{path}"));
    assert_eq!(address("", "docs/run.md#again"), at("docs/run.md#again"));
    assert_eq!(
        address("crates/vector-machine", "glsl/README.md"),
        at("crates/vector-machine/glsl/README.md")
    );
    assert_eq!(address("crates/run", "../../docs/./plate.png"), at("docs/plate.png"));
    assert_eq!(
        address("crates/run", "https://docs.rs/quadrille"),
        Some("https://docs.rs/quadrille".into())
    );
    assert_eq!(address("crates/run", "../../../elsewhere.md"), None);
    assert_eq!(address("crates/run", "/docs/run.md"), None);
}

#[test]
fn links_that_lead_nowhere_are_seen() {
    assert!(leads_somewhere("crates/run", "../../docs/plate.png"));
    assert!(leads_somewhere("", "docs/run.md#run-a-shader-from-another-site"));
    // A path from another folder, a folder, a name that only some file systems find, and an address
    // that anyone could answer for.
    for target in ["docs/plate.png", "../../docs", "../../docs/Run.md", "http://quadrille.example"]
    {
        assert!(!leads_somewhere("crates/run", target), "{target}");
    }
}
