//! `quadrille sat`: what it prints, and how it ends.

use crate::runner::{Folder, Run, Signal, data, finish};
use quadrille::internal::reference::is_near;
use quadrille_vp::cnf::{dimacs, first_unsatisfied};
use serde_json::{Value, json};

fn run(file: &str, options: &str) -> Run {
    Folder::new().run(&format!("sat {} {options}", data(&format!("sat/{file}"))))
}

fn of_text(text: &str, options: &str) -> Run {
    let folder = Folder::new();
    folder.write("x.cnf", text);
    folder.run(&format!("sat x.cnf {options}"))
}

/// The model must hold in the file.
#[track_caller]
fn holds(file: &str, model: &[i64]) {
    let cnf = dimacs::read(data(&format!("sat/{file}"))).unwrap();
    let variables: Vec<i64> = model.iter().map(|literal| literal.abs()).collect();
    assert_eq!(variables, (1..=cnf.variables() as i64).collect::<Vec<_>>());
    let assignment: Vec<bool> = model.iter().map(|literal| *literal > 0).collect();
    assert_eq!(first_unsatisfied(&cnf, &assignment), None);
}

fn model_of(json: &Value) -> Vec<i64> {
    json["model"].as_array().unwrap().iter().map(|literal| literal.as_i64().unwrap()).collect()
}

#[test]
fn a_model_is_printed_as_competitions_want_it() {
    for options in ["", "--candidates 300 --api gles", "--candidates 1 --engine host"] {
        let run = run("uf20-01.cnf", options).ended(10);
        let lines: Vec<&str> = run.out.lines().collect();
        assert!(lines.iter().all(|line| ["c ", "s ", "v "].contains(&&line[..2])), "{}", run.out);
        assert_eq!(lines.iter().filter(|line| **line == "s SATISFIABLE").count(), 1);
        let values = lines.iter().filter_map(|line| line.strip_prefix("v "));
        let mut model: Vec<i64> =
            values.flat_map(str::split_whitespace).map(|word| word.parse().unwrap()).collect();
        assert_eq!(model.pop(), Some(0));
        holds("uf20-01.cnf", &model);
        let rounded = run.out.contains("c 384 candidates, rounded up from 300, seed 1");
        assert_eq!(rounded, options.contains("300"));
    }
}

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let json = run("uf100-010.cnf", "--candidates 512 --seed 3 --json").ended(10).json();
    holds("uf100-010.cnf", &model_of(&json));
    assert_eq!(json["satisfiable"], true);
    let told = ["variables", "clauses", "satisfied", "candidates", "seed", "engine", "stopped"];
    let expected = json!([100, 430, 430, 512, 3, "fragment", false]);
    assert_eq!(Value::from(told.map(|key| json[key].clone()).to_vec()), expected);
    assert!(json["flips"].as_u64().is_some() && json["restarts"].as_u64().is_some());
    assert!(json["clause_evaluations_per_second"].as_f64().unwrap() > 1e6);
    assert!(json["milliseconds"].as_f64().unwrap() > 0.0);
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
}

#[test]
fn the_greedy_search_is_the_same_on_every_engine() {
    // 20 variables, which fit one set of the vertex program's constants, and 100, which take
    // several.
    for (formula, flips) in [("uf20-01.cnf", 3000), ("uf100-010.cnf", 300)] {
        let search = |engine: &str| {
            let options =
                format!("--candidates 1 --engine {engine} --flips {flips} --seed 2 --json");
            let json = run(formula, &options).json();
            assert_eq!(json["engine"], engine);
            ["flips", "restarts", "satisfied", "model"].map(|key| json[key].clone())
        };
        let host = search("host");
        for engine in ["fragment", "vertex", "feedback", "simulator"] {
            assert_eq!(search(engine), host, "{formula}, {engine}");
        }
    }
    for engine in ["vertex", "feedback", "simulator"] {
        let long = of_text("p cnf 5 2\n1 2 3 4 0\n-1 -5 0\n", &format!("--engine {engine}"));
        let long = long.ended(2);
        long.says("up to 4 literals");
        long.says("--engine fragment");
    }
    run("uf100-010.cnf", "--engine vertex --candidates 256").ended(2).says("--candidates 1");
}

