//! Primitives as passes of run files, beside plain loops: shapes of one cell, of one row and column,
//! and of primes; one to four channels; along rows, columns and the whole array.

use crate::common::twins::convolution::correlate;
use crate::common::twins::fft;
use crate::common::{each, random};
use quadrille::data::{Field, Values};
use quadrille::internal::Ability;
use quadrille::{Context, Extent, Kind};
use quadrille_run::{Along, Error, Experiment, Origin, RunFile, Settings};

const SHAPES: [(u32, u32); 6] = [(1, 1), (17, 1), (1, 13), (7, 11), (16, 16), (31, 5)];

/// The description of one pass `p` with these lines.
fn described(lines: &str) -> Result<RunFile, Error> {
    Ok(RunFile::parse("a.run.toml", &format!("[pass.p]\n{lines}\n"))?)
}

fn made(context: &Context, lines: &str, x: Field) -> Result<Experiment, Error> {
    let mut settings = Settings::default();
    settings.inputs = vec![("x".to_owned(), Origin::from(x))];
    let run = described(lines)?.with(settings);
    run.experiment(context, run.setup(run.arrays()?))
}

/// The numbers of `p.y`, after two steps: nothing may be left of the first.
fn result(context: &Context, lines: &str, x: Field) -> Vec<f64> {
    let mut experiment = made(context, lines, x).unwrap_or_else(|error| panic!("{lines}: {error}"));
    experiment.step().unwrap();
    experiment.step().unwrap();
    experiment.read("p.y").unwrap().values().doubles().collect()
}

/// Whole numbers from 0 to 99, of a type that a sampler of this type reads.
fn whole(count: usize, kind: &str) -> (Vec<f64>, Values) {
    let numbers: Vec<f64> =
        random(count, 3).iter().map(|x| (50.0 + 49.9 * f64::from(*x)).floor()).collect();
    let values = match kind {
        "float" => Values::F32(numbers.iter().map(|x| *x as f32).collect()),
        "int" => Values::I32(numbers.iter().map(|x| *x as i32).collect()),
        _ => Values::U32(numbers.iter().map(|x| *x as u32).collect()),
    };
    (numbers, values)
}

/// What a function makes of each line of an array of one channel.
fn by_lines(
    x: &[f64],
    (width, height): (usize, usize),
    along: Along,
    make: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let transposed = |x: &[f64], width: usize, height: usize| -> Vec<f64> {
        (0..x.len()).map(|at| x[at % height * width + at / height]).collect()
    };
    match along {
        Along::All => make(x),
        Along::Rows => x.chunks(width).flat_map(make).collect(),
        Along::Columns => {
            let columns: Vec<f64> =
                transposed(x, width, height).chunks(height).flat_map(make).collect();
            transposed(&columns, height, width)
        }
    }
}

/// What a function makes of each channel.
fn by_channels(x: &[f64], channels: usize, make: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let of = |channel| make(&x.iter().skip(channel).step_by(channels).copied().collect::<Vec<_>>());
    let all: Vec<Vec<f64>> = (0..channels).map(of).collect();
    (0..all[0].len()).flat_map(|at| all.iter().map(move |one| one[at])).collect()
}

/// Compares a primitive of whole numbers, of each type, shape and direction, with a plain loop.
fn compare(lines: &str, channels: &[usize], make: impl Fn(&[f64]) -> Vec<f64>) {
    each(|context| {
        let kinds = ["float", "int", "uint"];
        for (turn, (width, height)) in SHAPES.into_iter().enumerate() {
            // Each shape has another type and another direction: compiling takes long.
            for (at, &channels) in channels.iter().enumerate() {
                let (kind, along) = (kinds[turn % 3], Along::ALL[(turn + turn / 3 + at) % 3]);
                let extent = Extent::new(width, height);
                let (numbers, values) = whole(channels * extent.texels(), kind);
                let x = Field::new(extent, channels, values).unwrap();
                let lines = format!("{lines}\nalong = \"{along}\"\ntype = \"{kind}\"");
                let got = result(context, &lines, x);
                let shape = (width as usize, height as usize);
                let wanted = by_channels(&numbers, channels, |x| by_lines(x, shape, along, &make));
                assert_eq!(got, wanted, "{lines}, {width} x {height}, {channels} channels");
            }
        }
    });
}

