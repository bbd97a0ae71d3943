//! Systems whose null space is the constants: the residual is of the right-hand side that was given, one without a
//! solution is refused or loses its mean where that was asked for, and nothing else is taken for such a system.

use crate::linalg::solve_cases::{added, norm, product, random, residual, rows, solver};
use quadrille::Kind;
use quadrille::data::{Stencil, Stencil3, SystemMatrix};
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Ending, Error, Method, Options, Precision, Preconditioner};

/// The Laplacian of a graph with these edges.
fn graph(n: usize, edges: impl IntoIterator<Item = (usize, usize, f64)>) -> SystemMatrix {
    let mut entries = Vec::new();
    let mut degrees = vec![0.0; n];
    for (from, to, weight) in edges {
        entries.extend([(from, to, -weight), (to, from, -weight)]);
        degrees[from] += weight;
        degrees[to] += weight;
    }
    entries.extend(degrees.into_iter().enumerate().map(|(at, degree)| (at, at, degree)));
    rows(n, entries)
}

fn ring(n: usize, weight: impl Fn(usize) -> f64) -> SystemMatrix {
    let edges = (0..n).flat_map(|at| [(at, (at + 1) % n, 1.0), (at, (at + 7) % n, 0.5)]);
    graph(n, edges.map(|(from, to, scale)| (from, to, scale * weight(from))))
}

fn singular() -> Vec<(&'static str, SystemMatrix)> {
    let plane = |text: &str| text.parse::<Stencil>().unwrap().matrix_f64().unwrap().into();
    let space = |text: &str| text.parse::<Stencil3>().unwrap().matrix().unwrap().into();
    vec![
        ("plane", plane("neumann5:12x9")),
        ("finite elements", plane("fe9:11x8:anisotropy=0.3:sides=neumann")),
        ("space", space("poisson7:6x5x4:sides=neumann")),
        ("periodic", space("fe27:6x8x4:sides=periodic")),
        ("graph", ring(101, |_| 1.0)),
        ("weights", ring(101, |at| 0.1 + 1.0 / (3.0 + at as f64))),
        ("all", graph(40, (0..40).flat_map(|to| (0..to).map(move |from| (from, to, 1.0))))),
    ]
}

/// Every method with every preconditioner that suits the matrix, in either precision.
fn each_way(matrix: &SystemMatrix, base: Options, mut run: impl FnMut(Options)) {
    let mut ways = 0;
    for method in [Method::Cg, Method::BiCgStab, Method::Jacobi, Method::Multigrid] {
        for preconditioner in Preconditioner::ALL {
            let options = base.method(method).preconditioner(preconditioner);
            if solver(matrix, options).is_some() {
                run(options);
                ways += 1;
            }
        }
    }
    assert!(ways >= 7, "{ways}");
}

fn shifted(b: &[f64], by: f64) -> Vec<f64> {
    b.iter().map(|b| b + by).collect()
}

/// The part of a 2-norm along the constants.
fn part(b: &[f64]) -> f64 {
    b.iter().sum::<f64>().abs() / (b.len() as f64).sqrt() / norm(b.iter().copied())
}

#[test]
fn right_hand_sides_outside_of_the_range_are_refused_by_every_method() {
    for (name, matrix) in singular() {
        let inside = product(&matrix, &random(matrix.n(), 3));
        let size = norm(inside.iter().copied()) / (matrix.n() as f64).sqrt();
        let outside = [
            vec![1.0; matrix.n()],
            shifted(&inside, 0.25),
            shifted(&inside, -1e-7 * size),
            shifted(&random(matrix.n(), 4), 3.0),
        ];
        for unit in [1.0, 1e-200, 1e200] {
            for b in &outside {
                let b: Vec<f64> = b.iter().map(|b| b * unit).collect();
                each_way(&matrix, Options::new(), |options| {
                    for precision in Precision::ALL {
                        let options = options.precision(precision);
                        let mut solver = solver(&matrix, options).unwrap();
                        assert!(solver.has_constant_null_space(), "{name}");
                        let from = solver.solve_from(&b, &random(b.len(), 5), &mut ()).unwrap_err();
                        let error = solver.solve(&b).unwrap_err();
                        for error in [from, error] {
                            let Error::Inconsistent { mean, part: told, limit } = error else {
                                panic!("{name}: {error}")
                            };
                            let own = b.iter().map(|b| b / unit).sum::<f64>() / b.len() as f64;
                            assert!(
                                (mean / unit - own).abs() <= 1e-12 * own.abs() + 1e-13,
                                "{name}: {mean:e}"
                            );
                            let scaled: Vec<f64> = b.iter().map(|b| b / unit).collect();
                            assert!((told - part(&scaled)).abs() < 1e-7 * told && limit == 1e-8);
                            let text = error.to_string();
                            assert_eq!(error.kind(), Kind::Input);
                            assert!(
                                text.contains("mean of the right-hand side is")
                                    && text.contains("`project`"),
                                "{text}"
                            );
                        }
                    }
                });
            }
        }
    }
}