#[test]
fn what_is_not_found_is_unknown() {
    for options in ["--candidates 128 --flips 100 --restarts 1", "--engine host --flips 2000"] {
        let run = run("sgen1_unsat_57_0.cnf", options).ended(0);
        assert!(run.out.contains("\ns UNKNOWN\n") && !run.out.contains("\nv "), "{}", run.out);
        assert!(run.out.contains("of 124 clauses\n"));
    }
    let json = run("sgen1_unsat_57_0.cnf", "--candidates 128 --flips 9 --json").ended(0).json();
    assert_eq!((&json["satisfiable"], &json["model"]), (&Value::Null, &Value::Null));
    assert_eq!((&json["flips"], &json["restarts"]), (&json!(1152), &json!(0)));
    assert!(json["satisfied"].as_u64().unwrap() > 100);
}

#[test]
fn what_needs_no_search_is_answered_without_a_device() {
    let run = of_text("p cnf 2 2\n1 0\n0\n", "--device none-such").ended(20);
    assert!(run.out.ends_with("\ns UNSATISFIABLE\n"), "{}", run.out);
    let json = of_text("p cnf 0 1\n0\n", "--json").ended(20).json();
    assert_eq!((&json["satisfiable"], &json["model"]), (&json!(false), &Value::Null));
    let run = of_text("p cnf 3 0\n", "").ended(10);
    assert!(run.out.ends_with("s SATISFIABLE\nv -1 -2 -3 0\n"), "{}", run.out);
    assert!(of_text("p cnf 0 0\n", "").ended(10).out.ends_with("\nv 0\n"));
}

#[test]
fn units_are_propagated_before_any_search() {
    let run = of_text("p cnf 1 2\n1 0\n-1 0\n", "--device none-such").ended(20);
    assert!(run.out.ends_with("\ns UNSATISFIABLE\n"), "{}", run.out);
    let run = of_text("p cnf 3 3\n-2 0\n2 3 0\n-3 2 1 0\n", "--device none-such").ended(10);
    assert!(run.out.contains("c unit propagation fixed 3 of 3 variables\n"), "{}", run.out);
    assert!(run.out.ends_with("\ns SATISFIABLE\nv 1 -2 3 0\n"), "{}", run.out);
    // Each link is seen only when the one after it in the file is done.
    let links = (1..100_000).rev().map(|v| format!("-{v} {} 0\n", v + 1));
    let chain = format!("p cnf 100000 100000\n{}1 0\n", links.collect::<String>());
    let json = of_text(&chain, "--device none-such --json").ended(10).json();
    assert_eq!((&json["propagated"], &json["satisfied"]), (&json!(100_000), &json!(100_000)));
    assert!(json["model"].as_array().unwrap().iter().all(|literal| literal.as_i64() > Some(0)));
    // What is searched is smaller than the file; the model and the counts are the file's.
    let cnf = "p cnf 6 6\n-1 0\n1 5 0\n1 2 -5 3 0\n-2 -3 0\n2 4 6 0\n-4 -6 0\n";
    for options in ["--candidates 128", "--candidates 1", "--candidates 1 --engine host"] {
        let json = of_text(cnf, &format!("{options} --json")).ended(10).json();
        assert_eq!((&json["propagated"], &json["variables"]), (&json!(2), &json!(6)));
        assert_eq!((&json["satisfied"], &json["clauses"]), (&json!(6), &json!(6)), "{options}");
        let model = json["model"].as_array().unwrap();
        assert_eq!((model.len(), &model[0], &model[4]), (6, &json!(-1), &json!(5)), "{options}");
    }
}

