//! Reductions against double precision: every operation, fold, way of reading and texel, at awkward
//! sizes.
//!
//! A sum may differ from the exact one by `error_bound` times the sum of magnitudes, which is
//! derived there. A norm is the root of such a sum: its relative error is half of that of the sum.
//! Minimum, maximum and largest magnitude do no arithmetic and are exact, and so are sums of
//! integers.

mod extremes;
mod loads;
mod rows;

use crate::common::planted::faults_must_be_seen;
use crate::common::sums::{self, Expected};
use crate::common::{Flavour, is_thorough};
use bytemuck::cast_slice;
use proptest::prelude::*;
use quadrille::gl::{AnyTexture, Texel, Texture};
use quadrille::internal::reference::{first_wrong, is_near};
use quadrille::shader::Reads;
use quadrille::stream::Engine;
use quadrille::stream::reduce::{Countable, Factor, Reducer, error_bound, sum_exactly};
use quadrille::{Context, Extent, Kind};

const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

/// Sizes around powers of two and of each fold, lines and primes.
const SIZES: [(u32, u32); 16] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 17),
    (33, 1),
    (3, 3),
    (7, 11),
    (8, 8),
    (9, 8),
    (16, 16),
    (17, 17),
    (17, 257),
    (64, 65),
    (1025, 2),
    (1, 2053),
    (129, 127),
];

/// A reducer that is quick to compile, for what does not depend on the fold.
fn quick(context: &Context) -> Reducer {
    Reducer::with(context, Factor::By4, context.abilities().reads())
}

/// All operations on a texture of these numbers.
fn check<T: Texel>(
    reducer: &Reducer,
    texture: &Texture<T>,
    other: &Texture<T>,
    numbers: &[f32],
    others: &[f32],
) {
    let extent = AnyTexture::extent(texture);
    let bound = error_bound(extent, reducer.factor());
    let place = format!("{extent}, {:?}", reducer.factor());
    let near = |got: f64, (exact, bound): Expected| is_near(got, exact, bound);
    let sum = reducer.sum(texture).unwrap();
    assert!(near(sum, sums::sum(numbers, bound)), "sum {sum} of {place}");
    let norm = reducer.norm(texture).unwrap();
    assert!(near(norm, sums::norm(numbers, bound)), "norm {norm} of {place}");
    let dot = reducer.dot(texture, other).unwrap();
    assert!(near(dot, sums::dot(numbers, others, bound)), "dot {dot} of {place}");
    let exactly = || numbers.iter().copied().map(f64::from);
    let least = exactly().fold(f64::INFINITY, f64::min);
    let greatest = exactly().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(reducer.min(texture).unwrap(), least, "min of {place}");
    assert_eq!(reducer.max(texture).unwrap(), greatest, "max of {place}");
    let largest = greatest.abs().max(least.abs());
    assert_eq!(reducer.max_abs(texture).unwrap(), largest, "largest of {place}");
}

/// The widest texel, which stands for the others where the test need not be thorough: compiling is
/// most of the time.
fn check_widest(reducer: &Reducer, context: &Context, extent: Extent, seed: u64) {
    let n = 4 * extent.texels();
    let (x, y) = (crate::common::random(n, seed), crate::common::random(n, seed + 1));
    let of = |numbers: &[f32]| context.texture::<[f32; 4]>(extent, cast_slice(numbers)).unwrap();
    check(reducer, &of(&x), &of(&y), &x, &y);
}

fn check_all_texels(reducer: &Reducer, context: &Context, extent: Extent, seed: u64) {
    let n = extent.texels();
    let (x, y) = (crate::common::random(4 * n, seed), crate::common::random(4 * n, seed + 1));
    let one = |numbers: &[f32]| context.texture::<f32>(extent, &numbers[..n]).unwrap();
    check(reducer, &one(&x), &one(&y), &x[..n], &y[..n]);
    let two = |v: &[f32]| context.texture::<[f32; 2]>(extent, cast_slice(&v[..2 * n])).unwrap();
    check(reducer, &two(&x), &two(&y), &x[..2 * n], &y[..2 * n]);
    let four = |numbers: &[f32]| context.texture::<[f32; 4]>(extent, cast_slice(numbers)).unwrap();
    check(reducer, &four(&x), &four(&y), &x, &y);
}

/// Compiling a fold is most of the time, so the widest texel stands for the others but in one fold,
/// and where the test need not be thorough, folds take turns at the two contexts.
fn every_size(fold: Factor) {
    let both = [(Flavour::Gl33, Reads::Sample), (Flavour::Gles30, Reads::Fetch)];
    for (at, (flavour, reads)) in both.into_iter().enumerate() {
        if !is_thorough() && at == fold as usize % 2 {
            continue;
        }
        crate::common::on(&[flavour], |context| {
            // The device does it all: what the host takes over is tested with the others.
            let reducer = Reducer::with(context, fold, reads).host_threshold(1);
            for (width, height) in SIZES {
                let extent = Extent::new(width, height);
                if fold == Factor::By4 && reads == Reads::Sample {
                    check_all_texels(&reducer, context, extent, 7);
                    continue;
                }
                check_widest(&reducer, context, extent, 7);
            }
        });
    }
}

