//! The report as a page, as JSON and as CSV.

#[path = "render/fixture.rs"]
mod fixture;

use std::collections::BTreeSet;
use std::time::Duration;

use quadrille_lab::Error;
use quadrille_lab::report::{Document, Figure, Part, Plot, Verdict};
use quadrille_papers::Outcome;
use quadrille_papers::render;

use self::fixture::{HOSTILE, bars, entry, failure, lines, machine, outcome, part, record, table};

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
    let page = render::page(&outcome());
    let elements = elements(&page);
    let count = |name: &str| elements.iter().filter(|(element, _)| element == name).count();
    assert_eq!((count("script"), count("link"), count("img"), count("h1")), (0, 0, 0, 1));
    assert_eq!((count("svg"), count("figcaption"), count("table")), (12, 6, 6));
    assert_eq!(count("details"), 6 + 1, "every table and the machine are folded");
    let ids = values(&elements, "id");
    let different: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), ids.len(), "{ids:?}");
    assert!(ids.len() > 20);
    assert!(
        values(&elements, "href").contains(&"#table-same".to_owned()),
        "a link to the evidence"
    );
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
    let page = render::page(&outcome());
    for text in [
        "confirmed",
        "shown",
        "Of 9 measured claims",
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
    let none = Outcome::new(machine(), vec![entry("not-run", None, None)], true);
    let page = render::page(&none);
    elements(&page);
    assert!(page.contains("No finding"));
    assert!(!page.contains("<ol class=\"claims\""));
}

#[test]
fn a_wrong_result_is_told_and_nothing_is_judged_by_it() {
    let wrong = entry("wrong", Some(Document::Jacobi), record(Part::default(), failure(true)));
    let right = entry("right", Some(Document::Jacobi), record(part("right"), None));
    let outcome = Outcome::new(machine(), vec![wrong, right], true);
    let page = render::page(&outcome);
    elements(&page);
    assert_eq!(page.matches("Wrong result").count(), 2, "at the head, and where it belongs");
    assert_eq!(outcome.count(Verdict::Confirmed), 1);
}

#[test]
fn a_busy_machine_is_told_of_at_the_head_with_what_to_do() {
    let of =
        |others| entry("p", Some(Document::Jacobi), record(Part { others, ..part("p") }, None));
    let outcome = |shares: &[f64]| {
        Outcome::new(machine(), shares.iter().map(|others| of(*others)).collect(), false)
    };
    let page = render::page(&outcome(&[0.1, 0.58, 0.81]));
    elements(&page);
    assert!(page.contains("They had 58 to 81 % of the processors in 2 of 3 studies"));
    assert!(page.contains("again with --fresh") && page.contains("more than 15 %"));
    assert!(render::disturbance(&outcome(&[0.1, 0.0])).is_none());
}

#[test]
fn json_has_what_was_promised() {
    let json = serde_json::to_value(render::json(&outcome())).unwrap();
    assert_eq!(json["machine"]["renderer"]["max_texture_size"], 16_384);
    let finding = serde_json::json!({
        "id": "full-3", "document": "jacobi", "kind": "measurement", "place": HOSTILE, "quotation": HOSTILE,
        "claim": HOSTILE, "measured": "2.1 times", "estimate": { "value": 2.1, "scatter": 0.5 },
        "verdict": "not measurable", "stability": "near the limit", "evidence": "same", "on_cpu": HOSTILE,
    });
    assert_eq!(json["findings"][2], finding);
    assert_eq!(json["findings"].as_array().unwrap().len(), 12);
    // What no measurement decides is not counted as measured.
    let three = serde_json::json!({ "right": 3, "wrong": 0, "not_checked": 0 });
    assert_eq!(
        (&json["verdicts"]["confirmed"], &json["verdicts"]["design_statements"]),
        (&3.into(), &three)
    );
    let row = serde_json::json!([1, null, "inf"]);
    assert_eq!(json["tables"][1]["rows"][2], row);
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
    let text = |csv: Result<Vec<u8>, Error>| String::from_utf8(csv.unwrap()).unwrap();
    let csv = text(render::csv::of_table(&table("t")));
    assert!(csv.contains("1.234567"), "{csv}");
    assert!(csv.contains("1048576,\"a \"\"b\"\", c\",NaN"), "{csv}");
    assert!(csv.ends_with("1,,inf\n"), "{csv}");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().get(1), Some(HOSTILE));
    let csv = text(render::csv::of_figure(&lines()));
    assert!(csv.contains("document,100,20,document"), "{csv}");
    let Plot::Bars { unit, series, .. } = bars().plot else { panic!("bars") };
    let groups = vec![("g".to_owned(), vec![Some(0.1 + 0.2), None, Some(1e-300)])];
    let figure = Figure { plot: Plot::Bars { unit, series, groups }, ..bars() };
    assert!(text(render::csv::of_figure(&figure)).ends_with("g,0.30000000000000004,,1e-300\n"));
}

#[test]
fn spans_are_short() {
    let spans = [0.24, 0.97, 59.0, 99.6, 1750.0].map(|s| render::span(Duration::from_secs_f64(s)));
    assert_eq!(spans, ["0.2 s", "1 s", "59 s", "2 min", "29 min"]);
}
