//! The gallery: every file's own command runs and leaves its pictures, and every shader does what
//! its head says, beside plain loops in double precision.

mod bodies;
mod cells;
mod dialects;
mod flow;
mod networks;

use std::ops::Range;
use std::path::PathBuf;

use crate::common::each;
use crate::common::planted::faults_must_be_seen;
use crate::runner::{Folder, brief, root};
use quadrille::data::{Field, Values};
use quadrille::internal::reference::first_wrong;
use quadrille::shader::{Source, Stage};
use quadrille::{Context, Extent};
use quadrille_run::{Experiment, Origin, RunFile, Settings, Setup};

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("crates/run/gallery")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let is_one = |file: &PathBuf| {
        file.extension().is_some_and(|extension| extension == "frag") || RunFile::is_named(file)
    };
    files.retain(is_one);
    files.sort();
    files
}

/// The commands in the comment that a file opens with; a line may go on behind a backslash.
fn commands(text: &str) -> Vec<String> {
    let head = text.lines().map_while(|line| line.strip_prefix("//").or(line.strip_prefix('#')));
    let head: Vec<&str> = head.collect();
    let joined = head.join("\n").replace("\\\n", " ");
    let commands = joined.lines().filter_map(|line| line.trim().strip_prefix("quadrille "));
    commands.map(str::to_owned).collect()
}

/// The files that a command says it writes.
fn written(command: &str) -> Vec<&str> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let outputs = words.windows(2).filter(|pair| pair[0] == "--output");
    outputs.map(|pair| pair[1].split_once('=').unwrap().1).collect()
}

