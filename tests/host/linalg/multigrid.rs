//! Multigrid in double precision on the host: products against dense ones, and the convergence that
//! the field expects. Factors are asymptotic, per V cycle with two sweeps of Jacobi's iteration
//! before and after, on b = 0 with the error scaled each cycle.

use quadrille::data::{NineBanded, SplitMix64, Stencil};
use quadrille::internal::host::multigrid::{
    Hierarchy, Nine, galerkin, interpolation, inverse, prolong, restrict, solve_lines,
};
use quadrille::internal::plan::Axis;
use quadrille::linalg::krylov::{HostSpace, Preconditioner, Space};
use quadrille::linalg::multigrid::{CoarsenAlong, Coarsening, OnHost, Options, Smoother};

use crate::levels;

fn matrix(stencil: &str) -> NineBanded<f64> {
    stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap()
}

fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut bits = SplitMix64::new(seed);
    (0..count).map(|_| (bits.next() >> 11) as f64 * 2.0_f64.powi(-52) - 1.0).collect()
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

fn hierarchy(stencil: &str) -> Hierarchy {
    let matrix = matrix(stencil);
    let is_symmetric = matrix.first_asymmetric_entry().is_none();
    let singular = stencil.starts_with("neumann");
    levels::hierarchy(Nine::of(&matrix), (CoarsenAlong::Strong, None), is_symmetric, singular)
}

fn factor(hierarchy: &Hierarchy) -> f64 {
    let a = hierarchy.matrix(0).unwrap();
    let mut x = random(a.rows().len(), 1);
    let b = vec![0.0; x.len()];
    let mut factors = Vec::new();
    for _ in 0..14 {
        let before = norm(&a.product(&x));
        hierarchy.improve(&b, &mut x);
        factors.push(norm(&a.product(&x)) / before);
        let size = norm(&x);
        x.iter_mut().for_each(|x| *x /= size);
    }
    factors[10..].iter().product::<f64>().powf(0.25)
}

/// The steps of conjugate gradients to 1e-8.
fn steps(hierarchy: &Hierarchy) -> usize {
    let a = hierarchy.matrix(0).unwrap();
    let mut r = a.product(&random(a.rows().len(), 2));
    let (size, mut p, mut rho) = (norm(&r), vec![0.0; r.len()], f64::INFINITY);
    for step in 1..100 {
        let z = hierarchy.apply(&r);
        let last = std::mem::replace(&mut rho, dot(&r, &z));
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + rho / last * *p);
        let q = a.product(&p);
        let alpha = rho / dot(&p, &q);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
        if norm(&r) <= 1e-8 * size {
            return step;
        }
    }
    100
}

/// The solver on the host plans its levels as the tests do: another damping, threshold or size of the last level is seen.
#[test]
fn the_hosts_levels_are_planned_as_the_tests_plan_them() {
    for (stencil, options) in [
        ("poisson5:63x40", Options::new()),
        ("poisson5:32x8", Options::new()),
        ("poisson5:257x1", Options::new()),
        ("fe9:63:anisotropy=0.4", Options::new()),
        ("fe9:63:anisotropy=0.6", Options::new().coarsen(CoarsenAlong::Both)),
        ("jump:127:ratio=1000:cell=5", Options::new()),
        ("random:63", Options::new().smoother(Smoother::LineJacobi)),
        ("convection:63:angle=30", Options::new().symmetric(false)),
        ("neumann5:63", Options::new().constant_null_space(true)),
    ] {
        let matrix: NineBanded = stencil.parse::<Stencil>().unwrap().matrix().unwrap();
        let mut host = OnHost::new(&matrix, options).unwrap();
        let by = (options.coarsens(), options.smoother);
        let twin = levels::hierarchy(
            Nine::of(&matrix),
            by,
            options.symmetric,
            options.constant_null_space,
        );
        assert_eq!(
            (host.levels(), host.smoothers()),
            (twin.extents(), twin.smoothers()),
            "{stencil}"
        );
        let space = HostSpace::<f64>::new(&matrix).unwrap();
        let (r, mut z) = (random(space.length(), 5), vec![f64::NAN; space.length()]);
        host.apply(&space, &r, &mut z).unwrap();
        let far = z.iter().zip(twin.apply(&r)).map(|(z, x)| (z - x).abs()).fold(0.0, f64::max);
        // The library's damping has five digits.
        assert!(far <= 2e-6 * norm(&z), "{stencil}: {}", far / norm(&z));
    }
}

