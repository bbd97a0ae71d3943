//! `quadrille solve`: what it solves, what it writes, what it refuses, and how it ends.

mod space;
mod transforms;

use std::time::Duration;

use crate::runner::{Folder, Signal, doubles, finish, npy, singles};
use quadrille::data::{NineBanded, Stencil};
use quadrille::internal::reference::is_near;
use quadrille::io::{matrix_market, vector};
use quadrille::testing::largest;
use serde_json::Value;

fn matrix(stencil: &str) -> NineBanded<f64> {
    stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap()
}

/// A solution without symmetry, and the right-hand side that belongs to it.
fn known(matrix: &NineBanded<f64>, seed: usize) -> (Vec<f64>, Vec<f64>) {
    let solution: Vec<f64> =
        (0..matrix.n()).map(|i| ((i * 37 % 101 + seed) as f64 - 50.0) / 50.0).collect();
    let side = matrix.multiply_f64(&solution);
    (solution, side)
}

/// The relative residual, computed anew.
fn residual(matrix: &NineBanded<f64>, x: &[f64], b: &[f64]) -> f64 {
    let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|r| r * r).sum::<f64>().sqrt();
    let product = matrix.multiply_f64(x);
    let rest = norm(&mut b.iter().zip(&product).map(|(b, p)| b - p));
    rest / norm(&mut b.iter().copied())
}

fn side_file(folder: &Folder, name: &str, side: &[f64]) {
    folder.write(name, npy("<f8", false, &format!("({},)", side.len()), &doubles(side)));
}

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"))
}

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let run = Folder::new().run("solve --stencil poisson5:31 --tolerance 1e-12 --json").ended(0);
    let json = run.json();
    assert_eq!((&json["method"], &json["preconditioner"]), (&"cg".into(), &"jacobi".into()));
    assert_eq!((&json["precision"], &json["converged"]), (&"mixed".into(), &true.into()));
    assert!(json["why"].as_str().unwrap().contains("symmetric"));
    assert!((110.0..140.0).contains(&number(&json, "iterations")), "{json}");
    assert!(number(&json, "applications") >= number(&json, "iterations"));
    assert!(number(&json, "residual") <= 1e-12);
    // The textbook's loop without a preconditioner takes 119 steps in double precision throughout.
    assert!(number(&json, "error") <= 1e-9 && number(&json, "relative_error") <= 1e-9, "{json}");
    for key in ["setup_milliseconds", "milliseconds"] {
        assert!(number(&json, key) >= 0.0, "{key}");
    }
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    assert_eq!(run.err, "");
}

/// Milliseconds add up to the whole, in the JSON as in the text.
#[test]
fn the_parts_of_the_time_are_the_whole() {
    let folder = Folder::new();
    let run = folder.run("solve --stencil poisson5:31 --method mgcg --json").ended(0);
    let json = run.json();
    let side = &json["right_hand_sides"][0];
    let names = ["examine", "send", "levels", "compile", "iterate", "residual_on_the_host", "back"];
    for (parts, whole) in [
        (&json["setup_parts"], number(&json, "setup_milliseconds")),
        (&side["parts"], number(side, "milliseconds")),
    ] {
        assert_eq!(parts.as_object().unwrap().len(), names.len(), "{parts}");
        let sum: f64 = names.iter().map(|name| number(parts, name)).sum();
        assert!(whole > 0.0 && (sum - whole).abs() <= 1e-9 * whole, "{parts}: {whole}");
    }
    assert!(number(&json["setup_parts"], "levels") > 0.0, "{json}");
    assert!(number(&json["setup_parts"], "compile") > 0.0, "{json}");
    assert!(number(&side["parts"], "iterate") > 0.0, "{json}");
    let (quiet, told) = ("solve --stencil poisson5:9", "solve --stencil poisson5:9 -v");
    assert!(!folder.run(quiet).ended(0).out.contains("iterate"));
    let run = folder.run(told).ended(0);
    assert!(run.out.contains("setup ") && run.out.contains(" + iterate "), "{}", run.out);
}

