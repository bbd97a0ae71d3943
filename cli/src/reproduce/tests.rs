//! A report with all that can be in one, and with what should not be.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use quadrille_lab::Error;
use quadrille_lab::report::{FeatureRequest, Figure, Finding, Line, Part, Plot, Table, Verdict};
use quadrille_lab::reproduce::{Failure, Lab, Record, Renderer};

/// What must be escaped wherever it comes.
const HOSTILE: &str = "<script>alert(\"1\")</script> & 'é' </td></svg>";

fn nothing(_: &mut Lab<'_>) -> Result<Part, Error> {
    Ok(Part::default())
}

fn study(id: &'static str, document: Option<Document>) -> Study {
    Study { id, document, title: HOSTILE, seconds: [1, 1], run: nothing }
}

fn machine() -> Machine {
    Machine {
        quadrille: "0.1.0".into(),
        build: "0123456789abcdef".into(),
        release: false,
        features: vec![],
        command: "quadrille reproduce --fresh --output 'a b'".into(),
        began: "2026-11-21 12:03".into(),
        ended: "2026-11-21 12:05".into(),
        scale: Scale::Quick,
        seed: 1,
        cpu: HOSTILE.into(),
        architecture: "x86_64".into(),
        cores: Some(2),
        threads: 2,
        memory_gib: 7.8,
        system: "Linux".into(),
        kernel: "6.1".into(),
        load_before: [0.1, 0.2, 0.3],
        load_after: [1.9, 0.8, 0.4],
        renderer: Renderer {
            device: "Mesa".into(),
            name: HOSTILE.into(),
            vendor: "Mesa".into(),
            driver: "4.5".into(),
            api: "OpenGL 4.5".into(),
            software: true,
            max_texture_size: 16_384,
            max_targets: 8,
            max_inputs: 32,
            max_vertex_uniforms: 4096,
            max_fragment_uniforms: 4096,
            compute: None,
            has: vec!["float targets"],
            lacks: vec!["timers"],
        },
    }
}

fn table(id: &str) -> Table {
    Table {
        id: id.into(),
        title: HOSTILE.into(),
        columns: ["size", HOSTILE, "time [ms]"].map(String::from).into(),
        rows: vec![
            vec![4096.into(), HOSTILE.into(), 1.234_567.into()],
            vec![1_048_576.into(), "a \"b\", c".into(), f64::NAN.into()],
            vec![1.into(), quadrille_lab::report::Cell::Empty, f64::INFINITY.into()],
        ],
        notes: vec![HOSTILE.into()],
        command: HOSTILE.into(),
    }
}

fn bars() -> Figure {
    let groups =
        vec![(HOSTILE.to_owned(), vec![Some(1.5), None]), ("b".into(), vec![Some(f64::NAN)])];
    let series = vec!["here".to_owned(), HOSTILE.into()];
    let plot = Plot::Bars { unit: HOSTILE.into(), series, groups };
    Figure { id: "bars".into(), title: HOSTILE.into(), plot, notes: vec![] }
}

fn lines() -> Figure {
    let line = |name: &str, quoted| Line {
        name: name.into(),
        points: vec![[1.0, 0.5], [10.0, f64::INFINITY], [100.0, 20.0]],
        quoted,
    };
    let lines = vec![line(HOSTILE, false), line("document", true)];
    let plot = Plot::Lines { axes: [HOSTILE.into(), "ms".into()], logarithmic: true, lines };
    Figure { id: "lines".into(), title: HOSTILE.into(), plot, notes: vec![HOSTILE.into()] }
}

fn part() -> Part {
    let finding = |verdict| Finding {
        document: Document::Jacobi,
        claim: HOSTILE.into(),
        measured: "2.1 times".into(),
        verdict,
    };
    Part {
        tables: vec![table("same"), table("same")],
        figures: vec![bars(), lines()],
        findings: Verdict::ALL.map(finding).into(),
        wishes: vec![FeatureRequest { wish: HOSTILE.into(), answer: "a".into(), buys: "b".into() }],
        left_out: vec![HOSTILE.into()],
    }
}

fn record(part: Part, failure: Option<Failure>) -> Option<Record> {
    let key = machine().key();
    Some(Record { key, date: "2026-11-20 09:00".into(), seconds: 3.5, part, failure })
}

fn failure(wrong: bool) -> Option<Failure> {
    Some(Failure { kind: "out of memory".into(), reason: HOSTILE.into(), wrong })
}

fn entry(id: &'static str, document: Option<Document>, record: Option<Record>) -> Entry {
    Entry { study: study(id, document), kept: record.is_some(), record }
}

fn outcome() -> Outcome {
    let entries = vec![
        entry("full", Some(Document::Jacobi), record(part().finite(), None)),
        entry("again", Some(Document::Matmul2004), record(part().finite(), None)),
        entry("device", None, record(part().finite(), None)),
        entry("failed", Some(Document::CudaMatmul), record(Part::default(), failure(false))),
        entry("not-run", Some(Document::CudaMatmul), None),
    ];
    settle(machine(), entries, true)
}

/// Names and attributes of all elements; fails where one is not closed.
fn elements(html: &str) -> Vec<(String, String)> {
    const VOID: [&str; 2] = ["meta", "!DOCTYPE"];
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a stray bracket: {}", &rest[..at]);
        let end = rest[at..].find('>').unwrap() + at;
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed");
            continue;
        }
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let name = name.trim_end_matches('/');
        found.push((name.to_owned(), attributes.to_owned()));
        if name == "style" {
            rest = &rest[rest.find("</style>").unwrap()..];
        }
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    assert_eq!(open, Vec::<String>::new(), "not closed");
    found
}