#[test]
fn factors_and_steps_are_those_of_the_field() {
    for (stencil, limit, most) in [
        ("poisson5:63", 0.12, 6),
        ("fe9:63", 0.12, 6),
        ("heat9:47:step=10", 0.12, 6),
        ("poisson5:45x30", 0.20, 7),
        ("poisson5:250x6", 0.20, 7),
        ("fe9:37x41", 0.20, 7),
        ("fe9:47:anisotropy=0.1", 0.20, 7),
        ("fe9:47:anisotropy=0.001", 0.25, 8),
        ("jump:47:ratio=1000:cell=8", 0.70, 12),
        ("jump:127:ratio=1000:cell=5", 0.45, 8),
        ("random:47", 0.95, 20),
    ] {
        let hierarchy = hierarchy(stencil);
        let (factor, steps) = (factor(&hierarchy), steps(&hierarchy));
        assert!(factor <= limit, "{stencil}: {factor}");
        assert!(steps <= most, "{stencil}: {steps} steps");
    }
}

#[test]
fn lines_smooth_couplings_of_any_strength_on_grids_that_coarsen_along_both_axes() {
    for (stencil, most) in [
        ("poisson5:47", 6),
        ("fe9:63:anisotropy=0.1", 7),
        ("fe9:63:anisotropy=0.01", 8),
        ("fe9:63:anisotropy=0.001", 8),
        ("jump:63:ratio=1000:cell=5", 7),
        ("random:47", 20),
    ] {
        let matrix = matrix(stencil);
        let by_lines = (CoarsenAlong::Both, Some(Smoother::LineJacobi));
        let hierarchy = levels::hierarchy(Nine::of(&matrix), by_lines, true, false);
        let (factor, steps) = (factor(&hierarchy), steps(&hierarchy));
        assert!(factor <= 0.35 || stencil.starts_with("random"), "{stencil}: {factor}");
        assert!(steps <= most, "{stencil}: {steps} steps");
    }
}

#[test]
fn solutions_of_lines_satisfy_their_rows() {
    for (width, height) in [(1, 1), (1, 6), (7, 1), (5, 4), (23, 3)] {
        let a = nine(width, height, 9);
        let d = random(width * height, 2);
        for (axis, lower, upper) in [(Axis::X, 3, 5), (Axis::Y, 1, 7)] {
            let keep = |row: &[f64; 9], k: usize| {
                if [lower, 4, upper].contains(&k) { row[k] } else { 0.0 }
            };
            let t = Nine::new((width, height), |x, y, i, j| {
                keep(&a.rows()[y as usize * width + x as usize], (3 * (j + 1) + i + 1) as usize)
            });
            let r = t.residual(&d, &solve_lines(&a, axis, &d));
            assert!(norm(&r) < 1e-12 * norm(&d), "{width}x{height} {axis:?}: {}", norm(&r));
            if width > 1 && height > 1 {
                assert!(norm(&a.residual(&d, &solve_lines(&a, axis, &d))) > 0.1);
            }
        }
    }
}

#[test]
fn flows_converge_without_a_krylov_method() {
    for stencil in ["convection:63:angle=30", "convection:63:angle=0"] {
        let factor = factor(&hierarchy(stencil));
        assert!(factor < 0.5, "{stencil}: {factor}");
    }
}

/// Couplings of both signs in every place, which dominate no row by much.
fn nine(width: usize, height: usize, seed: u64) -> Nine {
    let numbers = random(9 * width * height, seed);
    Nine::new((width, height), |x, y, i, j| {
        let inside =
            (0..width as isize).contains(&(x + i)) && (0..height as isize).contains(&(y + j));
        let at = 9 * (y as usize * width + x as usize) + (3 * (j + 1) + i + 1) as usize;
        match (i, j) {
            (0, 0) => 5.0 + numbers[at],
            _ if inside => numbers[at],
            _ => 0.0,
        }
    })
}

