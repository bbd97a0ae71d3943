//! Solving with Jacobi: when it stops, what it says meanwhile, and what it takes of the device.

use crate::common::systems::{System, Twin, doubles};
use crate::common::variants::{
    name, residual_and_bound, solver, systems, variant, variants, variants_of,
};
use crate::common::{EXTREMES, Flavour, by_turns_on, is_thorough};
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::error::Kind;
use quadrille::internal::reference::is_near;
use quadrille::internal::reference::jacobi::residual_f64;
use quadrille::linalg::jacobi::{Error, Jacobi, Layout, Optimization, Solution, Stop, Variant};
use quadrille::shader::Reads;
use quadrille::testing::largest;
use quadrille::{Context, Control, Progress};

#[test]
fn all_variants_solve_the_heat_step_to_the_same_answer() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let matrix = "heat9:24x17".parse::<Stencil>().unwrap().matrix().unwrap();
        let solution = crate::common::random(matrix.n(), 8);
        let b: Vec<f32> =
            matrix.multiply_f64(&doubles(&solution)).iter().map(|b| *b as f32).collect();
        for chosen in variants() {
            let count = chosen.layout.unwrap().systems();
            let mut jacobi = Jacobi::with_systems(context, &vec![&matrix; count], chosen).unwrap();
            let (sides, zero) = (vec![b.as_slice(); count], vec![0.0; matrix.n()]);
            let starts = vec![zero.as_slice(); count];
            let found =
                jacobi.solve_observed(&sides, &starts, Stop::residual(1e-5), &mut ()).unwrap();
            assert_eq!((found.converged, found.stopped), (Some(true), false));
            assert!(found.residual <= 1e-5);
            for x in &found.systems {
                let exact = residual_f64(&matrix, &doubles(x), &doubles(&b));
                assert!(exact < 2e-5, "{exact}: {}", name(&jacobi));
                // The least eigenvalue of the heat step is 1, so the error is no larger than the
                // residual.
                let norm = b.iter().map(|b| f64::from(*b).powi(2)).sum::<f64>().sqrt();
                let error: f64 =
                    x.iter().zip(&solution).map(|(x, s)| f64::from(x - s).powi(2)).sum();
                assert!(error.sqrt() <= 2e-5 * norm, "{}", name(&jacobi));
            }
        }
    });
}

#[test]
fn exactly_as_many_iterations_are_done_as_were_asked_for() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        for count in [0, 1, 2, 7, 8, 9, 31] {
            let zero = System { start: vec![0.0; 61], ..system.clone() };
            let found = jacobi.solve(&system.b, Stop::iterations(count)).unwrap();
            assert_eq!((found.iterations, found.converged, found.stopped), (count, None, false));
            assert_eq!(Twin::after(&zero, count).first_wrong(found.x()), None, "{count}");
            let (exact, bound) = residual_and_bound(&system, found.x());
            let norm = system.b_f64().iter().map(|b| b * b).sum::<f64>().sqrt();
            assert!(is_near(found.device_residual * norm, exact, bound));
            assert!(is_near(found.residual * norm, exact, 1e-10 * exact));
        }
    });
}

#[test]
fn a_limit_of_iterations_stops_before_the_tolerance_and_says_so() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let found = jacobi.solve(&system.b, Stop::residual(1e-6).at_most(3)).unwrap();
        assert_eq!((found.iterations, found.converged), (3, Some(false)));
        assert!(found.residual > 1e-6);
        let found = jacobi.solve(&system.b, Stop::residual(0.0).at_most(5)).unwrap();
        assert_eq!((found.iterations, found.converged), (5, Some(false)));
    });
}

#[test]
fn a_tolerance_that_floats_cannot_reach_ends_and_says_so() {
    let cases = [("heat9:24", 10_000), ("fe9:16", 100_000)];
    by_turns_on(&[Flavour::Gl33, Flavour::Gles30], cases, |context, &(stencil, most)| {
        let matrix = stencil.parse::<Stencil>().unwrap().matrix().unwrap();
        let b = crate::common::random(matrix.n(), 1);
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        let found = jacobi.solve(&b, Stop::residual(1e-12)).unwrap();
        assert_eq!((found.converged, found.stagnated), (Some(false), true), "{stencil}");
        assert!(found.iterations < most, "{stencil}: {} iterations", found.iterations);
        // It did not give up early: this is what rounding leaves.
        assert!(found.residual < 1e-5, "{stencil}: {}", found.residual);
        let found = jacobi.solve(&b, Stop::residual(1e-4)).unwrap();
        assert_eq!((found.converged, found.stagnated), (Some(true), false), "{stencil}");
        let found = jacobi.solve(&b, Stop::iterations(5000)).unwrap();
        assert_eq!((found.iterations, found.stagnated), (5000, false), "{stencil}");
    });
}

