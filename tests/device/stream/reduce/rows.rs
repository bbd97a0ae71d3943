//! Large textures, whose first stage folds rows of adjacent texels. Their numbers are small and
//! whole, so that 32-bit floats add them exactly: in sums of this many numbers, a bound on
//! roundings would not tell a term that is missing.

use std::rc::Rc;

use crate::common::{Flavour, is_thorough, on, random};
use quadrille::grid::{DeviceGrid, DeviceVector, GridShape, Halo, Plan, Scalar};
use quadrille::internal::reference::blas1 as twin;
use quadrille::linalg::blas1::Blas1;
use quadrille::shader::Reads;
use quadrille::stream::Engine;
use quadrille::stream::reduce::{Factor, Reducer};
use quadrille::{Context, Extent};

/// Whole rows, rows that the edges cut, and the narrowest texture.
const EXTENTS: [(u32, u32); 3] = [(512, 512), (521, 509), (257, 1021)];

/// Random whole numbers from -4 to 4.
fn whole_numbers(count: usize, seed: u64) -> Vec<f32> {
    random(count, seed).iter().map(|x| (4.4 * x).round()).collect()
}

fn each_extent(body: impl Fn(&Context, &Reducer, Extent)) {
    let both = [(Flavour::Gl33, Reads::Sample), (Flavour::Gles30, Reads::Fetch)];
    for (flavour, reads) in both.into_iter().take(if is_thorough() { 2 } else { 1 }) {
        on(&[flavour], |context| {
            for threshold in [2048, 1] {
                let reducer =
                    Reducer::with(context, Factor::By64x2, reads).host_threshold(threshold);
                for (width, height) in EXTENTS {
                    body(context, &reducer, Extent::new(width, height));
                }
            }
        });
    }
}

#[test]
fn every_number_counts_once() {
    each_extent(|context, reducer, extent| {
        let (x, y) = (whole_numbers(extent.texels(), 1), whole_numbers(extent.texels(), 2));
        let of = |numbers: &[f32]| context.texture::<f32>(extent, numbers).unwrap();
        let (on_x, on_y) = (of(&x), of(&y));
        assert_eq!(reducer.sum(&on_x).unwrap(), twin::sum(&x), "{extent}");
        assert_eq!(reducer.dot(&on_x, &on_y).unwrap(), twin::dot(&x, &y), "{extent}");
        if is_thorough() {
            assert_eq!(reducer.norm(&on_x).unwrap(), twin::dot(&x, &x).sqrt(), "{extent}");
            assert_eq!(reducer.sum_abs(&on_x).unwrap(), twin::asum(&x), "{extent}");
        }
    });
}

#[test]
fn extremes_and_nan_are_found_wherever_they_are() {
    each_extent(|context, reducer, extent| {
        let (width, count) = (extent.width as usize, extent.texels());
        for place in [0, 63, 64, width - 1, width, count - width, count - 1] {
            let mut numbers = vec![3.0; count];
            numbers[place] = -7.0;
            let mut x = context.texture::<f32>(extent, &numbers).unwrap();
            assert_eq!(reducer.min(&x).unwrap(), -7.0, "{place} of {extent}");
            numbers[place] = f32::NAN;
            x.write(&numbers).unwrap();
            assert!(reducer.min(&x).unwrap().is_nan(), "{place} of {extent}");
        }
        // Nothing outside the texture counts, as a zero would.
        let x = context.texture::<f32>(extent, &vec![3.0; count]).unwrap();
        assert_eq!(reducer.min(&x).unwrap(), 3.0, "{extent}");
    });
}

/// Reduces vectors whose last row of texels is cut, and padded with zeros.
#[test]
fn vectors_are_reduced_on_the_host_and_left_on_the_device() {
    on(&[Flavour::Gl], |context| {
        let blas = Blas1::on(context, Engine::Fragment).unwrap();
        for length in [4 << 18, (4 << 18) + 4099] {
            let mut numbers = whole_numbers(length, 3);
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            assert_eq!(blas.sum(&x).unwrap(), twin::sum(&numbers), "{length}");
            let mut left = Scalar::new(context, f32::NAN).unwrap();
            blas.sum_into(&x, &mut left).unwrap();
            assert_eq!(left.read().unwrap(), twin::sum(&numbers), "{length}");
            for place in [0, 300, 4 * 512, length - 1] {
                numbers[place..].fill(-9.0);
                let x = DeviceVector::from_host(context, &numbers).unwrap();
                assert_eq!(blas.iamax(&x).unwrap(), Some(place), "{length}");
                numbers[place..].fill(-1.0);
            }
        }
    });
}

/// Each panel's halo is NaN.
#[test]
fn halos_are_left_out() {
    on(&[Flavour::Gl], |context| {
        let blas = Blas1::on(context, Engine::Fragment).unwrap();
        let shape = GridShape::new(4 * 259, 2 * 1021);
        let plan = Rc::new(Plan::strips(shape, 2, Halo { steps: 1, across_ends: false }));
        let mut x = DeviceGrid::zeros(context, &plan).unwrap();
        blas.grids().scal(f32::NAN, &mut x).unwrap();
        let numbers = whole_numbers(shape.len(), 4);
        x.write(&numbers).unwrap();
        assert_eq!(blas.grids().dot(&x, &x).unwrap(), twin::dot(&numbers, &numbers));
    });
}
