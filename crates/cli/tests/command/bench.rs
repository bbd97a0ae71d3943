//! `quadrille bench`: its tables at small sizes.

mod cluster;
mod history;
mod solve;
mod vector;

use quadrille::internal::reference::is_near;
use std::time::Duration;

use crate::common::is_thorough;
use crate::runner::{Folder, Signal, finish};
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
    let rows = rows("bench jacobi --sizes 4096 --runs 2 --json");
    assert_eq!(rows.len(), 4 * (4 * 2 + 1) + 2);
    for row in &rows {
        assert_eq!(row["n"], 4096);
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
    let document =
        |layout: &str| &rows.iter().find(|row| row["layout"] == layout).unwrap()["document"];
    assert_eq!(document("red")["5900U"], 451);
    assert_eq!(document("rgba")["6800"], 283);
    assert_eq!(document("packed"), &Value::Null);
}

#[test]
fn sizes_and_variants_can_be_chosen() {
    let rows = rows(
        "bench jacobi --sizes 100,1000 --runs 1 --layouts red --stages generic,boundary --reads fetch \
         --no-cpu --json",
    );
    let of = |row: &Value| (row["n"].as_u64().unwrap(), row["stage"].as_str().unwrap().to_owned());
    let expected = [(100, "generic"), (100, "boundary"), (1000, "generic"), (1000, "boundary")];
    let chosen: Vec<_> = rows.iter().map(of).collect();
    assert_eq!(chosen, expected.map(|(n, stage)| (n, stage.to_owned())));
    assert!(rows.iter().all(|row| row["document"].is_null()), "sizes that the paper lacks");
}

#[test]
fn a_table_without_a_row_is_refused() {
    let arguments = "bench jacobi --sizes 100 --stages compute --reads sample --no-cpu";
    let run = Folder::new().run(arguments).ended(2);
    assert!(run.err.contains("stage compute cannot read texels by sample"), "{}", run.err);
}

