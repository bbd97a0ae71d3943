//! Multigrid over ranks, weak scaling: milliseconds of a step of conjugate gradients and of a
//! cycle, for a square of poisson5 a rank, one above the other. By itself on the ranks of one
//! process, on as many devices as there are; with the feature `mpi` and started by `mpirun` on a
//! rank of each process.
//!
//! `cargo bench -p quadrille-benches --bench cluster_multigrid [-- RANKS SIDE [FEWEST:HALO ...]]`,
//! by default 2 511 65536:6.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::rc::Rc;
use std::time::Instant;

use quadrille::Context;
use quadrille::cluster::multigrid::{Distribution, Multigrid};
use quadrille::cluster::{InProcess, RankSpace, Team};
use quadrille::data::Stencil;
use quadrille::gl::DeviceSelector;
use quadrille::linalg::krylov::{Cg, DeviceSpace, Method as _, Preconditioner, Space};
use quadrille::linalg::multigrid::{Hierarchy, Options};

const RUNS: usize = 5;
const STEPS: usize = 100;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let number = |at: usize, default: usize| {
        words.get(at).map_or(default, |word| word.parse().expect("a number"))
    };
    let (ranks, side) = (number(0, 2), number(1, 511));
    let given = words.iter().skip(2).map(|word| {
        let (fewest, halo) = word.split_once(':').expect("FEWEST:HALO");
        let number = |text: &str| text.parse().expect("a number");
        Distribution::new().fewest(number(fewest)).halo(number(halo))
    });
    let given: Vec<_> = given.collect();
    let distributions = if given.is_empty() { vec![Distribution::new()] } else { given };
    let team = team(ranks).expect("a team");
    if team.communicator().size() == 1 {
        alone(&team.contexts()[0], side).expect("a measurement of one device");
    }
    for distribution in distributions {
        together(&team, side, distribution).expect("a measurement");
    }
}

#[cfg(feature = "mpi")]
fn team(ranks: usize) -> Outcome<Team> {
    if quadrille::cluster::Launched::here().is_none() {
        return in_process(ranks);
    }
    let mpi = quadrille::cluster::Mpi::join()?;
    let context = on_device(mpi.on_host().rank)?;
    Ok(Team::new(Rc::new(mpi), vec![context])?)
}

#[cfg(not(feature = "mpi"))]
fn team(ranks: usize) -> Outcome<Team> {
    in_process(ranks)
}

fn in_process(ranks: usize) -> Outcome<Team> {
    let contexts = (0..ranks).map(on_device).collect::<Outcome<Vec<_>>>()?;
    Ok(Team::new(Rc::new(InProcess::new(ranks)), contexts)?)
}

/// A context on a device for each rank, by turns.
fn on_device(rank: usize) -> Outcome<Context> {
    let devices: Vec<_> =
        quadrille::gl::devices()?.into_iter().filter(|device| !device.software).collect();
    match devices.len() {
        0 => Ok(Context::headless()?),
        count => Ok(Context::builder()
            .device(DeviceSelector::Index(devices[rank % count].index))
            .build()?),
    }
}

/// Milliseconds of one of so many, the median of several runs after one that wakes the device.
fn median(count: usize, mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let mut times = Vec::new();
    for _ in 0..=RUNS {
        let begin = Instant::now();
        for _ in 0..count {
            run()?;
        }
        times.push(1e3 * begin.elapsed().as_secs_f64() / count as f64);
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

fn alone(context: &Context, side: usize) -> Outcome<()> {
    let space =
        DeviceSpace::new(context, &format!("poisson5:{side}").parse::<Stencil>()?.matrix()?)?;
    let mut multigrid = Hierarchy::new(space.operator(), Options::new())?;
    measured("one device", &space, &mut multigrid, || Ok(context.finish()?))
}

fn together(team: &Team, side: usize, distribution: Distribution) -> Outcome<()> {
    let ranks = team.communicator().size();
    let height = ranks * (side + 1) - 1;
    let stencil: Stencil = format!("poisson5:{side}x{height}").parse()?;
    let partition = distribution.partition((side * height, side), [1, ranks])?;
    let local = team.communicator().local();
    let blocks = local.clone().map(|rank| stencil.block(&partition.stored(rank)));
    let space = RankSpace::new(team, &partition, &blocks.collect::<Result<Vec<_>, _>>()?)?;
    let mut multigrid = Multigrid::new(&space, Options::new(), distribution)?;
    if local.start == 0 {
        println!("{distribution:?}: {:?}", multigrid.levels());
    }
    let finish = || Ok(team.contexts().iter().try_for_each(Context::finish)?);
    let what = format!("rank {} of {ranks}", local.start);
    measured(&what, &space, &mut multigrid, finish)
}

fn measured<S: Space>(
    what: &str,
    space: &S,
    multigrid: &mut impl Preconditioner<S>,
    finish: impl Fn() -> Outcome<()>,
) -> Outcome<()>
where
    S::Error: std::error::Error + 'static,
{
    let mut cg = Cg::new(space)?;
    let r: Vec<f64> = (0..space.length()).map(|at| (at * at % 97) as f64 / 97.0 - 0.5).collect();
    let (mut b, mut z, mut product) = (space.vector()?, space.vector()?, space.vector()?);
    space.write(&r, 1.0, &mut b)?;
    space.write(&r, 1.0, cg.residual_mut())?;
    cg.restart(space)?;
    let step = median(STEPS, || {
        cg.step(space, multigrid)?;
        space.norm(cg.residual())?;
        Ok(())
    })?;
    let cycle = median(STEPS, || {
        multigrid.apply(space, &b, &mut z)?;
        finish()
    })?;
    let apply = median(STEPS, || {
        space.apply(&b, &mut product)?;
        finish()
    })?;
    let mut value = space.scalar(0.0)?;
    let dot = median(STEPS, || {
        space.dot(&b, &z, &mut value)?;
        space.value(&value)?;
        Ok(())
    })?;
    println!("  {what}: step {step:.3} ms, cycle {cycle:.3}, product {apply:.3}, dot {dot:.3}");
    Ok(())
}