#[test]
fn a_solver_takes_one_right_hand_side_after_another() {
    crate::common::on(&[Flavour::Gl33], |context| {
        for layout in [Layout::Red, Layout::Packed] {
            let chosen = variant(layout, Optimization::Boundary, Reads::Fetch);
            let mut system = System::random(61, 8, 3);
            let mut jacobi = solver(context, &[system.clone()], chosen);
            for seed in 0..4 {
                system.b = crate::common::random(61, seed);
                let zero = System { start: vec![0.0; 61], ..system.clone() };
                let found = jacobi.solve(&system.b, Stop::iterations(4)).unwrap();
                assert_eq!(Twin::after(&zero, 4).first_wrong(found.x()), None);
            }
        }
    });
}

#[test]
fn a_right_hand_side_of_zeros_has_the_solution_zero() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let system = System::random(61, 8, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let found = jacobi.solve(&[0.0; 61], Stop::residual(1e-5)).unwrap();
        assert_eq!((found.x(), found.residual), ([0.0; 61].as_slice(), 0.0));
        assert_eq!((found.iterations, found.converged), (0, Some(true)));
        // From another start it has to be found, and the residual is not relative to zero.
        let sides: [&[f32]; 1] = [&[0.0; 61]];
        let found =
            jacobi.solve_observed(&sides, &[&system.start], Stop::residual(1e-5), &mut ()).unwrap();
        assert!(found.iterations > 0 && found.residual <= 1e-5);
    });
}

#[test]
fn the_size_of_the_right_hand_side_does_not_matter() {
    crate::common::on(&[Flavour::Gl33], |context| {
        for chosen in [Layout::Red, Layout::Rgba, Layout::Packed]
            .map(|layout| variant(layout, Optimization::Neighbours, Reads::Sample))
        {
            let systems = systems(chosen, 61, 8, 3);
            let mut jacobi = solver(context, &systems, chosen);
            let zero = vec![0.0; 61];
            let starts = vec![zero.as_slice(); systems.len()];
            // Squares of these leave the range of floats at either end.
            for scale in [1e-25_f32, 1e-12, 1.0, 1e12, 1e25] {
                let b: Vec<Vec<f32>> =
                    systems.iter().map(|s| s.b.iter().map(|b| b * scale).collect()).collect();
                let sides: Vec<&[f32]> = b.iter().map(Vec::as_slice).collect();
                let found = jacobi
                    .solve_observed(&sides, &starts, Stop::residual(1e-5), &mut ())
                    .unwrap_or_else(|error| panic!("scale {scale:e}: {error}"));
                assert_eq!(found.converged, Some(true));
                for ((system, b), x) in systems.iter().zip(&b).zip(&found.systems) {
                    let exact = residual_f64(&system.matrix, &doubles(x), &doubles(b));
                    assert!(exact < 2e-5, "scale {scale:e}: {exact}, {}", name(&jacobi));
                }
            }
        }
    });
}

#[test]
fn the_observer_sees_the_residual_fall_and_the_forecast_come_true() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let matrix = "fe9:24".parse::<Stencil>().unwrap().matrix().unwrap();
        let b = crate::common::random(matrix.n(), 1);
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        let mut seen: Vec<Progress> = Vec::new();
        let mut watch = |progress: &Progress| {
            seen.push(*progress);
            Control::Continue
        };
        let zero = vec![0.0; matrix.n()];
        let found =
            jacobi.solve_observed(&[&b], &[&zero], Stop::residual(1e-4), &mut watch).unwrap();
        assert!(seen.len() > 3);
        assert!(seen.windows(2).all(|pair| pair[0].done < pair[1].done));
        let last = seen.last().unwrap();
        assert_eq!((last.done, last.residual), (found.iterations, Some(found.device_residual)));
        assert_eq!(last.expected, Some(found.iterations));
        // Finite elements make the residual fall steadily: half way the forecast is good.
        let half = seen.iter().find(|progress| 2 * progress.done >= found.iterations).unwrap();
        let expected = half.expected.unwrap() as f64;
        let count = found.iterations as f64;
        assert!((0.5..2.0).contains(&(expected / count)), "{expected} forecast of {count}");
    });
}