#[test]
fn a_scan_sums_up_to_each_cell() {
    let sums = |x: &[f64]| {
        let next = |sum: &mut f64, x: &f64| {
            *sum += x;
            Some(*sum)
        };
        x.iter().scan(0.0, next).collect::<Vec<f64>>()
    };
    compare("primitive = \"scan\"", &[1, 3], sums);
    let before = |x: &[f64]| [vec![0.0], sums(&x[..x.len() - 1])].concat();
    compare("primitive = \"scan\"\nexclusive = true", &[2], before);
    let greatest =
        |x: &[f64]| (1..=x.len()).map(|end| x[..end].iter().copied().fold(0.0, f64::max)).collect();
    compare("primitive = \"scan\"\noperation = \"max\"", &[4], greatest);
}

#[test]
fn a_sort_orders_cells_and_tells_their_places() {
    let sorted = |x: &[f64]| {
        let mut x = x.to_vec();
        x.sort_by(f64::total_cmp);
        x
    };
    compare("primitive = \"sort\"", &[1, 4], sorted);
    let places = |x: &[f64]| {
        let mut places: Vec<usize> = (0..x.len()).collect();
        places.sort_by(|a, b| x[*b].total_cmp(&x[*a]));
        places.into_iter().map(|place| place as f64).collect()
    };
    compare("primitive = \"sort\"\ndescending = true\nplaces = true", &[1, 2], places);
}

#[test]
fn a_histogram_counts_cells() {
    each(|context| {
        for (width, height) in SHAPES {
            let extent = Extent::new(width, height);
            for channels in [1, 3] {
                let (numbers, values) = whole(channels * extent.texels(), "uint");
                let x = Field::new(extent, channels, values).unwrap();
                let got = result(context, "primitive = \"histogram\"\nbins = 60", x);
                let count = |x: &[f64], bin: f64| x.iter().filter(|x| **x == bin).count() as f64;
                let counts = |x: &[f64]| (0..60).map(|bin| count(x, f64::from(bin))).collect();
                assert_eq!(got, by_channels(&numbers, channels, counts));
                let (_, values) = whole(channels * extent.texels(), "float");
                let x = Field::new(extent, channels, values).unwrap();
                let lines = "primitive = \"histogram\"\nbins = 4\nrange = [10, 90]";
                let counts = |x: &[f64]| {
                    let bin = |x: f64| ((x - 10.0) / 20.0).floor().min(3.0);
                    let inside: Vec<f64> =
                        x.iter().filter(|x| (10.0..=90.0).contains(*x)).map(|x| bin(*x)).collect();
                    (0..4).map(|bin| count(&inside, f64::from(bin))).collect()
                };
                assert_eq!(result(context, lines, x), by_channels(&numbers, channels, counts));
            }
        }
    });
}