#[test]
fn what_rounding_leaves_of_a_mean_is_no_reason_to_refuse() {
    for (name, matrix) in singular() {
        let smooth: Vec<f64> = (0..matrix.n()).map(|at| 1e3 + (at as f64 * 0.02).sin()).collect();
        for x in [random(matrix.n(), 3), smooth] {
            let b = product(&matrix, &x);
            for tolerance in [1e-8, 1e-11] {
                let mut solver = solver(&matrix, Options::new().tolerance(tolerance)).unwrap();
                let solution = solver.solve(&b).unwrap();
                let own = residual(&matrix, &solution.x, &b);
                assert!(
                    solution.converged() && own <= tolerance * 1.001,
                    "{name}: {own:e} {:e}",
                    part(&b)
                );
                assert!(
                    (solution.residual - own).abs() <= 1e-13,
                    "{name}: {own:e} {:e}",
                    solution.residual
                );
                assert_eq!(
                    (solution.projected_residual, solution.removed_mean),
                    (None, None),
                    "{name}"
                );
            }
            // What no x reaches is told: rounding of b, and not its mean, is the reason.
            let mut exact = solver(&matrix, Options::new().tolerance(0.0)).unwrap();
            let solution = exact.solve(&b).or_else(Error::into_nearest).unwrap();
            let is_exact = solution.residual == 0.0;
            assert_eq!(
                solution.ending,
                if is_exact { Ending::Converged } else { Ending::Stagnated },
                "{name}"
            );
        }
    }
}

/// A mean below the tolerance is a part of the residual that is told, and what is above together is no solution.
#[test]
fn a_mean_below_the_tolerance_is_in_the_residual() {
    for (name, matrix) in singular() {
        let inside = product(&matrix, &random(matrix.n(), 3));
        let size = norm(inside.iter().copied()) / (matrix.n() as f64).sqrt();
        for share in [0.5, 0.9, 0.999] {
            let b = shifted(&inside, 1e-6 * share * size);
            let solution =
                solver(&matrix, Options::new().tolerance(1e-6)).unwrap().solve(&b).unwrap();
            let own = residual(&matrix, &solution.x, &b);
            assert!(
                (solution.residual - own).abs() < 1e-12 && own > 0.99e-6 * share,
                "{name}: {own:e}"
            );
            assert!(solution.converged() && own <= 1e-6, "{name}: {own:e}");
            assert!(solution.removed_mean.is_some());
        }
    }
}

#[test]
fn what_is_projected_has_both_residuals() {
    for (name, matrix) in singular() {
        let inside = product(&matrix, &random(matrix.n(), 3));
        let outside = [shifted(&inside, 0.25), shifted(&inside, 1e6), inside];
        for b in &outside {
            each_way(&matrix, Options::new().tolerance(1e-7).project(true), |options| {
                let mut solver = solver(&matrix, options).unwrap();
                for x0 in [None, Some(random(b.len(), 5))] {
                    let solution = match &x0 {
                        None => solver.solve(b),
                        Some(x0) => solver.solve_from(b, x0, &mut ()),
                    };
                    let solution = solution.or_else(Error::into_nearest).unwrap();
                    let mean = b.iter().sum::<f64>() / b.len() as f64;
                    let rest = shifted(b, -mean);
                    let rest = shifted(&rest, -rest.iter().sum::<f64>() / b.len() as f64);
                    let own = residual(&matrix, &solution.x, b);
                    let of_rest = residual(&matrix, &solution.x, &rest);
                    let told = solution.projected_residual.unwrap();
                    assert!(
                        (solution.residual - own).abs() <= 1e-9 * own + 1e-14,
                        "{name}: {own:e} {solution:?}"
                    );
                    // In b, to which a large mean was added, less is left of the rest.
                    let rounding = 1e-15 * norm(b.iter().copied()) / norm(rest);
                    assert!(
                        (told - of_rest).abs() <= 1e-8 * of_rest + 1e-14 + rounding,
                        "{name}: {told:e} {of_rest:e}"
                    );
                    assert_eq!(solution.converged(), told <= 1e-7, "{name}");
                    assert_eq!(solution.deciding_residual(), told);
                    if options.method != Some(Method::Jacobi) {
                        assert!(solution.converged(), "{name}: {told:e}, {options:?}");
                    }
                }
            });
        }
    }
}

