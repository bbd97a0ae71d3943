//! Stencils by their texts: the matrices they make, and the texts that are refused.

use proptest::prelude::*;
use quadrille::data::{Band, Error, NineBanded, Stencil};
use quadrille::internal::reference::is_near;

fn matrix(text: &str) -> NineBanded {
    text.parse::<Stencil>().unwrap().matrix().unwrap()
}

fn refused(text: &str) -> String {
    match text.parse::<Stencil>() {
        Ok(stencil) => panic!("`{text}` is taken as {stencil:?}"),
        Err(error) => error.to_string(),
    }
}

/// The couplings of a point that has all its neighbours, row by row as they lie on the grid.
fn around(matrix: &NineBanded) -> [f32; 9] {
    let middle = matrix.m() + 1;
    [Band::LL, Band::LD, Band::LU, Band::DL, Band::DD, Band::DU, Band::UL, Band::UD, Band::UU]
        .map(|band| matrix.band(band)[middle])
}

#[test]
fn poisson_is_four_and_minus_one() {
    assert_eq!(around(&matrix("poisson5:5")), [0., -1., 0., -1., 4., -1., 0., -1., 0.]);
}

#[test]
fn heat_is_the_identity_plus_a_step() {
    let (side, corner) = (-2.0_f32 / 3.0, -1.0_f32 / 6.0);
    // Rounded once, from double precision.
    let middle = (1.0_f64 + 10.0 / 3.0) as f32;
    assert_eq!(
        around(&matrix("heat9:4")),
        [corner, side, corner, side, middle, side, corner, side, corner]
    );
    assert_eq!(around(&matrix("heat9:4:step=0.5"))[4], (1.0_f64 + 5.0 / 3.0) as f32);
}

#[test]
fn finite_elements_are_those_of_pyamg() {
    // pyamg 5.4.1: diffusion_stencil_2d(epsilon, theta, type='FE'), row by row.
    let cases: [(&str, [f64; 9]); 3] = [
        ("fe9:5", [-1.0, -1.0, -1.0, -1.0, 8.0, -1.0, -1.0, -1.0, -1.0].map(|c: f64| c / 3.0)),
        (
            "fe9:5:anisotropy=0.25:angle=30",
            [
                -0.3707131,
                -0.39583333,
                -0.04595357,
                -0.02083333,
                1.66666667,
                -0.02083333,
                -0.04595357,
                -0.39583333,
                -0.3707131,
            ],
        ),
        (
            "fe9:5:angle=30:anisotropy=0.01",
            [
                -0.38267462,
                -0.41583333,
                0.04600795,
                0.07916667,
                1.34666667,
                0.07916667,
                0.04600795,
                -0.41583333,
                -0.38267462,
            ],
        ),
    ];
    for (text, expected) in cases {
        for (got, expected) in around(&matrix(text)).into_iter().zip(expected) {
            // The quoted numbers have 8 digits, single precision has 24 bits.
            assert!(is_near(got, expected, 1e-7), "{text}: {got} for {expected}");
        }
    }
}

#[test]
fn heat_is_strictly_dominant_at_the_largest_step_too() {
    for step in ["1e-6", "1", "1e3", "1e6"] {
        assert!(matrix(&format!("heat9:9x7:step={step}")).is_strictly_dominant(), "{step}");
    }
    assert!(!matrix("poisson5:9").is_strictly_dominant());
}

#[test]
fn the_smallest_grids_work() {
    for text in ["poisson5:3x1", "fe9:3x1", "heat9:3x2", "heat9:3"] {
        assert_eq!(matrix(text).m(), 3, "{text}");
    }
}

