//! `quadrille matmul`: what it prints, what it writes, and how it ends.

use crate::runner::{Folder, Run, doubles, npy, singles};
use quadrille::Shape;
use quadrille::data::{Matrix, Number};
use quadrille::internal::reference::matmul::expected;
use quadrille::io::npy as files;
use quadrille::linalg::matmul::Method;
use quadrille::stream::Engine;
use serde_json::Value;

/// A random A of `m` x `k` and B of `k` x `n`, in a folder.
struct Case<T: Number> {
    folder: Folder,
    a: Matrix<T>,
    b: Matrix<T>,
}

impl<T: Number> Case<T> {
    fn new(m: usize, k: usize, n: usize) -> Case<T> {
        let folder = Folder::new();
        let a = Matrix::random(Shape::new(m, k), 1).unwrap();
        let b = Matrix::random(Shape::new(k, n), 2).unwrap();
        files::write_matrix(folder.file("a.npy"), &a).unwrap();
        files::write_matrix(folder.file("b.npy"), &b).unwrap();
        Case { folder, a, b }
    }

    fn run(&self, options: &str) -> Run {
        self.folder.run(&format!("matmul a.npy b.npy {options}"))
    }

    /// Refused with these words, and nothing written.
    #[track_caller]
    fn refuses(&self, options: &str, words: &[&str]) {
        let run = self.run(&format!("{options} --output c.npy --json")).ended(2);
        words.iter().for_each(|word| run.says(word));
        assert_eq!(run.out, "");
        assert_eq!(self.folder.names(), ["a.npy", "b.npy"]);
    }

    #[track_caller]
    fn is_right(&self, name: &str) {
        let (c, _) = files::read_matrix::<T>(self.folder.file(name)).unwrap();
        let comparison = expected(&self.a, &self.b).unwrap().compare(&c);
        assert!(comparison.is_right(), "{comparison:?}");
    }
}

fn case() -> Case<f32> {
    Case::new(24, 17, 40)
}

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let run = case().run("--method block4x4 --check --json").ended(0);
    let json = run.json();
    assert_eq!(json["a"], serde_json::json!([24, 17]));
    assert_eq!(json["c"], serde_json::json!([24, 40]));
    assert_eq!((&json["type"], &json["engine"]), (&"float".into(), &"fragment".into()));
    assert_eq!(json["method"], "block4x4");
    assert!(json["options"].as_str().unwrap().contains("unroll"));
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    for key in ["setup_milliseconds", "upload_milliseconds", "readback_milliseconds"] {
        assert!(json[key].as_f64().unwrap() >= 0.0, "{key}");
    }
    assert!(json["milliseconds"].as_f64().unwrap() > 0.0);
    assert!(json["gflops"].as_f64().unwrap() > 0.0);
    assert_eq!((&json["right"], &json["exact"]), (&true.into(), &true.into()));
    assert!(json["of_bound"].as_f64().unwrap() <= 1.0);
    assert_eq!(json["output"], Value::Null);
    assert_eq!(run.err, "");
}

