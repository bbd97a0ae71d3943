//! The least and greatest number wherever it is, NaN, and infinities.

use super::{READS, quick};
use quadrille::Extent;
use quadrille::stream::Engine;
use quadrille::stream::reduce::{Factor, Reducer};

#[test]
fn the_place_of_an_extreme_does_not_matter() {
    crate::common::each(|context| {
        let extent = Extent::new(19, 9);
        let reducer = quick(context);
        for place in [0, 18, 16, 95, 152, 170] {
            let mut numbers = vec![-1.0_f32; extent.texels()];
            numbers[place] = -7.0;
            let mut texture = context.texture::<f32>(extent, &numbers).unwrap();
            assert_eq!(reducer.min(&texture).unwrap(), -7.0);
            assert_eq!(reducer.max(&texture).unwrap(), -1.0, "a maximum below zero");
            assert_eq!(reducer.max_abs(&texture).unwrap(), 7.0);
            numbers[place] = 5.0;
            texture.write(&numbers).unwrap();
            assert_eq!(reducer.max(&texture).unwrap(), 5.0);
            texture.fill(3.0).unwrap();
            assert_eq!(reducer.min(&texture).unwrap(), 3.0, "a minimum above zero");
        }
    });
}

#[test]
fn nan_is_kept_wherever_it_is() {
    crate::common::each(|context| {
        let extent = Extent::new(19, 9);
        for reads in READS {
            let reducer = Reducer::with(context, Factor::By2, reads);
            for place in [0, 1, 18, 95, 170] {
                for channel in 0..4 {
                    let mut numbers = vec![[1.0_f32; 4]; extent.texels()];
                    numbers[place][channel] = f32::NAN;
                    let x = context.texture(extent, &numbers).unwrap();
                    for (what, got) in [
                        ("sum", reducer.sum(&x)),
                        ("norm", reducer.norm(&x)),
                        ("dot", reducer.dot(&x, &x)),
                        ("min", reducer.min(&x)),
                        ("max", reducer.max(&x)),
                        ("max_abs", reducer.max_abs(&x)),
                    ] {
                        assert!(got.unwrap().is_nan(), "{what}, texel {place}, channel {channel}");
                    }
                }
            }
        }
    });
}

/// A device's arithmetic may take all of these for zeros.
#[test]
fn denormals_count_as_numbers() {
    crate::common::each(|context| {
        let numbers = [1e-40_f32, -2e-40, 3e-45, -1e-45, 0.0, 2e-40, -0.0];
        for reads in READS {
            let reducer = Reducer::with(context, Factor::By2, reads);
            for turn in 0..numbers.len() {
                let mut turned = numbers;
                turned.rotate_left(turn);
                let x = context.texture(Extent::new(7, 1), &turned).unwrap();
                assert_eq!(reducer.min(&x).unwrap(), f64::from(-2e-40_f32), "{turned:?}");
                assert_eq!(reducer.max(&x).unwrap(), f64::from(2e-40_f32), "{turned:?}");
                assert_eq!(reducer.max_abs(&x).unwrap(), f64::from(2e-40_f32), "{turned:?}");
            }
        }
        for engine in Engine::of(context) {
            let reducer = Reducer::on(context, engine).unwrap().host_threshold(1);
            let mut many = vec![1e-45_f32; 67 * 31];
            many[1234] = 1e-40;
            let x = context.texture(Extent::new(67, 31), &many).unwrap();
            assert_eq!(reducer.max(&x).unwrap(), f64::from(1e-40_f32), "{engine}");
            assert_eq!(reducer.min(&x).unwrap(), f64::from(1e-45_f32), "{engine}");
        }
    });
}

#[test]
fn infinities_count_as_numbers() {
    crate::common::each(|context| {
        let reducer = quick(context);
        let of = |numbers: &[f32]| context.texture(Extent::new(3, 1), numbers).unwrap();
        let up = of(&[1.0, f32::INFINITY, 2.0]);
        assert_eq!(reducer.sum(&up).unwrap(), f64::INFINITY);
        assert_eq!(reducer.norm(&up).unwrap(), f64::INFINITY);
        assert_eq!(reducer.min(&up).unwrap(), 1.0);
        assert_eq!(reducer.max(&up).unwrap(), f64::INFINITY);
        let down = of(&[1.0, f32::NEG_INFINITY, 2.0]);
        assert_eq!(reducer.min(&down).unwrap(), f64::NEG_INFINITY);
        assert_eq!(reducer.max(&down).unwrap(), 2.0);
        assert_eq!(reducer.max_abs(&down).unwrap(), f64::INFINITY);
        let both = of(&[f32::INFINITY, 0.0, f32::NEG_INFINITY]);
        assert!(reducer.sum(&both).unwrap().is_nan());
        assert_eq!(
            reducer.norm(&of(&[1e30, 1e30, 0.0])).unwrap(),
            f64::INFINITY,
            "squares overflow"
        );
    });
}