#[test]
fn a_transform_goes_along_axes_and_back() {
    each(|context| {
        for (width, height) in SHAPES {
            for along in Along::ALL {
                let extent = Extent::new(width, height);
                let numbers = random(2 * extent.texels(), 4);
                let complex: Vec<_> = numbers
                    .chunks(2)
                    .map(|pair| [f64::from(pair[0]), f64::from(pair[1])])
                    .collect();
                let (w, h) = (width as usize, height as usize);
                let mut wanted = complex.clone();
                if along != Along::Columns {
                    wanted = fft::along(&wanted, (h, w, 1), fft::fft);
                }
                if along != Along::Rows {
                    wanted = fft::along(&wanted, (1, h, w), fft::fft);
                }
                let lines = format!("primitive = \"fft\"\nalong = \"{along}\"");
                let x = Field::new(extent, 2, numbers).unwrap();
                let got = result(context, &lines, x);
                let near = |got: &[f64], wanted: &[fft::Complex]| {
                    let off = got.chunks(2).zip(wanted).map(|(x, y)| [x[0] - y[0], x[1] - y[1]]);
                    let off: Vec<fft::Complex> = off.collect();
                    off.len() == wanted.len() && fft::norm(&off) <= 2e-6 * fft::norm(wanted)
                };
                assert!(near(&got, &wanted), "{lines}, {width} x {height}");
                if got.len() > 2 {
                    assert!(!near(&[&got[..got.len() - 2], &[9.0, 9.0]].concat(), &wanted));
                }
                let numbers: Vec<f32> = got.iter().map(|x| *x as f32).collect();
                let x = Field::new(extent, 2, numbers).unwrap();
                let back = result(context, &format!("{lines}\ninverse = true"), x);
                assert!(near(&back, &complex), "back, {lines}, {width} x {height}");
            }
        }
        // Real numbers are complex ones without imaginary parts.
        let x = Field::new(Extent::new(4, 1), 1, vec![1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        let got = result(context, "primitive = \"fft\"", x);
        assert_eq!(got, [10.0, 0.0, -2.0, 2.0, -2.0, 0.0, -2.0, -2.0]);
    });
}

#[test]
fn a_convolution_weights_neighbours() {
    each(|context| {
        for ((width, height), border) in
            SHAPES.into_iter().zip(["reflect", "zero", "clamp", "wrap", "reflect", "wrap"])
        {
            for (channels, correlation) in [(1, false), (3, true)] {
                let extent = Extent::new(width, height);
                let (numbers, values) = whole(channels * extent.texels(), "float");
                let x = Field::new(extent, channels, values).unwrap();
                let lines = format!(
                    "primitive = \"convolution\"\nweights = [[1, 2, 3], [4, 5, 6]]\nborder = \"{border}\"\ncorrelation = {correlation}"
                );
                let (weights, centre) = match correlation {
                    true => ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (1, 1)),
                    false => ([6.0, 5.0, 4.0, 3.0, 2.0, 1.0], (0, 1)),
                };
                let shape = (height as usize, width as usize);
                let sums = |x: &[f64]| correlate(x, shape, &weights, (2, 3), centre, border);
                let got = result(context, &lines, x);
                assert_eq!(
                    got,
                    by_channels(&numbers, channels, sums),
                    "{width} x {height} {lines}"
                );
            }
        }
    });
}

/// A buffer holds what a primitive wrote in the step before, and a later pass reads what it writes
/// in this one.
#[test]
fn a_primitive_feeds_a_buffer_and_later_passes() {
    let text = "iterate = 3\nsize = [5, 3]\n[buffer.x]\nfirst = 1\nchannels = 1\nfrom = \"sums.y\"
        [pass.sums]\nprimitive = \"scan\"\nalong = \"rows\"
        [pass.order]\nprimitive = \"sort\"\ndescending = true\nread.x = \"sums.y\"\n";
    let run = RunFile::parse("a.run.toml", text).unwrap();
    each(|context| {
        let mut experiment = run.experiment(context, run.setup(run.arrays().unwrap())).unwrap();
        experiment.advance(run.iterate(), &mut ()).unwrap();
        let read = |name| experiment.read(name).unwrap().values().doubles().collect::<Vec<f64>>();
        assert_eq!(read("sums.y"), [1.0, 4.0, 10.0, 20.0, 35.0].repeat(3));
        let wanted = [35.0, 20.0, 10.0, 4.0, 1.0].map(|x| [x; 3]).concat();
        assert_eq!(read("order.y"), wanted);
    });
}

/// An array whose vectors have several panels, or that is larger than a texture, is refused with
/// numbers; so are cells that are not complex, and other types.
#[test]
fn what_a_primitive_does_not_take_is_refused() {
    let line = |count: usize, channels| {
        let numbers = vec![0.0_f32; count * channels];
        Field::new(Extent::new(count as u32, 1), channels, numbers).unwrap()
    };
    each(|context| {
        for (lines, x, kind, parts) in [
            (
                "primitive = \"fft\"",
                line(5, 3),
                Kind::Input,
                &["pass `p`", "two channels", "`x` has 3"][..],
            ),
            (
                "primitive = \"scan\"\ntype = \"int\"",
                Field::line(vec![0.5_f32]).unwrap(),
                Kind::Input,
                &["input `x` has floats", "0.5"],
            ),
            (
                "primitive = \"scan\"\nread.z = \"x\"",
                line(5, 1),
                Kind::Input,
                &["pass.p.read.z", "inputs: none"],
            ),
            (
                "primitive = \"histogram\"\nbins = 70000",
                Field::line(vec![1_u32]).unwrap(),
                Kind::Limit,
                &["70000 x 1", "texture of this device"],
            ),
            (
                "primitive = \"histogram\"\nbins = 3\nrange = [2, 1]",
                line(5, 1),
                Kind::Input,
                &["3 bins", "2", "1"],
            ),
        ] {
            let Err(error) = made(context, lines, x) else { panic!("{lines}") };
            let text = error.to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{lines}: {text}");
            assert_eq!(error.kind(), kind, "{lines}");
        }
    });
    let small = Context::builder().without(Ability::LargerTextures(16)).build().unwrap();
    let Err(error) = made(&small, "primitive = \"sort\"", line(17, 1)) else { panic!() };
    let text = error.to_string();
    assert!(text.contains("17 x 1") && text.contains("16"), "{text}");
    let Err(error) =
        made(&small, "primitive = \"histogram\"\nbins = 17\nrange = [0, 1]", line(3, 1))
    else {
        panic!()
    };
    assert!(error.to_string().contains("17"), "{error}");
}
