//! The solver on the host, in 32-bit floats corrected in double precision, beside conjugate
//! gradients in double precision.

use quadrille::data::{Band, Float, NineBanded, SplitMix64, Stencil};
use quadrille::internal::reference::jacobi::residual_f64;
use quadrille::linalg::krylov::{self, Cg, HostSpace, Method as _, Space};
use quadrille::linalg::multigrid::{self, CoarsenAlong};
use quadrille::linalg::solve::{
    Ending, Error, Method, NamedMethod, NotConverged, Options, Precision, Preconditioner, Solver,
    Why,
};
use quadrille::{Control, Kind, Progress};

fn stencil(text: &str) -> NineBanded {
    text.parse::<Stencil>().unwrap().matrix().unwrap()
}

/// Numbers in -1 to 1, the same in each run.
fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut bits = SplitMix64::new(seed);
    (0..count).map(|_| (bits.next() >> 40) as f64 / 2.0_f64.powi(23) - 1.0).collect()
}

/// A five-point matrix in divergence form: the coefficient of each cell, harmonic means on the
/// faces, and what is outside at the boundary: the cell's own coefficient, or nothing.
fn divergence(
    side: usize,
    dirichlet: bool,
    coefficient: impl Fn(usize, usize) -> f64,
) -> NineBanded<f64> {
    let mut bands = Band::ALL.map(|_| vec![0.0; side * side]);
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let row = y * side + x;
        let here = coefficient(x, y);
        let inside = [
            (Band::DU, x + 1 < side, x + 1, y),
            (Band::DL, x > 0, x.wrapping_sub(1), y),
            (Band::UD, y + 1 < side, x, y + 1),
            (Band::LD, y > 0, x, y.wrapping_sub(1)),
        ];
        for (band, is_inside, x, y) in inside {
            let there = if is_inside { coefficient(x, y) } else { here };
            let face = (8192.0 * here * there / (here + there)).round() / 4096.0;
            if is_inside {
                bands[band.index()][row] = -face;
            }
            if is_inside || dirichlet {
                bands[Band::DD.index()][row] += face;
            }
        }
    }
    NineBanded::new(side, bands).unwrap()
}

/// A checkerboard of 1 and 1000.
fn jump(side: usize) -> NineBanded<f64> {
    divergence(side, true, |x, y| if (x / 8 + y / 8) % 2 == 1 { 1000.0 } else { 1.0 })
}

