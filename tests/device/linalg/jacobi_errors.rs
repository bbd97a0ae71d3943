//! Errors of the Jacobi solver: what it refuses, and its messages.

mod device;

use crate::common::Flavour;
use crate::common::systems::System;
use quadrille::data::{Band, NineBanded};
use quadrille::internal::reference::is_near;
use quadrille::linalg::jacobi::{Error, Jacobi, Layout, Optimization, Stop, Variant};
use quadrille::shader::Reads;
use quadrille::{Context, Kind};

fn on_one(body: impl Fn(&Context)) {
    crate::common::on(&[Flavour::Gl33], body);
}

fn solver(context: &Context, n: usize, m: usize) -> Jacobi {
    Jacobi::new(context, &System::random(n, m, 1).matrix, Variant::default()).unwrap()
}

/// An error of bad input says this, and a program ends with 2.
fn says(error: &Error, text: &str) {
    assert_eq!(error.kind(), Kind::Input, "{error}");
    assert_eq!(error.to_string(), text);
}

fn with(matrix: &NineBanded, band: Band, row: usize, value: f32) -> NineBanded {
    let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
    bands[band.index()][row] = value;
    NineBanded::new(matrix.m(), bands).unwrap()
}

#[test]
fn a_zero_on_the_diagonal_is_refused_with_its_row() {
    on_one(|context| {
        let matrix = with(&System::random(50, 7, 1).matrix, Band::DD, 31, -0.0);
        for layout in Layout::ALL {
            let chosen = Variant::new().layout(layout);
            let systems = vec![&matrix; layout.systems()];
            let error = Jacobi::with_systems(context, &systems, chosen).err().unwrap();
            says(
                &error,
                "row 31 has a zero on the diagonal (rows count from 0); Jacobi divides by it. \
                 Reorder the equations so that no diagonal is zero",
            );
        }
    });
}

#[test]
fn vectors_of_the_wrong_length_are_refused() {
    on_one(|context| {
        let mut jacobi = solver(context, 50, 7);
        for length in [0, 49, 51] {
            let error = jacobi.solve(&vec![1.0; length], Stop::iterations(1)).unwrap_err();
            says(
                &error,
                &format!(
                    "the right-hand side has {length} numbers, but the matrix has 50 unknowns"
                ),
            );
        }
        let error = jacobi.set_systems(&[&[1.0; 50]], &[&[0.0; 3]]).unwrap_err();
        says(&error, "the start has 3 numbers, but the matrix has 50 unknowns");
    });
}