#[test]
fn a_literal_twice_in_a_clause_is_no_longer_clause_to_any_engine() {
    for engine in ["fragment", "vertex", "feedback", "simulator", "host"] {
        let options = format!("--candidates 1 --engine {engine} --json");
        let json = of_text("p cnf 3 2\n1 2 3 1 0\n1 -1 2 3 0\n", &options).ended(10).json();
        assert_eq!((&json["satisfied"], &json["clauses"]), (&json!(2), &json!(2)), "{engine}");
    }
}

#[test]
fn bad_input_is_named_and_ends_with_2() {
    of_text("p cnf 2 1\n1 3 0\n", "").ended(2).says("x.cnf:2:3: expected a variable from 1 to 2");
    Folder::new().run("sat none.cnf").ended(2).says("none.cnf: cannot read it");
    run("uf8.cnf", "--candidates 9999999999").ended(2).says("candidates");
    run("uf8.cnf", "--candidates 256 --engine host").ended(2).says("--candidates 1");
    run("uf8.cnf", "--device none-such").ended(2);
}

/// No code of the answers, and no blame of the arguments.
#[test]
fn an_answer_that_cannot_be_said_ends_with_1() {
    let folder = Folder::new();
    folder.write("x.cnf", "p cnf 1 1\n1 0\n");
    let mut command = folder.command("sat x.cnf");
    command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
    finish(command.spawn().unwrap()).ended(1).says("cannot write to standard output");
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let folder = Folder::new();
    let file = data("sat/uf250-02.cnf");
    let mut child = folder.start(&format!("sat {file} --candidates 512"));
    drop(child.stdout.take());
    assert_eq!(finish(child).ended(10).err.matches("panic").count(), 0);
}

#[test]
fn ctrl_c_ends_it_with_what_it_has() {
    use std::time::Duration;
    for options in ["--candidates 128", "--candidates 1", "--engine host"] {
        let folder = Folder::new();
        let file = data("sat/sgen1_unsat_57_0.cnf");
        let command = format!("sat {file} {options} --flips 1000000000000 --json");
        let child = folder.start(&command);
        std::thread::sleep(Duration::from_secs(2));
        child.send(Signal::SIGINT);
        let run = finish(child).ended(130);
        run.says("stopped by Ctrl-C after");
        let json = run.json();
        assert_eq!((&json["stopped"], &json["satisfiable"]), (&json!(true), &Value::Null));
        assert!(json["flips"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_bench_parts_fixed_costs_from_clauses_and_draws_both_figures() {
    let folder = Folder::new();
    let options = "--clauses 500,600 --iterations 50 --runs 2 --candidates 200";
    let run = folder.run(&format!("bench sat {options} --plot x.svg --json")).ended(0);
    let json = run.json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row["right"] == true));
    let us = rows[0]["iteration_us"].as_f64().unwrap();
    let extrapolated = rows[0]["extrapolated_seconds_of_100000"].as_f64().unwrap();
    assert!(us > 0.0 && is_near(extrapolated / us, 0.1, 1e-9));
    assert_eq!(json["fits"].as_array().unwrap().len(), 6);
    let many = json["many"].as_array().unwrap();
    assert_eq!((&many[1]["candidates"], &many[1]["right"]), (&json!(256), &json!(true)));
    assert!(many[1]["times_one_texture"].as_f64().unwrap() > 1.0);
    assert!(std::fs::read_to_string(folder.file("x.svg")).unwrap().contains("600 clauses"));
    let text = folder.run(&format!("bench sat {options}")).ended(0).out;
    assert!(text.contains("extrapolated") && text.contains("fixed [us]"), "{text}");
    assert!(text.contains("least-squares") && text.contains("Many candidates"), "{text}");
    folder.run("bench sat --clauses 499").ended(2).says("500");
    let help = folder.run("bench sat --help").ended(0).out;
    assert!(help.contains("500 or more"), "{help}");
}
