//! The method fft against its twin, at awkward sizes and with all sides: the residual that this test
//! computes itself, and the distance from the twin, which follows from it.

use crate::common::twins::direct;
use crate::common::{each, on_extremes};
use quadrille::data::{Band, ConstantOperator, NineBanded, Side, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{
    Ending, Error, Method, Options, Precision, Preconditioner, ResidualOn, Solution, Solver,
};
use quadrille::{Context, Kind, Shape, data};

const TOLERANCE: f64 = 1e-12;

const SIZES: [(usize, usize); 6] = [(3, 1), (3, 2), (4, 3), (8, 7), (17, 19), (33, 9)];

/// The couplings of a definite operator that differ from each other.
const COUPLINGS: [f64; 4] = [5.0, -1.25, -0.5, -0.125];
/// Those of one whose rows have the sum zero.
const LAPLACE: [f64; 4] = [3.5, -1.25, -0.5, 0.0];

fn options() -> Options {
    Options::new().tolerance(TOLERANCE).method(Method::Fft)
}

fn all_sides() -> impl Iterator<Item = [Side; 2]> {
    Side::ALL.into_iter().flat_map(|x| Side::ALL.map(|y| [x, y]))
}

fn operator(size: (usize, usize), couplings: [f64; 4], sides: [Side; 2]) -> ConstantOperator {
    ConstantOperator::new(size.0, size.1, couplings, sides).unwrap()
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + 3 * i) % 101) as f64 / 50.0 - 1.0).collect()
}

