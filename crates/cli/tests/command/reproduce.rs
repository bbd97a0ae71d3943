//! `quadrille reproduce`: the folder it leaves, and how it goes on where it was stopped.

use std::io::{BufRead, BufReader};

use crate::runner::{Folder, Run, Signal, finish, path};

const ONE: &str = "reproduce --quick --only device-proofs";
/// A study that ends at once, and one that takes a second, so that a signal meets it. Neither has
/// claims to repeat it for.
const BOTH: &str = "reproduce --quick --only vectors-programs --only vectors-wishes --output r";

#[test]
fn a_report_is_a_page_an_object_and_their_numbers() {
    let folder = Folder::new();
    let run = folder.run(&format!("{ONE} --json --seed 3")).ended(0);
    run.says("[1/1] device-proofs: ");
    let json = run.json();
    assert_eq!((&json["machine"]["seed"], &json["machine"]["scale"]), (&3.into(), &"quick".into()));
    assert!(json["machine"]["renderer"]["name"].as_str().unwrap().contains("llvmpipe"));
    for number in ["threads", "memory_gib"] {
        assert!(json["machine"][number].as_f64().unwrap() > 0.0, "{number}");
    }
    assert_eq!(json["tables"][0]["study"], "device-proofs");
    let rows = json["tables"][0]["rows"].as_array().unwrap();
    assert!(rows.len() >= 3 && rows.iter().all(|row| row[2].as_f64().unwrap() <= 1.0), "{rows:?}");
    let read =
        |name: &str| std::fs::read_to_string(folder.file("quadrille-report").join(name)).unwrap();
    let written: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(written, json);
    assert!(read("report.html").contains("Small computations compared with the CPU"));
    assert_eq!(read("numbers/device-proofs.csv").lines().count(), rows.len() + 1);

    let run = folder.run(&format!("{ONE} --seed 3")).ended(0);
    run.says("note: 1 of 1 parts are from ");
    assert!(run.out.contains(&path("quadrille-report/report.html")), "{}", run.out);
    let run = folder.run(&format!("{ONE} --seed 4")).ended(0);
    run.says("does not stand (its seed is 3, here it is 4): device-proofs");
    folder.run(&format!("{ONE} --seed 4 --fresh")).ended(0).says("[1/1] device-proofs: ");
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::new();
    folder.write("file", "mine");
    for output in ["file", "file/below", "/proc/nothing"] {
        let run = folder.run(&format!("{ONE} --output {output}")).ended(2);
        run.says("cannot write it");
        assert!(!run.err.contains("[1/1]"), "{}", run.err);
    }
    assert_eq!(std::fs::read_to_string(folder.file("file")).unwrap(), "mine");
    assert_eq!(folder.names(), ["file"]);
    folder.run("reproduce --quick --only no-such").ended(2).says("device-proofs");
    folder
        .run("reproduce jacobi --only device-proofs")
        .ended(2)
        .says("no such study; expected one of: ");
    folder.run("reproduce no-such").ended(2).says("vectors-2002");
    assert_eq!(folder.names(), ["file"]);
}

/// Ctrl-C as soon as the first study has ended.
fn interrupted(folder: &Folder) -> Run {
    let mut child = folder.start(&format!("{BOTH} --json"));
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("[1/2]") && err.read_line(&mut said).unwrap() > 0 {}
    child.send(Signal::SIGINT);
    std::io::Read::read_to_string(&mut err, &mut said).unwrap();
    Run { err: said, ..finish(child) }
}

#[test]
fn ctrl_c_leaves_a_report_and_the_next_run_goes_on_from_there() {
    let folder = Folder::new();
    let run = interrupted(&folder);
    assert_eq!(run.code, Some(130), "{}", run.err);
    run.says("stopped by Ctrl-C: 1 of 2 studies are done");
    run.says("quadrille reproduce --quick --only vectors-programs");
    let json = run.json();
    assert_eq!(
        (&json["finished"], &json["studies"][1]["date"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert_eq!(json["left_out"][0]["reason"], "not run yet");
    let page = std::fs::read_to_string(folder.file("r/report.html")).unwrap();
    assert!(page.contains("not run yet") && page.contains("is not finished"));

    let run = folder.run(&format!("{BOTH} --json")).ended(0);
    run.says("note: 1 of 2 parts are from ");
    run.says("[2/2] vectors-wishes");
    assert!(!run.err.contains("vectors-programs:"), "{}", run.err);
    let again = run.json();
    assert_eq!((&again["finished"], &again["studies"][0]["kept"]), (&true.into(), &true.into()));
    assert_eq!(again["tables"][0], json["tables"][0]);
}
