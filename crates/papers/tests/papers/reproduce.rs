//! Studies one after the other: what ends one, what ends all, and what a later run takes over.
#![allow(clippy::result_large_err, reason = "studies return the errors of the rooms they measure")]

use std::cell::{Cell, RefCell};
use std::path::Path;

use quadrille::{Context, gl};
use quadrille::{Control, Observer, Progress};
use quadrille_lab::report::{Cell as TableCell, Part, Table};
use quadrille_lab::{Error, MeasurementError};
use quadrille_papers::{Entry, Event, Key, Lab, Plan, Record, Scale, Study, run};
use tempfile::TempDir;

fn context() -> Result<Context, gl::Error> {
    Context::builder().device("llvmpipe").build()
}

/// A table of one number that two runs would not share.
fn part(lab: &Lab<'_>, number: f64) -> Part {
    let table = Table {
        id: "t".into(),
        title: "T".into(),
        columns: vec!["number".into(), "largest texture".into()],
        rows: vec![vec![number.into(), (lab.context.abilities().max_texture_size as usize).into()]],
        notes: vec![],
        command: String::new(),
    };
    Part { tables: vec![table], ..Part::default() }
}

fn good(lab: &mut Lab<'_>) -> Result<Part, Error> {
    Ok(part(lab, lab.seed as f64))
}

fn not_finite(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = part(lab, 0.0);
    part.tables[0].rows[0][0] = TableCell::Number(f64::NAN);
    Ok(part)
}

fn wrong(_: &mut Lab<'_>) -> Result<Part, Error> {
    Err(MeasurementError::Wrong { what: "a sum".into(), error: 0.5 }.into())
}

fn unsupported(_: &mut Lab<'_>) -> Result<Part, Error> {
    Err(MeasurementError::Library { got: "int" }.into())
}

fn lost(_: &mut Lab<'_>) -> Result<Part, Error> {
    Err(gl::Error::ContextLost { status: "guilty" }.into())
}

/// Works until it is stopped, and then returns what no one should see.
fn long(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let progress = Progress::new(0, None);
    for _ in 0..1000 {
        if lab.observer().observe(&progress) == Control::Stop {
            break;
        }
    }
    Ok(part(lab, 666.0))
}

fn study(id: &'static str, run: fn(&mut Lab<'_>) -> Result<Part, Error>) -> Study {
    Study { id, document: None, title: "A study", seconds: [1, 2], run }
}

fn key(seed: u64) -> Key {
    let text = |text: &str| text.to_owned();
    Key {
        quadrille: text("0.1.0"),
        renderer: text("r"),
        driver: text("d"),
        cpu: text("c"),
        scale: Scale::Quick,
        seed,
    }
}

/// The event in short.
fn word(event: &Event<'_>) -> String {
    match event {
        Event::Kept(study, _) => format!("kept {}", study.id),
        Event::Stale(study, reason) => format!("stale {}: {reason}", study.id),
        Event::Begun(study) => format!("begun {}", study.id),
        Event::Working(study) => format!("working {}", study.id),
        Event::Ended(study, _) => format!("ended {}", study.id),
    }
}

/// A run, stopped when the word comes; what became of the studies, whether it was stopped, and what
/// was told.
fn runs(plan: &Plan<'_>, stop_at: &str) -> (Vec<Entry>, bool, Vec<String>) {
    let mut told = Vec::new();
    let mut tell = |event: Event<'_>| {
        told.push(word(&event));
        if told.last().unwrap() == stop_at { Control::Stop } else { Control::Continue }
    };
    let (entries, stopped) = run(plan, &context, &mut tell).unwrap();
    (entries, stopped, told)
}

fn plan<'a>(studies: &'a [Study], folder: &'a Path, seed: u64) -> Plan<'a> {
    Plan { studies, key: key(seed), folder, fresh: false }
}

fn number(entry: &Entry) -> TableCell {
    entry.part().unwrap().tables[0].rows[0][0].clone()
}

#[test]
fn a_study_that_fails_ends_itself_alone() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", good), study("b", wrong), study("c", unsupported), study("d", good)];
    let (entries, stopped, _) = runs(&plan(&studies, folder.path(), 7), "");
    assert!(!stopped);
    assert_eq!(number(&entries[3]), TableCell::Number(7.0));
    let failure = |at: usize| entries[at].record.as_ref().unwrap().failure.clone().unwrap();
    assert!(failure(1).wrong && !failure(2).wrong);
    assert_eq!(entries[1].wrong().unwrap(), failure(1).reason);
    assert_eq!((entries[2].wrong(), entries[2].part()), (None, None));
    assert_eq!(failure(2).kind, "not supported by this device");
    assert!(entries[2].left_out()[0].contains("gemm multiplies only float"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn a_later_run_takes_over_what_stands_and_does_the_rest() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", good), study("b", wrong), study("c", long), study("d", good)];
    let (entries, stopped, told) = runs(&plan(&studies, folder.path(), 7), "working c");
    assert!(stopped);
    assert_eq!(told.last().unwrap(), "working c");
    assert!(entries[2].record.is_none() && entries[3].record.is_none());
    assert_eq!(entries[2].left_out(), ["not run yet"]);
    assert!(!folder.path().join("c.json").exists());

    let date = |date: &str| {
        let path = folder.path().join("a.json");
        let mut record = Record::read(&path, &key(7)).unwrap().unwrap();
        record.date = date.into();
        record.write(&path).unwrap();
    };
    date("2001-01-01 00:00");
    let (entries, stopped, told) = runs(&plan(&studies, folder.path(), 7), "");
    assert!(!stopped);
    assert_eq!(told[..2], ["kept a", "stale b: it had failed: it failed"]);
    assert!(!told.contains(&"begun a".to_owned()));
    assert_eq!(entries[0].record.as_ref().unwrap().date, "2001-01-01 00:00");
    assert_eq!(
        entries.iter().map(|entry| entry.kept).collect::<Vec<_>>(),
        [true, false, false, false]
    );
    assert_eq!(number(&entries[2]), TableCell::Number(666.0));
}

#[test]
fn what_was_finished_when_the_user_stopped_is_kept() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", good), study("b", good)];
    let (entries, stopped, _) = runs(&plan(&studies, folder.path(), 7), "ended a");
    assert!(stopped && entries[0].record.is_some() && entries[1].record.is_none());
    // Stopped after the last is not stopped at all.
    let (_, stopped, told) = runs(&plan(&studies, folder.path(), 7), "ended b");
    assert_eq!((stopped, told[0].as_str()), (false, "kept a"));
}