/// The value of an attribute, of each element that has it.
fn values(elements: &[(String, String)], name: &str) -> Vec<String> {
    let key = format!("{name}=\"");
    let value = |(_, attributes): &(String, String)| {
        let attributes = format!(" {attributes}");
        let (_, value) = attributes.split_once(&format!(" {key}"))?;
        Some(value.split_once('"')?.0.to_owned())
    };
    elements.iter().filter_map(value).collect()
}

#[test]
fn the_page_is_whole_and_needs_no_network() {
    let page = page::page(&outcome());
    let elements = elements(&page);
    let count = |name: &str| elements.iter().filter(|(element, _)| element == name).count();
    assert_eq!((count("script"), count("link"), count("img"), count("h1")), (0, 0, 0, 1));
    assert_eq!((count("svg"), count("figcaption"), count("caption")), (6, 6, 6));
    let ids = values(&elements, "id");
    let different: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
    assert!(ids.len() > 20);
    for target in values(&elements, "href") {
        let id = target.strip_prefix('#').unwrap();
        assert!(different.contains(&id.to_owned()), "{target}");
    }
    assert_eq!(values(&elements, "src"), Vec::<String>::new());
    for word in ["http:", "https:", "url(", "@import", "//cdn"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn the_page_says_all_that_there_is() {
    let page = page::page(&outcome());
    for text in [
        "confirmed",
        "contradicted",
        "not measurable",
        "1\u{202f}048\u{202f}576",
        "1.23",
        "NaN",
        "inf",
        "Built without optimisation",
        "out of memory",
        "not run yet",
        "numbers/same-2.csv",
        "4 of 5 parts are from 2026-11-20 09:00 UTC",
        "4 of 5 studies",
        "Göddeke, 2005",
        "&lt;script&gt;",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("Wrong result"));
}

#[test]
fn a_page_of_nothing_is_a_page() {
    let none = settle(machine(), vec![entry("not-run", None, None)], true);
    let page = page::page(&none);
    elements(&page);
    assert!(page.contains("No finding"));
    assert!(!page.contains("id=\"findings\""));
}

#[test]
fn a_wrong_result_is_told_and_nothing_is_judged_by_it() {
    let wrong = entry("wrong", Some(Document::Jacobi), record(Part::default(), failure(true)));
    let right = entry("right", Some(Document::Jacobi), record(part(), None));
    let outcome = settle(machine(), vec![wrong, right], true);
    let page = page::page(&outcome);
    elements(&page);
    assert_eq!(page.matches("Wrong result").count(), 2, "at the head, and where it belongs");
    assert_eq!(outcome.count(Verdict::Confirmed), 1);
    let error = judge(&outcome).unwrap_err();
    assert_eq!(super::super::exit::exit_code(&error), 1);
    assert!(error.to_string().contains("wrong: "), "{error}");
}

#[test]
fn only_an_empty_or_a_stopped_report_fails() {
    let code = |stopped, entries| {
        let judged = judge(&settle(machine(), entries, stopped));
        judged.map_or_else(|error| super::super::exit::exit_code(&error), |()| 0)
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
fn json_has_what_was_promised() {
    let json = serde_json::to_value(json::report(&outcome())).unwrap();
    assert_eq!(json["machine"]["renderer"]["max_texture_size"], 16_384);
    let finding = serde_json::json!({
        "document": "jacobi", "claim": HOSTILE, "measured": "2.1 times", "verdict": "not measurable",
    });
    assert_eq!(json["findings"][2], finding);
    assert_eq!(json["findings"].as_array().unwrap().len(), 9);
    let row = serde_json::json!([1, null, "inf"]);
    assert_eq!(json["tables"][1]["rows"][2], serde_json::json!([1.0, null, "inf"]), "{row}");
    assert_eq!(json["tables"][1]["id"], "same-2");
    assert_eq!(json["tables"][5]["document"], serde_json::Value::Null);
    assert_eq!(
        (&json["finished"], &json["studies"][4]["date"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        json["left_out"][4],
        serde_json::json!({ "study": "not-run", "reason": "not run yet" })
    );
}

#[test]
fn csv_gives_every_digit_again() {
    let text = |csv: anyhow::Result<Vec<u8>>| String::from_utf8(csv.unwrap()).unwrap();
    let csv = text(numbers::of_table(&table("t")));
    assert!(csv.contains("1.234567"), "{csv}");
    assert!(csv.contains("1048576,\"a \"\"b\"\", c\",NaN"), "{csv}");
    assert!(csv.ends_with("1,,inf\n"), "{csv}");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().get(1), Some(HOSTILE));
    let csv = text(numbers::of_figure(&lines()));
    assert!(csv.contains("document,100,20,document"), "{csv}");
    let Plot::Bars { unit, series, .. } = bars().plot else { panic!("bars") };
    let groups = vec![("g".to_owned(), vec![Some(0.1 + 0.2), None, Some(1e-300)])];
    let figure = Figure { plot: Plot::Bars { unit, series, groups }, ..bars() };
    assert!(text(numbers::of_figure(&figure)).ends_with("g,0.30000000000000004,,1e-300\n"));
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
        assert!(page::page(&outcome()).contains(&format!("numbers/{name}")), "{name}");
    }
    for figure in names("figures") {
        let path = there.path().join("a/b/figures").join(figure);
        elements(&std::fs::read_to_string(path).unwrap());
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

#[test]
fn spans_are_short() {
    let spans = [0.24, 0.97, 59.0, 99.6, 1750.0]
        .map(|s| summary::span(std::time::Duration::from_secs_f64(s)));
    assert_eq!(spans, ["0.2 s", "1 s", "59 s", "2 min", "29 min"]);
}
