//! `quadrille bench vector`: its rows, its growth and its products.

use quadrille::internal::reference::is_near;
use serde_json::Value;

use crate::common::is_thorough;
use crate::runner::Folder;

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
    if !is_thorough() {
        return; // Its programs take a driver long.
    }
    let json = vector("--matmul-limit 40");
    assert_eq!((&json["stopped"], &json["skipped"]), (&false.into(), &Value::Array(vec![])));
    let rows = json["rows"].as_array().unwrap();
    // Three programs at two sizes, twelve counts of opcodes; the CPU's and five engines' of each,
    // the simulator's, and a loop by lanes for exponents and muls.
    assert_eq!(rows.len(), 6 * (3 * 2 + 12) + 3 + 2 + 12);
    assert_eq!(of(&json["rows"], "engine", "simulator").len(), 3);
    assert!(of(&json["rows"], "engine", "simulator").iter().all(|row| row["n"] == 100));
    for row in rows {
        let on_host =
            ["cpu", "cpu-lanes", "simulator"].iter().any(|engine| row["engine"] == *engine);
        for key in ["upload_ms", "readback_ms"] {
            assert_eq!(row[key].is_null(), on_host, "{row}");
        }
        let time = |key: &str| row[key].as_f64().unwrap_or(0.0);
        for key in ["compute_ms", "first_ms", "total_ms"] {
            assert!(time(key) > 0.0, "{row}");
        }
        let chained = !on_host && row["program"] != "muls";
        assert_eq!(time("chain_ms") > 0.0, chained, "{row}");
        assert_eq!((&row["right"], &row["runs"]), (&true.into(), &2.into()), "{row}");
        let same =
            |core: &&Value| ["program", "opcodes", "n"].iter().all(|key| core[key] == row[key]);
        let of_core = rows.iter().find(|core| core["engine"] == "cpu" && same(core));
        let speedup = of_core.unwrap()["total_ms"].as_f64().unwrap() / time("total_ms");
        match row["speedup"].as_f64() {
            Some(times) => assert!(is_near(times, speedup, 1e-9), "{row}"),
            None => assert_eq!(row["engine"], "cpu"),
        }
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
    assert_eq!(engines, ["cpu", "cpu-lanes", "vertex", "fragment"]);
    for growth in growth {
        assert_eq!((&growth["opcodes"][0], &growth["opcodes"][1]), (&10.into(), &120.into()));
        assert_eq!((&growth["opcodes_times"], &growth["n"]), (&12.0.into(), &500.into()));
        let times =
            growth["total_ms"][1].as_f64().unwrap() / growth["total_ms"][0].as_f64().unwrap();
        assert!(is_near(growth["total_times"].as_f64().unwrap(), times, 1e-9));
        assert!(growth["fixed_ms"].is_number() && growth["per_opcode_ms"].is_number());
        let expected = match (growth["engine"].as_str(), times <= 4.5) {
            (Some("cpu" | "cpu-lanes"), _) => Value::Null,
            (_, true) => "confirmed".into(),
            (_, false) => "contradicted".into(),
        };
        // Two runs may scatter too much to tell.
        let open = growth["finding"] == "not measurable";
        assert!(open || growth["finding"] == expected, "{growth}");
        assert_eq!(growth["most_times"], 4.5);
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