#[test]
fn another_seed_and_a_broken_file_are_measured_again() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", good)];
    runs(&plan(&studies, folder.path(), 7), "");
    let (entries, _, told) = runs(&plan(&studies, folder.path(), 8), "");
    assert_eq!(told[0], "stale a: its seed is 7, here it is 8");
    assert_eq!(number(&entries[0]), TableCell::Number(8.0));
    for broken in ["", "{}", "null", "[1", "\0"] {
        std::fs::write(folder.path().join("a.json"), broken).unwrap();
        let (entries, _, told) = runs(&plan(&studies, folder.path(), 8), "");
        assert!(told[0].starts_with("stale a: it is not a part"), "{told:?}");
        assert!(entries[0].part().is_some());
    }
    let (_, _, told) = runs(&plan(&studies, folder.path(), 8), "");
    assert_eq!(told, ["kept a"]);
    let fresh = Plan { fresh: true, ..plan(&studies, folder.path(), 8) };
    assert_eq!(runs(&fresh, "").2, ["begun a", "ended a"]);
}

#[test]
fn a_fresh_run_that_is_stopped_does_not_bring_back_the_old_one() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", good), study("b", good)];
    runs(&plan(&studies, folder.path(), 7), "");
    let fresh = Plan { fresh: true, ..plan(&studies, folder.path(), 7) };
    runs(&fresh, "ended a");
    assert_eq!(runs(&plan(&studies, folder.path(), 7), "").2[..2], ["kept a", "begun b"]);
}

#[test]
fn numbers_that_json_has_not_come_back_as_words() {
    let folder = TempDir::new().unwrap();
    let studies = [study("a", not_finite)];
    let (entries, ..) = runs(&plan(&studies, folder.path(), 7), "");
    assert_eq!(number(&entries[0]), TableCell::Text("NaN".into()));
    let (again, ..) = runs(&plan(&studies, folder.path(), 7), "");
    assert_eq!(entries[0].record, again[0].record);
}

#[test]
fn a_lost_device_is_opened_again_and_told_where_it_cannot_be() {
    let studies = [study("a", lost), study("b", good), study("c", good)];
    let made = Cell::new(0);
    let fails = Cell::new(false);
    let make = || {
        made.set(made.get() + 1);
        if fails.get() && made.get() > 1 { Err(gl::Error::NoLibrary) } else { context() }
    };
    let kinds = |fail: bool| -> Vec<Option<String>> {
        let folder = TempDir::new().unwrap();
        made.set(0);
        fails.set(fail);
        let plan = plan(&studies, folder.path(), 7);
        let (entries, _) = run(&plan, &make, &mut |_| Control::Continue).unwrap();
        let failure = |entry: &Entry| entry.record.as_ref().unwrap().failure.clone();
        entries.iter().map(|entry| failure(entry).map(|failure| failure.kind)).collect()
    };
    assert_eq!(kinds(false), [Some("the device was lost".into()), None, None]);
    assert_eq!(made.get(), 2);
    let no_device = Some("no device".to_owned());
    assert_eq!(kinds(true), [Some("the device was lost".into()), no_device.clone(), no_device]);
}

#[test]
fn a_part_that_cannot_be_written_ends_the_run() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("a.json")).unwrap();
    let studies = [study("a", good)];
    let told = RefCell::new(0);
    let plan = plan(&studies, folder.path(), 7);
    let run = run(&plan, &context, &mut |_| {
        *told.borrow_mut() += 1;
        Control::Continue
    });
    let text = run.unwrap_err().to_string();
    assert!(text.contains("a.json") && text.contains("cannot write it"), "{text}");
}

#[test]
fn the_card_has_its_tables() {
    let context = Context::headless().unwrap();
    let study = quadrille_papers::studies().into_iter().find(|study| study.id == "card").unwrap();
    let mut watched = ();
    let mut lab =
        Lab::new(&context, Scale::Quick, 1, std::time::Duration::from_secs(600), &mut watched);
    let part = (study.run)(&mut lab).unwrap();
    let ids: Vec<_> = part.tables.iter().map(|table| table.id.as_str()).collect();
    assert_eq!(ids, ["card-verdicts", "card-accuracy"]);
    for table in &part.tables {
        assert!(!table.rows.is_empty(), "{}", table.id);
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.id);
    }
    let mut over = Lab::new(&context, Scale::Quick, 1, std::time::Duration::ZERO, &mut watched);
    let none = (study.run)(&mut over).unwrap();
    assert!(
        none.left_out.iter().any(|text| text.contains("its time did not suffice")),
        "{:?}",
        none.left_out
    );
}