/// Symmetric positive definite systems.
fn symmetric(side: usize) -> Vec<(&'static str, NineBanded<f64>)> {
    let stencil =
        |name: &'static str| (name, stencil(&format!("{name}:{side}")).widened().unwrap());
    vec![stencil("poisson5"), stencil("fe9"), stencil("heat9"), ("jump", jump(side))]
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Conjugate gradients with Jacobi's preconditioner as the textbook writes them (Saad, algorithm
/// 9.1) and SciPy's `cg` does, in double precision: the steps to a relative residual.
fn textbook(matrix: &NineBanded<f64>, b: &[f64], tolerance: f64) -> u64 {
    let mut r = b.to_vec();
    let (mut p, mut last) = (vec![0.0; b.len()], 1.0);
    for step in 0.. {
        if dot(&r, &r).sqrt() <= tolerance * dot(b, b).sqrt() {
            return step;
        }
        let z: Vec<f64> = r.iter().zip(matrix.band(Band::DD)).map(|(r, d)| r / d).collect();
        let rho = dot(&r, &z);
        p = z
            .iter()
            .zip(&p)
            .map(|(z, p)| z + rho / last * if step == 0 { 0.0 } else { *p })
            .collect();
        last = rho;
        let q = matrix.multiply_f64(&p);
        let alpha = rho / dot(&p, &q);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
    }
    unreachable!()
}

fn residual<T: Float>(matrix: &NineBanded<T>, x: &[f64], b: &[f64]) -> f64 {
    let product = matrix.multiply_f64(x);
    let rest: Vec<f64> = b.iter().zip(product).map(|(b, product)| b - product).collect();
    (dot(&rest, &rest) / dot(b, b)).sqrt()
}

/// Mixed precision takes at most this times the steps of double precision, and the residual that it
/// reports is the true one.
fn mixed_is_as_fast_as_double(side: usize, tolerance: f64, times: f64) {
    for (name, matrix) in symmetric(side) {
        let exact = random(matrix.n(), 2);
        let b = matrix.multiply_f64(&exact);
        let double = textbook(&matrix, &b, tolerance);
        let mut solver = Solver::on_host(&matrix, Options::new().tolerance(tolerance)).unwrap();
        let solution = solver.solve(&b).unwrap();
        let steps = solution.iterations;
        println!(
            "{name} {side} {tolerance:e}: {double} in double, {steps} mixed, {} corrections",
            solution.corrections
        );
        assert!(steps as f64 <= times * double as f64 + 1.0, "{name} {side}: {steps}, {double}");
        let true_residual = residual(&matrix, &solution.x, &b);
        assert!(true_residual <= 1.001 * tolerance, "{name}: {true_residual:e}");
        assert!((solution.residual - true_residual).abs() <= 0.01 * true_residual, "{name}");
    }
}

#[test]
fn mixed_precision_takes_no_more_steps_than_double() {
    mixed_is_as_fast_as_double(31, 1e-5, 1.05);
    mixed_is_as_fast_as_double(63, 1e-8, 1.05);
    // Double precision profits from an end after finitely many steps, which is near on small grids.
    mixed_is_as_fast_as_double(31, 1e-12, 1.12);
}

#[test]
#[ignore = "some seconds"]
fn mixed_precision_takes_no_more_steps_than_double_on_large_grids() {
    mixed_is_as_fast_as_double(255, 1e-8, 1.05);
    mixed_is_as_fast_as_double(255, 1e-12, 1.1);
}

/// The loop over operations of a space in double precision is the textbook's, step by step.
#[test]
fn cg_is_the_textbooks() {
    for (name, matrix) in symmetric(31) {
        let b = matrix.multiply_f64(&random(matrix.n(), 2));
        let space = HostSpace::<f64>::new(&matrix).unwrap();
        let diagonal = matrix.band(Band::DD);
        let mut jacobi = krylov::Jacobi::new(&space, diagonal).unwrap();
        let mut cg = Cg::new(&space).unwrap();
        space.write(&b, 1.0, cg.residual_mut()).unwrap();
        cg.restart(&space).unwrap();
        let double = textbook(&matrix, &b, 1e-8);
        let size = dot(&b, &b).sqrt();
        for step in 0..double {
            let carried = space.norm(cg.residual()).unwrap();
            assert!(carried > 1e-8 * size, "{name} {step}");
            cg.step(&space, &mut jacobi).unwrap();
        }
        assert!(space.norm(cg.residual()).unwrap() <= 1.001e-8 * size, "{name}");
        assert!(residual(&matrix, cg.correction(), &b) <= 1.01e-8, "{name}");
    }
}

#[test]
fn every_method_solves_what_it_is_for() {
    let convection = convection(40);
    let fe9 = stencil("fe9:40");
    let heat = stencil("heat9:40");
    let b = random(1600, 3);
    let any = |matrix: &NineBanded, method, with| {
        let options = Options::new().method(method).preconditioner(with).tolerance(1e-11);
        let solution = Solver::on_host(matrix, options).unwrap().solve(&b).unwrap();
        println!(
            "{method} {with}: {} steps, {} products",
            solution.iterations, solution.applications
        );
        assert!(residual(matrix, &solution.x, &b) <= 1.001e-11, "{method} {with}");
        solution.iterations
    };
    for with in Preconditioner::ALL {
        for method in [Method::Cg, Method::BiCgStab] {
            any(&fe9, method, with);
        }
    }
    for with in [Preconditioner::Identity, Preconditioner::Jacobi] {
        any(&convection, Method::BiCgStab, with);
    }
    any(&heat, Method::Jacobi, Preconditioner::Jacobi);
    let multigrid = Preconditioner::Multigrid(multigrid::Options::new());
    assert!(any(&fe9, Method::Cg, multigrid) <= 9);
    assert!(any(&fe9, Method::Multigrid, multigrid) <= 14);
    assert!(any(&convection, Method::BiCgStab, multigrid) <= 9);
}

/// Diffusion and an upwind difference along the diagonal.
fn convection(side: usize) -> NineBanded {
    let mut matrix = stencil(&format!("heat9:{side}"));
    let bands = Band::ALL.map(|band| {
        let mut entries = matrix.band(band).to_vec();
        for (row, entry) in entries.iter_mut().enumerate() {
            let (x, y) = (row % side, row / side);
            match band {
                Band::DD => *entry += 1.0,
                Band::LL if x > 0 && y > 0 => *entry -= 1.0,
                _ => {}
            }
        }
        entries
    });
    matrix = NineBanded::new(side, bands).unwrap();
    matrix
}

#[test]
fn the_method_follows_the_matrix() {
    let choice =
        |matrix: &NineBanded| Solver::on_host(matrix, Options::new()).unwrap().choice().clone();
    let symmetric = choice(&stencil("fe9:5"));
    assert_eq!((symmetric.method, symmetric.why), (Method::Cg, Some(Why::Symmetric)));
    let nonsymmetric = choice(&convection(5));
    assert_eq!(nonsymmetric.method, Method::BiCgStab);
    assert_eq!(nonsymmetric.why, Some(Why::NotSymmetric { row: 0, column: 6 }));
}

/// Multigrid is chosen for large grids whose diagonal does not dominate, and for what leaves the
/// method open.
#[test]
fn multigrid_is_chosen_where_it_serves() {
    let with = |matrix: &NineBanded, options: Options| {
        Solver::on_host(matrix, options).unwrap().choice().preconditioner.name()
    };
    let chosen = |text: &str| with(&stencil(text), Options::new());
    assert_eq!(chosen("poisson5:182"), "multigrid");
    assert_eq!(chosen("poisson5:180"), "jacobi");
    assert_eq!(chosen("heat9:182"), "jacobi");
    let named = with(&stencil("poisson5:182"), Options::new().method(Method::Cg));
    assert_eq!(named, "jacobi");
}

/// Couplings that are much stronger than the diagonal, and the negatives of their mirror images: a
/// flow in circles without diffusion.
#[test]
fn what_multigrid_does_not_solve_is_solved_without_it() {
    let side = 190;
    let entry = |row: usize, band: Band| -> f32 {
        let (x, y) = (row % side, row / side);
        let across = [Band::LL, Band::DL, Band::UL].contains(&band) && x == 0
            || [Band::LU, Band::DU, Band::UU].contains(&band) && x == side - 1;
        let column = row.checked_add_signed(band.offset(side));
        if across || column.is_none_or(|column| column >= side * side) {
            return 0.0;
        }
        let sign = if band.offset(side) > 0 { 1.0 } else { -1.0 };
        let size = 1.0 + ((x * 7 + y * 3) % 5) as f32;
        if band == Band::DD { 1.0 } else { sign * size }
    };
    let bands = Band::ALL.map(|band| (0..side * side).map(|row| entry(row, band)).collect());
    let matrix = NineBanded::new(side, bands).unwrap();
    let options = Options::new().iterations(40);
    let mut solver = Solver::on_host(&matrix, options).unwrap();
    assert!(solver.choice().multigrid().is_some());
    let solution = solver.solve(&random(side * side, 7)).or_else(Error::into_nearest).unwrap();
    assert_eq!((solution.gave_up, solution.ending), (Some(Ending::Diverged), Ending::Iterations));
    assert_eq!(solver.choice().preconditioner, Preconditioner::Jacobi);
    assert_eq!(solution.iterations, 40, "those of multigrid count");
    let error = solver.solve(&random(side * side, 7)).unwrap_err().to_string();
    assert!(error.contains("multigrid was tried first and diverged"), "{error}");
}

/// Entry by entry, so that no pair of bands is overlooked.
#[test]
fn one_entry_that_is_not_symmetric_is_named() {
    let matrix = stencil("fe9:7x5").widened().unwrap();
    for band in &Band::ALL[1..] {
        for row in band.rows(35, 7) {
            let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
            bands[band.index()][row] += 1e-9;
            let wrong = NineBanded::new(7, bands).unwrap();
            let error = Solver::on_host(&wrong, Options::new().method(Method::Cg)).err().unwrap();
            assert_eq!(error.kind(), Kind::Input);
            let other = row.wrapping_add_signed(band.offset(7));
            let text = error.to_string();
            assert!(text.starts_with("cg needs a symmetric matrix: the entry in row "), "{text}");
            assert!(text.ends_with("bicgstab solves nonsymmetric systems"), "{text}");
            let Error::NotSymmetric { row: named, column, .. } = error else { panic!("{error}") };
            assert_eq!((named, column), (row.min(other), row.max(other)), "{band} {row}");
        }
    }
}

#[test]
fn a_matrix_that_is_not_definite_is_named_by_its_curvature() {
    // Positive on the diagonal, and its couplings exceed it.
    let mut bands = Band::ALL.map(|_| vec![0.0_f32; 400]);
    for (band, entry) in [(Band::DD, 1.0), (Band::UD, -1.0), (Band::LD, -1.0)] {
        for row in band.rows(400, 20) {
            bands[band.index()][row] = entry;
        }
    }
    let matrix = NineBanded::new(20, bands).unwrap();
    let b = random(400, 4);
    let options = Options::new().method(Method::Cg).tolerance(1e-10);
    let error = Solver::on_host(&matrix, options).unwrap().solve(&b).unwrap_err();
    assert_eq!(error.kind(), Kind::Failed);
    assert!(error.to_string().contains("not positive definite"), "{error}");
}

/// Pairs of unknowns, each with a positive and a negative eigenvalue, of five kinds; and a right-hand
/// side of the negative ones, whose every direction shows them. The first pair has this coupling over
/// its diagonal, which is 1.
fn indefinite_pairs(first: f32) -> (NineBanded, Vec<f64>) {
    let mut bands = Band::ALL.map(|_| vec![0.0_f32; 400]);
    let mut b = Vec::new();
    for pair in 0..200 {
        let scale = 1.0 + (pair % 4) as f32 / 4.0;
        let coupling = if pair == 0 { first } else { 1.5 + (pair % 5) as f32 / 2.0 };
        bands[Band::DD.index()][2 * pair..2 * pair + 2].fill(scale);
        bands[Band::DU.index()][2 * pair] = scale * coupling;
        bands[Band::DL.index()][2 * pair + 1] = scale * coupling;
        let negative = 1.0 + (pair % 7) as f64;
        b.extend([negative, -negative]);
    }
    (NineBanded::new(20, bands).unwrap(), b)
}

#[test]
fn what_turns_out_indefinite_is_solved_by_bicgstab_and_the_choice_says_why() {
    let (matrix, b) = indefinite_pairs(1.5);
    let options = Options::new().tolerance(1e-12);
    let mut solver = Solver::on_host(&matrix, options).unwrap();
    assert_eq!((solver.choice().method, solver.choice().why), (Method::Cg, Some(Why::Symmetric)));
    for _ in 0..2 {
        let solution = solver.solve(&b).unwrap();
        assert!(solution.residual <= 1e-12 && solution.curvature.is_some_and(|value| value <= 0.0));
        let choice = solver.choice();
        assert_eq!(
            (choice.method, choice.preconditioner),
            (Method::BiCgStab, Preconditioner::Jacobi)
        );
        let why = choice.why.unwrap().to_string();
        assert!(why.contains("not positive definite: cg, tried first, found p . A p = -"), "{why}");
    }
    let first: Vec<f64> = b.iter().map(|b| b.signum()).collect();
    let from = solver.solve_from(&b, &first, &mut ()).unwrap();
    assert!(from.converged() && from.curvature.is_some());
    // A method that was set stays; and where all iterations are done, nothing else is tried.
    let set = options.method(Method::Cg);
    let solution =
        Solver::on_host(&matrix, set).unwrap().solve(&b).or_else(Error::into_nearest).unwrap();
    assert_eq!((solution.converged(), solution.curvature), (false, None));
    let mut few = Solver::on_host(&matrix, options.iterations(1)).unwrap();
    let solution = few.solve(&b).or_else(Error::into_nearest).unwrap();
    assert_eq!((solution.iterations, few.choice().method), (1, Method::Cg));
}

/// Neither method solves it: the error says what was tried.
#[test]
fn an_error_says_that_cg_was_tried_first() {
    // The first pair is singular: its x grows until b is lost in the rounding of A x, whose residual
    // is computed as 0.
    let (matrix, b) = indefinite_pairs(1.0);
    let error = Solver::on_host(&matrix, Options::new()).unwrap().solve(&b).unwrap_err();
    let Error::NotConverged(NotConverged { solution, .. }) = &error else { panic!("{error}") };
    assert!(solution.residual > 0.01, "{}", solution.residual);
    let error = error.to_string();
    assert!(error.contains("cg was tried first, and p . A p is"), "{error}");
}

#[test]
fn unsuitable_input_is_refused() {
    let matrix = stencil("fe9:8");
    let options = Options::new();
    let refused = |error: Option<Error>, text: &str| {
        let error = error.unwrap();
        assert_eq!(error.kind(), Kind::Input, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        refused(Solver::on_host(&matrix, options.tolerance(tolerance)).err(), "tolerance");
    }
    let two = options.method(Method::Multigrid).preconditioner(Preconditioner::Jacobi);
    refused(Solver::on_host(&matrix, two).err(), "has the preconditioner multigrid");
    // What levels are made by without multigrid is what names alone can ask for: of a method, or of a system for
    // which multigrid is not chosen.
    let both = multigrid::Options::new().coarsen(CoarsenAlong::Both);
    for method in [NamedMethod::Auto, NamedMethod::Method(Method::Jacobi)] {
        let unused = options.named(method, None, both).unwrap();
        refused(Solver::on_host(&matrix, unused).err(), "`coarsen` is for multigrid");
        let with_jacobi = options.named(method, Some(Preconditioner::Jacobi), both);
        refused(with_jacobi.err(), "`coarsen` is for multigrid");
    }
    let named = options.named(NamedMethod::MgCg, None, both).unwrap();
    let solver = Solver::on_host(&matrix, named).unwrap();
    assert_eq!(solver.choice().multigrid().unwrap().coarsen, Some(CoarsenAlong::Both));
    let mut solver = Solver::on_host(&matrix, options).unwrap();
    refused(solver.solve(&[1.0; 63]).err(), "has 63 numbers, but the matrix has 64");
    let mut b = vec![1.0; 64];
    b[9] = f64::INFINITY;
    refused(solver.solve(&b).err(), "index 9");
    let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
    bands[Band::DD.index()][5] = 0.0;
    let matrix = NineBanded::new(8, bands).unwrap();
    let with_jacobi = options.method(Method::BiCgStab).preconditioner(Preconditioner::Jacobi);
    refused(Solver::on_host(&matrix, with_jacobi).err(), "row 5");
    refused(Solver::on_host(&matrix, options.method(Method::Cg)).err(), "row 5");
    let solver = Solver::on_host(&matrix, options).unwrap();
    assert_eq!(solver.choice().why, Some(Why::NotPositive { row: 5 }));
}

/// Rows with the sum zero and columns without it: as the constants are not in the null space of the
/// transpose, products have means. The residual that is told is that of the right-hand side as it
/// was given.
#[test]
fn only_symmetric_null_spaces_remove_a_mean() {
    let neumann = stencil("neumann5:16").widened().unwrap();
    let scaled = |band: Band| -> Vec<f64> {
        let factors = [0.5, 2.0, 1.0, 4.0].iter().cycle();
        neumann.band(band).iter().zip(factors).map(|(entry, factor)| entry * factor).collect()
    };
    let matrix = NineBanded::new(16, Band::ALL.map(scaled)).unwrap();
    let solvable = matrix.multiply_f64(&random(256, 3));
    for (b, may_converge) in [(solvable, true), (random(256, 4), false)] {
        for with in [Preconditioner::Jacobi, Preconditioner::Multigrid(multigrid::Options::new())] {
            let options = Options::new().preconditioner(with).iterations(300);
            let mut solver = Solver::on_host(&matrix, options).unwrap();
            assert!(!solver.has_constant_null_space());
            let solution = solver.solve(&b).or_else(Error::into_nearest).unwrap();
            assert!(solution.removed_mean.is_none() && (may_converge || !solution.converged()));
            let product = matrix.multiply_f64(&solution.x);
            let squares = |numbers: Vec<f64>| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
            let difference = product.iter().zip(&b).map(|(p, b)| b - p).collect();
            let residual = squares(difference) / squares(b.clone());
            let told = solution.residual;
            assert!((told - residual).abs() <= 1e-6 * residual + 1e-13, "{told} {residual}");
        }
    }
}

/// Right-hand sides that are subnormal are solved in a unit of their own, as exactly as their
/// solutions can be told.
#[test]
fn a_subnormal_right_hand_side_is_solved() {
    let options = Options::new().tolerance(1e-6);
    let mut solver = Solver::on_host(&stencil("poisson5:9"), options).unwrap();
    let solution = solver.solve(&[1e-315; 81]).unwrap();
    assert!(solution.converged() && solution.x.iter().all(|x| *x > 0.0));
}

/// The mean of the right-hand side is removed if it may be, and told; the mean of the solution is zero.
#[test]
fn constants_in_the_null_space_are_projected() {
    let matrix = divergence(31, false, |x, _| 1.0 + (x % 5) as f64);
    let mut solver = Solver::on_host(&matrix, Options::new().tolerance(1e-11)).unwrap();
    assert!(solver.has_constant_null_space());
    let exact = random(matrix.n(), 5);
    let consistent = matrix.multiply_f64(&exact);
    let solution = solver.solve(&consistent).unwrap();
    assert_eq!(solution.removed_mean, None);
    let mean = exact.iter().sum::<f64>() / exact.len() as f64;
    let error = solution.x.iter().zip(&exact).map(|(x, exact)| (x - exact + mean).abs());
    assert!(error.fold(0.0, f64::max) < 1e-8);
    let shifted: Vec<f64> = consistent.iter().map(|b| b + 3.0).collect();
    let error = solver.solve(&shifted).unwrap_err();
    assert!(
        matches!(error, Error::Inconsistent { mean, .. } if (mean - 3.0).abs() < 1e-12),
        "{error}"
    );
    let options = Options::new().tolerance(1e-11).project(true);
    let mut solver = Solver::on_host(&matrix, options).unwrap();
    let solution = solver.solve(&shifted).unwrap();
    assert!((solution.removed_mean.unwrap() - 3.0).abs() < 1e-12);
    assert!(residual(&matrix, &solution.x, &consistent) < 1.1e-11);
    assert!(!Solver::on_host(&stencil("fe9:8"), Options::new()).unwrap().has_constant_null_space());
}

/// Two grids without a coupling between them, each with constants in its null space: no solution
/// for most right-hand sides.
#[test]
fn what_has_no_solution_ends_with_an_error() {
    let one = divergence(16, false, |_, _| 1.0);
    let bands = Band::ALL.map(|band| {
        let mut entries = one.band(band).to_vec();
        let cut = |row: usize| match band {
            Band::UD => row / 16 == 7,
            Band::LD => row / 16 == 8,
            _ => false,
        };
        (0..256).filter(|row| cut(*row)).for_each(|row| entries[row] = 0.0);
        if band == Band::DD {
            (112..144).for_each(|row| entries[row] -= 1.0);
        }
        entries
    });
    let matrix = NineBanded::new(16, bands).unwrap();
    for method in [Method::Cg, Method::BiCgStab] {
        let mut solver =
            Solver::on_host(&matrix, Options::new().method(method).project(true)).unwrap();
        let error = solver.solve(&random(256, 6)).unwrap_err();
        println!("{method}: {error:?}");
        assert_eq!(error.kind(), Kind::Failed, "{error}");
    }
}

#[test]
fn a_tolerance_beyond_the_precision_tells_what_was_reached() {
    let matrix = stencil("poisson5:31");
    let b = matrix.multiply_f64(&random(matrix.n(), 7));
    for (precision, reachable) in [(Precision::Single, 1e-4), (Precision::Mixed, 1e-13)] {
        let options = Options::new().precision(precision).tolerance(0.0);
        let error = Solver::on_host(&matrix, options).unwrap().solve(&b).unwrap_err();
        let Error::NotConverged(NotConverged { solution, .. }) = &error else { panic!("{error}") };
        println!("{precision}: {:e} after {}", solution.residual, solution.iterations);
        assert_eq!(solution.ending, Ending::Stagnated, "{precision}");
        assert!(solution.residual < reachable && solution.residual > 0.0);
        // Down at 1e-16 a residual is rounding, and that depends on the order of terms.
        let again = solution.residual / residual(&matrix, &solution.x, &b);
        let off: f64 = if precision == Precision::Single { 1.001 } else { 5.0 };
        assert!((off.recip()..off).contains(&again), "{precision}: {again}");
        assert!(solution.iterations < 1000, "{precision}: {}", solution.iterations);
        let error = error.to_string();
        assert!(error.contains(&format!("{:.3e}", solution.residual)), "{error}");
        let mend = "32-bit floats reduce the residual no further; mixed precision does";
        assert_eq!(error.contains(mend), precision == Precision::Single, "{error}");
    }
}

/// Numbers at either end of what f32 and f64 hold make no difference to the steps.
#[test]
fn scales_do_not_matter() {
    let matrix = jump(21);
    let b = matrix.multiply_f64(&random(matrix.n(), 8));
    let options = Options::new().tolerance(1e-12);
    let usual = Solver::on_host(&matrix, options).unwrap().solve(&b).unwrap();
    for (matrix_factor, b_factor) in
        [(1e30, 1.0), (1e-60, 1e-60), (1.0, 1e200), (1e-20, 1e-250), (1e60, 1e-120)]
    {
        let bands =
            Band::ALL.map(|band| matrix.band(band).iter().map(|a| a * matrix_factor).collect());
        let scaled = NineBanded::new(21, bands).unwrap();
        let b: Vec<f64> = b.iter().map(|b| b * b_factor).collect();
        let solution = Solver::on_host(&scaled, options).unwrap().solve(&b).unwrap();
        assert!(solution.iterations.abs_diff(usual.iterations) <= usual.iterations / 10);
        let factor = b_factor / matrix_factor;
        let pairs = solution.x.iter().zip(&usual.x);
        let off = pairs.map(|(x, usual)| (x / factor - usual).abs()).fold(0.0, f64::max);
        assert!(off < 1e-8, "{matrix_factor:e} {b_factor:e}: {off:e}");
    }
}

#[test]
fn zero_has_the_solution_zero_and_setups_are_reused() {
    let matrix = stencil("poisson5:17x9");
    let mut solver = Solver::on_host(&matrix, Options::new()).unwrap();
    let zero = solver.solve(&[0.0; 153]).unwrap();
    assert_eq!((zero.ending, zero.iterations, zero.residual), (Ending::Converged, 0, 0.0));
    assert!(zero.x.iter().all(|x| *x == 0.0));
    let (one, other) = (random(153, 1), random(153, 2));
    let first = solver.solve(&one).unwrap();
    solver.solve(&other).unwrap();
    let again = solver.solve(&one).unwrap();
    assert_eq!((first.x, first.iterations), (again.x, again.iterations));
}

#[test]
fn an_observer_sees_the_residual_fall_and_may_stop() {
    let matrix = stencil("poisson5:40");
    let b = vec![1.0; 1600];
    let mut seen: Vec<Progress> = Vec::new();
    let mut observer = |progress: &Progress| {
        seen.push(*progress);
        if progress.done < 20 { Control::Continue } else { Control::Stop }
    };
    let mut solver = Solver::on_host(&matrix, Options::new().tolerance(1e-12)).unwrap();
    let error = solver.solve_observed(&b, &mut observer).unwrap_err();
    assert_eq!(error.kind(), Kind::Cancelled);
    let solution = error.into_nearest().unwrap();
    assert_eq!((solution.ending, solution.iterations), (Ending::Stopped, 20));
    assert_eq!(seen.len(), 20);
    let last = seen.last().unwrap().residual.unwrap();
    assert!((solution.residual / last - 1.0).abs() < 1e-3, "{} {last}", solution.residual);
    let single = stencil("poisson5:40");
    let x: Vec<f64> = solution.x.clone();
    assert!((residual_f64(&single, &x, &b) / solution.residual - 1.0).abs() < 1e-9);
    let limited = Options::new().tolerance(1e-12).iterations(7);
    let solution =
        Solver::on_host(&matrix, limited).unwrap().solve(&b).or_else(Error::into_nearest).unwrap();
    assert_eq!((solution.ending, solution.iterations), (Ending::Iterations, 7));
}