#[test]
fn constants_have_the_projected_solution_zero() {
    for (name, matrix) in singular() {
        for value in [1.0, 0.1, -7.3e-200, 1e250] {
            let mut solver = solver(&matrix, Options::new().project(true)).unwrap();
            let solution = solver.solve(&vec![value; matrix.n()]).unwrap();
            assert!(
                solution.converged() && solution.x.iter().all(|x| *x == 0.0),
                "{name} {value:e}: {solution:?}"
            );
            assert_eq!(solution.projected_residual, Some(0.0));
            assert!((solution.residual - 1.0).abs() < 1e-14, "{name}: {}", solution.residual);
        }
        let mut solver = solver(&matrix, Options::new()).unwrap();
        let zero = solver.solve(&vec![0.0; matrix.n()]).unwrap();
        assert!(zero.converged() && zero.residual == 0.0 && zero.x.iter().all(|x| *x == 0.0));
    }
}

/// A small number on the diagonal makes the matrix regular: its solution, or the truth, whatever b is.
#[test]
fn a_matrix_that_is_nearly_singular_is_not_taken_for_singular() {
    for (name, matrix) in singular() {
        // Of the other weights what is on the diagonal is within what their sum is rounded by.
        for shift in [1e-15, 1e-14, 1e-10, 1e-3] {
            let is_lost =
                shift < 1e-13 && matches!(name, "weights" | "finite elements" | "periodic");
            if is_lost && shift < 1e-14 {
                continue;
            }
            let Some(near) = added(&matrix, shift) else { continue };
            let n = near.n();
            for b in [vec![1.0; n], random(n, 4), product(&near, &random(n, 3))] {
                each_way(&near, Options::new().iterations(300), |options| {
                    let mut solver = solver(&near, options).unwrap();
                    assert!(!solver.has_constant_null_space(), "{name} + {shift:e}");
                    let solution = solver.solve(&b).or_else(Error::into_nearest).unwrap();
                    let own = residual(&near, &solution.x, &b);
                    assert!(
                        own <= 1.0 && (!solution.converged() || own <= 2e-8),
                        "{name} + {shift:e}: {own:e} {options:?}"
                    );
                    assert!(
                        (solution.residual - own).abs() <= 1e-6 * own + 0.1,
                        "{name} + {shift:e}: {own:e} {}",
                        solution.residual
                    );
                    assert_eq!(solution.removed_mean, None);
                });
            }
        }
    }
}

/// Two graphs without an edge between them: constants on each are a null space of two dimensions.
#[test]
fn what_has_more_than_constants_in_its_null_space_ends_with_the_truth() {
    let edges =
        (0..20).flat_map(|at| [(at, (at + 1) % 20, 1.0), (20 + at, 20 + (at + 3) % 20, 1.0)]);
    let matrix = graph(40, edges);
    let inside = product(&matrix, &random(40, 3));
    let mut apart = inside.clone();
    apart.iter_mut().enumerate().for_each(|(at, b)| *b += if at < 20 { 1.0 } else { -1.0 });
    each_way(&matrix, Options::new().iterations(2000), |options| {
        let mut solver = solver(&matrix, options).unwrap();
        let solution = solver.solve(&inside).or_else(Error::into_nearest).unwrap();
        let own = residual(&matrix, &solution.x, &inside);
        let may_diverge = options.method == Some(Method::Jacobi);
        assert!(may_diverge || solution.converged() && own <= 1e-8, "{own:e} {options:?}");
        let solution = solver.solve(&apart).or_else(Error::into_nearest).unwrap();
        let own = residual(&matrix, &solution.x, &apart);
        assert!(!solution.converged() && own > 0.1 && own <= 1.0, "{own:e} {options:?}");
        assert!((solution.residual - own).abs() <= 1e-6, "{own:e} {}", solution.residual);
    });
}

/// The options leave a regular matrix as it is.
#[test]
fn a_regular_matrix_projects_nothing() {
    let matrix: SystemMatrix =
        "poisson5:9".parse::<Stencil>().unwrap().matrix_f64().unwrap().into();
    let with = Preconditioner::Multigrid(multigrid::Options::new());
    let options = Options::new().preconditioner(with).project(true);
    let solution = solver(&matrix, options).unwrap().solve(&[1.0; 81]).unwrap();
    assert!(solution.converged() && residual(&matrix, &solution.x, &[1.0; 81]) <= 1e-8);
    assert_eq!((solution.projected_residual, solution.removed_mean), (None, None));
}
