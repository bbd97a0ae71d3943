//! The constant form against stored bands.

use crate::data::{Band, Block, NineBanded, Stencil};

use super::*;

const SIZES: [&str; 7] = ["3x1", "3", "4x2", "5x3", "17x1", "16x9", "33x31"];

fn stencils() -> impl Iterator<Item = Stencil> {
    let all = ["poisson5:S", "fe9:S:anisotropy=0.1:angle=30", "convection:S", "neumann5:S"];
    let texts = SIZES.iter().flat_map(move |size| all.map(|text| text.replace('S', size)));
    texts.map(|text| text.parse().unwrap())
}

#[test]
fn the_form_is_found_in_stored_bands_and_gives_them_again() {
    for stencil in stencils() {
        let matrix = stencil.matrix().unwrap();
        let form = *matrix.constant().unwrap();
        let stored = matrix.stored().unwrap();
        assert!(stored.constant().is_none() && stored == matrix, "{stencil}");
        let found = of(&stored).unwrap();
        assert!(NineBanded::of_constant(found) == stored, "{stencil}");
        let entry = |band: Band, row: usize| form.entry(band, row % stored.m(), row / stored.m());
        for band in Band::ALL {
            let numbers = stored.band(band).iter().enumerate();
            for (row, number) in numbers {
                assert_eq!(entry(band, row), *number, "{stencil} {band} {row}");
            }
        }
    }
}

fn of(matrix: &NineBanded) -> Option<Constant<f32>> {
    Constant::of(&Band::ALL.map(|band| matrix.band(band).to_vec()), matrix.m())
}

/// A number that differs at one side, at one corner or outside makes the form another one.
#[test]
fn one_other_number_is_seen() {
    let matrix = "fe9:7x5".parse::<Stencil>().unwrap().matrix().unwrap().stored().unwrap();
    let bands = || Band::ALL.map(|band| matrix.band(band).to_vec());
    assert!(of(&matrix).is_some());
    let mut seen = 0;
    for band in Band::ALL {
        for row in band.rows(35, 7) {
            let mut bands = bands();
            bands[band.index()][row] += 0.5;
            let other = NineBanded::new(7, bands).unwrap();
            // The diagonal may differ at a corner, which is a boundary condition.
            let corner = band == Band::DD && [0, 6, 28, 34].contains(&row);
            assert_eq!(of(&other).is_some(), corner, "{band} {row}");
            seen += 1;
        }
    }
    assert!(seen > 200);
    let short = Band::ALL.map(|band| matrix.band(band)[..33].to_vec());
    let kept = |(band, mut numbers): (Band, Vec<f32>)| {
        numbers[band.rows(33, 7).end..].fill(0.0);
        numbers
    };
    let mut short = Band::ALL.into_iter().zip(short).map(kept);
    let short: [Vec<f32>; 9] = std::array::from_fn(|_| short.next().unwrap());
    assert!(of(&NineBanded::new(7, short).unwrap()).is_none());
}

#[test]
fn products_have_the_bits_of_stored_bands_in_any_part() {
    for stencil in stencils() {
        let matrix = stencil.matrix_f64().unwrap();
        let stored = matrix.stored().unwrap();
        let n = matrix.n();
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
        let expected = stored.multiply_f64(&x);
        assert_eq!(matrix.multiply_f64(&x), expected, "{stencil}");
        for first in [0, 1, n / 2, n - 1] {
            let mut y = vec![0.0; n - first];
            matrix.constant().unwrap().add_product(1.0, &x, first, &mut y);
            assert_eq!(y, expected[first..], "{stencil} from {first}");
        }
    }
}

#[test]
fn blocks_are_those_of_stored_bands() {
    for text in ["neumann5:9x7", "convection:9x7", "fe9:9x7"] {
        let matrix = text.parse::<Stencil>().unwrap().matrix().unwrap();
        let stored = matrix.stored().unwrap();
        for (columns, rows) in
            [(0..9, 0..7), (0..3, 0..1), (2..6, 1..3), (5..9, 6..7), (1..9, 3..7)]
        {
            let block = Block { columns, rows };
            let part = matrix.block(&block).unwrap();
            assert!(part.constant().is_some());
            assert!(part == stored.block(&block).unwrap(), "{text} {block:?}");
        }
    }
}