#[test]
fn people_get_a_summary() {
    let run = case().run("--method cp --unroll 2 --check").ended(0);
    for text in ["24 x 40", "cp (fragment)", "llvmpipe", "multiply", "GFLOPS", "error"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    assert!(!case().run("--method cp").ended(0).out.contains("error"));
}

#[test]
fn every_method_writes_the_product() {
    let case = Case::<f32>::new(16, 16, 32);
    for method in Method::ALL {
        let options = format!("--method {method} --output {method}.npy --check --json");
        let json = case.run(&options).ended(0).json();
        assert_eq!((&json["method"], &json["right"]), (&method.name().into(), &true.into()));
        case.is_right(&format!("{method}.npy"));
    }
}

/// Each row of A has these numbers, and B is of ones.
fn rows_of(numbers: &[f32; 16], ones: f32) -> Case<f32> {
    let a = Matrix::from_fn(Shape::new(16, 16), |_, k| numbers[k]).unwrap();
    let b = Matrix::from_fn(Shape::new(16, 32), |_, _| ones).unwrap();
    let folder = Folder::new();
    files::write_matrix(folder.file("a.npy"), &a).unwrap();
    files::write_matrix(folder.file("b.npy"), &b).unwrap();
    Case { folder, a, b }
}

#[test]
fn a_check_tells_sums_on_the_way_that_overflow_from_products_that_do() {
    let mut cancelled = [0.0; 16];
    cancelled[..8].copy_from_slice(&[3e38, 3e38, 3e38, 3e38, -3e38, -3e38, -3e38, -3e38]);
    let cancelled = rows_of(&cancelled, 1.0);
    let large = rows_of(&[1e30; 16], 1e30);
    let run = cancelled.run("--check --output c.npy").ended(1);
    run.says("row 0, column 0 (from 0) should be 0 within ");
    run.says("sums on the way may exceed the largest float, 3.4e38");
    assert_eq!(cancelled.folder.names(), ["a.npy", "b.npy"]);
    let json = large.run("--check --output c.npy --json").ended(0).json();
    assert_eq!((&json["right"], &json["max_error"]), (&true.into(), &0.0.into()));
    let (c, _) = files::read_matrix::<f32>(large.folder.file("c.npy")).unwrap();
    assert!(c.elements().iter().all(|x| *x == f32::INFINITY));
}

#[test]
fn every_option_is_taken_and_told() {
    let case = Case::<f32>::new(64, 64, 64);
    for (options, told) in [
        ("--method sp --unroll 8 --passes 4", &["unroll=8", "passes=4"][..]),
        ("--method cp --tile 32x16 --order hilbert", &["tile=32x16", "order=hilbert"]),
        (
            "--method element --cover quad --cell 4 --reads fetch",
            &["cover=quad", "cell=4", "reads=fetch"],
        ),
        (
            "--method block4x4 --transpose both --padding 3",
            &["padding=3", "a=transposed", "b=transposed"],
        ),
        ("--method block8x4 --transpose none", &["padding=5 b=plain"]),
        ("--method block8x8 --reads buffer", &["reads=buffer"]),
        ("--method compute-shared --tile 8", &["tile=8x8"]),
        ("--padding 2", &[]),
    ] {
        let json = case.run(&format!("{options} --check --json")).ended(0).json();
        for word in told {
            assert!(json["options"].as_str().unwrap().contains(word), "{word}: {json}");
        }
    }
}

#[test]
fn integers_wrap_and_may_not_differ_at_all() {
    let (shorts, ints) = (Case::<i16>::new(9, 33, 7), Case::<i32>::new(9, 33, 7));
    ints.refuses("--type short", &["a.npy"]);
    shorts.refuses("--type short --method cp", &["cp multiplies only float, not short"]);
    shorts.run("--type short --method element --output c.npy --check").ended(0);
    shorts.is_right("c.npy");
    let run = ints.run("--type int --output c.npy --check --json").ended(0);
    assert_eq!((&run.json()["type"], &run.json()["max_error"]), (&"int".into(), &0.0.into()));
    ints.is_right("c.npy");
}

#[test]
fn doubles_are_rounded_with_a_note_and_fortran_order_is_read_right() {
    let case = Case::<f32>::new(3, 4, 2);
    let by_columns: Vec<f64> =
        (0..12).map(|at| f64::from(case.a.at(at % 3, at / 3).unwrap()) + 1e-12).collect();
    case.folder.write("a.npy", npy("<f8", true, "(3, 4)", &doubles(&by_columns)));
    let run = case.run("--output c.npy --json").ended(0);
    run.says("note: a.npy: its 64-bit floats were rounded to 32 bits");
    assert!(!run.err.contains("b.npy"));
    run.json();
    case.is_right("c.npy");
}

#[test]
fn bad_matrices_are_refused() {
    let case = case();
    files::write_matrix(case.folder.file("b.npy"), &case.a).unwrap();
    case.refuses("", &["inner dimensions differ", "24 x 17"]);
    case.folder.write("b.npy", npy("<f4", false, "(17,)", &singles(&[0.0; 17])));
    case.refuses("", &["b.npy: expected a matrix: two axes, got shape [17]"]);
    std::fs::remove_file(case.folder.file("b.npy")).unwrap();
    let run = case.run("--json").ended(2);
    run.says("b.npy: cannot read it");
}

#[test]
fn bad_options_are_refused_with_the_way_out() {
    let case = case();
    case.refuses("--method compute-simple --unroll 4", &["has no unroll", "cp"]);
}

/// Multiplies matrices that are too large for the textures of the usual method: what is left open
/// goes to another method, and one that is named multiplies blocks.
#[test]
fn no_size_is_too_large_for_a_method() {
    let long = Case::<f32>::new(1, 90_000, 1);
    let run = long.run("--output c.npy --check --json").ended(0);
    assert_ne!(run.json()["method"], "block16x8");
    long.is_right("c.npy");
    let run = long.run("--method block16x8 --output c.npy --check --json").ended(0);
    assert!(run.json()["partial_products"].as_u64().unwrap() > 1, "{}", run.json());
    assert_eq!(run.json()["right"], true);
    long.is_right("c.npy");
    // More than a shader reaches of one buffer.
    let wide = Case::<f32>::new(5824, 1, 5824);
    assert_eq!(wide.run("--json").ended(0).json()["method"], "block8x4");
    let run = wide.run("--method block16x8").ended(0);
    assert!(run.out.contains("2 partial products"), "{}", run.out);
}

/// A process of a gigabyte has no room for a texture of as much.
#[test]
fn out_of_memory_says_how_much_was_asked() {
    let case = Case::<f32>::new(16_000, 1, 16_000);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg("ulimit -v 1000000 && exec \"$0\" \"$@\"");
    let command = case.folder.command("matmul a.npy b.npy --method sp --output c.npy");
    shell.arg(command.get_program()).args(command.get_args());
    shell.current_dir(case.folder.path()).env("QUADRILLE_DEVICE", "llvmpipe");
    shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let run = crate::runner::finish(shell.spawn().unwrap()).ended(2);
    run.says("the driver is out of memory: a texture of 8000 x 8000 texels (RGBA32F) asked for 976.6 MiB");
    assert_eq!(case.folder.names(), ["a.npy", "b.npy"]);
}

#[test]
fn outputs_are_checked_before_the_work() {
    let case = case();
    let refused = |output: &str, words: &str| {
        case.run(&format!("--output {output}")).ended(2).says(words);
        assert_eq!(case.folder.names(), ["a.npy", "b.npy"]);
    };
    refused("c.mtx", "expected a name ending in .npy, got .mtx");
    refused("nowhere/c.npy", "its folder does not exist");
}

#[test]
fn the_list_tells_every_method() {
    let run = Folder::new().run("matmul --list --json").ended(0);
    let json = run.json();
    let methods = json["methods"].as_array().unwrap();
    assert_eq!(methods.len(), Method::ALL.len());
    for (line, method) in methods.iter().zip(Method::ALL) {
        assert_eq!((&line["method"], &line["runs"]), (&method.name().into(), &true.into()));
        assert_eq!(line["engine"], method.engine().map_or("host", Engine::name));
        assert!(line["about"].is_string() && line["lacks"].is_null());
        let types = line["types"].as_array().unwrap();
        assert_eq!(types.len(), if method.takes_integers() { 3 } else { 1 });
    }
    let options = |at: usize| methods[at]["options"].to_string();
    assert!(options(3).contains("\"padding\"") && options(3).contains("\"passes\""));
    assert_eq!(options(0), "[]");
    let run = Folder::new().run("matmul --list").ended(0);
    for text in ["block16x8", "stored in a buffer", "compute", "unroll, passes", "yes"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn what_a_method_lacks_is_told() {
    let folder = Folder::new();
    let mut command = folder.command("matmul --list --json --api gles");
    command.env("MESA_GLES_VERSION_OVERRIDE", "3.0");
    let json = crate::runner::finish(command.spawn().unwrap()).ended(0).json();
    for line in json["methods"].as_array().unwrap() {
        assert_eq!(line["runs"], line["lacks"].is_null());
    }
}

#[test]
fn both_matrices_or_the_list() {
    Folder::new().run("matmul").ended(2);
    Folder::new().run("matmul a.npy").ended(2);
    case().run("--list").ended(2).says("cannot be used with");
    Folder::new().run("matmul --list --unroll 4").ended(2).says("cannot be used with");
}

/// Random signs make the bound of rounding larger than the product where a sum is this long, so
/// that a sum that ends early is within it. A method is right here, or says that it is not.
#[test]
fn a_check_sees_a_long_sum_that_ends_early() {
    let case = Case::<f32>::new(4, 300_000, 4);
    for options in ["compute-tiled", "compute-simple", "block16x8 --reads buffer", "sp", "auto"] {
        let run = case.run(&format!("--method {options} --check --output c.npy --json"));
        if run.code == Some(0) {
            assert_eq!((&run.json()["exact"], &run.json()["right"]), (&true.into(), &true.into()));
            let (c, _) = files::read_matrix::<f32>(case.folder.file("c.npy")).unwrap();
            for (row, col) in (0..4).flat_map(|row| (0..4).map(move |col| (row, col))) {
                let of = |k: usize| {
                    case.a.at(row, k).unwrap() as f64 * case.b.at(k, col).unwrap() as f64
                };
                let exact: f64 = (0..300_000).map(of).sum();
                // A tenth of a percent of what a random walk of as many steps goes.
                let off = (f64::from(c.at(row, col).unwrap()) - exact).abs();
                assert!(off < 0.2, "{options}: {off} of {exact}");
            }
            std::fs::remove_file(case.folder.file("c.npy")).unwrap();
        } else {
            assert_eq!(case.folder.names(), ["a.npy", "b.npy"], "{options}: {}", run.err);
            let known = ["of -1 and 1 is not exact", "exceeds this device's limit", "iterations"];
            assert!(known.iter().any(|words| run.err.contains(words)), "{options}: {}", run.err);
        }
    }
}
