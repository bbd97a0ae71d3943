//! `quadrille jacobi`: what it prints, what it writes, and how it ends.

use std::time::{Duration, Instant};

use crate::runner::{Folder, Run, Signal, data, doubles, finish, npy, singles};
use quadrille::data::{NineBanded, Stencil};
use quadrille::internal::reference::is_near;
use quadrille::io::npy as arrays;
use quadrille::testing::largest;
use serde_json::Value;

fn matrix(stencil: &str) -> NineBanded {
    stencil.parse::<Stencil>().unwrap().matrix().unwrap()
}

/// A solution without symmetry, and the right-hand side that belongs to it.
fn known(matrix: &NineBanded) -> (Vec<f64>, Vec<f64>) {
    let solution: Vec<f64> =
        (0..matrix.n()).map(|i| ((i * 37 % 101) as f64 - 50.0) / 50.0).collect();
    let side = matrix.multiply_f64(&solution);
    (solution, side)
}

fn largest_error(got: &[f32], solution: &[f64]) -> f64 {
    assert_eq!(got.len(), solution.len());
    largest(got.iter().zip(solution).map(|(x, s)| f64::from(*x) - s))
}

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let run = Folder::new().run("jacobi --stencil heat9:64 --json").ended(0);
    let json = run.json();
    assert!(json["iterations"].as_u64().unwrap() > 0);
    assert!(json["residual"].as_f64().unwrap() <= 1e-5);
    assert_eq!(json["converged"], true);
    assert!(json["error"].as_f64().unwrap() < 1e-3);
    assert!(json["milliseconds"].as_f64().unwrap() > 0.0);
    assert!(json["mflops"].as_f64().unwrap() > 0.0);
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    for key in ["layout", "stage", "reads"] {
        assert!(json[key].is_string(), "{key}");
    }
    assert_eq!(run.err, "");
}