#[test]
fn numbers_that_are_not_finite_are_refused_with_their_place() {
    on_one(|context| {
        let mut jacobi = solver(context, 50, 7);
        for (value, name) in
            [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")]
        {
            let mut b = vec![1.0; 50];
            b[17] = value;
            let error = jacobi.solve(&b, Stop::iterations(1)).unwrap_err();
            says(
                &error,
                &format!(
                    "the right-hand side holds {name} at index 17; Jacobi needs finite numbers"
                ),
            );
            let error = jacobi.set_systems(&[&[1.0; 50]], &[&b]).unwrap_err();
            says(
                &error,
                &format!("the start holds {name} at index 17; Jacobi needs finite numbers"),
            );
        }
    });
}

#[test]
fn a_tolerance_below_zero_or_not_a_number_is_refused() {
    on_one(|context| {
        let mut jacobi = solver(context, 50, 7);
        for (tolerance, name) in
            [(-1e-9, "-0.000000001"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")]
        {
            let error = jacobi.solve(&[1.0; 50], Stop::residual(tolerance)).unwrap_err();
            says(&error, &format!("the tolerance must be 0 or more and finite; got {name}"));
        }
        jacobi.solve(&[1.0; 50], Stop::residual(0.0).at_most(1)).unwrap();
    });
}

#[test]
fn systems_that_are_not_alike_or_too_few_are_refused() {
    on_one(|context| {
        let [a, b, c] = [(50, 7), (50, 8), (51, 7)].map(|(n, m)| System::random(n, m, 1).matrix);
        let rgba = Variant::new().layout(Layout::Rgba);
        let four = |systems: [&_; 4]| Jacobi::with_systems(context, &systems, rgba).err().unwrap();
        says(
            &four([&a, &a, &b, &a]),
            "the systems must be alike: the first has 50 unknowns in rows of 7, \
             system 2 has 50 in rows of 8",
        );
        says(
            &four([&a, &a, &a, &c]),
            "the systems must be alike: the first has 50 unknowns in rows of 7, \
             system 3 has 51 in rows of 7",
        );
        let error = Jacobi::new(context, &a, rgba).err().unwrap();
        says(&error, "layout rgba solves 4 systems at once; got 1");
        let packed = Variant::new().layout(Layout::Packed);
        let error = Jacobi::with_systems(context, &[], packed).err().unwrap();
        says(&error, "layout packed solves 1 systems at once; got 0");
        let red = Variant::new().layout(Layout::Red);
        let error = Jacobi::with_systems(context, &[&a, &a], red).err().unwrap();
        says(&error, "layout red solves 1 systems at once; got 2");
        let mut jacobi = Jacobi::with_systems(context, &[&a; 4], rgba).unwrap();
        let error = jacobi.solve(&[1.0; 50], Stop::iterations(1)).unwrap_err();
        says(&error, "layout rgba solves 4 systems at once; got 1");
    });
}

#[test]
fn unknown_layouts_and_stages_list_what_there_is() {
    let error = "blue".parse::<Layout>().unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    assert_eq!(
        error.to_string(),
        "unknown layout `blue`: expected one of: red, separate, rgba, packed"
    );
    let error = "Generic".parse::<Optimization>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown stage `Generic`: expected one of: generic, reciprocal, boundary, neighbours, compute",
    );
    for layout in Layout::ALL {
        assert_eq!(layout.to_string().parse::<Layout>().unwrap(), layout);
    }
    for stage in Optimization::ALL {
        assert_eq!(stage.to_string().parse::<Optimization>().unwrap(), stage);
    }
}

/// A matrix whose Jacobi iteration grows: the couplings of each row are twice its diagonal.
fn growing(n: usize, m: usize) -> NineBanded {
    let matrix = System::random(n, m, 1).matrix;
    let bands = Band::ALL.map(|band| {
        let sum =
            |i: usize| Band::ALL[1..].iter().map(|band| matrix.band(*band)[i].abs()).sum::<f32>();
        let entry = |i: usize| match band {
            Band::DD => 0.5 * sum(i),
            _ => matrix.band(band)[i].abs(),
        };
        (0..n).map(entry).collect()
    });
    NineBanded::new(m, bands).unwrap()
}

#[test]
fn divergence_is_told_with_the_iteration_and_the_row() {
    crate::common::each(|context| {
        let matrix = growing(150, 13);
        for layout in Layout::ALL {
            let chosen = Variant::new().layout(layout);
            let systems = vec![&matrix; layout.systems()];
            let mut jacobi = Jacobi::with_systems(context, &systems, chosen).unwrap();
            let (b, zero) = (crate::common::random(150, 3), vec![0.0; 150]);
            let (sides, starts) =
                (vec![b.as_slice(); systems.len()], vec![zero.as_slice(); systems.len()]);
            for stop in [Stop::residual(1e-5), Stop::iterations(100_000)] {
                let error = jacobi.solve_observed(&sides, &starts, stop, &mut ()).unwrap_err();
                assert_eq!(error.kind(), Kind::Failed);
                let Error::Diverged { iteration, residual, best, .. } = &error else {
                    panic!("{error}")
                };
                // The error doubles at most every step; a million is 20 doublings.
                // Without a tolerance it goes on until there are no numbers, 128 doublings.
                assert!((8..1000).contains(iteration), "{iteration}");
                assert!(*residual > 1e5 || residual.is_nan(), "{residual}");
                let best = best.unwrap();
                assert!(is_near(best, 1.0, 1e-5), "it began at the right-hand side, not at {best}");
                let text = error.to_string();
                assert!(
                    text.starts_with(&format!(
                        "Jacobi diverges: at iteration {iteration} the residual is "
                    )),
                    "{text}"
                );
                assert!(
                    text.ends_with(
                        "Row 0 (rows count from 0) is not diagonally dominant, so convergence is not \
                         promised; use a solver that does not need it, such as \
             linalg::solve (`quadrille solve`)"
                    ),
                    "{text}"
                );
            }
        }
    });
}

#[test]
fn a_few_steps_of_a_growing_iteration_are_no_error() {
    on_one(|context| {
        let mut jacobi = Jacobi::new(context, &growing(150, 13), Variant::default()).unwrap();
        let found = jacobi.solve(&crate::common::random(150, 3), Stop::iterations(3)).unwrap();
        assert_eq!(found.iterations, 3);
        assert!(found.residual > 1.0);
    });
}

#[test]
fn a_real_matrix_that_is_not_dominant_is_told_apart() {
    // recirc_flow is nine-banded and Jacobi fails on it: see tests/data/README.md.
    on_one(|context| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/recirc_flow.mtx");
        let matrix = quadrille::io::matrix_market::read_nine_banded(path, None).unwrap();
        let row = matrix.first_not_dominant_row().unwrap();
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        let b = crate::common::random(matrix.n(), 3);
        match jacobi.solve(&b, Stop::residual(1e-6).at_most(20_000)) {
            Err(error) => {
                assert_eq!(error.kind(), Kind::Failed);
                assert!(error.to_string().contains(&format!("Row {row} ")), "{error}");
            }
            Ok(found) => panic!("converged to {} in {}", found.residual, found.iterations),
        }
    });
}

#[test]
fn what_is_set_stays_and_what_is_resolved_resolves_to_itself() {
    crate::common::each(|context| {
        let resolve = |variant: Variant| variant.resolve(context, 91, 7).unwrap();
        let set = Variant::default().layout(Layout::Red).optimization(Optimization::Boundary);
        for reads in [Reads::Fetch, Reads::Sample] {
            let resolved = resolve(set.reads(reads));
            assert_eq!(
                (resolved.layout, resolved.optimization, resolved.reads),
                (Layout::Red, Optimization::Boundary, reads)
            );
        }
        for variant in [Variant::default(), Variant::default().layout(Layout::Rgba), set] {
            assert_eq!(resolve(resolve(variant).into()), resolve(variant));
        }
    });
}

#[test]
fn nothing_is_left_after_a_refusal() {
    // `crate::common::on` looks for objects at the end; each of these fails at another point.
    crate::common::each(|context| {
        let matrix = System::random(50, 7, 1).matrix;
        let zero = with(&matrix, Band::DD, 3, 0.0);
        assert!(Jacobi::new(context, &zero, Variant::default()).is_err());
        assert_eq!(context.objects().unwrap().total(), 0);
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        assert!(jacobi.solve(&[f32::NAN; 50], Stop::iterations(1)).is_err());
        let found = jacobi.solve(&[1.0; 50], Stop::residual(1e-5)).unwrap();
        assert_eq!(found.converged, Some(true), "it works on after an error");
    });
}
