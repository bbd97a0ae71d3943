//! `quadrille bench solve`: its rows, its figure, what it leaves out and what it refuses.

use quadrille::internal::reference::is_near;
use serde_json::Value;

use crate::runner::Folder;

/// Solvers of the host are in builds with a feature alone.
const HOST: &[&str] = if cfg!(feature = "host-solvers") { &["cholesky", "host-cg"] } else { &[] };

fn names(rows: &Value) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row["method"].as_str().unwrap()).collect()
}

#[test]
fn the_solve_table_has_checked_rows_and_a_figure() {
    let folder = Folder::new();
    let arguments =
        "bench solve --systems fe9:anisotropy=0.1 --sizes 17x11 --runs 1 --plot r.svg --json";
    let json = folder.run(arguments).ended(0).json();
    assert_eq!((&json["stopped"], &json["skipped"]), (&false.into(), &Value::Array(vec![])));
    assert_eq!(json["host_solvers"], !HOST.is_empty());
    assert_eq!(names(&json["rows"]), [&["cg", "multigrid", "mgcg"], HOST].concat());
    for row in json["rows"].as_array().unwrap() {
        assert_eq!(row["system"], "fe9:17x11:anisotropy=0.1");
        assert_eq!((&row["n"], &row["runs"]), (&187.into(), &1.into()));
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!(number("residual") <= 1e-8 && number("error") < 1e-6, "{row}");
        assert_eq!((&row["right"], &row["converged"]), (&true.into(), &true.into()), "{row}");
        assert!(number("setup_ms") > 0.0 && number("solve_ms") > 0.0, "{row}");
        assert!(is_near(number("median_ms"), number("setup_ms") + number("solve_ms"), 1e-6));
        let multigrid = row["method"].as_str().is_some_and(|method| method.starts_with("m"));
        assert_eq!(row["smoother"].is_string() && row["levels"].is_u64(), multigrid, "{row}");
        assert_eq!(row["iterations"].is_null(), row["method"] == "cholesky", "{row}");
        if let Some(count) = row["iterations"].as_f64() {
            let factor = number("convergence_factor");
            assert!(is_near(factor.powf(count), number("residual"), 1e-6 * number("residual")));
        }
    }
    assert_eq!(names(&json["histories"]), ["jacobi", "cg", "multigrid", "mgcg"]);
    for history in json["histories"].as_array().unwrap() {
        let list = |key: &str| -> Vec<f64> {
            history[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let (seconds, residuals) = (list("seconds"), list("residuals"));
        assert!(seconds.is_sorted() && seconds[0] > 0.0, "{history}");
        assert_eq!((residuals[0], list("iterations")[0]), (1.0, 0.0));
        assert_eq!(seconds.len(), residuals.len());
        let converged = residuals.last().unwrap() <= &1e-8;
        assert_eq!(history["converged"], converged);
        assert!(converged || history["method"] == "jacobi", "{history}");
    }
    let figure = std::fs::read_to_string(folder.file("r.svg")).unwrap();
    for text in ["Residual over time, fe9:17x11", "seconds", "log10", "mgcg", "jacobi", "llvmpipe"]
    {
        assert!(figure.contains(text), "{text}");
    }
}

#[test]
fn what_is_not_fit_or_too_slow_is_told() {
    let folder = Folder::new();
    let unfit = "bench solve --systems convection --sizes 9 --runs 1 --methods cg,mgbicgstab \
                 --smoothers jacobi,line-jacobi";
    let run = folder.run(unfit).ended(0);
    run.says("note: left out cg for convection:9: cg needs a symmetric matrix");
    for text in [
        "convection:9",
        "mgbicgstab",
        "line-jacobi",
        "setup [ms]",
        "first setup",
        "factor",
        "interquartile",
    ] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    assert_eq!(run.out.contains("--help"), HOST.is_empty(), "{}", run.out);
    let slow = "bench solve --systems poisson5 --sizes 127 --methods jacobi --limit 1 --json";
    let json = folder.run(slow).ended(0).json();
    let row = &json["rows"][0];
    assert_eq!((&row["ending"], &row["converged"]), (&"time limit".into(), &false.into()));
    assert_eq!((&row["runs"], &row["right"]), (&1.into(), &true.into()));
    assert!(row["residual"].as_f64().unwrap() > 1e-8 && row["median_ms"].as_f64().unwrap() > 900.0);
}

#[test]
fn a_solve_bench_that_makes_no_sense_is_refused() {
    for (arguments, words) in [
        ("--systems poisson", "unknown stencil `poisson`"),
        ("--sizes 255,12x", "got `12x`"),
        ("--methods cg,mg", "unknown method `mg`: expected one of: jacobi"),
        ("--smoothers sor", "unknown smoother `sor`"),
        ("--tolerance nan", "the tolerance must be 0 or more"),
        ("--limit 0", "0 is not in 1.."),
        ("--runs 0", "0 is not in 1.."),
        ("--plot r.png", "expected a name ending in .svg"),
    ] {
        let run = Folder::new().run(&format!("bench solve {arguments}")).ended(2);
        run.says(words);
        assert_eq!(run.out, "");
    }
    if HOST.is_empty() {
        let run = Folder::new().run("bench solve --methods lu").ended(2);
        run.says("no host solvers, and `lu` is one");
        run.says("help: install them by");
    }
}
