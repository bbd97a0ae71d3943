//! The page of the papers, `docs/papers.md`: every place that a row names is there, and the numbers
//! at its head are those of its rows.

use std::collections::BTreeSet;

use crate::files::{files_below, root};

const PAPERS: [&str; 4] = ["matmul-2004", "vectors-2002", "jacobi", "cuda-matmul"];
/// The studies of the report, each with its claims.
const STUDIES: &str = "crates/papers/src/studies";
const VERDICTS: [&str; 3] = ["works", "differs", "left out"];

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(root().join(path)).ok()
}

#[derive(Clone, Copy)]
struct Row<'a> {
    printed: &'a str,
    here: &'a str,
    verdict: &'a str,
}

/// The rows of a paper's section, which count from 1.
fn rows<'a>(page: &'a str, paper: &str) -> Vec<Row<'a>> {
    let heading = format!("\n## {paper}\n");
    let section = page.split_once(&heading).unwrap().1.split("\n## ").next().unwrap();
    let mut rows = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let &[number, printed, here, verdict] = &cells[..] else {
            panic!("not four cells: {line}")
        };
        rows.push(Row { printed, here, verdict });
        assert_eq!(number, rows.len().to_string(), "{paper}");
    }
    rows
}

/// The number of rows and those of each verdict, as the table at the head has them.
fn counts(rows: &[Row<'_>]) -> String {
    let of = |verdict| rows.iter().filter(|row| row.verdict.starts_with(verdict)).count();
    let [works, differs, left_out] = VERDICTS.map(of);
    format!("| {} | {works} | {differs} | {left_out} |", rows.len())
}

#[derive(Debug, PartialEq)]
enum Place<'a> {
    Claim(&'a str),
    Test(&'a str),
    /// A file, and a word of one of its lines.
    File(&'a str, &'a str),
}

/// The places in a cell: names in backquotes, those of files with a word behind them.
fn places(cell: &str) -> Vec<Place<'_>> {
    let parts: Vec<&str> = cell.split('`').collect();
    let named = parts.windows(2).skip(1).step_by(2);
    named.map(|pair| Place::of(pair[0], pair[1])).collect()
}

impl<'a> Place<'a> {
    fn of(name: &'a str, behind: &'a str) -> Place<'a> {
        let quoted = behind.strip_prefix(" “").and_then(|rest| rest.split_once('”'));
        let of_paper = |paper: &&str| name.strip_prefix(*paper).is_some_and(|n| n.starts_with('-'));
        match quoted {
            Some((word, _)) => Place::File(name, word),
            None if PAPERS.iter().any(of_paper) => Place::Claim(name),
            None => Place::Test(name),
        }
    }
}

/// What places are looked up in.
struct Known {
    /// The sources of the claims, which have the names of all in quotation marks.
    claims: String,
    tests: BTreeSet<String>,
}

impl Known {
    fn new() -> Known {
        let (mut claims, mut tests) = (String::new(), BTreeSet::new());
        for file in files_below(&root()) {
            if file.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&file).unwrap();
                tests.extend(tests_of(&text));
                if file.ends_with("claims.rs") && file.starts_with(root().join(STUDIES)) {
                    claims += &text;
                }
            }
        }
        Known { claims, tests }
    }

    fn has(&self, place: &Place<'_>) -> bool {
        match place {
            Place::Claim(id) => self.claims.contains(&format!("\"{id}\"")),
            Place::Test(name) => self.tests.contains(*name),
            Place::File(path, word) => {
                !word.is_empty() && read(path).is_some_and(|text| text.contains(word))
            }
        }
    }
}

/// The names of the functions behind `#[test]`.
fn tests_of(source: &str) -> Vec<String> {
    let behind = source.split("#[test]").skip(1);
    let names = behind.filter_map(|text| text.split_once("fn ")?.1.split('(').next());
    names.map(String::from).collect()
}

/// What is wrong with a row: a place that is not there, or a verdict without what it needs.
fn wrong(row: Row<'_>, known: &Known) -> Option<String> {
    let places = places(row.here);
    let (verdict, reason) = row.verdict.split_once(": ").unwrap_or((row.verdict, ""));
    let needs_reason = verdict != "works";
    let fault = if let Some(place) = places.iter().find(|place| !known.has(place)) {
        format!("{place:?} is not there")
    } else if !VERDICTS.contains(&verdict) || reason.is_empty() == needs_reason {
        format!("`{}` is no verdict with its reason", row.verdict)
    } else if places.is_empty() && verdict != "left out" {
        "no place is named".into()
    } else {
        return None;
    };
    Some(format!("{}: {fault}", row.printed))
}

#[test]
fn every_place_of_the_papers_is_there_and_rows_are_counted() {
    let page = read("docs/papers.md").unwrap();
    let known = Known::new();
    let mut all = Vec::new();
    for paper in PAPERS {
        let rows = rows(&page, paper);
        let line = page.lines().find(|line| line.starts_with(&format!("| [{paper}](#{paper})")));
        assert!(line.unwrap().ends_with(&counts(&rows)), "{paper}: {}", counts(&rows));
        all.extend(rows);
    }
    assert!(page.contains(&format!("| all | {}", counts(&all))), "{}", counts(&all));
    let wrong: Vec<_> = all.iter().filter_map(|row| wrong(*row, &known)).collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_row_that_is_not_so_is_seen() {
    let known = Known::new();
    let fault = |here, verdict| wrong(Row { printed: "it", here, verdict }, &known);
    let test = "`a_row_that_is_not_so_is_seen`, `tests/tree/papers.rs` “fn wrong”";
    assert_eq!(fault(test, "works"), None);
    assert_eq!(fault("`jacobi-7`", "differs: a reason"), None);
    assert_eq!(fault("–", "left out: a reason"), None);
    for here in ["`jacobi-99`", "`no_such_test`", "`tests/tree/papers.rs`", "`docs/no.md` “a”"]
    {
        assert!(fault(here, "works").unwrap().ends_with("is not there"), "{here}");
    }
    assert!(fault("`README.md` “no such word”", "works").is_some());
    for (here, verdict) in [(test, "works: so"), (test, "differs"), ("–", "works"), (test, "fine")]
    {
        assert!(fault(here, verdict).is_some(), "{here} {verdict}");
    }
    let page = "\n## jacobi\n| | a | b | c |\n|---|---|\n| 1 | x | – | left out: y |\n| 2 | x | `z` | works |\n## x\n";
    assert_eq!(counts(&rows(page, "jacobi")), "| 2 | 1 | 0 | 1 |");
}
