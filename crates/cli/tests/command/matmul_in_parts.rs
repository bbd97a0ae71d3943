//! `quadrille matmul` of files that the memory does not hold: a small limit stands for a small
//! machine.

use crate::runner::{Folder, Run};
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::internal::reference::matmul::expected;
use quadrille::io::npy as files;

const SIZES: [usize; 3] = [151, 97, 203];
const NOTE: &str = "note: a product in memory would take 1015.5 KiB, of which 200.0 KiB may be taken: \
                    parts of the files are read as they are needed";

struct Case {
    folder: Folder,
    a: Matrix<f32>,
    b: Matrix<f32>,
}

fn case() -> Case {
    let (folder, [m, k, n]) = (Folder::new(), SIZES);
    let a = Matrix::random(Shape::new(m, k), 1).unwrap();
    let b = Matrix::random(Shape::new(k, n), 2).unwrap();
    files::write_matrix(folder.file("a.npy"), &a).unwrap();
    files::write_matrix(folder.file("b.npy"), &b).unwrap();
    Case { folder, a, b }
}

impl Case {
    fn run(&self, options: &str) -> Run {
        self.folder.run(&format!("matmul a.npy b.npy {options}"))
    }

    #[track_caller]
    fn is_right(&self) {
        let (c, _) = files::read_matrix::<f32>(self.folder.file("c.npy")).unwrap();
        let comparison = expected(&self.a, &self.b).unwrap().compare(&c);
        assert!(comparison.is_right(), "{comparison:?}");
    }
}

#[test]
fn files_larger_than_memory_are_multiplied_in_parts() {
    let case = case();
    let run = case.run("--memory 200K --output c.npy --json").ended(0);
    run.says(NOTE);
    let json = run.json();
    assert!(json["passes"].as_u64().unwrap() > 1, "{json}");
    assert_eq!(json["c"], serde_json::json!([151, 203]));
    assert_eq!(json["output"], "c.npy");
    case.is_right();
    assert_eq!(case.folder.names(), ["a.npy", "b.npy", "c.npy"], "no temporary file stays");
    // In memory nothing is said of it.
    let run = case.run("--memory 1G --output c.npy").ended(0);
    assert_eq!(run.err, "");
    case.is_right();
}

#[test]
fn other_orders_and_types_of_numbers_are_read_in_parts_too() {
    let case = case();
    // A by columns: its numbers are those of the transpose by rows. B in double precision.
    let mut bytes = std::fs::read(case.folder.file("a.npy")).unwrap();
    let at = bytes.windows(5).position(|word| word == b"False").unwrap();
    bytes[at..at + 5].copy_from_slice(b"True ");
    let numbers = bytes.len() - 4 * SIZES[0] * SIZES[1];
    bytes[numbers..].copy_from_slice(bytemuck::cast_slice(case.a.transposed().elements()));
    std::fs::write(case.folder.file("a.npy"), bytes).unwrap();
    let doubles: Vec<f64> = case.b.elements().iter().map(|x| f64::from(*x) + 1e-12).collect();
    files::write_f64(case.folder.file("b.npy"), &[SIZES[1], SIZES[2]], &doubles).unwrap();
    let run = case.run("--memory 200K --output c.npy").ended(0);
    run.says(NOTE);
    run.says("note: b.npy: its 64-bit floats were rounded to 32 bits");
    assert!(run.out.contains("in parts: the files in"), "{}", run.out);
    case.is_right();
}

#[test]
fn what_cannot_be_done_in_parts_is_refused_and_leaves_nothing() {
    let case = case();
    case.run("--memory 200K --check --output c.npy")
        .ended(2)
        .says("--check compares with matrices in memory");
    case.run("--memory 100 --output c.npy").ended(2).says("bytes of memory at least");
    case.run("--memory 2X").ended(2).says("as in 500M, 16G or 1T");
    let run = case.folder.run("matmul a.npy a.npy --memory 200K --output c.npy").ended(2);
    run.says("A needs as many columns as B has rows");
    assert_eq!(case.folder.names(), ["a.npy", "b.npy"]);
}
