//! `quadrille bench`: its tables at small sizes.

use quadrille::internal::reference::is_near;
use std::time::Duration;

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
fn the_jacobi_bench_prints_the_papers_numbers_beside_ours() {
    let run = Folder::new().run("bench jacobi --sizes 4096 --runs 1 --layouts red,rgba").ended(0);
    for text in ["5900U", "6800", "neighbours", "cpu-loop", "cpu-bands", " 451 ", "interquartile"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn the_matmul_table_has_every_method_and_the_library() {
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
        assert_eq!(row["peak_percent"].is_number(), row["engine"] != "host");
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
    let run = Folder::new().run("bench matmul --size 32 --runs 1 --mapping-sweep").ended(0);
    for text in ["sp at 32: the best mapping is", "times as fast as the worst", "Peaks in this run"]
    {
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
fn the_device_table_answers_what_was_asked_and_is_drawn() {
    let folder = Folder::new();
    let arguments = "bench device --quick --probes mad,pass,precision --plot figures.svg --json";
    let run = folder.run(arguments).ended(0);
    let json = run.json();
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    let rows = json["rows"].as_array().unwrap();
    for row in rows {
        let (probe, unit) = (row["probe"].as_str().unwrap(), row["unit"].as_str().unwrap());
        assert!(
            [("mad", "GFLOPS"), ("pass", "us/pass"), ("precision", "ULP")].contains(&(probe, unit))
        );
        assert!(["fragment", "compute"].contains(&row["engine"].as_str().unwrap()));
        assert!(!row["variant"].as_str().unwrap().is_empty());
        assert!(row["rate"].as_f64().unwrap() > 0.0);
        assert_eq!(row["median_ms"].as_f64().unwrap() > 0.0, probe != "precision");
        assert!(row["spread_ms"].as_f64().unwrap() >= 0.0);
        assert_eq!(row["right"], true, "{row}");
    }
    for probe in ["mad", "pass", "precision"] {
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
    let run = folder.run("bench device --quick --probes pass,output --api gles").ended(0);
    for text in ["us/pass", "one after the other", "8 x RGBA32F", "GB/s", "interquartile"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn a_figure_that_cannot_be_is_refused_before_the_work() {
    let cases = [
        ("--plot figures.png", "expected a name ending in .svg, got .png"),
        ("--plot nowhere/figures.svg", "its folder does not exist"),
        ("--plot figures.svg --probes pass", "--plot draws the probes mad and fetch"),
        ("--quick --runs 3", "cannot be used with"),
    ];
    for (arguments, text) in cases {
        let folder = Folder::new();
        let begun = std::time::Instant::now();
        let run = folder.run(&format!("bench device {arguments}")).ended(2);
        run.says(text);
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert!(run.out.is_empty() && folder.names().is_empty());
    }
}

#[test]
fn ctrl_c_ends_a_bench_with_what_is_finished() {
    stopped("bench jacobi --sizes 100,4096 --runs 1000 --json");
    stopped("bench matmul --size 64 --methods serial --type int --runs 1000 --json");
}

fn stopped(arguments: &str) {
    let folder = Folder::new();
    let child = folder.start(arguments);
    std::thread::sleep(Duration::from_secs(2));
    child.send(Signal::SIGINT);
    let run = finish(child).ended(130);
    // A busy machine may not have begun, and then there is nothing to print.
    if !run.out.is_empty() {
        assert_eq!(run.json()["stopped"], true);
        run.says("error: stopped by Ctrl-C");
    }
}

/// The vector bench, small; `more` is added to it.
fn vector(more: &str) -> Value {
    let small = "bench vector --sizes 100,1000 --muls-size 500 --runs 2 --matmul-sizes 5,40 --json";
    Folder::new().run(&format!("{small} {more}")).ended(0).json()
}

fn of<'a>(rows: &'a Value, key: &str, value: &str) -> Vec<&'a Value> {
    rows.as_array().unwrap().iter().filter(|row| row[key] == value).collect()
}

#[test]
fn the_vector_bench_has_every_engine_and_the_simulator_once() {
    let json = vector("--matmul-limit 40");
    assert_eq!((&json["stopped"], &json["skipped"]), (&false.into(), &Value::Array(vec![])));
    let rows = json["rows"].as_array().unwrap();
    // Three programs at two sizes, twelve counts of opcodes; the CPU's and four engines' of each, and the
    // simulator's.
    assert_eq!(rows.len(), 5 * (3 * 2 + 12) + 3);
    assert_eq!(of(&json["rows"], "engine", "simulator").len(), 3);
    assert!(of(&json["rows"], "engine", "simulator").iter().all(|row| row["n"] == 100));
    for row in rows {
        let on_host = row["engine"] == "cpu" || row["engine"] == "simulator";
        for key in ["upload_ms", "readback_ms"] {
            assert_eq!(row[key].is_null(), on_host, "{row}");
        }
        let time = |key: &str| row[key].as_f64().unwrap_or(0.0);
        assert!(
            time("compute_ms") > 0.0 && time("first_ms") > 0.0 && time("total_ms") > 0.0,
            "{row}"
        );
        assert_eq!((&row["right"], &row["runs"]), (&true.into(), &2.into()), "{row}");
        // Rounding is seen where there is any, and stays within its bound.
        let rounds = row["program"] != "factorial";
        let of_bound = row["of_bound"].as_f64().unwrap();
        assert_eq!(of_bound > 0.0, rounds, "{row}");
        assert!(of_bound < 1.0);
    }
}

#[test]
fn the_vector_bench_splits_time_and_judges_the_paper() {
    let json = vector("--matmul-limit 40 --engines vertex,fragment");
    let growth = json["growth"].as_array().unwrap();
    let engines: Vec<&str> = growth.iter().map(|g| g["engine"].as_str().unwrap()).collect();
    assert_eq!(engines, ["cpu", "vertex", "fragment"]);
    for growth in growth {
        assert_eq!((&growth["opcodes"][0], &growth["opcodes"][1]), (&10.into(), &120.into()));
        assert_eq!((&growth["opcodes_times"], &growth["n"]), (&12.0.into(), &500.into()));
        let times =
            growth["total_ms"][1].as_f64().unwrap() / growth["total_ms"][0].as_f64().unwrap();
        assert!(is_near(growth["total_times"].as_f64().unwrap(), times, 1e-9));
        assert!(growth["fixed_ms"].is_number() && growth["per_opcode_ms"].is_number());
        let expected = match (growth["engine"].as_str(), times <= 4.5) {
            (Some("cpu"), _) => Value::Null,
            (_, true) => "confirmed".into(),
            (_, false) => "contradicted".into(),
        };
        assert_eq!((&growth["finding"], &growth["most_times"]), (&expected, &4.5.into()));
    }
    let retrieval = json["retrieval"].as_array().unwrap();
    assert_eq!(retrieval.len(), 2);
    for row in retrieval {
        assert_eq!((&row["n"], &row["as_document"]), (&500.into(), &false.into()));
        assert_eq!(row["document_total_ms"], 140.0);
        let share = row["readback_share"].as_f64().unwrap();
        assert!(share > 0.0 && share < 1.0, "{row}");
    }
}

#[test]
fn products_beyond_the_limit_are_extrapolated() {
    let json = vector("--matmul-limit 5 --engines fragment,simulator");
    let products = json["products"].as_array().unwrap();
    assert_eq!(products.len(), 2 * (1 + 2));
    for product in products {
        let (n, on_device) = (product["n"].as_u64().unwrap(), product["engine"] != "cpu");
        assert_eq!(product["extrapolated"], on_device && n == 40, "{product}");
        assert_eq!(product["fold"].is_null(), !on_device);
        assert_eq!(product["speedup"].is_number(), on_device);
        assert_eq!(product["right"], true);
        if on_device {
            // 26 rows of 40 hold a sample.
            assert_eq!(product["calls"], if n == 40 { 26 * 40 } else { 25 });
        }
    }
}

#[test]
fn the_vector_bench_prints_the_papers_numbers_beside_ours() {
    let folder = Folder::new();
    let arguments = "bench vector --sizes 10000 --muls-size 100 --runs 1 --matmul-sizes 8 \
                     --engines fragment --plot v.svg";
    let run = folder.run(arguments).ended(0);
    for text in [
        "Table 4",
        "arithmetic",
        "exponents",
        "factorial",
        "Figure 5",
        "opcode [us]",
        "confirmed: at most about 3 times here, up to 4.5",
        "may be negative",
        "Branch prediction",
        "Table 5",
        "140 ms, of which 30 ms",
        "Figure 6",
        "3.2 times at size",
        "readback",
    ] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let figure = std::fs::read_to_string(folder.file("v.svg")).unwrap();
    for text in ["Figure 4", "Figure 5", "Figure 6", "paper, GPU", "fragment"] {
        assert!(figure.contains(text), "{text}");
    }
}

#[test]
fn a_vector_bench_that_makes_no_sense_is_refused() {
    for (arguments, words) in [
        ("--engines gpu", "unknown engine `gpu`"),
        ("--sizes 0", "0 is not in 1.."),
        ("--runs 0", "0 is not in 1.."),
        ("--plot v.png", "expected a name ending in .svg"),
    ] {
        let run = Folder::new().run(&format!("bench vector {arguments}")).ended(2);
        run.says(words);
        assert_eq!(run.out, "");
    }
}