/// A stencil is nine numbers, and so is a file that turns out to be one; a matrix that differs in one
/// number is not.
#[test]
fn the_first_form_that_fits_is_taken_and_named() {
    let folder = Folder::new();
    let stencil = "solve --stencil fe9:13x9:anisotropy=0.2:angle=20 --tolerance 1e-11";
    let written = folder.run(&format!("{stencil} --write-matrix a.mtx --output x.npy --json"));
    assert_eq!(written.ended(0).json()["coefficients"], "constant");
    assert!(folder.run(stencil).ended(0).out.contains("in rows of 13, constant coefficients"));
    let read = folder.run("solve a.mtx --tolerance 1e-11 --output y.npy --json").ended(0).json();
    assert_eq!((&read["form"], &read["coefficients"]), (&"nine-banded".into(), &"constant".into()));
    let bytes = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert_eq!(bytes("x.npy"), bytes("y.npy"));
    let text = String::from_utf8(bytes("a.mtx")).unwrap();
    // The coupling before the last entry, which is on the diagonal.
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.len() - 2;
    let changed = format!("{} -0.25", lines[at].rsplit_once(' ').unwrap().0);
    lines[at] = &changed;
    folder.write("b.mtx", lines.join("\n") + "\n");
    let other = folder.run("solve b.mtx --json").ended(0).json();
    assert_eq!(other["coefficients"], "stored", "{other}");
    let jump = folder.run("solve --stencil jump:12 --json").ended(0).json();
    assert_eq!(jump["coefficients"], "field");
    folder.write("ring.mtx", ring(211));
    assert!(folder.run("solve ring.mtx --json").ended(0).json()["coefficients"].is_null());
}