#[test]
fn the_observer_stops_it_with_what_there_is() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let system = System::random(150, 13, 3);
        let mut jacobi = Jacobi::new(context, &system.matrix, Variant::default()).unwrap();
        let mut stop = |_: &Progress| Control::Stop;
        let zero = System { start: vec![0.0; 150], ..system.clone() };
        for (chosen, converged) in
            [(Stop::residual(1e-30), Some(false)), (Stop::iterations(1_000_000), None)]
        {
            let found =
                jacobi.solve_observed(&[&system.b], &[&zero.start], chosen, &mut stop).unwrap();
            assert!(found.stopped && found.iterations > 0 && found.iterations < 1000);
            assert_eq!(found.converged, converged);
            assert_eq!(Twin::after(&zero, found.iterations).first_wrong(found.x()), None);
        }
    });
}

#[test]
fn iterating_makes_no_object_and_takes_no_memory() {
    let flavours = if is_thorough() { &Flavour::ALL[..] } else { &EXTREMES };
    by_turns_on(flavours, Layout::ALL, |context, layout| {
        for chosen in variants_of(context).filter(|chosen| chosen.layout == Some(*layout)) {
            let systems = systems(chosen, 150, 13, 5);
            let mut jacobi = solver(context, &systems, chosen);
            jacobi.iterate(1).unwrap();
            jacobi.residual_norms().unwrap();
            let before = context.objects().unwrap();
            for _ in 0..10 {
                jacobi.iterate(7).unwrap();
                jacobi.residual_norms().unwrap();
                assert_eq!(context.objects().unwrap(), before, "{}", name(&jacobi));
            }
        }
    });
}

#[test]
fn memory_is_the_bands_the_right_hand_side_two_iterates_and_a_tenth_at_most() {
    crate::common::on(&[Flavour::Gl], |context| {
        let matrix = "heat9:128".parse::<Stencil>().unwrap().matrix().unwrap();
        let b = crate::common::random(matrix.n(), 1);
        for chosen in variants_of(context) {
            let count = chosen.layout.unwrap().systems();
            let mut jacobi = Jacobi::with_systems(context, &vec![&matrix; count], chosen).unwrap();
            let (sides, zero) = (vec![b.as_slice(); count], vec![0.0; matrix.n()]);
            let starts = vec![zero.as_slice(); count];
            jacobi.solve_observed(&sides, &starts, Stop::iterations(2), &mut ()).unwrap();
            let need = (9 + 1 + 2) * 4 * matrix.n() as u64 * count as u64;
            let held = context.objects().unwrap().bytes;
            assert!(held >= need, "{held} bytes cannot hold it: {}", name(&jacobi));
            assert!(held * 10 <= need * 11, "{held} bytes for {need}: {}", name(&jacobi));
        }
    });
}

#[test]
fn numbers_that_devices_take_for_zero_are_solved_in_a_unit_of_their_own() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let matrix = "heat9:8".parse::<Stencil>().unwrap().matrix().unwrap();
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        let ordinary = jacobi.solve(&vec![1.0; 64], Stop::residual(1e-5)).unwrap();
        for size in [1e-37_f32, 1e-30, 1e37] {
            let solution = jacobi.solve(&vec![size; 64], Stop::residual(1e-5)).unwrap();
            assert_eq!(solution.converged, Some(true));
            for (x, one) in solution.x().iter().zip(ordinary.x()) {
                let exact = f64::from(*one) * f64::from(size);
                assert!(is_near(*x, exact, 1e-4 * exact.abs()), "{x} for {exact}");
            }
        }
    });
}

/// 64 unknowns in rows of 8, each coupled to four others.
fn five_bands(diagonal: f32, coupling: f32) -> NineBanded {
    let entry = |band| match band {
        Band::DD => diagonal,
        Band::DU | Band::DL | Band::UD | Band::LD => coupling,
        _ => 0.0,
    };
    let bands = Band::ALL.map(|band| {
        let inside = band.rows(64, 8);
        (0..64).map(|row| if inside.contains(&row) { entry(band) } else { 0.0 }).collect()
    });
    NineBanded::new(8, bands).unwrap()
}

/// Checks that the reported residual is true of the x that is returned, and decides.
#[track_caller]
fn is_honest(found: &Solution, matrix: &NineBanded, b: &[f32], tolerance: f64) {
    let exact = residual_f64(matrix, &doubles(found.x()), &doubles(b));
    assert!(is_near(found.residual, exact, 1e-10 * exact), "{} for {exact}", found.residual);
    assert_eq!(found.converged, Some(exact <= tolerance));
}

