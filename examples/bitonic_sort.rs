//! The sort of 2003, beside the library's: numbers in a texture go through Batcher's bitonic network,
//! a pass for each of its stages, in which every fragment compares itself with one other (docs/sort.md).
//!
//! `cargo run --release --features primitives --example bitonic_sort -- 16` sorts 2^16 numbers.
//!
//! Sources: Batcher, "Sorting Networks and Their Applications" (1968); Purcell, Donner, Cammarano,
//! Jensen and Hanrahan, "Photon Mapping on Programmable Graphics Hardware" (2003).

use std::time::{Duration, Instant};

use anyhow::Context as _;
use quadrille::data::SplitMix64;
use quadrille::grid::DeviceVector;
use quadrille::primitives::Sort;
use quadrille::stream::Engine;
use quadrille::{Context, Extent, Kernel, PingPong, Source};

/// Runs of `run` numbers become ordered ones, upwards and downwards in turns, so that two of them are
/// a run of the next pass.
const TEXT: &str = "
    uniform sampler2D numbers;
    uniform int run, apart, shift;
    out float next;
    void main() {
        int place = TEXEL.x | TEXEL.y << shift, partner = place ^ apart;
        float here = READ(numbers, TEXEL).r;
        float there = READ(numbers, ivec2(partner & (1 << shift) - 1, partner >> shift)).r;
        bool ascends = (place & run) == 0;
        next = (partner > place) == ascends ? min(here, there) : max(here, there);
    }";

fn main() -> anyhow::Result<()> {
    let power = std::env::args().nth(1).map_or(Ok(16), |power| power.parse::<u32>());
    let power = power.ok().filter(|power| (1..=24).contains(power));
    let power = power.context("expected an exponent from 1 to 24, for 2^exponent numbers")?;
    let context = Context::headless()?;
    let mut generator = SplitMix64::new(1);
    let numbers: Vec<f32> = (0..1 << power).map(|_| generator.unit() as f32).collect();
    let mut expected = numbers.clone();
    expected.sort_by(f32::total_cmp);

    println!("2^{power} numbers on {}", context.abilities().renderer);
    let network = Network::new(&context, power)?;
    let (sorted, time) = network.sort(&context, &numbers)?;
    anyhow::ensure!(sorted == expected, "the network does not sort");
    println!("bitonic network   {:4} passes {time:10.3?}", network.passes());
    let x = DeviceVector::from_host(&context, &numbers)?;
    for engine in Engine::of(&context) {
        let sort = Sort::on(&context, engine)?;
        let (sorted, time) = fastest(&context, || Ok(sort.keys(&x)?))?;
        anyhow::ensure!(sorted.read()? == expected, "the library does not sort, by {engine}");
        println!("Sort, {engine:24} {time:10.3?}");
    }
    Ok(())
}

struct Network {
    kernel: Kernel,
    power: u32,
}

impl Network {
    fn new(context: &Context, power: u32) -> anyhow::Result<Network> {
        let kernel = context.kernel(Source::fragment("bitonic.frag", TEXT))?;
        Ok(Network { kernel, power })
    }

    fn passes(&self) -> u32 {
        self.power * (self.power + 1) / 2
    }

    /// Returns the numbers in their order, and the time without the transfers.
    fn sort(&self, context: &Context, numbers: &[f32]) -> anyhow::Result<(Vec<f32>, Duration)> {
        let shift = self.power.div_ceil(2);
        let extent = Extent::new(1 << shift, 1 << (self.power - shift));
        let old = context.texture(extent, numbers)?;
        let mut numbers = PingPong::new(old, context.uninit(extent)?)?;
        let mut sort = || {
            for run in (1..=self.power).map(|log| 1 << log) {
                let mut apart = run / 2;
                while apart > 0 {
                    numbers.step(|old, new| {
                        let pass = self.kernel.pass().input("numbers", old).uniform("run", run);
                        pass.uniform("apart", apart).uniform("shift", shift as i32).draw(new)
                    })?;
                    apart /= 2;
                }
            }
            Ok(())
        };
        // What is in order takes as long.
        let ((), time) = fastest(context, &mut sort)?;
        Ok((numbers.newest().read()?, time))
    }
}

/// Returns the last result of some calls, and the time of the fastest.
fn fastest<T>(
    context: &Context,
    mut call: impl FnMut() -> anyhow::Result<T>,
) -> anyhow::Result<(T, Duration)> {
    let mut timed = || {
        let start = Instant::now();
        let result = call()?;
        context.finish()?;
        anyhow::Ok((result, start.elapsed()))
    };
    let (mut result, mut time) = timed()?;
    for _ in 0..4 {
        let next = timed()?;
        (result, time) = (next.0, time.min(next.1));
    }
    Ok((result, time))
}