proptest! {
    #[test]
    fn couplings_join_neighbours_on_the_grid_and_no_others(width in 3_usize..12, height in 1_usize..9) {
        let matrix = matrix(&format!("heat9:{width}x{height}"));
        prop_assert_eq!((matrix.n(), matrix.m()), (width * height, width));
        for i in 0..matrix.n() {
            for j in 0..matrix.n() {
                let near = (i % width).abs_diff(j % width) <= 1 && (i / width).abs_diff(j / width) <= 1;
                prop_assert_eq!(matrix.entry(i, j) != 0.0, near, "{} and {}", i, j);
                prop_assert_eq!(matrix.entry(i, j), matrix.entry(j, i));
            }
        }
    }

    #[test]
    fn texts_and_values_are_inverse(
        width in 3_usize..3000, height in 1_usize..3000,
        anisotropy in 1e-6_f64..1e3, angle in -360.0_f64..360.0, step in 1e-6_f64..1e6,
    ) {
        for stencil in [
            format!("poisson5:{width}x{height}"),
            format!("fe9:{width}x{height}:anisotropy={anisotropy}:angle={angle}"),
            format!("heat9:{width}x{height}:step={step}"),
        ] {
            let parsed: Stencil = stencil.parse().unwrap();
            prop_assert_eq!(parsed.to_string().parse::<Stencil>().unwrap(), parsed);
        }
    }
}

#[test]
fn defaults_are_left_out_of_the_text() {
    for (text, short) in [
        ("fe9:128x128:anisotropy=1:angle=0", "fe9:128"),
        ("heat9:512:step=1.0", "heat9:512"),
        ("fe9:8x4:angle=45", "fe9:8x4:angle=45"),
    ] {
        assert_eq!(text.parse::<Stencil>().unwrap().to_string(), short);
    }
}

#[test]
fn an_unknown_name_lists_the_names() {
    assert_eq!(
        refused("poison:12"),
        "unknown stencil `poison`: the stencils are poisson5:W[xH] (as poisson5:128), \
         fe9:W[xH][:anisotropy=E][:angle=DEGREES] (as fe9:128x64:anisotropy=0.01:angle=30), \
         heat9:W[xH][:step=T] (as heat9:512)"
    );
    assert!(refused("").starts_with("unknown stencil ``: the stencils are"));
}

#[test]
fn a_wrong_size_or_option_says_what_would_do() {
    let size = "expected a size W or WxH in points from 1 to 1073741824, as 128 or 128x64";
    for (text, expected) in [
        ("fe9", format!("stencil `fe9`: {size}, got ``")),
        ("fe9:0", format!("stencil `fe9:0`: {size}, got `0`")),
        ("fe9:8x0", format!("stencil `fe9:8x0`: {size}, got `8x0`")),
        ("fe9:-4", format!("stencil `fe9:-4`: {size}, got `-4`")),
        ("fe9:8x", format!("stencil `fe9:8x`: {size}, got `8x`")),
        (
            "heat9:2x9",
            "stencil `heat9:2x9`: expected a width of at least 3 (the nine bands are different diagonals \
             only from there), got `2`"
                .into(),
        ),
        (
            "poisson5:9:step=1",
            "stencil `poisson5:9:step=1`: expected nothing after the size, got `step=1`".into(),
        ),
        (
            "fe9:9:speed=1",
            "stencil `fe9:9:speed=1`: expected anisotropy=NUMBER or angle=NUMBER, got `speed=1`".into(),
        ),
        ("fe9:9:angle=x", "stencil `fe9:9:angle=x`: expected angle=NUMBER, got `angle=x`".into()),
        (
            "fe9:9:angle=1:angle=2",
            "stencil `fe9:9:angle=1:angle=2`: expected angle once, got `angle=2`".into(),
        ),
        (
            "fe9:9:anisotropy=0",
            "stencil `fe9:9:anisotropy=0`: expected an anisotropy above 0, at most 1e6, got `0`".into(),
        ),
        (
            "heat9:9:step=-1",
            "stencil `heat9:9:step=-1`: expected a step above 0, at most 1000000, got `-1`".into(),
        ),
        (
            "heat9:9:step=nan",
            "stencil `heat9:9:step=nan`: expected step=NUMBER, got `step=nan`".into(),
        ),
    ] {
        assert_eq!(refused(text), expected);
    }
    assert!(refused("poisson5:99999999").starts_with("the number of unknowns is 9999999800000001"));
}

#[test]
fn a_stencil_made_by_hand_is_checked_too() {
    let stencil = Stencil::Heat9 { width: 5, height: 5, step: f64::NAN };
    assert!(matches!(stencil.matrix(), Err(Error::BadStencil { .. })));
}