#[test]
fn folds_of_2_agree_with_double_precision() {
    every_size(Factor::By2);
}

#[test]
fn folds_of_4_agree_with_double_precision() {
    every_size(Factor::By4);
}

#[test]
fn folds_of_8_agree_with_double_precision() {
    every_size(Factor::By8);
}

#[test]
fn folds_of_16_agree_with_double_precision() {
    every_size(Factor::By16);
}

#[test]
fn folds_of_8_by_16_agree_with_double_precision() {
    every_size(Factor::By8x16);
}

/// More texels along each side than there are invocations, and fewer.
#[test]
fn compute_shaders_agree_with_double_precision() {
    for (flavour, threshold) in [(Flavour::Gl, 2048), (Flavour::Gles, 1)] {
        crate::common::on(&[flavour], |context| {
            if context.abilities().compute.is_none() {
                return crate::common::not_tested("no compute shaders");
            }
            let reducer = Reducer::on(context, Engine::Compute).unwrap().host_threshold(threshold);
            for (width, height) in [(1, 1), (33, 1), (17, 257), (129, 127), (1025, 2), (1, 4100)] {
                let check = match is_thorough() || flavour == Flavour::Gl {
                    true => check_all_texels,
                    false => check_widest,
                };
                check(&reducer, context, Extent::new(width, height), 9);
            }
        });
    }
}

#[test]
fn reductions_agree_on_every_context() {
    crate::common::each(|context| {
        let reducer = quick(context);
        for (width, height) in [(1, 1), (17, 257), (1025, 65)] {
            check_all_texels(&reducer, context, Extent::new(width, height), 11);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
    #[test]
    fn any_shape_agrees(width in 1_u32..300, height in 1_u32..60, seed in any::<u32>(), which in 0_usize..4) {
        crate::common::on(&[Flavour::Gl33], |context| {
            let reducer = Reducer::with(context, Factor::ALL[which / 2], READS[which % 2]);
            let reducer = if seed % 2 == 0 { reducer.host_threshold(1) } else { reducer };
            let (extent, n) = (Extent::new(width, height), (width * height) as usize);
            let (x, y) = (crate::common::random(n, u64::from(seed)), crate::common::random(n, 1));
            let of = |numbers: &[f32]| context.texture::<f32>(extent, numbers).unwrap();
            check(&reducer, &of(&x), &of(&y), &x, &y);
        });
    }
}

#[test]
fn the_comparison_rejects_one_number_left_out_or_counted_twice() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let extent = Extent::new(129, 127);
        let numbers: Vec<f32> =
            crate::common::random(extent.texels(), 3).iter().map(|x| x + 1.5).collect();
        let sum = quick(context).sum(&context.texture::<f32>(extent, &numbers).unwrap()).unwrap();
        let (exact, bound) = sums::sum(&numbers, error_bound(extent, quick(context).factor()));
        assert!(is_near(sum, exact, bound));
        for number in [numbers[0], numbers[8191], numbers[extent.texels() - 1]] {
            let number = f64::from(number);
            assert!(!is_near(sum, exact - number, bound));
            assert!(!is_near(sum, exact + number, bound));
        }
    });
}

/// The host adds the channels in double precision, and no last rounding takes that away again.
#[test]
fn results_have_double_precision() {
    crate::common::each(|context| {
        let reducer = quick(context);
        let of = |texel: [f32; 4]| context.texture(Extent::new(1, 1), &[texel]).unwrap();
        assert_eq!(reducer.sum(&of([16_777_216.0, 1.0, 0.0, 0.0])).unwrap(), 16_777_217.0);
        let large = f64::from(3e38_f32);
        assert_eq!(reducer.sum(&of([3e38; 4])).unwrap(), 4.0 * large, "beyond the largest float");
        let (x, y) = (of([4096.0, 1.0, 0.0, 0.0]), of([4096.0, 1.0, 0.0, 0.0]));
        assert_eq!(reducer.dot(&x, &y).unwrap(), 16_777_217.0);
        assert_eq!(reducer.norm(&x).unwrap(), 16_777_217_f64.sqrt());
    });
}

#[test]
fn norms_are_told_apart_by_channel() {
    crate::common::each(|context| {
        let extent = Extent::new(17, 5);
        let texels: Vec<[f32; 4]> = (0..85).map(|i| [3.0, -4.0, i as f32, 0.0]).collect();
        let texture = context.texture(extent, &texels).unwrap();
        let norms = quick(context).norms(&texture).unwrap();
        let squares: f64 = (0..85).map(|i| f64::from(i * i)).sum();
        let exact = [(9.0 * 85.0_f64).sqrt(), (16.0 * 85.0_f64).sqrt(), squares.sqrt(), 0.0];
        assert_eq!(norms.len(), 4);
        for (norm, exact) in norms.iter().zip(exact) {
            assert!(is_near(*norm, exact, 1e-5 * exact), "{norm} {exact}");
        }
        let one = context.texture::<f32>(Extent::new(2, 1), &[3.0, 4.0]).unwrap();
        assert_eq!(quick(context).norms(&one).unwrap(), [5.0]);
    });
}

