//! `quadrille solve` in three dimensions: stencils, coefficients, files, pictures of slices, and what is refused.

use quadrille::io::vector;

use super::side_file;

use crate::runner::{Folder, doubles, npy};

#[test]
fn stencils_coefficients_and_files_of_three_dimensions_are_solved() {
    let folder = Folder::new();
    for (system, method, form) in [
        ("fe27:9x8x7:z=0.1:sides=neumann", "cg", "27-point"),
        ("convection7:7x8x9:y=-1", "bicgstab", "7-point"),
    ] {
        let rest = "--preconditioner multigrid --tolerance 1e-11 --json";
        let json = folder.run(&format!("solve --stencil {system} {rest}")).ended(0).json();
        assert_eq!(
            (json["method"].as_str(), json["form"].as_str()),
            (Some(method), Some(form)),
            "{system}"
        );
        assert_eq!(json["preconditioner"], "multigrid", "{system}");
        assert!(json["relative_error"].as_f64().unwrap() < 1e-8, "{system}: {json}");
    }
    // A file has the system of the stencil that it was written from.
    folder.run("solve --stencil jump7:6x5x4:cell=2 --write-matrix a.mtx --output x.npy").ended(0);
    let n = 120;
    let b: Vec<f64> = (0..n).map(|i| f64::from(i * 37 % 101) / 50.0 - 1.0).collect();
    side_file(&folder, "b.npy", &b);
    let solved = |system: &str, output: &str| {
        let rest = format!("--rhs b.npy --output {output} --tolerance 1e-12 --json");
        let json = folder.run(&format!("solve {system} {rest}")).ended(0).json();
        (json["grid"].clone(), vector::read_f64(folder.file(output)).unwrap().data)
    };
    let (grid, x) = solved("--stencil jump7:6x5x4:cell=2", "x1.npy");
    let (of_file, from_file) = solved("a.mtx --grid 6x5x4", "x2.npy");
    assert_eq!(grid, of_file);
    assert!(x.iter().zip(from_file).all(|(one, other)| (one - other).abs() < 1e-9));
    // The coefficients of the same system, z first.
    let k: Vec<f64> = (0..n)
        .map(|i| [i % 6, i / 6 % 5, i / 30].map(|at| at / 2).iter().sum::<i32>() % 2)
        .map(|odd| if odd == 1 { 1000.0 } else { 1.0 })
        .collect();
    let header = npy("<f8", false, "(4, 5, 6)", &doubles(&k));
    folder.write("k.npy", header);
    let (_, by_coefficient) = solved("--coefficient k.npy", "x3.npy");
    assert!(x.iter().zip(by_coefficient).all(|(one, other)| (one - other).abs() < 1e-9));
}

#[test]
fn pictures_show_a_slice() {
    let folder = Folder::new();
    let text = folder.run("solve --stencil poisson7:20x14x9 --picture x.png --slice y=3").ended(0);
    assert!(
        text.out.contains("on a grid of 20 x 14 x 9, 7-point, constant coefficients"),
        "{}",
        text.out
    );
    assert!(folder.file("x.png").is_file());
    folder.run("solve --stencil poisson7:20x14x9 --picture middle.png").ended(0);
    for (line, part) in [
        ("--stencil poisson7:5 --picture x.png --slice z=5", "z=0 to z=4, got z=5"),
        ("--stencil poisson7:5 --picture x.png --slice w=1", "as z=10"),
        ("--stencil poisson7:5 --slice z=1", "--picture"),
        ("--stencil poisson5:5 --picture x.png --slice z=1", "has two"),
    ] {
        let error = folder.run(&format!("solve {line}")).ended(2).err;
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_grid_of_three_dimensions_is_said() {
    let folder = Folder::new();
    folder
        .write("far.mtx", "%%MatrixMarket matrix coordinate real general\n40 40 2\n1 1 1\n1 3 2\n");
    let zero = npy("<f8", false, "(1, 1, 2)", &doubles(&[1.0, 0.0]));
    folder.write("zero.npy", zero);
    for (line, part) in [
        ("--stencil poisson7:5x4", "XxYxZ"),
        ("far.mtx --grid 5x4x3", "60 rows and columns"),
        ("far.mtx --grid 5x4", "40x30x20"),
        ("--coefficient zero.npy", "x 1, y 0, z 0"),
        ("--stencil poisson7:5 --smoother line-jacobi --preconditioner multigrid", "jacobi"),
        ("--stencil poisson7:5 --method fft", "has three"),
    ] {
        let error = folder.run(&format!("solve {line}")).ended(2).err;
        assert!(error.contains(part), "{line}: {error}");
    }
}
