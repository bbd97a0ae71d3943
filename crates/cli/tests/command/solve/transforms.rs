//! `quadrille solve --method fft`: every kind of sides, against the rows that the command itself writes, and what is refused.

use quadrille::io::vector;

use super::side_file;
use crate::runner::Folder;

/// The entries of a file of rows, each with its mirror image where the file has the lower triangle.
fn entries(text: &str) -> Vec<(usize, usize, f64)> {
    let mut lines = text.lines();
    let symmetric = lines.next().unwrap().ends_with("symmetric");
    let numbers = lines.filter(|line| !line.starts_with('%')).skip(1);
    numbers
        .flat_map(|line| {
            let [i, j, a] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let [i, j] = [i, j].map(|place| place.parse::<usize>().unwrap() - 1);
            let entry = (i, j, a.parse().unwrap());
            [Some(entry), (symmetric && i != j).then_some((j, i, entry.2))].into_iter().flatten()
        })
        .collect()
}

fn product(entries: &[(usize, usize, f64)], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for (i, j, a) in entries {
        y[*i] += a * x[*j];
    }
    y
}

/// The solutions are those of the rows that the command writes of the same operator.
#[test]
fn transforms_solve_with_other_sides() {
    for (system, n) in [
        ("poisson5:16x9:sides=periodic+dirichlet", 144),
        ("fe9:12x15:anisotropy=0.1:sides=neumann", 180),
    ] {
        let folder = Folder::new();
        folder.run(&format!("solve --stencil {system} --method fft --write-matrix a.mtx")).ended(0);
        let a = entries(&std::fs::read_to_string(folder.file("a.mtx")).unwrap());
        let mut known: Vec<f64> = (0..n).map(|i| (i * 37 % 101) as f64 / 50.0 - 1.0).collect();
        let mean = known.iter().sum::<f64>() / n as f64;
        known.iter_mut().for_each(|x| *x -= mean);
        side_file(&folder, "b.npy", &product(&a, &known));
        let rest = "--method fft --rhs b.npy --output x.npy --tolerance 1e-12 --json";
        let json = folder.run(&format!("solve --stencil {system} {rest}")).ended(0).json();
        assert_eq!(json["method"], "fft", "{system}");
        let x = vector::read_f64(folder.file("x.npy")).unwrap().data;
        assert!(x.iter().zip(&known).all(|(x, known)| (x - known).abs() < 1e-9), "{system}");
    }
}

#[test]
fn what_transforms_do_not_solve_is_said() {
    let folder = Folder::new();
    let run = folder.run("solve --method fft --stencil poisson5:9x7 --preconditioner jacobi");
    run.ended(2).says("leave one of them out");
    let run = folder.run("solve --method mgcg --stencil poisson5:9x7:sides=periodic").ended(2);
    run.says("solve by the method fft");
}