const COARSENINGS: [Coarsening; 3] =
    [Coarsening { x: 2, y: 2 }, Coarsening { x: 1, y: 2 }, Coarsening { x: 2, y: 1 }];

/// Unit vectors through prolongation, the matrix and restriction.
#[test]
fn the_galerkin_product_is_that_of_the_three_matrices() {
    for coarsening in COARSENINGS {
        for extent in [(2, 2), (3, 3), (5, 4), (8, 7), (13, 2), (9, 9)] {
            let a = nine(extent.0, extent.1, 7);
            let (p, r) =
                (interpolation(&a, coarsening), interpolation(&a.transposed(), coarsening));
            let product = galerkin(&r, &a, &p, coarsening);
            let count = product.rows().len();
            for column in 0..count {
                let mut unit = vec![0.0; count];
                unit[column] = 1.0;
                let fine = a.product(&prolong(&p, coarsening, extent, &unit));
                let expected = restrict(&r, coarsening, extent, &fine);
                for (got, expected) in product.product(&unit).iter().zip(&expected) {
                    assert!((got - expected).abs() < 1e-13, "{coarsening:?} {extent:?} {column}");
                }
            }
        }
    }
}

/// Away from the boundary constants stay constants, at every size.
#[test]
fn constants_are_interpolated_where_rows_have_the_sum_zero() {
    for coarsening in COARSENINGS {
        for (width, height) in [(3, 3), (12, 7), (5, 16)] {
            let a = Nine::of(&matrix(&format!("neumann5:{width}x{height}")));
            let p = interpolation(&a, coarsening);
            let ones = vec![1.0; p.rows().len()];
            for one in prolong(&p, coarsening, (width, height), &ones) {
                assert!((one - 1.0).abs() < 1e-15, "{coarsening:?}");
            }
        }
    }
}

/// y . M x = x . M y, as conjugate gradients rely on, and x . M x > 0.
#[test]
fn cycles_are_symmetric_and_positive_definite() {
    for smoother in [Smoother::Jacobi, Smoother::LineJacobi] {
        for stencil in ["fe9:40x30:anisotropy=0.05:angle=20", "random:35", "neumann5:33"] {
            let (matrix, singular) = (matrix(stencil), stencil.starts_with("neumann"));
            let by = (CoarsenAlong::Strong, Some(smoother));
            let hierarchy = levels::hierarchy(Nine::of(&matrix), by, true, singular);
            let n = hierarchy.matrix(0).unwrap().rows().len();
            let (x, y) = (random(n, 3), random(n, 4));
            let (mx, my) = (hierarchy.apply(&x), hierarchy.apply(&y));
            let difference = (dot(&y, &mx) - dot(&x, &my)).abs();
            assert!(difference < 1e-10 * norm(&x) * norm(&my), "{stencil} {smoother:?}");
            assert!(dot(&x, &mx) > 0.0);
        }
    }
}

#[test]
fn singular_systems_converge() {
    for stencil in ["neumann5:63", "neumann5:70x33"] {
        let steps = steps(&hierarchy(stencil));
        assert!(steps <= 8, "{stencil}: {steps}");
    }
}

#[test]
fn the_inverse_is_that_of_the_matrix() {
    for n in [1, 2, 7, 40] {
        let a: Vec<f64> = random(n * n, n as u64)
            .into_iter()
            .enumerate()
            .map(|(at, number)| if at % (n + 1) == 0 { number + 3.0 } else { number })
            .collect();
        let inverse = inverse(a.clone(), false);
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let entry: f64 = (0..n).map(|k| a[i * n + k] * inverse[k * n + j]).sum();
            let expected = f64::from(u8::from(i == j));
            assert!((entry - expected).abs() < 1e-9, "{n}: {i} {j} {entry}");
        }
    }
    // A row of zeros has no solution; the other is solved.
    assert_eq!(inverse(vec![2.0, 0.0, 0.0, 0.0], false), [0.5, 0.0, 0.0, 0.0]);
}
