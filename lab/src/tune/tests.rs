use std::time::Duration;

use super::super::Summary;
use super::*;
use quadrille::internal::reference::Comparison;

fn row(contender: &str, milliseconds: u64, of_bound: f64) -> Row {
    let times = [Duration::from_millis(milliseconds)];
    Row {
        n: 100,
        contender: contender.parse().unwrap(),
        options: String::new(),
        summary: Summary::of(&times, 1),
        setup: Duration::ZERO,
        fetched_bytes: None,
        comparison: Comparison { max_error: of_bound, of_bound },
    }
}

fn table(rows: Vec<Row>) -> Table {
    Table { rows, ..Table::default() }
}

#[test]
fn a_wrong_candidate_is_dropped_however_fast() {
    let first =
        table(vec![row("sp", 10, 0.1), row("cp unroll=2", 1, 7.0), row("element", 14, 0.1)]);
    let mut outcome = Outcome::default();
    let names: Vec<String> =
        outcome.near_the_best(&first).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["sp", "element"]);
    let dropped = Dropped { size: 100, choice: "cp unroll=2".into(), max_error: 7.0 };
    assert_eq!(outcome.dropped, [dropped]);
    outcome.keep_best(&first);
    assert_eq!(outcome.best.len(), 1);
    assert_eq!((outcome.best[0].choice.as_str(), outcome.best[0].gflops), ("sp", 0.2));
}

#[test]
fn only_those_near_the_fastest_go_on() {
    let rows = (10..30).map(|time| row("sp", time, 0.0)).collect();
    let mut outcome = Outcome::default();
    assert_eq!(outcome.near_the_best(&table(rows)).len(), FINALISTS);
    let far = table(vec![row("serial", 100, 0.0), row("sp", 10, 0.0)]);
    assert_eq!(outcome.near_the_best(&far).len(), 1);
    assert!(outcome.near_the_best(&table(vec![])).is_empty());
}
