//! How long Fourier transforms and convolutions take, by each way and shape of work groups: `cargo bench -p quadrille-benches --bench
//! transforms -- 1024 4096`, for arrays of so many rows and columns; `-- transforms 4096` leaves convolutions out.
//!
//! Each transform is followed by its inverse, and the program fails if what comes back is farther from the numbers than twice the
//! bound. A software renderer's time is also given as that of two cores without other work: the process's processor time, halved.

#![allow(clippy::print_stdout)] // Its result.

use std::time::Instant;

use quadrille::gl::Context;
use quadrille::grid::DeviceVector;
use quadrille::linalg::blas1::Blas1;
use quadrille::primitives::convolution::Method;
use quadrille::primitives::fft::Limits;
use quadrille::primitives::{Axis, Border, Convolution, Fft, Weights};
use quadrille::stream::Engine;
use quadrille::{Error, Shape};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Runs of a sample, and samples.
const MOST_RUNS: f64 = 50.0;
const SAMPLES: usize = 7;
/// The seconds that a sample is to take.
const SECONDS: f64 = 0.03;

fn main() -> Result<()> {
    let context = Context::headless()?;
    println!("{}", context.abilities().renderer);
    let all = std::env::args().all(|text| text != "transforms");
    // Cargo adds an option of its own.
    for side in std::env::args().filter_map(|text| text.parse::<usize>().ok()) {
        let numbers: Vec<f32> =
            (0..2 * side * side).map(|i| ((i * 7919) % 1013) as f32 / 1013.0 - 0.5).collect();
        of_copies(&context, side, &numbers)?;
        if all {
            of_convolutions(&context, side, &numbers)?;
        }
        of_transforms(&context, side, &numbers)?;
    }
    Ok(())
}

/// What every transform and convolution does at least: all numbers are read and written once.
fn of_copies(context: &Context, side: usize, numbers: &[f32]) -> Result<()> {
    let twice = Blas1::new(context).map("2.0 * x", &["x"], &[])?;
    for (what, numbers) in [("real", &numbers[..side * side]), ("complex", numbers)] {
        let x = DeviceVector::from_host(context, numbers)?;
        let mut y = DeviceVector::uninit(context, x.len())?;
        let time = time(context, || Ok(twice.apply().vector("x", &x).run(&mut y)?))?;
        println!("{side} x {side}, twice each {what} number: {time}");
    }
    Ok(())
}

fn of_convolutions(context: &Context, side: usize, numbers: &[f32]) -> Result<()> {
    let x = DeviceVector::from_host(context, &numbers[..side * side])?;
    let mut y = DeviceVector::uninit(context, x.len())?;
    for (width, engine) in [3, 5, 7, 9, 11, 15, 31]
        .into_iter()
        .flat_map(|width| Engine::of(context).into_iter().map(move |engine| (width, engine)))
    {
        for method in [Method::Direct, Method::Transform] {
            let weights = vec![1.0 / (width * width) as f32; width * width];
            let weights = Weights::correlation(Shape::new(width, width), &weights)?;
            let shape = Shape::new(side, side);
            // Too many weights for the direct one.
            let made =
                Convolution::on(context, engine, method, shape, &[&weights], Border::Reflect);
            let Ok(convolution) = made else { continue };
            let time = time(context, || Ok(convolution.run(&x, &mut y)?))?;
            println!("{side} x {side}, {width} x {width} weights, {method:?}, {engine}: {time}");
        }
    }
    Ok(())
}

fn of_transforms(context: &Context, side: usize, numbers: &[f32]) -> Result<()> {
    let (rows, columns) = (Axis::rows(side, side), Axis::columns(side, side));
    let shapes = [
        ("rows", vec![rows]),
        ("columns", vec![columns]),
        ("both", vec![rows, columns]),
        ("one", vec![Axis::rows(1, side * side)]),
    ];
    let limits = |invocations, numbers, radix| {
        Some(Limits { invocations, numbers, radix, ..Limits::LARGEST })
    };
    let mut ways: Vec<(Engine, Option<Limits>)> =
        Engine::of(context).into_iter().map(|engine| (engine, None)).collect();
    if context.abilities().compute.is_some() {
        let in_groups = match context.abilities().software {
            true => vec![Some(Limits::SOFTWARE)],
            false => vec![
                limits(256, 4096, 1024),
                limits(128, 4096, 1024),
                limits(128, 2048, 1024),
                limits(64, 1024, 1024),
                limits(256, 4096, 256),
            ],
        };
        ways.extend(in_groups.into_iter().map(|limits| (Engine::Compute, limits)));
    }
    for (what, axes) in &shapes {
        let flops: f64 = axes.iter().map(|axis| 5.0 * (axis.length as f64).log2()).sum();
        let flops = flops * (side * side) as f64;
        for (engine, limits) in &ways {
            let fft = Fft::by(context, *engine, *limits, axes)?;
            let time = transformed(context, &fft, numbers)?;
            let rate = flops / time.seconds / 1e9;
            println!("{side} x {side}, {what}, {engine} {limits:?}: {time}, {rate:.1} GFLOP/s");
        }
    }
    Ok(())
}

/// Times a transform whose inverse must bring the numbers back.
fn transformed(context: &Context, fft: &Fft, numbers: &[f32]) -> Result<Time> {
    let x = DeviceVector::from_host(context, numbers)?;
    let mut y = DeviceVector::uninit(context, x.len())?;
    let time = time(context, || Ok(fft.forward(&x, &mut y)?))?;
    let mut back = DeviceVector::uninit(context, x.len())?;
    fft.inverse(&y, &mut back)?;
    let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
    let back = back.read()?;
    let off = norm(&mut back.iter().zip(numbers).map(|(a, b)| f64::from(a - b)));
    let off = off / norm(&mut numbers.iter().map(|x| f64::from(*x)));
    let bound = 2.0 * fft.error_bound();
    if off <= bound {
        return Ok(time);
    }
    Err(format!("{fft:?}: off by {off:.1e} there and back, expected at most {bound:.1e}").into())
}

/// The median of a run.
struct Time {
    seconds: f64,
    /// The processor time of a run on a software renderer, halved.
    of_cores: Option<f64>,
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} ms", 1e3 * self.seconds)?;
        match self.of_cores {
            Some(seconds) => write!(f, " ({:.1} ms of two cores)", 1e3 * seconds),
            None => Ok(()),
        }
    }
}

fn time(
    context: &Context,
    mut run: impl FnMut() -> std::result::Result<(), Error>,
) -> Result<Time> {
    let mut sample = |runs: usize| -> Result<f64> {
        let start = Instant::now();
        for _ in 0..runs {
            run()?;
        }
        context.finish()?;
        Ok(start.elapsed().as_secs_f64() / runs as f64)
    };
    sample(1)?;
    let least = if context.abilities().software { 3.0 } else { 1.0 };
    let runs = (SECONDS / sample(1)?).clamp(least, MOST_RUNS) as usize;
    let before = processor_time();
    let samples: Result<Vec<f64>> = (0..SAMPLES).map(|_| sample(runs)).collect();
    let mut samples = samples?;
    samples.sort_by(f64::total_cmp);
    let all = (2 * SAMPLES * runs) as f64;
    let spent = processor_time().zip(before).map(|(after, before)| (after - before) / all);
    let of_cores = spent.filter(|_| context.abilities().software);
    Ok(Time { seconds: samples[SAMPLES / 2], of_cores })
}

/// Returns the seconds that the threads of this process have run, where Linux says so: in hundredths.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<f64>().ok();
    Some((ticks(fields.next())? + ticks(fields.next())?) / 100.0)
}
