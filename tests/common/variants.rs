//! The variants of the Jacobi solver, ready to run on random systems, and the residual that they
//! must find.

use quadrille::Context;
use quadrille::data::{Band, NineBanded};
use quadrille::linalg::jacobi::{ComputeShape, Jacobi, Layout, Optimization, Variant};
use quadrille::shader::Reads;

use super::systems::{System, doubles, gamma};

/// Both ways of reading.
pub const READS: [Reads; 2] = [Reads::Fetch, Reads::Sample];

/// Every variant that draws.
pub fn variants() -> impl Iterator<Item = Variant> {
    Layout::ALL.into_iter().flat_map(|layout| {
        let of = move |stage| READS.map(|reads| variant(layout, stage, reads));
        Optimization::DRAWN.into_iter().flat_map(of)
    })
}

/// Every variant that reads as suits its stage, with the compute stage where the context has it.
pub fn variants_of(context: &Context) -> impl Iterator<Item = Variant> {
    let computes = context.abilities().compute.is_some();
    let dispatched = Layout::ALL.map(|layout| variant(layout, Optimization::Compute, Reads::Fetch));
    let dispatched = dispatched.into_iter().filter(move |_| computes);
    variants().filter(|chosen| chosen.reads == Some(Reads::Sample)).chain(dispatched)
}

/// A whole chosen.
pub fn variant(layout: Layout, stage: Optimization, reads: Reads) -> Variant {
    Variant::new().layout(layout).optimization(stage).reads(reads)
}

/// Makes as many systems as the layout solves at once, each unlike the others.
pub fn systems(chosen: Variant, n: usize, m: usize, seed: u64) -> Vec<System> {
    let count = chosen.layout.map_or(1, Layout::systems) as u64;
    (0..count).map(|i| System::random(n, m, 4 * seed + i)).collect()
}

/// A solver with the right-hand sides and starts of these systems.
pub fn solver(context: &Context, systems: &[System], chosen: Variant) -> Jacobi {
    let jacobi = Jacobi::with_systems(context, &matrices(systems), chosen).unwrap();
    filled(jacobi, systems)
}

/// Makes a solver in a shape of the compute stage.
pub fn shaped(
    context: &Context,
    systems: &[System],
    chosen: Variant,
    shape: ComputeShape,
) -> Jacobi {
    filled(Jacobi::with_shape(context, &matrices(systems), chosen, shape).unwrap(), systems)
}

fn matrices(systems: &[System]) -> Vec<&NineBanded> {
    systems.iter().map(|system| &system.matrix).collect()
}

fn filled(mut jacobi: Jacobi, systems: &[System]) -> Jacobi {
    let sides: Vec<&[f32]> = systems.iter().map(|system| system.b.as_slice()).collect();
    let starts: Vec<&[f32]> = systems.iter().map(|system| system.start.as_slice()).collect();
    jacobi.set_systems(&sides, &starts).unwrap();
    jacobi
}

/// The name of the variant that runs, for a message.
pub fn name(jacobi: &Jacobi) -> String {
    let chosen = jacobi.variant();
    format!("{}, {}, {:?}", chosen.layout, chosen.optimization, chosen.reads)
}

/// The norm of b - A x for the x that is there. Each element is off by at most gamma_16 of its
/// terms, counted as a step is, and the norm of the whole by the norm of that and by what the
/// reduction adds.
pub fn residual_and_bound(system: &System, x: &[f32]) -> (f64, f64) {
    let (x, b) = (doubles(x), system.b_f64());
    let product = system.matrix.multiply_f64(&x);
    let magnitudes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let bands = Band::ALL.map(|band| system.matrix.band(band).iter().map(|a| a.abs()).collect());
    let absolute = NineBanded::new(system.matrix.m(), bands).unwrap().multiply_f64(&magnitudes);
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|r| r * r).sum::<f64>().sqrt();
    let exact = norm(&mut b.iter().zip(&product).map(|(b, p)| b - p));
    let off = gamma(16.0) * norm(&mut b.iter().zip(&absolute).map(|(b, a)| b.abs() + a));
    (exact, off + gamma(200.0) * exact)
}
