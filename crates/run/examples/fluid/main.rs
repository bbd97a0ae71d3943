//! A fluid between walls: a heavy one sinks into a light one (Rayleigh and Taylor's instability).
//! Fragment shaders carry velocity and density along (Stam, "Stable fluids", 1999), and each step
//! ends with a projection (Chorin, "Numerical solution of the Navier-Stokes equations", 1968): a
//! Poisson equation for the pressure, by conjugate gradients with multigrid, set up once. All
//! fields stay on the device.
//!
//! Two things are known and compared: what divergence a projection may leave, and a vortex that
//! stays as it is.
//!
//! `cargo run --release --example fluid [PICTURE.png] [STEPS]`

mod flow;
mod vortex;

use std::f64::consts::TAU;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use quadrille::{Context, Extent};
use quadrille_run::io::picture::{HeatMap, check_name};

use flow::Flow;
use vortex::Errors;

/// The cells of the box, and what a step adds to the velocity of the heavy fluid, in cells for each
/// step.
const BOX: Extent = Extent { width: 144, height: 192 };
const WEIGHT: f32 = 0.04;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let picture = arguments.next().unwrap_or_else(|| "fluid.png".into());
    check_name(&picture)?;
    let steps = arguments.next().map_or(Ok(200), |steps| steps.parse::<u32>());
    let steps = steps.context("the second argument is a number of steps")?;
    ensure!(steps > 0, "the number of steps is 1 or more; got 0");

    let context = Context::headless()?;
    let (coarse, fine) = (Errors::of(&context, 24)?, Errors::of(&context, 48)?);
    for (cells, Errors { velocity, density }) in [(24, &coarse), (48, &fine)] {
        println!(
            "vortex in {cells} x {cells} cells: velocity error {velocity:.1e}, density error {density:.1e}"
        );
    }

    let begun = Instant::now();
    let mut flow = Flow::new(&context, BOX, |_, _| (0.0, 0.0), heavy_above)?;
    println!("{} cells, set up in {:.0} ms", BOX.texels(), begun.elapsed().as_secs_f64() * 1e3);
    let begun = Instant::now();
    for _ in 0..steps {
        flow.step(WEIGHT)?;
    }
    let density = flow.density()?;
    let each = begun.elapsed().as_secs_f64() * 1e3 / f64::from(steps);
    let iterations = flow.iterations() as f64 / f64::from(steps);
    println!("{steps} steps of {each:.1} ms, {iterations:.1} iterations each");
    draw(&picture, &density)?;

    let (left, bound) = (flow.divergence()?, flow.divergence_bound()?);
    println!("divergence: error {left:.1e}, bound {bound:.1e}");
    ensure!(left <= bound, "the divergence exceeds its bound");
    // The method is of first order in the step, which is half as long on the finer grid.
    let halved = |coarse: f64, fine: f64| coarse < 0.028 && fine < 0.56 * coarse;
    ensure!(
        halved(coarse.velocity, fine.velocity),
        "the vortex changes more than by the method's order"
    );
    ensure!(halved(coarse.density, fine.density), "the vortex carries its density elsewhere");
    Ok(())
}

/// 1 above a surface with ripples, 0 below it.
fn heavy_above(x: f64, y: f64) -> f64 {
    let (width, height) = (f64::from(BOX.width), f64::from(BOX.height));
    let ripple = |(waves, size): (f64, f64)| size * (0.5 * TAU * waves * x / width).cos();
    let ripples = [(2.0, 2.0), (5.0, 1.5), (11.0, 1.0), (16.0, 0.7)].map(ripple);
    (0.5 * height + ripples.iter().sum::<f64>() - y + 0.5).clamp(0.0, 1.0)
}

fn draw(path: &str, density: &[f32]) -> Result<()> {
    let (width, height) = (BOX.width as usize, BOX.height as usize);
    Ok(HeatMap::new(width, height, density).title("Density").write(path)?)
}