#[test]
fn the_jacobi_bench_prints_the_papers_numbers_beside_ours() {
    let run = Folder::new().run("bench jacobi --sizes 4096 --runs 1 --layouts red,rgba").ended(0);
    for text in ["5900U", "6800", "neighbours", "cpu-loop", "cpu-bands", " 451 ", "interquartile"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn the_matmul_table_has_every_method_and_the_library() {
    if !is_thorough() {
        return; // Its programs take a driver long.
    }
    let folder = Folder::new();
    let run = folder.run("bench matmul --size 32,64 --runs 2 --plot m.svg --json").ended(0);
    let json = run.json();
    for limit in ["fragment_mad_gflops", "compute_mad_gflops", "fetch_gb_s"] {
        assert!(json["limits"][limit].as_f64().unwrap() > 0.0, "{limit}");
    }
    let rows = json["rows"].as_array().unwrap();
    let skipped = json["skipped"].as_array().unwrap();
    assert_eq!((rows.len(), skipped.len()), (2 * 14 - 1, 1));
    assert_eq!((&skipped[0]["method"], &skipped[0]["n"]), (&"compute-simple".into(), &64.into()));
    for row in rows {
        assert_eq!((&row["right"], &row["runs"]), (&true.into(), &2.into()), "{row}");
        for key in ["median_ms", "gflops"] {
            assert!(row[key].as_f64().unwrap() > 0.0, "{row}");
        }
        for key in ["spread_ms", "setup_ms", "max_error"] {
            assert!(row[key].as_f64().unwrap() >= 0.0, "{row}");
        }
        let fragments = row["engine"] == "fragment";
        for key in ["bandwidth_percent", "predicted_ms", "registers"] {
            assert_eq!(row[key].is_number(), fragments, "{row}");
        }
        assert!(row["peak_percent"].as_f64().is_some_and(|percent| percent > 0.0), "{row}");
        assert_eq!(
            row["document_speedup"].is_number(),
            ["compute-tiled", "compute-shared"].contains(&row["method"].as_str().unwrap())
        );
    }
    let mads = |method: &str| {
        rows.iter().find(|row| row["method"] == method).unwrap()["mads_per_fetch"].as_f64().unwrap()
    };
    assert!(is_near(mads("cp"), 0.8, 1e-9));
    assert!(is_near(mads("sp"), 1.0, 1e-9));
    assert!(is_near(mads("block8x8"), 4.0, 1e-9));
    let figure = std::fs::read_to_string(folder.file("m.svg")).unwrap();
    for text in ["GFLOPS", "GB/s", "Percent of peak, n = 64", "block16x8", "gemm", "n = 32"] {
        assert!(figure.contains(text), "{text}");
    }
}

#[test]
fn matmul_contenders_can_be_chosen_with_their_options() {
    let folder = Folder::new();
    // Of integers, since floats have the device's peaks measured, which takes seconds.
    let mut command = folder.command("bench matmul --size 16 --runs 1 --type int --json --methods");
    let methods = "compute-shared,serial,element unroll=2 passes=4,element tile=8";
    let json = finish(command.arg(methods).spawn().unwrap()).ended(0).json();
    assert_eq!(methods_of(&json), ["compute-shared", "serial", "element", "element"]);
    let options = |at: usize| json["rows"][at]["options"].as_str().unwrap();
    assert!(options(2).contains("passes=4") && options(3).contains("tile=8x8"));
}

fn methods_of(json: &Value) -> Vec<&str> {
    json["rows"].as_array().unwrap().iter().map(|row| row["method"].as_str().unwrap()).collect()
}

#[test]
fn matmul_of_integers_has_no_peaks_and_no_error() {
    let run = Folder::new().run("bench matmul --size 16 --runs 1 --type short --json").ended(0);
    let json = run.json();
    let takes = ["serial", "element", "compute-simple", "compute-tiled", "compute-shared"];
    assert_eq!(methods_of(&json), takes);
    assert!(json["limits"].is_null());
    let rows = json["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["max_error"] == 0.0 && row["peak_percent"].is_null()));
}

#[test]
fn a_matmul_table_without_a_row_is_refused() {
    let refused = |arguments: &str, words: &str| {
        let run = Folder::new().run(&format!("bench matmul --size 64 {arguments}")).ended(2);
        assert!(run.err.contains(words), "{}", run.err);
    };
    refused("--methods fast", "unknown method `fast`: expected one of: serial");
    refused("--methods compute-simple --type int", "this device can run none of these methods");
    refused("--tile-sweep --methods serial", "serial has no tile at size 64");
    refused("--unroll-sweep --methods cp,gemm", "gemm has no unrolling at size 64");
    refused("--tile-sweep --unroll-sweep", "cannot be used with");
    refused("--plot m.png", "expected a name ending in .svg");
}

#[test]
fn a_sweep_keeps_the_other_options_and_refuses_its_own() {
    let swept = |methods: &str, code| {
        let folder = Folder::new();
        let mut command = folder.command("bench matmul --size 7 --runs 1 --type int --json");
        command.args(["--unroll-sweep", "--methods", methods]);
        finish(command.spawn().unwrap()).ended(code)
    };
    let json = swept("element reads=fetch passes=2", 0).json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let options = row["options"].as_str().unwrap();
        assert!(options.contains("reads=fetch") && options.contains("passes=2"), "{options}");
    }
    swept("element unroll=2", 2).says("`element unroll=2` names the unrolling that is swept");
}

#[test]
fn the_sweeps_end_with_what_the_option_makes_of_the_time() {
    let swept = |sweep: &str| {
        let sweep = format!("bench matmul --size 32 --runs 1 --type int --json --{sweep}");
        let json = Folder::new().run(&sweep).ended(0).json();
        let sweeps = json["sweeps"].as_array().unwrap();
        assert!(sweeps.iter().all(|swept| swept["ratio"].as_f64().unwrap() >= 1.0));
        (json["rows"].as_array().unwrap().len(), sweeps.len())
    };
    assert_eq!(swept("tile-sweep --methods element,compute-shared"), ((2 + 2 * 4) + 4, 2));
    assert_eq!(swept("unroll-sweep --methods element"), (6, 1));
    if !is_thorough() {
        return; // Floats have the device's peaks measured, which takes seconds; the table of all methods does it anyway.
    }
    let run =
        Folder::new().run("bench matmul --size 32 --runs 1 --mapping-sweep --methods sp").ended(0);
    for text in ["sp at 32: the best mapping is", "times as fast as the worst", "Peaks in this run"]
    {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn the_primitives_table_has_every_task_of_each_engine_and_checks() {
    let rows = rows("bench primitives --sizes 1025 --runs 2 --json");
    let units = [
        ("scan", "GB/s"),
        ("select", "GB/s"),
        ("sort", "G/s"),
        ("sort-16", "G/s"),
        ("argsort", "G/s"),
        ("histogram", "GB/s"),
        ("histogram-one", "GB/s"),
        ("fft", "G/s"),
        ("convolution", "GB/s"),
    ];
    let expected = units.iter().flat_map(|unit| ["fragment", "compute"].map(|e| (*unit, e)));
    assert_eq!(rows.len(), 2 * units.len());
    for (row, ((task, unit), engine)) in rows.iter().zip(expected) {
        let named = [&row["task"], &row["unit"], &row["engine"]].map(|name| name.as_str().unwrap());
        assert_eq!(named, [task, unit, engine]);
        assert!(row["rate"].as_f64().unwrap() > 0.0 && row["n"] == 1025);
        assert_eq!(row["right"], true, "{row}");
    }
    // In rows, and by passes of every radix.
    let folder = Folder::new();
    folder.run("bench primitives --sizes 1,2048,2520 --runs 1 --tasks fft,convolution").ended(0);
    Folder::new().run("bench primitives --engines vertex").ended(2).says("fragment, compute");
}

#[test]
fn the_stream_table_has_rates_units_and_checks() {
    if !is_thorough() {
        return; // Its programs take a driver long.
    }
    let folder = Folder::new();
    let run = folder.run("bench stream --sizes 4096,10007 --runs 2 --plot s.svg --json").ended(0);
    let json = run.json();
    let rows = json["rows"].as_array().unwrap();
    let by_engines = [
        "copy",
        "scal",
        "saxpy",
        "axpby",
        "rot",
        "map",
        "scan",
        "sum",
        "dot",
        "norm",
        "nrm2",
        "asum",
        "iamax",
        "sum-on-device",
        "dot-on-device",
        "nrm2-on-device",
        "asum-on-device",
    ];
    let engines = ["fragment", "compute"];
    let on_engines =
        by_engines.iter().flat_map(|operation| engines.map(|e| (*operation, e.into())));
    let transfers = ["upload", "readback", "readback-later", "upload-staging", "readback-staging"]
        .map(|o| (o, Value::Null));
    let expected: Vec<(&str, Value)> = on_engines.chain(transfers).collect();
    assert_eq!(rows.len(), 2 * expected.len() + 3);
    for (row, (operation, engine)) in rows.iter().zip(expected.iter().cycle()) {
        if let Some(fixed) = ["swap", "dispatch", "pass"].iter().find(|o| row["operation"] == **o) {
            assert_eq!(row["unit"], format!("us/{fixed}"));
        } else {
            assert_eq!((&row["operation"], &row["unit"]), (&(*operation).into(), &"GB/s".into()));
            assert_eq!(&row["engine"], engine, "{row}");
            assert_eq!(row["copy_percent"].is_null(), engine.is_null(), "{row}");
            assert!(row["n"].as_u64().unwrap() >= 4096);
        }
        assert!(row["rate"].as_f64().unwrap() > 0.0);
        assert!(row["median_ms"].as_f64().unwrap() > 0.0);
        assert!(row["spread_ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(row["right"], true, "{row}");
    }
    let copies = rows.iter().filter(|row| row["operation"] == "copy" && row["n"] == rows[0]["n"]);
    let shares: Vec<f64> = copies.map(|row| row["copy_percent"].as_f64().unwrap()).collect();
    assert_eq!(shares.iter().copied().fold(0.0, f64::max), 100.0);
    assert_eq!(rows.last().unwrap()["operation"], "pass");
    let figure = std::fs::read_to_string(folder.file("s.svg")).unwrap();
    for text in [
        "reductions, fragment engine",
        "operations on vectors, compute engine",
        "reductions left on the device, compute engine",
        "nrm2",
    ] {
        assert!(figure.contains(text), "{text}");
    }
    assert!(figure.contains("transfers: llvmpipe") && figure.contains("readback-staging"));
    folder.run("bench stream --plot m.png").ended(2).says("expected a name ending in .svg");
    folder.run("bench stream --operations dott").ended(2).says("dot-on-device");
    let chosen =
        folder.run("bench stream --operations dot,swap --sizes 4096 --runs 1 --json").ended(0);
    let chosen = chosen.json();
    let names = chosen["rows"].as_array().unwrap().iter().map(|row| row["operation"].clone());
    assert!(names.eq(["dot", "dot", "swap"]));
}

#[test]
fn the_sparse_table_has_both_forms_of_grids_on_each_engine() {
    let rows = rows("bench sparse --sizes 400 --runs 1 --json");
    let of = |matrix: &str, form: &str| {
        rows.iter().filter(|row| row["matrix"] == matrix && row["form"] == form).count()
    };
    assert_eq!(
        (of("poisson5", "csr"), of("heat9", "nine-banded"), of("random16", "csr")),
        (2, 2, 2)
    );
    assert_eq!((rows.len(), of("power", "nine-banded")), (12, 0));
    for row in &rows {
        assert_eq!((&row["right"], &row["n"]), (&true.into(), &400.into()));
        assert!(row["rate"].as_f64().unwrap() > 0.0 && row["filling"].as_f64().unwrap() >= 1.0);
    }
    let error = Folder::new().run("bench sparse --matrices dense").ended(2);
    error.says("expected one of: poisson5, heat9, random16, power");
}

#[test]
fn the_device_table_answers_what_was_asked_and_is_drawn() {
    let folder = Folder::new();
    let arguments = "bench device --quick --probes mad,branch,precision --plot figures.svg --json";
    let run = folder.run(arguments).ended(0);
    let json = run.json();
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    let rows = json["rows"].as_array().unwrap();
    for row in rows {
        let (probe, unit) = (row["probe"].as_str().unwrap(), row["unit"].as_str().unwrap());
        let units = [("mad", "GFLOPS"), ("branch", "GFLOPS"), ("precision", "ULP")];
        assert!(units.contains(&(probe, unit)), "{row}");
        assert!(["fragment", "compute"].contains(&row["engine"].as_str().unwrap()));
        assert!(!row["variant"].as_str().unwrap().is_empty());
        assert!(row["rate"].as_f64().unwrap() > 0.0);
        assert_eq!(row["median_ms"].as_f64().unwrap() > 0.0, probe != "precision");
        assert!(row["spread_ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(row["right"], true, "{row}");
    }
    for probe in ["mad", "branch", "precision"] {
        assert!(rows.iter().any(|row| row["probe"] == probe), "{probe}");
    }
    let figure = std::fs::read_to_string(folder.file("figures.svg")).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("Peak arithmetic rate"));
    assert!(!figure.contains("Observed bandwidth"), "fetches were not measured");
    assert_eq!(folder.names(), ["figures.svg"]);
}

#[test]
fn people_get_the_device_table_in_groups() {
    let folder = Folder::new();
    let run = folder.run("bench device --quick --probes branch,output --api gles").ended(0);
    for text in ["GFLOPS", "all take it", "8 x RGBA32F", "GB/s", "interquartile"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn a_figure_that_cannot_be_is_refused_before_the_work() {
    let cases = [
        ("--plot figures.png", "expected a name ending in .svg, got .png"),
        ("--plot nowhere/figures.svg", "its folder does not exist"),
        ("--plot figures.svg --probes branch", "--plot draws the probes mad and fetch"),
        ("--quick --runs 3", "cannot be used with"),
    ];
    for (arguments, text) in cases {
        let folder = Folder::new();
        let begun = std::time::Instant::now();
        let run = folder.run(&format!("bench device {arguments}")).ended(2);
        run.says(text);
        // The work takes minutes; a program starts in seconds on a busy machine, under wine in more.
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert!(run.out.is_empty() && folder.names().is_empty());
    }
}

#[test]
fn ctrl_c_ends_a_bench_with_what_is_finished() {
    stopped("bench jacobi --sizes 100,4096 --runs 1000 --json");
    stopped("bench matmul --size 64 --methods serial --type int --runs 1000 --json");
    // Within a solution.
    stopped("bench solve --systems poisson5 --sizes 511 --methods jacobi --limit 60 --json");
}

fn stopped(arguments: &str) {
    let folder = Folder::new();
    let child = folder.start(arguments);
    std::thread::sleep(Duration::from_secs(1));
    child.send(Signal::SIGINT);
    let run = finish(child).ended(130);
    // A busy machine may not have begun, and then there is nothing to print.
    if !run.out.is_empty() {
        assert_eq!(run.json()["stopped"], true);
        run.says("error: stopped by Ctrl-C");
    }
}
