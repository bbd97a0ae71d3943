//! The form of diffusion against stored bands that are built point by point.

use super::coefficients::harmonic_mean;
use crate::Shape;
use crate::data::{
    ArrayError, Band, BandError, Block, Error, Faces, Form, NineBanded, SplitMix64, diffusion,
    diffusion_block, diffusion_by_faces, diffusion_by_faces_block,
};

/// Coefficients of 10^-3 to 10^3.
fn coefficients(n: usize, seed: u64) -> Vec<f64> {
    let mut generator = SplitMix64::new(seed);
    std::iter::repeat_with(|| 10_f64.powf(3.0 * f64::from(generator.symmetric()))).take(n).collect()
}

const SIZES: [(usize, usize); 7] = [(3, 1), (3, 2), (4, 3), (17, 1), (9, 7), (600, 3), (257, 4)];

/// The coefficients at the faces of a grid, or at points, whose means are those at faces.
enum Given {
    Points(Vec<f64>),
    Faces([Vec<f64>; 2]),
}

impl Given {
    /// Both kinds for a grid; some sides are closed.
    fn of((width, height): (usize, usize), seed: u64) -> [Given; 2] {
        let mut x = coefficients((width + 1) * height, seed + 1);
        let mut y = coefficients(width * (height + 1), seed + 2);
        x.iter_mut().step_by(width + 1).for_each(|k| *k = 0.0);
        y[..width / 2].fill(0.0);
        [Given::Points(coefficients(width * height, seed)), Given::Faces([x, y])]
    }

    fn matrix(&self, (width, height): (usize, usize)) -> NineBanded<f64> {
        let shape = Shape::new(height, width);
        match self {
            Given::Points(k) => diffusion(shape, k).unwrap(),
            Given::Faces([x, y]) => {
                diffusion_by_faces(shape, Faces { x: x.into(), y: y.into() }).unwrap()
            }
        }
    }

    /// The matrix of a block from what it needs of the coefficients.
    fn block(&self, (width, height): (usize, usize), block: &Block) -> NineBanded<f64> {
        let shape = Shape::new(height, width);
        let part = |numbers: &[f64], across: usize, part: &Block| -> Vec<f64> {
            let rows = part.rows.clone();
            rows.flat_map(|row| &numbers[row * across..][part.columns.clone()]).copied().collect()
        };
        let Block { columns, rows } = block.clone();
        match self {
            Given::Points(k) => {
                let known = part(k, width, &block.grown(1, width * height, width));
                diffusion_block(shape, block, known).unwrap()
            }
            Given::Faces([x, y]) => {
                let of_x = Block { columns: columns.start..columns.end + 1, rows: rows.clone() };
                let of_y = Block { columns, rows: rows.start..rows.end + 1 };
                let (x, y) = (part(x, width + 1, &of_x), part(y, width, &of_y));
                diffusion_by_faces_block(shape, block, Faces { x: x.into(), y: y.into() }).unwrap()
            }
        }
    }

    /// What flows between a point and a neighbour.
    fn between(&self, (width, height): (usize, usize), (x, y): (usize, usize), band: Band) -> f64 {
        match self {
            Given::Faces([along_x, along_y]) => match band {
                Band::DL => along_x[y * (width + 1) + x],
                Band::DU => along_x[y * (width + 1) + x + 1],
                Band::LD => along_y[y * width + x],
                _ => along_y[(y + 1) * width + x],
            },
            Given::Points(k) => {
                let beside = band.beside(x, y).filter(|(x, y)| *x < width && *y < height);
                let here = k[y * width + x];
                harmonic_mean(here, beside.map_or(here, |(x, y)| k[y * width + x]))
            }
        }
    }

