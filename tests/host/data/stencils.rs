//! Stencils by their texts: the matrices they make, and the texts that are refused.

use proptest::prelude::*;
use quadrille::data::{
    ArrayError, Band, BandError, Error, Form, NineBanded, Side, SplitMix64, Stencil, StencilError,
    diffusion,
};
use quadrille::internal::reference::is_near;
use quadrille::{Kind, Shape};

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
            format!("jump:{width}x{height}:ratio={}:cell={height}", 1.0 + anisotropy),
            format!("random:{width}x{height}:seed={width}"),
            format!("convection:{width}x{height}:angle={angle}:peclet={step}"),
            format!("neumann5:{width}x{height}"),
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
        ("jump:64:ratio=1000:cell=32", "jump:64"),
        ("jump:64:ratio=10:cell=8", "jump:64:ratio=10:cell=8"),
        ("random:64x64:seed=1", "random:64"),
        ("convection:64:angle=45:peclet=10.666666666666666", "convection:64"),
        ("neumann5:9x9", "neumann5:9"),
    ] {
        assert_eq!(text.parse::<Stencil>().unwrap().to_string(), short);
    }
}

#[test]
fn an_unknown_name_lists_the_names() {
    assert_eq!(
        refused("poison:12"),
        "unknown stencil `poison`: the stencils are poisson5:W[xH][:sides=S] (as poisson5:128, or poisson5:128:sides=periodic), \
         fe9:W[xH][:anisotropy=E][:angle=DEGREES][:sides=S] (as fe9:128x64:anisotropy=0.01:angle=30), \
         heat9:W[xH][:step=T][:sides=S] (as heat9:512:sides=periodic+neumann, along x and along y), \
         jump:W[xH][:ratio=R][:cell=POINTS] (as jump:255:ratio=1000:cell=32), \
         random:W[xH][:seed=S] (as random:255), \
         convection:W[xH][:angle=DEGREES][:peclet=P] (as convection:255:angle=30), \
         neumann5:W[xH] (as neumann5:255)"
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
            "stencil `poisson5:9:step=1`: expected sides=NAME, got `step=1`".into(),
        ),
        (
            "fe9:9:speed=1",
            "stencil `fe9:9:speed=1`: expected anisotropy=NUMBER or angle=NUMBER or sides=NAME, got `speed=1`".into(),
        ),
        (
            "poisson5:9:sides=open",
            "stencil `poisson5:9:sides=open`: expected sides= and one of dirichlet, neumann, periodic, or two with a + between, along x \
             and along y, got `sides=open`"
                .into(),
        ),
        (
            "heat9:9:sides=neumann:sides=periodic",
            "stencil `heat9:9:sides=neumann:sides=periodic`: expected sides once, got `sides=periodic`".into(),
        ),
        (
            "neumann5:9:sides=periodic",
            "stencil `neumann5:9:sides=periodic`: expected nothing after the size, got `sides=periodic`".into(),
        ),
        (
            "fe9:9:anisotropy=0.1:angle=30:sides=periodic",
            "stencil `fe9:9:anisotropy=0.1:angle=30:sides=periodic`: expected no angle with sides=periodic (couplings that are turned \
             have no mirror images at the sides), got `30`"
                .into(),
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
            "jump:9:ratio=0.5",
            "stencil `jump:9:ratio=0.5`: expected a ratio from 1 to 1000000000, got `0.5`".into(),
        ),
        ("jump:9:cell=0", "stencil `jump:9:cell=0`: expected a cell of at least 1 point, got `0`".into()),
        (
            "jump:9:cell=2.5",
            "stencil `jump:9:cell=2.5`: expected cell as a whole number up to 9007199254740992, got `2.5`"
                .into(),
        ),
        (
            "random:9:seed=-1",
            "stencil `random:9:seed=-1`: expected seed as a whole number up to 9007199254740992, got `-1`"
                .into(),
        ),
        (
            "convection:9:peclet=-1",
            "stencil `convection:9:peclet=-1`: expected a Péclet number from 0 to 1000000, got `-1`".into(),
        ),
        (
            "neumann5:9:angle=1",
            "stencil `neumann5:9:angle=1`: expected nothing after the size, got `angle=1`".into(),
        ),
        (
            "heat9:9:step=nan",
            "stencil `heat9:9:step=nan`: expected step=NUMBER, got `step=nan`".into(),
        ),
    ] {
        assert_eq!(refused(text), expected);
    }
    assert!(refused("poisson5:9999999999").starts_with("the width m is 9999999999"));
    let whole = "poisson5:99999999".parse::<Stencil>().unwrap().matrix().unwrap_err();
    assert!(whole.to_string().starts_with("the number of unknowns is 9999999800000001"));
}

#[test]
fn a_stencil_made_by_hand_is_checked_too() {
    let stencil =
        Stencil::Heat9 { width: 5, height: 5, step: f64::NAN, sides: [Side::Dirichlet; 2] };
    assert!(matches!(stencil.matrix(), Err(Error::Stencil(StencilError::BadStencil { .. }))));
}