#[test]
fn people_get_a_summary() {
    let run = Folder::new().run("solve --stencil convection:31x17").ended(0);
    for text in
        ["convection:31x17", "527 unknowns", "bicgstab", "not symmetric", "converged", "error"]
    {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn every_method_and_preconditioner_solves() {
    for how in [
        "--method cg --preconditioner none",
        "--method cg --preconditioner jacobi",
        "--method bicgstab",
        "--method jacobi",
        "--precision single --tolerance 1e-5",
        "--api gles",
    ] {
        let run = format!("solve --stencil heat9:19x11 --json {how}");
        let json = Folder::new().run(&run).ended(0).json();
        assert_eq!(json["converged"], true, "{how}");
        assert!(number(&json, "error") < 1e-3, "{how}: {json}");
        if let Some(method) = how.split_whitespace().nth(1).filter(|_| how.contains("--method")) {
            assert_eq!((&json["method"], &json["why"]), (&method.into(), &Value::Null));
        }
    }
}

#[test]
fn multigrid_takes_few_iterations_and_tells_its_levels() {
    for (how, method, smoother, most) in [
        ("--stencil fe9:40x30 --method mgcg", "cg", "jacobi", 6),
        (
            "--stencil poisson5:40 --method multigrid --smoother line-jacobi",
            "multigrid",
            "line-jacobi",
            12,
        ),
        ("--stencil convection:40:angle=30 --preconditioner multigrid", "bicgstab", "jacobi", 6),
    ] {
        let json = Folder::new().run(&format!("solve {how} --json")).ended(0).json();
        assert_eq!(
            (&json["method"], &json["preconditioner"]),
            (&method.into(), &"multigrid".into())
        );
        assert_eq!(json["smoother"], smoother);
        let smoothers = json["smoothers"].as_array().unwrap();
        assert_eq!(smoothers.len() as u64 + 1, json["levels"].as_u64().unwrap());
        assert!(number(&json, "levels") == 3.0, "{json}");
        assert!(number(&json, "iterations") <= f64::from(most), "{json}");
        let factor = number(&json, "residual").powf(1.0 / number(&json, "iterations"));
        assert!((number(&json, "convergence_factor") - factor).abs() < 1e-12 * factor, "{json}");
        assert!(number(&json, "relative_error") < 1e-6, "{json}");
    }
    let run = Folder::new().run("solve --stencil poisson5:40 --method mgcg").ended(0);
    assert!(run.out.contains("preconditioner multigrid (3 levels, v cycle"), "{}", run.out);
    // It is chosen for what is large.
    let json = Folder::new().run("solve --stencil poisson5:200 --json").ended(0).json();
    assert_eq!((&json["method"], &json["preconditioner"]), (&"cg".into(), &"multigrid".into()));
    assert!(number(&json, "iterations") <= 6.0 && json["multigrid_gave_up"].is_null(), "{json}");
    // Without it the keys are there and null.
    let json = Folder::new().run("solve --stencil poisson5:10 --json").ended(0).json();
    assert_eq!((&json["smoother"], &json["levels"]), (&Value::Null, &Value::Null));
    let run = Folder::new().run("solve --stencil poisson5:10 --method mg").ended(2);
    assert!(run.err.contains("mgcg") && run.err.contains("multigrid"), "{}", run.err);
}

#[test]
fn a_singular_system_is_solved_up_to_a_constant() {
    let json = Folder::new().run("solve --stencil neumann5:19x11 --tolerance 1e-10 --json");
    let json = json.ended(0).json();
    assert!(number(&json, "error") < 1e-6, "{json}");
    let (folder, side) = (Folder::new(), vec![1.0; 19 * 11]);
    side_file(&folder, "b.npy", &[side, vec![3.0]].concat()[1..]);
    let solve = "solve --stencil neumann5:19x11 --rhs b.npy --output x.npy";
    let run = folder.run(solve).ended(2);
    run.says("the mean of the right-hand side is 1.0");
    run.says("help: --project");
    assert!(run.out.is_empty() && !folder.file("x.npy").exists(), "{}", run.out);
    let run = folder.run(&format!("{solve} --project --tolerance 1e-5")).ended(0);
    assert!(run.out.contains("its mean 1.0"), "{}", run.out);
    let json = folder.run(&format!("{solve} --project --tolerance 1e-5 --json")).ended(0).json();
    let of_rest = number(&json, "projected_residual");
    assert!(of_rest <= 1e-5 && number(&json, "residual") > 0.9, "{json}");
    // Of several the one is named.
    side_file(&folder, "zeros.npy", &[0.0; 19 * 11]);
    let run = folder.run("solve --stencil neumann5:19x11 --rhs zeros.npy b.npy").ended(2);
    run.says("error: b.npy: no x solves this system");
}

/// Doubles go in and come out: an answer in single precision would miss the residual by six digits.
#[test]
fn a_file_in_gives_a_file_out_in_double_precision() {
    let folder = Folder::new();
    folder.run("solve --stencil fe9:15x9:anisotropy=0.1 --write-matrix a.mtx").ended(0);
    let matrix = matrix("fe9:15x9:anisotropy=0.1");
    let read = matrix_market::read_nine_banded_f64(folder.file("a.mtx"), None).unwrap();
    assert!(read == matrix, "written to the last digit");
    let (solution, side) = known(&matrix, 0);
    side_file(&folder, "b.npy", &side);
    for name in ["x.npy", "x.mtx"] {
        let run = format!("solve a.mtx --rhs b.npy --tolerance 1e-13 --output {name} --json");
        let json = folder.run(&run).ended(0).json();
        assert_eq!(json["error"], Value::Null);
        let x = vector::read_f64(folder.file(name)).unwrap();
        assert_eq!(x.shape, [135]);
        let told = number(&json, "residual");
        let exact = residual(&matrix, &x.data, &side);
        assert!(exact <= 1e-13 && is_near(told, exact, 0.5 * exact + 1e-16), "{told}, {exact}");
        assert!(largest(x.data.iter().zip(&solution).map(|(x, s)| x - s)) < 1e-10);
    }
}

#[test]
fn several_right_hand_sides_give_a_row_each() {
    let (folder, matrix) = (Folder::new(), matrix("heat9:20x9"));
    let sides = [known(&matrix, 0), known(&matrix, 7), known(&matrix, 30)];
    for (at, (_, side)) in sides.iter().enumerate() {
        side_file(&folder, &format!("b{at}.npy"), side);
    }
    let run = "solve --stencil heat9:20x9 --rhs b0.npy b1.npy b2.npy --output x.npy --json";
    let json = folder.run(run).ended(0).json();
    assert_eq!(json["right_hand_sides"].as_array().unwrap().len(), 3);
    assert_eq!(json["right_hand_sides"][2]["name"], "b2.npy");
    let x = quadrille::io::npy::read_f64(folder.file("x.npy")).unwrap();
    assert_eq!(x.shape, [3, 180]);
    for (row, (solution, _)) in x.data.chunks(180).zip(&sides) {
        assert!(largest(row.iter().zip(solution).map(|(x, s)| x - s)) < 1e-6);
    }
    let run = folder.run("solve --stencil heat9:20x9 --rhs b0.npy b1.npy").ended(0);
    assert!(run.out.contains("b1.npy: converged"), "{}", run.out);
    // Zeros are solved by no step at all.
    side_file(&folder, "zero.npy", &[0.0; 180]);
    let run =
        folder.run("solve --stencil heat9:20x9 --rhs zero.npy b0.npy --iterations 2").ended(1);
    run.says("error: b0.npy: after 2 iterations the residual is");
    assert!(run.out.contains("zero.npy: converged after 0 iterations"), "{}", run.out);
}

#[test]
fn the_history_is_a_table_a_plot_and_a_picture() {
    let folder = Folder::new();
    let files = "--history h.csv --plot h.svg --picture x.png";
    folder.run(&format!("solve --stencil jump:31:cell=8 {files}")).ended(0);
    let text = std::fs::read_to_string(folder.file("h.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("rhs,iteration,residual,milliseconds"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|number| number.parse().unwrap()).collect()).collect();
    assert!(rows.len() > 3 && rows.iter().all(|row| row.len() == 4 && row[0] == 0.0), "{text}");
    assert!(rows.windows(2).all(|two| two[0][1] <= two[1][1] && two[0][3] <= two[1][3]), "{text}");
    assert_eq!((rows[0][1], rows[0][2]), (0.0, 1.0));
    assert!(rows[rows.len() - 1][2] <= 1e-8, "{text}");
    assert!(std::fs::read_to_string(folder.file("h.svg")).unwrap().contains("residual"));
    assert!(std::fs::read(folder.file("x.png")).unwrap().starts_with(b"\x89PNG\r\n"));
    assert_eq!(folder.names(), ["h.csv", "h.svg", "x.png"]);
}

#[test]
fn a_coefficient_field_is_a_matrix() {
    let folder = Folder::new();
    let field: Vec<f64> = (0..20 * 9).map(|i| 0.5 + f64::from(i * 7 % 13)).collect();
    folder.write("k.npy", npy("<f8", false, "(9, 20)", &doubles(&field)));
    let run = "solve --coefficient k.npy --tolerance 1e-11 --write-matrix a.mtx --json";
    let json = folder.run(run).ended(0).json();
    assert_eq!((&json["n"], &json["m"]), (&180.into(), &20.into()));
    assert_eq!(json["coefficients"], "field");
    let expected = quadrille::data::diffusion(quadrille::Shape::new(9, 20), &field).unwrap();
    let header = std::fs::read_to_string(folder.file("a.mtx")).unwrap();
    assert!(header.starts_with("%%MatrixMarket matrix coordinate real symmetric\n"));
    assert!(matrix_market::read_nine_banded_f64(folder.file("a.mtx"), None).unwrap() == expected);

    // A picture: light is a coefficient of 1, black is none.
    let grey = image::GrayImage::from_fn(12, 7, |x, y| image::Luma([(20 * x + 2 * y + 1) as u8]));
    grey.save(folder.file("k.png")).unwrap();
    folder.run("solve --coefficient k.png").ended(0);
    let mut black = grey.clone();
    black.put_pixel(5, 2, image::Luma([0]));
    black.save(folder.file("black.png")).unwrap();
    let run = folder.run("solve --coefficient black.png").ended(2);
    run.says("black.png: expected coefficients above 0, got 0 at column 5, row 2");
    image::RgbImage::new(12, 7).save(folder.file("rgb.png")).unwrap();
    folder.run("solve --coefficient rgb.png").ended(2).says("a picture of one channel");
}

/// Along x and along y; closed on the left.
#[test]
fn coefficients_at_faces_are_a_matrix() {
    let folder = Folder::new();
    let of = |count: usize, start: usize| -> Vec<f64> {
        (0..count).map(|i| 0.5 + ((i + start) * 7 % 13) as f64).collect()
    };
    let (mut x, y) = (of(21 * 9, 1), of(20 * 10, 2));
    x.iter_mut().step_by(21).for_each(|k| *k = 0.0);
    folder.write("x.npy", npy("<f8", false, "(9, 21)", &doubles(&x)));
    folder.write("y.npy", npy("<f8", false, "(10, 20)", &doubles(&y)));
    let run = "solve --coefficient x.npy y.npy --tolerance 1e-11 --write-matrix a.mtx --json";
    let json = folder.run(run).ended(0).json();
    assert_eq!((&json["n"], &json["m"]), (&180.into(), &20.into()));
    assert_eq!(json["coefficients"], "field");
    assert_eq!(json["system"], "diffusion by x.npy and y.npy");
    let faces = quadrille::data::Faces { x: (&x).into(), y: (&y).into() };
    let expected = quadrille::data::diffusion_by_faces(quadrille::Shape::new(9, 20), faces);
    let written = matrix_market::read_nine_banded_f64(folder.file("a.mtx"), None).unwrap();
    assert!(written == expected.unwrap());
    let run = folder.run("solve --coefficient y.npy x.npy").ended(2);
    run.says("y.npy, x.npy: expected coefficients at the faces of one grid of W x H points");
    run.says("got 20 x 10 along x and 21 x 9 along y");
    folder.write(
        "z.npy",
        npy("<f8", false, "(9, 21)", &doubles(&[&x[..30], &[-1.0], &x[31..]].concat())),
    );
    let run = folder.run("solve --coefficient z.npy y.npy").ended(2);
    run.says("got -1 at column 9, row 1 of those along x (both count from 0)");
}

#[test]
fn a_seed_decides_the_solution() {
    let error = |seed: &str| {
        let run = format!("solve --stencil heat9:16 --json {seed}");
        Folder::new().run(&run).ended(0).json()["error"].clone()
    };
    assert_eq!(error(""), error("--seed 2"));
    assert_ne!(error(""), error("--seed 3"));
}

#[test]
fn without_convergence_the_last_iterate_is_written_and_said() {
    let folder = Folder::new();
    let run =
        folder.run("solve --stencil poisson5:64 --iterations 20 --output x.npy --json").ended(1);
    let json = run.json();
    assert_eq!((&json["converged"], &json["iterations"]), (&false.into(), &20.into()));
    run.says("error: after 20 iterations the residual is");
    run.says("the nearest iterate is in x.npy");
    let x = vector::read_f64(folder.file("x.npy")).unwrap().data;
    assert!(x.iter().any(|x| *x != 0.0));
    let run = folder.run("solve --stencil poisson5:64 --iterations 20").ended(1);
    run.says("without --output the nearest iterate is lost");
}

#[test]
fn bad_matrices_are_refused() {
    let folder = Folder::new();
    // Double precision has this diagonal, and what computes in 32-bit floats divides by zero.
    let text = "%%MatrixMarket matrix coordinate real general\n4 4 5\n1 1 2\n2 2 1e-50\n3 3 2\n4 4 2\n1 4 1\n";
    folder.write("small.mtx", text);
    let run = folder.run("solve small.mtx").ended(2);
    run.says("the diagonal has 1e-50 at row 1 (rows count from 0)");
    folder.run("solve small.mtx --preconditioner none --tolerance 0.5").ended(0);
    folder.run("solve none.mtx").ended(2).says("none.mtx: cannot read it");
    let run = folder.run("solve --stencil poisson5:1000000x1000000").ended(2);
    run.says("not enough memory: poisson5:1000000 takes 30517578 MiB for its coefficients");
    run.says("points would fit");
}

/// A ring whose neighbours are far apart, so that it has no nine diagonals.
fn ring(n: usize) -> String {
    let mut text = format!("%%MatrixMarket matrix coordinate real general\n{n} {n} {}\n", 3 * n);
    for row in 0..n {
        for (column, value) in [(row, 4.5), ((row + 7) % n, -1.0), ((row + 90) % n, -2.0)] {
            text += &format!("{} {} {value}\n", row + 1, column + 1);
        }
    }
    text
}

#[test]
fn a_matrix_without_nine_diagonals_is_solved_by_its_rows() {
    let folder = Folder::new();
    folder.write("ring.mtx", ring(211));
    let run =
        folder.run("solve ring.mtx --tolerance 1e-12 --json --write-matrix same.mtx").ended(0);
    let json = run.json();
    assert_eq!(
        (&json["form"], &json["m"], &json["entries"]),
        (&"csr".into(), &().into(), &633.into())
    );
    assert_eq!(json["method"], "bicgstab");
    assert!(number(&json, "residual") <= 1e-12 && number(&json, "error") < 1e-10, "{json}");
    let run = folder.run("solve same.mtx --preconditioner none --tolerance 1e-12").ended(0);
    assert!(run.out.contains("211 unknowns, a general sparse matrix by rows of 633 entries"));
    let run = folder.run("solve ring.mtx --picture x.png").ended(2);
    run.says("--picture draws the points of a grid");
    // Three diagonals leave the width open, and need none.
    let chain = "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 2\n2 1 -1\n3 2 -1\n";
    folder.write("chain.mtx", chain);
    let run = folder.run("solve chain.mtx --json").ended(0);
    assert_eq!(run.json()["form"], "csr");
    assert_eq!(
        folder.run("solve chain.mtx --width 3 --json").ended(0).json()["form"],
        "nine-banded"
    );
}

#[test]
fn right_hand_sides_of_other_lengths_are_refused_by_name() {
    let folder = Folder::new();
    side_file(&folder, "b.npy", &[1.0; 180]);
    side_file(&folder, "short.npy", &[1.0; 179]);
    folder.write("nan.npy", npy("<f4", false, "(180,)", &singles(&[f32::NAN; 180])));
    let run = folder.run("solve --stencil heat9:20x9 --rhs b.npy short.npy").ended(2);
    run.says(
        "short.npy: expected 180 numbers, one for each unknown of the matrix, or the grid's shape [9, 20], got shape [179]",
    );
    let run = folder.run("solve --stencil heat9:20x9 --rhs nan.npy").ended(2);
    run.says("nan.npy: expected finite numbers, got NaN at index [0]");
}

/// A right-hand side of the grid's shape has a solution of that shape; the same numbers in a row, and one column, are flat.
#[test]
fn solutions_have_the_shape_of_their_right_hand_sides() {
    let folder = Folder::new();
    for (system, n, grid) in
        [("--stencil heat9:20x9", 180, "(9, 20)"), ("--stencil poisson7:5x4x3", 60, "(3, 4, 5)")]
    {
        let mut solutions = Vec::new();
        for shape in [grid.to_owned(), format!("({n},)"), format!("({n}, 1)")] {
            let b: Vec<f64> = (0..n).map(|i| f64::from(i % 7)).collect();
            folder.write("b.npy", npy("<f8", false, &shape, &doubles(&b)));
            folder.run(&format!("solve {system} --rhs b.npy --output x.npy")).ended(0);
            let x = quadrille::io::npy::read_f64(folder.file("x.npy")).unwrap();
            let has = format!("{:?}", x.shape).replace('[', "(").replace(']', ")");
            let flat = format!("({n})");
            assert_eq!(has, if shape == grid { grid } else { flat.as_str() });
            solutions.push(x.data);
        }
        assert!(solutions.iter().all(|x| *x == solutions[0]), "{system}");
    }
    folder.write("b.npy", npy("<f8", false, "(20, 9)", &doubles(&[1.0; 180])));
    let run = folder.run("solve --stencil heat9:20x9 --rhs b.npy").ended(2);
    run.says("or the grid's shape [9, 20], got shape [20, 9]");
}

/// From the solution there is nothing to do; from near it little.
#[test]
fn iterations_start_from_what_is_given() {
    let folder = Folder::new();
    let matrix = matrix("heat9:20x9");
    let (x, b) = known(&matrix, 3);
    side_file(&folder, "b.npy", &b);
    side_file(&folder, "x.npy", &x);
    folder.write(
        "near.npy",
        npy("<f8", false, "(9, 20)", &doubles(&x.iter().map(|x| x + 1e-6).collect::<Vec<_>>())),
    );
    let iterations = |start: &str| {
        let json = folder
            .run(&format!("solve --stencil heat9:20x9 --rhs b.npy b.npy {start} --json"))
            .ended(0)
            .json();
        assert_eq!(json["convergence_factor"].is_null(), !start.is_empty());
        let sides = json["right_hand_sides"].as_array().unwrap();
        sides.iter().map(|side| side["iterations"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let (zero, near, both) =
        (iterations(""), iterations("--x0 near.npy"), iterations("--x0 x.npy near.npy"));
    assert!(0 < near[0] && near[0] < zero[0] && near[0] == near[1], "{zero:?} {near:?}");
    assert_eq!(both, [0, near[1]]);
    let refused = |arguments: &str, said: &str| {
        folder
            .run(&format!("solve --stencil heat9:20x9 --rhs b.npy {arguments}"))
            .ended(2)
            .says(said);
    };
    refused(
        "--x0 x.npy near.npy",
        "--x0: expected one file, or one for each of 1 right-hand sides, got 2",
    );
    side_file(&folder, "short.npy", &x[1..]);
    refused("--x0 short.npy", "short.npy: expected 180 numbers");
    refused("--x0 none.npy", "none.npy");
}

#[test]
fn bad_arguments_are_refused_before_any_work() {
    let folder = Folder::new();
    for (arguments, said) in [
        ("--tolerance -1", "expected a number from 0 on"),
        ("--method gmres", "expected one of: auto, cg, bicgstab, jacobi"),
        ("--preconditioner ilu", "expected one of: auto, none, jacobi, chebyshev, multigrid"),
        ("--precision double", "expected one of: mixed, single"),
        ("--output x.txt", "x.txt: expected a name ending in .npy or .mtx"),
        ("--picture x.jpg", "x.jpg: expected a name ending in .png"),
        ("--history h.txt", "h.txt: expected a name ending in .csv"),
        ("--plot h.png", "h.png: expected a name ending in .svg"),
        ("--write-matrix a.npy", "a.npy: expected a name ending in .mtx"),
        ("--output none/x.npy", "none/x.npy: cannot write it: its folder does not exist"),
        ("--output a.mtx --write-matrix a.mtx", "--output and --write-matrix are one file, a.mtx"),
        ("--width 5", "cannot be used with"),
        ("--method mgcg --preconditioner jacobi", "leave one of them out"),
        ("--smoother line-jacobi", "--smoother is for multigrid"),
    ] {
        let run = folder.run(&format!("solve --stencil poisson5:9 {arguments}")).ended(2);
        run.says(said);
        assert!(run.out.is_empty() && folder.names().is_empty(), "{arguments}");
    }
    folder.run("solve").ended(2).says("required");
}

#[test]
fn ctrl_c_writes_the_last_iterate_and_ends_with_130() {
    let folder = Folder::new();
    let slow =
        "solve --stencil poisson5:200 --method jacobi --tolerance 1e-12 --iterations 100000000";
    // Before the first iterate there is nothing to write; a busy machine takes its time to get
    // there.
    let run = [300, 1000, 5000, 20_000].into_iter().find_map(|wait| {
        let child = folder.start(&format!("{slow} --output x.npy --history h.csv --json"));
        std::thread::sleep(Duration::from_millis(wait));
        child.send(Signal::SIGINT);
        let run = finish(child).ended(130);
        (!run.out.is_empty()).then_some(run)
    });
    let run = run.expect("the loop was never reached");
    run.says("error: stopped by Ctrl-C: after");
    run.says("the nearest iterate is in x.npy");
    let json = run.json();
    assert_eq!((&json["stopped"], &json["converged"]), (&true.into(), &false.into()));
    let x = vector::read_f64(folder.file("x.npy")).unwrap().data;
    assert!(x.len() == 200 * 200 && x.iter().any(|x| *x != 0.0));
    assert_eq!(folder.names(), ["h.csv", "x.npy"]);
}