    /// The same matrix with stored bands.
    fn stored(&self, size: (usize, usize)) -> NineBanded<f64> {
        let n = size.0 * size.1;
        let mut bands = Band::ALL.map(|_| vec![0.0; n]);
        let places = (0..n).map(|row| (row % size.0, row / size.0));
        for (row, place) in places.enumerate() {
            for band in [Band::LD, Band::DL, Band::DU, Band::UD] {
                let mean = self.between(size, place, band);
                bands[Band::DD.index()][row] += mean;
                let beside = band.beside(place.0, place.1);
                if beside.is_some_and(|(x, y)| x < size.0 && y < size.1) {
                    bands[band.index()][row] = -mean;
                }
            }
        }
        NineBanded::new(size.0, bands).unwrap()
    }
}

#[test]
fn every_number_has_the_bits_of_stored_bands() {
    for size in SIZES {
        for given in Given::of(size, 5) {
            let (field, expected) = (given.matrix(size), given.stored(size));
            let n = size.0 * size.1;
            assert_eq!((field.form(), field.n(), field.m()), (Form::Field, n, size.0));
            let number = |band: Band| (0..n).map(|row| field.number(band, row)).collect::<Vec<_>>();
            for band in Band::ALL {
                assert_eq!(number(band), expected.band(band), "{size:?} {band}");
            }
            assert!(field == expected && field.stored().unwrap() == expected);
            let (single, exact) = field.rounded().unwrap();
            assert!(single == expected.rounded().unwrap().0 && !exact);
            assert_eq!(single.form(), Form::Field);
            let scaled: NineBanded = field.converted(2.0_f64.powi(-40));
            assert!(scaled == expected.converted(2.0_f64.powi(-40)));
        }
    }
}

/// From what is around it, and from the whole, which a part of a part shares.
#[test]
fn blocks_are_those_of_stored_bands() {
    for size in [(9, 7), (30, 5), (4, 3), (257, 6)] {
        let (wide, high) = size;
        let inner = Block { columns: 1..wide, rows: 1..high - 1 };
        let blocks = [
            Block { columns: 0..wide, rows: 0..high / 2 },
            Block { columns: 0..wide, rows: high / 2..high },
            Block { columns: wide - 3..wide, rows: 1..high },
            inner.clone(),
        ];
        for given in Given::of(size, 8) {
            let (whole, stored) = (given.matrix(size), given.stored(size));
            for block in blocks.iter().filter(|block| !block.rows.is_empty()) {
                let expected = stored.block(block).unwrap();
                for part in [given.block(size, block), whole.block(block).unwrap()] {
                    assert_eq!(part.form(), Form::Field);
                    assert!(part.stored().unwrap() == expected, "{size:?} {block:?}");
                }
            }
            let part = Block { columns: 0..3, rows: 0..1 };
            let of_part = whole.block(&inner).unwrap().block(&part).unwrap();
            assert!(of_part == stored.block(&inner).unwrap().block(&part).unwrap(), "{size:?}");
        }
    }
}

#[test]
fn products_have_the_bits_of_stored_bands_in_any_part() {
    for size in SIZES {
        for given in Given::of(size, 9) {
            let (field, n) = (given.matrix(size), size.0 * size.1);
            let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
            let expected = given.stored(size).multiply_f64(&x);
            assert_eq!(field.multiply_f64(&x), expected, "{size:?}");
            for first in [1, n / 2, n - 1] {
                let mut y = vec![0.0; n - first];
                field.add_product_of_rows(1.0, &x, first, &mut y);
                assert_eq!(y, expected[first..], "{size:?} from {first}");
            }
        }
    }
}

/// With another coefficient at one point or face, every product beside it is another.
#[test]
fn one_other_coefficient_is_seen() {
    let x: Vec<f64> = (0..63).map(|i| f64::from(1 + i % 5)).collect();
    let [Given::Points(mut k), Given::Faces(mut faces)] = Given::of((9, 7), 2) else { panic!() };
    let product = |k: &[f64]| diffusion(Shape::new(7, 9), k).unwrap().multiply_f64(&x);
    let before = product(&k);
    for at in [0, 4, 8, 27, 31, 62] {
        k[at] *= 1.5;
        assert!(before[at] != product(&k)[at], "{at}");
        k[at] /= 1.5;
    }
    let product =
        |faces: &[Vec<f64>; 2]| Given::Faces(faces.clone()).matrix((9, 7)).multiply_f64(&x);
    let before = product(&faces);
    for (axis, at, row) in [(0, 1, 0), (0, 9, 8), (0, 69, 62), (1, 8, 8), (1, 9, 0), (1, 71, 62)] {
        faces[axis][at] *= 1.5;
        assert!(before[row] != product(&faces)[row], "{axis} {at}");
        faces[axis][at] /= 1.5;
    }
}