/// The sum of absolute entries, and the 2-norm of A x for x uniform in -1 to 1 from the generator's
/// seed 2, of programs in C that make the same systems for other solvers.
#[test]
fn systems_are_those_that_other_solvers_are_measured_with() {
    for (text, entries, side) in [
        ("poisson5", 23896.0, 139.14521815841513),
        ("fe9", 15857.333805918694, 89.53306475985556),
        ("fe9:anisotropy=0.01", 11866.973509669304, 55.17026461067302),
        ("fe9:anisotropy=0.01:angle=30", 9471.991826355457, 50.195705608342905),
        ("fe9:anisotropy=0.01:angle=45", 8927.553395926952, 48.46936105939413),
        ("jump", 11438097.7734375, 95925.3915672049),
        ("random", 370464.1843261719, 7149.507690650968),
        ("convection", 7782.4375, 53.29086843155522),
    ] {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let text = format!("{name}:67x45:{options}");
        let stencil: Stencil = text.trim_end_matches(':').parse().unwrap();
        let matrix = stencil.matrix_f64().unwrap();
        let mut generator = SplitMix64::new(2);
        let x: Vec<f64> = (0..matrix.n())
            .map(|_| (generator.next() >> 40) as f64 / f64::from(1 << 23) - 1.0)
            .collect();
        let sum: f64 = Band::ALL.iter().flat_map(|&band| matrix.band(band)).map(|a| a.abs()).sum();
        let norm = matrix.multiply_f64(&x).iter().map(|b| b * b).sum::<f64>().sqrt();
        assert!(is_near(sum, entries, 1e-13 * entries), "{text}: {sum}");
        assert!(is_near(norm, side, 1e-13 * side), "{text}: {norm}");
        // One system in both precisions.
        assert!(stencil.matrix().unwrap().widened().unwrap() == matrix, "{text}");
    }
}

#[test]
fn coefficients_become_harmonic_means_of_neighbours() {
    let k = |i: usize| 0.25 + (i * 7 % 11) as f64;
    for (width, height) in [(3, 1), (3, 4), (7, 5), (17, 2)] {
        let coefficients: Vec<f64> = (0..width * height).map(k).collect();
        let matrix = diffusion(Shape::new(height, width), &coefficients).unwrap();
        assert_eq!(matrix.first_asymmetric_entry(), None);
        for i in 0..matrix.n() {
            let mut sum = 0.0;
            for (dx, dy) in [(0, -1), (-1, 0), (1, 0), (0, 1)] {
                let (x, y) = ((i % width) as isize + dx, (i / width) as isize + dy);
                let inside = (0..width as isize).contains(&x) && (0..height as isize).contains(&y);
                let j = if inside { y as usize * width + x as usize } else { i };
                let mean = 2.0 * k(i) * k(j) / (k(i) + k(j));
                sum += mean;
                assert!(!inside || is_near(matrix.entry(i, j), -mean, 1e-15 * mean), "{i} and {j}");
            }
            assert!(is_near(matrix.entry(i, i), sum, 1e-15 * sum), "{i}");
        }
        let entries = Band::ALL.iter().flat_map(|&band| matrix.band(band)).filter(|&&a| a != 0.0);
        assert_eq!(entries.count(), 5 * width * height - 2 * (width + height));
    }
}

#[test]
fn coefficients_that_are_no_diffusion_are_refused_with_their_place() {
    let shape = Shape::new(3, 4);
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut coefficients = [1.0; 12];
        coefficients[6] = value;
        let error = diffusion(shape, &coefficients).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "expected coefficients above 0, got {value} at column 2, row 1 (both count from 0)"
            )
        );
        assert_eq!(error.kind(), Kind::Input);
    }
    assert!(matches!(
        diffusion(shape, &[1.0; 11]),
        Err(Error::Array(ArrayError::MatrixLength { got: 11, .. }))
    ));
    assert!(matches!(
        diffusion(Shape::new(4, 2), &[1.0; 8]),
        Err(Error::Bands(BandError::WidthTooSmall { m: 2 }))
    ));
    assert!(matches!(diffusion(Shape::new(0, 3), &[]), Err(Error::Empty)));
}

#[test]
fn a_checkerboard_begins_with_one_and_its_rows_sum_to_zero_inside() {
    let matrix = matrix("jump:13x9:ratio=7:cell=3");
    let two = |i: usize, j: usize| matrix.entry(i, j);
    // 2 * 7 / 8 = 1.75 between the cells.
    assert_eq!((two(0, 1), two(2, 3), two(3, 4), two(26, 39)), (-1.0, -1.75, -7.0, -1.75));
    for (y, x) in (1..8).flat_map(|y| (1..12).map(move |x| (y, x))) {
        let row = 13 * y + x;
        assert_eq!(Band::ALL.iter().map(|&band| matrix.band(band)[row]).sum::<f32>(), 0.0);
    }
    // Entries that single precision does not hold are exact in double precision.
    let large: Stencil = "jump:9:ratio=1e9:cell=1".parse().unwrap();
    assert_eq!(large.matrix_f64().unwrap().entry(0, 1), -2.0);
    assert_eq!(large.matrix_f64().unwrap().entry(0, 0), 1.0 + 1.0 + 2.0 + 2.0);
}

