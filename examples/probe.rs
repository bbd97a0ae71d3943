//! A probe: how many multiply-adds fragments do in a second, and whether they did them. Each pass
//! goes on from what the pass before wrote, so that none of them can be left out.
//!
//! `cargo run --release --example probe`

use quadrille::stream::{Clock, Error};
use quadrille::testing::Comparison;
use quadrille::{Context, Extent, PingPong, Source};

const TEXT: &str = "
    uniform sampler2D old;
    uniform int trips;
    uniform vec4 c;
    uniform vec4 d;
    out vec4 next;
    #define MAD a = a * c + d; b = b * c + d; e = e * c + d; f = f * c + d;
    void main() {
        vec4 a = READ(old, TEXEL), b = a + 1.0, e = a + 2.0, f = a + 3.0;
        for (int trip = 0; trip < trips; trip++) {
            MAD MAD MAD MAD
        }
        next = 0.25 * ((a + b) + (e + f));
    }";

const EXTENT: Extent = Extent { width: 512, height: 512 };
const TRIPS: i32 = 16;
const PASSES: u32 = 20;
/// Below 1, so that numbers stay bounded, and exact in binary.
const C: f32 = 1.0 - 1.0 / 64.0;
const D: f32 = 1.0 / 64.0;

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let kernel = context.kernel(Source::fragment("mad.frag", TEXT))?;
    let start: Vec<[f32; 4]> = (0..EXTENT.texels()).map(|i| [first(i % 97); 4]).collect();
    let mut numbers = PingPong::new(context.texture(EXTENT, &start)?, context.uninit(EXTENT)?)?;
    let mut pass = || {
        numbers.step(|old, next| {
            let pass = kernel.pass().input("old", old).uniform("trips", TRIPS);
            pass.uniform("c", [C; 4]).uniform("d", [D; 4]).draw(next)
        })
    };

    pass()?; // The driver compiles.
    let many = || (1..PASSES).try_for_each(|_| pass());
    let ((), time) = Clock::of(&context).time::<_, Error>(&context, many)?;

    let operations = 2 * 4 * 4 * 4 * TRIPS as usize * EXTENT.texels() * (PASSES - 1) as usize;
    let gflops = operations as f64 / time.as_secs_f64() / 1e9;
    let got = numbers.newest().read()?;
    let twins: Vec<f64> = (0..97).map(|i| twin(first(i))).collect();
    let twins = (0..EXTENT.texels()).flat_map(|i| [(twins[i % 97], 1e-4); 4]);
    let comparison = Comparison::of(got.into_flattened(), twins);
    let error = comparison.max_error;
    println!("{}: {gflops:.1} GFLOPS, error {error:.1e}", context.abilities().renderer);
    anyhow::ensure!(comparison.is_right(), "the error is too large: not all of it was done");
    Ok(())
}

/// The numbers that the chains begin with.
fn first(index: usize) -> f32 {
    index as f32 / 97.0
}

/// Computes the same passes on the CPU, in f64. Chains that begin apart stay apart by a power of C,
/// so their mean is one chain from the mean of their beginnings.
fn twin(start: f32) -> f64 {
    let chain = |first: f64| (0..4 * TRIPS).fold(first, |x, _| x * f64::from(C) + f64::from(D));
    (0..PASSES).fold(f64::from(start), |x, _| chain(x + 1.5))
}