#[test]
fn every_file_runs_by_its_own_command_and_leaves_a_picture() {
    assert!(files().len() >= 16);
    for file in files() {
        let folder = Folder::new();
        for name in ["crates/run/gallery", "docs"] {
            folder.copy(name);
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let commands = commands(&text);
        assert!(commands.iter().any(|command| command.contains(name)), "{name} runs itself");
        let mut pictures = 0;
        for command in &commands {
            folder.run(&brief(command)).ended(0);
            for output in written(command).iter().filter(|output| output.ends_with(".png")) {
                let picture = image::open(folder.file(output)).unwrap().into_rgb8();
                let first = picture.get_pixel(0, 0);
                assert!(picture.pixels().any(|pixel| pixel != first), "{output} of {name} is flat");
                pictures += 1;
            }
        }
        assert!(pictures > 0, "{name} leaves no picture");
    }
}

#[test]
fn every_picture_and_command_stands_in_the_gallery_page() {
    let page = std::fs::read_to_string(root().join("crates/run/gallery/README.md")).unwrap();
    for file in files() {
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(page.contains(name), "{name}");
        for command in commands(&std::fs::read_to_string(&file).unwrap()) {
            for picture in written(&command).iter().filter(|output| output.ends_with(".png")) {
                assert!(page.contains(&format!("../../../docs/gallery/{picture}")), "{picture}");
                let bytes = std::fs::metadata(root().join("docs/gallery").join(picture)).unwrap();
                assert!(bytes.len() < 150_000, "{picture}");
            }
        }
    }
}

fn experiment(context: &Context, name: &str, setup: Setup) -> Experiment {
    let source =
        Source::read(Stage::Fragment, root().join("crates/run/gallery").join(name)).unwrap();
    Experiment::new(context, &source, setup).unwrap_or_else(|error| panic!("{error}"))
}

/// The experiment of a file of several passes, with other inputs, uniforms and sizes.
fn described(context: &Context, name: &str, settings: Settings) -> Experiment {
    let run = RunFile::read(root().join("crates/run/gallery").join(name)).unwrap().with(settings);
    let arrays = run.arrays().unwrap_or_else(|error| panic!("{error}"));
    run.experiment(context, run.setup(arrays)).unwrap_or_else(|error| panic!("{error}"))
}

/// Settings with these inputs and uniforms.
fn settings(inputs: Vec<(&str, Field)>, uniforms: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    let owned = |(name, field): (&str, Field)| (name.to_owned(), Origin::from(field));
    settings.inputs = inputs.into_iter().map(owned).collect();
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    settings.uniforms =
        uniforms.iter().map(owned).map(|(name, text)| (name, text.into())).collect();
    settings
}

fn field(width: u32, height: u32, channels: usize, numbers: &[f64]) -> Field {
    let numbers: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
    Field::new(Extent::new(width, height), channels, numbers).unwrap()
}

/// Random numbers from 0 to 1, as floats hold them.
fn random(count: usize, seed: u64) -> Vec<f64> {
    crate::common::random(count, seed).iter().map(|x| f64::from(0.5 * x + 0.5)).collect()
}

fn read(experiment: &Experiment, output: &str) -> Vec<f64> {
    experiment.read(output).unwrap().values().doubles().collect()
}

/// Each number with its bound: the tolerance of the number, or of 1 where that is more.
fn within(wanted: &[f64], tolerance: f64) -> Vec<(f64, f64)> {
    wanted.iter().map(|wanted| (*wanted, tolerance * wanted.abs().max(1.0))).collect()
}

#[track_caller]
fn near(got: &[f64], wanted: &[f64], tolerance: f64) {
    let wrong = first_wrong(got.iter().copied(), within(wanted, tolerance));
    let pair = wrong.map(|i| (i, got.get(i), wanted.get(i)));
    assert_eq!(pair, None, "where, what came, what was expected");
}

/// Checks that the same comparison detects a missing term.
#[track_caller]
fn far(got: &[f64], wanted: &[f64], tolerance: f64) {
    assert!(first_wrong(got.iter().copied(), within(wanted, tolerance)).is_some());
}

#[test]
fn a_number_that_is_twice_its_bound_away_is_wrong() {
    for tolerance in [1e-5, 1e-4, 1e-3] {
        let expected = within(&[0.0, 0.3, -1.0, 25.0], tolerance);
        faults_must_be_seen(&expected, |got| {
            first_wrong(got.iter().copied(), expected.iter().copied()).is_none()
        });
    }
}

/// The index of a cell at an offset: on a torus, or the nearest there is.
fn around(i: usize, offset: (isize, isize), (w, h): (isize, isize), torus: bool) -> usize {
    let (x, y) = (i as isize % w + offset.0, i as isize / w + offset.1);
    let (x, y) = match torus {
        true => (x.rem_euclid(w), y.rem_euclid(h)),
        false => (x.clamp(0, w - 1), y.clamp(0, h - 1)),
    };
    (y * w + x) as usize
}

const CROSS: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

#[test]
fn life_is_exact() {
    each(|context| {
        let (w, h) = (37_isize, 23_isize);
        let start = random((w * h) as usize, 4);
        let mut cells: Vec<bool> = start.iter().map(|x| *x as f32 >= 0.5).collect();
        let setup = Setup::new().input("cells", field(37, 23, 1, &start)).feedback("next", "cells");
        let mut life = experiment(context, "life.frag", setup);
        for generation in 1..40 {
            let lives = |i: usize| {
                let all = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
                let others = all.filter(|offset| *offset != (0, 0));
                let count = others.filter(|offset| cells[around(i, *offset, (w, h), true)]).count();
                count == 3 || count == 2 && cells[i]
            };
            cells = (0..cells.len()).map(lives).collect();
            life.step().unwrap();
            let wanted: Vec<f64> = cells.iter().map(|alive| f64::from(u8::from(*alive))).collect();
            assert_eq!(read(&life, "next"), wanted, "generation {generation}");
        }
    });
}

#[test]
fn heat_spreads_as_in_double_precision() {
    each(|context| {
        let (w, h, rate) = (31_isize, 17_isize, 0.23);
        let mut old = random((w * h) as usize, 9);
        let setup = Setup::new().input("old", field(31, 17, 1, &old)).uniform("rate", "0.23");
        let mut heat = experiment(context, "heat.frag", setup.feedback("next", "old"));
        let disc = |i: usize, (x, y): (f64, f64)| {
            let (column, row) = ((i as isize % w) as f64 + 0.5, (i as isize / w) as f64 + 0.5);
            let (dx, dy) = (column - x * w as f64, row - y * h as f64);
            dx.hypot(dy) / (h as f64) < 0.125
        };
        let next = |old: &[f64], neighbours: &[(isize, isize)]| -> Vec<f64> {
            let cell = |i: usize| {
                let sum: f64 = neighbours.iter().map(|o| old[around(i, *o, (w, h), false)]).sum();
                match () {
                    () if disc(i, (0.75, 0.625)) => -1.0,
                    () if disc(i, (0.25, 0.375)) => 1.0,
                    () => old[i] + rate * (sum - 4.0 * old[i]),
                }
            };
            (0..old.len()).map(cell).collect()
        };
        let mut lost = Vec::new();
        for _ in 0..20 {
            lost = next(&old, &CROSS[1..]);
            old = next(&old, &CROSS);
            heat.step().unwrap();
        }
        assert!(old.contains(&1.0) && old.contains(&-1.0), "both discs are there");
        near(&read(&heat, "next"), &old, 1e-5);
        far(&read(&heat, "next"), &lost, 1e-5);
    });
}

#[test]
fn substances_react_as_in_double_precision() {
    each(|context| {
        let (w, h) = (21_isize, 19_isize);
        let start = random(2 * (w * h) as usize, 3);
        let (feed, removal) = (0.029, 0.057);
        let setup = Setup::new().input("state", field(21, 19, 2, &start));
        let setup = setup.uniform("feed", "0.029").uniform("removal", "0.057");
        let mut gray_scott =
            experiment(context, "reaction_diffusion.frag", setup.feedback("next", "state"));
        let spot = |i: usize| {
            let (x, y) = (i as isize % w / 8 * 8, i as isize / w / 8 * 8);
            let high = start[2 * (y * w + x) as usize] > 0.9;
            if high { (0.5, 0.25) } else { (1.0, 0.0) }
        };
        let mut state: Vec<(f64, f64)> = (0..(w * h) as usize).map(spot).collect();
        assert!(state.contains(&(0.5, 0.25)) && state.contains(&(1.0, 0.0)), "both are there");
        let next = |state: &[(f64, f64)], neighbours: &[(isize, isize)]| -> Vec<(f64, f64)> {
            let cell = |i: usize| {
                let (u, v) = state[i];
                let some = neighbours.iter().map(|o| state[around(i, *o, (w, h), true)]);
                let sum = some.fold((0.0, 0.0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
                let reaction = u * v * v;
                (
                    u + 0.16 * (sum.0 - 4.0 * u) + feed * (1.0 - u) - reaction,
                    v + 0.08 * (sum.1 - 4.0 * v) + reaction - (feed + removal) * v,
                )
            };
            (0..state.len()).map(cell).collect()
        };
        let mut lost = Vec::new();
        for _ in 0..25 {
            lost = next(&state, &CROSS[1..]);
            state = next(&state, &CROSS);
            gray_scott.step().unwrap();
        }
        let flat = |state: &[(f64, f64)]| -> Vec<f64> {
            state.iter().flat_map(|(u, v)| [*u, *v]).collect()
        };
        near(&read(&gray_scott, "next"), &flat(&state), 1e-5);
        far(&read(&gray_scott, "next"), &flat(&lost), 1e-5);
        let (light, dark) = ([0.97, 0.95, 0.88], [0.04, 0.16, 0.36]);
        let colour = |v: f64| {
            let t = ((v - 0.05) / 0.25).clamp(0.0, 1.0);
            let t = t * t * (3.0 - 2.0 * t);
            std::array::from_fn::<f64, 3, _>(|c| light[c] + t * (dark[c] - light[c]))
        };
        let colours: Vec<f64> = state.iter().flat_map(|(_, v)| colour(*v)).collect();
        near(&read(&gray_scott, "colour"), &colours, 1e-4);
    });
}

/// Says what is wrong with counts of steps: one in a hundred may differ, but few steps leave no
/// room for rounding.
fn miscounted(got: &[f64], wanted: &[f64]) -> Option<String> {
    if got.len() != wanted.len() {
        return Some(format!("{} counts instead of {}", got.len(), wanted.len()));
    }
    let differ = || got.iter().zip(wanted).filter(|(got, wanted)| got != wanted);
    let early = differ().find(|(_, wanted)| **wanted <= 12.0);
    let many = differ().count() * 100 >= got.len();
    (many || early.is_some()).then(|| format!("{} differ, early: {early:?}", differ().count()))
}

/// Near the set's edge single precision may stay in or leave a little earlier; elsewhere it does
/// not.
#[test]
fn mandelbrot_counts_are_those_of_double_precision_off_the_edge() {
    each(|context| {
        let (w, h, limit) = (73, 41, 60);
        let setup = Setup::new().extent(Extent::new(w, h)).uniform("limit", "60");
        let setup = setup.uniform("centre", "-0.65,0.1").uniform("width", "3.3");
        let mut mandelbrot = experiment(context, "mandelbrot.frag", setup);
        mandelbrot.step().unwrap();
        let steps = |x: u32, y: u32| {
            let place = ((f64::from(x) + 0.5) / f64::from(w), (f64::from(y) + 0.5) / f64::from(h));
            let height = 3.3 * f64::from(h) / f64::from(w);
            let c = (-0.65 + (place.0 - 0.5) * 3.3, 0.1 - (place.1 - 0.5) * height);
            let (mut z, mut n) = ((0.0, 0.0), 0);
            while n < limit && z.0 * z.0 + z.1 * z.1 <= 256.0 {
                z = (z.0 * z.0 - z.1 * z.1 + c.0, 2.0 * z.0 * z.1 + c.1);
                n += 1;
            }
            f64::from(n)
        };
        let wanted: Vec<f64> = (0..w * h).map(|i| steps(i % w, i / w)).collect();
        let got = read(&mandelbrot, "steps");
        assert_eq!(miscounted(&got, &wanted), None);
        for (at, count) in wanted.iter().enumerate().filter(|(_, count)| **count <= 12.0) {
            for wrong in [count + 1.0, count - 1.0, f64::NAN, f64::INFINITY] {
                let mut moved = wanted.clone();
                moved[at] = wrong;
                assert!(miscounted(&moved, &wanted).is_some(), "{wrong} at {at}");
            }
        }
        let later: Vec<f64> = wanted.iter().map(|n| if *n > 12.0 { n - 1.0 } else { *n }).collect();
        assert!(miscounted(&later, &wanted).is_some(), "one step of many less");
        assert!(miscounted(&wanted[1..], &wanted).is_some());
        assert!(wanted.contains(&f64::from(limit)) && wanted.contains(&3.0));
        let colours = read(&mandelbrot, "colour");
        let inside = got.iter().position(|n| *n == f64::from(limit)).unwrap();
        assert_eq!(colours[3 * inside..3 * inside + 3], [0.0; 3]);
        assert!(colours.iter().all(|part| (0.0..=1.0).contains(part)));
    });
}

#[test]
fn the_blur_is_a_gaussian_along_both_sides() {
    each(|context| {
        let (w, h, sigma) = (29_isize, 18_isize, 1.7_f64);
        let image = random(3 * (w * h) as usize, 5);
        let image_of = vec![("image", field(29, 18, 3, &image))];
        let mut blur = described(context, "blur.run.toml", settings(image_of, &[("sigma", "1.7")]));
        blur.step().unwrap();
        let whole = (3.0 * sigma).ceil() as isize;
        let weight = |i: isize| (-((i * i) as f64) / (2.0 * sigma * sigma)).exp();
        let blurred = |radius: isize, i: usize, channel: usize| {
            let total: f64 = (-radius..=radius).map(weight).sum();
            let mut sum = 0.0;
            for y in -radius..=radius {
                for x in -radius..=radius {
                    let cell = around(i, (x, y), (w, h), false);
                    sum += weight(x) * weight(y) * image[3 * cell + channel];
                }
            }
            sum / (total * total)
        };
        let all = |radius: isize| -> Vec<f64> {
            let cells = 0..(w * h) as usize;
            cells.flat_map(|i| [0, 1, 2].map(|c| blurred(radius, i, c))).collect()
        };
        near(&read(&blur, "columns.blurred"), &all(whole), 1e-5);
        far(&read(&blur, "columns.blurred"), &all(whole - 1), 1e-5);
    });
}

#[test]
fn sobel_is_the_length_of_the_gradient() {
    each(|context| {
        let (w, h) = (19_isize, 23_isize);
        let image = random(3 * (w * h) as usize, 6);
        let mut sobel = experiment(
            context,
            "sobel.frag",
            Setup::new().input("image", field(19, 23, 3, &image)),
        );
        sobel.step().unwrap();
        let brightness = |i: usize, offset| {
            let cell = 3 * around(i, offset, (w, h), false);
            0.2126 * image[cell] + 0.7152 * image[cell + 1] + 0.0722 * image[cell + 2]
        };
        let sides = [(-1, 1.0), (0, 2.0), (1, 1.0)];
        let edge = |sides: &[(isize, f64)], i: usize| {
            let (mut across, mut down) = (0.0, 0.0);
            for (side, weight) in sides.iter().copied() {
                across += weight * (brightness(i, (1, side)) - brightness(i, (-1, side)));
                down += weight * (brightness(i, (side, 1)) - brightness(i, (side, -1)));
            }
            across.hypot(down)
        };
        let all = |sides| -> Vec<f64> { (0..(w * h) as usize).map(|i| edge(sides, i)).collect() };
        near(&read(&sobel, "edges"), &all(&sides), 1e-5);
        far(&read(&sobel, "edges"), &all(&sides[1..]), 1e-5);
    });
}
