//! The folder, the exit codes and the command of a report.

#[path = "../../../../papers/tests/papers/render/fixture.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod fixture;

use std::collections::BTreeSet;
use std::path::Path;

use quadrille_lab::report::{Document, Part};

use self::fixture::{entry, failure, machine, outcome, part, record};
use super::*;
use crate::exit::exit_code;

#[test]
fn a_wrong_result_fails_the_command() {
    let wrong = entry("wrong", Some(Document::Jacobi), record(Part::default(), failure(true)));
    let right = entry("right", Some(Document::Jacobi), record(part("right"), None));
    let error = judge(&Outcome::new(machine(), vec![wrong, right], true)).unwrap_err();
    assert_eq!(exit_code(&error), 1);
    assert!(error.to_string().contains("wrong: "), "{error}");
}

#[test]
fn only_an_empty_or_a_stopped_report_fails() {
    let code = |stopped, entries| {
        let judged = judge(&Outcome::new(machine(), entries, stopped));
        judged.map_or_else(|error| exit_code(&error), |()| 0)
    };
    let good = || entry("good", None, record(Part::default(), None));
    let bad = || entry("bad", None, record(Part::default(), failure(false)));
    assert_eq!(code(false, vec![good(), bad()]), 0);
    assert_eq!(code(false, vec![bad()]), 1);
    assert_eq!(code(true, vec![good(), entry("not-run", None, None)]), 130);
    let text = judge(&outcome()).unwrap_err().to_string();
    assert!(text.contains("4 of 5") && text.contains("reproduce --output 'a b'"), "{text}");
}

#[test]
fn all_files_are_where_the_page_says() {
    let there = tempfile::tempdir().unwrap();
    let folder = Folder::make(&there.path().join("a/b")).unwrap();
    folder.write(&outcome()).unwrap();
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(there.path().join("a/b").join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names("figures").len(), 6);
    assert_eq!(names("numbers").len(), 12);
    for name in names("numbers") {
        assert!(render::page(&outcome()).contains(&format!("numbers/{name}")), "{name}");
    }
    for figure in names("figures") {
        let path = there.path().join("a/b/figures").join(figure);
        assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
    }
    assert!(Folder::make(&there.path().join("a/b/report.html")).is_err());
    assert!(Folder::make(Path::new("/dev/null/report")).is_err());
}

#[test]
fn a_command_can_be_given_again() {
    assert_eq!(
        ["a-b.c=1", "a b", "it's", ""].map(quoted),
        ["a-b.c=1", "'a b'", r"'it'\''s'", "''"]
    );
}