#[test]
fn what_is_the_same_everywhere_is_constant() {
    for (width, height) in SIZES {
        let shape = Shape::new(height, width);
        let n = width * height;
        let one = diffusion(shape, vec![0.3; n]).unwrap();
        assert_eq!(one.form(), Form::Constant);
        assert!(one == Given::Points(vec![0.3; n]).stored((width, height)));
        // Each side has its own coefficient, and along x and y they differ.
        let mut x = vec![0.7; (width + 1) * height];
        let mut y = vec![1.9; width * (height + 1)];
        x.chunks_mut(width + 1).for_each(|row| (row[0], row[width]) = (0.0, 5.0));
        y[..width].fill(3.0);
        y[width * height..].fill(0.25);
        let given = Given::Faces([x.clone(), y.clone()]);
        let made = given.matrix((width, height));
        assert_eq!(made.form(), Form::Constant);
        assert!(made == given.stored((width, height)), "{width}x{height}");
        for axis in [0, 1] {
            let mut faces = [x.clone(), y.clone()];
            // One inside where there is one, else at a side that has several.
            let last = faces[axis].len() - 2;
            faces[axis][last] *= 2.0;
            let given = Given::Faces(faces);
            let made = given.matrix((width, height));
            if height > 1 {
                assert_eq!(made.form(), Form::Field, "{width}x{height}");
            }
            assert!(made == given.stored((width, height)), "{width}x{height}");
        }
    }
}

#[test]
fn bad_coefficients_are_named_with_their_place() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut k = coefficients(20, 1);
        k[13] = bad;
        let error = diffusion(Shape::new(4, 5), &k).unwrap_err().to_string();
        assert!(error.contains("column 3") && error.contains("row 2"), "{error}");
        // Of 6 in a row, and of 5.
        for (axis, at, says) in [
            (0, 15, "column 3, row 2 of those along x"),
            (1, 7, "column 2, row 1 of those along y"),
        ] {
            let mut faces = [vec![1.5; 24], vec![2.5; 25]];
            faces[axis][at] = bad;
            let [x, y] = faces.map(Into::into);
            let error =
                diffusion_by_faces(Shape::new(4, 5), Faces { x, y }).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains(&bad.to_string()), "{error}");
        }
        // At a side zero is allowed.
        let sides = [(0, 6), (0, 11), (1, 4), (1, 22)];
        for (axis, at) in sides {
            let mut faces = [vec![1.5; 24], vec![2.5; 25]];
            faces[axis][at] = bad;
            let [x, y] = faces.map(Into::into);
            let made = diffusion_by_faces(Shape::new(4, 5), Faces { x, y });
            assert_eq!(made.is_ok(), bad == 0.0, "{bad} {axis} {at}");
        }
    }
    let error = diffusion(Shape::new(4, 5), &[1e308; 20]).unwrap_err();
    assert!(
        matches!(error, Error::Bands(BandError::NotFinite { band: Band::DD, row: 0, .. })),
        "{error}"
    );
    let faces = Faces { x: vec![1.0; 23].into(), y: vec![1.0; 25].into() };
    let error = diffusion_by_faces(Shape::new(4, 5), faces).unwrap_err();
    assert!(matches!(error, Error::Array(ArrayError::MatrixLength { got: 23, .. })), "{error}");
    let error = Faces::grid(Shape::new(4, 6), Shape::new(5, 6)).unwrap_err().to_string();
    assert!(error.contains("6 x 4 along x and 6 x 5 along y"), "{error}");
}
