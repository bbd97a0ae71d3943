//! `quadrille bench`: its tables at small sizes.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cli_common;

use std::process::Command;
use std::time::Duration;

use cli_common::{Folder, finish};
use serde_json::Value;

fn rows(arguments: &str) -> Vec<Value> {
    let run = Folder::new().run(arguments).ended(0);
    let json = run.json();
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    assert_eq!(json["stopped"], false);
    json["rows"].as_array().unwrap().clone()
}

#[test]
fn the_jacobi_table_has_every_variant_and_the_cpu() {
    let rows = rows("bench jacobi --sizes 4096,1000 --runs 2 --json");
    assert_eq!(rows.len(), 2 * (4 * (4 * 2 + 1) + 2));
    for row in &rows {
        assert!(row["n"] == 4096 || row["n"] == 1000);
        let cpu = row["layout"].as_str().unwrap().starts_with("cpu-");
        assert_eq!(row["stage"].is_null(), cpu);
        assert_eq!(row["reads"].is_null(), cpu);
        assert!(cpu || row["reads"] == "fetch" || row["reads"] == "sample");
        assert!(row["median_ms"].as_f64().unwrap() > 0.0);
        assert!(row["spread_ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(row["runs"], 2);
        assert!(row["mflops"].as_f64().unwrap() > 0.0);
        let error = row["max_error"].as_f64().unwrap();
        assert!(error > 0.0 && error < 1e-5, "{row}");
        assert_eq!(row["right"], true);
    }
    let document = |n: u64, layout: &str| {
        rows.iter().find(|row| row["n"] == n && row["layout"] == layout).unwrap()["document"]
            .clone()
    };
    assert_eq!(document(4096, "red")["5900U"], 451);
    assert_eq!(document(4096, "rgba")["6800"], 283);
    assert_eq!(document(4096, "packed"), Value::Null);
    assert_eq!(document(1000, "red"), Value::Null);
}

#[test]
fn variants_can_be_chosen() {
    let rows = rows(
        "bench jacobi --sizes 100 --runs 1 --layouts red --stages generic,boundary --reads fetch \
         --no-cpu --json",
    );
    let stages: Vec<_> = rows.iter().map(|row| row["stage"].as_str().unwrap()).collect();
    assert_eq!(stages, ["generic", "boundary"]);
}

#[test]
fn a_table_without_a_row_is_refused() {
    let arguments = "bench jacobi --sizes 100 --stages compute --reads sample --no-cpu";
    let run = Folder::new().run(arguments).ended(2);
    assert!(run.err.contains("stage compute cannot read texels by sample"), "{}", run.err);
}

#[test]
fn people_get_the_documents_figures_beside_ours() {
    let run = Folder::new().run("bench jacobi --sizes 4096 --runs 1 --layouts red,rgba").ended(0);
    for text in ["5900U", "6800", "neighbours", "cpu-loop", "cpu-bands", " 451 ", "interquartile"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn the_stream_table_has_rates_units_and_checks() {
    let rows = rows("bench stream --sizes 4096,10007 --runs 2 --json");
    let operations = ["saxpy", "sum", "dot", "norm", "upload", "readback", "readback-later"];
    assert_eq!(rows.len(), 2 * operations.len() + 1);
    for (row, operation) in rows.iter().zip(operations.iter().cycle()) {
        if row["operation"] == "pass" {
            assert_eq!(row["unit"], "us/pass");
        } else {
            assert_eq!((&row["operation"], &row["unit"]), (&(*operation).into(), &"GB/s".into()));
            assert!(row["n"].as_u64().unwrap() >= 4096);
        }
        assert!(row["rate"].as_f64().unwrap() > 0.0);
        assert!(row["median_ms"].as_f64().unwrap() > 0.0);
        assert!(row["spread_ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(row["right"], true, "{row}");
    }
    assert_eq!(rows.last().unwrap()["operation"], "pass");
}

#[test]
fn ctrl_c_ends_a_bench_with_what_is_finished() {
    let folder = Folder::new();
    let child = folder.command("bench jacobi --sizes 100,4096 --runs 1000 --json").spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let run = finish(child).ended(130);
    // A busy machine may not have begun, and then there is nothing to print.
    if !run.out.is_empty() {
        assert_eq!(run.json()["stopped"], true);
        run.says("error: stopped by Ctrl-C");
    }
}
