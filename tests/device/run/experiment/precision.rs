//! Inputs in half precision: what textures hold, what is rounded and told, and what is refused.

use super::*;
use crate::common::Flavour;
use quadrille::gl::Filter;
use quadrille::half::f16;
use quadrille::internal::Limit;
use quadrille_run::{Precision, Samplings};

/// Every finite half that differs, with infinities.
fn all_halves() -> Vec<f32> {
    let numbers = (0..=u16::MAX).map(|bits| f16::from_bits(bits).to_f32());
    numbers.filter(|number| !number.is_nan()).collect()
}

fn same(got: &[f32], wanted: &[f32]) {
    assert_eq!(got.len(), wanted.len());
    for (at, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        assert_eq!(got.to_bits(), wanted.to_bits(), "{got} and {wanted} at {at}");
    }
}

/// A shader reads every half, subnormals among them, as the number that it is.
#[test]
fn each_half_is_read_exactly_in_one_to_four_channels() {
    each(|context| {
        let halves = all_halves();
        for channels in 1..=4 {
            let width = halves.len() / channels / 8;
            let first = halves[..8 * width * channels].to_vec();
            let x = Field::new(Extent::new(width as u32, 8), channels, first).unwrap();
            let setup = Setup::new().input("x", x.clone()).precision("x", Precision::Half);
            let mut experiment = made(context, COPY, setup);
            assert_eq!(experiment.rounded().count(), 0, "all are exact");
            experiment.step().unwrap();
            let got = experiment.read("y").unwrap();
            for (got, wanted) in numbers(&got).chunks(4).zip(numbers(&x).chunks(channels)) {
                same(&got[..channels], wanted);
                assert!((channels..4).all(|c| got[c] == if c == 3 { 1.0 } else { 0.0 }));
            }
        }
    });
}

#[test]
fn rounding_is_told_and_nan_and_infinities_pass() {
    each(|context| {
        let x = vec![0.1, f32::NAN, f32::INFINITY, -f32::INFINITY, 65519.0, 1e-9, -0.0];
        let x = Field::line(x).unwrap();
        let setup = Setup::new().input("x", x).precision("x", Precision::Half);
        let mut experiment = made(context, COPY, setup);
        let rounded: Vec<_> = experiment.rounded().collect();
        assert_eq!(rounded, [("x", 1.0)], "1e-9 became 0");
        experiment.step().unwrap();
        let got = experiment.read("y").unwrap();
        let first: Vec<f32> = numbers(&got).chunks(4).map(|cell| cell[0]).collect();
        assert!(first[1].is_nan());
        let wanted = [0.099975586, f32::INFINITY, -f32::INFINITY, 65504.0, 0.0, -0.0];
        same(&[&first[..1], &first[2..]].concat(), &wanted);
        let new = Field::new(Extent::new(7, 1), 1, vec![0.3_f32; 7]).unwrap();
        experiment.write("x", new.values().as_ref()).unwrap();
        let error = experiment.rounded().next().unwrap().1;
        assert!(error > 0.0 && error <= 2.0_f64.powi(-11), "{error}");
    });
}

#[test]
fn what_half_precision_cannot_hold_is_refused() {
    each(|context| {
        let setup = |number: f32| {
            let x = Field::line(vec![1.0, number]).unwrap();
            Setup::new().input("x", x).precision("x", Precision::Half)
        };
        for number in [65520.0, -65520.0, 1e30] {
            let error = refused(context, COPY, setup(number));
            assert_eq!(error.kind(), Kind::Input);
            let error = error.to_string();
            for part in ["input `x`", &format!("{number} at [1]"), "65504", "single precision"] {
                assert!(error.contains(part), "{part} in {error}");
            }
        }
        made(context, COPY, setup(65519.0));
        let integers = "uniform isampler2D x; out int y; void main() { y = READ(x, TEXEL).r; }";
        let error = refused(context, integers, setup(2.0)).to_string();
        assert!(error.contains("input `x`") && error.contains("sampler2D x"), "{error}");
        let error = refused(context, COPY, setup(2.0).precision("z", Precision::Half)).to_string();
        assert!(error.contains("no input `z`"), "{error}");
        let twice = setup(2.0).precision("x", Precision::Single);
        assert!(refused(context, COPY, twice).to_string().contains("`x` is given twice"));
    });
}

