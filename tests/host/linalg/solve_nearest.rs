//! What an iteration returns that does not reach its tolerance: the iterate with the least residual, none that is worse
//! than the first x, and why it ended.

use crate::linalg::solve_cases::{added, random, residual, rounding, rows, solver};
use quadrille::data::{Stencil, SystemMatrix};
use quadrille::linalg::solve::{
    Ending, Error, Method, Options, Precision, Preconditioner, Session, Side, Solution, Solved,
};

/// Two unknowns, symmetric and positive definite, with this condition.
fn two(condition: f64, seed: u64) -> SystemMatrix {
    let (sine, cosine) = (random(1, seed)[0] * std::f64::consts::PI).sin_cos();
    let entry = |first: f64, second: f64| first * first * condition + second * second;
    let beside = sine * cosine * (condition - 1.0);
    let entries =
        [(0, 0, entry(cosine, sine)), (0, 1, beside), (1, 0, beside), (1, 1, entry(sine, cosine))];
    rows(2, entries)
}

/// A system by which conjugate gradients ran away once rounding was all that was left.
fn at_the_end_of_rounding() -> (SystemMatrix, Vec<f64>) {
    let (diagonal, beside) = (2.1544908263694884, -2.1544808263694883);
    let entries = [(0, 0, diagonal), (0, 1, beside), (1, 0, beside), (1, 1, diagonal)];
    (rows(2, entries), vec![-1.8735585944570359, 1.8735722681791644])
}

/// Solves, and has the residual of what is returned computed here.
fn solved(matrix: &SystemMatrix, b: &[f64], options: Options) -> Option<Solved> {
    let mut session = Session::new(solver(matrix, options)?).unwrap();
    let solved = session.solve([Ok(Side::new(b))], &mut ()).unwrap();
    let solution = solved.reached().next().unwrap();
    let own = residual(matrix, &solution.x, b);
    let told = solution.residual;
    let bound = rounding(matrix, &solution.x, b);
    assert!((told - own).abs() <= bound, "{told:e}, not {own:e}: {options:?}");
    assert!(told <= 1.0 && solution.reached_at <= solution.iterations, "{solution:?} {options:?}");
    Some(solved)
}

#[test]
fn the_nearest_iterate_is_returned_where_the_residual_falls_no_further() {
    let (mut ended, mut most) = (0, 0);
    let random = |seed: u64| {
        let condition = 10.0_f64.powf(3.5 + 2.0 * random(1, seed + 7)[0]);
        (two(condition, seed), random(2, seed + 1))
    };
    for (matrix, b) in std::iter::once(at_the_end_of_rounding()).chain((0..3000).map(random)) {
        for tolerance in [1e-9, 1e-13, 0.0] {
            let solved = solved(&matrix, &b, Options::new().tolerance(tolerance)).unwrap();
            let solution = solved.reached().next().unwrap();
            let Solution { residual, iterations, reached_at, .. } = *solution;
            // Rounding of x alone leaves less than the condition times 1e-16.
            assert!(residual <= 1e-9, "{residual:e} {b:?}");
            let Some(error) = solved.failed().next() else { continue };
            assert_eq!(solution.ending, Ending::Stagnated, "{error}");
            let text = error.to_string();
            assert!(
                text.starts_with("the residual falls no further")
                    && text.contains(&format!("{residual:.3e}")),
                "{text}"
            );
            let place = format!("it was least after {reached_at} of {iterations} iterations");
            assert!(reached_at == iterations || text.contains(&place), "{text}");
            (ended, most) = (ended + 1, most.max(iterations));
        }
    }
    // Many do end so, and soon.
    assert!(ended > 1000 && most < 600, "{ended} {most}");
}

/// Matrices that methods are not for: of random entries, indefinite, far from dominant, singular, as large in other units.
fn unsuitable() -> Vec<(String, SystemMatrix)> {
    let mut found = Vec::new();
    for (seed, n) in [(1, 3), (2, 10), (3, 42), (4, 60)] {
        let numbers = random(n * n, seed);
        let all = |at: &dyn Fn(usize, usize) -> f64| {
            let places = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
            rows(n, places.map(|(row, column)| (row, column, at(row, column))))
        };
        let number = |row: usize, column: usize| numbers[row * n + column];
        found.push((format!("random {n}"), all(&number)));
        found.push((format!("symmetric {n}"), all(&|i, j| number(i.min(j), i.max(j)))));
        found.push((
            format!("skew {n}"),
            all(&|i, j| number(i, j) - number(j, i) + f64::from(u8::from(i == j))),
        ));
        found.push((
            format!("units {n}"),
            all(&|i, j| number(i, j) * 10.0_f64.powi((i % 13) as i32 - 6)),
        ));
        found.push((
            format!("growing {n}"),
            all(&|i, j| if i == j { 1.0 } else { 0.5 * number(i, j) }),
        ));
        found.push((format!("rank one {n}"), all(&|i, j| number(0, i) * number(1, j))));
    }
    let indefinite = "poisson5:13x9".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let shifted = added(&indefinite.into(), -1.3).unwrap();
    found.push(("shifted".into(), shifted));
    for text in ["convection:17:peclet=40", "fe9:12x15:anisotropy=0.001:angle=30", "random:12"] {
        found.push((text.into(), text.parse::<Stencil>().unwrap().matrix_f64().unwrap().into()));
    }
    found
}

#[test]
fn no_method_returns_what_is_worse_than_the_first_x() {
    let mut unsolved = 0;
    for (name, matrix) in unsuitable() {
        for method in Method::ALL {
            for preconditioner in Preconditioner::ALL {
                for (precision, tolerance) in [(Precision::Mixed, 1e-12), (Precision::Single, 1e-7)]
                {
                    let options = Options::new().method(method).preconditioner(preconditioner);
                    let options = options.precision(precision).tolerance(tolerance).iterations(500);
                    let b = random(matrix.n(), 9);
                    let Some(solved) = solved(&matrix, &b, options) else { continue };
                    let solution = solved.reached().next().unwrap();
                    unsolved += usize::from(!solution.converged());
                    // From where it ended, and from far off, it gets no further away.
                    let far: Vec<f64> = random(matrix.n(), 5).iter().map(|x| 1e3 * x).collect();
                    for first in [&solution.x, &far] {
                        let mut solver = solver(&matrix, options).unwrap();
                        let next = solver
                            .solve_from(&b, first, &mut ())
                            .or_else(Error::into_nearest)
                            .unwrap();
                        let (before, after) =
                            (residual(&matrix, first, &b), residual(&matrix, &next.x, &b));
                        let bound = rounding(&matrix, first, &b) + rounding(&matrix, &next.x, &b);
                        assert!(
                            after <= before + bound,
                            "{name}: {after:e} from {before:e}, {options:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(unsolved > 300, "{unsolved}");
}
