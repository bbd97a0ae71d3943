//! `quadrille tune`: what it finds, keeps, and what then is taken.

use std::process::{Command, Stdio};

use crate::runner::{Folder, path};
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::io::npy;
use quadrille::linalg::matmul::Options;
use serde_json::Value;

fn entries(folder: &Folder, arguments: &str) -> Vec<Value> {
    let json = folder.run(&format!("tune --json {arguments}")).ended(0).json();
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    assert!(json["file"].as_str().unwrap().ends_with(&path("cache/tuned.json")));
    assert_eq!((&json["stopped"], &json["dropped"]), (&false.into(), &serde_json::json!([])));
    json["entries"].as_array().unwrap().clone()
}

/// The method that is taken where none is named.
fn auto(folder: &Folder, n: usize) -> Value {
    for name in ["a.npy", "b.npy"] {
        let matrix = Matrix::<f32>::random(Shape::new(n, n), 1).unwrap();
        npy::write_matrix(folder.file(name), &matrix).unwrap();
    }
    folder.run("matmul a.npy b.npy --check --json").ended(0).json()
}

#[test]
fn what_was_tuned_is_kept_and_taken() {
    let folder = Folder::new();
    let found = entries(&folder, "--operation matmul --size 48,24 --budget 2");
    let sizes: Vec<&Value> = found.iter().map(|entry| &entry["size"]).collect();
    assert_eq!(sizes, [24, 48]);
    for entry in &found {
        assert_eq!(entry["kept"], false);
        assert!(entry["gflops"].as_f64().unwrap() > 0.0);
        let options: Options = entry["choice"].as_str().unwrap().parse().unwrap();
        let n = entry["size"].as_u64().unwrap() as usize;
        assert_eq!(auto(&folder, n)["method"], options.method.unwrap().name());
    }
    let again = entries(&folder, "--operation matmul --size 24,48");
    assert!(again.iter().all(|entry| entry["kept"] == true));
    assert_eq!(again[0]["choice"], found[0]["choice"]);
    assert_eq!(
        entries(&folder, "--operation matmul --size 24 --budget 0 --force")[0]["kept"],
        false
    );
    let run = folder.run("tune --operation matmul --size 24").ended(0);
    for text in ["from an earlier run", "--force", "tuned.json"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

/// Tunes in no time: each operation has its default, and the ways left untried are reported.
#[test]
fn every_operation_is_tuned_within_the_budget_and_the_ratios_are_told() {
    let folder = Folder::new();
    let json = folder.run("tune --size 16 --budget 0 --json").ended(0).json();
    assert_eq!((&json["saved"], &json["budget_s"]), (&true.into(), &0.into()));
    let found = json["entries"].as_array().unwrap();
    let names: Vec<&Value> = found.iter().map(|entry| &entry["operation"]).collect();
    assert_eq!(names, ["blas1", "reduce", "vector", "jacobi", "matmul", "fft"]);
    let sizes: Vec<&Value> = found.iter().map(|entry| &entry["size"]).collect();
    assert_eq!(sizes, [1024, 1024, 1024, 256, 16, 256]);
    for entry in found {
        assert_eq!((&entry["choice"], &entry["over_default"]), (&entry["default"], &1.0.into()));
        assert_eq!(entry["measured"][0]["of_default"], 1.0);
        assert!(entry["untried"].as_u64().unwrap() > 0, "{entry}");
    }
    let run = folder.run("tune --size 16 --operation jacobi,blas1 --budget 0 --force").ended(0);
    for text in ["x default", "untried", "a budget of 0 s"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn a_planted_choice_is_what_jacobi_and_vp_run_and_a_corrupt_file_is_told_and_ignored() {
    let folder = Folder::new();
    folder.run("tune --size 16 --operation jacobi,vector --budget 0").ended(0);
    let file = folder.file("cache/tuned.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut content: Value = serde_json::from_str(&text).unwrap();
    for record in content["records"].as_array_mut().unwrap() {
        let jacobi = record["operation"] == "jacobi";
        record["choice"] = if jacobi { "red boundary fetch" } else { "compute 8x8" }.into();
    }
    std::fs::write(&file, content.to_string()).unwrap();
    let jacobi = || folder.run("jacobi --stencil heat9:12 --json");
    let solved = jacobi().ended(0).json();
    assert_eq!(
        [&solved["layout"], &solved["stage"], &solved["reads"]],
        ["red", "boundary", "fetch"]
    );
    npy::write(folder.file("x.npy"), &[4], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
    folder.write("double.vp", "ADD o[1], v[1], v[1];");
    let vp = || folder.run("vp double.vp --input x.npy --json");
    assert_eq!(vp().ended(0).json()["engine"], "compute");
    // Another device's choices are not for this one, and need no note.
    for record in content["records"].as_array_mut().unwrap() {
        record["driver"] = "another".into();
    }
    std::fs::write(&file, content.to_string()).unwrap();
    let usual = jacobi().ended(0);
    assert!(!usual.err.contains("tuned"), "{}", usual.err);
    assert_eq!(usual.json()["layout"], "packed");
    for (text, said) in [("{\"format\": 1", "EOF"), ("{\"format\": 9}", "format 9")] {
        std::fs::write(&file, text).unwrap();
        for run in [jacobi(), vp()] {
            let run = run.ended(0);
            run.says("note: nothing that was tuned is used: ");
            run.says(said);
        }
    }
}

#[test]
fn a_tuned_choice_goes_before_the_usual_one_unless_it_cannot_be_read() {
    let folder = Folder::new();
    entries(&folder, "--operation matmul --size 24 --budget 0");
    let file = folder.file("cache/tuned.json");
    let mut content: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let mut tuned_to = |choice: &str| {
        content["records"][0]["choice"] = choice.into();
        std::fs::write(&file, content.to_string()).unwrap();
        auto(&folder, 24)
    };
    let json = tuned_to("cp unroll=2 padding=1");
    assert_eq!(json["method"], "cp");
    for option in ["unroll=2 ", "padding=1 b=transposed"] {
        assert!(json["options"].as_str().unwrap().contains(option), "{json}");
    }
    for unusable in ["a-method-of-tomorrow", "cp cell=2x2", "auto"] {
        assert_ne!(tuned_to(unusable)["method"], "cp", "{unusable}");
    }
    let padded = folder.run("matmul a.npy b.npy --padding 3 --json").ended(0).json();
    assert!(padded["options"].as_str().unwrap().contains("padding=3"));
}

/// The shell's limit stands for a disk that is full: an empty file can be made, and no byte written
/// to it.
#[test]
fn what_was_found_is_said_even_if_it_cannot_be_kept() {
    let folder = Folder::new();
    let tune = |options: &str| {
        let quadrille = env!("CARGO_BIN_EXE_quadrille");
        let script = format!(
            "trap '' XFSZ; ulimit -f 0; exec {quadrille} tune --operation blas1 --size 8 --budget 0 {options}"
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path());
        let command = folder.command("");
        shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        crate::runner::finish(shell.spawn().unwrap())
    };
    let run = tune("").ended(2);
    run.says("tuned.json: cannot write it");
    assert!(run.out.contains("GFLOPS") && run.out.contains("Not written to "), "{}", run.out);
    let json = tune("--json").ended(2).json();
    assert_eq!(
        (&json["saved"], json["entries"].as_array().map(Vec::len)),
        (&false.into(), Some(1))
    );
}

#[test]
fn a_file_that_cannot_be_kept_is_refused_before_the_work() {
    let folder = Folder::new();
    std::fs::create_dir(folder.file("cache")).unwrap();
    folder.write("cache/tuned.json", "not ours");
    folder.run("tune --size 24 --budget 0").ended(2).says("tuned.json");
    assert_eq!(std::fs::read_to_string(folder.file("cache/tuned.json")).unwrap(), "not ours");
    assert_eq!(auto(&folder, 8)["right"], true);
    folder.run("matmul a.npy b.npy --json").ended(0).says("note: ");
    let occupied = Folder::new();
    occupied.write("cache", "a file");
    occupied.run("tune --size 24 --budget 0").ended(2).says("cannot write it");
}
