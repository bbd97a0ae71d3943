//! The pages of the documentation: what they link to and the paths that they name are there.

use std::path::{Path, PathBuf};

use crate::files::{files_below, root};

/// The folders by which a path in a page is known.
const FOLDERS: [&str; 7] = ["benches", "crates", "docs", "examples", "glsl", "src", "tests"];

/// The pages with their texts, but for the history and the notes beside test data.
fn pages() -> Vec<(PathBuf, String)> {
    let files = files_below(&root()).into_iter();
    let is_page = |file: &PathBuf| {
        let is_data = file.starts_with(root().join("tests/data"));
        file.extension().is_some_and(|ending| ending == "md")
            && !is_data
            && !file.ends_with("CHANGELOG.md")
    };
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file, text)
    };
    files.filter(is_page).map(read).collect()
}

/// The text outside blocks of code.
fn prose(text: &str) -> String {
    let parts = text.split("```").enumerate().filter(|(index, _)| index % 2 == 0);
    parts.map(|(_, part)| part).collect()
}

/// The targets of links `[text](target)`.
pub(crate) fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The anchor of a heading in a link.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = letters.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Why a link of a page leads nowhere.
fn broken(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (path, place) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_path_buf(),
        path => page.parent().unwrap().join(path),
    };
    if !file.exists() {
        return Some(format!("{}: {target} is not there", page.display()));
    }
    let is_page = file.extension().is_some_and(|ending| ending == "md");
    if place.is_empty() || !is_page {
        return None;
    }
    let text = prose(&std::fs::read_to_string(&file).unwrap());
    let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == place);
    (!found).then(|| format!("{}: {target} has no such heading", page.display()))
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let links =
        pages.iter().flat_map(|(page, text)| targets(text).map(move |target| (page, target)));
    let links: Vec<_> = links.collect();
    assert!(links.len() > 100, "only {} links were found", links.len());
    let broken: Vec<_> = links.iter().filter_map(|(page, target)| broken(page, target)).collect();
    assert_eq!(broken, [""; 0]);
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let page = root().join("docs/run.md");
    assert_eq!(broken(&page, "test.md"), None);
    assert_eq!(broken(&page, "../README.md#the-papers"), None);
    assert!(broken(&page, "tests.md").unwrap().ends_with("tests.md is not there"));
    assert!(broken(&page, "test.md#nowhere").unwrap().ends_with("has no such heading"));
}

/// The paths from the root of the repository in the inline code of a text.
fn paths(text: &str) -> Vec<&str> {
    let is_path = |code: &&str| {
        let folder = code.split_once('/').filter(|(_, rest)| !rest.is_empty());
        let letters = code.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        letters && folder.is_some_and(|(folder, _)| FOLDERS.contains(&folder))
    };
    let codes = text.split('`').enumerate().filter(|(index, _)| index % 2 == 1);
    // What a build makes is in no checkout.
    let is_built = |code: &&str| code.starts_with("crates/web/dist/");
    codes.map(|(_, code)| code).filter(is_path).filter(|code| !is_built(code)).collect()
}

#[test]
fn paths_in_the_pages_are_there() {
    let mut missing = Vec::new();
    let mut count = 0;
    for (page, text) in pages() {
        let text = prose(&text);
        for path in paths(&text) {
            count += 1;
            // From the root, or from the folder of the package that a page is in.
            if !page.ancestors().any(|folder| folder.join(path).exists()) {
                missing.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(count > 100, "only {count} paths were found");
    assert_eq!(missing, [""; 0]);
    assert_eq!(paths("`src/lib.rs`, `src/`, `a/b`, `src/x --y`"), ["src/lib.rs"]);
}

#[test]
fn the_page_of_python_has_the_commands_of_the_library_s_errors() {
    let read = |file| std::fs::read_to_string(root().join(file)).unwrap();
    let (source, page) = (read("src/gl/native/packages.rs"), read("docs/python.md"));
    let commands = source.split("command: \"").skip(1).filter_map(|rest| rest.split('"').next());
    let missing: Vec<_> = commands.clone().filter(|text| !page.contains(text)).collect();
    assert!(commands.count() >= 4);
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_architecture_has_80_lines_at_most() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.lines().count() <= 80);
}
