//! Selections and partitions against those of the host: by predicates and masks, on each engine, in
//! one panel and in several.

use crate::common::each_engine;
use quadrille::Context;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Number, Select};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const LENGTHS: [usize; 10] = [0, 1, 3, 4, 5, 17, 257, 1021, 4097, 20_011];
/// The sides of textures by which vectors have several panels.
const SIDE: u32 = 16;

/// Compares what is kept, and the partition, with the host's, bit for bit; and that the padding is 0.
fn compare<T: Number>(
    select: &Select<T>,
    context: &Context,
    numbers: &[T],
    keep: impl Fn(&T) -> bool,
) {
    let x = DeviceVector::from_host(context, numbers).unwrap();
    let (kept, rest): (Vec<T>, Vec<T>) = numbers.iter().partition(|number| keep(number));
    let got = select.of(&x).unwrap();
    same(&got, &kept);
    let (parted, count) = select.partition(&x).unwrap();
    assert_eq!(count, kept.len());
    same(&parted, &[kept, rest].concat());
}

fn same<T: Number>(got: &DeviceVector<T>, expected: &[T]) {
    let numbers = got.read().unwrap();
    assert_eq!(numbers.len(), expected.len());
    assert_eq!(bytemuck::cast_slice::<T, u32>(&numbers), bytemuck::cast_slice::<T, u32>(expected));
    for (panel, length) in got.panels() {
        let texels = panel.read().unwrap();
        let stored: &[u32] = bytemuck::cast_slice(&texels);
        assert!(stored[length..].iter().all(|padding| *padding == 0));
    }
}

#[test]
fn what_a_predicate_holds_for_is_kept_in_its_order() {
    each_engine(SIDE, |context, engine| {
        let some = Select::<f32>::on(context, engine, "x > 0.25").unwrap();
        let all = Select::<i32>::on(context, engine, "true").unwrap();
        let none = Select::<u32>::on(context, engine, "x == 7u").unwrap();
        for length in LENGTHS {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let numbers: Vec<f32> = (0..length).map(|_| random.random_range(-1.0..1.0)).collect();
            compare(&some, context, &numbers, |number| *number > 0.25);
            let numbers: Vec<i32> = (0..length).map(|_| random.random()).collect();
            compare(&all, context, &numbers, |_| true);
            let numbers: Vec<u32> = (0..length).map(|_| random.random_range(8..99)).collect();
            compare(&none, context, &numbers, |_| false);
        }
    });
}

#[test]
fn a_mask_keeps_what_it_is_not_zero_for_and_values_stay_as_they_are() {
    each_engine(SIDE, |context, engine| {
        let select = Select::<f32>::masked_on(context, engine).unwrap();
        for length in [1, 258, 5003] {
            let mut random = Pcg64Mcg::seed_from_u64(length as u64);
            let numbers: Vec<f32> = (0..length)
                .map(|at| [-0.0, f32::INFINITY, 1.0, at as f32][random.random_range(0..4)])
                .collect();
            let mask: Vec<u32> = (0..length).map(|_| random.random_range(0..3)).collect();
            let kept: Vec<f32> = numbers
                .iter()
                .zip(&mask)
                .filter(|(_, mask)| **mask != 0)
                .map(|(x, _)| *x)
                .collect();
            let x = DeviceVector::from_host(context, &numbers).unwrap();
            let mask = DeviceVector::from_host(context, &mask).unwrap();
            same(&select.of_masked(&x, &mask).unwrap(), &kept);
        }
    });
}

#[test]
fn wrong_predicates_and_masks_are_refused() {
    let context = Context::headless().unwrap();
    let error = Select::<f32>::by(&context, "x > \n y").unwrap_err().to_string();
    assert!(error.contains("predicate") && error.contains('y'), "{error}");
    let x = DeviceVector::from_host(&context, &[1.0_f32; 5]).unwrap();
    let mask = DeviceVector::from_host(&context, &[1_u32; 4]).unwrap();
    let masked = Select::<f32>::masked(&context).unwrap();
    let error = masked.of_masked(&x, &mask).unwrap_err().to_string();
    assert!(error.contains("mask") && error.contains('5') && error.contains('4'), "{error}");
    assert!(masked.of(&x).is_err());
    let by = Select::<f32>::by(&context, "x > 0.0").unwrap();
    assert!(by.of_masked(&x, &DeviceVector::from_host(&context, &[1_u32; 5]).unwrap()).is_err());
}