/// The output that replaces an input has its precision: each step rounds to 11 bits, the device to
/// the nearest or towards zero.
#[test]
fn what_feeds_back_is_half_too() {
    let text =
        "uniform sampler2D x; out float y; void main() { y = 0.7 * READ(x, TEXEL).r + 0.1; }";
    each(|context| {
        for extent in awkward() {
            let x = floats(extent, 1, 5);
            let setup = Setup::new().input("x", x.clone()).feedback("y", "x");
            let mut experiment = made(context, text, setup.precision("x", Precision::Half));
            assert_eq!(experiment.outputs()[0].precision(), Precision::Half);
            let mut wanted: Vec<(f64, f64)> =
                numbers(&x).iter().map(|x| (f64::from(*x), 2.0_f64.powi(-11))).collect();
            for _ in 0..5 {
                experiment.step().unwrap();
                for (value, error) in &mut wanted {
                    *value = 0.7 * *value + 0.1;
                    // That of the step before, a unit of half precision of numbers below 1, and
                    // single precision's.
                    *error = 0.7 * *error + 2.0_f64.powi(-11) + 2.0_f64.powi(-22);
                }
            }
            let got = experiment.read("y").unwrap();
            assert!(got.is_half());
            let halves = numbers(&got).iter().all(|x| f16::from_f32(*x).to_f32() == *x);
            assert!(halves, "each is a half");
            assert_eq!(first_wrong(numbers(&got).iter().copied(), wanted), None, "{extent}");
        }
    });
}

/// OpenGL ES 3.0 filters halves, whatever it does with 32-bit floats.
#[test]
fn halves_are_filtered_where_floats_are_not() {
    if !Flavour::Gles30.is_there() {
        return;
    }
    let text = "uniform sampler2D x; out float y;
        void main() { y = texture(x, vec2(TEXEL.x + 1, 0.5) / vec2(textureSize(x, 0))).r; }";
    let context = Context::builder().limit_to(Limit::Gles30).build().unwrap();
    let x = Field::line(vec![0.0_f32, 8.0, 4.0, 2.0]).unwrap();
    let setup = || {
        let linear = Samplings::new().filter("x", Filter::Linear);
        Setup::new().input("x", x.clone()).samplings(linear)
    };
    let error = refused(&context, text, setup()).to_string();
    assert!(error.contains("half precision, which every device filters"), "{error}");
    let mut filtered = made(&context, text, setup().precision("x", Precision::Half));
    filtered.step().unwrap();
    assert_eq!(numbers(&filtered.read("y").unwrap()), [4.0, 6.0, 3.0, 2.0]);
}

/// A file of half precision is held so, and what is written later is not rounded without a word.
#[test]
fn a_file_of_halves_is_held_as_such_until_something_else_is_written() {
    each(|context| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let halves: Vec<f32> = (0..35).map(|i| f16::from_f32(i as f32 / 7.0).to_f32()).collect();
        let x = Field::new(Extent::new(7, 5), 1, halves).unwrap();
        let setup = Setup::new().input("x", x.clone()).precision("x", Precision::Half);
        let setup = setup.feedback("y", "x");
        let text = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }";
        let mut same_again = made(context, text, setup);
        same_again.step().unwrap();
        let written = same_again.read("y").unwrap();
        quadrille_run::io::field::write(&path, &written, Default::default()).unwrap();
        let (read, _) = quadrille_run::io::field::read(&path).unwrap();
        assert!(read.is_half() && read == x);
        let mut experiment = made(context, text, Setup::new().input("x", read.clone()));
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), x);
        let third = Field::new(Extent::new(7, 5), 1, vec![1.0_f32 / 3.0; 35]).unwrap();
        experiment.write("x", third.values().as_ref()).unwrap();
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), third);
        assert_eq!(experiment.rounded().count(), 0);
        let large = Field::new(Extent::new(7, 5), 1, vec![1e30_f32; 35]).unwrap();
        let mut experiment = made(context, text, Setup::new().input("x", read));
        experiment.write("x", large.values().as_ref()).unwrap();
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), large);
    });
}
