//! Ping-pong: two textures take turns as source and target. Heat spreads along a bar whose ends
//! stay cold; every step gives each texel the mean of itself and its neighbours.
//!
//! `cargo run --release --example ping_pong`

use quadrille::testing::Comparison;
use quadrille::{Context, Extent, PingPong, Source};

const TEXT: &str = "
    uniform sampler2D heat;
    out float next;
    float at(int x) {
        int last = textureSize(heat, 0).x - 1;
        return x < 0 || x > last ? 0.0 : READ(heat, ivec2(clamp(x, 0, last), 0)).r;
    }
    void main() {
        int x = TEXEL.x;
        next = 0.25 * at(x - 1) + 0.5 * at(x) + 0.25 * at(x + 1);
    }";

const STEPS: usize = 500;

fn main() -> anyhow::Result<()> {
    let context = Context::headless()?;
    let kernel = context.kernel(Source::fragment("heat.frag", TEXT))?;

    let mut bar = vec![0.0_f32; 201];
    bar[100] = 1.0;
    let extent = Extent::new(bar.len() as u32, 1);
    let mut heat = PingPong::new(context.texture(extent, &bar)?, context.uninit(extent)?)?;
    for _ in 0..STEPS {
        heat.step(|old, new| kernel.pass().input("heat", old).draw(new))?;
    }

    let ours = heat.newest().read()?;
    let twin = spread(&bar).into_iter().map(|exact| (exact, 1e-6));
    let comparison = Comparison::of(ours.iter().copied(), twin);
    let error = comparison.max_error;
    println!("after {STEPS} steps the middle holds {:.6}, error {error:.1e}", ours[100]);
    anyhow::ensure!(comparison.is_right(), "the error is too large");
    Ok(())
}

/// Computes the same steps on the CPU, in f64.
fn spread(bar: &[f32]) -> Vec<f64> {
    let mut old: Vec<f64> = bar.iter().copied().map(f64::from).collect();
    for _ in 0..STEPS {
        let at =
            |i: isize| usize::try_from(i).ok().and_then(|i| old.get(i)).copied().unwrap_or(0.0);
        let mean = |i: isize| 0.25 * at(i - 1) + 0.5 * at(i) + 0.25 * at(i + 1);
        old = (0..old.len() as isize).map(mean).collect();
    }
    old
}
