//! Seamless cloning: a part of one picture goes into another without a seam, as its gradients
//! instead of its colours (Pérez, Gangnet and Blake, "Poisson image editing", 2003). Each colour is
//! a Poisson equation on the part that is cloned, all with one matrix, which is put on the device
//! once. Where cloning must give back the picture itself, its error is measured.
//!
//! `cargo run --release --example seamless_cloning [PICTURE.png]`, or with pictures of one size of
//! your own, where the mask is white in the part to clone: `... --example seamless_cloning
//! RESULT.png SOURCE.png MASK.png DESTINATION.png`
//!
//! The result shows the part pasted, cloned, and cloned with mixed gradients, side by side.

mod drawings;
mod picture;
mod region;

use std::time::Instant;

use anyhow::{bail, ensure};
use quadrille::Context;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{Options, Preconditioner, Solver};
use quadrille::testing::Comparison;

use picture::Picture;
use region::{Guidance, Region};

fn main() -> anyhow::Result<()> {
    let (result, [source, mask, destination]) = pictures()?;
    source.must_be_like(&destination, "the source")?;
    let region = Region::new(&mask, destination.extent)?;

    let context = Context::headless()?;
    let begun = Instant::now();
    let options =
        Options::new().preconditioner(Preconditioner::Multigrid(multigrid::Options::new()));
    let mut solver = Solver::new(&context, &region.matrix()?, options)?;
    solver.warm_up()?;
    println!("{} pixels to clone, set up in {:.0} ms", region.count(), ms(begun));

    let pasted = region.pasted(&source, &destination);
    let (cloned, _) = clone(&mut solver, &region, &source, &destination, Guidance::Source)?;
    let (mixed, _) = clone(&mut solver, &region, &source, &destination, Guidance::Mixed)?;
    Picture::side_by_side(&[pasted, cloned, mixed]).write(&result)?;

    // A source that differs from the destination by a harmonic function has the same Laplacian:
    // what is cloned is the destination.
    let like = destination.plus_harmonic();
    let (same, bound) = clone(&mut solver, &region, &like, &destination, Guidance::Source)?;
    let expected = destination.planes.iter().flatten().map(|exact| (*exact, bound));
    let comparison = Comparison::of(same.planes.into_iter().flatten(), expected);
    println!("error {:.1e} of full light, bound {bound:.1e}", comparison.max_error);
    ensure!(comparison.is_right(), "the error exceeds its bound");
    Ok(())
}

/// The name of the result; the source, the mask and the destination.
fn pictures() -> anyhow::Result<(String, [Picture; 3])> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(("seamless_cloning.png".into(), drawings::all())),
        [result] => Ok((result.clone(), drawings::all())),
        [result, source, mask, destination] => {
            let read = [Picture::read(source)?, Picture::read(mask)?, Picture::read(destination)?];
            Ok((result.clone(), read))
        }
        _ => bail!("expected RESULT.png, alone or with SOURCE.png MASK.png DESTINATION.png"),
    }
}

/// The region of the source within the destination, and how far any colour may be from the exact
/// one.
fn clone(
    solver: &mut Solver,
    region: &Region,
    source: &Picture,
    destination: &Picture,
    guidance: Guidance,
) -> anyhow::Result<(Picture, f64)> {
    let begun = Instant::now();
    let (mut planes, mut bound) = (Vec::new(), 0.0_f64);
    for (from, into) in source.planes.iter().zip(&destination.planes) {
        let b = region.right_hand_side(from, into, guidance);
        let solution = solver.solve(&b)?;
        bound = bound.max(region.error_bound(solution.residual, &b));
        planes.push(region.composed(&solution.x, into));
    }
    println!("{guidance}: {} colours in {:.0} ms", planes.len(), ms(begun));
    Ok((Picture { extent: destination.extent, planes }, bound))
}

fn ms(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}
