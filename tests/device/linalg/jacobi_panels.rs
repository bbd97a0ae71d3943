//! Jacobi on systems that are cut into panels: the same bits as in one texture, in every layout,
//! stage and way of reading.

use crate::common::systems::System;
use crate::common::variants::{
    name, residual_and_bound, solver, systems, variant, variants, variants_of,
};
use crate::common::{Flavour, clean, is_thorough};
use quadrille::data::Band;
use quadrille::internal::Ability;
use quadrille::internal::reference::is_near;
use quadrille::linalg::jacobi::{Jacobi, Layout, Optimization, Stop, Variant};
use quadrille::shader::Reads;
use quadrille::{Context, Kind};

/// The longest side of a texture here: rows of 13 fit in every layout, and rows of 61 in none.
const SIDE: u32 = 41;

/// A system of this many unknowns in rows of `m`, with the couplings across the ends of rows or
/// without.
fn random(chosen: Variant, n: usize, m: usize, across_ends: bool) -> Vec<System> {
    let across = |row: usize, band: Band| match band {
        Band::DL | Band::LL | Band::UL => row.is_multiple_of(m),
        Band::DU | Band::LU | Band::UU => row % m == m - 1,
        Band::DD | Band::LD | Band::UD => false,
    };
    let systems = systems(chosen, n, m, 7);
    if across_ends {
        return systems;
    }
    systems.iter().map(|system| system.without(across)).collect()
}

fn bits(systems: &[Vec<f32>]) -> Vec<Vec<u32>> {
    systems.iter().map(|x| x.iter().map(|x| x.to_bits()).collect()).collect()
}

/// Compares steps in panels with steps in one texture.
fn check(whole: &Context, cut: &Context, chosen: Variant, systems: &[System]) {
    let mut in_one = solver(whole, systems, chosen);
    let mut in_panels = solver(cut, systems, chosen);
    assert_eq!((in_one.panels(), in_panels.panels() > 2), (1, true));
    assert_eq!(in_one.variant(), in_panels.variant());
    let place = format!("{}, {} panels", name(&in_panels), in_panels.panels());
    for steps in [1, 4] {
        in_one.iterate(steps).unwrap();
        in_panels.iterate(steps).unwrap();
        assert!(bits(&in_one.read().unwrap()) == bits(&in_panels.read().unwrap()), "{place}");
    }
    if chosen.layout == Some(Layout::Separate) && !is_thorough() {
        return; // Compiling the residual's kernels is most of the time.
    }
    let (got, norms) = (in_panels.read().unwrap(), in_panels.residual_norms().unwrap());
    for ((system, x), norm) in systems.iter().zip(&got).zip(norms) {
        let (exact, bound) = residual_and_bound(system, x);
        assert!(is_near(norm, exact, bound), "residual {norm} for {exact} of {place}");
    }
    assert_eq!(in_panels.read().unwrap(), got, "looking at the residual changes nothing: {place}");
}

/// Runs a test on a context and on another like it with small textures.
fn on(flavour: Flavour, body: impl Fn(&Context, &Context)) {
    let cut = flavour.builder().without(Ability::LargerTextures(SIDE)).build().unwrap();
    crate::common::on(&[flavour], |whole| clean("small textures", &cut, |cut| body(whole, cut)));
}

#[test]
fn strips_of_coupled_rows_have_the_bits_of_one_texture_in_every_variant() {
    for (turn, flavour) in [Flavour::Gl, Flavour::Gles30].into_iter().enumerate() {
        on(flavour, |whole, cut| {
            let all: Vec<Variant> =
                if turn == 0 { variants_of(whole).collect() } else { variants().collect() };
            for (which, chosen) in all.into_iter().enumerate() {
                // Compiling the kernels is most of the time.
                if is_thorough() || which % 4 == turn {
                    check(whole, cut, chosen, &random(chosen, 13 * 100 + 7, 13, true));
                }
            }
        });
    }
}

#[test]
fn blocks_of_rows_that_are_too_long_have_the_bits_of_one_texture_in_every_layout() {
    on(Flavour::Gl, |whole, cut| {
        for (which, chosen) in variants_of(whole).enumerate() {
            if is_thorough() || which % 3 == 1 {
                check(whole, cut, chosen, &random(chosen, 61 * 50 + 22, 61, false));
            }
        }
    });
}

#[test]
fn a_solution_in_panels_is_the_one_of_one_texture() {
    on(Flavour::Gles30, |whole, cut| {
        let chosen = variant(Layout::Packed, Optimization::Neighbours, Reads::Sample);
        let [system] = &random(chosen, 13 * 100 + 7, 13, true)[..] else { panic!() };
        let solve = |context: &Context| {
            let mut jacobi = Jacobi::new(context, &system.matrix, chosen).unwrap();
            jacobi.solve(&system.b, Stop::iterations(40)).unwrap()
        };
        let (in_one, in_panels) = (solve(whole), solve(cut));
        assert_eq!(in_one.x(), in_panels.x());
        assert_eq!(in_one.residual, in_panels.residual);
        let (one, other) = (in_one.device_residual, in_panels.device_residual);
        assert!((one - other).abs() < 1e-4 * one, "{one}, {other}");
    });
}

#[test]
fn an_open_layout_is_packed_in_blocks_unless_rows_are_coupled_at_their_ends() {
    on(Flavour::Gles30, |_, cut| {
        for (m, across_ends, layout) in [
            (16, true, Layout::Packed),
            (17, true, Layout::Red),
            (41, true, Layout::Red),
            (17, false, Layout::Packed),
            (61, false, Layout::Packed),
        ] {
            let [system] = &random(Variant::default(), 3 * m, m, across_ends)[..] else { panic!() };
            let jacobi = Jacobi::new(cut, &system.matrix, Variant::default()).unwrap();
            assert_eq!(jacobi.variant().layout, layout, "rows of {m}, {across_ends}");
            assert_eq!(jacobi.panels() > 1, m > 16 && !across_ends);
        }
    });
}

#[test]
fn coupled_rows_that_are_too_long_are_refused_with_what_fits() {
    on(Flavour::Gl33, |_, cut| {
        for layout in Layout::ALL {
            let chosen = Variant::default().layout(layout);
            let made = |m: usize| {
                let systems = random(chosen, 2 * m + 1, m, true);
                let matrices: Vec<_> = systems.iter().map(|system| &system.matrix).collect();
                Jacobi::with_systems(cut, &matrices, chosen)
            };
            let error = made(61).err().unwrap();
            assert_eq!(error.kind(), Kind::Limit);
            let text = error.to_string();
            assert!(text.contains("rows of 61 cannot be cut"), "{text}");
            assert!(text.contains("limit is 41; red fits rows of up to 41, "), "{text}");
            // What it says fits does fit.
            let fits: usize = text.rsplit(' ').next().unwrap().parse().unwrap();
            made(fits).unwrap();
            made(fits + 1).err().unwrap();
        }
    });
}
