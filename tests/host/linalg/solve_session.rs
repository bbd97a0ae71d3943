//! Several right-hand sides in one session: what is recorded, counted and named.

use crate::linalg::solve_cases::{random, residual, solver};
use quadrille::data::{Stencil, SystemMatrix};
use quadrille::linalg::solve::{Ending, Error, Method, Options, Preconditioner, Session, Side};
use quadrille::linalg::solve::{Solver, Times};
use quadrille::{Control, Kind, Progress};

fn matrix() -> SystemMatrix {
    "poisson5:31x17".parse::<Stencil>().unwrap().matrix_f64().unwrap().into()
}

fn session(options: Options) -> Session<Solver<f64>> {
    Session::new(solver(&matrix(), options.preconditioner(Preconditioner::Jacobi)).unwrap())
        .unwrap()
}

#[test]
fn sides_are_solved_one_after_the_other_and_recorded() {
    let (matrix, mut session) = (matrix(), session(Options::new().tolerance(1e-10)));
    let (b, c) = (random(matrix.n(), 1), random(matrix.n(), 2));
    let alone = session.solve([Ok(Side::new(&b))], &mut ()).unwrap();
    let x0 = alone.sides[0].as_ref().unwrap().x.clone();
    let sides = [Side::new(&b), Side::new(&c), Side::new(&b).x0(&x0)];
    let solved = session.solve(sides.map(Ok), &mut ()).unwrap();
    assert!(solved.converged() && !solved.stopped() && solved.failed().count() == 0);
    for (solution, b) in solved.reached().zip([&b, &c, &b]) {
        let own = residual(&matrix, &solution.x, b);
        assert!(own <= 1e-10 && (own - solution.residual).abs() < 1e-14, "{own:e}");
    }
    let of = |side: usize| solved.looks.iter().filter(move |look| look.side == side);
    for (side, solution) in solved.reached().enumerate() {
        let last = of(side).next_back().unwrap();
        assert_eq!((last.iteration, last.residual), (solution.iterations, solution.residual));
    }
    // That of zeros is known; that of an x0 is not.
    assert!((0..2).all(|side| of(side).next().map(|look| look.residual) == Some(1.0)));
    assert_eq!((of(0).next().unwrap().iteration, of(2).count()), (0, 1));
    let iterations: Vec<u64> = solved.reached().map(|solution| solution.iterations).collect();
    assert!(iterations[0] > 10 && iterations[2] == 0, "{iterations:?}");
    assert_eq!(solved.iterations(), iterations.iter().sum::<u64>());
    let mut times = Times::default();
    solved.reached().for_each(|solution| times += solution.times);
    assert!(solved.times() == times && solved.setup == session.solver().setup_times());
}

#[test]
fn what_does_not_converge_is_an_error_with_a_name_and_the_next_is_solved() {
    let mut session = session(Options::new().tolerance(1e-10).iterations(5));
    let (b, zero) = (random(31 * 17, 1), vec![0.0; 31 * 17]);
    let sides = || [Side::new(&b).named("the first"), Side::new(&zero).named("the second")];
    let solved = session.solve(sides().map(Ok), &mut ()).unwrap();
    let [Err(error), Ok(zeros)] = &solved.sides[..] else { panic!("{:?}", solved.sides) };
    assert!(zeros.x.iter().all(|x| *x == 0.0));
    assert_eq!((error.kind(), error.solution.ending), (Kind::Failed, Ending::Iterations));
    assert_eq!(error.solution.iterations, 5);
    let own = residual(&matrix(), &error.solution.x, &b);
    assert!((own - error.solution.residual).abs() < 1e-14 && own > 1e-10, "{own:e}");
    let text = error.to_string();
    assert!(text.starts_with("the first: after 5 iterations the residual is "), "{text}");
    assert!(!solved.converged() && solved.residual() == error.solution.residual);
    // x is not in it.
    assert!(format!("{error:?}").len() < 200, "{error:?}");

    let wrong = [Ok(Side::new(&b[1..]).named("the third"))];
    let error = session.solve(wrong, &mut ()).unwrap_err();
    assert!(error.to_string().starts_with("the third: the right-hand side has 526 numbers"));
    assert!(matches!(error, Error::Side(_)) && error.kind() == Kind::Input, "{error}");
}

#[test]
fn the_one_that_is_stopped_is_the_last() {
    let mut session = session(Options::new().tolerance(1e-10).method(Method::Cg));
    let b = random(31 * 17, 1);
    let mut looks = 0;
    let mut third = |_: &Progress| {
        looks += 1;
        if looks == 3 { Control::Stop } else { Control::Continue }
    };
    let solved = session.solve([(); 3].map(|()| Ok(Side::new(&b))), &mut third).unwrap();
    assert!(solved.stopped() && solved.sides.len() == 1, "{:?}", solved.sides);
    assert_eq!(solved.sides[0].as_ref().unwrap_err().kind(), Kind::Cancelled);
}

/// What goes on from another run has its iterations in all that is told.
#[test]
fn iterations_of_another_run_are_counted() {
    let mut session = session(Options::new().tolerance(1e-10));
    let b = random(31 * 17, 1);
    let x0 = vec![0.5; b.len()];
    let mut told = Vec::new();
    let mut tell = |progress: &Progress| {
        told.push(progress.done);
        Control::Continue
    };
    let plain = session.solve([Ok(Side::new(&b).x0(&x0))], &mut ()).unwrap();
    let solved = session.solve([Ok(Side::new(&b).x0(&x0).after(1000))], &mut tell).unwrap();
    assert_eq!(solved.iterations(), 1000 + plain.iterations());
    assert!(told.iter().all(|done| *done > 1000) && told.len() > 2, "{told:?}");
    assert!(solved.looks.iter().all(|look| look.iteration > 1000));
    let reached = |one: &quadrille::linalg::solve::Solved| one.reached().next().unwrap().reached_at;
    assert_eq!(reached(&solved), 1000 + reached(&plain));
}