/// The end of a solution without its numbers.
fn told(solution: &Solution) -> String {
    let Solution { ending, iterations, residual, .. } = solution;
    format!("{ending} after {iterations} iterations, residual {residual:e}")
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn difference(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

/// b - A x by the rows of the matrix.
fn residual(operator: &ConstantOperator, x: &[f64], b: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; b.len()];
    operator.csr().unwrap().add_product(x, &mut product);
    difference(b, &product)
}

fn solve(context: &Context, operator: &ConstantOperator, b: &[f64], options: Options) -> Solution {
    Solver::<f64>::of_constant(context, operator, options)
        .unwrap()
        .solve(b)
        .or_else(Error::into_nearest)
        .unwrap()
}

/// What an x may be off the exact one, by its residual: the residual, and the rounding of the
/// products with which it and b are computed, over the least eigenvalue but zero.
fn bound(operator: &ConstantOperator, x: &[f64], b: &[f64]) -> f64 {
    let ((width, height), [side_x, side_y]) = (operator.points(), operator.sides());
    let (of_x, of_y) = (direct::modes(side_x, width), direct::modes(side_y, height));
    let all = of_x.iter().flat_map(|x| of_y.iter().map(move |y| (x.0, y.0)));
    let values = all.map(|(x, y)| direct::eigenvalue(operator, x, y).abs());
    let least = values.filter(|value| *value > 1e-13).fold(f64::INFINITY, f64::min);
    let sizes: f64 = operator.couplings().into_iter().map(f64::abs).sum::<f64>() * 4.0;
    let sums = (width + height) as f64;
    let rounding = sums * f64::EPSILON * (sizes * norm(x) + norm(b));
    (norm(&residual(operator, x, b)) + rounding) / least
}

#[test]
fn solutions_are_those_of_the_twin_with_all_sides() {
    on_extremes(|context| {
        // All pairs of sides at one size; at the others three, which have each along both axes.
        let pairs = |size| {
            let rows = [(0, 1), (1, 2), (2, 0)].map(|(x, y)| [Side::ALL[x], Side::ALL[y]]);
            let all: Vec<[Side; 2]> = match size {
                (8, 7) => all_sides().collect(),
                _ => rows.to_vec(),
            };
            all.into_iter().map(move |sides| (size, sides))
        };
        for (at, (size, sides)) in SIZES.into_iter().flat_map(pairs).enumerate() {
            let couplings = if at % 2 == 0 { COUPLINGS } else { LAPLACE };
            let operator = operator(size, couplings, sides);
            // In the range of a singular operator.
            let b = operator.multiply_f64(&numbers(operator.n()));
            let what = format!("{size:?}, {sides:?}");
            let solution = solve(context, &operator, &b, options());
            assert!(
                solution.converged() && solution.iterations <= 3,
                "{what}: {}",
                told(&solution)
            );
            let own = norm(&residual(&operator, &solution.x, &b)) / norm(&b);
            assert!(own <= 2.0 * TOLERANCE, "{what}: {own:e}");
            let exact = direct::solve(&operator, &b, |_, eigenvalue| eigenvalue);
            let error = norm(&difference(&solution.x, &exact));
            let bound = bound(&operator, &solution.x, &b);
            assert!(error <= bound, "{what}: {error:e}, {bound:e}");
            if operator.has_constant_null_space() {
                let mean = solution.x.iter().sum::<f64>() / b.len() as f64;
                assert!(mean.abs() < 1e-14, "{what}: {mean:e}");
            }
        }
    });
}

#[test]
fn planted_faults_are_seen() {
    let context = Context::headless().unwrap();
    let size = (17, 12);
    for sides in all_sides() {
        let operator = operator(size, COUPLINGS, sides);
        let b = operator.multiply_f64(&numbers(operator.n()));
        let solution = solve(&context, &operator, &b, options());
        let bound = bound(&operator, &solution.x, &b);
        let is_near = |other: &[f64]| norm(&difference(&solution.x, other)) <= bound;
        assert!(is_near(&direct::solve(&operator, &b, |_, eigenvalue| eigenvalue)));
        // An eigenvalue that is off: of the first, the last, and one in the middle.
        for wrong in [[0, 0], [16, 11], [7, 5]] {
            let off = |mode, value| if mode == wrong { value * (1.0 + 1e-6) } else { value };
            assert!(!is_near(&direct::solve(&operator, &b, off)), "{sides:?}, {wrong:?}");
        }
        // A side that is another, and sides that were exchanged.
        for swapped in all_sides().filter(|swapped| *swapped != sides) {
            let other = ConstantOperator::new(size.0, size.1, COUPLINGS, swapped).unwrap();
            assert!(
                !is_near(&direct::solve(&other, &b, |_, value| value)),
                "{sides:?}, {swapped:?}"
            );
        }
    }
}

#[test]
fn each_step_of_32_bits_takes_most_of_the_error() {
    each(|context| {
        // A smooth right-hand side, whose solution is large beside it.
        let operator =
            operator((255, 130), [4.0, -1.0, -1.0, 0.0], [Side::Dirichlet, Side::Periodic]);
        let b = vec![1.0; operator.n()];
        let single = solve(context, &operator, &b, options().precision(Precision::Single));
        assert_eq!((single.iterations, single.ending), (1, Ending::Stagnated));
        assert!(single.residual < 0.1, "{:e}", single.residual);
        // To 1e-12 rounding in double precision is in the way, of an x that is 8000 times as large as b.
        let mixed = solve(context, &operator, &b, options().tolerance(1e-10));
        assert!(mixed.converged() && mixed.iterations <= 3, "{}", told(&mixed));
        let error = norm(&difference(&single.x, &mixed.x)) / norm(&mixed.x);
        assert!(error > 0.0 && error < 1e-5, "{error:e}");
    });
}

#[test]
fn matrices_of_nine_bands_are_solved_as_by_multigrid() {
    let context = Context::headless().unwrap();
    let by = multigrid::Options::new();
    for text in [
        "poisson5:60x45",
        "neumann5:31x40",
        "fe9:40x33:anisotropy=0.1:sides=neumann",
        "heat9:50x20:step=3:sides=neumann+dirichlet",
    ] {
        let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let b = matrix.multiply_f64(&numbers(matrix.n()));
        let mut solver = Solver::new(&context, &matrix, options()).unwrap();
        let solution = solver.solve(&b).unwrap();
        assert_eq!(solver.choice().method, Method::Fft);
        let other = Options::new()
            .tolerance(TOLERANCE)
            .method(Method::Cg)
            .preconditioner(Preconditioner::Multigrid(by));
        let mut other = Solver::new(&context, &matrix, other).unwrap();
        let expected = other.solve(&b).unwrap();
        let error = norm(&difference(&solution.x, &expected.x)) / norm(&expected.x);
        assert!(error < 1e-8, "{text}: {error:e}");
        // A matrix that is stored is found to be constant.
        let mut stored = Solver::new(&context, &matrix.stored().unwrap(), options()).unwrap();
        assert_eq!(stored.solve(&b).unwrap().x, solution.x);
    }
    // Large and small numbers, an x0, and a grid on the device.
    let matrix = "poisson5:20x9".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let bands = Band::ALL.map(|band| matrix.band(band).iter().map(|a| 1e-30 * a).collect());
    let small = NineBanded::new(20, bands).unwrap();
    let x = numbers(180);
    let mut solved = Solver::new(&context, &small, options()).unwrap();
    let solution = solved.solve(&small.multiply_f64(&x)).unwrap();
    assert!(norm(&difference(&solution.x, &x)) < 1e-9 * norm(&x));
    let again = solved.solve_from(&small.multiply_f64(&x), &solution.x, &mut ()).unwrap();
    assert_eq!((again.iterations, again.converged()), (0, true));
}

#[test]
fn grids_on_the_device_are_solved_for_with_periodic_sides() {
    on_extremes(|context| {
        let operator = operator((37, 23), COUPLINGS, [Side::Periodic, Side::Neumann]);
        let options = Options::new().tolerance(1e-5);
        let mut solver = Solver::<f64>::of_constant(context, &operator, options).unwrap();
        let plan = solver.plan().unwrap().clone();
        let b: Vec<f32> = numbers(operator.n()).iter().map(|b| *b as f32).collect();
        let b = DeviceGrid::from_host(context, &plan, &b).unwrap();
        let mut x = DeviceGrid::zeros(context, &plan).unwrap();
        let solution = solver.solve_on_device(&b, &mut x).unwrap();
        assert!(solution.converged(), "{}", told(&solution));
        let wide = |grid: &DeviceGrid| -> Vec<f64> {
            grid.read().unwrap().into_iter().map(f64::from).collect()
        };
        let r = residual(&operator, &wide(&x), &wide(&b));
        assert!(norm(&r) <= 1e-5 * norm(&wide(&b)), "{:e}", norm(&r));
    });
}

#[test]
fn right_hand_sides_without_a_solution_are_refused_by_how_much() {
    let context = Context::headless().unwrap();
    let ring = operator((12, 9), LAPLACE, [Side::Periodic, Side::Neumann]);
    let mut b = ring.multiply_f64(&numbers(ring.n()));
    let mut solver =
        Solver::<f64>::of_constant(&context, &ring, options().tolerance(1e-8)).unwrap();
    assert!(solver.has_constant_null_space());
    // What is below the tolerance is subtracted, and said.
    let tiny = 1e-10 * norm(&b);
    b.iter_mut().for_each(|b| *b += tiny);
    let solution = solver.solve(&b).unwrap();
    assert!(solution.removed_mean.is_some_and(|mean| (mean - tiny).abs() < 1e-2 * tiny));
    b.iter_mut().for_each(|b| *b += 0.5);
    let error = solver.solve(&b).unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    let text = error.to_string();
    assert!(
        text.contains("the mean of the right-hand side is 5.00")
            && text.contains("the tolerance and rounding allow 1.000e-8"),
        "{text}"
    );
    let options = options().tolerance(1e-8).project(true);
    let mut projecting = Solver::<f64>::of_constant(&context, &ring, options).unwrap();
    let solution = projecting.solve(&b).unwrap();
    let own = norm(&residual(&ring, &solution.x, &b)) / norm(&b);
    assert!((solution.residual - own).abs() < 1e-12 && own > 0.2, "{own:e}");
    assert!(solution.projected_residual.is_some_and(|told| told <= 1e-8));
    // Of zeros x is zero.
    let zero = solver.solve(&vec![0.0; ring.n()]).unwrap();
    assert!(zero.converged() && zero.x.iter().all(|x| *x == 0.0));
}

/// A number on the diagonal that 32-bit floats hold beside zero: not singular, and no solution that is none.
#[test]
fn a_small_sum_of_rows_is_an_eigenvalue() {
    let context = Context::headless().unwrap();
    for sides in [[Side::Periodic, Side::Neumann], [Side::Neumann; 2]] {
        for shift in [1e-15, 1e-14, -1e-14, 1e-9] {
            let [middle, others @ ..] = LAPLACE;
            let [x, y, corner] = others;
            let near = operator((12, 9), [middle + shift, x, y, corner], sides);
            let inside = near.multiply_f64(&numbers(near.n()));
            let mut solver = Solver::<f64>::of_constant(&context, &near, options()).unwrap();
            assert!(!solver.has_constant_null_space(), "{shift:e}");
            for b in [inside, vec![1.0; near.n()]] {
                let solution = solver.solve(&b).or_else(Error::into_nearest).unwrap();
                let own = norm(&residual(&near, &solution.x, &b)) / norm(&b);
                assert!(own <= 1.0 && (!solution.converged() || own <= 2.0 * TOLERANCE), "{own:e}");
            }
        }
    }
}

#[test]
fn what_has_no_such_modes_is_refused_with_numbers() {
    let context = Context::headless().unwrap();
    let refused = |text: &str| {
        let matrix = text.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let error = Solver::new(&context, &matrix, options()).err().unwrap();
        assert_eq!(error.kind(), Kind::Input);
        error.to_string()
    };
    let text = refused("convection:9");
    assert!(text.contains("is coupled by") && text.contains("to the point at (-1, -1)"), "{text}");
    let text = refused("jump:64:cell=8");
    assert!(text.contains("the entry in row") || text.contains("is coupled by"), "{text}");
    let coefficients: Vec<f64> = numbers(20).iter().map(|number| 2.0 + number).collect();
    let diffusion = data::diffusion(Shape::new(4, 5), &coefficients).unwrap();
    let text = Solver::new(&context, &diffusion, options()).err().unwrap().to_string();
    assert!(text.contains("expected the same couplings at every point"), "{text}");
    // 2 cos(pi / 3) = 1: a mode with the eigenvalue zero, which is not that of constants.
    let singular = operator((5, 2), [1.0, -1.0, 0.0, 0.0], [Side::Dirichlet, Side::Periodic]);
    let error = Solver::<f64>::of_constant(&context, &singular, options()).err().unwrap();
    assert!(matches!(error, Error::SingularMode { mode: [1, 0], .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("mode 1 along x and 0 along y"), "{text}");

    let ring = operator((8, 8), COUPLINGS, [Side::Periodic; 2]);
    let of_ring = |options| Solver::<f64>::of_constant(&context, &ring, options).err().unwrap();
    let text = of_ring(Options::new().method(Method::Cg)).to_string();
    assert!(
        text.contains("cg needs a matrix of nine bands") && text.contains("method fft"),
        "{text}"
    );
    assert!(matches!(of_ring(options().residual_on(ResidualOn::Device)), Error::NoDoubles));
    let with = options().preconditioner(Preconditioner::Jacobi);
    assert!(matches!(of_ring(with), Error::NoPreconditioner { preconditioner: "jacobi" }));
    let matrix = "poisson5:9".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    assert!(matches!(Solver::on_host(&matrix, options()), Err(Error::NotOnHost)));
    let by_rows = ring.csr().unwrap();
    assert!(matches!(Solver::of_csr(&context, &by_rows, options()), Err(Error::NotConstant)));
    // By its rows conjugate gradients solve it.
    let b = ring.multiply_f64(&numbers(64));
    let other = Options::new().tolerance(TOLERANCE);
    let expected = Solver::of_csr(&context, &by_rows, other).unwrap().solve(&b).unwrap();
    let solution = solve(&context, &ring, &b, options());
    assert!(norm(&difference(&solution.x, &expected.x)) < 1e-10 * norm(&expected.x));
}
