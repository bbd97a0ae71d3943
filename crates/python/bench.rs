//! The same as `bench.py` asks of the module, in Rust: one answer on standard output for each line
//! of standard input.
//!
//! * `call SIDE COUNT`: the median microseconds of a kernel's call over an array of SIDE x SIDE
//!   numbers, which stays made;
//! * `run SIDE COUNT`: the median milliseconds of an experiment that is made, given SIDE x SIDE
//!   numbers, run and read;
//! * `transfer SIDE COUNT`: the median milliseconds of writing and reading a texture of SIDE x SIDE
//!   numbers.
#![allow(clippy::print_stdout, reason = "its result")]

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use quadrille::data::{Field, ValuesRef};
use quadrille::shader::Source;
use quadrille::{Context, Extent};
use quadrille_run::{Experiment, Setup};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SCALE: &str =
    "uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }";

fn main() -> Result<()> {
    let context = Context::headless()?;
    for line in std::io::stdin().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let work = words.next().unwrap_or_default();
        let numbers = words.map(str::parse).collect::<std::result::Result<Vec<u32>, _>>()?;
        let [side, count] = numbers[..] else { return Err("expected WORK SIDE COUNT".into()) };
        let time = match work {
            "call" => call(&context, side, count)?.as_secs_f64() * 1e6,
            "run" => run(&context, side, count)?.as_secs_f64() * 1e3,
            "transfer" => transfer(&context, side, count)?.as_secs_f64() * 1e3,
            other => return Err(format!("expected call, run or transfer, got {other}").into()),
        };
        println!("{time}");
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn call(context: &Context, side: u32, count: u32) -> Result<Duration> {
    let source = Source::fragment("kernel.frag", SCALE);
    let numbers = numbers(side);
    let mut experiment = Experiment::new(context, &source, setup(side)?)?;
    median(count, || {
        experiment.write("a", ValuesRef::F32(&numbers))?;
        experiment.set("s", "2.0")?;
        experiment.step()?;
        Ok(experiment.read("y")?)
    })
}

fn run(context: &Context, side: u32, count: u32) -> Result<Duration> {
    let source = Source::fragment("kernel.frag", SCALE);
    let numbers = numbers(side);
    median(count, || {
        let mut experiment = Experiment::new(context, &source, setup(side)?)?;
        experiment.write("a", ValuesRef::F32(&numbers))?;
        experiment.step()?;
        Ok(experiment.read("y")?)
    })
}

fn transfer(context: &Context, side: u32, count: u32) -> Result<Duration> {
    let numbers = numbers(side);
    let extent = Extent::new(side, side);
    let mut texture = context.uninit::<f32>(extent)?;
    median(count, || {
        texture.write(&numbers)?;
        Ok(Field::new(extent, 1, texture.read()?)?)
    })
}

fn setup(side: u32) -> Result<Setup> {
    Ok(Setup::new().shape("a", &[side as usize, side as usize])?.uniform("s", "2.0"))
}

fn numbers(side: u32) -> Vec<f32> {
    (0..side * side).map(|i| i as f32 * 0.5).collect()
}

/// The median time of work, without that of freeing its result.
fn median(count: u32, mut work: impl FnMut() -> Result<Field>) -> Result<Duration> {
    let mut time = || -> Result<Duration> {
        let begun = Instant::now();
        let result = work()?;
        let took = begun.elapsed();
        drop(result);
        Ok(took)
    };
    let mut times = (0..count).map(|_| time()).collect::<Result<Vec<_>>>()?;
    times.sort();
    Ok(times[times.len() / 2])
}