#[test]
fn a_seed_decides_random_coefficients() {
    assert!(matrix("random:9") == matrix("random:9:seed=1"));
    assert!(matrix("random:9") != matrix("random:9:seed=2"));
}

#[test]
fn the_flow_takes_from_upstream() {
    let (middle, side, corner) = (20.0 / 64.0, -4.0 / 64.0, -1.0 / 64.0);
    let at = [Band::DL, Band::LL, Band::LD, Band::LU, Band::DU, Band::UU, Band::UD, Band::UL];
    // One after the other, turning by 45 degrees: where the flow comes from.
    for (eighth, upstream) in at.into_iter().enumerate() {
        let matrix = matrix(&format!("convection:5:angle={}", 45 * eighth));
        for band in Band::ALL {
            let still = match band {
                Band::DD => middle + 1.0,
                Band::DL | Band::DU | Band::LD | Band::UD => side,
                _ => corner,
            };
            let expected = if band == upstream { still - 1.0 } else { still };
            assert!(is_near(matrix.band(band)[12], expected, 1e-7), "{eighth}: {band}");
        }
    }
    let tilted = matrix("convection:5:angle=30:peclet=64");
    let part = 6.0 * 30.0_f64.to_radians().tan();
    assert!(is_near(tilted.entry(12, 12), middle + 6.0, 1e-6));
    assert!(is_near(tilted.entry(12, 6), corner - part, 1e-6));
    assert!(is_near(tilted.entry(12, 11), side - (6.0 - part), 1e-6));
    assert_eq!(matrix("convection:5:peclet=0").first_asymmetric_entry(), None);
    assert_eq!(matrix("convection:5").first_asymmetric_entry(), Some((0, 6)));
}

#[test]
fn without_flux_over_the_edge_constants_become_zero() {
    for text in ["neumann5:3x1", "neumann5:5x4", "neumann5:17"] {
        let matrix = matrix(text);
        assert_eq!(matrix.first_asymmetric_entry(), None);
        assert!(matrix.multiply_f64(&vec![1.0; matrix.n()]).iter().all(|row| *row == 0.0));
    }
    assert_eq!(matrix("neumann5:5").entry(0, 0), 2.0);
    assert_eq!(matrix("neumann5:5").entry(12, 12), 4.0);
}

#[test]
fn sides_are_part_of_a_stencil() {
    let of = |text: &str| text.parse::<Stencil>().unwrap();
    let both = of("heat9:5x4:sides=neumann+periodic:step=2");
    assert_eq!(both.sides(), [Side::Neumann, Side::Periodic]);
    assert_eq!(both.to_string(), "heat9:5x4:step=2:sides=neumann+periodic");
    assert_eq!(of("poisson5:5:sides=neumann+neumann").to_string(), "poisson5:5:sides=neumann");
    assert_eq!(of("poisson5:5:sides=dirichlet").to_string(), "poisson5:5");
    // Without flux along both axes it is what another name has.
    let same = of("poisson5:6x4:sides=neumann").matrix().unwrap();
    assert_eq!(same, of("neumann5:6x4").matrix().unwrap());
    assert_eq!(same.form(), Form::Constant);
    // A corner's coupling is added to the one along the side: rows keep their sum.
    let folded = of("heat9:6x4:step=2:sides=neumann").matrix_f64().unwrap();
    assert_eq!((folded.form(), folded.first_asymmetric_entry()), (Form::Stored, None));
    let sums = folded.multiply_f64(&[1.0; 24]);
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6), "{sums:?}");
    assert_eq!(folded.entry(0, 6), folded.entry(1, 7) + folded.entry(1, 8));
    // A block of it has the same numbers.
    let block = quadrille::data::Block { columns: 0..4, rows: 1..4 };
    assert_eq!(
        of("heat9:6x4:step=2:sides=neumann").block_f64(&block).unwrap(),
        folded.block(&block).unwrap()
    );
    let error = of("poisson5:9:sides=dirichlet+periodic").matrix().unwrap_err();
    let text = quadrille::internal::advised(&error);
    assert!(
        text.contains("the sides along y are periodic") && text.contains("the method fft"),
        "{text}"
    );
    // Rows of finite elements sum to zero, though their numbers are rounded.
    let ring = of("fe9:7x5:anisotropy=0.3:sides=periodic").system().unwrap();
    let mut product = vec![0.0; 35];
    ring.add_product(&[1.0; 35], &mut product);
    assert!(product.iter().all(|sum| sum.abs() < 1e-15), "{product:?}");
}