#[test]
fn a_tolerance_that_the_device_meets_by_rounding_alone_is_met_by_the_host_too() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        for stencil in ["heat9:24", "fe9:16"] {
            let matrix = stencil.parse::<Stencil>().unwrap().matrix().unwrap();
            let b = crate::common::random(matrix.n(), 1);
            let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
            for iterations in (20..44).step_by(2) {
                // Just what the device reaches; in double precision it is as often a little more.
                let tolerance =
                    jacobi.solve(&b, Stop::iterations(iterations)).unwrap().device_residual;
                if tolerance < 1e-5 {
                    continue;
                }
                let found = jacobi.solve(&b, Stop::residual(tolerance)).unwrap();
                is_honest(&found, &matrix, &b, tolerance);
                assert_eq!(found.converged, Some(true), "{stencil}, {iterations}");
            }
        }
    });
}

#[test]
fn a_solution_beyond_floats_is_an_error_that_says_what_to_scale() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let matrix = five_bands(4.0, -1.0);
        let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
        for stop in [Stop::residual(1e-5), Stop::iterations(300)] {
            let error = jacobi.solve(&[3e38; 64], stop).unwrap_err();
            let Error::Overflow { value, factor, .. } = error else { panic!("{error}") };
            assert!(value > f64::from(f32::MAX) && value * factor <= 1e37, "{error}");
            assert_eq!(error.kind(), Kind::Failed);
            let smaller = [3e38 * factor as f32; 64];
            let found = jacobi.solve(&smaller, Stop::residual(1e-5)).unwrap();
            is_honest(&found, &matrix, &smaller, 1e-5);
            assert_eq!(found.converged, Some(true));
        }
    });
}

/// Devices may take these couplings, and these solutions, for zero.
#[test]
fn a_residual_is_true_at_the_lower_end_of_floats() {
    let (tiny, ordinary) = (five_bands(8e-38, -1e-38), five_bands(4.0, -1.0));
    let layouts = [Layout::Red, Layout::Separate, Layout::Packed];
    by_turns_on(&[Flavour::Gl33, Flavour::Gles30], layouts, |context, layout| {
        let flushes = takes_small_numbers_for_zero(context);
        for (matrix, size) in [(&tiny, 1.0_f32), (&ordinary, 1e-44), (&ordinary, 1e-41)] {
            let b = [size; 64];
            let chosen = variant(*layout, Optimization::Neighbours, Reads::Sample);
            let mut jacobi = Jacobi::new(context, matrix, chosen).unwrap();
            let found = jacobi.solve(&b, Stop::residual(1e-5)).unwrap();
            is_honest(&found, matrix, &b, 1e-5);
            if size < 1.0 || flushes {
                assert_eq!((found.converged, found.stagnated), (Some(false), true));
                assert!(found.device_residual <= 1e-5, "{}", found.device_residual);
            }
        }
    });
}

/// Whether one step leaves couplings of 1e-38 out.
fn takes_small_numbers_for_zero(context: &Context) -> bool {
    let mut jacobi = Jacobi::new(context, &five_bands(8e-38, -1e-38), Variant::default()).unwrap();
    let found = jacobi.solve(&[1.0; 64], Stop::iterations(2)).unwrap();
    is_near(f64::from(found.x()[27]) * 8e-38, 1.0, 1e-3)
}

#[test]
fn the_first_of_four_systems_decides_alone_where_that_is_asked_for() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let (good, bad) = (five_bands(4.0, -1.0), five_bands(1.0, -1.0));
        let rgba = Variant::new().layout(Layout::Rgba);
        let systems = [&good, &good, &bad, &good];
        let mut jacobi = Jacobi::with_systems(context, &systems, rgba).unwrap();
        let (b, zero) = ([1.0; 64], [0.0; 64]);
        let (sides, starts) = ([b.as_slice(); 4], [zero.as_slice(); 4]);
        let mut solve = |stop: Stop| jacobi.solve_observed(&sides, &starts, stop, &mut ());
        let found = solve(Stop::residual(1e-5).when_first_converges()).unwrap();
        is_honest(&found, &good, &b, 1e-5);
        assert_eq!((found.converged, found.residuals.len()), (Some(true), 4));
        assert_eq!(found.residual, found.residuals[0]);
        let [.., diverged, solved] = found.residuals[..] else { panic!("{found:?}") };
        assert!(solved <= 1e-5 && (diverged.is_nan() || diverged > 1.0), "{diverged}");
        // The third diverges, and here it counts.
        assert!(matches!(solve(Stop::residual(1e-5)), Err(Error::Diverged { .. })));
        let found = solve(Stop::iterations(5)).unwrap();
        assert_eq!(found.residual, largest(found.residuals.iter().copied()));
    });
}