#[test]
fn the_reducer_that_suits_the_renderer_sums_right() {
    crate::common::each(|context| {
        let extent = Extent::new(257, 131);
        let numbers = crate::common::random(extent.texels(), 2);
        let x = context.texture::<f32>(extent, &numbers).unwrap();
        let reducer = Reducer::new(context);
        let (exact, bound) = sums::sum(&numbers, error_bound(extent, reducer.factor()));
        assert!(is_near(reducer.sum(&x).unwrap(), exact, bound));
    });
}

#[test]
fn what_cannot_be_reduced_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let reducer = quick(context);
        let bytes = context.texture::<u8>(Extent::new(1, 1), &[1]).unwrap();
        let error = reducer.sum(&bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "reduction: expected a texture of floats, got R8UI; sum_exactly takes integers"
        );
        let x = context.texture::<f32>(Extent::new(2, 1), &[1.0; 2]).unwrap();
        let y = context.texture::<f32>(Extent::new(1, 2), &[1.0; 2]).unwrap();
        let z = context.texture::<[f32; 2]>(Extent::new(2, 1), &[[1.0; 2]; 2]).unwrap();
        assert_eq!(
            reducer.dot(&x, &y).unwrap_err().to_string(),
            "reduction: expected two textures alike, got 2 x 1 texels of R32F and 1 x 2 texels of R32F"
        );
        assert!(reducer.dot(&x, &z).is_err());
        let other = Flavour::Gl.builder().build().unwrap();
        let foreign = other.texture::<f32>(Extent::new(2, 1), &[1.0; 2]).unwrap();
        assert!(reducer.sum(&foreign).is_err());
        assert_eq!(reducer.sum(&x).unwrap(), 2.0, "and works on");
    });
}

fn sums_exactly<T: Countable>(context: &Context, extent: Extent, numbers: &[T], exact: i64) {
    let texture = context.texture(extent, numbers).unwrap();
    assert_eq!(sum_exactly(context, &texture).unwrap(), exact, "{extent}");
}

#[test]
fn sums_of_integers_are_exact_far_beyond_32_bits() {
    crate::common::each(|context| {
        for (width, height) in [(1, 1), (17, 257), (1023, 3), (256, 256), (300, 301)] {
            let extent = Extent::new(width, height);
            let n = extent.texels();
            for number in
                [i32::MIN, i32::MIN + 1, -65_537, -65_536, -1, 0, 1, 65_535, 65_536, i32::MAX]
            {
                sums_exactly(context, extent, &vec![number; n], i64::from(number) * n as i64);
            }
            let mixed: Vec<i32> =
                crate::common::random(n, 5).iter().map(|x| (x * 2_147_483_000.0) as i32).collect();
            let exact = mixed.iter().map(|x| i64::from(*x)).sum();
            sums_exactly(context, extent, &mixed, exact);
            sums_exactly(context, extent, &vec![255_u8; n], 255 * n as i64);
            let bytes: Vec<u8> = (0..n).map(|i| (i * i) as u8).collect();
            sums_exactly(context, extent, &bytes, bytes.iter().map(|x| i64::from(*x)).sum());
        }
    });
}

#[test]
fn bytes_sum_exactly_beyond_two_to_the_31() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let extent = Extent::new(4096, 2100);
        sums_exactly(context, extent, &vec![255_u8; extent.texels()], 2_193_408_000);
    });
}

#[test]
fn the_exact_comparison_can_fail() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let mut numbers = vec![i32::MAX; 300];
        let texture = context.texture(Extent::new(20, 15), &numbers).unwrap();
        numbers[299] -= 1;
        let other: i64 = numbers.iter().map(|x| i64::from(*x)).sum();
        assert_eq!(sum_exactly(context, &texture).unwrap(), other + 1);
    });
}

#[test]
fn sums_that_are_twice_their_bound_away_or_lost_a_term_are_wrong() {
    for fold in [Factor::By2, Factor::By4, Factor::By16] {
        for (width, height) in SIZES {
            let extent = Extent::new(width, height);
            let bound = error_bound(extent, fold);
            let (x, y) = (
                crate::common::random(extent.texels(), 1),
                crate::common::random(extent.texels(), 2),
            );
            let expected = [sums::sum(&x, bound), sums::dot(&x, &y, bound), sums::norm(&x, bound)];
            faults_must_be_seen(&expected, |got| {
                first_wrong(got.iter().copied(), expected).is_none()
            });
        }
        sums::lost_terms_must_be_seen(error_bound(Extent::new(4, 4), fold));
    }
}