#[test]
fn people_get_a_summary() {
    let run = Folder::new().run("jacobi --stencil heat9:32 --layout red --stage generic").ended(0);
    for text in ["heat9:32", "llvmpipe", "red, generic", "converged in", "error", "MFLOP/s"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn every_layout_stage_and_api_solves_the_system() {
    let folder = Folder::new();
    for layout in ["red", "separate", "packed", "rgba"] {
        for how in ["--stage generic --reads fetch", "--stage boundary", "--api gles"] {
            let run =
                folder.run(&format!("jacobi --stencil heat9:19x11 --layout {layout} {how} --json"));
            let json = run.ended(0).json();
            assert_eq!(json["layout"], layout);
            assert!(json["error"].as_f64().unwrap() < 1e-3, "{layout} {how}: {json}");
        }
    }
}

#[test]
fn tolerance_zero_runs_exactly_so_many_iterations() {
    let run =
        Folder::new().run("jacobi --stencil poisson5:24 --tolerance 0 --iterations 37 --json");
    let json = run.ended(0).json();
    assert_eq!(json["iterations"], 37);
    assert_eq!(json["converged"], Value::Null);
}

#[test]
fn the_solution_is_written_as_npy_and_as_mtx() {
    let (folder, matrix) = (Folder::new(), matrix("heat9:20x9"));
    let (solution, side) = known(&matrix);
    let side: Vec<f32> = side.into_iter().map(|b| b as f32).collect();
    folder.write("b.npy", npy("<f4", false, "(180,)", &singles(&side)));
    let run = folder.run("jacobi --stencil heat9:20x9 --rhs b.npy --output x.npy --json").ended(0);
    assert_eq!(run.json()["error"], Value::Null);
    let x = arrays::read(folder.file("x.npy")).unwrap();
    assert_eq!(x.shape, [180]);
    assert!(largest_error(&x.data, &solution) < 1e-4);
    folder.run("jacobi --stencil heat9:20x9 --rhs x.npy --output y.mtx").ended(0);
    folder.run("jacobi --stencil heat9:20x9 --rhs y.mtx --output z.npy").ended(0);
    assert_eq!(folder.names(), ["b.npy", "x.npy", "y.mtx", "z.npy"]);
}

#[test]
fn rgba_writes_four_rows_and_the_users_first() {
    let (folder, matrix) = (Folder::new(), matrix("heat9:20x9"));
    let (solution, side) = known(&matrix);
    let side: Vec<f32> = side.into_iter().map(|b| b as f32).collect();
    folder.write("b.npy", npy("<f4", false, "(180,)", &singles(&side)));
    folder.run("jacobi --stencil heat9:20x9 --rhs b.npy --layout rgba --output x.npy").ended(0);
    let x = arrays::read(folder.file("x.npy")).unwrap();
    assert_eq!(x.shape, [4, 180]);
    assert!(largest_error(&x.data[..180], &solution) < 1e-4);
    for system in 1..4 {
        assert!(largest_error(&x.data[system * 180..][..180], &solution) > 0.1);
    }
}

/// All decide when to stop: the first one, of zeros, needs no iteration.
#[test]
fn rgba_solves_the_users_four_systems() {
    let (folder, matrix) = (Folder::new(), matrix("heat9:20x9"));
    let (solution, side) = known(&matrix);
    let factors = [0.0, -1000.0, 0.5, 1.0];
    let sides = factors.iter().flat_map(|factor| side.iter().map(move |b| (factor * b) as f32));
    let sides: Vec<f32> = sides.collect();
    folder.write("b4.npy", npy("<f4", false, "(4, 180)", &singles(&sides)));
    let solve = "jacobi --stencil heat9:20x9 --rhs b4.npy";
    let run = folder.run(&format!("{solve} --layout rgba --output x.npy --json")).ended(0);
    let json = run.json();
    assert_eq!((&json["systems"], &json["seed"]), (&4.into(), &Value::Null));
    let residuals = json["residuals"].as_array().unwrap().iter().map(|r| r.as_f64().unwrap());
    assert_eq!(residuals.fold(0.0, f64::max), json["residual"].as_f64().unwrap());
    let x = arrays::read(folder.file("x.npy")).unwrap();
    assert_eq!(x.shape, [4, 180]);
    for (x, factor) in x.data.chunks(180).zip(factors) {
        let solution: Vec<f64> = solution.iter().map(|s| factor * s).collect();
        assert!(largest_error(x, &solution) <= 1e-4 * f64::abs(factor), "{factor}");
    }
    let run = folder.run(&format!("{solve} --layout rgba")).ended(0);
    assert!(run.out.contains("; 4 right-hand sides\n") && run.out.contains("residuals of all"));
    // What is expected, what came, and what to do.
    let refused = |arguments: &str, words: &[&str]| {
        let run = folder.run(arguments).ended(2);
        words.iter().for_each(|word| run.says(word));
    };
    refused(solve, &["expected 180 numbers", "got shape [4, 180]", "--layout rgba: add it"]);
    refused(&format!("{solve} --layout packed"), &["got shape [4, 180]", "give one of them"]);
    folder.write("b3.npy", npy("<f4", false, "(3, 180)", &singles(&sides[..540])));
    let three = "jacobi --stencil heat9:20x9 --rhs b3.npy --layout rgba";
    refused(three, &["the shape (4, 180)", "got shape [3, 180]"]);
    folder.write("turned.npy", npy("<f4", false, "(180, 4)", &singles(&sides)));
    let turned = "jacobi --stencil heat9:20x9 --rhs turned.npy --layout rgba";
    refused(turned, &["the shape (4, 180)", "got shape [180, 4]"]);
    let mut poisoned = sides.clone();
    poisoned[2 * 180 + 7] = f32::NAN;
    folder.write("nan.npy", npy("<f4", false, "(4, 180)", &singles(&poisoned)));
    refused("jacobi --stencil heat9:20x9 --rhs nan.npy --layout rgba", &["nan.npy", "NaN"]);
}

#[test]
fn doubles_and_fortran_order_are_read_right() {
    let (folder, matrix) = (Folder::new(), matrix("heat9:20x9"));
    let (solution, side) = known(&matrix);
    folder.write("b.npy", npy("<f8", true, "(1, 180)", &doubles(&side)));
    let run = folder.run("jacobi --stencil heat9:20x9 --rhs b.npy --output x.npy --json").ended(0);
    run.json();
    run.says("note: b.npy: its 64-bit floats were rounded to 32 bits");
    let x = arrays::read(folder.file("x.npy")).unwrap();
    assert!(largest_error(&x.data, &solution) < 1e-4);
}

#[test]
fn a_seed_decides_the_system() {
    let (folder, errors) = (Folder::new(), |run: &str| {
        Folder::new().run(&format!("jacobi --stencil heat9:16 --json {run}")).ended(0).json()["error"]
            .clone()
    });
    assert_eq!(errors("--seed 7"), errors("--seed 7"));
    assert_ne!(errors("--seed 7"), errors("--seed 8"));
    assert!(folder.names().is_empty());
}

#[test]
fn without_convergence_the_last_iterate_is_written_and_said() {
    let folder = Folder::new();
    let run =
        folder.run("jacobi --stencil poisson5:64 --iterations 20 --output x.npy --json").ended(1);
    assert_eq!((&run.json()["converged"], &run.json()["iterations"]), (&false.into(), &20.into()));
    run.says("after 20 iterations, above the tolerance");
    run.says("the last iterate is in x.npy");
    assert_eq!(arrays::read(folder.file("x.npy")).unwrap().shape, [64 * 64]);
    let run = folder.run("jacobi --stencil poisson5:64 --iterations 20").ended(1);
    run.says("without --output the last iterate is lost");
}

/// Nine-banded, so it is not refused; its spectral radius is above 1.
#[test]
fn recirculating_flow_diverges_with_its_reason_and_no_file() {
    let folder = Folder::new();
    let file = data("recirc_flow.mtx");
    let run = folder.run(&format!("jacobi {file} --output x.npy --picture x.png --json")).ended(1);
    run.says("error: Jacobi diverges: at iteration");
    run.says("is not diagonally dominant");
    assert_eq!(run.out, "");
    assert!(folder.names().is_empty());
}

/// Bilinear elements are not dominant where the anisotropy is strong, and dominant where it is not.
#[test]
fn finite_elements_converge_unless_they_are_too_anisotropic() {
    let (folder, file) = (Folder::new(), data("fe9_12x12.mtx"));
    let run = folder.run(&format!("jacobi {file} --output x.npy")).ended(1);
    run.says("Jacobi diverges");
    assert!(folder.names().is_empty());
    let run = folder.run(&format!("jacobi {file} --tolerance 0 --iterations 5 --json")).ended(0);
    assert_eq!((&run.json()["n"], &run.json()["m"]), (&144.into(), &12.into()));
    folder.run("jacobi --stencil fe9:12 --tolerance 1e-4").ended(0);
}

#[test]
fn the_picture_is_a_png() {
    let folder = Folder::new();
    folder.run("jacobi --stencil heat9:30x20 --picture x.png").ended(0);
    assert!(std::fs::read(folder.file("x.png")).unwrap().starts_with(b"\x89PNG\r\n"));
    assert_eq!(folder.names(), ["x.png"]);
}

/// Ctrl-C after a while.
fn interrupted(folder: &Folder, after: Duration) -> Run {
    let arguments = "jacobi --stencil poisson5:200 --tolerance 0 --iterations 100000000";
    let child = folder.start(&format!("{arguments} --output x.npy --json"));
    std::thread::sleep(after);
    child.send(Signal::SIGINT);
    let asked = Instant::now();
    let run = finish(child).ended(130);
    assert!(asked.elapsed() < Duration::from_secs(30));
    run
}

#[test]
fn ctrl_c_writes_the_last_iterate_and_ends_with_130() {
    let folder = Folder::new();
    // Before the first iterate there is nothing to write; a busy machine takes its time to get
    // there.
    let mut waits = [1, 3, 9, 27].map(Duration::from_secs).into_iter();
    let run = loop {
        let run = interrupted(&folder, waits.next().expect("the loop was never reached"));
        if !run.out.is_empty() {
            break run;
        }
        assert!(folder.names().is_empty());
    };
    run.says("error: stopped by Ctrl-C after");
    run.says("the last iterate is in x.npy");
    assert_eq!(run.json()["stopped"], true);
    assert_eq!(arrays::read(folder.file("x.npy")).unwrap().shape, [200 * 200]);
    assert_eq!(folder.names(), ["x.npy"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in ["jacobi --stencil heat9:16 --json", "jacobi --help", "--version"] {
        let folder = Folder::new();
        let mut child = folder.start(arguments);
        drop(child.stdout.take());
        let run = finish(child).ended(0);
        assert_eq!(run.err, "", "{arguments}");
    }
}

/// 64 unknowns, each coupled to four others, and a right-hand side of one number, in a folder.
fn scaled(diagonal: f32, coupling: f32, side: f32) -> Folder {
    let (folder, mut entries) = (Folder::new(), Vec::new());
    for row in 1..=64_i32 {
        for (column, entry) in [(row, diagonal)]
            .into_iter()
            .chain([row - 8, row - 1, row + 1, row + 8].map(|column| (column, coupling)))
            .filter(|(column, _)| (1..=64).contains(column))
        {
            entries.push(format!("{row} {column} {entry:e}"));
        }
    }
    let header = format!("%%MatrixMarket matrix coordinate real general\n64 64 {}", entries.len());
    folder.write("a.mtx", format!("{header}\n{}\n", entries.join("\n")));
    folder.write("b.npy", npy("<f4", false, "(64,)", &singles(&[side; 64])));
    folder
}

/// The residual of the first row of x.npy.
fn residual_of_the_file(folder: &Folder, side: f32) -> f64 {
    let matrix =
        quadrille::io::matrix_market::read_nine_banded(folder.file("a.mtx"), None).unwrap();
    let x = arrays::read(folder.file("x.npy")).unwrap().data;
    let x: Vec<f64> = x[..64].iter().map(|x| f64::from(*x)).collect();
    quadrille::internal::reference::jacobi::residual_f64(&matrix, &x, &[f64::from(side); 64])
}

#[test]
fn infinities_are_not_written_as_a_solution() {
    let folder = scaled(4.0, -1.0, 3e38);
    let run = folder.run("jacobi a.mtx --rhs b.npy --output x.npy --json").ended(1);
    run.says("error: the solution does not fit in 32-bit floats: x at index");
    run.says("Scale the system: with a right-hand side 1e-");
    assert_eq!((run.out.as_str(), folder.names()), ("", vec!["a.mtx".into(), "b.npy".into()]));
}

/// The software renderer takes couplings of 1e-38 for zero, and so its own residual is zero too.
#[test]
fn the_residual_of_what_is_written_decides() {
    let folder = scaled(8e-38, -1e-38, 1.0);
    let run = folder.run("jacobi a.mtx --rhs b.npy --output x.npy --json").ended(1);
    let json = run.json();
    let (told, exact) = (json["residual"].as_f64().unwrap(), residual_of_the_file(&folder, 1.0));
    assert!(is_near(told, exact, 1e-9 * exact) && told > 0.01, "{told}, {exact}");
    assert_eq!(json["converged"], false);
    assert!(json["device_residual"].as_f64().unwrap() <= 1e-5);
    run.says("not converged");
    run.says("Scale the matrix and the right-hand side");
}

/// Solves the user's system beside three seeded ones, whose solutions are too small for floats of
/// full precision.
#[test]
fn only_the_users_system_of_four_decides() {
    let folder = scaled(8e37, -1e37, 1.0);
    let run = folder.run("jacobi a.mtx --rhs b.npy --layout rgba --output x.npy --json").ended(0);
    let json = run.json();
    let told = json["residual"].as_f64().unwrap();
    assert!(told <= 1e-5 && is_near(told, residual_of_the_file(&folder, 1.0), 1e-9 * told));
    assert_eq!(json["residuals"].as_array().unwrap().len(), 4);
    assert_eq!(json["residuals"][0], json["residual"]);
    let run = folder.run("jacobi a.mtx --rhs b.npy --layout rgba").ended(0);
    assert!(run.out.contains("residuals of the others"), "{}", run.out);
}
