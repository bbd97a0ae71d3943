//! `quadrille matmul` on several ranks.

use super::mpirun::{mpirun, one_error};
use crate::runner::{Folder, Run, finish};
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::expected;
use quadrille::io::npy;

fn run(folder: &Folder, ranks: usize, arguments: &str) -> Run {
    finish(mpirun(folder, ranks, &format!("matmul a.npy b.npy {arguments}")).spawn().unwrap())
}

fn folder() -> (Folder, Matrix<f32>, Matrix<f32>) {
    let folder = Folder::new();
    let a = Matrix::random(Shape::new(61, 97), 1).unwrap();
    let b = Matrix::random(Shape::new(97, 43), 2).unwrap();
    npy::write_matrix(folder.file("a.npy"), &a).unwrap();
    npy::write_matrix(folder.file("b.npy"), &b).unwrap();
    (folder, a, b)
}

#[test]
fn ranks_share_a_product() {
    let (folder, a, b) = folder();
    for (ranks, options) in [(2, ""), (3, "--ranks 3x1"), (4, "--ranks 2x2"), (6, "--memory 300K")]
    {
        let json = run(&folder, ranks, &format!("{options} --output c.npy --json")).ended(0).json();
        assert_eq!(json["ranks"]["count"], ranks, "{json}");
        assert_eq!(json["c"], serde_json::json!([61, 43]));
        let (c, _) = npy::read_matrix::<f32>(folder.file("c.npy")).unwrap();
        let comparison = expected(&a, &b).unwrap().compare(&c);
        assert!(comparison.is_right(), "{ranks} {options}: {comparison:?}");
        std::fs::remove_file(folder.file("c.npy")).unwrap();
        assert_eq!(folder.names(), ["a.npy", "b.npy"], "no temporary file stays");
    }
}

/// The sum of no terms is 0.
#[test]
fn a_product_without_terms_is_zero() {
    let folder = Folder::new();
    npy::write(folder.file("a.npy"), &[3, 0], &[]).unwrap();
    npy::write(folder.file("b.npy"), &[0, 5], &[]).unwrap();
    run(&folder, 2, "--output c.npy").ended(0);
    assert_eq!(npy::read(folder.file("c.npy")).unwrap().data, [0.0; 15]);
}

#[test]
fn what_ranks_cannot_multiply_is_refused() {
    let (folder, ..) = folder();
    npy::write(folder.file("row.npy"), &[1, 61], &[0.0; 61]).unwrap();
    for (arguments, text) in [
        ("matmul a.npy b.npy --ranks 3x1", "--ranks 3x1 needs 3 processes, but there are 2"),
        (
            "matmul a.npy b.npy --check",
            "--check compares with matrices in the memory of one process",
        ),
        (
            "matmul b.npy a.npy",
            "the inner dimensions differ: A is a 97 x 43 matrix and B is a 61 x 97 matrix",
        ),
        ("matmul row.npy a.npy --ranks 1x2", "cannot share the 1 rows of C"),
        ("matmul a.npy none.npy", "none.npy: cannot read it: No such file"),
        ("matmul a.npy b.npy --output c.mtx", "c.mtx: "),
    ] {
        let run = finish(mpirun(&folder, 2, arguments).spawn().unwrap()).ended(2);
        one_error(&run, text);
    }
    assert_eq!(folder.names(), ["a.npy", "b.npy", "row.npy"]);
}
